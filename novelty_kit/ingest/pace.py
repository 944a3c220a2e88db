"""Taking turns: one question at a time, no oftener than a service allows.

Where a service counts all of a user's programs together, they take turns through a small file in the user's
cache folder that is locked while a question is open. No network.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

__all__ = ["Pace", "pace_file"]


def pace_file(source: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the programs of this user keep the time of their last question to a service."""
    cache = environ.get("NOVELTY_CACHE") or environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(cache) if environ.get("NOVELTY_CACHE") else Path(cache) / "novelty_kit"
    return folder / f"{source}.pace"


class Pace:
    """The rhythm of one service.

    Parameters
    ----------
    interval_s : float
        Seconds between the starts of two questions, at least; may be raised later.
    shared : Path, optional
        The file through which all programs take turns.
    sleep, clock : callable, optional
        Waiting, and a monotonic clock that all programs of the machine share.
    """

    def __init__(
        self,
        interval_s: float,
        *,
        shared: Path | None = None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.interval_s = interval_s
        self._shared = shared
        self._sleep, self._clock = sleep, clock
        self._last: float | None = None

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for our turn and hold it while the question is open."""
        handle = self._opened()
        if handle is None:
            self._last = self._wait(self._last)
            yield
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            started = self._wait(_number(os.read(handle, 64)))
            os.pwrite(handle, f"{started:.6f}\n".encode(), 0)
            yield
        finally:
            os.close(handle)

    def _opened(self) -> int | None:
        """The shared file; None where there is none, or where it cannot be made: then we only pace ourselves."""
        if self._shared is None:
            return None
        try:
            self._shared.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self._shared, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return None

    def _wait(self, last: float | None) -> float:
        now = self._clock()
        # A time ahead of the clock is from before a restart of the machine.
        if last is not None and last <= now < last + self.interval_s:
            self._sleep(last + self.interval_s - now)
        return self._clock()


def _number(text: bytes) -> float | None:
    try:
        return float(text.split(b"\n")[0])
    except ValueError:
        return None
