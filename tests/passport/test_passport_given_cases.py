"""The given cases agree wholly: tags, counts where they are given, exit codes, gate outcomes and codes."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from novelty_kit.errors import DocumentError
from novelty_kit.passport import read_passport

pytestmark = pytest.mark.skipif(
    "NOVELTY_TEST_CASES" not in os.environ, reason="NOVELTY_TEST_CASES is not set"
)


def given(kind: str) -> tuple[Path, dict[str, Any]]:
    folder = Path(os.environ["NOVELTY_TEST_CASES"]) / kind
    return folder / "cases", json.loads((folder / "expected.json").read_text("utf-8"))


def test_every_given_passport_gets_its_tags_and_exit_code() -> None:
    folder, expected = given("passport")
    assert len(expected) >= 184
    for name, wanted in expected.items():
        differs = wanted.get("spec_divergence", {})
        try:
            found = read_passport(folder / f"{name}.json").check()
            code, counts = (1 if found else 0), Counter(finding.tag for finding in found)
        except DocumentError as error:
            code, counts = error.exit_code, Counter()
        assert sorted(counts) == sorted(differs.get("spec_tags", wanted["tags"] or [])), name
        if not differs:
            assert code == wanted["exit_code"], name
            assert dict(counts) == (wanted.get("counts") or {}), name


def test_every_given_gate_case_gets_its_outcome() -> None:
    folder, expected = given("passport_gate")
    assert len(expected) >= 25
    for name, wanted in expected.items():
        context = wanted.get("context", {})
        observed = {one["finding_id"] for one in context.get("judge_observations", [])}

        def judge(claim: Any, entry: Any, observed: set[str] = observed) -> tuple[str, str, str]:
            denied = claim.finding_id in observed
            return ("NOT_SUPPORTED_BY_PROVENANCE" if denied else "ALIGNED", "as observed", "observer")

        answer = read_passport(folder / f"{name}.json").gate(
            stage=wanted["stage"], judge=judge if observed else None, surfaced=context.get("surfaced")
        )
        assert answer.outcome == wanted["outcome"], name
        failed = {reason.code for reason in answer.reasons if reason.severity == "fail"}
        assert failed == set(wanted["fail_codes"]), name
        claims = {key: status.to_dict() for key, status in answer.claims.items()}
        assert claims == wanted.get("claims", claims), name
        assert answer.effective_verdicts == wanted.get("effective_verdicts", answer.effective_verdicts), name
