"""RFC 3339 date-times, strictly: the one place that says what a moment looks like. No clock."""

from __future__ import annotations

import calendar
import re

__all__ = ["is_date_time"]

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
    return year > 0 and 1 <= day <= calendar.monthrange(year, month)[1]
