"""Candidates that must be looked up first: ask, then judge again (novelty reference, section 5, rule 0).

Takes the one who asks as an argument; nothing is fetched here. A lookup that fails stays the reason why there is no
verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from novelty_kit.graph import Graph
from novelty_kit.keys import SCHEMES
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict

__all__ = ["Answer", "judge_resolved"]


class Answer(Protocol):
    """What came of looking ids up: all ids of the work, or why there are none."""

    @property
    def lom_ids(self) -> tuple[str, ...]:
        """Every id of the work in normal form; empty where no lookup was answered."""

    @property
    def blocking(self) -> tuple[dict[str, Any], ...]:
        """The failed lookups: ``scheme``, ``lookup``, ``http_status``, ``reason``."""


def judge_resolved(
    graph: Graph,
    candidates: Sequence[Candidate],
    policy: Policy,
    max_listed: int,
    resolver: Callable[[Sequence[str]], Answer],
) -> list[Verdict]:
    """Judge candidates; those that must be looked up first are looked up and judged again.

    Parameters
    ----------
    graph, candidates, policy, max_listed
        As for :func:`novelty_kit.verdict.judge.judge`.
    resolver : callable
        Takes the ids of one candidate and gives what the services say of them.

    Returns
    -------
    list of Verdict
        In the order of the candidates. A lookup that fails stands in ``ingest_errors_blocking`` as it was answered.
    """
    verdicts = judge(graph, candidates, policy, max_listed)
    again: dict[int, Candidate] = {}
    for no, (candidate, verdict) in enumerate(zip(candidates, verdicts, strict=True)):
        if verdict.status == "lookup_failed":
            answer = resolver([item["lookup"] for item in verdict.ingest_errors_blocking])
            if answer.lom_ids:
                again[no] = _resolved(candidate, answer.lom_ids)
            else:
                verdicts[no] = replace(verdict, ingest_errors_blocking=answer.blocking)
    for no, verdict in zip(again, judge(graph, list(again.values()), policy, max_listed), strict=True):
        label = verdicts[no].candidate_id
        verdicts[no] = replace(verdict, candidate_id=label)
    return verdicts


def _resolved(candidate: Candidate, lom_ids: Sequence[str]) -> Candidate:
    """The candidate with all ids of its work; what it is about is then named by them."""
    keys = sorted({*candidate.keys, *lom_ids}, key=lambda key: (SCHEMES.index(key.partition(":")[0]), key))
    about = None if candidate.about_lom_id in lom_ids else candidate.about_lom_id
    return replace(candidate, keys=tuple(keys), about_lom_id=about, resolved=True)
