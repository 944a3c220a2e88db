"""Candidates as JSON text: an object, an array, or one object a line; every record with its place.

Stricter than the reader of the standard library: a key that stands twice and NaN are no JSON.
One bad record does not hide the others. Reads text; no file is opened here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from novelty_kit.errors import CandidateError, Problem
from novelty_kit.output import shorten

__all__ = ["Found", "Given", "json_records", "parse_json"]

_LINES = (".jsonl", ".ndjson")
_BLANK = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class Given:
    """A candidate record as it was found: its line, or the pointer to it in an array."""

    record: Any
    line: int | None = None
    pointer: str = ""


# A record, or the reason why there is none.
Found = Given | Problem


class _Twice(ValueError):
    """Text that parses, and yet is no JSON that can be believed."""


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, n in counts.items() if n > 1)
        raise _Twice(f"the key '{shorten(twice, 60)}' stands twice in one object")
    return record


def _no_constant(name: str) -> NoReturn:
    raise _Twice(f"{name} is not JSON")


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise _Twice(f"a number of {len(digits)} digits is none that a candidate needs") from None


_STRICT = json.JSONDecoder(object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_int=_whole)


def parse_json(text: str, path: str, line: int | None) -> Any:
    """One JSON value; its fault is a CandidateError at its line and column."""
    try:
        return _STRICT.decode(text)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise CandidateError(f"no JSON: {error.msg}", path=path, line=at, column=error.colno) from None
    except RecursionError:
        raise CandidateError("nested too deep to be a candidate", path=path, line=line) from None
    except _Twice as error:
        raise CandidateError(str(error), path=path, line=line) from None


def json_records(text: str, path: str) -> Iterator[Found]:
    """An object, an array of them, or one object a line."""
    head = text.lstrip(" \t\r\n")[:1]
    if head == "[":
        yield from _array_records(text, path)
        return
    lines = text.split("\n")
    if head == "{" and not _is_object(lines[0]):
        try:
            yield Given(parse_json(text, path, None), text[: text.index("{")].count("\n") + 1)
            return
        except CandidateError:
            # Not one document either. Lines with a bad one among them, if anything says that it is lines.
            if Path(path).suffix.lower() not in _LINES and not any(
                _is_object(line) for line in lines[1:] if line
            ):
                raise
    if not head:
        return
    for number, line in enumerate(lines, 1):
        if line.strip(" \t\r"):
            yield _line_record(line, path, number)
        elif number < len(lines):
            yield Problem("a blank line", path, number, None, None, "Give one candidate a line")


def _line_record(line: str, path: str, number: int) -> Found:
    try:
        return Given(parse_json(line, path, number), number)
    except CandidateError as error:
        return error.problem


def _array_records(text: str, path: str) -> Iterator[Found]:
    """The elements of an array, each with its line; one that cannot be believed does not hide the others."""

    def blanks(start: int) -> int:
        found = _BLANK.match(text, start)
        return found.end() if found else start

    def broken(what: str, at: int) -> CandidateError:
        column = at - text.rfind("\n", 0, at)
        return CandidateError(f"no JSON: {what}", path=path, line=text.count("\n", 0, at) + 1, column=column)

    place = blanks(blanks(0) + 1)
    line, counted, number = 1, 0, 0
    if text[place : place + 1] == "]":
        place += 1
    else:
        while True:
            line, counted = line + text.count("\n", counted, place), place
            found, place = _element(text, place, path, line, number)
            yield found
            place, number = blanks(place), number + 1
            mark = text[place : place + 1]
            if mark not in (",", "]"):
                raise broken("Expecting ',' or ']'", place)
            place = blanks(place + 1)
            if mark == "]":
                break
    if place < len(text) and (place := blanks(place)) < len(text):
        raise broken("Extra data", place)


def _element(text: str, place: int, path: str, line: int, number: int) -> tuple[Found, int]:
    pointer = f"/{number}"
    try:
        record, end = _STRICT.raw_decode(text, place)
    except json.JSONDecodeError as error:
        what = f"no JSON: {error.msg}"
        raise CandidateError(
            what, path=path, line=error.lineno, column=error.colno, pointer=pointer
        ) from None
    except RecursionError:
        raise CandidateError(
            "nested too deep to be a candidate", path=path, line=line, pointer=pointer
        ) from None
    except _Twice as error:
        # Its end is found by a reader that takes anything.
        lenient = json.JSONDecoder(parse_int=str, parse_float=str)
        return Problem(str(error), path, line, None, pointer), lenient.raw_decode(text, place)[1]
    return Given(record, line, pointer), end


def _is_object(line: str) -> bool:
    """Whether a line is a JSON object of its own, so that the file is JSON Lines."""
    try:
        return isinstance(json.loads(line, parse_int=str), dict)
    except (ValueError, RecursionError):
        return False
