"""The log's facts as spans, made once for a log: where each held, from which event to which.

Makes the tables of ``spans.sql`` in a catalog of the graph's connection. Anything odd about a kept index makes it
made anew; it can never change a result. No network. No clock.
"""

from __future__ import annotations

import duckdb

from novelty_kit.graph import Graph
from novelty_kit.graph.sql import sql_parts

__all__ = ["CATALOG", "index_of", "make_spans"]

CATALOG = "spans"
# What later parts are made from and nobody asks for.
_PASSING = (
    "paper_span",
    "free_span",
    "raw_edge",
    "edge_piece",
    "cites_span",
    "node_step",
    "coverer_span",
    "cover_step",
)


def make_spans(con: duckdb.DuckDBPyConnection) -> None:
    """Make all tables of spans in the catalog ``spans`` from the event tables of the catalog ``log``."""
    con.execute(f"SET search_path = '{CATALOG}.main,log.main'")
    for name, select in sql_parts(__package__, "spans.sql"):
        con.execute(f"CREATE TABLE {CATALOG}.main.{name} AS {select}")
    for name in _PASSING:
        con.execute(f"DROP TABLE {CATALOG}.main.{name}")


def index_of(graph: Graph) -> duckdb.DuckDBPyConnection:
    """A cursor of its own that sees the log's tables and its spans."""
    con = graph._con.cursor()
    there = con.execute(
        "SELECT count(*) FROM duckdb_databases() WHERE database_name = $name", {"name": CATALOG}
    ).fetchone()
    if not there or not there[0]:
        con.execute(f"ATTACH ':memory:' AS {CATALOG}")
        make_spans(con)
    con.execute(f"SET search_path = '{CATALOG}.main,log.main'")
    return con
