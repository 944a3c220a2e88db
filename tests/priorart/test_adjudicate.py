"""Judging by hand: what is decided is saved at once, a quote is proven at once, and the record reads the export."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from cases_of import CaseFolder, claim_list

from novelty_kit.errors import DocumentError
from novelty_kit.priorart.adjudicate import adjudication_page, render_case
from novelty_kit.priorart.decisions import load_draft
from novelty_kit.priorart.desk import COMMANDS, Desk
from novelty_kit.priorart.folder import open_case, record_of
from novelty_kit.priorart.render import desk_text
from novelty_kit.priorart.shapes import shape_of
from novelty_kit.priorart.verdicts import Judge, Verdict, read_verdicts

QUOTE = "We merge two spectral sketches in one pass over the data."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    claims = claim_list(
        "We merge spectral sketches of data.", "Lazy replay forgets nothing.", "Zyzzyvas yodel."
    )
    CaseFolder(tmp_path, claims).write()
    return tmp_path


def desk_of(folder: Path, name: str = "Ada") -> Desk:
    return Desk(open_case(folder), folder / "draft.json", folder / "verdicts.json", name)


def test_a_quote_is_proven_when_it_is_said_and_kept_when_it_is_asked(folder: Path) -> None:
    desk = desk_of(folder)
    desk.say_quote("We merge three spectral sketches in one pass over the data.")
    assert desk.proof is not None
    assert not desk.proof.verified
    assert "✗ not-found" in desk.proof_html()
    desk.keep_quote()
    assert "not proven" in desk.message
    desk.say_quote("we merge  two spectral sketches in one pass over the data")
    assert "✓ proven" in desk.proof_html()
    assert "letter case aside" in desk.proof_html()
    assert "<mark>" in desk.candidate_html()
    desk.keep_quote()
    assert desk.decision is not None
    assert [quote.text for quote in desk.decision.quotes] == [QUOTE[:-1]]
    desk.keep_quote()
    assert len(desk.decision.quotes) == 1
    desk.drop_quote()
    assert desk.decision.quotes == ()


def test_sentences_are_picked_with_their_place(folder: Path) -> None:
    desk = desk_of(folder)
    labels = [label for label, _ in desk.sentences()]
    assert labels[:2] == ["Merging spectral sketches", QUOTE]
    spans = [span for _, span in desk.sentences()]
    desk.select(spans[-2:])
    assert desk.quote is not None
    assert (desk.quote.start, desk.quote.end) == (spans[-2][0], spans[-1][1])
    assert desk.proof is not None
    assert desk.proof.verified
    desk.select([])
    assert desk.proof is None


def test_every_act_is_saved_and_a_new_desk_goes_on_where_the_old_one_stopped(folder: Path) -> None:
    desk = desk_of(folder)
    desk.say_quote(QUOTE)
    for key in ("q", "1", "n", "3"):
        desk.run(key)
    desk.note("nothing like it")
    again = desk_of(folder)
    assert again.claim_no == 2
    assert again.draft == desk.draft
    assert again.draft.of_claim(again.claims[0]).verdict is Verdict.COLLISION
    assert again.draft.of_claim(again.claims[1]).note == "nothing like it"


def test_a_draft_that_cannot_be_saved_says_so_and_goes_on(folder: Path) -> None:
    (folder / "file").write_text("")
    desk = Desk(open_case(folder), folder / "file" / "draft.json", folder / "file" / "v.json", "Ada")
    desk.run("4")
    assert desk.message.startswith("NOT SAVED")
    desk.run("e")
    assert desk.message.startswith("NOT EXPORTED")


def test_the_export_is_what_the_record_reads(folder: Path) -> None:
    claims = claim_list(
        "We merge spectral sketches of data.", "Lazy replay forgets nothing.", "Zyzzyvas yodel."
    )
    case = CaseFolder(folder, claims)
    desk = desk_of(folder)
    desk.say_quote(QUOTE)
    for key in ("q", "1", "n", "4", "n", "3", "e"):
        desk.run(key)
    assert desk.message == "Exported to verdicts.json"
    written = json.loads((folder / "verdicts.json").read_text("utf-8"))
    jsonschema.validate(written, shape_of("verdict-list"))
    record = case.record(written)
    assert record.counts == {
        "clear_under_search": 1,
        "collisions": 1,
        "uncited_relevant": 0,
        "inconclusive": 1,
        "total_extracted": 3,
    }
    assert "Judged by: person Ada (verdicts: 3)." in record.coverage
    assert record_of(folder).to_dict() == record.to_dict()
    assert read_verdicts(str(folder / "verdicts.json"))[0].quotes[0].text == QUOTE


def test_a_quote_with_an_ellipsis_goes_through_draft_and_export(folder: Path) -> None:
    case = CaseFolder(folder, claim_list("We merge spectral sketches of data.", "Lazy.", "Zyzzyvas yodel."))
    case.write()
    desk = desk_of(folder)
    desk.say_quote("We merge two spectral sketches […] over the data")
    for key in ("q", "1", "e"):
        desk.run(key)
    written = json.loads((folder / "verdicts.json").read_text("utf-8"))
    assert written[0]["quotes"][0]["text"] == "We merge two spectral sketches […] over the data"
    assert case.record(written, lenient=True).counts["collisions"] == 1
    assert desk_of(folder).draft == desk.draft


def test_what_is_missing_is_said(folder: Path) -> None:
    desk = desk_of(folder)
    desk.run("1")
    assert desk.message == "C1: collision needs a proven quote"
    desk.run("e")
    assert "C2: no verdict yet" in desk.message
    empty = open_case(folder)
    (folder / "search_log.jsonl").write_text("")
    desk = desk_of(folder)
    desk.run("3")
    assert "cannot be clear" in desk.message
    assert desk.candidate is None
    assert "No search found" in desk.candidate_html()
    assert empty.claims == desk.case.claims


def test_a_decision_on_other_words_does_not_hold(folder: Path) -> None:
    desk = desk_of(folder)
    desk.run("4")
    CaseFolder(
        folder, claim_list("We merge other sketches.", "Lazy replay forgets nothing.", "Z z z.")
    ).write()
    assert desk_of(folder).claim_no == 0
    assert desk_of(folder).decision == desk_of(folder).draft.of_claim(desk_of(folder).claims[0])
    assert desk_of(folder).decision.verdict is None  # type: ignore[union-attr]


def test_somebody_else_s_or_a_broken_draft_is_refused(folder: Path) -> None:
    desk_of(folder).run("4")
    with pytest.raises(DocumentError, match="Ada"):
        desk_of(folder, "Bo")
    with pytest.raises(DocumentError, match="somebody"):
        desk_of(folder, " ")
    for text in ("[]", "{}", '{"by": {"kind": "person", "name": "Ada"}, "decisions": {"C1": 5}}', "{"):
        (folder / "draft.json").write_text(text)
        with pytest.raises(DocumentError):
            load_draft(folder / "draft.json", Judge("person", "Ada"))


def test_every_key_does_something_and_an_unknown_one_says_which_there_are(folder: Path) -> None:
    desk = desk_of(folder)
    for key in [*COMMANDS, "j", "k", "p", "p", "", " "]:
        desk.run(key)
    desk.run("z")
    assert "No key 'z'" in desk.message


def test_hostile_text_is_escaped_wherever_it_is_shown(tmp_path: Path) -> None:
    bad = "<img src=x onerror=alert(1)> \u202e sketches \x1b[2J"
    papers = [("<b>id</b>", bad, f"{bad} {QUOTE}", bad)]
    CaseFolder(tmp_path, claim_list(f"sketches {bad}"), papers).write()
    desk = desk_of(tmp_path)
    desk.say_quote(QUOTE)
    pages = [desk.claim_html(), desk.candidate_html(), desk.proof_html(), render_case(desk)]
    for page in [*pages, desk_text(desk), *desk.claim_labels(), *(label for label, _ in desk.sentences())]:
        assert "\u202e" not in page
        assert "\x1b" not in page
    for page in pages:
        assert "<img" not in page
        assert "<b>id" not in page


def test_a_text_that_was_altered_is_not_shown(folder: Path) -> None:
    desk = desk_of(folder)
    (folder / "store" / "text" / desk.candidate.text_sha256).write_text("other")  # type: ignore[union-attr]
    desk = desk_of(folder)
    assert desk.text() == ""
    assert "hash-mismatch" in desk.message


def test_a_list_without_claims_has_an_empty_desk(tmp_path: Path) -> None:
    CaseFolder(tmp_path, claim_list()).write()
    desk = desk_of(tmp_path)
    for key in COMMANDS:
        desk.run(key)
    desk.say_quote("x")
    assert "no claim" in desk.claim_html()
    assert "no claim" in desk_text(desk)
    adjudication_page(desk)


def test_the_page_does_what_the_desk_does(folder: Path) -> None:
    from novelty_kit.priorart.adjudicate import _Page

    desk = desk_of(folder)
    page = _Page(desk)
    page.quote.value = QUOTE
    assert "proven" in page.proof.value
    assert page.quote.value == QUOTE
    page.key.value = "q"
    assert page.key.value == ""
    page.buttons[0].click()
    assert desk.decision is not None
    assert (desk.decision.verdict, len(desk.decision.quotes)) == (Verdict.COLLISION, 1)
    page.claims.value = 1
    assert desk.claim_no == 1
    assert page.quote.value == ""
    assert "Lazy replay" in page.claim.value
    page.sentences.value = (page.sentences.options[-1][1],)
    assert desk.proof is not None
    assert page.quote.value.startswith("We study")
    page.note.value = "a note"
    assert desk.draft.of_claim(desk.claims[1]).note == "a note"
    page.buttons[6].click()
    assert "Exported" in page.progress.value
    page.works.value = 0
    assert [button.description[0] for button in page.buttons] == ["1", "2", "3", "4", "q", "u", "e"]


def test_the_page_holds_no_output_widget(folder: Path) -> None:
    import ipywidgets

    found = []
    pending = [adjudication_page(desk_of(folder))]
    while pending:
        widget = pending.pop()
        found.append(type(widget))
        pending.extend(getattr(widget, "children", ()))
    assert ipywidgets.Output not in found
    assert ipywidgets.Button in found
