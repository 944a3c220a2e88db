"""The graph at one event, its state made once and used again: a slider stands still while holdouts are toggled.

Reads the graph's database; what it makes lives in memory and goes with it.
"""

from __future__ import annotations

import copy
import itertools
import weakref
from typing import Any

import duckdb

from novelty_kit.changes.edited import drop_schema
from novelty_kit.graph import Graph
from novelty_kit.graph.state import build_state

__all__ = ["Moment", "moment_of"]

_numbers = itertools.count(1)


class Moment(Graph):
    """A view of a graph as of one event that keeps its state tables."""

    _schema: str

    def open_cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor on the state that was made for this event."""
        con = self._con.cursor()
        con.execute(f"SET search_path = '{self._schema}.main,log.main'")
        return con


def moment_of(graph: Graph, seq: int) -> Graph:
    """The graph as of an event; at the last one the graph itself, whose state stands already."""
    view = graph.as_of(seq)
    if seq == graph.n_events:
        return view
    schema = f"moment_{next(_numbers)}"
    with graph._con.cursor() as con:
        con.execute(f"ATTACH ':memory:' AS {schema}")
        con.execute(f"SET search_path = '{schema}.main,log.main'")
        build_state(con, seq, temporary=False)
    pinned: Any = copy.copy(view)
    pinned.__class__ = Moment
    pinned._schema = schema
    weakref.finalize(pinned, drop_schema, graph, schema)
    moment: Moment = pinned
    return moment
