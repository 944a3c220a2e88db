"""Strict JSON: duplicate keys, NaN, Infinity, endless numbers and endless nesting are refused, with the line.

Parsing runs at the speed of the standard library's scanner; positions are looked up only when they are
asked for. Reads a text, opens nothing. No network. No clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.passport.finding import Path, shown

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "check_depth", "json_lines", "parse_json", "place_of"]

# Deeper nesting than this serves no passport and would exhaust whatever walks the document.
MAX_DEPTH: Final = 100

# A longer number is no measurement.
MAX_DIGITS: Final = 400

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[-+]?(?:\d[\d.eE+-]*|NaN|Infinity)|[{}\[\]]', re.ASCII | re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r]*")


class _Refused(ValueError):
    """A value that JSON has no room for; carries the token's text."""

    def __init__(self, token: str, why: str, remedy: str) -> None:
        super().__init__(why)
        self.token, self.why, self.remedy = token, why, remedy


class _Repeated(ValueError):
    """An object that has a key twice."""


def place_of(text: str, offset: int) -> tuple[int, int]:
    """1-based line, and column in bytes, of an offset."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, len(text[start:offset].encode("utf-8", "surrogatepass")) + 1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _Repeated
    return members


def _constant(token: str) -> Any:
    raise _Refused(token, f"{token} is not JSON", "Write null, or leave the value out")


def _number(token: str) -> float:
    value = float(token)
    if len(token) > MAX_DIGITS or value in (float("inf"), float("-inf")):
        raise _Refused(
            token, f"the number {shown(token[:60])} is past what a number can hold", "Write it as text"
        )
    return value


def parse_json(text: str, path: str) -> Any:
    """The value that a JSON text holds.

    Raises
    ------
    DocumentError
        With line and column: no JSON, a key given twice, NaN or Infinity, a number or a nesting without
        measure.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_number)
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        line, column = place_of(text, error.pos)
        empty = not text.strip(" \t\n\r")
        raise DocumentError(
            "the file is empty" if empty else f"not JSON: {error.msg}",
            path=path,
            line=None if empty else line,
            column=None if empty else column,
            remedy="A .json passport holds one JSON object; name the file .yaml if it is YAML",
        ) from None
    except _Refused as error:
        raise _refusal(text, path, error) from None
    except _Repeated:
        raise _repetition(text, path) from None
    except ValueError:
        raise _too_long(text, path) from None
    except RecursionError:
        raise _too_deep(text, path) from None
    if check_depth(value):
        raise _too_deep(text, path)
    return value


def check_depth(value: Any) -> bool:
    """Whether a value nests deeper than :data:`MAX_DEPTH`."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for member in level:
            if isinstance(member, dict):
                below.extend(inner for inner in member.values() if isinstance(inner, (dict, list)))
            elif isinstance(member, list):
                below.extend(inner for inner in member if isinstance(inner, (dict, list)))
        if not below:
            return False
        level = below
    return True


def _refusal(text: str, path: str, error: _Refused) -> DocumentError:
    offset = next((match.start() for match in _TOKEN.finditer(text) if match[0] == error.token), 0)
    line, column = place_of(text, offset)
    return DocumentError(error.why, path=path, line=line, column=column, remedy=error.remedy)


def _too_long(text: str, path: str) -> DocumentError:
    """The one other thing that the scanner refuses: an integer past Python's limit of digits."""
    long = (match for match in _TOKEN.finditer(text) if match[0][0] != '"' and len(match[0]) > MAX_DIGITS)
    match = next(long, None)
    line, column = place_of(text, match.start() if match else 0)
    return DocumentError(
        "a number has more digits than can be read",
        path=path,
        line=line,
        column=column,
        remedy="Write it as text",
    )


def _too_deep(text: str, path: str) -> DocumentError:
    depth, offset = 0, 0
    for match in _TOKEN.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        if depth > MAX_DEPTH:
            offset = match.start()
            break
    line, column = place_of(text, offset)
    return DocumentError(
        f"nested deeper than {MAX_DEPTH} levels",
        path=path,
        line=line,
        column=column,
        remedy="A passport needs fewer than ten",
    )


def _repetition(text: str, path: str) -> DocumentError:
    """Find the first key given twice: a walk over the tokens with one set of keys per open object."""
    open_keys: list[set[str] | None] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            open_keys.append(set() if token == "{" else None)
        elif token in "}]":
            open_keys.pop()
        elif token[0] == '"' and open_keys and (keys := open_keys[-1]) is not None:
            after = _SPACE.match(text, match.end())
            if after is None or not text.startswith(":", after.end()):
                continue
            key = json.loads(token)
            if key in keys:
                line, column = place_of(text, match.start())
                return DocumentError(
                    f"key {shown(key)} is given twice",
                    path=path,
                    line=line,
                    column=column,
                    remedy="Keep one of the two",
                )
            keys.add(key)
    return DocumentError("a key is given twice", path=path, remedy="Keep one of the two")


def json_lines(text: str, paths: Iterable[Path]) -> dict[Path, int]:
    """The line of each path: of its key for an object member, of the value for an array member.

    A path that is not in the document is left out. `text` is JSON that :func:`parse_json` accepts; values
    that no path leads into are skipped at the scanner's speed.
    """
    wanted: dict[Any, Any] = {}
    for path in paths:
        branch = wanted
        for part in path:
            branch = branch.setdefault(part, {})
    offsets: dict[Path, int] = {(): _space(text, 0)}
    _walk(text, offsets[()], wanted, (), offsets, json.JSONDecoder().raw_decode)
    lines: dict[Path, int] = {}
    line, last = 1, 0
    for path, offset in sorted(offsets.items(), key=lambda item: item[1]):
        line += text.count("\n", last, offset)
        last = offset
        lines[path] = line
    return lines


def _space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _walk(
    text: str,
    offset: int,
    wanted: dict[Any, Any],
    path: Path,
    offsets: dict[Path, int],
    skip: Callable[[str, int], tuple[Any, int]],
) -> int:
    """Note the offsets of the wanted members of the value at `offset`; return where the value ends."""
    opening = text[offset]
    if not wanted or opening not in "{[":
        return skip(text, offset)[1]
    closing = "}" if opening == "{" else "]"
    place = 0
    offset = _space(text, offset + 1)
    while text[offset] != closing:
        start, part = offset, place
        if opening == "{":
            part, offset = skip(text, offset)
            offset = _space(text, _space(text, offset) + 1)
        inner = (*path, part)
        if part in wanted:
            offsets[inner] = start
            offset = _walk(text, offset, wanted[part], inner, offsets, skip)
        else:
            offset = skip(text, offset)[1]
        offset = _space(text, offset)
        if text[offset] == ",":
            offset = _space(text, offset + 1)
        place += 1
    return offset + 1
