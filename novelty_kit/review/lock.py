"""The run's one lock, shared with the other tools of the layout.

``.hypex.lock`` is locked with ``flock``, so it is gone with the process, however that ends. No network.
The clock only bounds the wait.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Final

from novelty_kit.errors import OutputError
from novelty_kit.review.folder import Folder

__all__ = ["locked"]

_LOCK: Final = ".hypex.lock"


@contextlib.contextmanager
def locked(run: Folder, *, wait_s: float = 60.0) -> Iterator[None]:
    """Hold the run's one lock; it is gone with the process, however that ends.

    Raises
    ------
    OutputError
        The lock cannot be made, or another process kept it for `wait_s` seconds.
    """
    import fcntl

    until = time.monotonic() + wait_s
    pause_s = 0.001
    while True:
        fd = _open_lock(run)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise OutputError(
                        f"another process has held the run's lock for {wait_s:g} s",
                        path=run.shown(_LOCK),
                        remedy="Wait for it to end, or end it; the lock goes with the process",
                    ) from None
                time.sleep(pause_s)
                pause_s = min(0.05, pause_s * 1.5)
                continue
            if _is_still(run, fd):
                yield
                return
        finally:
            os.close(fd)


def _open_lock(run: Folder) -> int:
    try:
        return os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=run.fd)
    except OSError as error:
        why = "it is a symbolic link" if run.kind(_LOCK) == "link" else error.strerror or str(error)
        raise OutputError(
            f"cannot lock the run: {why}",
            path=run.shown(_LOCK),
            remedy="Nothing was changed; choose a run that can be written",
        ) from error


def _is_still(run: Folder, fd: int) -> bool:
    """Whether the locked file still bears the lock's name; somebody may have removed it meanwhile."""
    try:
        named = os.lstat(_LOCK, dir_fd=run.fd)
    except FileNotFoundError:
        return False
    return os.path.samestat(named, os.fstat(fd))
