"""The graph as an object: typed tables of the log at one moment, read-only.

Reads the log and its cache; writes the cache only. No network. No clock.
"""

from __future__ import annotations

import copy
import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from novelty_kit.errors import InputError
from novelty_kit.graph.cache import attach
from novelty_kit.graph.dates import is_time
from novelty_kit.graph.engine import Error, learn_arrow
from novelty_kit.graph.log import LogSource
from novelty_kit.graph.sql import run_sql
from novelty_kit.graph.state import Meta, build_state, connect
from novelty_kit.output import shorten

if TYPE_CHECKING:
    import duckdb
    import networkx as nx
    import pandas as pd
    import pyarrow as pa

__all__ = ["Graph", "open_graph"]

_SMALL = 50_000


class Graph:
    """A citation graph at one seq of its log; made by :func:`open_graph`.

    Attributes
    ----------
    files : tuple of str
        The log's files as they stand in results: relative as named, or the bare name.
    as_of_seq : int
        The last event that counts.
    n_events : int
        How many events the log has in all.
    sha256 : str
        Hash of the whole log.
    skipped_lines : tuple of int
        Bad lines that were left out (``skip_bad_lines``).
    """

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        names: tuple[str, ...],
        meta: Meta,
        source: LogSource,
        skipped_lines: tuple[int, ...] = (),
    ) -> None:
        self._con = con
        self._names = names
        self._source = source
        self.meta = meta
        self.as_of_seq = meta.n_lines
        self.skipped_lines = skipped_lines

    @property
    def files(self) -> tuple[str, ...]:
        """The log's files without any absolute path."""
        paths = map(PurePath, self._names)
        return tuple(path.name if path.is_absolute() else path.as_posix() for path in paths)

    @property
    def names(self) -> tuple[str, ...]:
        """The log's files as they were opened."""
        return self._names

    @property
    def n_events(self) -> int:
        """Number of events in the whole log."""
        return self.meta.n_lines

    @property
    def sha256(self) -> str:
        """Hash of the whole log: sha256 over the sha256 of its 16 MiB blocks."""
        return self.meta.sha256

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own on the state tables, for the rules; temporary tables in it are its own."""
        learn_arrow()
        return self.open_cursor()

    def open_cursor(self) -> duckdb.DuckDBPyConnection:
        """As :attr:`connection`, but one that may not know ``sql`` nor Arrow: it is there sooner."""
        con = self._con.cursor()
        con.execute("USE log")
        if self.as_of_seq != self.meta.n_lines:
            build_state(con, self.as_of_seq, temporary=True)
        return con

    def as_of(self, when: int | str) -> Graph:
        """The graph as it was after one event.

        Parameters
        ----------
        when : int or str
            A seq (0 is the empty log), or an RFC 3339 time: the last event before any that is later. An event
            without ``ts`` takes the latest time before it, and so does one that is out of order.

        Raises
        ------
        InputError
            The seq is beyond the log, the time is malformed, or the log knows no times.
        """
        if isinstance(when, str):
            seq = int(when[:20]) if when.isascii() and when.isdecimal() else self._seq_at(when)
        elif isinstance(when, int) and not isinstance(when, bool):
            seq = when
        else:
            raise InputError(f"as of {when!r:.60}: a seq is a whole number", remedy="Give one, or a time")
        if not 0 <= seq <= self.meta.n_lines:
            what = f"as of {seq}: the log has {self.meta.n_lines} events"
            raise InputError(what, remedy="Give a seq from 0 to that")
        view = copy.copy(self)
        view.as_of_seq = seq
        return view

    def _seq_at(self, when: str) -> int:
        if not is_time(when):
            what = f"'{shorten(when, 60)}' is neither a seq nor a time"
            raise InputError(what, remedy="Give one such as 2026-09-03T00:00:00Z")
        row = self._con.execute(
            """
            SELECT
                count(event.ts) > 0,
                coalesce(max(event.seq) FILTER (coalesce(event.latest <= $when::TIMESTAMPTZ, TRUE)), 0)
            FROM (
                SELECT event.seq, event.ts, max(event.ts) OVER so_far AS latest
                FROM log.event AS event
                WINDOW so_far AS (ORDER BY event.seq ROWS UNBOUNDED PRECEDING)
            ) AS event
            """,
            {"when": when.upper()},
        ).fetchone()
        if row is None or not row[0]:
            raise InputError("no event of the log has a time", remedy="Give a seq with --as-of")
        return int(row[1])

    def frame(self, table: str) -> pd.DataFrame:
        """One table of the log as it stands, as a pandas frame.

        Parameters
        ----------
        table : str
            ``paper``, ``claim``, ``citation_edge``, ``references_checked``, ``ingest_error``, ``same_work``.

        Returns
        -------
        DataFrame
            The columns of the log with ids as text in normal form (nullable Arrow dtypes; a missing value is
            NA), and ``seq`` (int64), the log line of the row. Sorted by ``seq``.
        """
        import pandas as pd

        found: pd.DataFrame = self.arrow(table).to_pandas(types_mapper=pd.ArrowDtype)
        return found

    def arrow(self, table: str) -> pa.Table:
        """As :meth:`frame`, as an Arrow table."""
        from novelty_kit.graph.tables import NAMES

        if table not in NAMES:
            raise InputError(f"no table is named '{table}'", remedy=f"Choose one of {', '.join(NAMES)}")
        return self._query(f"SELECT * FROM {table} ORDER BY seq")  # noqa: S608 - one of six names

    def sql(self, query: str) -> pd.DataFrame:
        """Run a query over the log's tables (those of :meth:`frame`, ``event`` and the state tables).

        Raises
        ------
        InputError
            The query is wrong, or would change something.
        """
        import duckdb
        import pandas as pd

        try:
            kinds = [statement.type for statement in duckdb.extract_statements(query)]
        except duckdb.Error as error:
            raise InputError(f"the query failed: {str(error).splitlines()[0]}") from error
        if kinds not in ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN]):
            remedy = "Give one SELECT; the log is changed by its lines"
            raise InputError("only one query that reads can be run", remedy=remedy)
        found: pd.DataFrame = self._query(query).to_pandas(types_mapper=pd.ArrowDtype)
        return found

    def _query(self, query: str) -> pa.Table:
        learn_arrow()
        with self.open_cursor() as con:
            run_sql(con, __package__, "views.sql")
            con.execute("BEGIN TRANSACTION READ ONLY")  # a SELECT may hold a DELETE … RETURNING
            try:
                return con.sql(query).to_arrow_table()
            except Error as error:
                raise InputError(f"the query failed: {str(error).splitlines()[0]}") from error

    def event(self, seq: int) -> bytes:
        """The line of the log with that seq, as it stands, without its newline."""
        return self.place(seq)[2]

    def place(self, seq: int) -> tuple[str, int, bytes]:
        """The file, the line number in that file, and the bytes of an event."""
        from novelty_kit.graph.scan import place_of

        return place_of(self._source.plain(), self.meta.chunks, seq)

    def to_networkx(self, center: str | None = None, hops: int = 1) -> nx.DiGraph:
        """The graph, or the part around one node, as a networkx ``DiGraph`` of lom_ids.

        Parameters
        ----------
        center : str, optional
            Any accepted form of an id; the whole graph without it.
        hops : int
            How far to go from `center`, along citations in either direction.

        Returns
        -------
        DiGraph
            Nodes and edges sorted; node attributes ``title``, ``publication_date``, ``read``, ``n_claims``,
            ``covered``; an edge points from the citing to the cited work.

        Raises
        ------
        InputError
            The centre is no node of the graph.
        """
        from novelty_kit.graph.export import networkx_graph

        with self.open_cursor() as con:
            return networkx_graph(con, center, hops)

    def __repr__(self) -> str:
        return f"<Graph {' '.join(self.files)} as of event {self.as_of_seq} of {self.n_events}>"


def open_graph(
    *paths: str | os.PathLike[str],
    cached: bool = True,
    verify: bool = False,
    skip_bad_lines: bool = False,
) -> Graph:
    """Open an event log.

    Parameters
    ----------
    *paths : path
        The log's files in order (``.jsonl``, ``.jsonl.gz``, ``.jsonl.zst``); seq counts on through them.
    cached : bool
        Reuse and refresh the database in the user's cache folder; False reads the log anew, in memory.
    verify : bool
        Compare every byte of the log with the cache before it is believed. Without it the file system's word
        is taken for a log that did not change; in one that has grown, an edit between its first and last 16 MiB
        is not seen.
    skip_bad_lines : bool
        Go on without bad lines; then no verdict can be `novel`, and every result says so.

    Returns
    -------
    Graph

    Raises
    ------
    LogError
        No such file, or the log is damaged: file, line, column, what was expected and what to do.
    DamageError
        The log is not what its seal says.
    """
    names = tuple(os.fsdecode(path) for path in paths)
    con = connect()
    source = LogSource(names, torn_middle=skip_bad_lines)
    skipped: tuple[int, ...] = ()
    if skip_bad_lines:
        from novelty_kit.graph.skip import attach_without_bad_lines

        meta, skipped = attach_without_bad_lines(con, source.plain())
    else:
        meta = attach(con, source.plain(), cached=cached, verify=verify)
    source.release()
    if meta.n_lines < _SMALL:
        con.execute("SET threads = 1")  # starting a second one costs more than it brings
    return Graph(con, names, meta, source, skipped)
