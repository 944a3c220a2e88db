"""The dates and times that the log and candidates may hold. Reads and writes nothing; there is no clock here."""

from __future__ import annotations

import re
from datetime import date

__all__ = ["is_date", "is_time"]

_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


def is_time(text: str) -> bool:
    """Whether `text` is an RFC 3339 time with an offset, on a day that exists."""
    found = _TIME.fullmatch(text)
    if not found:
        return False
    try:
        date.fromisoformat(found[1])
    except ValueError:
        return False
    return True


def is_date(text: str) -> bool:
    """Whether `text` is a year, a month or a day that exists (``2019``, ``2019-05``, ``2019-05-04``)."""
    found = _DATE.fullmatch(text)
    if not found:
        return False
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return False
    return True
