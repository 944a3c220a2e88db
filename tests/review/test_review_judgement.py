"""The judgement of a review: the room's own cases, the given ones, and what holds for all of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from review_runs import CASES, a_hypothesis, a_manifest, a_review, make_run, put

from novelty_kit.errors import PolicyError
from novelty_kit.review import ReviewPolicy, judge_review, open_run
from novelty_kit.review.caps import CoreClaim, rule_on
from novelty_kit.review.conventions import WARNINGS
from novelty_kit.review.manifest import read_manifest
from novelty_kit.review.rubric import rubric

OWN = [
    (f"{file.stem}: {case['name']}", case)
    for file in sorted(CASES.glob("*.yaml"))
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))
]


def undotted(value: Any) -> Any:
    """In a case three dots say that a field is left out."""
    if isinstance(value, dict):
        return {name: undotted(inner) for name, inner in value.items()}
    return ... if value == "..." else value


def judged(given: dict[str, Any], path: Path) -> dict[str, Any]:
    """What `review check` says of a case's one review."""
    given = undotted(given)
    manifests = {}
    if given.get("manifest", {}) is not None and "manifest_text" not in given:
        entries = given.get("entries", (("PMID:1", "verified"), ("PMID:2", "verified")))
        manifest = a_manifest(entries, **given.get("manifest", {}))
        manifests = {"H-0001": {name: value for name, value in manifest.items() if value is not ...}}
    make_run(
        path,
        hypotheses=[a_hypothesis(**given.get("hypothesis", {}))],
        manifests=manifests,
        reviews={"H-0001.R-01": a_review(**given.get("review", {}))},
        settings=given.get("settings"),
    )
    if "manifest_text" in given:
        (path / "citations/H-0001.json").write_text(given["manifest_text"])
    run = open_run(path, policy=ReviewPolicy.from_pairs(given.get("policy", ())))
    [judgement] = run.check(given.get("core", ()))
    result = judgement.to_dict()
    result["errors"] = list(dict.fromkeys(error["code"] for error in result["errors"]))
    json.dumps(result, allow_nan=False)
    return result


@pytest.mark.parametrize(("name", "case"), OWN, ids=[name for name, _ in OWN])
def test_a_case_is_judged_as_it_says(name: str, case: dict[str, Any], tmp_path: Path) -> None:
    result = judged(case["given"], tmp_path)
    assert {field: result[field] for field in case["expect"]} == case["expect"], case["why"]


def test_every_rule_has_a_case_that_fires_and_one_that_does_not() -> None:
    expected = [case["expect"] for _, case in OWN]
    for field, codes in (
        ("warnings", {code for code, _ in WARNINGS}),
        ("triggers", set(rubric().triggers)),
        ("cap_rule", set(rubric().caps)),
    ):
        named = [one[field] for one in expected if field in one]
        for code in codes:
            fires = [code in one if isinstance(one, list) else code == one for one in named]
            assert any(fires), f"no case where {code} fires"
            assert not all(fires), f"no case where {code} does not fire"


def test_every_warning_has_its_sentence_and_its_function() -> None:
    assert [code for code, _ in WARNINGS] == sorted(rubric().warnings)


def given_cases() -> list[Path]:
    folder = os.environ.get("NOVELTY_TEST_CASES")
    return sorted(Path(folder, "review", "cases").glob("*.json")) if folder else []


@pytest.mark.skipif(not os.environ.get("NOVELTY_TEST_CASES"), reason="NOVELTY_TEST_CASES is not set")
def test_the_given_cases_agree_in_every_field(tmp_path: Path) -> None:
    expected = json.loads(Path(os.environ["NOVELTY_TEST_CASES"], "review", "expected.json").read_text())
    cases = given_cases()
    assert len(cases) == len([name for name in expected if not name.startswith("_")])
    for file in cases:
        case, want = json.loads(file.read_text()), expected[file.stem]
        run = make_run(
            tmp_path / file.stem,
            hypotheses=[a_hypothesis(case["for"])],
            manifests={case["for"]: case["manifest"]} if case["manifest"] is not None else {},
            reviews={f"{case['for']}.R-01": case["review"]},
            settings=yaml.safe_dump(case["run"]),
        )
        [judgement] = open_run(run).check(case["core_lit_ids"])
        got = judgement.to_dict()
        got["convention_warnings"] = got["warnings"]
        got["violations"] = [one["code"] for one in got["errors"] if one["code"].startswith("V-")]
        fields = set(want) - {"title", "note", "rules", "schema_basis", "policy_dependent"}
        for field in fields - {"log_lines", "add_review_accepts"}:
            assert got[field] == want[field], f"{file.stem}: {field}"
        for line, wanted in zip(got["log_lines"], want["log_lines"], strict=True):
            assert line == wanted.get("exact", line)
            assert line.startswith(wanted.get("prefix", ""))
            assert line.endswith(".")
        if "policy_dependent" in want:
            other = open_run(run, policy=ReviewPolicy(third_trigger="decided_only"))
            [judgement] = other.check(case["core_lit_ids"])
            alternative = want["policy_dependent"]["alternative"]
            assert {field: judgement.to_dict()[field] for field in alternative} == alternative
        refused = not want["add_review_accepts"] or not want["correctness_within_cap"]
        before = sorted((run / "reviews").iterdir())
        if refused or "W-MEAN-STORED" in want["convention_warnings"]:
            with pytest.raises(Exception, match="refused"):
                open_run(run).add(case["review"], case["for"], core=case["core_lit_ids"])
            assert sorted((run / "reviews").iterdir()) == before
        else:
            open_run(run).add(case["review"], case["for"], core=case["core_lit_ids"])


scores = st.one_of(st.integers(-1, 7), st.sampled_from([4.0, 3.5, "3", True, None]))


@given(
    st.dictionaries(
        st.sampled_from(["correctness", "novelty", "testability", "safety", "goal_alignment", "x"]), scores
    ),
    st.lists(
        st.tuples(
            st.sampled_from(["PMID:1", "PMID:2", "PMID:3", "10.1/x", "A title"]),
            st.sampled_from(["verified", "phantom", "unverified", "suspect-title-match"]),
        ),
        max_size=5,
    ),
)
@settings(max_examples=150, deadline=None)
def test_a_judgement_never_fails_and_keeps_its_own_rules(
    scored: dict[str, Any], entries: list[tuple[str, str]]
) -> None:
    manifest = read_manifest(json.dumps(a_manifest(entries)).encode(), "m")
    record = {**a_review(), "scores": scored}
    judgement = judge_review(record, "H-0001", manifest=manifest)
    counts = manifest.counts
    assert counts.total == counts.verified + counts.phantom + counts.suspect + counts.unverified
    assert counts.total == len({entry.key for entry in manifest.citations})
    assert judgement.schema_valid or not judgement.warnings
    assert (judgement.axes is None) == (not judgement.schema_valid)
    assert bool(judgement.log_lines) == bool(judgement.triggers)
    assert judgement.ruling.max_correctness <= rule_on(None, None, CoreClaim()).max_correctness


@given(
    st.permutations(
        [("PMID:1", "verified"), ("PMID:2", "phantom"), ("pmid:1", "unverified"), ("x", "phantom")]
    )
)
@settings(max_examples=24, deadline=None)
def test_the_order_of_the_entries_changes_no_count(entries: list[tuple[str, str]]) -> None:
    manifest = read_manifest(json.dumps(a_manifest(entries)).encode(), "m")
    assert manifest.counts.to_dict() == {
        "total": 3,
        "verified": 0,
        "phantom": 2,
        "suspect": 0,
        "unverified": 1,
    }


def test_one_phantom_more_never_raises_the_cap() -> None:
    caps = []
    for n in range(4):
        entries = [(f"PMID:{at}", "verified" if at < 3 else "phantom") for at in range(3 + n)]
        manifest = read_manifest(json.dumps(a_manifest(entries)).encode(), "m")
        caps.append(rule_on(manifest, 5, CoreClaim()).max_correctness)
    assert caps == sorted(caps, reverse=True) == [5, 2, 1, 1]


@pytest.mark.parametrize("pair", ["third_trigger=maybe", "latest_axes=", "trigger=literal", "third_trigger"])
def test_an_unknown_policy_is_an_error(pair: str) -> None:
    with pytest.raises(PolicyError):
        ReviewPolicy.from_pairs([pair])


def test_a_misnamed_or_unreadable_file_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    run = make_run(tmp_path, reviews={"H-0001.R-01": a_review()})
    put(run / "reviews/notes.json", {"hello": 1})
    (run / "reviews/H-0001.R-02.json").write_text('{"id": 1, "id": 2}')
    (run / "reviews/H-0001.R-03.json").write_text("[]")
    (run / "reviews/.hypex-tmp-123").write_text("half")
    found = {one.stem: [breach.code for breach in one.breaches] for one in open_run(run).check()}
    assert found["H-0001.R-01"] == []
    assert found["H-0001.R-02"] == ["E-RECORD"]
    assert found["H-0001.R-03"] == ["E-RECORD"]
    assert "E-NAME" in found["notes"]
    assert len(found) == 4


def test_a_run_without_reviews_is_not_fine(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path))
    assert run.check() == ()
    assert [one.what for one in run.problems()] == ["no review was found, so nothing was checked"]
