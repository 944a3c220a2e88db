"""The plan: which lists to fetch, call by call, and what stays unknown whatever is fetched."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from novelty_kit.graph import Graph
from novelty_kit.keys import SCHEMES
from novelty_kit.output import for_terminal, shorten
from novelty_kit.planning.calls import bit_set, group_calls, members
from novelty_kit.planning.cover import Cover, fewest
from novelty_kit.planning.facts import Blocked, Needs, gather_needs
from novelty_kit.planning.sources import SOURCES
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.candidate_files import candidates_of
from novelty_kit.verdict.judge import judge_frame, ruled
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ASSUMES", "Batch", "Plan", "Undecidable", "plan"]

ASSUMES: Final = (
    "Every lookup is answered with a list that is not empty and shows no new link; a link decides sooner."
)
_WHY: Final = {
    "skipped_lines": "lines of the log were skipped: repair them, since an unread line may hold the link",
    "nothing_compared": "there is nothing to compare with: ingest papers or claims first",
    "empty_list": "its own list is recorded as empty, and no paper whose list could be fetched is known to cite it",
    "no_such_work": "it must be looked up first, and no service that knows such ids is left to ask",
    "nobody_to_ask": "no service is left that could be asked for {ids}",
    "incomparable": "it is incomparable ({ids}): no lookup helps",
}
_NAMED: Final = 3
_NEEDS_LOOKUP: Final = ("openalex", "s2")


@dataclass(frozen=True, slots=True)
class Batch:
    """One call: which service to ask for which ids, and the candidates that are decidable after it.

    A candidate stands at the call that ends its wait, the calls before it being answered too.
    """

    source: str
    ids: tuple[str, ...]
    unlocks: tuple[str | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the plan's file."""
        return {"source": self.source, "ids": list(self.ids), "unlocks": list(self.unlocks)}


@dataclass(frozen=True, slots=True)
class Undecidable:
    """A candidate that no lookup makes decidable.

    ``code`` is ``skipped_lines``, ``nothing_compared``, ``empty_list``, ``no_such_work``, ``nobody_to_ask`` or
    ``incomparable``; ``lom_ids`` are the nodes that stand in the way.
    """

    candidate_id: str | None
    why: str
    code: str
    lom_ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As in the plan's file; at most a hundred ids."""
        return {
            "candidate_id": self.candidate_id,
            "why": self.why,
            "code": self.code,
            "lom_ids": list(self.lom_ids[:100]),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """The fewest lookups that make verdicts decidable.

    Attributes
    ----------
    batches : tuple of Batch
        In the order in which to run them: each the one that unlocks most after those before it.
    undecidable : tuple of Undecidable
        In the order of the candidates.
    decided : tuple of str
        Candidates that wait for nothing.
    at_least : int
        No plan has fewer lookups; equal to ``n_lookups`` where this one is the least.
    judge_with_leave_out : tuple of str
        Candidates whose own work would be looked up and so ingested: judged again as they are, they would be
        duplicates of themselves. Judge them with ``leave_out: true``.
    """

    batches: tuple[Batch, ...]
    undecidable: tuple[Undecidable, ...]
    decided: tuple[str | None, ...]
    at_least: int
    judge_with_leave_out: tuple[str | None, ...] = ()

    @property
    def n_lookups(self) -> int:
        """Reference lists to fetch."""
        return sum(len(batch.ids) for batch in self.batches)

    def to_dict(self) -> dict[str, Any]:
        """The plan as ``novelty ingest plan`` reads it."""
        return {
            "batches": [batch.to_dict() for batch in self.batches],
            "undecidable": [one.to_dict() for one in self.undecidable],
            "decided": list(self.decided),
            "bound": {
                "n_lookups": self.n_lookups,
                "at_least": self.at_least,
                "is_least": self.n_lookups == self.at_least,
            },
            "judge_with_leave_out": list(self.judge_with_leave_out),
            "assumes": ASSUMES,
        }

    def lines(self, most: int = 20) -> list[str]:
        """The plan in words, a line each."""
        n_unlocked = sum(len(batch.unlocks) for batch in self.batches)
        least = "the fewest" if self.n_lookups == self.at_least else f"at least {self.at_least} are needed"
        told = [
            f"{_count(self.n_lookups, 'lookup')} ({least}) in {_count(len(self.batches), 'call')}"
            f" for {_count(n_unlocked, 'candidate')} to be decidable;"
            f" {len(self.decided)} are decided, {len(self.undecidable)} stay unknown"
        ]
        for no, batch in enumerate(self.batches[:most], start=1):
            told.append(
                f"  {no}. {batch.source}: {_some(batch.ids)}; unlocks {_some(batch.unlocks, 'nobody yet')}"
            )
        if len(self.batches) > most:
            told.append(f"  … and {len(self.batches) - most} calls more")
        for one in self.undecidable[:most]:
            name = shorten(
                one.candidate_id or "a candidate without an id", 120
            )  # the reason is to be read too
            told.append(f"  stays unknown: {name}: {one.why}")
        if len(self.undecidable) > most:
            told.append(f"  … and {len(self.undecidable) - most} more that stay unknown")
        if self.judge_with_leave_out:
            told.append(f"  afterwards judge with leave_out: {_some(self.judge_with_leave_out)}")
        return [for_terminal(shorten(line, 400)) for line in told]

    def __repr__(self) -> str:
        return f"<Plan: {_count(self.n_lookups, 'lookup')} in {_count(len(self.batches), 'call')}>"

    def _repr_html_(self) -> str:
        head, *rest = map(html.escape, self.lines())
        return f"<p>{head}</p><ul>{''.join(f'<li>{line.strip()}</li>' for line in rest)}</ul>"


def _count(n: int, what: str) -> str:
    return f"1 {what}" if n == 1 else f"{n} {what}s"


def _some(names: Sequence[str | None], nobody: str = "nobody") -> str:
    listed = ", ".join(shorten(name or "without an id", 60) for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{listed}{more}" if names else nobody


def plan(
    graph: Graph,
    candidates: Candidate | Mapping[str, Any] | str | os.PathLike[str] | pd.DataFrame | Iterable[Any],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
) -> Plan:
    """Plan the fewest lookups that make the verdicts of candidates decidable.

    Parameters
    ----------
    graph : Graph
    candidates : record, path, DataFrame or iterable of records
        One candidate or many, as for :func:`check` and :func:`check_many`.
    policy : mapping or Policy, optional

    Returns
    -------
    Plan
        Speaks of candidates whose status is ``insufficient_edges`` or ``lookup_failed``; ``to_dict()`` is what
        ``novelty ingest plan`` runs.

    Raises
    ------
    CandidateError, PolicyError
        With every problem of the records.

    Notes
    -----
    A list that is fetched covers its own node and, by policy ``in_edge_coverage``, every node that it is known to
    cite, so that one lookup may close several gaps. The least set is found exactly where that is quick, else
    greedily, with the bound printed. Cases in ``tests/planning``.
    """
    given = [candidates] if isinstance(candidates, Candidate | Mapping) else candidates
    found = candidates_of(os.fspath(given) if isinstance(given, os.PathLike) else given)
    chosen = Policy.of(policy)
    unresolved = _unresolved(graph, found, chosen)
    asked = [_as_resolved(c) if no in unresolved else c for no, c in enumerate(found)]
    with ruled(graph, asked, chosen) as con:
        needs = gather_needs(con, asked, unresolved, chosen, bool(graph.skipped_lines))
    labels = [c.label if c.label is not None else needs.subjects[no] for no, c in enumerate(found)]
    return _plan(needs, found, labels)


def _unresolved(graph: Graph, candidates: Sequence[Candidate], policy: Policy) -> set[int]:
    """Candidates that must be looked up before they can be judged."""
    maybe = [
        no
        for no, c in enumerate(candidates)
        if all(
            key.partition(":")[0] in _NEEDS_LOOKUP
            for key in (*c.keys, *([c.about_lom_id] if c.about_lom_id else []))
        )
    ]
    if not maybe:
        return set()
    status = judge_frame(graph, [candidates[no] for no in maybe], policy).column("status").to_pylist()
    return {no for no, told in zip(maybe, status, strict=True) if told == "lookup_failed"}


def _as_resolved(candidate: Candidate) -> Candidate:
    """The candidate as if its ids had been looked up and named nothing else."""
    about = [candidate.about_lom_id] if candidate.about_lom_id else []
    keys = sorted({*candidate.keys, *about}, key=lambda key: (SCHEMES.index(key.partition(":")[0]), key))
    return replace(candidate, keys=tuple(keys), resolved=True)


def _plan(needs: Needs, candidates: Sequence[Candidate], labels: Sequence[str | None]) -> Plan:
    union = reduce(or_, needs.gaps.values(), 0)
    every = [needs.meets[node] for node in members(union).tolist()]
    cover = fewest([*every, *(need for own in needs.own.values() for need in own)])
    wants = _wants(needs, union, cover)
    sources = {source.name: source for source in SOURCES}
    kinds = {lookup: (needs.ways[lookup][0], needs.ways[lookup][2]) for lookup in cover.chosen}
    calls = group_calls(kinds, {kind: sources[kind[0]].batch for kind in kinds.values()}, wants)
    batches = tuple(
        Batch(
            needs.ways[call.lookups[0]][0],
            tuple(sorted(needs.ways[lookup][1] for lookup in call.lookups)),
            tuple(labels[no] for no in call.unlocks),
        )
        for call in calls
    )
    asked = set(cover.chosen)
    own_work = [
        no
        for no in sorted(needs.asks_for_subject)
        if no in needs.gaps and candidates[no].kind == "paper" and not candidates[no].leave_out
        if any(asked & need for need in needs.own[no])
    ]
    return Plan(
        batches=batches,
        undecidable=tuple(_undecidable(labels[no], blocked) for no, blocked in sorted(needs.blocked.items())),
        decided=tuple(labels[no] for no in needs.decided),
        at_least=cover.at_least,
        judge_with_leave_out=tuple(labels[no] for no in own_work),
    )


def _undecidable(label: str | None, blocked: Blocked) -> Undecidable:
    ids = blocked.lom_ids
    why = _WHY[blocked.code].format(ids=_some(ids))
    return Undecidable(label, why, blocked.code, () if blocked.code == "incomparable" else ids)


def _wants(needs: Needs, union: int, cover: Cover) -> dict[int, list[int]]:
    """For each set of chosen lookups that candidates wait for, the candidates."""
    import numpy as np

    chosen = frozenset(cover.chosen)

    def met_by(need: frozenset[int], node: int) -> int:
        """Of several chosen lookups that would do, the node's own, else the first."""
        return node if node in need & chosen else min(need & chosen)

    nodes = members(union)
    answered = np.zeros(len(needs.names), dtype=np.int64)
    answered[nodes] = [met_by(needs.meets[node], node) for node in nodes.tolist()]
    of_gap: dict[int, int] = {}
    wants: dict[int, list[int]] = {}
    for no, gap in needs.gaps.items():
        if gap not in of_gap:
            flags = np.zeros(len(needs.names), dtype=bool)
            flags[answered[members(gap)]] = True
            of_gap[gap] = bit_set(flags)
        want = of_gap[gap]
        for need in needs.own[no]:
            want |= 1 << min(need & chosen)
        wants.setdefault(want, []).append(no)
    return wants
