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

__all__ = ["Fields", "load_json", "pointer_to", "raise_problems"]

_NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}


def load_json(path: str) -> Any:
    """Read one JSON document.

    Raises
    ------
    DocumentError
        It cannot be read, or is not strict JSON; with the line and column where that is known.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"cannot read: {reason}", path=path, remedy="Name a file that exists") from error
    try:
        return json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant
        )
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DocumentError("not UTF-8", path=path, line=line, remedy="Save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"not JSON: {error.msg}", path=path, line=error.lineno, column=error.colno, remedy="Write JSON"
        ) from error
    except RecursionError as error:
        raise DocumentError("nested too deeply to read", path=path) from error
    except ValueError as error:
        raise DocumentError(f"not strict JSON: {error}", path=path, remedy="Write each key once") from error


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
    """

    def __init__(self, value: Any, pointer: str, problems: list[Problem], name: str = "") -> None:
        self.pointer = pointer
        self.problems = problems
        self.name = name
        self.ok = isinstance(value, dict)
        self.value: Mapping[str, Any] = value if isinstance(value, dict) else {}
        if not self.ok:
            self.fault("", f"expected an object, got {kind_of(value)}")

    def fault(self, key: str, what: str, remedy: str | None = None) -> None:
        """Note a fault of one field, or of the object itself when `key` is empty."""
        where = self.pointer + (pointer_to(key) if key else "")
        self.problems.append(
            Problem(f"{self.name}: {what}" if self.name else what, pointer=where or "/", remedy=remedy)
        )

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
