"""Claims of newness are extracted with their place; what is no claim is told apart, with the reason."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases_of import claim_list
from hypothesis import given, settings
from hypothesis import strategies as st

from novelty_kit.errors import DocumentError
from novelty_kit.priorart.claims import claims_from, read_claims, write_claims
from novelty_kit.priorart.cues import Reading, load_cues, reason_of, search_target
from novelty_kit.priorart.edits import add_claim, drop_claim, merge_claims, reword_claim, split_claim
from novelty_kit.priorart.extract import extract_claims
from novelty_kit.priorart.layout import guess_format

CASES = Path(__file__).parent.parent / "cases" / "priorart"
LAYOUTS: list[dict[str, Any]] = yaml.safe_load((CASES / "layouts.yaml").read_text("utf-8"))
SENTENCES: list[dict[str, Any]] = yaml.safe_load((CASES / "sentences.yaml").read_text("utf-8"))
SAMPLES: list[dict[str, Any]] = yaml.safe_load((CASES / "scifact_sentences.yaml").read_text("utf-8"))
LABELS = {reason_of(r): str(r) for r in (Reading.CITED, Reading.SIGNIFICANCE, Reading.UNASSERTED)}


@pytest.mark.parametrize("case", LAYOUTS, ids=[case["name"] for case in LAYOUTS])
def test_layout_case(case: dict[str, Any]) -> None:
    text = case["text"]
    found = extract_claims(text, "draft", format=case["format"])
    assert [claim.text for claim in found.admissible] == [claim["text"] for claim in case["claims"]]
    for claim, want in zip(found.admissible, case["claims"], strict=True):
        assert claim.start is not None
        assert text[claim.start : claim.end] == want.get("slice", text[claim.start : claim.end])
        assert list(claim.heading) == want.get("heading", list(claim.heading))
        assert claim.line == want.get("line", text.count("\n", 0, claim.start) + 1)
    for word in case.get("not", []):
        assert not any(word in (claim.sentence or "") for claim in found)
    assert list(found.references) == case.get("references", [])


def test_150_labelled_sentences_are_read_as_labelled() -> None:
    assert len(SENTENCES) == 150
    wrong = []
    true = false = missed = 0
    for row in SENTENCES:
        found = extract_claims(row["text"], "draft", format="text")
        label = "new" if found.admissible else LABELS[found.claims[0].reason] if len(found) else "plain"
        true += label == row["label"] == "new"
        false += label == "new" != row["label"]
        missed += label != "new" == row["label"]
        if label != row["label"] or len(found.admissible) != row.get("n", label == "new"):
            wrong.append((row["label"], label, row["text"]))
    print(f"precision {true / (true + false):.2f}, recall {true / (true + missed):.2f} of {true + missed}")
    assert wrong == []


def test_600_real_sentences_of_which_the_last_sample_was_labelled_after_the_cues_were_made() -> None:
    root = os.environ.get("NOVELTY_TEST_DATA")
    if not root:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    with gzip.open(Path(root) / "claims" / "scifact" / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        docs = {row["doc_id"]: row["abstract"] for row in map(json.loads, stream)}
    true = false = missed = 0
    for sample in SAMPLES:
        assert len(sample["sentences"]) == 150
        for name in sample["sentences"]:
            doc, number = map(int, name.split("/"))
            found = extract_claims(docs[doc][number].strip(), "draft", format="text").admissible
            is_new = name in sample["new"]
            true += bool(found) and is_new
            false += bool(found) and not is_new
            missed += is_new and not found
    print(f"precision {true / (true + false):.3f}, recall {true / (true + missed):.3f} of {true + missed}")
    assert true / (true + false) > 0.9
    assert true / (true + missed) > 0.9


def test_each_claim_has_a_query_without_its_frame_and_each_other_sentence_a_reason() -> None:
    found = extract_claims(
        "In this paper we introduce a novel parser for lab notes. Doe et al. [3] were the first to do it.",
        "d.md",
    )
    assert [claim.claim_id for claim in found] == ["N-001", "X-001"]
    assert found.admissible[0].search_target == "parser for lab notes"
    assert found.inadmissible[0].search_target is None
    assert found.inadmissible[0].reason == reason_of(Reading.CITED)
    assert found.admissible[0].location == "line 1, characters 0-56"
    assert any("cues" in note for note in found.coverage_notes)
    assert claims_from(found.to_dict()) == found


def test_a_query_that_would_be_empty_is_the_claim_itself() -> None:
    assert search_target("We are the first.") == "We are the first."


def test_the_same_artifact_gives_the_same_list() -> None:
    text = "\n\n".join(row["text"] for row in SENTENCES)
    assert extract_claims(text, "a.md").to_dict() == extract_claims(text, "a.md").to_dict()


@pytest.mark.parametrize(
    ("name", "format_"),
    [("a.md", "markdown"), ("A.TEX", "latex"), ("a.txt", "text"), ("a", "text"), ("", "text")],
)
def test_the_format_is_guessed_by_the_name(name: str, format_: str) -> None:
    assert guess_format(name) == format_


@settings(deadline=None)
@given(st.text(max_size=200), st.sampled_from(["markdown", "latex", "text"]))
def test_any_text_is_read_and_each_claim_lies_in_it(text: str, format_: Any) -> None:
    for claim in extract_claims(text, "d", format=format_):
        assert claim.start is not None
        assert claim.end is not None
        assert 0 <= claim.start < claim.end <= len(text)


PIECES = st.sampled_from(
    ["\\section{", "}", "{", "\\begin{equation}", "\\end{equation}", "\\[", "$$", "%", "\n", "\n\n", "```", "<!--",
     "-->", "[", "](", "We propose a novel ", "parser. ", "\\cite{a}", "\\item ", "# ", "- ", "> ", "*", "\\\"o",
     "---\n", "| "]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["markdown", "latex", "text"]))
def test_any_broken_markup_is_read(text: str, format_: Any) -> None:
    for claim in extract_claims(text, "d", format=format_):
        assert claim.text
        assert "\ue000" not in claim.text


@pytest.mark.parametrize("format_", ["markdown", "latex", "text"])
@pytest.mark.parametrize(
    "piece",
    ["[", "\\cite{", "\\section{", "\\begin{equation}", "$$", "<!--", "`", "*a", "We propose a novel ", "a. ", "(",
     "- x\n", "no the first for to our knowledge ", "<a", "\\[", "to date ", "first ", "# h\n", "we propose a and "],
)  # fmt: skip
def test_hostile_artifacts_take_linear_time(piece: str, format_: Any) -> None:
    text = piece * (30_000 // len(piece))
    began = time.process_time()
    extract_claims(text, "d", format=format_)
    assert time.process_time() - began < 6


def test_every_cue_has_a_sentence_that_fires_it() -> None:
    named = {cue.name for cue in load_cues().cues}
    texts = [row["text"] for row in SENTENCES if row["label"] == "new"]
    fired = {cue.name for cue in load_cues().cues for text in texts if cue.pattern.search(text)}
    assert named == fired


def test_edits_are_kept_with_who_and_why(tmp_path: Path) -> None:
    claims = claim_list("We merge sketches and we split them.", "Bees are new.", "Wasps are new.")
    claims = split_claim(
        claims, "C1", ["We merge sketches.", "We split sketches."], by="Ada", why="two things"
    )
    claims = merge_claims(claims, ["C2", "C3"], "Bees and wasps are new.", by="Ada", why="one thing")
    claims = add_claim(claims, "Ants are new.", "page 3", by="Bo", why="overlooked")
    claims = reword_claim(claims, "C1b", "We split spectral sketches.", by="Bo", why="clearer")
    claims = drop_claim(claims, "C2", by="Bo", why="not ours")
    assert [claim.claim_id for claim in claims] == ["C1a", "C1b", "N-001"]
    assert [(edit.op, edit.by) for edit in claims.edits] == [
        ("split", "Ada"),
        ("merge", "Ada"),
        ("add", "Bo"),
        ("reword", "Bo"),
        ("drop", "Bo"),
    ]
    assert claims.edits[4].before[0].text == "Bees and wasps are new."
    assert claims_from(claims.to_dict()) == claims
    write_claims(claims, tmp_path / "claims.json")
    assert read_claims(str(tmp_path / "claims.json")) == claims


def test_an_id_of_a_dropped_claim_is_not_given_again() -> None:
    claims = add_claim(claim_list(), "Ants are new.", "p", by="A", why="w")
    claims = drop_claim(claims, "N-001", by="A", why="w")
    assert [c.claim_id for c in add_claim(claims, "Bees are new.", "p", by="A", why="w")] == ["N-002"]


def test_an_edit_without_a_name_a_reason_or_a_text_is_refused() -> None:
    claims = claim_list("a b c", "d e f")
    for edit in (
        lambda: drop_claim(claims, "C1", by=" ", why="w"),
        lambda: drop_claim(claims, "C1", by="A", why=""),
        lambda: drop_claim(claims, "C9", by="A", why="w"),
        lambda: split_claim(claims, "C1", ["x"], by="A", why="w"),
        lambda: split_claim(claims, "C1", ["x", " "], by="A", why="w"),
        lambda: merge_claims(claims, ["C1", "C1"], "x", by="A", why="w"),
        lambda: add_claim(claims, "", "p", by="A", why="w"),
        lambda: add_claim(claims, "x", " ", by="A", why="w"),
    ):
        with pytest.raises(DocumentError):
            edit()


def test_a_claim_list_lists_all_its_faults(tmp_path: Path) -> None:
    rows = [
        {"claim_id": "A", "text": "t", "location": "l", "search_target": None, "admissible": True},
        {"claim_id": "A", "text": "", "location": "l", "search_target": "q", "admissible": False},
        {
            "claim_id": 3,
            "text": "t",
            "location": "l",
            "search_target": "q",
            "admissible": "yes",
            "start": 5,
            "end": 2,
        },
        "text",
    ]
    path = tmp_path / "claims.json"
    path.write_text(json.dumps({"artifact": "d", "novelty_claims": rows, "coverage_notes": [1]}))
    with pytest.raises(DocumentError) as caught:
        read_claims(str(path))
    said = "\n".join(map(str, caught.value.problems))
    for part in (
        "/novelty_claims/0/search_target: claim 'A': 'search_target' is null",
        "stands also at item 0",
        "/novelty_claims/1/text",
        "'reason' is missing",
        "an inadmissible claim has no 'search_target'",
        "/novelty_claims/2/claim_id",
        "'admissible' must be true or false",
        "'end' lies before 'start'",
        "/novelty_claims/3: expected an object",
        "item 0 of 'coverage_notes'",
    ):
        assert part in said
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"a": 1, "a": 2}', "stands twice"),
        (b'{"a": NaN}', "NaN"),
        (b'"\xff"', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "not strict JSON"),
        (b"[]", "expected an object"),
        (b"{}", "'artifact' is missing"),
        (b'{"artifact": "d", "novelty_claims": {}}', "must be a list"),
    ],
    ids=["empty", "open", "twice", "nan", "bytes", "deep", "digits", "list", "bare", "object"],
)
def test_what_is_no_strict_json_is_one_clear_error(tmp_path: Path, data: bytes, what: str) -> None:
    path = tmp_path / "claims.json"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        read_claims(str(path))
    assert what in "\n".join([str(caught.value), *map(str, caught.value.problems)])
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    for name in (str(tmp_path / "absent"), str(tmp_path), "nul\0byte"):
        with pytest.raises(DocumentError, match="cannot read"):
            read_claims(name)
