"""The schemas are JSON Schema, wholly enforced; our reading agrees with jsonschema's on any change."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from passport_cases import base, every_place
from referencing import Registry, Resource

from novelty_kit.errors import InputError
from novelty_kit.passport.invariants.citation_terms import ALLOWED, FAULT_CLASSES
from novelty_kit.passport.lock import LOCK_BLOCKS, LOCK_KEYS, check_passport_lock
from novelty_kit.passport.schema import SCHEMA_OF_ARRAY, compile_schema, load_schema, schema_names, violations
from novelty_kit.passport.schema_keywords import KEYWORDS
from novelty_kit.passport.verdict import Verdict

KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "properties", "items", *KEYWORDS}
REGISTRY: Any = Registry().with_resources(
    [(f"{name}.schema.json", Resource.from_contents(load_schema(name))) for name in schema_names()]
)
VALUES: list[Any] = [
    None,
    True,
    0,
    3.0,
    1.5,
    -1,
    "",
    "x",
    "2031-02-30T00:00:00Z",
    "C-001",
    [],
    ["x", "x"],
    {},
]


def subschemas(schema: Any) -> list[dict[str, Any]]:
    found = [schema]
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            found += subschemas(inner)
    if "items" in schema:
        found += subschemas(schema["items"])
    return found


def faults(array: str, entry: Any) -> set[str]:
    return {"/".join(map(str, fault.path)) for fault in violations(array, entry, ())}


def reference_faults(array: str, entry: Any) -> set[str]:
    validator = jsonschema.Draft202012Validator(
        load_schema(SCHEMA_OF_ARRAY[array]),
        registry=REGISTRY,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )
    return {"/".join(map(str, error.absolute_path)) for error in validator.iter_errors(entry)}


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_valid_and_uses_only_what_is_enforced(name: str) -> None:
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    for part in subschemas(schema):
        assert set(part) <= KNOWN, part


def test_a_misspelt_keyword_does_not_compile() -> None:
    for schema in ({"requried": ["a"]}, {"minLenght": 1}, {"pattern": "^x"}, {"format": "uri"}):
        with pytest.raises(ValueError, match=r"not enforced|not anchored"):
            compile_schema(schema, schema)


def test_every_object_refuses_unknown_keys_and_requires_known_ones() -> None:
    for name in set(SCHEMA_OF_ARRAY.values()):
        for part in subschemas(load_schema(name)):
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert set(part["required"]) <= set(part["properties"])


@pytest.mark.parametrize("array", SCHEMA_OF_ARRAY)
def test_our_reading_agrees_with_jsonschema_on_every_single_change(array: str) -> None:
    for entry in base()[array]:
        assert faults(array, entry) == reference_faults(array, entry) == set()
        for path in every_place(entry):
            for value in VALUES:
                body = copy.deepcopy(entry)
                holder = body
                for part in path[:-1]:
                    holder = holder[part]
                holder[path[-1]] = value
                assert faults(array, body) == reference_faults(array, body), (path, value)
            del holder[path[-1]]
            assert faults(array, body) == reference_faults(array, body), path


def test_patterns_end_at_the_real_end_of_a_text() -> None:
    entry = base()["experiment_alignment_results"][0]
    assert faults("experiment_alignment_results", {**entry, "finding_id": "EA-001\n"}) == {"finding_id"}
    assert faults("experiment_alignment_results", {**entry, "finding_id": "EA-٠٠١"}) == {"finding_id"}


@pytest.mark.parametrize(
    ("moment", "sound"),
    [
        ("2031-04-02T08:00:00Z", True),
        ("2031-04-02t08:00:00z", True),
        ("2031-04-02T08:00:00.123456789+05:30", True),
        ("2032-02-29T00:00:00Z", True),
        ("2000-02-29T00:00:00Z", True),
        ("2100-02-29T00:00:00Z", False),
        ("2031-02-29T00:00:00Z", False),
        ("2031-06-31T00:00:00Z", False),
        ("2031-06-00T00:00:00Z", False),
        ("2031-13-01T00:00:00Z", False),
        ("2031-04-31T00:00:00Z", False),
        ("2031-04-02T08:00:60Z", False),
        ("2031-04-02T24:00:00Z", False),
        ("2031-04-02T08:00:00", False),
        ("2031-04-02 08:00:00Z", False),
        ("2031-04-02", False),
        ("0000-01-01T00:00:00Z", False),
        ("2031-04-02T08:00:00Z\n", False),
        ("2031-04-02T08:00:00+24:00", False),
        ("٢٠٣١-04-02T08:00:00Z", False),
        ("", False),
    ],
)
def test_a_date_time_is_a_real_moment_with_an_offset(moment: str, sound: bool) -> None:
    entry = {**base()["experiment_alignment_results"][0], "judge_run_at": moment}
    assert (faults("experiment_alignment_results", entry) == set()) is sound


@pytest.mark.parametrize(
    ("count", "sound"),
    [(7, True), (7.0, True), (0, True), (7.5, False), (-1, False), (True, False), ("7", False)],
)
def test_a_count_is_an_integer_and_true_is_none(count: Any, sound: bool) -> None:
    entry = base()["experiment_provenance"][0]
    entry["repro_lock"]["materials"]["count"] = count
    assert (faults("experiment_provenance", entry) == set()) is sound


def test_lengths_count_code_points() -> None:
    entry = base()["experiment_alignment_results"][0]
    assert faults("experiment_alignment_results", {**entry, "claim_text": "🍅" * 2000}) == set()
    assert faults("experiment_alignment_results", {**entry, "claim_text": "🍅" * 2001}) == {"claim_text"}


def test_the_lock_of_an_experiment_has_the_canonical_keys() -> None:
    lock = load_schema("experiment_provenance")["$defs"]["repro_lock"]
    assert tuple(lock["required"]) == tuple(lock["properties"]) == LOCK_KEYS
    blocks = {key: part for key, part in lock["properties"].items() if part.get("type") == "object"}
    assert {key: tuple(part["required"]) for key, part in blocks.items()} == dict(LOCK_BLOCKS)
    assert {key: tuple(part["properties"]) for key, part in blocks.items()} == dict(LOCK_BLOCKS)


def test_the_closed_sets_of_the_rules_are_those_of_the_schemas() -> None:
    assert tuple(load_schema("common")["$defs"]["fault_class"]["enum"]) == FAULT_CLASSES
    row = load_schema("claim_audit_result")["properties"]
    assert {triple[0] for triple in ALLOWED} == set(row["judgment"]["enum"])
    assert {triple[1] for triple in ALLOWED} == set(row["audit_status"]["enum"])
    assert {triple[2] for triple in ALLOWED} == set(row["defect_stage"]["enum"])
    verdicts = load_schema("experiment_alignment_result")["properties"]["alignment_verdict"]["enum"]
    assert set(verdicts) == set(Verdict)


def test_an_unknown_schema_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="claim_drift"):
        load_schema("../claim_drift")


@pytest.mark.parametrize(
    ("lock", "n"),
    [
        (None, 0),
        ("x", 1),
        ({}, 8),
        ({"schema_version": None, **dict.fromkeys(LOCK_KEYS[1:])}, 0),
        ({**base()["repro_lock"], "further": 1}, 0),
        ({**base()["repro_lock"], "schema_version": "2.0"}, 1),
        ({**base()["repro_lock"], "prompts": {"hash_timing": "late"}}, 3),
        ({**base()["repro_lock"], "model": {}}, 3),
    ],
)
def test_the_lock_of_the_passport_is_held_to_its_lenient_rules(lock: Any, n: int) -> None:
    assert len(check_passport_lock({"repro_lock": lock})) == n


def test_an_absent_lock_of_the_passport_is_said() -> None:
    assert len(check_passport_lock({})) == 1


def test_schemas_are_json_with_a_description_of_each_top_key() -> None:
    for name in schema_names():
        assert json.loads(json.dumps(load_schema(name)))["title"]
