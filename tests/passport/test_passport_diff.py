"""The difference of two passports: added, removed, renamed and changed experiments, and plans that dangle."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml
from passport_cases import base, changed

from novelty_kit.passport import Passport, read_passport
from novelty_kit.passport.diff import diff_passports


def difference(old: Any, new: Any) -> dict[str, Any]:
    return diff_passports(Passport(old), Passport(new)).to_dict()


def test_a_passport_does_not_differ_from_itself() -> None:
    assert not any(difference(base(), base()).values())


def test_the_same_content_under_another_id_is_a_rename_and_the_plan_dangles() -> None:
    new = changed({"set": {"/experiment_provenance/0/experiment_id": "kiln-x"}})
    found = difference(base(), new)
    assert found["renamed"] == [{"from": "kiln-a", "to": "kiln-x"}]
    assert found["added"] == found["removed"] == found["changed"] == []
    assert found["dangling"] == [
        {
            "manifest_id": "M-2031-04-03T09:00:00Z-1a2b",
            "claim_id": "C-001",
            "experiment_id": "kiln-a",
            "pointer": "/claim_intent_manifests/0/claims/0/planned_experiment_ids/0",
            "line": None,
            "resolved_before": True,
        }
    ]


def test_added_removed_and_changed_are_told_apart() -> None:
    new = base()
    gone = new["experiment_provenance"].pop(0)
    new["experiment_provenance"].append({**copy.deepcopy(gone), "experiment_id": "kiln-c", "title": "Other"})
    new["experiment_provenance"][0]["title"] = "Shrinkage, measured anew"
    found = difference(base(), new)
    assert (found["added"], found["removed"], found["changed"]) == (["kiln-c"], ["kiln-a"], ["kiln-b"])


def test_of_two_twins_one_rename_is_one_rename() -> None:
    old = base()
    old["experiment_provenance"].append(
        {**copy.deepcopy(old["experiment_provenance"][0]), "experiment_id": "twin"}
    )
    new = changed({"set": {"/experiment_provenance/0/experiment_id": "kiln-x"}})
    found = difference(old, new)
    assert found["renamed"] == [{"from": "kiln-a", "to": "kiln-x"}]
    assert found["removed"] == ["twin"]


def test_a_plan_that_never_resolved_is_said_to() -> None:
    new = changed({"set": {"/claim_intent_manifests/0/claims/0/planned_experiment_ids/0": "ghost"}})
    assert difference(base(), new)["dangling"][0]["resolved_before"] is False


def test_off_shape_passports_differ_without_an_error() -> None:
    for body in (
        None,
        [],
        {"experiment_provenance": 3},
        {"experiment_provenance": [None, {"experiment_id": []}]},
    ):
        found = difference(base(), body)
        assert found["removed"] == ["kiln-a", "kiln-b"]
        assert difference(body, base())["added"] == ["kiln-a", "kiln-b"]


def test_dangling_plans_carry_their_line(tmp_path: Path) -> None:
    new = changed({"set": {"/claim_intent_manifests/0/claims/0/planned_experiment_ids/0": "ghost"}})
    path = tmp_path / "new.yaml"
    path.write_text(yaml.safe_dump(new, sort_keys=False))
    plan = diff_passports(Passport(base()), read_passport(path)).dangling[0]
    assert plan.line is not None
    assert "ghost" in path.read_text().split("\n")[plan.line - 1]
