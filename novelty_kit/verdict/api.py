"""What a notebook calls: judge one candidate, or many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import InputError
from novelty_kit.graph import Graph
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.candidate_files import candidates_of
from novelty_kit.verdict.judge import MAX_LISTED, judge, judge_frame
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check", "check_many"]


def check(
    graph: Graph,
    candidate: Candidate | Mapping[str, Any],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
    max_listed: int = MAX_LISTED,
) -> Verdict:
    """Judge one candidate against the graph, as of its seq.

    Parameters
    ----------
    graph : Graph
        From :func:`open_graph`, or a view ``graph.as_of(seq)``.
    candidate : mapping or Candidate
        The record of the novelty reference, section 4; ids in any accepted form.
    policy : mapping or Policy, optional
        Readings other than the defaults.
    max_listed : int
        At most so many ids in each list; counts are always of all.

    Returns
    -------
    Verdict
        ``verdict`` is duplicate, neighborhood, novel or unknown; ``status`` says why there is none.

    Raises
    ------
    CandidateError, PolicyError
        With every problem of the record.
    InputError
        `max_listed` is no count.

    Notes
    -----
    Rule files ``verdict/r0_keys.sql`` to ``r4_novel.sql``; cases in ``tests/cases/verdict``.
    """
    if isinstance(max_listed, bool) or not isinstance(max_listed, int) or max_listed < 0:
        raise InputError(f"max_listed must be a whole number that is not negative, got {max_listed!r:.40}")
    return judge(graph, [read_candidate(candidate)], Policy.of(policy), max_listed)[0]


def check_many(
    graph: Graph,
    candidates: str | os.PathLike[str] | pd.DataFrame | Iterable[Mapping[str, Any] | Candidate],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Judge many candidates at once, set-based.

    Parameters
    ----------
    graph : Graph
    candidates : path, DataFrame or iterable of records
        A .json, .jsonl, .parquet or .csv file, or the records themselves.
    policy : mapping or Policy, optional

    Returns
    -------
    DataFrame
        One row a candidate, in input order, Arrow dtypes: ``candidate_id``, ``lom_id`` (string; NA where
        nothing can be named), ``status``, ``verdict``, ``rule`` (int, the rule that decided), ``n_in_sample``,
        ``n_holdout``, ``n_stub`` (int, nodes), ``in_sample``, ``holdout`` (string, the verdict of each slice;
        holdout NA where none was given), ``coverage_gap_total`` (int, nodes; 0 where another rule decided),
        ``nothing_compared`` (bool).

    Raises
    ------
    CandidateError
        With all malformed candidates.
    """
    import pandas as pd

    records = candidates_of(os.fspath(candidates) if isinstance(candidates, os.PathLike) else candidates)
    judged = judge_frame(graph, records, Policy.of(policy))
    frame: pd.DataFrame = judged.to_pandas(types_mapper=pd.ArrowDtype)
    return frame
