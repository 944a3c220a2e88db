"""What each JSON Schema keyword of our files asks for, as a function that reports to a sink.

A keyword that is not here is not enforced and therefore refused when a schema is compiled. Reads nothing.
No network. No clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from novelty_kit.output import shorten
from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.moment import is_date_time

__all__ = ["KEYWORDS", "Check", "Sink"]

# Path of the value, what was found, what is expected, path whose line is shown.
Sink = Callable[[Path, str, str, Path], None]
Check = Callable[[Any, Path, Sink], None]


def _is_integer(value: Any) -> bool:
    return not isinstance(value, bool) and (
        isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    )


_TYPES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "object": ("an object", lambda value: isinstance(value, dict)),
    "array": ("an array", lambda value: isinstance(value, list)),
    "string": ("a string", lambda value: isinstance(value, str)),
    "integer": ("an integer", _is_integer),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "null": ("null", lambda value: value is None),
}


def _type(argument: Any, schema: Mapping[str, Any]) -> Check:
    kinds = [_TYPES[name] for name in ([argument] if isinstance(argument, str) else argument)]
    expected = " or ".join(words for words, _ in kinds)
    first, *others = [test for _, test in kinds]

    def check(value: Any, path: Path, sink: Sink) -> None:
        if not first(value) and not any(test(value) for test in others):
            hint = (
                "; write it in quotes" if "a string" in expected and isinstance(value, (int, float)) else ""
            )
            sink(path, f"found {shown(value)}", expected + hint, path)

    return check


def _required(argument: Any, schema: Mapping[str, Any]) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, dict):
            for key in argument:
                if key not in value:
                    sink(path, f"key {shown(key)} is missing", "the key", path)

    return check


def _additional(argument: Any, schema: Mapping[str, Any]) -> Check:
    if argument is not False:
        raise ValueError("additionalProperties is false or absent")
    known = frozenset(schema["properties"])
    expected = shorten("only " + ", ".join(schema["properties"]), 400)

    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, dict) and not known.issuperset(value):
            for key in value:
                if key not in known:
                    sink(path, f"key {shown(key)} is not known here", expected, (*path, key))

    return check


def _one_of(argument: Any, schema: Mapping[str, Any]) -> Check:
    # Members are texts and null only: comparing them with anything is safe, membership in a set is not.
    allowed = tuple(argument)
    expected = "one of " + ", ".join("null" if member is None else member for member in allowed)

    def check(value: Any, path: Path, sink: Sink) -> None:
        if not (value is None or isinstance(value, str)) or value not in allowed:
            sink(path, f"found {shown(value)}", expected, path)

    return check


def _constant(argument: Any, schema: Mapping[str, Any]) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if not isinstance(value, str) or value != argument:
            sink(path, f"found {shown(value)}", f"the string {shown(argument)}", path)

    return check


def _pattern(argument: Any, schema: Mapping[str, Any]) -> Check:
    if not (argument.startswith("^") and argument.endswith("$")):
        raise ValueError(f"pattern {argument!r} is not anchored at both ends")
    # $ would let one final newline through.
    matches = re.compile(argument[1:-1], re.ASCII).fullmatch

    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, str) and matches(value) is None:
            sink(path, f"found {shown(value)}", f"a text of the form {argument}", path)

    return check


def _length(
    words: str, kind: type[str] | type[list[Any]], ok: Callable[[int, int], bool]
) -> Callable[[Any, Mapping[str, Any]], Check]:
    def build(argument: Any, schema: Mapping[str, Any]) -> Check:
        def check(value: Any, path: Path, sink: Sink) -> None:
            if isinstance(value, kind) and not ok(len(value), argument):
                sink(path, f"found {len(value)}: {shown(value)}", words.format(argument), path)

        return check

    return build


def _minimum(argument: Any, schema: Mapping[str, Any]) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value < argument:
            sink(path, f"found {shown(value)}", f"at least {argument}", path)

    return check


def _unique(argument: Any, schema: Mapping[str, Any]) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, list):
            keys = {json.dumps(member, sort_keys=True) for member in value}
            if len(keys) < len(value):
                sink(path, f"found {len(value) - len(keys)} repeats", "no value twice", path)

    return check


def _format(argument: Any, schema: Mapping[str, Any]) -> Check:
    if argument != "date-time":
        raise ValueError(f"format {argument!r} is not enforced")

    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, str) and not is_date_time(value):
            sink(path, f"found {shown(value)}", "an RFC 3339 date-time such as 2026-06-08T09:30:00Z", path)

    return check


KEYWORDS: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], Check]]] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _additional,
    "enum": _one_of,
    "const": _constant,
    "pattern": _pattern,
    "minLength": _length("at least {} character", str, lambda n, bound: n >= bound),
    "maxLength": _length("at most {} characters", str, lambda n, bound: n <= bound),
    "minItems": _length("at least {} items", list, lambda n, bound: n >= bound),
    "minimum": _minimum,
    "uniqueItems": _unique,
    "format": _format,
}
