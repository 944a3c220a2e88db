"""The demo log tells the worked cases: each line of worked.yaml is one state of it."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.graph import open_graph
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
CASES: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/cases/demo/worked.yaml").read_text("utf-8"))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


CANDIDATES = {row["id"]: {k: v for k, v in row.items() if k != "id"} for row in rows("candidates.jsonl")}


@pytest.fixture(scope="module")
def judged() -> dict[str, dict[str, Any]]:
    """The engine's result for every line of worked.yaml, by its name; each state of the log is judged once."""
    graph = open_graph(DEMO / "events.jsonl", cached=False)
    states: dict[str, list[dict[str, Any]]] = {}
    for case in CASES:
        states.setdefault(json.dumps([case["as_of"], case.get("policy")]), []).append(case)
    found = {}
    for state, cases in states.items():
        as_of, policy = json.loads(state)
        view = graph if as_of is None else graph.as_of(as_of)
        candidates = [read_candidate(CANDIDATES[case["candidate"]]) for case in cases]
        for case, verdict in zip(cases, judge(view, candidates, Policy.of(policy)), strict=True):
            found[case["name"]] = verdict.to_dict()
    return found


def seen(result: dict[str, Any]) -> dict[str, Any]:
    match, overlap = result["exact_key_match"], result["citation_overlap"]
    return {
        "status": result["status"],
        "verdict": result["verdict"],
        "rule": result["decided_by"]["rule"],
        "lom_id": result["lom_id"],
        "matched_on": match["matched_on"],
        "matched_lom_ids": match["matched_lom_ids"],
        "matched_claim_ids": match["matched_claim_ids"],
        "in_sample": overlap["in_sample"]["shared_lom_ids"],
        "holdout": overlap["holdout"]["shared_lom_ids"],
        "stub": result["stub_overlap"]["shared_lom_ids"],
        "gap": result["coverage_gap"],
        "gap_reasons": result["coverage_gap_reasons"],
        "slices": result["verdict_by_slice"],
        "blocking": [[e["scheme"], e["lookup"], e["http_status"]] for e in result["ingest_errors_blocking"]],
        "nothing_compared": result["nothing_compared"],
        "subject_coverage": result["coverage"]["subject"],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_state_of_the_log_gives_what_the_worked_case_says(
    judged: dict[str, dict[str, Any]], case: dict[str, Any]
) -> None:
    found = seen(judged[case["name"]])
    assert {field: found[field] for field in case["expect"]} == case["expect"]


def test_the_twin_says_the_same_of_each_state(
    judged: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "tests" / "verdict")])
    twin, engine = importlib.import_module("twin"), importlib.import_module("engine")
    events = rows("events.jsonl")
    wrong = []
    for case in CASES:
        log = events if case["as_of"] is None else events[: case["as_of"]]
        expected = twin.judge(log, CANDIDATES[case["candidate"]], case.get("policy"))
        wrong += [
            (case["name"], line)
            for line in engine.unlike(engine.in_twin_form(judged[case["name"]]), expected)
        ]
    assert wrong == []


def test_every_worked_case_is_told() -> None:
    told = {case["case"] for case in CASES}
    assert {f"W{n}" for n in range(1, 16)} <= told


def test_every_candidate_is_expected_at_the_head() -> None:
    at_head = {case["candidate"] for case in CASES if case["as_of"] is None}
    assert at_head == set(CANDIDATES)


def test_the_head_shows_every_verdict_and_every_status() -> None:
    expected = [case["expect"] for case in CASES if case["as_of"] is None and not case.get("policy")]
    assert {e.get("verdict") for e in expected} == {"duplicate", "neighborhood", "novel", "unknown"}
    assert {e["status"] for e in expected} == {"ok", "lookup_failed", "insufficient_edges", "incomparable"}
