"""A JSON document read strictly, then field by field, every fault with its pointer.

Reads a file, or standard input for ``-``. Refused: text that is not UTF-8, a duplicate key, NaN and Infinity,
nesting too deep to read. No network. No clock.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.output import shorten

__all__ = ["Fields", "kind_of", "load_json", "load_json_lines", "pointer_to", "raise_problems"]

_NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}


def load_json(path: str) -> Any:
    """Read one JSON document.

    Raises
    ------
    DocumentError
        It cannot be read, or is not strict JSON; with the line and column where that is known.
    """
    return _parse(read_bytes(path), path, 1)


def load_json_lines(path: str) -> list[tuple[int, Any]]:
    """Read one JSON document a line, each with the number of its line; an empty last line means nothing.

    Raises
    ------
    DocumentError
        As for :func:`load_json`.
    """
    lines = read_bytes(path).split(b"\n")
    if not lines[-1].strip():
        lines.pop()
    return [(number, _parse(line, path, number)) for number, line in enumerate(lines, start=1)]


def read_bytes(path: str) -> bytes:
    """All bytes of a file, or of standard input for ``-``.

    Raises
    ------
    DocumentError
        It cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"cannot read: {reason}", path=path, remedy="Name a file that exists") from error


def read_text(path: str) -> str:
    """A whole text file, or standard input for ``-``.

    Raises
    ------
    DocumentError
        It cannot be read, or is not UTF-8.
    """
    return _decode(read_bytes(path), path, 1)


def _decode(data: bytes, path: str, first_line: int) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        raise DocumentError("not UTF-8", path=path, line=line, remedy="Save it as UTF-8") from error


def _parse(data: bytes, path: str, first_line: int) -> Any:
    try:
        return json.loads(
            _decode(data, path, first_line), object_pairs_hook=_no_duplicates, parse_constant=_no_constant
        )
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"not JSON: {error.msg}",
            path=path,
            line=error.lineno + first_line - 1,
            column=error.colno,
            remedy="Write JSON",
        ) from error
    except RecursionError as error:
        raise DocumentError("nested too deeply to read", path=path, line=first_line) from error
    except ValueError as error:
        raise DocumentError(
            f"not strict JSON: {error}", path=path, line=first_line, remedy="Write each key once"
        ) from error


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shorten(repr(key), 60)} stands twice in one object")
        found[key] = value
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def pointer_to(*steps: str | int) -> str:
    """A JSON pointer from its steps."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def raise_problems(problems: Sequence[Problem], path: str, what: str, remedy: str) -> None:
    """Raise all problems as one error; nothing happens when there is none."""
    if not problems:
        return
    count = f"{len(problems)} faults" if len(problems) > 1 else "a fault"
    raise DocumentError(f"{count} in the {what}", path=path, problems=problems, remedy=remedy)


class Fields:
    """One JSON object whose fields are taken one by one; every fault goes to one list.

    Parameters
    ----------
    value : Any
        What stands where an object is expected.
    pointer : str
        Where it stands.
    problems : list of Problem
        Faults are added here.
    name : str, optional
        What to call it in a fault, for instance ``claim 'C1'``.
    line : int, optional
        Its line in a file of JSON lines.
    """

    def __init__(
        self,
        value: Any,
        pointer: str,
        problems: list[Problem],
        name: str = "",
        line: int | None = None,
    ) -> None:
        self.pointer = pointer
        self.line = line
        self.problems = problems
        self.name = name
        self.ok = isinstance(value, dict)
        self.value: Mapping[str, Any] = value if isinstance(value, dict) else {}
        if not self.ok:
            self.fault("", f"expected an object, got {kind_of(value)}")

    def fault(self, key: str, what: str, remedy: str | None = None) -> None:
        """Note a fault of one field, or of the object itself when `key` is empty."""
        where = self.pointer + (pointer_to(key) if key else "")
        said = f"{self.name}: {what}" if self.name else what
        place = f"line {self.line} {where or '/'}" if self.line else where or "/"
        self.problems.append(Problem(said, pointer=place, remedy=remedy))

    def take(self, key: str, kind: type, *, required: bool = False) -> Any:
        """The field if it is of this kind; None, and a fault, if it is not. Null counts as absent."""
        value = self.value.get(key)
        if value is None:
            if required and self.ok:
                self.fault(key, f"{key!r} is missing" if key not in self.value else f"{key!r} is null")
            return None
        # A JSON true is no number, though Python's bool is an int.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fault(key, f"{key!r} must be {_NAMES[kind]}, not {kind_of(value)}")
            return None
        return value

    def text(self, key: str, *, required: bool = False) -> str | None:
        """A text that is not blank."""
        value: str | None = self.take(key, str, required=required)
        if value is not None and not value.strip():
            if required:
                self.fault(key, f"{key!r} is empty")
            return None
        return value

    def count(self, key: str) -> int | None:
        """A whole number of at least 0."""
        value: int | None = self.take(key, int)
        if value is not None and value < 0:
            self.fault(key, f"{key!r} must not be negative")
            return None
        return value

    def items(self, key: str, *, required: bool = False) -> list[Any]:
        """A list; empty when absent."""
        value: list[Any] | None = self.take(key, list, required=required)
        return value or []

    def objects(self, key: str, *, required: bool = False) -> list[Fields]:
        """A list of objects, each with its own pointer; empty when absent."""
        return [
            Fields(item, self.pointer + pointer_to(key, number), self.problems, self.name, self.line)
            for number, item in enumerate(self.items(key, required=required))
        ]

    def child(self, key: str) -> Fields:
        """The object under a key that is there."""
        return Fields(self.value[key], self.pointer + pointer_to(key), self.problems, self.name, self.line)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty when absent."""
        found = []
        for number, item in enumerate(self.items(key)):
            if isinstance(item, str):
                found.append(item)
            else:
                self.fault(key, f"item {number} of {key!r} must be text, not {kind_of(item)}")
        return tuple(found)


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return _NAMES.get(type(value), type(value).__name__)
