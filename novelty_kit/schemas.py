"""The published shapes: JSON Schemas (draft 2020-12) of what goes in and what comes out.

The event's is made from the log's table definitions, so that the two cannot drift. Nothing is validated here:
the readers check more than a schema can say (calendar days, identifiers, keys that stand twice).
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from novelty_kit.graph.tables import TABLES, Column

__all__ = ["NAMES", "schema_of"]

NAMES: dict[str, str] = {
    "event": "One line of the log.",
    "candidate": "What is judged.",
    "result": "What `novelty check` says of one candidate.",
    "history": "One line of `novelty history --jsonl`.",
    "plan": "What `novelty plan` writes and `novelty ingest plan` runs.",
    "report": "The record beside each rendered page.",
}
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: str) -> dict[str, Any]:
    """The schema of that name; KeyError for another."""
    if name not in NAMES:
        raise KeyError(name)
    if name == "event":
        return _event()
    text = resources.files("novelty_kit").joinpath(f"schema_files/{name}.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _event() -> dict[str, Any]:
    return {
        "$schema": _DRAFT,
        "title": "event",
        "description": "One line of the event log: a row is set or taken away. Further fields are kept.",
        "type": "object",
        "required": ["op", "table", "row"],
        "properties": {
            "op": {"enum": ["upsert", "delete"]},
            "table": {"type": "string"},
            "row": {"type": "object"},
            "ts": {"type": ["string", "null"], "format": "date-time"},
            "actor": {"type": ["string", "null"]},
            "task": {"type": ["string", "null"]},
            "note": {"type": ["string", "null"]},
        },
        "allOf": [
            {
                "if": {"properties": {"table": {"const": table.name}, "op": {"const": "upsert"}}},
                "then": {
                    "properties": {
                        "row": {
                            "description": table.meaning,
                            "required": sorted({*table.key, *(c.name for c in table.columns if c.required)}),
                            "properties": {column.name: _column(column) for column in table.columns},
                        }
                    }
                },
            }
            for table in TABLES
        ],
    }


def _column(column: Column) -> dict[str, Any]:
    kinds: dict[str, dict[str, Any]] = {
        "flag": {"type": "boolean"},
        "count": {"type": "integer", "minimum": 0},
        "integer": {"type": "integer"},
        "enum": {"enum": list(column.values)},
        "time": {"type": "string", "format": "date-time"},
        "date": {"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"},
    }
    shape = kinds.get(column.kind, {"type": "string"})
    if not column.required:
        shape = {"anyOf": [shape, {"type": "null"}]}
    return {"description": column.meaning, **shape}
