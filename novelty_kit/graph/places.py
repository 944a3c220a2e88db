"""Where in a line a fault stands, as byte columns from 1.

Works on the bytes themselves, so that it can speak of lines that no parser takes.
Reads bytes, writes nothing.
"""

from __future__ import annotations

import json
import re
from functools import cached_property

__all__ = ["Places", "deep_place", "odd_place"]

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(rb"(" + _STRING + rb")(\s*+:)?|[{}\[\]]", re.DOTALL)


class Places:
    """The keys of a line by where they stand.

    Parameters
    ----------
    raw : bytes
        One line.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    @cached_property
    def _keys(self) -> list[tuple[int, tuple[str, ...], int]]:
        """Every key as (number of its object, names down to it, column), in order."""
        found: list[tuple[int, tuple[str, ...], int]] = []
        path: list[str] = []
        objects: list[int] = []
        n_objects = 0
        for token in _TOKEN.finditer(self._raw):
            mark = token.group()
            if mark in b"{[":
                n_objects += 1
                objects.append(n_objects)
                path.append("")
            elif mark in b"}]":
                del objects[-1:], path[-1:]
            elif token[2] is not None and path:
                path[-1] = _text_of(token[1])
                found.append((objects[-1], tuple(path), token.start() + 1))
        return found

    def of(self, *path: str) -> int:
        """The column of a key of the event, or of its row; of what holds it, where it is absent."""
        while path:
            for _, names, column in self._keys:
                if names == path:
                    return column
            path = path[:-1]
        return 1

    def twin(self) -> int:
        """The column of the first key that its object holds already."""
        seen: set[tuple[int, str]] = set()
        for number, names, column in self._keys:
            if (number, names[-1]) in seen:
                return column
            seen.add((number, names[-1]))
        return 1


def _text_of(quoted: bytes) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted.decode("utf-8", "replace")


def deep_place(raw: bytes, limit: int) -> int | None:
    """The column at which nesting passes `limit`, or None."""
    if raw.count(b"{") + raw.count(b"[") <= limit:
        return None
    depth = 0
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark in b"{[":
            depth += 1
            if depth > limit:
                return token.start() + 1
        elif mark in b"}]":
            depth -= 1
    return None


def odd_place(raw: bytes, digits: int) -> int:
    """The column of the first thing that JSON has no value for: NaN, endless numbers, half a pair, NUL."""
    for token in re.finditer(_STRING + rb"|-?Infinity|NaN|-?[0-9]{%d,}" % (digits + 1), raw, re.DOTALL):
        if not token.group().startswith(b'"'):
            return token.start() + 1
        inside = _odd_escape(token.group())
        if inside is not None:
            return token.start() + inside + 1
    return 1


def _odd_escape(quoted: bytes) -> int | None:
    """Offset of the first escape in a string that stands for half a surrogate pair or for NUL."""
    waiting: int | None = None
    for escape in re.finditer(rb"\\(?:u([0-9a-fA-F]{4})|.)", quoted, re.DOTALL):
        code = int(escape[1], 16) if escape[1] else 0x20
        if waiting is not None and not (0xDC00 <= code <= 0xDFFF and escape.start() == waiting + 6):
            return waiting
        if code == 0 or (0xDC00 <= code <= 0xDFFF and waiting is None):
            return escape.start()
        waiting = escape.start() if 0xD800 <= code <= 0xDBFF else None
    return waiting
