"""What a notebook calls to live in a graph."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from novelty_kit.changes.api import read_many
from novelty_kit.explorer.view import view_of
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    import pandas as pd

    from novelty_kit.explorer.widget import Explorer
    from novelty_kit.graph import Graph

__all__ = ["explore"]

_MOST_OFFERED = 300


def explore(
    graph: Graph,
    candidate: Candidate
    | Mapping[str, Any]
    | str
    | os.PathLike[str]
    | pd.DataFrame
    | Iterable[Mapping[str, Any] | Candidate]
    | None = None,
    *,
    policy: Policy | Mapping[str, Any] | None = None,
) -> Explorer:
    """Look at a candidate along the log, with a slider, holdouts and policies to toggle, and facts to suppose.

    Parameters
    ----------
    graph : Graph
        From :func:`open_graph`; a view ``graph.as_of(seq)`` ends the slider there.
    candidate : mapping, Candidate, path, DataFrame or iterable of records, optional
        What can be picked, the first one shown at first; without it the ingested works, each judged as if it
        were new (the first 300 by id). Another one can be pasted at any time.
    policy : mapping or Policy, optional
        To begin with.

    Returns
    -------
    Explorer
        An ipywidgets box; where widgets cannot be shown, it shows the same as a page. ``page()`` gives that page,
        ``call()`` the lines of Python that reproduce the view, ``view`` what is looked at.

    Raises
    ------
    CandidateError, PolicyError
        With every problem of the records.
    InputError
        There is nothing to look at.
    """
    from novelty_kit.explorer.widget import Explorer

    given = _offered(graph) if candidate is None else candidate
    return Explorer(graph, tuple(view_of(graph, one, policy) for one in read_many(given)))


def _offered(graph: Graph) -> list[Candidate]:
    """The ingested works, each as if it were new."""
    with graph.connection as con:
        rows = con.execute(
            """
            SELECT identifier.lom_id
            FROM paper_now AS paper INNER JOIN identifier ON identifier.id_no = paper.id_no
            ORDER BY identifier.lom_id LIMIT $most
            """,
            {"most": _MOST_OFFERED},
        ).fetchall()
    return [Candidate("paper", (lom_id,), leave_out=True, seen=()) for (lom_id,) in rows]
