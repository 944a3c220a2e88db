"""What a notebook calls to see how verdicts changed along the log."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from novelty_kit.changes.along import changes_along
from novelty_kit.changes.record import History
from novelty_kit.graph import Graph
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.candidate_files import candidates_of
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["history", "read_many"]


def read_many(candidates: Any) -> list[Candidate]:
    """Candidates from one record, or from whatever ``check_many`` takes."""
    if isinstance(candidates, Candidate | Mapping):
        return [read_candidate(candidates)]
    return candidates_of(os.fspath(candidates) if isinstance(candidates, os.PathLike) else candidates)


def history(
    graph: Graph,
    candidates: Candidate
    | Mapping[str, Any]
    | str
    | os.PathLike[str]
    | pd.DataFrame
    | Iterable[Mapping[str, Any] | Candidate],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
) -> History:
    """Every event at which a candidate's status, verdict or deciding rule changed.

    Parameters
    ----------
    graph : Graph
        From :func:`open_graph`; a view ``graph.as_of(seq)`` gives the history up to there.
    candidates : mapping, Candidate, path, DataFrame or iterable of records
        One candidate, or many at once.
    policy : mapping or Policy, optional

    Returns
    -------
    History
        ``changes`` begin, for each candidate, with seq 0, the empty log. They are those that judging the
        candidate at every prefix of the log gives.

    Raises
    ------
    CandidateError, PolicyError
        With every problem of the records.
    """
    return changes_along(graph, read_many(candidates), Policy.of(policy))
