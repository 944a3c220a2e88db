"""A graph whose log is another one in thought: some of its events left out, some lines put behind it.

The log and its database are only read. What is supposed lives in temporary tables that stand before the
database's event tables, from which the state is made by the same SQL as ever.
"""

from __future__ import annotations

import copy
import itertools
import weakref
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import duckdb

from novelty_kit.errors import InputError, LogError
from novelty_kit.graph import Graph
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import own_folder, plain_log
from novelty_kit.graph.state import build_state

__all__ = [
    "EVENT_TABLES",
    "Added",
    "EditedGraph",
    "add_lines",
    "drop_schema",
    "identifiers_with",
    "with_added",
]

EVENT_TABLES = (
    "paper_event", "claim_event", "citation_edge_event", "references_checked_event", "ingest_error_event",
    "same_work_event",
)  # fmt: skip
_numbers = itertools.count(1)


class Added:
    """Lines that are put behind a graph's log, loaded and numbered after its last event.

    Attributes
    ----------
    n_lines : int
    first_seq : int
        The seq of the first of them.
    schema : str
        The catalog of the graph's connection that holds them, and that goes with them.
    """

    def __init__(self, graph: Graph, schema: str, n_lines: int) -> None:
        self.schema = schema
        self.n_lines = n_lines
        self.first_seq = graph.n_events + 1
        weakref.finalize(self, drop_schema, graph, schema)


def add_lines(graph: Graph, lines: Sequence[bytes]) -> Added:
    """Load lines that the log does not hold, checked as every line of a log is.

    Raises
    ------
    InputError
        A line is no event; it is named by its number among the added.
    """
    schema = f"supposed_{next(_numbers)}"
    added = Added(graph, schema, len(lines))
    with graph._con.cursor() as con:
        con.execute(f"ATTACH ':memory:' AS {schema}")
        con.execute(f"USE {schema}")
        with own_folder("what is supposed") as folder:
            path = folder / "supposed.jsonl"
            Path(path).write_bytes(b"".join(line + b"\n" for line in lines))
            with plain_log((str(path),)) as plain:
                try:
                    load_events(con, plain)
                except LogError as error:
                    line = error.problem.line
                    which = f"the event to be added, number {line}, " if line else "what is to be added "
                    raise InputError(
                        f"{which}is no event: {error.problem.what}",
                        column=error.problem.column,
                        remedy=error.problem.remedy,
                    ) from None
        _number_on(con, schema, graph.n_events)
    return added


def drop_schema(graph: Graph, schema: str) -> None:
    """Drop what was attached in memory for a while."""
    with graph._con.cursor() as con:
        con.execute(f"DETACH DATABASE IF EXISTS {schema}")


def _number_on(con: duckdb.DuckDBPyConnection, schema: str, n_before: int) -> None:
    """Number ids and events on behind those of the log."""
    con.execute(
        f"""
        CREATE TABLE {schema}.renumbered AS
        SELECT new.id_no AS own_no, new.lom_id, known.id_no IS NULL AS is_new, coalesce(known.id_no,
            (SELECT coalesce(max(every.id_no), 0) FROM log.identifier AS every) + row_number() OVER ()) AS id_no
        FROM {schema}.identifier AS new
        LEFT JOIN log.identifier AS known ON known.lom_id = new.lom_id
        """  # noqa: S608 - our own names
    )
    for name in EVENT_TABLES:
        columns = [row[0] for row in con.execute(f"DESCRIBE {schema}.{name}").fetchall()]
        ids = [column for column in columns if column.endswith("_no")]
        values = [
            f"event.seq + {n_before} AS seq" if column == "seq"
            else f"{column}_of.id_no::INTEGER AS {column}" if column in ids
            else f"event.{column}"
            for column in columns
        ]  # fmt: skip
        joins = " ".join(
            f"LEFT JOIN {schema}.renumbered AS {column}_of ON {column}_of.own_no = event.{column}"
            for column in ids
        )
        con.execute(
            f"CREATE TABLE {schema}.new_{name} AS SELECT {', '.join(values)} FROM {schema}.{name} AS event {joins}"  # noqa: S608 - our own names
        )


def with_added(table: str, added: Added | None) -> str:
    """A SELECT of a table's events, the added ones behind those of the log."""
    logged = f"SELECT * FROM log.{table}"  # noqa: S608 - our own names
    return logged if added is None else f"{logged} UNION ALL SELECT * FROM {added.schema}.new_{table}"  # noqa: S608 - the same


def identifiers_with(added: Added | None) -> str:
    """A SELECT of all identifiers, those that only added lines hold too."""
    logged = "SELECT id_no, lom_id FROM log.identifier"
    if added is None:
        return logged
    return f"{logged} UNION ALL SELECT id_no::INTEGER, lom_id FROM {added.schema}.renumbered WHERE is_new"  # noqa: S608 - the same


class EditedGraph(Graph):
    """A graph without some events of its log, and with some of the added ones.

    Parameters
    ----------
    graph : Graph
        Events after its moment do not count.
    dropped : collection of int
        Seqs that are left out.
    added : Added, optional
    kept : collection of int, optional
        Which of the added lines count, by seq; all without it.
    """

    _dropped: Sequence[int]
    _added: Added | None
    _kept: Sequence[int] | None

    @classmethod
    def of(
        cls,
        graph: Graph,
        *,
        dropped: Collection[int] = (),
        added: Added | None = None,
        kept: Collection[int] | None = None,
    ) -> EditedGraph:
        """The edited graph; the graph itself stays as it is."""
        view: Any = copy.copy(graph)
        view.__class__ = cls
        view._dropped = sorted(dropped)
        view._added = added
        view._kept = None if kept is None else sorted(kept)
        edited: EditedGraph = view
        return edited

    def as_of(self, when: int | str) -> Graph:
        """Refused: a log that was edited in thought has one moment."""
        raise InputError("a supposed log has one moment", remedy="Take the moment first: graph.as_of(…)")

    def open_cursor(self) -> duckdb.DuckDBPyConnection:
        con = self._con.cursor()
        con.execute("USE log")
        added = self._added
        last = self.n_events + (0 if added is None else added.n_lines)
        kept = range(self.n_events + 1, last + 1) if self._kept is None else self._kept
        gone = [*self._dropped, *sorted({*range(self.n_events + 1, last + 1)} - {*kept})]
        con.execute("CREATE TEMP TABLE gone_seq AS SELECT unnest($seqs::BIGINT[]) AS seq", {"seqs": gone})
        con.execute("SET VARIABLE first_of = $seq", {"seq": self.as_of_seq})
        con.execute("SET VARIABLE last_of = $seq", {"seq": self.n_events})
        for name in EVENT_TABLES:
            con.execute(
                f"CREATE TEMP TABLE {name} AS SELECT event.* FROM ({with_added(name, added)}) AS event "  # noqa: S608 - our own names
                "ANTI JOIN gone_seq ON gone_seq.seq = event.seq "
                "WHERE event.seq <= getvariable('first_of') OR event.seq > getvariable('last_of')"
            )
        if added is not None:
            con.execute(f"CREATE TEMP TABLE identifier AS {identifiers_with(added)}")
        build_state(con, last, temporary=True)
        return con
