"""The gate by cases: outcomes and reasons, the sample of stage 2.5, the legacy boundary, worst wins."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from passport_cases import CASES, base, changed, load_yaml

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.passport import Passport
from novelty_kit.passport.gate import gate_passport, sampled_pairs
from novelty_kit.passport.lock import is_proven_legacy, version_tuple
from novelty_kit.passport.outcome import BOUNDARY, CHECK_ORDER, GateResult

GATE_CASES = load_yaml(CASES / "gate.yaml")["cases"]
MANIFEST = "M-2031-04-03T09:00:00Z-1a2b"


def codes(answer: GateResult, severity: str) -> list[str]:
    return sorted({reason.code for reason in answer.reasons if reason.severity == severity})


@pytest.mark.parametrize("case", GATE_CASES, ids=[case["name"] for case in GATE_CASES])
def test_a_gate_case_gives_what_it_expects(case: dict[str, Any]) -> None:
    answer = Passport(changed(case["given"])).gate(stage=case["stage"])
    got = {"outcome": answer.outcome.value, "fail": codes(answer, "fail"), "note": codes(answer, "note")}
    assert got == case["expect"]


def test_the_boundary_sentence_is_word_for_word() -> None:
    said = (
        "This check verifies disclosure and claim-to-provenance fidelity. It does not judge whether the "
        "experiment was correctly designed, run, statistically adequate, or reproducible by ARS."
    )
    assert said == BOUNDARY == Passport(base()).gate().to_dict()["boundary"]


def test_the_machine_output_has_its_fields() -> None:
    record = Passport(changed({"remove": ["/experiment_alignment_results/0"]})).gate().to_dict()
    assert {"outcome", "stage", "reasons", "boundary"} <= set(record)
    for reason in record["reasons"]:
        assert {"check", "severity", "code", "pointer", "message"} <= set(reason)
    assert json.loads(json.dumps(record)) == record


def test_reasons_stand_in_the_order_of_the_checks() -> None:
    body = changed(
        {
            "set": {
                "/experiment_intake_declaration/status": "legacy_unknown",
                "/experiment_provenance/0/known_limitations": [],
                "/experiment_alignment_results/0/alignment_verdict": "OVERSTATED",
                "/experiment_provenance/1/title": "",
                "/claim_audit_results/0/judgment": "AMBIGUOUS",
            }
        }
    )
    checks = [reason.check for reason in Passport(body).gate().reasons]
    assert checks == sorted(checks, key=CHECK_ORDER.index)
    assert {"declaration", "0", "3", "4", "citation"} <= set(checks)


@pytest.mark.parametrize(
    ("version", "legacy"),
    [
        ("3.11.1", True),
        ("3.9.4.2", True),
        ("3.12.0", False),
        ("3.12", False),
        ("3.12.0.0", False),
        ("3.12.0-rc.1", False),
        ("3.12.0rc1", False),
        ("3.11.9-beta", True),
        ("3.11.9+build.7", True),
        ("v3.11.1", True),
        ("v3.12.0", False),
        ("4", False),
        ("3", True),
        ("0", True),
        ("10.0", False),
        ("unknown", False),
        ("3.x", False),
        ("3..1", False),
        ("", False),
        (" 3.11.1", False),
        ("3.11.1\n", False),
        ("٣.١١", False),
        ("9" * 5000, False),
        (3.11, False),
        (None, False),
        (["3.11.1"], False),
    ],
)
def test_only_a_version_that_is_ordered_before_the_boundary_proves_age(version: Any, legacy: bool) -> None:
    assert is_proven_legacy({"repro_lock": {"ars_version": version}}) is legacy


def test_versions_compare_number_by_number() -> None:
    assert version_tuple("3.9") < version_tuple("3.12")  # type: ignore[operator]
    assert version_tuple("3.12.0") == version_tuple("v3.12")


def test_only_the_lock_of_the_passport_is_consulted() -> None:
    body = changed(
        {
            "set": {"/experiment_provenance/0/repro_lock/ars_version": "3.1.0"},
            "remove": ["/experiment_intake_declaration"],
        }
    )
    assert codes(Passport(body).gate(), "fail") == ["D7-1"]


def many(n: int) -> dict[str, Any]:
    body = base()
    claim = body["claim_intent_manifests"][0]["claims"][0]
    claims = [{**claim, "claim_id": f"C-{number:03d}"} for number in range(1, n + 1)]
    body["claim_intent_manifests"][0]["claims"] = claims
    row = body["experiment_alignment_results"][0]
    body["experiment_alignment_results"] = [
        {**row, "claim_id": claim["claim_id"], "finding_id": f"EA-{number:03d}"}
        for number, claim in enumerate(claims, 1)
    ]
    body["claim_audit_results"] = []
    return body


@pytest.mark.parametrize(
    ("n", "size"), [(1, 1), (2, 1), (3, 1), (4, 2), (10, 3), (11, 4), (20, 6), (100, 30)]
)
def test_stage_2_5_samples_at_least_three_tenths(n: int, size: int) -> None:
    assert len(sampled_pairs(Passport(many(n)).index)) == size


def test_the_sample_is_the_smallest_hashes_whatever_the_order() -> None:
    body = many(10)
    wanted = sorted(
        (hashlib.sha256(f"{MANIFEST}\nC-{n:03d}".encode()).hexdigest(), f"C-{n:03d}") for n in range(1, 11)
    )[:3]
    chosen = {claim for _, claim in wanted}
    body["claim_intent_manifests"][0]["claims"].reverse()
    assert {claim for _, claim in sampled_pairs(Passport(body).index)} == chosen


def test_stage_2_5_looks_at_the_sampled_claims_and_their_entries_only() -> None:
    body = many(10)
    chosen = {claim for _, claim in sampled_pairs(Passport(body).index)}
    for row in body["experiment_alignment_results"]:
        if row["claim_id"] not in chosen:
            row["alignment_verdict"] = "OVERSTATED"
    passport = Passport(body)
    early = passport.gate(stage="2.5")
    assert early.outcome == "PASS"
    assert set(early.claims) == {f"{MANIFEST}/{claim}" for claim in chosen}
    assert "SAMPLED" in codes(early, "info")
    assert passport.gate(stage="4.5").outcome == "FAIL"


def test_a_sampled_claim_without_a_row_is_information_at_stage_2_5() -> None:
    body = many(1)
    body["experiment_alignment_results"] = []
    assert Passport(body).gate(stage="2.5").outcome == "PASS"
    assert "CHECK-3-NO-ROW" in codes(Passport(body).gate(stage="2.5"), "info")
    assert codes(Passport(body).gate(), "fail") == ["CHECK-3-NO-ROW"]


def test_sentinel_rows_count_at_both_stages_and_other_claims_only_at_4_5() -> None:
    body = base()
    cited = body["claim_audit_results"]
    for row in cited:
        row.update(judgment="UNSUPPORTED", defect_stage="metadata")
    chosen = sampled_pairs(Passport(body).index)
    outside = [row for row in cited if (row["scoped_manifest_id"], row["claim_id"]) not in chosen]
    body["claim_audit_results"] = outside[:1]
    assert codes(Passport(body).gate(stage="2.5"), "fail") == []
    assert codes(Passport(body).gate(), "fail") == ["CITATION"]
    body["claim_audit_results"][0]["scoped_manifest_id"] = "M-0000-00-00T00:00:00Z-0000"
    assert codes(Passport(body).gate(stage="2.5"), "fail") == ["CITATION"]


def test_the_declaration_is_never_sampled() -> None:
    body = many(10)
    body["experiment_intake_declaration"]["status"] = "no_experiments_declared"
    answer = Passport(body).gate(stage="2.5")
    assert sum(1 for reason in answer.reasons if reason.code == "D7-4") == 10


def test_a_claim_is_as_bad_as_its_worst_path_and_the_histogram_counts_paths() -> None:
    body = changed(
        {
            "set": {
                "/experiment_alignment_results/1/alignment_verdict": "OVERSTATED",
                "/claim_audit_results/0/judgment": "UNSUPPORTED",
                "/claim_audit_results/0/defect_stage": "source_description",
                "/experiment_alignment_results/0/alignment_verdict": "PROVENANCE_INSUFFICIENT",
            }
        }
    )
    answer = Passport(body).gate()
    assert answer.claims[f"{MANIFEST}/C-002"].to_dict() == {
        "status": "blocked",
        "failing_paths": ["citation", "experiment"],
    }
    assert answer.claims[f"{MANIFEST}/C-001"].status == "noted"
    assert answer.claims[f"{MANIFEST}/C-003"].status == "no_rows"
    assert answer.claims["M-2031-04-04T09:00:00Z-3c4d/C-001"].status == "clean"
    assert answer.histogram == {"citation": 1, "experiment": 1}


def test_an_override_shows_both_verdicts() -> None:
    body = changed(
        {"set": {"/experiment_provenance/0/negative_results/0/description": "Hardness did not change."}}
    )
    answer = Passport(body).gate()
    reason = next(reason for reason in answer.reasons if reason.code == "CHECK-3")
    assert "NOT_SUPPORTED_BY_PROVENANCE counts, not the stored ALIGNED" in reason.message
    assert "rule 2: negative result 0" in reason.message
    row = answer.verdicts[0].to_dict()
    assert (row["stored"], row["effective"]) == ("ALIGNED", "NOT_SUPPORTED_BY_PROVENANCE")


def test_without_a_judge_reading_is_left_to_a_person() -> None:
    answer = Passport(base()).gate()
    assert answer.outcome == "PASS"
    assert {"CHECK-3-READ", "CHECK-4-NOT-LOOKED"} <= set(codes(answer, "info"))


def test_a_pointer_that_names_nothing_is_information_without_a_judge() -> None:
    body = changed({"set": {"/experiment_alignment_results/0/result_pointer": "kiln/z.json#glow"}})
    answer = Passport(body).gate()
    assert answer.outcome == "PASS"
    assert "CHECK-3-POINTER" in codes(answer, "info")


def test_a_judge_makes_a_verdict_worse_and_never_better() -> None:
    def strict(claim: Any, entry: Any) -> tuple[str, str, str]:
        return "OVERSTATED", "too much", "strict-1"

    def mild(claim: Any, entry: Any) -> tuple[str, str, str]:
        return "ALIGNED", "all well", "mild-1"

    assert codes(Passport(base()).gate(judge=strict), "fail") == ["CHECK-3"]
    body = changed({"set": {"/experiment_alignment_results/0/alignment_verdict": "OVERSTATED"}})
    answer = Passport(body).gate(judge=mild)
    assert codes(answer, "fail") == ["CHECK-3"]
    assert "CHECK-3-JUDGE-MILDER" in codes(answer, "info")


def test_a_judge_sees_the_claim_the_row_and_the_entry() -> None:
    seen = []

    def judge(claim: Any, entry: Any) -> tuple[str, str, str]:
        seen.append((claim.claim_id, claim.text, claim.result_pointer, claim.target.value, entry["title"]))
        return "ALIGNED", "", "j"

    Passport(base()).gate(judge=judge)
    assert seen[0] == (
        "C-001",
        "Slow cooling yields a hardness of 6.4.",
        "kiln/a.json#hardness",
        6.4,
        "Glaze hardness after slow cooling",
    )
    assert len(seen) == 2


@pytest.mark.parametrize(
    "answer", [None, "ALIGNED", ("ALIGNED", "x"), ("aligned", "x", "y"), ("PROVENANCE_MISSING", "", "")]
)
def test_a_judge_that_answers_otherwise_is_an_error_and_no_pass(answer: Any) -> None:
    with pytest.raises(InputError, match="the judge answered"):
        Passport(base()).gate(judge=lambda claim, entry: answer)


def test_a_judge_that_raises_is_not_swallowed() -> None:
    def broken(claim: Any, entry: Any) -> tuple[str, str, str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Passport(base()).gate(judge=broken)


def test_what_the_manuscript_shows_can_be_stated() -> None:
    shown = {"kiln-a": {"negative_results": [False], "known_limitations": [True]}}
    answer = Passport(base()).gate(surfaced=shown)
    assert answer.outcome == "PASS-WITH-NOTES"
    notes = [reason for reason in answer.reasons if reason.severity == "note"]
    assert [(reason.code, reason.pointer, reason.heuristic) for reason in notes] == [
        ("CHECK-4-NOT-SURFACED", "/experiment_provenance/0/negative_results/0", False)
    ]


@pytest.mark.parametrize(
    "surfaced",
    [
        {"ghost": {}},
        {"kiln-a": []},
        {"kiln-a": {"negatives": [True]}},
        {"kiln-a": {"negative_results": True}},
        {"kiln-a": {"negative_results": ["yes"]}},
    ],
)
def test_a_statement_of_another_shape_is_an_error(surfaced: Any) -> None:
    with pytest.raises(InputError, match="surfaced"):
        Passport(base()).gate(surfaced=surfaced)


def test_an_unknown_stage_is_an_error_and_numbers_are_stages_too() -> None:
    assert Passport(base()).gate(stage=2.5).stage == "2.5"
    with pytest.raises(InputError, match=r"2\.5 and 4\.5"):
        Passport(base()).gate(stage="3")


def test_a_manuscript_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(DocumentError):
        Passport(base()).gate(manuscript="missing.md")


def test_a_document_that_is_no_object_fails() -> None:
    answer = gate_passport(Passport([1]))
    assert answer.outcome == "FAIL"
    assert answer.reasons[0].code == "UNREADABLE"


def test_an_unreferenced_entry_is_named_with_its_faults() -> None:
    body = base()
    body["experiment_provenance"].append({"experiment_id": "spare"})
    answer = Passport(body).gate()
    reason = next(reason for reason in answer.reasons if reason.code == "UNREFERENCED-MALFORMED")
    assert reason.severity == "info"
    assert "5 faults" in reason.message
    assert answer.outcome == "PASS"


def test_texts_are_escaped_where_a_notebook_shows_the_answer() -> None:
    body = base()
    body["claim_intent_manifests"][0]["claims"][0]["planned_experiment_ids"] = ["<script>alert(1)</script>"]
    html = Passport(body).gate()._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
