"""What a log holds, in counts: rows, nodes, coverage, oddities.

Reads a graph; writes nothing. What is unknown is None, never 0. No network. No clock: a date is in the future
where it lies after the last time that the log itself states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novelty_kit.graph.seal import read_seal
from novelty_kit.graph.sql import read_sql, sql_parts
from novelty_kit.graph.tables import NAMES
from novelty_kit.graph.validate import warning_counts

if TYPE_CHECKING:
    import duckdb

    from novelty_kit.graph.graph import Graph

__all__ = ["graph_stats"]


def graph_stats(graph: Graph) -> dict[str, Any]:
    """Counts of a graph at its seq.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    dict
        ``files``, ``sha256``, ``n_events``, ``as_of_seq``, ``n_bytes``;
        ``tables``: per table ``rows`` standing (None for an unknown table), ``events`` and ``deletes``;
        ``unknown``: ``table.column``, ``table.*`` or ``(field)``, and how often in the whole log;
        ``nodes``: ``total``, ``read``, ``claim_bearing``, ``compared`` (read or claim-bearing), ``stub``,
        ``undated`` (of the compared);
        ``edges``: ``between_nodes``, ``self_loops``, ``cited_nodes``, ``citing_nodes``;
        ``coverage`` of the compared nodes: ``out``, ``in``, ``none``, and of the last ``contradicted``,
        ``failed``, ``unchecked``; ``checked_zero``;
        ``warnings``: how many of each code of ``graph validate``;
        ``times``: ``first`` and ``last`` ``ts`` (None where there is none), ``events_without``,
        ``out_of_order`` (earlier than one before);
        ``crlf``, ``bom``, ``skipped_lines``;
        ``seals``: per file ``lines`` sealed and ``unsealed`` after them, or None.
    """
    with graph.connection as con:
        con.execute(f"CREATE TEMP TABLE any_node AS {read_sql(__package__, 'nodes.sql')}")
        found = {
            name: _rows(con, select, graph.as_of_seq) for name, select in sql_parts(__package__, "stats.sql")
        }
        warnings = warning_counts(con, graph.meta, graph.as_of_seq)
    return {
        "files": list(graph.files),
        "sha256": graph.sha256,
        "n_events": graph.n_events,
        "as_of_seq": graph.as_of_seq,
        "n_bytes": graph.meta.n_bytes,
        "tables": _tables(found["rows"], found["events"]),
        "unknown": dict(sorted(graph.meta.unknown.items())),
        "nodes": found["nodes"][0],
        "edges": found["edges"][0],
        "coverage": found["coverage"][0],
        "warnings": warnings,
        "times": found["times"][0],
        "crlf": graph.meta.crlf,
        "bom": graph.meta.bom,
        "skipped_lines": len(graph.skipped_lines),
        "seals": _seals(graph),
    }


def _rows(con: duckdb.DuckDBPyConnection, select: str, as_of: int) -> list[dict[str, Any]]:
    parameters = {"as_of": as_of} if "$as_of" in select else None
    found = con.execute(select, parameters)
    names = [column[0] for column in found.description or []]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _tables(rows: list[dict[str, Any]], events: list[dict[str, Any]]) -> dict[str, dict[str, int | None]]:
    standing: dict[str, int | None] = {row["table_name"]: row["n_rows"] for row in rows}
    met = {row["table_name"]: row for row in events}
    names = [*NAMES, *sorted(set(met) - set(NAMES))]
    none = {"n_events": 0, "n_deletes": 0}
    return {
        name: {
            "rows": standing.get(name),
            "events": met.get(name, none)["n_events"],
            "deletes": met.get(name, none)["n_deletes"],
        }
        for name in names
    }


def _seals(graph: Graph) -> list[dict[str, int] | None]:
    """Per file what is sealed; what follows can be counted where the log is one file."""
    seals = [read_seal(name) for name in graph.names]
    if len(seals) > 1:
        return [{"lines": seal.n_lines} if seal else None for seal in seals]
    return [{"lines": s.n_lines, "unsealed": graph.n_events - s.n_lines} if s else None for s in seals]
