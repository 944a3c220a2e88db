"""What every test may rely on."""

from __future__ import annotations

import gc
import os
import signal


def pytest_configure() -> None:
    """Make the tests independent of the shell that runs them, and the children they fork of the tests before.

    A shell that runs the tests in its background has interrupts ignored, and programs would inherit that. A forked
    child has none of the threads that other tests' databases started: collecting these there would crash it.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.register_at_fork(after_in_child=gc.disable)
