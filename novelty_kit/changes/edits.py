"""What lies between two points as a list of edits, any set of which can be tried on the first point.

Events of one log that the other lacks, and switches of the policy. Reads logs; writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from novelty_kit.graph import Graph
from novelty_kit.graph.log import log_lines
from novelty_kit.changes.edited import Added, EditedGraph, add_lines
from novelty_kit.changes.lines import event_places
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict

__all__ = ["Edits", "edits_between"]

_ALL = 2**31
# An event of another table decides nothing.
_DECIDING = ("paper", "claim", "citation_edge", "references_checked")


@dataclass(frozen=True, slots=True)
class Edit:
    """An event that the second point has and the first lacks (``added``) or the other way round, or a switch."""

    effect: str
    seq: int = 0
    graph_seq: int = 0
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

    @property
    def numbers(self) -> tuple[int, ...]:
        """The name of every edit, in the order of the log."""
        return tuple(range(len(self._edits)))

    def judge(self, candidate: Candidate, chosen: frozenset[int]) -> Verdict:
        """The candidate after some of the edits."""
        gone, kept, switched = [], [], {}
        for number, edit in enumerate(self._edits):
            if edit.switch:
                source = self._policy_to if number in chosen else self._policy
                switched[edit.switch] = getattr(source, edit.switch)
            elif edit.effect == "removed" and number in chosen:
                gone.append(edit.seq)
            elif edit.effect == "added" and number not in chosen and self._added is None:
                gone.append(edit.seq)
            elif edit.effect == "added" and number in chosen:
                kept.append(edit.graph_seq)
        policy = Policy.of({**self._policy.to_dict(), **switched})
        edited = EditedGraph.of(
            self._base, dropped=gone, added=self._added, kept=kept if self._added else None
        )
        return judge(edited, [candidate], policy, _ALL)[0]

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
        edits = [Edit(effect, seq) for seq in _deciding(late, early.as_of_seq)]
        return Edits(late, late, [*edits, *switches], None, policy, policy_to)
    n_same = _n_same(first, second)
    gone = [Edit("removed", seq) for seq in _deciding(first, n_same)]
    new = [seq for seq in _deciding(second, n_same)]
    texts = event_places(second, new)
    added = (
        add_lines(first, [json.dumps(texts[seq][0], ensure_ascii=False).encode() for seq in new])
        if new
        else None
    )
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
