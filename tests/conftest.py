"""What every test may rely on."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A shell that runs the tests in its background has interrupts ignored, and programs would inherit that."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
