"""The published shapes: what the tool writes and reads fits them, and they are schemas in every word."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from novelty_kit.errors import CandidateError
from novelty_kit.graph import open_graph
from novelty_kit.graph.lines import check_line
from novelty_kit.schemas import NAMES, schema_of
from novelty_kit.verdict.candidate import KEY_FIELDS, read_candidate
from novelty_kit.verdict.candidate_files import load_candidates
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
Row = dict[str, Any]

# Words of JSON Schema that these schemas use; jsonschema passes over a misspelt one in silence.
WORDS = {
    "$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "required", "properties",
    "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum", "minLength", "pattern", "format",
    "anyOf", "allOf", "not", "if", "then", "else",
}  # fmt: skip


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name), format_checker=FormatChecker())


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


def faults(name: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message:.200}" for error in validator(name).iter_errors(value)]


def words_of(schema: Any) -> set[str]:
    """Every keyword in a schema, but the names of properties and definitions."""
    if not isinstance(schema, dict):
        return {word for item in schema for word in words_of(item)} if isinstance(schema, list) else set()
    found = set(schema)
    for word, value in schema.items():
        if word in ("properties", "$defs"):
            found |= {inner for below in value.values() for inner in words_of(below)}
        elif word not in ("enum", "const", "required"):
            found |= words_of(value)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_a_schema_in_every_word(name: str) -> None:
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    assert words_of(schema) <= WORDS
    assert json.loads(json.dumps(schema)) == schema


def test_the_demo_s_candidates_and_events_fit() -> None:
    for candidate in rows("candidates.jsonl") + rows("audited.jsonl"):
        assert faults("candidate", candidate) == []
        assert faults("candidate", {"candidate": candidate, "graph": {"events_jsonl": "events.jsonl"}}) == []
    check = validator("event")
    wrong = [
        (n, error.message)
        for n, event in enumerate(rows("events.jsonl"), 1)
        for error in check.iter_errors(event)
    ]
    assert wrong == []


def test_every_result_fits() -> None:
    graph = open_graph(DEMO / "events.jsonl", cached=False)
    candidates = load_candidates(str(DEMO / "candidates.jsonl"))[0]
    results = [verdict.to_dict() for verdict in judge(graph, candidates, Policy(date_margin_years="off"))]
    results += [verdict.to_dict() for verdict in judge(graph.as_of(0), candidates, Policy())]
    check = validator("result")
    assert [(r["candidate_id"], error.message) for r in results for error in check.iter_errors(r)] == []
    assert {r["status"] for r in results} == set(schema_of("result")["properties"]["status"]["enum"])
    # The order of the fields is the reference's, and every field of the schema is told somewhere.
    listed = list(schema_of("result")["properties"])
    for result in results:
        assert [name for name in listed if name in result] == list(result)
    assert set(listed) == {name for result in results for name in result}


def test_a_result_that_lost_a_field_or_contradicts_itself_does_not_fit() -> None:
    graph = open_graph(DEMO / "events.jsonl", cached=False)
    (verdict,) = judge(graph, [read_candidate(rows("candidates.jsonl")[0])], Policy())
    result = json.loads(json.dumps(verdict.to_dict()))
    assert faults("result", result) == []
    for name in result:
        assert faults("result", {key: value for key, value in result.items() if key != name}) != []
    for changed in (
        {"verdict": "unknown"}, {"status": "insufficient_edges"}, {"verdict": "new"}, {"not_a_ranker": False},
        {"embedding": {"used": True}}, {"decided_by": {"rule": 5, "name": "novel"}}, {"coverage_gap_total": -1},
        {"graph": {**result["graph"], "sha256": result["graph"]["sha256"] + "\n"}},
        {"graph": {**result["graph"], "as_of_seq": 1.5}}, {"policy": {**result["policy"], "gate_scope": "all"}},
    ):  # fmt: skip
        assert faults("result", result | changed) != [], changed


FITTING: list[Row] = [
    {"kind": "paper"},
    {"kind": "paper", "keys": None, "title": None, "references": None, "leave_out": None},
    {"kind": "paper", "keys": dict.fromkeys(KEY_FIELDS), "holdout_lom_ids": []},
    {"kind": "claim", "leave_out": True, "claim_id": "one", "statement": "s"},
    {"kind": "paper", "references_checked": {"status": "failed"}},
    {
        "kind": "paper",
        "references_checked": {"status": "ok", "n_refs": 0, "checked_ts": "2026-09-03T00:00:00Z"},
    },
    {"kind": "paper", "publication_date": "2019"},
    {"candidate": {"kind": "paper"}},
    {"candidate": {"kind": "paper"}, "graph": None},
    {"candidate": {"kind": "paper"}, "graph": {"events_jsonl": "e.jsonl"}},
]
UNFIT: list[Any] = [
    None, [], "paper", {}, {"kind": "Paper"}, {"kind": ["paper"]}, {"kind": "paper", "key": {}},
    {"kind": "paper", "keys": {"isbn": "1"}}, {"kind": "paper", "keys": {"pmid": 7}}, {"kind": "paper", "keys": []},
    {"kind": "paper", "references": "W7"}, {"kind": "paper", "references": [7]}, {"kind": "paper", "references": [""]},
    {"kind": "paper", "leave_out": 1}, {"kind": "paper", "leave_out": "true"}, {"kind": "paper", "title": 5},
    {"kind": "paper", "publication_date": 2019}, {"kind": "paper", "publication_date": "2019\n"},
    {"kind": "paper", "publication_date": "19"}, {"kind": "paper", "claim_id": "one", "leave_out": True},
    {"kind": "claim", "claim_id": "one"}, {"kind": "claim", "claim_id": "one", "leave_out": False},
    {"kind": "paper", "references_checked": {}}, {"kind": "paper", "references_checked": {"status": "ok"}},
    {"kind": "paper", "references_checked": {"status": "ok", "n_refs": None}},
    {"kind": "paper", "references_checked": {"status": "ok", "n_refs": -1}},
    {"kind": "paper", "references_checked": {"status": "ok", "n_refs": True}},
    {"kind": "paper", "references_checked": {"status": "failed", "checked_ts": "yesterday"}},
    {"candidate": {"kind": "paper"}, "graph": "e.jsonl"}, {"candidate": {"kind": "paper"}, "grahp": None},
    {"candidate": {"kind": "paper", "foo": 1}}, {"candidate": None},
]  # fmt: skip


def test_the_schema_of_a_candidate_accepts_and_refuses_what_the_reader_does() -> None:
    """But for what a schema cannot say: the forms of ids and the days of a calendar."""
    for record in FITTING:
        assert faults("candidate", record) == [], record
        read_candidate(record)
    for record in UNFIT:
        assert faults("candidate", record) != [], record
        with pytest.raises(CandidateError):
            read_candidate(record)


def event(table: str, op: str = "upsert", **row: Any) -> Row:
    return {"op": op, "table": table, "row": row}


EVENTS: list[tuple[Row, bool]] = [
    (event("paper", lom_id="W1"), True),
    (event("papers", lom_id="W1", read=None, doi=None, publication_date="2019-05"), True),
    (event("paper", title="no id"), False),
    (event("paper", lom_id=5), False),
    (event("paper", lom_id="W1", read="yes"), False),
    (event("paper", lom_id="W1", publication_date="2019\n"), False),
    (event("paper", "delete", lom_id="W1", read=True), True),
    (event("paper", "delete"), False),
    (event("citation_edge", citing_lom_id="W1", cited_lom_id="W2"), True),
    (event("citation_edges", src="W1", dst="W2", context=None), True),
    (event("citation_edge", src="W1"), False),
    (event("citation_edge", "delete", src="W1", cited_lom_id="W2"), True),
    (event("references_checked", lom_id="W1", status="ok", n_refs=0), True),
    (event("references_checked", lom_id="W1", status="failed", n_refs=None, reason="429"), True),
    (event("references_checked", lom_id="W1", status="ok"), False),
    (event("references_checked", lom_id="W1", status="ok", n_refs=None), False),
    (event("references_checked", lom_id="W1", status="ok", n_refs=True), False),
    (event("references_checked", lom_id="W1", status="done", n_refs=1), False),
    (event("references_checked", lom_id="W1", n_refs=1), False),
    (event("references_checked", lom_id="W1", status="failed", checked_ts="today"), False),
    (event("references_checked", "delete", lom_id="W1"), True),
    (event("claim", claim_id="one"), True),
    (event("claim", claim_id=""), False),
    (event("claim", about_lom_id="W1"), False),
    (event("ingest_error", scheme="s2", lookup="x", http_status=429), True),
    (event("ingest_error", scheme="s2"), False),
    (event("same_work", lom_id="W1", same_as_lom_id="W2", relation="merged"), True),
    (event("same_work", lom_id="W1", same_as_lom_id="W2", relation="alike"), False),
    (event("a_table_of_ours", anything=[1]), True),
    ({"op": "insert", "table": "paper", "row": {"lom_id": "W1"}}, False),
    ({"op": "upsert", "table": "paper"}, False),
    ({"op": "upsert", "row": {}}, False),
    ({"op": "upsert", "table": "paper", "row": []}, False),
    ({**event("paper", lom_id="W1"), "ts": "2026-09-03T00:00:00Z", "more": {"kept": True}}, True),
    ({**event("paper", lom_id="W1"), "ts": "yesterday"}, False),
]


@pytest.mark.parametrize(("record", "fits"), EVENTS, ids=lambda value: json.dumps(value)[:60])
def test_the_schema_of_an_event_accepts_and_refuses_what_the_log_does(record: Row, fits: bool) -> None:
    assert (faults("event", record) == []) is fits
    assert (check_line(json.dumps(record).encode()).faults == ()) is fits


def test_random_logs_and_candidates_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "tests" / "verdict")])
    from random_graphs import generate

    events, candidates = validator("event"), validator("candidate")
    for seed in range(60):
        logged, asked = generate(seed)
        assert [(seed, error.message) for row in logged for error in events.iter_errors(row)] == []
        assert [(seed, error.message) for row in asked for error in candidates.iter_errors(row)] == []
