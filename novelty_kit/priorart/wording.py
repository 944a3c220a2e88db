"""The sentences of a record that are ours, and the one word they never hold.

Every such sentence is made by :func:`say`: our words are checked for the forbidden term in any letter case,
and where a piece of data would bring the term into our sentence the piece is withheld. A quotation, a title,
an id or a file name on its own is data and passes. A guard is an exception. No network. No clock.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from novelty_kit.errors import OutputError
from novelty_kit.output import shorten

__all__ = ["FORBIDDEN", "check_keys", "has_forbidden", "listed", "say"]

FORBIDDEN = "novel_confirmed"
_WITHHELD = "(withheld: it holds a word that no record may say)"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WIDTH = 200
_MAX_LISTED = 20


def has_forbidden(text: str) -> bool:
    """Whether the text holds the forbidden term, whatever its letter case, width or hidden characters."""
    if text.isascii():
        return FORBIDDEN in text.lower()
    return FORBIDDEN in _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()


def say(sentence: str, **data: object) -> str:
    """A sentence of ours with pieces of data in it, each shortened, and withheld if it must not be said.

    Raises
    ------
    OutputError
        Our own words hold the forbidden term.
    """
    if has_forbidden(sentence):
        raise OutputError("a record's own words may not hold the forbidden term")
    pieces = {}
    for name, value in data.items():
        text = shorten(str(value), _WIDTH)
        pieces[name] = _WITHHELD if has_forbidden(text) else text
    spoken = sentence.format(**pieces)
    # Two harmless pieces side by side may spell it.
    return _WITHHELD if has_forbidden(spoken) else spoken


def check_keys(value: Any) -> None:
    """Check the names of all fields of an output.

    Raises
    ------
    OutputError
        One holds the forbidden term.
    """
    names: set[str] = set()
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            names.update(map(str, part))
            pending.extend(part.values())
        elif isinstance(part, (list, tuple)):
            pending.extend(part)
    if any(map(has_forbidden, names)):
        raise OutputError("a field's name may not hold the forbidden term")


def listed(names: Sequence[str]) -> str:
    """Names in one line, the first twenty and how many more."""
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return ", ".join(names[:_MAX_LISTED]) + more
