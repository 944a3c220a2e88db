"""The shapes of a passport's arrays: our JSON Schema files, compiled once to plain functions.

Reads the files under ``schemas/``. Every keyword that the files use is enforced, formats included, and
patterns end at the real end of the text; a keyword that this module does not know is an error when the
file is compiled, so a misspelt one cannot pass everything. No network. No clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from novelty_kit.errors import InputError
from novelty_kit.output import shorten
from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.moment import is_date_time

__all__ = ["SCHEMA_OF_ARRAY", "Violation", "load_schema", "schema_names", "violations"]

# Each array of a passport with the schema of its entries, in the order in which a check reads them.
SCHEMA_OF_ARRAY: Final[Mapping[str, str]] = {
    "claim_intent_manifests": "claim_intent_manifest",
    "claim_audit_results": "claim_audit_result",
    "uncited_assertions": "uncited_assertion",
    "claim_drifts": "claim_drift",
    "constraint_violations": "constraint_violation",
    "audit_sampling_summaries": "audit_sampling_summary",
    "uncited_audit_failures": "uncited_audit_failure",
    "experiment_provenance": "experiment_provenance",
    "experiment_alignment_results": "experiment_alignment_result",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a value has not the shape that its schema gives.

    ``path`` names the offending value, or the object that lacks or exceeds its keys; ``at`` is the path
    whose line is worth showing.
    """

    path: Path
    message: str
    expected: str
    at: Path


_Sink = Callable[[Path, str, str, Path], None]
_Check = Callable[[Any, Path, _Sink], None]


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


def schema_names() -> tuple[str, ...]:
    """Names of the schema files, the shared one included."""
    return (*sorted(set(SCHEMA_OF_ARRAY.values())), "common")


@cache
def _schema_text(name: str) -> str:
    if name not in schema_names():
        raise InputError(f"no passport schema is called {shown(name)}", remedy=f"One of {', '.join(schema_names())}")
    return resources.files("novelty_kit.passport").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")


def load_schema(name: str) -> dict[str, Any]:
    """One schema as written: JSON Schema, draft 2020-12."""
    schema: dict[str, Any] = json.loads(_schema_text(name))
    return schema


def violations(array: str, entry: Any, path: Path) -> list[Violation]:
    """Where an entry of a passport array departs from its shape, in document order."""
    sink: list[Violation] = []
    _compiled(SCHEMA_OF_ARRAY[array])(entry, path, lambda *parts: sink.append(Violation(*parts)))
    return sink


@cache
def _compiled(name: str) -> _Check:
    schema = load_schema(name)
    return compile_schema(schema, schema)


def _resolve(reference: str, root: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    file, _, fragment = reference.partition("#")
    target: Any = load_schema(file.removesuffix(".schema.json")) if file else root
    document = target
    for key in fragment.strip("/").split("/"):
        target = target[key]
    return target, document


def compile_schema(schema: Mapping[str, Any], root: Mapping[str, Any]) -> _Check:
    """Turn a schema into one function that reports to a sink.

    Raises
    ------
    ValueError
        The schema uses a keyword that is not enforced here, or a pattern without both anchors.
    """
    checks: list[_Check] = []
    for keyword, argument in schema.items():
        if keyword in ("$schema", "$id", "$defs", "title", "description"):
            continue
        if keyword == "$ref":
            checks.append(compile_schema(*_resolve(argument, root)))
        elif keyword == "properties":
            compiled = {key: compile_schema(value, root) for key, value in argument.items()}
            checks.append(_properties(compiled))
        elif keyword == "items":
            checks.append(_items(compile_schema(argument, root)))
        elif keyword in _KEYWORDS:
            checks.append(_KEYWORDS[keyword](argument, schema))
        else:
            raise ValueError(f"schema keyword {keyword!r} is not enforced")
    if len(checks) == 1:
        return checks[0]

    def every(value: Any, path: Path, sink: _Sink) -> None:
        for check in checks:
            check(value, path, sink)

    return every


def _properties(compiled: Mapping[str, _Check]) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, dict):
            for key, member in value.items():
                if (inner := compiled.get(key)) is not None:
                    inner(member, (*path, key), sink)

    return check


def _items(compiled: _Check) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, list):
            for place, member in enumerate(value):
                compiled(member, (*path, place), sink)

    return check


def _type(argument: Any, schema: Mapping[str, Any]) -> _Check:
    kinds = [_TYPES[name] for name in ([argument] if isinstance(argument, str) else argument)]
    expected = " or ".join(words for words, _ in kinds)
    tests = [test for _, test in kinds]

    def check(value: Any, path: Path, sink: _Sink) -> None:
        if not any(test(value) for test in tests):
            hint = "; write it in quotes" if "a string" in expected and isinstance(value, (int, float)) else ""
            sink(path, f"found {shown(value)}", expected + hint, path)

    return check


def _required(argument: Any, schema: Mapping[str, Any]) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, dict):
            for key in argument:
                if key not in value:
                    sink(path, f"key {shown(key)} is missing", "the key", path)

    return check


def _additional(argument: Any, schema: Mapping[str, Any]) -> _Check:
    if argument is not False:
        raise ValueError("additionalProperties is false or absent")
    known = frozenset(schema["properties"])
    expected = shorten("only " + ", ".join(schema["properties"]), 400)

    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, dict) and not known.issuperset(value):
            for key in value:
                if key not in known:
                    sink(path, f"key {shown(key)} is not known here", expected, (*path, key))

    return check


def _one_of(argument: Any, schema: Mapping[str, Any]) -> _Check:
    # Members are texts and null only: comparing them with anything is safe, membership in a set is not.
    allowed = tuple(argument)
    expected = "one of " + ", ".join("null" if member is None else member for member in allowed)

    def check(value: Any, path: Path, sink: _Sink) -> None:
        if not (value is None or isinstance(value, str)) or value not in allowed:
            sink(path, f"found {shown(value)}", expected, path)

    return check


def _constant(argument: Any, schema: Mapping[str, Any]) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if not isinstance(value, str) or value != argument:
            sink(path, f"found {shown(value)}", f"the string {shown(argument)}", path)

    return check


def _pattern(argument: Any, schema: Mapping[str, Any]) -> _Check:
    if not (argument.startswith("^") and argument.endswith("$")):
        raise ValueError(f"pattern {argument!r} is not anchored at both ends")
    # $ would let one final newline through.
    matches = re.compile(argument[1:-1], re.ASCII).fullmatch

    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, str) and matches(value) is None:
            sink(path, f"found {shown(value)}", f"a text of the form {argument}", path)

    return check


def _length(words: str, kind: type, ok: Callable[[int, int], bool]) -> Callable[[Any, Mapping[str, Any]], _Check]:
    def build(argument: Any, schema: Mapping[str, Any]) -> _Check:
        def check(value: Any, path: Path, sink: _Sink) -> None:
            if isinstance(value, kind) and not ok(len(value), argument):
                sink(path, f"found {len(value)}: {shown(value)}", words.format(argument), path)

        return check

    return build


def _minimum(argument: Any, schema: Mapping[str, Any]) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value < argument:
            sink(path, f"found {shown(value)}", f"at least {argument}", path)

    return check


def _unique(argument: Any, schema: Mapping[str, Any]) -> _Check:
    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, list):
            keys = {json.dumps(member, sort_keys=True) for member in value}
            if len(keys) < len(value):
                sink(path, f"found {len(value) - len(keys)} repeats", "no value twice", path)

    return check


def _format(argument: Any, schema: Mapping[str, Any]) -> _Check:
    if argument != "date-time":
        raise ValueError(f"format {argument!r} is not enforced")

    def check(value: Any, path: Path, sink: _Sink) -> None:
        if isinstance(value, str) and not is_date_time(value):
            sink(path, f"found {shown(value)}", "an RFC 3339 date-time such as 2026-06-08T09:30:00Z", path)

    return check


_KEYWORDS: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], _Check]]] = {
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
