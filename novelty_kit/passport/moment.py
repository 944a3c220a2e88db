"""RFC 3339 date-times, strictly: the one place that says what a moment looks like. No clock."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_date_time"]

_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_DATE_TIME = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


def is_date_time(text: str) -> bool:
    """Whether a text is a date-time: a real calendar day, an offset, no second 60."""
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return year > 0 and 1 <= day <= _DAYS[month - 1] + leap
