"""How far a long command is, on standard error, and only where a person watches it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

__all__ = ["Progress"]


class Progress:
    """A line that is written over: how many of how many, and about how long it still takes.

    Parameters
    ----------
    what : str
        What is counted.
    stream, clock
        Standard error and a monotonic clock, but for tests.
    """

    def __init__(
        self, what: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._stream = stream if stream is not None else sys.stderr
        self._clock = clock
        self._shown = 0
        self._began: float | None = None

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, of: int) -> None:
        """Say that so many are done."""
        if not of or not self._stream.isatty():
            return
        now = self._clock()
        if self._began is None:
            self._began = now
        left = (now - self._began) / done * (of - done) if done else 0.0
        text = f"{done} of {of} {self._what}" + (f", about {in_words(left)} left" if 0 < done < of else "")
        self._stream.write("\r" + text.ljust(self._shown))
        self._stream.flush()
        self._shown = len(text)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What comes next stands on a line of its own, an error too."""
        if self._shown:
            self._stream.write("\n")
            self._stream.flush()


def in_words(seconds: float) -> str:
    """A duration as a person says it; never more exact than it is.

    >>> in_words(7.4), in_words(89), in_words(400), in_words(9000)
    ('7 s', '89 s', '7 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5_400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3_600:.1f} h"
