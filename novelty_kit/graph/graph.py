"""The graph as an object: typed tables of the log at one moment, read-only.

Reads the log and its cache; writes the cache only. No network. No clock.
"""

from __future__ import annotations

import copy
import os
from pathlib import PurePath
from typing import TYPE_CHECKING

import duckdb

from novelty_kit.errors import InputError
from novelty_kit.graph.cache import Meta, attach, build_state, settings
from novelty_kit.graph.dates import is_time
from novelty_kit.graph.log import place_of, plain_log
from novelty_kit.graph.sql import run_sql
from novelty_kit.graph.tables import NAMES

if TYPE_CHECKING:
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
        as_of_seq: int,
        skipped_lines: tuple[int, ...] = (),
    ) -> None:
        self._con = con
        self._names = names
        self.meta = meta
        self.as_of_seq = as_of_seq
        self.skipped_lines = skipped_lines

    @property
    def files(self) -> tuple[str, ...]:
        """The log's files without any absolute path."""
        return tuple(
            PurePath(n).name if PurePath(n).is_absolute() else PurePath(n).as_posix() for n in self._names
        )

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
        return self._open_view()

    def _open_view(self) -> duckdb.DuckDBPyConnection:
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
            A seq (0 is the empty log), or an RFC 3339 time: the last event that is not later. An event
            without ``ts`` takes the latest time before it.

        Raises
        ------
        InputError
            The seq is beyond the log, the time is malformed, or the log knows no times.
        """
        seq = self._seq_at(when) if isinstance(when, str) and not when.isdecimal() else int(when)
        if not 0 <= seq <= self.meta.n_lines:
            raise InputError(
                f"as of {seq}: the log has {self.meta.n_lines} events", remedy="Give a seq from 0 to that"
            )
        view = copy.copy(self)
        view.as_of_seq = seq
        return view

    def _seq_at(self, when: str) -> int:
        if not is_time(when):
            raise InputError(
                f"'{when}' is neither a seq nor a time", remedy="Give one such as 2026-09-03T00:00:00Z"
            )
        row = self._con.execute(
            """
            SELECT
                count(event.ts) > 0,
                coalesce(max(event.seq) FILTER (coalesce(event.latest <= $when::TIMESTAMPTZ, TRUE)), 0)
            FROM (
                SELECT one.seq, one.ts, max(one.ts) OVER (ORDER BY one.seq ROWS UNBOUNDED PRECEDING) AS latest
                FROM log.event AS one
            ) AS event
            """,
            {"when": when},
        ).fetchone()
        if row is None or not row[0]:
            raise InputError("no event of the log has a time", remedy="Give a seq with --as-of")
        return int(row[1])

    def frame(self, table: str) -> pd.DataFrame:
        """One table of the log as it stands, as a pandas frame.

        Parameters
        ----------
        table : str
            ``paper``, ``claim``, ``citation_edge``, ``references_checked``, ``ingest_error`` or ``same_work``.

        Returns
        -------
        DataFrame
            The columns of the log with ids as text in normal form (nullable Arrow dtypes; a missing value is
            NA), and ``seq`` (int64), the log line of the row. Sorted by ``seq``.
        """
        import pandas as pd

        frame: pd.DataFrame = self.arrow(table).to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    def arrow(self, table: str) -> pa.Table:
        """As :meth:`frame`, as an Arrow table."""
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
        import pandas as pd

        frame: pd.DataFrame = self._query(query).to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    def _query(self, query: str) -> pa.Table:
        with self._open_view() as con:
            run_sql(con, __package__, "views.sql")
            try:
                return con.sql(query).to_arrow_table()
            except duckdb.Error as error:
                raise InputError(f"the query failed: {str(error).splitlines()[0]}") from error

    def event(self, seq: int) -> bytes:
        """The line of the log with that seq, as it stands, without its newline."""
        return self.place(seq)[2]

    def place(self, seq: int) -> tuple[str, int, bytes]:
        """The file, the line number in that file, and the bytes of an event."""
        with plain_log(self._names) as plain:
            return place_of(plain, list(self.meta.chunks), seq)

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

        with self._open_view() as con:
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
        Compare every byte of the log with the cache before it is believed.
    skip_bad_lines : bool
        Go on without bad lines; then no verdict can be `novel`, and every result says so.

    Returns
    -------
    Graph

    Raises
    ------
    LogError
        No such file, or the log is damaged: file, line, column, what was expected and what to do.
    """
    names = tuple(os.fspath(path) for path in paths)
    con = duckdb.connect(config=settings())
    if skip_bad_lines:
        from novelty_kit.graph.skip import attach_without_bad_lines

        meta, skipped = attach_without_bad_lines(con, names)
        return Graph(con, names, meta, meta.n_lines, skipped)
    with plain_log(names) as plain:
        meta = attach(con, plain, cached=cached, verify=verify)
    if meta.n_lines < _SMALL:
        con.execute("SET threads = 1")  # starting a second one costs more than it brings
    return Graph(con, names, meta, meta.n_lines)
