"""The made-up manuscript, its passport, results and reviews fit together, and say that they are made up."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.priorart import TextStore, build_record, read_claims, read_search_log, read_verdicts

Row = dict[str, Any]
DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
RUN = DEMO / "run"
DRAFT = (DEMO / "draft.md").read_text("utf-8")
PASSPORT: Row = yaml.safe_load((DEMO / "passport.yaml").read_text("utf-8"))
EXPERIMENTS: dict[str, Row] = {entry["experiment_id"]: entry for entry in PASSPORT["experiment_provenance"]}
CLAIMS: dict[str, Row] = {
    claim["claim_id"]: claim
    for manifest in PASSPORT["claim_intent_manifests"]
    for claim in manifest["claims"]
}


def load(path: Path) -> Row:
    loaded: Row = json.loads(path.read_text("utf-8"))
    return loaded


def section(heading: str) -> str:
    return DRAFT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def test_the_passport_has_two_experiments_and_every_plan_names_one() -> None:
    assert len(EXPERIMENTS) == 2
    planned = {e for claim in CLAIMS.values() for e in claim.get("planned_experiment_ids", [])}
    assert planned == set(EXPERIMENTS)


def test_every_claim_of_the_passport_stands_in_the_draft() -> None:
    assert all(claim["claim_text"].removesuffix(".") in DRAFT for claim in CLAIMS.values())


def test_every_negative_result_and_limitation_is_told_where_readers_look() -> None:
    for entry in EXPERIMENTS.values():
        assert all(item["description"] in section("Results") for item in entry["negative_results"])
        for item in entry["known_limitations"]:
            assert item["description"].removesuffix(" only.") in section("Limitations")


def test_every_planned_and_executed_unit_has_a_reason_or_a_result() -> None:
    for entry in EXPERIMENTS.values():
        for unit in entry["planned_vs_executed"]:
            assert (DEMO / unit["result_file"]).is_file() if unit["executed"] else unit["skip_reason"]


def test_recorded_values_are_those_of_the_result_files() -> None:
    for entry in EXPERIMENTS.values():
        for unit in entry["planned_vs_executed"]:
            if "metric" in unit:
                assert load(DEMO / unit["result_file"])[unit["metric"]] == unit["value"]
    for row in PASSPORT["experiment_alignment_results"]:
        file, metric = row["result_pointer"].split("#")
        assert str(load(DEMO / file)[metric]) in row["claim_text"]


def test_the_curve_agrees_with_the_point_that_is_claimed() -> None:
    with (DEMO / "results/margin_curve.csv").open(encoding="utf-8", newline="") as file:
        curve = {row["margin_years"]: row for row in csv.DictReader(file)}
    point = load(DEMO / "results/margin_sweep.json")
    assert float(curve["3"]["missed_link_rate"]) == point["missed_link_rate_at_three_years"]
    assert float(curve["3"]["undecided_rate"]) == point["undecided_rate_at_three_years"]


def test_every_reference_marker_of_the_draft_has_an_entry() -> None:
    slugs = {part.split("-->", 1)[0] for part in DRAFT.split("<!--ref:")[1:]}
    assert slugs
    assert all(f"\n- {slug}: " in section("References") for slug in slugs)
    assert {ref for claim in CLAIMS.values() for ref in claim["planned_refs"]} <= slugs


@pytest.mark.parametrize("name", ["H-0001", "H-0002", "H-0003"])
def test_a_manifest_counts_what_it_lists(name: str) -> None:
    manifest = load(RUN / f"citations/{name}.json")
    found = [entry["status"] for entry in manifest["citations"]]
    summary = manifest["summary"]
    assert summary["total"] == len(found)
    assert all(summary[status] == found.count(status) for status in ("verified", "phantom", "unverified"))
    room = "quarantine" if name == "H-0003" else "hypotheses"
    evidence = load(RUN / f"{room}/{name}.json")["evidence"]
    assert [entry["id"] for entry in manifest["citations"]] == [item["lit_id"] for item in evidence]


def test_what_does_not_exist_uses_the_doi_prefix_for_examples() -> None:
    phantoms = {
        entry["id"]
        for path in (RUN / "citations").iterdir()
        for entry in load(path)["citations"]
        if entry["status"] == "phantom"
    }
    assert len(phantoms) == 2
    assert all(phantom.startswith("doi:10.5555/") for phantom in phantoms)


def test_reviews_agree_with_their_manifests() -> None:
    paths = sorted((RUN / "reviews").iterdir())
    assert [path.name for path in paths] == [
        "H-0001.R-01.json",
        "H-0001.R-02.json",
        "H-0002.R-01.json",
        "H-0003.R-01.json",
    ]
    caps = {"H-0001": 5, "H-0002": 2, "H-0003": 1}
    for path in paths:
        review = load(path)
        manifest = load(RUN / review["citation_manifest"])
        by_status: dict[str, list[str]] = {"verified": [], "phantom": []}
        for entry in manifest["citations"]:
            by_status[entry["status"]].append(entry["id"])
        assert review["verified_citations"] == by_status["verified"]
        assert review["phantom_citations"] == by_status["phantom"]
        assert review["scores"]["correctness"] <= caps[review["hypothesis_id"]]


def test_audited_candidates_point_at_what_is_there() -> None:
    rows = [json.loads(line) for line in (DEMO / "audited.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        for field in ("passport", "manuscript", "review_run", "priorart"):
            assert field not in row or (DEMO / row[field]).exists()
        rooms = [RUN / room / f"{row['hypothesis_id']}.json" for room in ("hypotheses", "quarantine")]
        (hypothesis,) = [load(path) for path in rooms if path.exists()]
        assert row["kind"] == "paper" or row["statement"] == hypothesis["statement"]


def test_everything_made_up_says_so() -> None:
    assert "source: demo" in DRAFT
    assert '"source": "demo"' in (DEMO / "passport.yaml").read_text("utf-8")
    assert '"source": "demo"' in (RUN / "run.yaml").read_text("utf-8")
    assert all(load(path)["source"] == "demo" for path in (DEMO / "results").glob("*.json"))
    assert all("made up" in load(path)["verifier"] for path in (RUN / "citations").iterdir())


PRIORART = DEMO / "priorart"


def lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_novelty_claim_stands_in_the_draft_on_the_line_it_names() -> None:
    for claim in load(PRIORART / "claims.json")["novelty_claims"]:
        heading, line = claim["location"].split(", line ")
        assert claim["text"] in DRAFT.splitlines()[int(line) - 1]
        assert f"# {heading}\n" in DRAFT
        assert claim["admissible"] == (claim["search_target"] is not None) == ("reason" not in claim)


def test_every_admissible_claim_has_one_verdict_and_all_four_verdicts_occur() -> None:
    claims = load(PRIORART / "claims.json")["novelty_claims"]
    verdicts = json.loads((PRIORART / "verdicts.json").read_text("utf-8"))
    assert [c["claim_id"] for c in claims if c["admissible"]] == [v["claim_id"] for v in verdicts]
    assert {v["verdict"] for v in verdicts} == {
        "collision",
        "uncited-relevant",
        "clear-under-search",
        "inconclusive",
    }


def test_every_quote_stands_where_it_says_in_a_text_that_a_search_for_its_claim_found() -> None:
    sources = {row["text_sha256"]: row for row in lines(PRIORART / "sources.jsonl")}
    log = lines(PRIORART / "search_log.jsonl")
    for verdict in json.loads((PRIORART / "verdicts.json").read_text("utf-8")):
        found = {
            candidate["text_sha256"]
            for search in log
            if search["claim_id"] == verdict["claim_id"]
            for candidate in search["candidates"]
        }
        for quote in verdict.get("quotes", []):
            source = sources[quote["text_sha256"]]
            raw = (PRIORART / "fetched" / f"{source['name']}.txt").read_bytes()
            assert hashlib.sha256(raw).hexdigest() == quote["text_sha256"] == source["raw_sha256"]
            assert raw.decode("utf-8")[quote["start"] : quote["end"]] == quote["text"]
            assert quote["text"] not in DRAFT
            assert quote["text_sha256"] in found


def test_a_clear_verdict_has_a_completed_search_and_an_inconclusive_one_has_none() -> None:
    completed = {
        search["claim_id"]
        for search in lines(PRIORART / "search_log.jsonl")
        if search["state"] == "completed"
    }
    for verdict in json.loads((PRIORART / "verdicts.json").read_text("utf-8")):
        assert (verdict["claim_id"] in completed) == (verdict["verdict"] != "inconclusive")


def test_the_store_holds_each_fetched_text_under_its_hash() -> None:
    store = TextStore(PRIORART / "store")
    for source in lines(PRIORART / "sources.jsonl"):
        raw = (PRIORART / "fetched" / f"{source['name']}.txt").read_bytes()
        assert store.text(source["text_sha256"]).encode() == raw
        (row,) = store.rows(source["text_sha256"])
        assert (row.url, row.fetched_at, row.raw_sha256) == (
            source["url"],
            source["fetched_at"],
            source["raw_sha256"],
        )
    for kind in ("raw", "text", "row"):
        assert len(list((PRIORART / "store" / kind).iterdir())) == 3


def test_the_record_of_the_folder_keeps_every_verdict_as_it_was_given() -> None:
    record = build_record(
        read_verdicts(str(PRIORART / "verdicts.json")),
        claims=read_claims(str(PRIORART / "claims.json")),
        log=read_search_log(str(PRIORART / "search_log.jsonl")),
        store=TextStore(PRIORART / "store"),
    )
    assert record.counts == {
        "clear_under_search": 1,
        "collisions": 1,
        "uncited_relevant": 1,
        "inconclusive": 1,
        "total_extracted": 4,
    }
    assert [claim["given"] for claim in record.to_dict()["claims"]] == [str(c.verdict) for c in record.claims]
