"""Two results of one candidate beside each other, and a least set of events that accounts for the change.

The two points may be of one log, of two logs, or under two policies. What lies between them is a list of edits
(an event put in or taken out, a policy switched); sets of edits are tried on the log in thought.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from novelty_kit.changes.api import read_many
from novelty_kit.changes.edits import Edits, edits_between
from novelty_kit.changes.minimal import is_needed_alone, least
from novelty_kit.changes.record import Difference, Differing
from novelty_kit.graph import Graph
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["diff", "what_differs"]

_ALL = 2**31  # a list in a difference is never cut


def diff(
    graph: Graph,
    candidates: Candidate
    | Mapping[str, Any]
    | str
    | os.PathLike[str]
    | pd.DataFrame
    | Iterable[Mapping[str, Any] | Candidate],
    a: int | str | None = None,
    b: int | str | None = None,
    *,
    graph_to: Graph | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
    policy_to: Policy | Mapping[str, Any] | None = None,
) -> Difference:
    """What is otherwise between two points, and a least set of events that accounts for it.

    Parameters
    ----------
    graph : Graph
    candidates : mapping, Candidate, path, DataFrame or iterable of records
    a, b : int or str, optional
        The two points, each a seq or a time; without one, the graph as it was given. `b` is a point of
        `graph_to` where that is given.
    graph_to : Graph, optional
        Another log for the second point.
    policy, policy_to : mapping or Policy, optional
        The policy of the first point, and that of the second; without the latter, the same.

    Returns
    -------
    Difference
        For each candidate both results, and the events without any one of which the change does not happen.
        The change is that of status, verdict or rule; where these are alike, that of the overlap; where that is
        alike too, that of the coverage.

    Raises
    ------
    CandidateError, PolicyError, InputError
        A record, a switch or a point is wrong.
    """
    found = read_many(candidates)
    chosen = Policy.of(policy)
    other = chosen if policy_to is None else Policy.of(policy_to)
    first = graph if a is None else graph.as_of(a)
    second = graph if graph_to is None else graph_to
    second = second if b is None else second.as_of(b)
    before = judge(first, found, chosen, _ALL)
    after = judge(second, found, other, _ALL)
    pairs = list(zip(before, after, strict=True))
    edits = (
        edits_between(first, second, chosen, other) if any(what_differs(*pair) for pair in pairs) else None
    )
    items = tuple(_account(edits, candidate, *pair) for candidate, pair in zip(found, pairs, strict=True))
    return Difference(items, _point(first, chosen), _point(second, other))


def _point(graph: Graph, policy: Policy) -> dict[str, Any]:
    return {
        "files": list(graph.files), "as_of_seq": graph.as_of_seq, "sha256": graph.sha256, "policy": policy.to_dict(),
    }  # fmt: skip


def what_differs(before: Verdict, after: Verdict) -> str:
    """The first that differs of decision, overlap and coverage; empty where nothing does."""
    return next((name for name, of in _ASPECTS.items() if of(before) != of(after)), "")


def _decision(verdict: Verdict) -> Any:
    return verdict.status, verdict.verdict, verdict.rule


def _overlap(verdict: Verdict) -> Any:
    return verdict.in_sample, verdict.holdout, verdict.two_hop, verdict.stub_overlap


def _coverage(verdict: Verdict) -> Any:
    return verdict.coverage["subject"], verdict.coverage_gap_total, verdict.nothing_compared


_ASPECTS = {"decision": _decision, "overlap": _overlap, "coverage": _coverage}


def _account(edits: Edits | None, candidate: Candidate, before: Verdict, after: Verdict) -> Differing:
    about = what_differs(before, after)
    plain = Differing(before.candidate_id, before, after, about)
    if not about or edits is None:
        return plain
    everything = frozenset(edits.numbers)
    wanted = edits.answers(candidate, [everything])[0][about]
    asked = {everything: True}

    def first(sets: Sequence[frozenset[int]]) -> int | None:
        for number in range(0, len(sets), step):
            new = [chosen for chosen in sets[number : number + step] if chosen not in asked]
            answers = edits.answers(candidate, new) if new else []
            asked.update((chosen, told[about] == wanted) for chosen, told in zip(new, answers, strict=True))
            fits = next((n for n, chosen in enumerate(sets[number : number + step]) if asked[chosen]), None)
            if fits is not None:
                return number + fits
        return None

    step = 32 if edits.is_small else 1
    elements = edits.numbers
    if len(elements) > step or not edits.is_small:
        near = edits.near(candidate, {*before.coverage_gap, *after.coverage_gap})
        elements = near if first([frozenset(near)]) is not None else elements
    found = least(elements, first)
    several = not is_needed_alone(edits.numbers, found, first)
    return replace(plain, events=tuple(edits.told(found)), policies=edits.switches(found), several=several)
