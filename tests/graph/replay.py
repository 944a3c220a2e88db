"""The current rows of a log, by one plain loop: what the loader must equal. Reads events as dicts; writes nothing."""

from __future__ import annotations

from typing import Any

from novelty_kit.errors import KeyFormatError
from novelty_kit.graph import Graph
from novelty_kit.graph.sql import run_sql
from novelty_kit.graph.tables import NAMES, PLURALS, Table
from novelty_kit.keys import normalise

Row = dict[str, Any]


def replay(events: list[Row]) -> dict[str, list[Row]]:
    """The rows of each table after these events, each with the seq of its last event, in that order."""
    held: dict[str, dict[Any, Row]] = {name: {} for name in NAMES}
    for seq, event in enumerate(events, 1):
        table = NAMES[PLURALS.get(event["table"], event["table"])]
        row = _normal(table, event["row"])
        key = _key(table, row)
        rows = held[table.name]
        if event["op"] == "delete":
            rows.pop(key, None)
        else:
            patched = rows.get(key, {}) if table.name == "paper" else {}
            blank: Row = {column.name: None for column in table.columns}
            rows[key] = {**blank, **patched, **row, "seq": seq}
    return {name: sorted(rows.values(), key=lambda row: row["seq"]) for name, rows in held.items()}


def _normal(table: Table, row: Row) -> Row:
    """Long column names, ids in normal form."""
    aliases = dict(table.aliases)
    found = {aliases.get(name, name): value for name, value in row.items()}
    for column in table.columns:
        value = found.get(column.name)
        if column.kind == "id" and value is not None:
            found[column.name] = normalise(value)
        elif column.kind == "bare_id" and value is not None:
            found[column.name] = normalise(value, column.scheme).partition(":")[2]
    if "scheme" in found:
        found["scheme"] = found["scheme"].strip().lower()
    return found


def _key(table: Table, row: Row) -> Any:
    if table.name != "ingest_error":
        return tuple(row[name] for name in table.key)
    for hint in (None, row["scheme"]):
        try:
            return row["scheme"], normalise(row["lookup"], hint)
        except KeyFormatError:
            continue
    return row["scheme"], row["lookup"].strip()


def state(graph: Graph) -> dict[str, list[Row]]:
    """The rows of each table of a graph, by seq."""
    found = {}
    with graph.connection as con:
        run_sql(con, "novelty_kit.graph", "views.sql")
        for name, table in NAMES.items():
            columns = [*(column.name for column in table.columns), "seq"]
            listed = ", ".join(columns)
            rows = con.execute(f"SELECT {listed} FROM temp.{name} ORDER BY seq").fetchall()
            found[name] = [dict(zip(columns, row, strict=True)) for row in rows]
    return found
