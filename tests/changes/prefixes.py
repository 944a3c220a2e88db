"""What a history must be: the twin, asked at every prefix of the log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "verdict"))

from engine import graph_of, key_of, write_log
from random_graphs import generate, policies
from twin import judge
from twin_log import read_log

__all__ = [
    "Row",
    "facts_of_twin",
    "generate",
    "graph_of",
    "histories",
    "judge",
    "key_of",
    "policies",
    "read_log",
    "write_log",
]

Row = dict[str, Any]
DECIDED = ("status", "verdict", "rule")


def facts_of_twin(result: Row) -> Row:
    """A twin's result in the words of ``before`` and ``after``."""
    overlap = result["citation_overlap"]
    return {
        "status": result["status"],
        "verdict": result["verdict"],
        "rule": result["decided_by"]["rule"],
        "n_in_sample": overlap["in_sample"]["n_shared"],
        "n_holdout": overlap["holdout"]["n_shared"],
        "n_stub": result["stub_overlap"]["n_shared"],
        "coverage_gap_total": result["coverage_gap_total"],
        "nothing_compared": result["nothing_compared"],
        "coverage": {
            name: result["coverage"][name] for name in ("subject", "n_compared", "n_covered", "n_covered_in")
        },
    }


def histories(
    events: list[Row], candidates: list[Row], policy: Row | None = None
) -> list[list[tuple[int, Row | None, Row]]]:
    """For each candidate seq, facts before and facts after of every change."""
    found: list[list[tuple[int, Row | None, Row]]] = [[] for _ in candidates]
    last: list[Row | None] = [None] * len(candidates)
    for seq in range(len(events) + 1):
        log = read_log(events[:seq])
        for no, candidate in enumerate(candidates):
            facts, before = facts_of_twin(judge(log, candidate, policy, 0)), last[no]
            if before is None or any(facts[name] != before[name] for name in DECIDED):
                found[no].append((seq, before, facts))
            last[no] = facts
    return found
