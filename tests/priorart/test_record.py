"""A record counts every claim once, keeps both contracts, and says what it stands on."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from cases_of import CaseFolder, claim_list
from hypothesis import given, settings
from hypothesis import strategies as st

from novelty_kit.errors import DocumentError, OutputError
from novelty_kit.priorart.page import render_html
from novelty_kit.priorart.record import Evidence, Record, build_record
from novelty_kit.priorart.render import render_text, summary
from novelty_kit.priorart.shapes import SHAPES, shape_of
from novelty_kit.priorart.verdicts import verdicts_from
from novelty_kit.priorart.wording import FORBIDDEN, check_keys, say

CASES = Path(__file__).parent.parent / "cases" / "priorart"
LISTS: list[dict[str, Any]] = yaml.safe_load((CASES / "verdict_lists.yaml").read_text("utf-8"))
QUOTE = "We merge two spectral sketches in one pass over the data."


def by_marker(verdicts: Any, *, lenient: bool = False, artifact: str = "draft.md") -> Record:
    return build_record(verdicts_from(verdicts), artifact=artifact, evidence=Evidence.MARKER, lenient=lenient)


@lru_cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(shape_of(name))


def keeps_contracts(record: Record) -> dict[str, Any]:
    """Check both contracts and the record's own shape; gives back the document."""
    document: dict[str, Any] = json.loads(json.dumps(record.to_dict()))
    validator("prior-art-record").validate(document)
    validator("collision-record").validate(document["coverage_record"])
    validator("collision-findings").validate(document["findings"])
    counts = document["coverage_record"]["counts"]
    assert sum(n for name, n in counts.items() if name != "total_extracted") == counts["total_extracted"]
    heads = [note.split(":")[0].split(" ")[0] for note in document["coverage_record"]["coverage"]]
    assert heads[:4] == ["Extraction", "Comparison", "Selection", "Quote"]
    assert heads[4] in ("Sources", "Source")
    return document


def classes(record: Record) -> list[list[str | None]]:
    if not record.claims:
        assert "no novelty surface" in record.escalations[0]["reason"]
        return [[None, "no-novelty-surface"]]
    rows = [
        [claim.unit.claim_id or None, str(claim.reason_class)]
        for claim in record.claims
        if claim.reason_class is not None
    ]
    assert [row[0] for row in rows] == [row.get("claim_ref") for row in record.escalations]
    for row, (_, class_) in zip(record.escalations, rows, strict=True):
        prefix = {
            "data-integrity": "data integrity: 1",
            "downgraded-collision": "downgraded from collision",
            "downgraded-uncited-relevant": "downgraded from uncited-relevant",
            "search-could-not-cover": "search could not cover",
        }[str(class_)]
        assert row["reason"].startswith(prefix)
    return rows


@pytest.mark.parametrize("case", LISTS, ids=[case["name"] for case in LISTS])
def test_verdict_list_case(case: dict[str, Any]) -> None:
    expect = case["expect"]
    if "fault" in expect:
        with pytest.raises(DocumentError) as caught:
            by_marker(case["given"])
        said = "\n".join([str(caught.value), *map(str, caught.value.problems)])
        for part in expect["fault"]:
            assert part in said
    strict = "fault" not in expect
    if strict or "lenient" in expect:
        record = by_marker(case["given"], lenient=not strict)
        document = keeps_contracts(record)
        want = expect if strict else expect["lenient"]
        names = ("clear_under_search", "collisions", "uncited_relevant", "inconclusive")
        assert [document["coverage_record"]["counts"][name] for name in names] == want["cnui"]
        assert classes(record) == want.get("escalations", [])
        for part in want.get("coverage", []):
            assert any(part in note for note in record.coverage)
        for number, fields in enumerate(want.get("findings", [])):
            assert fields.items() <= record.findings[number].items()


def given_cases() -> list[tuple[str, Any, dict[str, Any]]]:
    root = os.environ.get("NOVELTY_TEST_CASES")
    if not root:
        pytest.skip("NOVELTY_TEST_CASES is not set")
    folder = Path(root) / "priorart"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    return [
        (name, json.loads((folder / "cases" / f"{name}.json").read_text("utf-8")), case)
        for name, case in expected.items()
        if not name.startswith("_")
    ]


def test_the_given_cases_without_a_quirk_agree_exactly() -> None:
    cases = given_cases()
    folder = Path(os.environ["NOVELTY_TEST_CASES"]) / "priorart"
    contracts = {
        name: jsonschema.Draft202012Validator(schema)
        for name, schema in json.loads((folder / "output_contracts.json").read_text("utf-8")).items()
    }
    n_compared = 0
    for name, verdicts, case in cases:
        if "quirk" in case:
            continue
        record = by_marker(verdicts, artifact=case["artifact"])
        document = keeps_contracts(record)
        contracts["collision-record"].validate(document["coverage_record"])
        contracts["collision-findings"].validate(document["findings"])
        order = sorted(classes(record), key=lambda row: (row[0] is None, row[0] or "", row[1]))
        assert order == case["escalations"], name
        assert record.counts == case["counts"], name
        assert Counter(f["kind"] for f in record.findings) == case["finding_kinds"], name
        assert Counter(f["severity"] for f in record.findings) == case["finding_severities"], name
        n_compared += 1
    assert n_compared > 10


def test_the_given_cases_with_a_quirk_end_in_an_error_or_in_a_record_that_keeps_its_contracts() -> None:
    for name, verdicts, case in given_cases():
        # The one with 5,000 claims has a test of its own.
        for lenient in (False, True) if name != "076" else (False,):
            try:
                record = by_marker(verdicts, lenient=lenient, artifact=case["artifact"])
            except DocumentError:
                continue
            keeps_contracts(record)


def test_5000_claims_of_all_paths_count_as_given_when_read_leniently() -> None:
    for name, verdicts, case in given_cases():
        if name == "076":
            record = by_marker(verdicts, lenient=True)
            n_unknown = 5000 - sum(n for key, n in case["counts"].items() if key != "total_extracted")
            assert record.counts["inconclusive"] == case["counts"]["inconclusive"] + n_unknown
            for key in ("collisions", "uncited_relevant", "clear_under_search", "total_extracted"):
                assert record.counts[key] == case["counts"][key]
            found = Counter(class_ for _, class_ in classes(record))
            assert found == case["escalation_classes"] | {"data-integrity": n_unknown}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["claim_id", "verdict", "finding", "evidence", "location", "quotes", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
VERDICTS = st.sampled_from(
    ["collision", "uncited-relevant", "clear-under-search", "inconclusive", "x", "", None, 3]
)
ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "claim_id": st.sampled_from(["A", "B", "C", "", None, 7, "novel_confirmed", "\u202eabc"]),
        "verdict": VERDICTS,
        "finding": JSON,
        "quotes": JSON,
        "by": JSON,
    },
)


@settings(deadline=None)
@given(st.lists(ENTRY | JSON, max_size=6) | JSON, st.booleans())
def test_any_json_ends_in_an_error_or_in_a_record_that_keeps_its_contracts(value: Any, lenient: bool) -> None:
    try:
        record = by_marker(value, lenient=lenient)
    except DocumentError:
        return
    keeps_contracts(record)
    render_text(record)
    render_html(record)
    summary(record)


def test_a_proven_quote_keeps_the_verdict_and_stands_in_the_evidence(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    verdict = {"claim_id": "C1", "verdict": "collision", "quotes": [case.quote(QUOTE)], "note": "the same"}
    record = case.record([verdict])
    document = keeps_contracts(record)
    assert record.counts["collisions"] == 1
    finding = record.findings[0]
    assert (finding["kind"], finding["severity"], finding["location"]) == (
        "claim-collision",
        "blocker",
        "line 1",
    )
    assert f'"{QUOTE}"' in finding["evidence"]
    assert case.sha256("arxiv:2001.00001") in finding["evidence"]
    quote = document["claims"][0]["quotes"][0]
    assert quote["result"] == "verified-span"
    text = case.store.text(quote["text_sha256"])
    assert text[quote["spans"][0]["start"] : quote["spans"][0]["end"]] == QUOTE == quote["passage"]


def test_prose_with_markers_is_no_proof_when_the_store_is_asked(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    finding = {"evidence": f'fetched: "{QUOTE}"', "location": "p. 1", "suggestion": "cite it"}
    record = case.record([{"claim_id": "C1", "verdict": "collision", "finding": finding}])
    assert record.counts["inconclusive"] == 1
    assert "no-quote" in record.escalations[0]["reason"]
    assert "suggestion" not in record.findings[0]


def test_a_clear_verdict_needs_a_completed_search_for_these_words_of_the_claim(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path / "a")
    clear = [{"claim_id": "C1", "verdict": "clear-under-search"}]
    assert case.record(clear).is_clean
    empty = CaseFolder(tmp_path / "b", papers=())
    assert [search.state for search in empty.log.searches] == ["failed"]
    for log in (empty.log, type(case.log)(())):
        record = case.record(clear, log=log)
        assert record.counts["inconclusive"] == 1
        assert classes(record) == [["C1", "search-could-not-cover"]]
    other = claim_list("We merge three sketches.")
    assert case.record(clear, claims=other).counts["inconclusive"] == 1


def test_a_completed_search_without_a_hit_is_clear(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path, claim_list("Zyzzyva quokkas yodel."))
    assert case.log.searches[0].completed
    assert case.log.searches[0].candidates == ()
    assert case.record([{"claim_id": "C1", "verdict": "clear-under-search"}]).is_clean


def test_claims_and_verdicts_that_do_not_pair_are_all_listed_or_count_once_as_inconclusive(
    tmp_path: Path,
) -> None:
    claims = claim_list("We merge spectral sketches.", "Lazy replay is new.", "Bees are new.")
    case = CaseFolder(tmp_path, claims)
    clear = {"verdict": "clear-under-search"}
    verdicts = [
        {"claim_id": "C1"} | clear,
        {"claim_id": "C1"} | clear,
        {"claim_id": "C9"} | clear,
        {"claim_id": ""} | clear,
        {"claim_id": "C2", "verdict": "Clear"},
    ]
    with pytest.raises(DocumentError) as caught:
        case.record(verdicts)
    said = [problem.what for problem in caught.value.problems]
    assert len(said) == 5
    for part in (
        "stands 2 times",
        "in no claim list",
        "claim_id",
        "unrecognised verdict",
        "'C3' has no verdict",
    ):
        assert any(part in line for line in said)
    record = case.record(verdicts, lenient=True)
    keeps_contracts(record)
    assert record.counts["inconclusive"] == record.counts["total_extracted"] == 5
    assert {class_ for _, class_ in classes(record)} == {"data-integrity"}


def test_a_verdict_on_an_inadmissible_claim_or_on_other_words_is_a_fault(tmp_path: Path) -> None:
    rows = claim_list("We merge spectral sketches.").to_dict()["novelty_claims"]
    rows.append(
        {"claim_id": "X1", "text": "Bees matter.", "location": "l", "search_target": None, "admissible": False,
         "reason": "significance"}
    )  # fmt: skip
    from novelty_kit.priorart.claims import claims_from

    case = CaseFolder(tmp_path, claims_from({"artifact": "d", "novelty_claims": rows}))
    clear = {"verdict": "clear-under-search"}
    with pytest.raises(DocumentError, match="fault"):
        case.record([{"claim_id": "C1"} | clear, {"claim_id": "X1"} | clear])
    with pytest.raises(DocumentError) as caught:
        case.record([{"claim_id": "C1", "claim_sha256": "0" * 64} | clear])
    assert "changed" in str(caught.value.problems[0])
    good = case.record([{"claim_id": "C1", "claim_sha256": case.claims.claim("C1").sha256} | clear])
    assert good.counts["total_extracted"] == 1
    assert any("Not counted (1)" in note for note in good.coverage)


def test_a_proven_quote_beside_an_unproven_one_keeps_the_verdict_and_the_other_is_not_shown(
    tmp_path: Path,
) -> None:
    case = CaseFolder(tmp_path)
    bad = case.quote("We merge three spectral sketches in one pass over the data.")
    record = case.record([{"claim_id": "C1", "verdict": "collision", "quotes": [bad, case.quote(QUOTE)]}])
    assert record.counts["collisions"] == 1
    assert "three" not in record.findings[0]["evidence"]
    assert any("C1 not-found" in note for note in record.coverage)


def test_store_reading_needs_its_three_inputs_and_marker_reading_takes_none(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    with pytest.raises(DocumentError, match="--evidence marker"):
        case.record([], store=None)
    with pytest.raises(DocumentError, match="alone"):
        case.record([], evidence=Evidence.MARKER)
    with pytest.raises(DocumentError, match="--artifact"):
        by_marker([], artifact=" ")


def test_who_judged_stands_in_the_record() -> None:
    record = by_marker(
        [
            {"claim_id": "A", "verdict": "inconclusive", "by": {"kind": "model", "name": "gpt-x"}},
            {"claim_id": "B", "verdict": "inconclusive"},
        ]
    )
    assert "Judged by: model gpt-x (verdicts: 1)." in record.coverage
    assert "Judged by: somebody who is not named (verdicts: 1)." in record.coverage


@pytest.mark.parametrize("word", [FORBIDDEN, FORBIDDEN.upper(), "novel\u200b_confirmed", "ｎovel_Confirmed"])
def test_the_forbidden_term_is_withheld_from_our_sentences_and_passes_as_data(word: str) -> None:
    finding = {"location": word, "evidence": f'it prints "{word}"'}
    record = by_marker(
        [
            {"claim_id": word, "verdict": word},
            {"claim_id": "B", "verdict": "collision", "finding": finding, word: 1},
        ],
        lenient=True,
        artifact=f"{word}.md",
    )
    document = keeps_contracts(record)
    assert document["coverage_record"]["artifact"] == f"{word}.md"
    assert record.findings[1]["evidence"] == f'it prints "{word}"'
    ours = [*record.coverage, *(row["reason"] for row in record.escalations)]
    assert not [text for text in ours if word in text]
    assert any("withheld" in text for text in ours)


def test_the_forbidden_term_in_our_own_words_or_names_is_an_exception() -> None:
    with pytest.raises(OutputError):
        say("this is Novel_Confirmed")
    with pytest.raises(OutputError):
        check_keys({"a": [{"NOVEL_CONFIRMED": 1}]})
    assert say("{a}{b}", a="novel_", b="confirmed").startswith("(withheld")


def test_a_record_is_shown_with_every_disclosure_and_hostile_text_is_escaped(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> & \u202eabc \x1b[31m"
    record = by_marker(
        [
            {
                "claim_id": hostile,
                "verdict": "collision",
                "finding": {"evidence": f'"{hostile}"', "location": hostile},
            }
        ],
        artifact=hostile,
    )
    page, text = render_html(record), render_text(record)
    assert "<script" not in page
    for shown in (page, text):
        assert "\u202e" not in shown
        assert "\x1b" not in shown
    for note in record.coverage:
        assert note in text
    assert page.count("<li>") == len(record.coverage) + len(record.escalations)
    assert "http" not in page


def test_a_summary_names_each_passage_with_its_work_and_is_the_same_from_the_json(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    record = case.record([{"claim_id": "C1", "verdict": "collision", "quotes": [case.quote(QUOTE)]}])
    shown = summary(record)
    assert shown == summary(json.loads(json.dumps(record.to_dict())))
    (row,) = shown["findings"]
    assert row["passages"][0]["id"] == "arxiv:2001.00001"
    assert row["passages"][0]["passage"] == QUOTE
    assert shown["coverage"] == list(record.coverage)
    assert "a person must confirm" in shown["headline"]


def test_every_shape_is_a_valid_schema() -> None:
    known = {"$schema", "$defs", "$ref", "title", "description", "type", "required", "properties", "items", "enum",
             "const", "minLength", "minimum", "minItems", "pattern", "additionalProperties", "anyOf", "oneOf", "if",
             "then", "else", "dependentRequired", "prefixItems"}  # fmt: skip

    def keywords(schema: Any) -> set[str]:
        if not isinstance(schema, dict):
            return set()
        found = set(schema)
        for key in ("properties", "$defs"):
            for inner in schema.get(key, {}).values():
                found |= keywords(inner)
        for key in ("items", "if", "then", "else"):
            found |= keywords(schema.get(key))
        for key in ("anyOf", "oneOf", "prefixItems"):
            for inner in schema.get(key, []):
                found |= keywords(inner)
        return found

    for name in SHAPES:
        schema = shape_of(name)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert keywords(schema) <= known
    with pytest.raises(KeyError):
        shape_of("nothing")


def test_what_is_written_keeps_its_shape(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    jsonschema.validate(case.claims.to_dict(), shape_of("claim-list"))
    for search in case.log.searches:
        jsonschema.validate(search.to_dict(), shape_of("search-log"))
