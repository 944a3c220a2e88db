"""The changes of candidates along a log: judged at every prefix.

Reads the graph; writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from novelty_kit.graph import Graph
from novelty_kit.history.lines import event_places
from novelty_kit.history.record import Change, Facts, History, facts_of
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy

__all__ = ["changes_along"]


def changes_along(graph: Graph, candidates: Sequence[Candidate], policy: Policy) -> History:
    """Judge candidates at every prefix of the log up to the graph's moment."""
    found: list[list[tuple[int, Facts | None, Facts]]] = [[] for _ in candidates]
    last: list[Facts | None] = [None] * len(candidates)
    names: list[str | None] = [None] * len(candidates)
    for seq in range(graph.as_of_seq + 1):
        for no, verdict in enumerate(judge(graph.as_of(seq), candidates, policy, 0)):
            facts, before = facts_of(verdict), last[no]
            if before is None or any(facts[name] != before[name] for name in ("status", "verdict", "rule")):
                found[no].append((seq, before, facts))
            last[no], names[no] = facts, verdict.candidate_id
    seqs = sorted({seq for rows in found for seq, _, _ in rows if seq})
    events = event_places(graph, seqs)
    changes = [
        Change(
            names[no], seq, after["status"], after["verdict"], after["rule"], *events.get(seq, (None, None)),
            before, after,
        )
        for no, rows in enumerate(found)
        for seq, before, after in rows
    ]  # fmt: skip
    about = {"files": list(graph.files), "as_of_seq": graph.as_of_seq, "sha256": graph.sha256}
    return History(tuple(changes), tuple(names), tuple(map(len, found)), about, policy.to_dict())
