"""The output folder while a batch writes into it: one batch at a time, and nothing half-written stays.

Writes no file of its own. No network. No clock.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from novelty_kit.errors import OutputError

__all__ = ["own_folder"]


@contextlib.contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Make the folder, keep other batches out of it, and sweep away what killed writers left, before and after.

    Raises
    ------
    OutputError
        It cannot be made or written to, or another batch is at work in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = None if sys.platform == "win32" else os.open(folder, os.O_RDONLY)
    except OSError as error:
        what = f"cannot write: {error.strerror or error}"
        raise OutputError(what, path=str(folder), remedy="Choose another folder with --out") from None
    try:
        if held is not None:
            _lock(held, folder)
        _sweep(folder)
        try:
            yield
        finally:
            _sweep(folder)
    finally:
        if held is not None:
            os.close(held)


def _lock(held: int, folder: Path) -> None:
    """A lock on the folder itself, which ends with this process however that ends."""
    import fcntl

    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OutputError(
            "another run is writing its reports into this folder", path=str(folder),
            remedy="Wait for it, or choose another folder with --out",
        ) from None  # fmt: skip
    except OSError:
        return  # a file system without locks: as on Windows, nobody is kept out


def _sweep(folder: Path) -> None:
    """Away with temporary files whose writer was killed before it could rename them."""
    for path in folder.glob(".*.part"):
        with contextlib.suppress(OSError):
            path.unlink()
