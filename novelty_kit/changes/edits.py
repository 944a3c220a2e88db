"""What lies between two points as a list of edits, any set of which can be tried on the first point.

Events of one log that the other lacks, and switches of the policy. Reads logs; writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from novelty_kit.changes.along import points_near
from novelty_kit.changes.edited import Added, EditedGraph, add_lines
from novelty_kit.changes.index import index_of
from novelty_kit.changes.lines import event_places, raw_lines
from novelty_kit.changes.sets import Answer, judge_sets
from novelty_kit.graph import Graph
from novelty_kit.graph.log import log_lines
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy

__all__ = ["Edits", "edits_between"]

_ALL = 2**31
# Up to so many events a log is copied for each set of edits; beyond, sets are judged one by one.
_SMALL = 10_000
# An event of another table decides nothing.
_DECIDING = ("paper", "claim", "citation_edge", "references_checked")


@dataclass(frozen=True, slots=True)
class Edit:
    """An event that the second point has and the first lacks (``added``) or the other way round, or a switch."""

    effect: str
    seq: int = 0
    at_seq: int = 0
    switch: str = ""


class Edits:
    """All edits between two points; a set of them is named by their numbers."""

    def __init__(
        self,
        base: Graph,
        other: Graph,
        edits: Sequence[Edit],
        added: Added | None,
        policy: Policy,
        policy_to: Policy,
    ) -> None:
        self._base, self._other, self._edits, self._added = base, other, edits, added
        self._policy, self._policy_to = policy, policy_to
        edited = {edit.at_seq for edit in edits}
        self._always = [seq for seq in _deciding(base, 0) if seq not in edited]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The name of every edit, in the order of the log."""
        return tuple(range(len(self._edits)))

    @property
    def is_small(self) -> bool:
        """Whether many sets can be judged at once, each with a copy of the log."""
        return len(self._always) + len(self._edits) <= _SMALL

    def near(self, candidate: Candidate, lom_ids: Collection[str]) -> tuple[int, ...]:
        """The edits that come near the candidate or name one of some ids; switches and added lines all do."""
        seqs = points_near(self._base, candidate, self._policy) | seqs_naming(self._base, lom_ids)
        return tuple(
            number
            for number, edit in enumerate(self._edits)
            if edit.switch or edit.at_seq > self._base.n_events or edit.at_seq in seqs
        )

    def answers(self, candidate: Candidate, sets: Sequence[frozenset[int]]) -> list[Answer]:
        """Decision, overlap and coverage of the candidate after each of some sets of edits."""
        if not self.is_small:
            return [self._answer(candidate, chosen) for chosen in sets]
        found: list[Answer] = [{} for _ in sets]
        by_policy: dict[Policy, list[int]] = {}
        for no, chosen in enumerate(sets):
            by_policy.setdefault(self._policy_of(chosen), []).append(no)
        for policy, numbers in by_policy.items():
            events = [self._events_of(sets[no]) for no in numbers]
            judged = judge_sets(self._base, candidate, policy, self._added, self._always, events)
            for no, answer in zip(numbers, judged, strict=True):
                found[no] = answer
        return found

    def _answer(self, candidate: Candidate, chosen: frozenset[int]) -> Answer:
        """The same of one set, in a log that is too large to be copied."""
        kept = set(self._events_of(chosen))
        gone = [edit.at_seq for edit in self._edits if not edit.switch and edit.at_seq not in kept]
        log = [seq for seq in gone if seq <= self._base.n_events]
        graph = EditedGraph.of(
            self._base,
            dropped=log,
            added=self._added,
            kept=[seq for seq in kept if seq > self._base.n_events],
        )
        verdict = judge(graph, [candidate], self._policy_of(chosen), _ALL)[0]
        overlap = (verdict.in_sample, verdict.holdout, sorted(verdict.two_hop.items()), verdict.stub_overlap)
        coverage = (verdict.coverage["subject"], verdict.coverage_gap_total, verdict.nothing_compared)
        return {
            "decision": (verdict.rule, verdict.status == "incomparable"), "overlap": overlap, "coverage": coverage,
        }  # fmt: skip

    def _policy_of(self, chosen: frozenset[int]) -> Policy:
        switched = {
            edit.switch: getattr(self._policy_to if number in chosen else self._policy, edit.switch)
            for number, edit in enumerate(self._edits)
            if edit.switch
        }
        return Policy.of({**self._policy.to_dict(), **switched})

    def _events_of(self, chosen: frozenset[int]) -> list[int]:
        """The events of a set that not every set has."""
        return [
            edit.at_seq
            for number, edit in enumerate(self._edits)
            if not edit.switch and (edit.effect == "added") == (number in chosen)
        ]

    def told(self, found: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The events among some edits, as they stand in their logs."""
        events = [self._edits[number] for number in found if not self._edits[number].switch]
        sides = {side: event_places(graph, sorted(e.seq for e in events if (e.effect == "added") == (side == "second")))
                 for side, graph in (("first", self._base), ("second", self._other))}  # fmt: skip
        for edit in events:
            side = "second" if edit.effect == "added" else "first"
            event, place = sides[side][edit.seq]
            yield {"seq": edit.seq, "effect": edit.effect, "event": event, "place": place, "log": side}

    def switches(self, found: Sequence[int]) -> tuple[str, ...]:
        """The switches of the policy among some edits."""
        return tuple(self._edits[number].switch for number in found if self._edits[number].switch)


def edits_between(first: Graph, second: Graph, policy: Policy, policy_to: Policy) -> Edits:
    """The edits that lead from the first point to the second."""
    switches = [
        Edit("switched", switch=name)
        for name, value in policy.to_dict().items()
        if policy_to.to_dict()[name] != value
    ]
    if first.sha256 == second.sha256 and first.n_events == second.n_events:
        early, late = sorted((first, second), key=lambda graph: graph.as_of_seq)
        effect = "added" if second is late else "removed"
        edits = [Edit(effect, seq, seq) for seq in _deciding(late, early.as_of_seq)]
        return Edits(late, late, [*edits, *switches], None, policy, policy_to)
    n_same = _n_same(first, second)
    gone = [Edit("removed", seq, seq) for seq in _deciding(first, n_same)]
    new = _deciding(second, n_same)
    added = add_lines(first, list(raw_lines(second, new).values())) if new else None
    came = [Edit("added", seq, first.n_events + number) for number, seq in enumerate(new, 1)]
    return Edits(first, second, [*gone, *came, *switches], added, policy, policy_to)


def _deciding(graph: Graph, after_seq: int) -> list[int]:
    """The events after one, up to the graph's moment, that can decide anything."""
    con = graph._con.cursor()
    rows = con.execute(
        """
        SELECT event.seq FROM log.event AS event
        WHERE event.seq > $after AND event.seq <= $upto AND event.table_name IN (SELECT unnest($tables::VARCHAR[]))
        ORDER BY ALL
        """,
        {"after": after_seq, "upto": graph.as_of_seq, "tables": list(_DECIDING)},
    ).fetchall()
    con.close()
    return [seq for (seq,) in rows]


def _n_same(first: Graph, second: Graph) -> int:
    """How many lines the two logs begin with alike, up to their moments."""
    most, n_same = min(first.as_of_seq, second.as_of_seq), 0
    pairs = zip(_lines_of(first), _lines_of(second), strict=False)
    for mine, theirs in pairs:
        if n_same == most or mine != theirs:
            break
        n_same += 1
    return n_same


def _lines_of(graph: Graph) -> Iterator[bytes]:
    for _, run in log_lines(graph._source.plain()):
        yield from run.removesuffix(b"\n").split(b"\n")


def seqs_naming(graph: Graph, lom_ids: Collection[str]) -> set[int]:
    """The events of the log that name one of some nodes by any id that ever was its."""
    with index_of(graph) as con:
        con.execute(
            """
            CREATE TEMP TABLE spelled AS
            SELECT identifier.id_no FROM identifier
            WHERE identifier.lom_id IN (SELECT unnest($ids::VARCHAR[]))
            UNION
            SELECT place.id_no FROM place_span AS place
            INNER JOIN identifier ON identifier.id_no = place.node_no
            WHERE identifier.lom_id IN (SELECT unnest($ids::VARCHAR[]))
            """,
            {"ids": sorted(lom_ids)},
        )
        rows = con.execute(
            """
            SELECT seq FROM paper_event WHERE id_no IN (FROM spelled)
            UNION SELECT seq FROM claim_event WHERE about_no IN (FROM spelled)
            UNION SELECT seq FROM citation_edge_event WHERE citing_no IN (FROM spelled) OR cited_no IN (FROM spelled)
            UNION SELECT seq FROM references_checked_event WHERE id_no IN (FROM spelled)
            """
        ).fetchall()
    return {seq for (seq,) in rows}
