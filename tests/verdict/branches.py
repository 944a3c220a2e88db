"""Which branches of the rules a result went through, and how often random logs reach each.

Run as a program it prints the table: ``PYTHONPATH=. python tests/verdict/branches.py 5000``.
"""

from __future__ import annotations

import sys
from collections import Counter

from random_graphs import generate, policies
from twin import judge
from twin_log import Row, read_log


def branch_table(n_graphs: int) -> list[str]:
    """How often each branch is reached: under the default policy, then under all of ``policies``."""
    default: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for seed in range(n_graphs):
        events, candidates = generate(seed)
        log = read_log(events)
        for candidate in candidates:
            for n, policy in enumerate(policies(seed)):
                names = branches(judge(log, candidate, policy), candidate)
                every.update(names)
                if n == 0:
                    default.update(names)
    return [f"{default[name]:>7} {every[name]:>7}  {name}" for name in sorted(every)]


def branches(result: Row, candidate: Row) -> list[str]:
    """The names of the branches that one result went through."""
    coverage, overlap = result["coverage"], result["citation_overlap"]
    verdict = f"{result['decided_by']['rule']} {result['status']} {result['verdict']}"
    whole = f"{verdict}: {result['kind']}" + (" under leave_out" if candidate.get("leave_out") else "")
    details = {f"gap reason {reason}": True for reason in result["coverage_gap_reasons"].values()} | {
        f"rule {verdict[0]}, subject covered {coverage['subject']}": True,
        f"rule {verdict[0]}, two-hop path": bool(overlap["two_hop"]),
        f"rule {verdict[0]}, nodes pruned by date": coverage["n_pruned"] > 0,
        f"rule {verdict[0]}, nodes resting on in-edges": coverage["n_covered_in"] > 0,
        f"rule {verdict[0]}, stub neighbours": result["stub_overlap"]["n_shared"] > 0,
        "slices differ": result["verdict_by_slice"]["holdout"]
        not in (None, result["verdict_by_slice"]["in_sample"]),
        "holdout unmatched": bool(result["holdout_unmatched"]),
        "holdout list empty": result["holdout_applied"] and not result["holdout_lom_ids"],
        "nothing compared": result["nothing_compared"],
        "several matches": len(result["exact_key_match"]["matched_lom_ids"]) > 1,
        "match passed by under leave_out": result["exact_key_match"]["hit"] and verdict[0] not in "01",
        "stored error blocking": any(e["http_status"] is not None for e in result["ingest_errors_blocking"]),
        "nothing can be named": result["lom_id"] is None,
        "holdout names the subject": "holdout_is_subject" in result["advisory_codes"],
    }
    return [whole, *(name for name, holds in details.items() if holds)]


if __name__ == "__main__":
    print("default     all  branch")
    print("\n".join(branch_table(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)))
