"""The one lock of a log: whoever appends to it, mends it or seals it holds this. Writes a lock file beside the log."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from novelty_kit.errors import OutputError

__all__ = ["locked"]


@contextlib.contextmanager
def locked(log: str | os.PathLike[str]) -> Iterator[None]:
    """Hold the one lock of a log; waits until another writer is done. The lock file is never removed.

    Raises
    ------
    OutputError
        No lock file can be made beside the log; nothing was changed.
    """
    try:
        # One log has one lock, whatever links lead to it.
        real = Path(os.path.realpath(log))
        real.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(f"{real}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise OutputError(
            f"the log cannot be locked: {error.strerror or error}",
            path=str(log),
            remedy="Nothing was changed. Choose a log in a folder that exists, is writable and has room (--graph)",
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
