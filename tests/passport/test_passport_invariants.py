"""Each invariant by its cases; each is load-bearing; the list of rules and the cases agree."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from passport_cases import base, changed, load_yaml, rule_cases, rule_files

from novelty_kit.passport import Passport
from novelty_kit.passport.check import check_passport
from novelty_kit.passport.invariants import RULES
from novelty_kit.passport.invariants.examples import EXAMPLES

CASES = rule_cases()
IDS = [f"{rule}: {case['name']}" for rule, case in CASES]


def counted(body: Any, **more: Any) -> dict[str, int]:
    return dict(Counter(finding.tag for finding in check_passport(Passport(body), **more)))


@pytest.mark.parametrize(("rule", "case"), CASES, ids=IDS)
def test_a_case_gives_the_findings_it_expects(rule: str, case: dict[str, Any]) -> None:
    assert counted(changed(case["given"])) == case["expect"]


def test_the_base_passport_is_clean() -> None:
    assert check_passport(Passport(base())) == ()


def test_every_rule_has_a_case_that_fires_one_that_does_not_and_one_at_the_edge() -> None:
    kinds: dict[str, set[str]] = {}
    for rule, case in CASES:
        kinds.setdefault(rule, set()).add(case["kind"])
        if case["kind"] == "fires":
            assert rule in case["expect"], case["name"]
        if case["kind"] == "quiet":
            assert rule not in case["expect"], case["name"]
    assert kinds == {rule.id: {"fires", "quiet", "edge"} for rule in RULES}


def test_every_case_file_is_named_by_its_rule() -> None:
    for path in rule_files():
        assert path.stem == load_yaml(path)["rule"].lower().replace("-", "_")


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_rule_that_returns_nothing_turns_its_cases_red(rule: Any) -> None:
    mute = replace(rule, function=lambda *arguments: iter(()))
    rules = tuple(mute if other is rule else other for other in RULES)
    firing = [case for tag, case in CASES if tag == rule.id and case["kind"] == "fires"]
    assert firing
    for case in firing:
        assert rule.id not in counted(changed(case["given"]), rules=rules)


def test_every_rule_states_itself_in_one_sentence() -> None:
    for rule in RULES:
        assert rule.sentence.endswith(".")
        assert "\n" not in rule.sentence
        assert rule.section.startswith("passport reference, section 5")


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_the_example_of_a_rule_breaks_it(rule: Any) -> None:
    assert rule.id in counted(json.loads(rule.example))
    assert set(EXAMPLES) == {rule.id for rule in RULES}


def test_no_two_rules_share_an_id_and_the_families_are_whole() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
    families = {
        "INV": 19,
        "M-INV": 4,
        "U-INV": 4,
        "D-INV": 4,
        "CV-INV": 4,
        "S-INV": 4,
        "UAF-INV": 6,
        "EP-INV": 5,
        "EA-INV": 2,
    }
    whole = {f"{family}-{n}" for family, last in families.items() for n in range(1, last + 1)} | {"matrix"}
    # S-INV-3 is the duty of whoever finishes the document.
    assert set(ids) == whole - {"S-INV-3"}


def test_a_rule_is_found_under_its_id_as_a_function() -> None:
    for rule in RULES:
        assert rule.function.__name__ == rule.id.lower().replace("-", "_")


def test_the_order_of_findings_is_that_of_the_work() -> None:
    body = changed(
        {
            "set": {
                "/claim_audit_results/0/judgment": "LIKELY",
                "/claim_audit_results/1/judgment": "LIKELY",
                "/claim_intent_manifests/0/claims/0/planned_experiment_ids/0": "ghost",
                "/uncited_assertions/0/rule_version": "x",
                "/claim_intent_manifests/1/manifest_id": "M-2031-04-03T09:00:00Z-1a2b",
            }
        }
    )
    found = [finding.tag for finding in check_passport(Passport(body))]
    shapes, manifests, rows = ["schema"] * 3, ["M-INV-4"], ["matrix", "INV-15", "matrix"]
    assert found == [*shapes, *manifests, *rows, "U-INV-3", "EP-INV-2"]
