"""Nothing in a passport's content makes the program fall: every field replaced, removed, or made up."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from passport_cases import base, every_place

from novelty_kit.passport import Passport
from novelty_kit.passport.check import check_passport
from novelty_kit.passport.frames import passport_rows
from novelty_kit.passport.gate import gate_passport
from novelty_kit.passport.number_judge import NumberJudge
from novelty_kit.passport.prose import Manuscript
from novelty_kit.passport.summary import summary

PLACES = every_place(base())
VALUES: list[Any] = [None, True, 0, 1.5, 10**30, "", "x\n", "a\ud83c<b>\x1b[31m", [], [[{}]], {"z": []}]
# The gate is slower: it sees a value of each type.
GATE_VALUES: list[Any] = [None, True, 1.5, "x", ["x"], {"z": []}]
DRAFT = Manuscript.from_text(
    "# Results\nWe measured a hardness of 6.4.\n# Limitations\nA single clay body was fired.\n"
)


def put(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    for part in path[:-1]:
        body = body[part]
    body[path[-1]] = value
    return body


def look_at_everything(body: Any) -> None:
    passport = Passport(body)
    for stage in ("4.5", "2.5"):
        answer = gate_passport(passport, stage=stage, manuscript=DRAFT, judge=NumberJudge())
        json.dumps(answer.to_dict())
        assert answer.outcome in ("FAIL", "PASS-WITH-NOTES", "PASS")
    json.dumps(summary(passport, answer, DRAFT), allow_nan=False)
    passport_rows(passport)


def test_any_value_in_any_field_gives_findings_and_never_an_error() -> None:
    body = base()
    for path in PLACES:
        holder, last = body, path[-1]
        for part in path[:-1]:
            holder = holder[part]
        kept = holder[last]
        for value in VALUES:
            holder[last] = value
            for finding in check_passport(Passport(body)):
                assert finding.message
                assert finding.expected
                assert len(finding.message) < 400
        holder[last] = kept
    assert body == base()


def test_any_kind_of_value_in_any_field_gets_an_answer_at_the_gate() -> None:
    for number, path in enumerate(PLACES):
        body = base()
        put(body, path, copy.deepcopy(GATE_VALUES[number % len(GATE_VALUES)]))
        look_at_everything(body)


def test_any_field_may_be_missing() -> None:
    for path in PLACES:
        body = base()
        holder = body
        for part in path[:-1]:
            holder = holder[part]
        del holder[path[-1]]
        passport = Passport(body)
        check_passport(passport)
        gate_passport(passport)


def test_a_required_field_of_another_type_is_always_found() -> None:
    for path in PLACES:
        if len(path) < 3 or path[0] in ("experiment_intake_declaration", "repro_lock") or path[-1] == "value":
            continue
        body = base()
        put(body, path, {"z": []})
        assert any(finding.tag == "schema" for finding in check_passport(Passport(body))), path


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(PLACES), JSON), min_size=1, max_size=5))
def test_several_fields_at_once_may_hold_anything(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    body = base()
    for path, value in changes:
        try:
            put(body, path, copy.deepcopy(value))
        except (KeyError, IndexError, TypeError):
            continue
    look_at_everything(body)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(JSON)
def test_any_document_gets_an_answer(body: Any) -> None:
    passport = Passport(body)
    check_passport(passport)
    assert gate_passport(passport).outcome == "FAIL"


def test_the_same_passport_gives_the_same_findings_whatever_came_before() -> None:
    body = put_first(base())
    first = check_passport(Passport(body))
    check_passport(Passport(base()))
    assert check_passport(Passport(copy.deepcopy(body))) == first


def put_first(body: Any) -> Any:
    put(body, ("claim_audit_results", 0, "judgment"), {"z": []})
    return body


@pytest.mark.parametrize("text", ["x" * 200_000, "\u202e" * 200_000, "\x1b" * 200_000])
def test_long_texts_are_cut_in_findings(text: str) -> None:
    body = base()
    for path in (
        ("experiment_alignment_results", 0, "rationale"),
        ("experiment_alignment_results", 0, "experiment_id"),
        ("claim_audit_results", 0, "claim_id"),
        ("claim_intent_manifests", 0, "claims", 0, "planned_experiment_ids", 0),
        ("experiment_intake_declaration", "status"),
        ("uncited_audit_failures", 0, "rationale"),
    ):
        put(body, path, text)
    body["experiment_provenance"][0][text] = 1
    findings = check_passport(Passport(body))
    assert findings
    for finding in findings:
        assert len(finding.message) <= 400
        assert len(finding.pointer) <= 200
    for reason in gate_passport(Passport(body)).reasons:
        assert len(reason.message) <= 900
