"""What a log holds and what it lacks, as frames for a notebook: one question, one function.

Reads a graph; writes nothing. Text from data is cut to one line. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.graph.gaps import graph_gaps
from novelty_kit.graph.sql import sql_parts
from novelty_kit.graph.stats import graph_stats
from novelty_kit.output import for_terminal, shorten

if TYPE_CHECKING:
    import pandas as pd

    from novelty_kit.graph.graph import Graph

__all__ = ["conflicts", "contents", "failures", "gaps", "lists", "nodes", "oddities"]

_CELL = 160
_NODES = {
    "total": "nodes in all",
    "read": "read: a row that is not marked unread",
    "claim_bearing": "claim-bearing: a claim is about it",
    "compared": "compared: read or claim-bearing",
    "stub": "stub: an id and no more, counts for nothing",
    "undated": "compared and without a date: prunes nothing",
}
_STATES = {
    "out": "list known",
    "in": "list unknown, cited by a known one",
    "contradicted": "list recorded empty, which something denies",
    "failed": "asked for, lookup failed",
    "unchecked": "never asked for",
}


def contents(graph: Graph) -> pd.DataFrame:
    """What was ingested.

    Returns
    -------
    DataFrame
        One row a table: ``table``, ``rows`` (int, standing; NA for a table that the format does not know),
        ``events`` and ``deletes`` (int, lines of the log).
    """
    told = graph_stats(graph)["tables"]
    rows = [(name, n["rows"], n["events"], n["deletes"]) for name, n in told.items()]
    return _frame(("table", "rows", "events", "deletes"), rows, counts=("rows", "events", "deletes"))


def nodes(graph: Graph) -> pd.DataFrame:
    """What the rows amount to.

    Returns
    -------
    DataFrame
        ``kind`` in words and ``n`` (int, nodes); the kinds overlap.
    """
    told = graph_stats(graph)["nodes"]
    return _frame(("kind", "n"), [(words, told[name]) for name, words in _NODES.items()], counts=("n",))


def lists(graph: Graph) -> pd.DataFrame:
    """Whose reference list is known, failed, or was never asked for.

    Returns
    -------
    DataFrame
        Of the compared nodes: ``state`` in words, ``source`` and ``reason`` of the last record (NA where
        there is none), ``n`` (int, nodes); most first.
    """
    rows = [(_STATES[state], source, reason, n) for state, source, reason, n in _ask(graph, "lists")]
    return _frame(("state", "source", "reason", "n"), rows, counts=("n",))


def failures(graph: Graph) -> pd.DataFrame:
    """Which lookups failed and stand so.

    Returns
    -------
    DataFrame
        ``scheme`` (the service), ``http_status`` (int, NA: no answer), ``n`` (int, lookups), ``lookup`` (the
        last of them), ``seq`` (int, its line). Empty where none stands.
    """
    columns = ("scheme", "http_status", "n", "lookup", "seq")
    return _frame(columns, _ask(graph, "failures"), counts=("http_status", "n", "seq"))


def oddities(graph: Graph) -> pd.DataFrame:
    """What is legal and still worth a look, counted.

    Returns
    -------
    DataFrame
        ``code`` (of ``novelty graph validate``, and ``same_work``) and ``n`` (int).
    """
    told = graph_stats(graph)
    rows = [*told["warnings"].items(), ("same_work", told["tables"]["same_work"]["rows"])]
    return _frame(("code", "n"), rows, counts=("n",))


def conflicts(graph: Graph, *, max_listed: int = 20) -> pd.DataFrame:
    """Ids of several papers, edges that lead nowhere, dates to come, works that a source takes for one.

    Returns
    -------
    DataFrame
        ``code``, ``what`` (an id), ``seq`` (int, a line; NA where no single line says it), ``why``; at most
        `max_listed` of each code. Empty where nothing is odd.
    """
    rows: list[tuple[Any, ...]] = []
    with graph.connection as con:
        for code, select in sql_parts(__package__, "warnings.sql"):
            query = f"{select} ORDER BY seq, what, why LIMIT $most"
            given = {"most": max_listed} | ({"as_of": graph.as_of_seq} if "$as_of" in select else {})
            rows += [(code, *row) for row in con.execute(query, given).fetchall()]
    rows += _ask(graph, "same_work")[:max_listed]
    return _frame(("code", "what", "seq", "why"), rows, counts=("seq",))


def gaps(graph: Graph, *, date_margin_years: int = 3) -> pd.DataFrame:
    """What blocks `novel`: :func:`novelty_kit.graph.gaps.graph_gaps` as a frame.

    Returns
    -------
    DataFrame
        ``lom_id``, ``title`` (NA: not known), ``publication_date``, ``reason``, ``n_blocked`` (int, works
        that it keeps from being novel), ``n_covered`` (int, works that its list would cover). Empty where
        every list that counts is known.
    """
    columns = ("lom_id", "title", "publication_date", "reason", "n_blocked", "n_covered")
    found = graph_gaps(graph, date_margin_years=date_margin_years)
    rows = [tuple(getattr(gap, name) for name in columns) for gap in found]
    return _frame(columns, rows, counts=("n_blocked", "n_covered"))


def _ask(graph: Graph, part: str) -> list[tuple[Any, ...]]:
    with graph.connection as con:
        query = dict(sql_parts(__package__, "health.sql"))[part]
        return con.execute(query).fetchall()


def _frame(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, counts: Sequence[str]) -> pd.DataFrame:
    """Rows as a frame: counts as nullable integers, all else as text on one line."""
    import pandas as pd

    across = list(zip(*rows, strict=True)) or [()] * len(columns)
    return pd.DataFrame(
        {
            name: pd.Series(values, dtype="int64[pyarrow]")
            if name in counts
            else pd.Series([_text(value) for value in values], dtype="string[pyarrow]")
            for name, values in zip(columns, across, strict=True)
        }
    )


def _text(value: object) -> str | None:
    return None if value is None else shorten(for_terminal(shorten(str(value), 4 * _CELL)), _CELL)
