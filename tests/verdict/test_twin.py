"""The twin itself: it agrees with the cases, and has the properties that the verdict must have."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from branches import branches
from case_files import differences, in_given_form, load_cases
from random_graphs import generate, policies
from twin import judge
from twin_case import Case, hidden_edges
from twin_log import Log, Row, event_key, read_log

CASES = load_cases()


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_the_twin_gives_what_the_case_expects(case: dict[str, Any]) -> None:
    given = case["given"]
    assert set(case) == {"name", "given", "expect", "why"}
    log = read_log(given["events"])
    results = [
        judge(log, candidate, given.get("policy"), given.get("max_listed", 100))
        for candidate in given["candidates"]
    ]
    assert differences(case["expect"], results) == []


def test_every_worked_case_has_its_file() -> None:
    files = {name.partition(":")[0] for name, _ in CASES}
    assert {f"w{n:02d}" for n in range(1, 16)} <= files


def test_the_twin_agrees_wholly_with_the_given_cases() -> None:
    if "NOVELTY_TEST_CASES" not in os.environ:
        pytest.skip("NOVELTY_TEST_CASES is not set")
    wrong = []
    folders = sorted((Path(os.environ["NOVELTY_TEST_CASES"]) / "verdict").iterdir())
    for folder in folders:
        events, candidates, expected = (
            [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines() if line]
            for name in ("events.jsonl", "candidates.jsonl", "expected.jsonl")
        )
        log = read_log(events)
        for candidate, line in zip(candidates, expected, strict=True):
            got = in_given_form(judge(log, candidate))
            wrong += [(folder.name, candidate["id"], f) for f in line if got[f] != line[f]]
    assert folders
    assert wrong == []


# ---- Properties over random logs


def questions(seeds: range, fixed: Row | None = None) -> Iterator[tuple[Log, Row, Row]]:
    """Log, candidate and policy, over all of these; ``fixed`` fixes some switches of every policy."""
    for seed in seeds:
        events, candidates = generate(seed)
        log = read_log(events)
        chosen = {json.dumps(policy | (fixed or {})): policy | (fixed or {}) for policy in policies(seed)}
        for candidate in candidates:
            for policy in chosen.values():
                yield log, candidate, policy


def with_edge(log: Log, citing: str, cited: str) -> Log:
    row = {"citing_lom_id": citing, "cited_lom_id": cited}
    return replace(log, citation_edge={**log.citation_edge, (citing, cited): row})


def with_rows(log: Log, rows: dict[str, Row]) -> Log:
    return replace(log, references_checked=rows)


def test_the_same_seed_gives_the_same_log_and_another_seed_another() -> None:
    assert generate(7) == generate(7)
    assert generate(7) != generate(8)
    assert policies(7) == policies(7)


def test_random_logs_reach_every_branch() -> None:
    seen: dict[str, int] = {}
    for log, candidate, policy in questions(range(250)):
        for name in branches(judge(log, candidate, policy), candidate):
            seen[name] = seen.get(name, 0) + 1
    kinds = [f": {kind}{how}" for kind in ("paper", "claim") for how in ("", " under leave_out")]
    verdicts = [
        "0 incomparable unknown",
        "0 lookup_failed unknown",
        "1 ok duplicate",
        "2 ok neighborhood",
        "3 insufficient_edges unknown",
        "4 ok novel",
    ]
    # A left-out paper cannot be a duplicate: one match is passed by, several make it incomparable.
    reachable = {v + k for v in verdicts for k in kinds} - {"1 ok duplicate: paper under leave_out"}
    reasons = {f"gap reason {r}" for r in ("contradicted", "checked_zero", "failed", "unchecked")}
    details = {
        "rule 2, two-hop path",
        "rule 4, subject covered in",
        "rule 4, nodes pruned by date",
        "slices differ",
    }
    assert {name: seen.get(name, 0) for name in reachable | reasons | details if seen.get(name, 0) < 5} == {}
    assert "1 ok duplicate: paper under leave_out" not in seen


def test_a_status_other_than_ok_is_unknown_and_ok_never_is() -> None:
    for log, candidate, policy in questions(range(250, 400)):
        result = judge(log, candidate, policy)
        assert (result["status"] != "ok") == (result["verdict"] == "unknown")
        assert result["out_degree_checked"] == (result["decided_by"]["rule"] in (3, 4))


def test_losing_or_failing_a_coverage_row_never_makes_a_verdict_novel() -> None:
    """But for the subject's own row where the candidate states its own."""
    tried = 0
    for log, candidate, policy in questions(range(400, 445)):
        case = Case(log, candidate, policy)
        if judge(log, candidate, policy)["verdict"] == "novel":
            continue
        for lom_id, row in log.references_checked.items():
            node = case.spoken_for(lom_id)
            if candidate.get("references_checked") is not None and node == case.subject:
                continue
            others = {i: r for i, r in log.references_checked.items() if i != lom_id}
            failed = {**row, "status": "failed", "n_refs": None}
            for worse in (with_rows(log, others), with_rows(log, {**others, lom_id: failed})):
                assert judge(worse, candidate, policy)["verdict"] != "novel"
                tried += 1
    assert tried > 1000


def test_adding_an_edge_never_makes_a_neighborhood_novel() -> None:
    tried = 0
    for log, candidate, policy in questions(range(520, 620)):
        before = judge(log, candidate, policy)
        if before["verdict"] != "neighborhood":
            continue
        rng = Random(tried)
        ids = sorted(
            {*log.owned, *Case(log, candidate, policy).all_nodes(), before["lom_id"], "pmid:99999999"}
        )
        for _ in range(4):
            after = judge(with_edge(log, rng.choice(ids), rng.choice(ids)), candidate, policy)
            assert after["verdict"] == "neighborhood"
            tried += 1
    assert tried > 500


def test_with_in_edges_refused_no_hidden_edge_turns_novel_into_neighborhood() -> None:
    """Over the whole graph: each hidden edge alone, and several of them at once."""
    strict = {"in_edge_coverage": "reject", "gate_scope": "graph"}
    verdicts = tried = 0
    for log, candidate, policy in questions(range(800, 920), strict):
        if judge(log, candidate, policy)["verdict"] != "novel":
            continue
        verdicts += 1
        hidden = hidden_edges(Case(log, candidate, policy))
        several = log
        for citing, cited in Random(verdicts).sample(hidden, min(4, len(hidden))):
            several = with_edge(several, citing, cited)
        for more in (several, *(with_edge(log, *edge) for edge in hidden)):
            assert judge(more, candidate, policy)["verdict"] != "neighborhood"
            tried += 1
    assert verdicts > 60
    assert tried > 1000


def test_with_in_edges_accepted_a_hidden_edge_can_turn_novel_into_neighborhood() -> None:
    """The weaker kind is weaker: the property above says something."""
    weaker = {"in_edge_coverage": "accept", "gate_scope": "graph"}
    assert any(
        judge(with_edge(log, *edge), candidate, policy)["verdict"] == "neighborhood"
        for log, candidate, policy in questions(range(800, 1150), weaker)
        if judge(log, candidate, policy)["verdict"] == "novel"
        for edge in hidden_edges(Case(log, candidate, policy))
    )


def test_the_order_of_unrelated_events_changes_nothing() -> None:
    """Only the order among events of one table and key counts."""
    for seed in range(1150, 1300):
        events, candidates = generate(seed)
        rng = Random(seed)
        turns: dict[Any, list[float]] = {}
        for event in events:
            turns.setdefault(event_key(event), []).append(rng.random())
        queues = {key: iter(sorted(values)) for key, values in turns.items()}
        placed = [(next(queues[event_key(event)]), n) for n, event in enumerate(events)]
        shuffled = read_log([events[n] for _, n in sorted(placed)])
        log = read_log(events)
        for candidate in candidates:
            assert judge(shuffled, candidate) == judge(log, candidate)


def test_a_stricter_policy_never_makes_a_verdict_novel() -> None:
    looser = [
        ({"in_edge_coverage": "accept"}, {"in_edge_coverage": "reject"}),
        ({"checked_zero_subject": "covered"}, {"checked_zero_subject": "in_edges_decide"}),
        ({"date_margin_years": 3}, {"date_margin_years": 10}),
        ({"date_margin_years": 3}, {"date_margin_years": "off"}),
        ({"in_sample_only": "novel"}, {"in_sample_only": "neighborhood"}),
        ({"in_sample_only": "neighborhood", "gate_scope": "neighbourhood"}, {"gate_scope": "graph"}),
    ]
    for log, candidate, policy in questions(range(1300, 1340)):
        for loose, strict in looser:
            if judge(log, candidate, policy | loose | strict)["verdict"] == "novel":
                assert judge(log, candidate, policy | strict | loose)["verdict"] == "novel"


def test_holding_nodes_out_changes_no_verdict_by_default() -> None:
    for seed in range(1360, 1460):
        events, candidates = generate(seed)
        log = read_log(events)
        for candidate in candidates:
            verdicts = {
                judge(log, candidate | {"holdout_lom_ids": held})["verdict"]
                for held in (None, [], sorted(log.owned), candidate.get("holdout_lom_ids"))
            }
            assert len(verdicts) == 1


def test_an_unread_line_makes_nothing_novel() -> None:
    for log, candidate, policy in questions(range(1460, 1500)):
        result = judge(log, candidate, policy, skipped_lines=1)
        assert "novel" not in {result["verdict"], *result["verdict_by_slice"].values()}
        if judge(log, candidate, policy)["verdict"] == "novel":
            assert result["status"] == "insufficient_edges"
