"""The published shapes: JSON Schemas (draft 2020-12) of what goes in and what comes out.

The event's is made from the log's table definitions, so that the two cannot drift. Nothing is validated here:
the readers check more than a schema can say (calendar days, identifiers, keys that stand twice).
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from novelty_kit.graph.tables import PLURALS, TABLES, Column, Table

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
# The end of a text: `$` alone means, to Python, also the place before a final newline.
_END = r"(?![\s\S])"


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
        "allOf": [_rows(table, op) for table in TABLES for op in ("upsert", "delete")],
    }


def _rows(table: Table, op: str) -> dict[str, Any]:
    """What a row of that table must be; a delete needs its key and no more."""
    names = [table.name, *(plural for plural, name in PLURALS.items() if name == table.name)]
    needed = [
        column for column in table.columns if column.name in table.key or (op == "upsert" and column.required)
    ]
    read = [column for column in table.columns if op == "upsert" or column.name in table.key]
    spelled = {
        column.name: [column.name, *(a for a, name in table.aliases if name == column.name)]
        for column in read
    }
    row: dict[str, Any] = {
        "description": table.meaning,
        "allOf": [{"anyOf": [{"required": [name]} for name in spelled[column.name]]} for column in needed],
        "properties": {name: _column(column) for column in read for name in spelled[column.name]},
    }
    if table.name == "references_checked" and op == "upsert":
        row |= {
            "if": {"properties": {"status": {"const": "ok"}}},
            "then": {"required": ["n_refs"], "properties": {"n_refs": {"type": "integer"}}},
        }
    return {
        "if": {"properties": {"table": {"enum": names}, "op": {"const": op}}},
        "then": {"properties": {"row": row}},
    }


def _column(column: Column) -> dict[str, Any]:
    kinds: dict[str, dict[str, Any]] = {
        "flag": {"type": "boolean"},
        "count": {"type": "integer", "minimum": 0, "maximum": 2**53},
        "integer": {"type": "integer", "minimum": -(2**53), "maximum": 2**53},
        "enum": {"enum": list(column.values)},
        "time": {"type": "string", "format": "date-time"},
        "date": {"type": "string", "pattern": f"^[0-9]{{4}}(-[0-9]{{2}}(-[0-9]{{2}})?)?{_END}"},
    }
    shape = kinds.get(
        column.kind, {"type": "string", "minLength": 1} if column.required else {"type": "string"}
    )
    if not column.required:
        shape = {"anyOf": [shape, {"type": "null"}]}
    return {"description": column.meaning, **shape}
