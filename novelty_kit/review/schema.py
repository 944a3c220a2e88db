"""The run's record schemas, and a validator for the part of JSON Schema that they use.

Reads ``schemas/*.json`` (draft 2020-12). A keyword that the validator does not know is an error of the
schema, so a misspelt rule cannot pass in silence. Patterns are anchored at the very end of the text,
``true`` is no integer and ``4.0`` is one. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Any, Final, Literal

from novelty_kit.errors import InputError, Problem
from novelty_kit.output import shorten

__all__ = ["RecordKind", "is_integer", "load_schema", "record_kind", "schema_problems"]

RecordKind = Literal["review", "hypothesis", "match", "ratings", "citation_manifest"]

_ANNOTATIONS: Final = frozenset({"$schema", "title", "$defs"})


@cache
def load_schema(kind: RecordKind) -> Mapping[str, Any]:
    """Read one of the schemas and refuse a keyword that is not known here."""
    text = files("novelty_kit.review").joinpath("schemas", f"{kind}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    _check_keywords(schema, kind)
    return schema


def record_kind(path: str) -> RecordKind:
    """Tell from a file's name which schema it follows, in the order that the run layout fixes.

    Raises
    ------
    InputError
        The name is of no record of a run.
    """
    name = PurePath(path).name
    if PurePath(path).parent.name == "citations" or name == "citations.json":
        return "citation_manifest"
    if ".R-" in name:
        return "review"
    for prefix, kind in _BY_PREFIX:
        if name.startswith(prefix):
            return kind
    raise InputError(
        f"no record of a run is named {name!r}",
        remedy="Records are H-0001.json, H-0001.R-01.json, M-0001.json, epoch-1.json or lie in citations/",
    )


_BY_PREFIX: Final[tuple[tuple[str, RecordKind], ...]] = (
    ("H-", "hypothesis"),
    ("M-", "match"),
    ("epoch-", "ratings"),
)


def schema_problems(record: object, kind: RecordKind) -> tuple[Problem, ...]:
    """All places where a record breaks its schema, in document order, each with its JSON pointer."""
    root = load_schema(kind)
    return tuple(_problems(record, root, root, ""))


def is_integer(value: object) -> bool:
    """An integer as JSON Schema means it: ``4`` and ``4.0``, and neither ``true`` nor ``"4"``."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


_IS_TYPE: Final[dict[str, Callable[[object], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def _check_keywords(schema: Mapping[str, Any], where: str) -> None:
    for keyword in schema:
        if keyword not in _RULES and keyword not in _ANNOTATIONS:
            raise ValueError(f"schema {where} has the unknown keyword {keyword!r}")
    for group in ("properties", "$defs"):
        for name, inner in schema.get(group, {}).items():
            _check_keywords(inner, f"{where}/{group}/{name}")
    for keyword in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(keyword), dict):
            _check_keywords(schema[keyword], f"{where}/{keyword}")


def _problems(
    value: object, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    for keyword, wanted in schema.items():
        rule = _RULES.get(keyword)
        if rule is not None:
            yield from rule(value, wanted, schema, root, pointer)


def _at(pointer: str, part: object) -> str:
    return f"{pointer}/{str(part).replace('~', '~0').replace('/', '~1')}"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return shorten(json.dumps(value, ensure_ascii=False), 60)


def _wrong(pointer: str, what: str) -> Problem:
    return Problem(what, pointer=pointer or "/")


def _type(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    names = [wanted] if isinstance(wanted, str) else wanted
    if not any(_IS_TYPE[name](value) for name in names):
        yield _wrong(pointer, f"expected {' or '.join(names)}, found {_shown(value)}")


def _ref(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    yield from _problems(value, root["$defs"][wanted.removeprefix("#/$defs/")], root, pointer)


def _required(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name in wanted:
            if name not in value:
                yield _wrong(pointer, f"required property {name!r} is missing")


def _properties(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name, inner in wanted.items():
            if name in value:
                yield from _problems(value[name], inner, root, _at(pointer, name))


def _additional(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name in value:
            if name in schema.get("properties", {}):
                continue
            if wanted is False:
                yield _wrong(_at(pointer, name), f"property {shorten(name, 60)!r} is not known here")
            elif isinstance(wanted, dict):
                yield from _problems(value[name], wanted, root, _at(pointer, name))


def _names(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name in value:
            yield from _problems(name, wanted, root, _at(pointer, name))


def _items(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from _problems(item, wanted, root, _at(pointer, place))


def _enum(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    # True equals 1 in Python and not in JSON.
    if not any(type(value) is type(one) and value == one for one in wanted):
        listed = ", ".join("null" if one is None else str(one) for one in wanted)
        yield _wrong(pointer, f"expected one of {listed}, found {_shown(value)}")


def _pattern(
    value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
) -> Iterator[Problem]:
    # `$` also matches before a final line feed, so it is taken off and the whole text must match.
    if isinstance(value, str) and not re.fullmatch(wanted.removeprefix("^").removesuffix("$"), value):
        yield _wrong(pointer, f"{_shown(value)} does not match {wanted}")


def _bound(holds: Callable[[Any, Any], bool], says: str) -> Callable[..., Iterator[Problem]]:
    def check(
        value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
    ) -> Iterator[Problem]:
        if _is_number(value) and not holds(value, wanted):
            yield _wrong(pointer, f"{_shown(value)} is {says} {wanted}")

    return check


def _size(of: type, holds: Callable[[int, int], bool], says: str) -> Callable[..., Iterator[Problem]]:
    def check(
        value: object, wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any], pointer: str
    ) -> Iterator[Problem]:
        if isinstance(value, str | list) and isinstance(value, of) and not holds(len(value), wanted):
            yield _wrong(
                pointer, f"has {len(value)} {'characters' if of is str else 'items'}, {says} {wanted}"
            )

    return check


_RULES: Final[dict[str, Callable[..., Iterator[Problem]]]] = {
    "type": _type,
    "$ref": _ref,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "items": _items,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _bound(lambda value, wanted: value >= wanted, "below"),
    "maximum": _bound(lambda value, wanted: value <= wanted, "above"),
    "minItems": _size(list, lambda n, wanted: n >= wanted, "at least"),
    "minLength": _size(str, lambda n, wanted: n >= wanted, "at least"),
    "maxLength": _size(str, lambda n, wanted: n <= wanted, "at most"),
}
