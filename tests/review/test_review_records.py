"""Records are read strictly, written as the other tools write them, and judged by their schema."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from review_runs import a_hypothesis, a_manifest, a_review

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.review import schema as schema_room
from novelty_kit.review.record import parse_record, record_bytes
from novelty_kit.review.schema import RecordKind, load_schema, record_kind, schema_problems

KINDS = get_args(RecordKind)


@pytest.mark.parametrize(
    ("raw", "says", "line"),
    [
        (b'{"a": 1,\n "a": 2}', "given twice", 2),
        (b'{"a": {"b": 1, "b": 2}}', "given twice", 1),
        (b'{"a": NaN}', "NaN", None),
        (b'{"a": -Infinity}', "-Infinity", None),
        (b'{"a": 1e999}', "too large", None),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large", None),
        (b'{"a": "\\ud800"}', "surrogate", None),
        (b'{"a": 1', "not JSON", 1),
        (b'{"a": 1}\n{"b": 2}', "not JSON", 2),
        (b"", "not JSON", 1),
        (b"null", "no JSON object", 1),
        (b"[1]", "no JSON object", 1),
        (b"\xef\xbb\xbf{}", "byte order mark", 1),
        (b'{"a": "\xff"}', "UTF-8", 1),
        (b'{"a":' * 400 + b"1" + b"}" * 400, "nested", None),
        (b'{"a":' + b"[" * 100000, "nested", None),
    ],
)
def test_what_other_readers_let_through_is_refused(raw: bytes, says: str, line: int | None) -> None:
    with pytest.raises(DocumentError, match=says) as refused:
        parse_record(raw, "r.json")
    assert refused.value.problem.path == "r.json"
    assert refused.value.problem.line == line


def test_a_record_is_written_as_the_other_tools_write_it() -> None:
    record = {"b": "<i>&\u2028é一", "a": {"y": [], "x": {}}, "n": 4.0, "m": 2.5, "l": [1, {"k": None}]}
    assert record_bytes(record).decode() == (
        '{\n  "a": {\n    "x": {},\n    "y": []\n  },\n  "b": "\\u003ci\\u003e\\u0026\\u2028é一",\n'
        '  "l": [\n    1,\n    {\n      "k": null\n    }\n  ],\n  "m": 2.5,\n  "n": 4\n}\n'
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(-1e6, 1e6) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(texts, values, max_size=4))
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back_and_written_the_same(record: dict[str, Any]) -> None:
    raw = record_bytes(record)
    assert parse_record(raw, "r") == record
    assert record_bytes(parse_record(raw, "r")) == raw


@pytest.mark.parametrize("kind", KINDS)
def test_each_schema_is_a_schema(kind: RecordKind) -> None:
    Draft202012Validator.check_schema(load_schema(kind))


@pytest.mark.parametrize(
    "broken",
    [
        {"requried": ["a"]},
        {"properties": {"a": {"patern": "x"}}},
        {"items": {"minimun": 1}},
        {"$defs": {"a": {"tpye": "string"}}},
        {"additionalProperties": {"enumm": []}},
    ],
)
def test_a_misspelt_keyword_is_an_error_of_the_schema(broken: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="unknown keyword"):
        schema_room._check_keywords(broken, "test")


SOUND: dict[RecordKind, dict[str, Any]] = {
    "review": a_review(
        recurrent_notes={
            "parent_id": "H-0002",
            "operator": "oob",
            "criticisms_addressed": ["x"],
            "criticisms_unaddressed": [],
            "new_weaknesses": [],
            "net_quality_delta": "improved",
        }
    ),
    "hypothesis": a_hypothesis(),
    "citation_manifest": a_manifest([("PMID:1", "verified"), ("PMID:2", "suspect-title-match")]),
    "match": {
        "id": "M-0001",
        "epoch": 0,
        "a": "H-0001",
        "b": "H-0002",
        "winner": "draw",
        "margin": "narrow",
        "created_at": "2026-01-01T00:00:00Z",
    },
    "ratings": {"epoch": 1, "base_rating": 1500, "ratings": {"H-0001": {"elo": 1510.5, "matches": 1}}},
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places(one, (*path, key)))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_record_has_no_problem(kind: RecordKind) -> None:
    assert schema_problems(SOUND[kind], kind) == ()


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_the_validator_agrees_with_a_full_one_on_changed_records(data: st.DataObject) -> None:
    kind: RecordKind = data.draw(st.sampled_from(KINDS))
    record = json.loads(json.dumps(SOUND[kind]))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from([place for place in places(record) if place]))
        holder = record
        for part in path[:-1]:
            holder = holder[part]
        action = data.draw(st.sampled_from(["drop", "replace", "add"]))
        if action == "drop":
            del holder[path[-1]]
        elif action == "add" and isinstance(holder, dict):
            holder["unknown"] = 1
        else:
            holder[path[-1]] = data.draw(
                st.sampled_from(
                    [None, True, False, 0, 1, 4.0, 3.5, -1, 6, "", "x", "H-0001", [], {}, [1], ["a"]]
                )
            )
    full = Draft202012Validator(load_schema(kind))
    assert bool(schema_problems(record, kind)) == (not full.is_valid(record))


@pytest.mark.parametrize("bad", ["H-0001\n", "H-٠٠٠١", "h-0001", "H-001", "H-00001", ""])
def test_an_id_matches_to_its_very_end(bad: str) -> None:
    problems = schema_problems(a_review(hypothesis_id=bad), "review")
    assert [problem.pointer for problem in problems] == ["/hypothesis_id"]


def test_every_problem_is_found_at_once_with_its_pointer() -> None:
    record = a_review(scores={"novelty": 9, "x/y~z": 1}, epoch=True, verdict=...)
    assert {problem.pointer for problem in schema_problems(record, "review")} == {
        "/",
        "/scores/novelty",
        "/scores/x~1y~0z",
        "/epoch",
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hypotheses/H-0001.json", "hypothesis"),
        ("reviews/H-0042.R-01.json", "review"),
        ("H-0042.R-100.json", "review"),
        ("matches/M-0001.json", "match"),
        ("ratings/epoch-0.json", "ratings"),
        ("citations/H-0001.json", "citation_manifest"),
        ("run/citations/H-0001.R-01.json", "citation_manifest"),
        ("report/citations.json", "citation_manifest"),
    ],
)
def test_a_files_name_tells_its_schema(name: str, kind: str) -> None:
    assert record_kind(name) == kind


@pytest.mark.parametrize("name", ["notes.txt", "random.json", "C-01.json"])
def test_another_name_is_no_record(name: str) -> None:
    with pytest.raises(InputError, match="no record"):
        record_kind(name)


def test_the_schemas_travel_with_the_package() -> None:
    found = {one.name for one in files("novelty_kit.review").joinpath("schemas").iterdir()}
    assert found == {f"{kind}.json" for kind in KINDS}
