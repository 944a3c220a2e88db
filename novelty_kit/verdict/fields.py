"""Reading the fields of one record, with every problem collected and none guessed away.

Nothing is read from disk here, and nothing is written.
"""

from __future__ import annotations

import re
import reprlib
from typing import Any

from novelty_kit.errors import KeyFormatError, Problem
from novelty_kit.graph.tables import nearly
from novelty_kit.keys import parse_key
from novelty_kit.output import shorten

__all__ = ["FieldReader", "shown"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class FieldReader:
    """Collects every problem of one record while it is read; `at` is the pointer to the record itself."""

    def __init__(self, path: str | None, line: int | None, at: str = "") -> None:
        self.path, self.line, self.at = path, line, at
        self.problems: list[Problem] = []

    def wrong(self, pointer: str, what: str, remedy: str | None = None) -> None:
        self.problems.append(Problem(what, self.path, self.line, None, self.at + pointer, remedy))

    def unknown(self, pointer: str, name: str, known: tuple[str, ...]) -> None:
        meant = nearly(name, known) or next((k for k in known if _bare(k) == _bare(name)), None)
        remedy = f"Did you mean '{meant}'?" if meant else f"Known are {', '.join(known)}"
        self.wrong(f"{pointer}/{_token(shorten(name, 60))}", "no such field", remedy)

    def key(self, pointer: str, value: Any, scheme: str | None = None) -> str | None:
        if not isinstance(value, str):
            self.wrong(pointer, f"an id must be a string, got {shown(value)}", "Quote it: numbers lose zeros")
            return None
        try:
            return parse_key(value, scheme).lom_id
        except KeyFormatError as error:
            self.wrong(pointer, str(error))
            return None

    def key_list(self, pointer: str, value: Any) -> tuple[str, ...] | None:
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            self.wrong(pointer, f"must be a list of ids, got {shown(value)}")
            return None
        found = (self.key(f"{pointer}/{number}", item) for number, item in enumerate(value))
        return tuple(sorted({item for item in found if item is not None}))

    def text(self, pointer: str, value: Any) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            self.wrong(pointer, f"must be a string, got {shown(value)}")
            return None
        if "\x00" in value:
            self.wrong(pointer, "holds a NUL character")
        elif not value.isascii() and _SURROGATE.search(value):
            self.wrong(pointer, "holds half a surrogate pair (\\ud800 to \\udfff), which is no character")
        return str(value)


def shown(value: Any) -> str:
    """A value for a message; only its beginning, however large or deep it is."""
    return shorten(reprlib.repr(value), 60)


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _token(name: str) -> str:
    """A name as a token of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
