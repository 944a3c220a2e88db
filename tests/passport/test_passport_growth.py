"""The check and the gate grow with the passport, not with its square."""

from __future__ import annotations

import time
from typing import Any

import pytest
from passport_cases import base

from novelty_kit.passport import Passport
from novelty_kit.passport.check import check_passport
from novelty_kit.passport.gate import gate_passport


def grown(n_claims: int, n_experiments: int, plan: str | None = None) -> dict[str, Any]:
    body = base()
    entry, row, cited = (
        body["experiment_provenance"][0],
        body["experiment_alignment_results"][0],
        body["claim_audit_results"][0],
    )
    manifest = body["claim_intent_manifests"][0]
    claim = manifest["claims"][0]
    ids = [f"C-{n:05d}" for n in range(n_claims)]
    names = [f"kiln-{n % n_experiments}" for n in range(n_claims)]
    body["experiment_provenance"] = [{**entry, "experiment_id": f"kiln-{n}"} for n in range(n_experiments)]
    manifest["claims"] = [
        {**claim, "claim_id": i, "planned_experiment_ids": [plan or name]}
        for i, name in zip(ids, names, strict=True)
    ]
    body["experiment_alignment_results"] = [
        {**row, "finding_id": f"EA-{n:05d}", "claim_id": i, "experiment_id": name}
        for n, (i, name) in enumerate(zip(ids, names, strict=True))
    ]
    body["claim_audit_results"] = [{**cited, "claim_id": i} for i in ids]
    body["claim_intent_manifests"] = [manifest]
    for key in ("uncited_assertions", "claim_drifts", "constraint_violations", "uncited_audit_failures"):
        body[key] = []
    return body


def seconds(body: dict[str, Any]) -> float:
    best = 1e9
    for _ in range(2):
        started = time.process_time()
        check_passport(Passport(body))
        gate_passport(Passport(body))
        best = min(best, time.process_time() - started)
    return best


@pytest.mark.parametrize("plan", [None, "ghost"], ids=["clean", "every plan dangles"])
def test_eight_times_the_claims_and_experiments_take_some_eight_times_as_long(plan: str | None) -> None:
    small, large = grown(150, 15, plan), grown(1200, 120, plan)
    ratio = seconds(large) / seconds(small)
    assert ratio < 20, f"8 times the size took {ratio:.1f} times as long"
