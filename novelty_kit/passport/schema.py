"""The shapes of a passport's arrays: our JSON Schema files, compiled once to plain functions.

Reads the files under ``schemas/``. Every keyword that the files use is enforced, formats included, and
patterns end at the real end of the text; a keyword that this module does not know is an error when the
file is compiled, so a misspelt one cannot pass everything. No network. No clock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from novelty_kit.errors import InputError
from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.schema_keywords import KEYWORDS, Check, Sink

__all__ = ["SCHEMA_OF_ARRAY", "Violation", "load_schema", "resolve_reference", "schema_names", "violations"]

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


def schema_names() -> tuple[str, ...]:
    """Names of the schema files, the shared one included."""
    return (*sorted(set(SCHEMA_OF_ARRAY.values())), "common")


@cache
def _schema_text(name: str) -> str:
    if name not in schema_names():
        raise InputError(
            f"no passport schema is called {shown(name)}", remedy=f"One of {', '.join(schema_names())}"
        )
    return (
        resources.files("novelty_kit.passport").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    )


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
def _compiled(name: str) -> Check:
    schema = load_schema(name)
    return compile_schema(schema, schema)


def resolve_reference(reference: str, root: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What a ``$ref`` names, and the document that holds it."""
    file, _, fragment = reference.partition("#")
    target: Any = load_schema(file.removesuffix(".schema.json")) if file else root
    document = target
    for key in fragment.strip("/").split("/"):
        target = target[key]
    return target, document


def compile_schema(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Check:
    """Turn a schema into one function that reports to a sink.

    Raises
    ------
    ValueError
        The schema uses a keyword that is not enforced here, or a pattern without both anchors.
    """
    checks: list[Check] = []
    for keyword, argument in schema.items():
        if keyword in ("$schema", "$id", "$defs", "title", "description"):
            continue
        if keyword == "$ref":
            checks.append(compile_schema(*resolve_reference(argument, root)))
        elif keyword == "properties":
            compiled = {key: compile_schema(value, root) for key, value in argument.items()}
            checks.append(_properties(compiled))
        elif keyword == "items":
            checks.append(_items(compile_schema(argument, root)))
        elif keyword in KEYWORDS:
            checks.append(KEYWORDS[keyword](argument, schema))
        else:
            raise ValueError(f"schema keyword {keyword!r} is not enforced")
    if len(checks) == 1:
        return checks[0]

    def every(value: Any, path: Path, sink: Sink) -> None:
        for check in checks:
            check(value, path, sink)

    return every


def _properties(compiled: Mapping[str, Check]) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, dict):
            for key, member in value.items():
                if (inner := compiled.get(key)) is not None:
                    inner(member, (*path, key), sink)

    return check


def _items(compiled: Check) -> Check:
    def check(value: Any, path: Path, sink: Sink) -> None:
        if isinstance(value, list):
            for place, member in enumerate(value):
                compiled(member, (*path, place), sink)

    return check
