"""What 60-prior-art shows: a case, its page with claim edits, and a finished record that is whole or refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases_of import CaseFolder, claim_list

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.priorart.claims import read_claims
from novelty_kit.priorart.edit_page import edit_page
from novelty_kit.priorart.editing import ClaimEditor
from novelty_kit.priorart.finished import read_record, record_from
from novelty_kit.priorart.folder import record_of
from novelty_kit.priorart.notebook import Shown, open_prior_art

QUOTE = "We merge two spectral sketches in one pass over the data."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    claims = claim_list("We merge spectral sketches of data.", "Lazy replay forgets nothing.")
    case = CaseFolder(tmp_path, claims)
    case.write()
    verdicts = [
        {"claim_id": claims.claims[0].claim_id, "verdict": "collision", "quotes": [case.quote(QUOTE)]},
        {"claim_id": claims.claims[1].claim_id, "verdict": "clear-under-search"},
    ]
    (tmp_path / "verdicts.json").write_text(json.dumps(verdicts))
    return tmp_path


@pytest.fixture
def editor(folder: Path) -> ClaimEditor:
    return ClaimEditor(folder / "claims.json", "Ada")


def ids(editor: ClaimEditor) -> list[str]:
    return [claim_id for _, claim_id in editor.labels()]


def test_every_edit_is_saved_with_who_and_why(editor: ClaimEditor, folder: Path) -> None:
    first, second = ids(editor)
    assert editor.reword([first], "We merge sketches.", "the extractor cut it")
    assert editor.split([second], "Replay is lazy.\nReplay forgets nothing.", "two claims")
    assert editor.add("A third thing is new.", "Abstract, line 3", "it was not seen")
    assert editor.merge([first, ids(editor)[-1]], "All of it is new.", "one claim")
    assert editor.drop([f"{second}a"], "no claim of newness")
    assert ids(editor) == [first, f"{second}b"]
    kept = read_claims(str(folder / "claims.json"))
    assert kept == editor.claims
    assert [(edit.op, edit.by) for edit in kept.edits] == [
        (op, "Ada") for op in ("reword", "split", "add", "merge", "drop")
    ]
    assert kept.edits[-1].why == "no claim of newness"


@pytest.mark.parametrize(
    "act",
    [
        lambda editor: editor.drop(ids(editor), "why"),
        lambda editor: editor.drop([], "why"),
        lambda editor: editor.drop(["N-999"], "why"),
        lambda editor: editor.drop(ids(editor)[:1], " "),
        lambda editor: editor.reword(ids(editor)[:1], "", "why"),
        lambda editor: editor.split(ids(editor)[:1], "one line only\n\n", "why"),
        lambda editor: editor.merge(ids(editor)[:1], "text", "why"),
        lambda editor: editor.add("text", "", "why"),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing_and_says_why(
    act: Callable[[ClaimEditor], bool], editor: ClaimEditor, folder: Path
) -> None:
    before = (folder / "claims.json").read_bytes()
    assert not act(editor)
    assert editor.message.startswith("NOT CHANGED: ")
    assert (folder / "claims.json").read_bytes() == before


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(editor: ClaimEditor, folder: Path) -> None:
    other = ClaimEditor(folder / "claims.json", "Bob")
    assert other.drop(ids(other)[:1], "not new")
    assert not editor.reword(ids(editor)[:1], "Other words.", "why")
    assert "changed meanwhile" in editor.message
    assert [edit.by for edit in read_claims(str(folder / "claims.json")).edits] == ["Bob"]


def test_an_editor_has_a_name(folder: Path) -> None:
    with pytest.raises(DocumentError, match="somebody"):
        ClaimEditor(folder / "claims.json", " ")


def test_the_buttons_do_what_the_editor_does(editor: ClaimEditor, folder: Path) -> None:
    calls: list[int] = []
    page = edit_page(editor, lambda: calls.append(1))
    claims, text, place, why, buttons, said = page.children
    add, reword, split, merge, drop = buttons.children
    assert [one.description for one in buttons.children] == ["add", "reword", "split", "merge", "drop"]
    drop.click()
    assert "NOT CHANGED" in said.value
    assert calls == []
    claims.value = (claims.options[0][1],)
    text.value, why.value = "New words.", "because"
    reword.click()
    assert calls == [1]
    assert (text.value, why.value, claims.value) == ("", "", ())
    claims.value = (claims.options[1][1],)
    text.value, why.value = "One part.\nTwo parts.", "because"
    split.click()
    claims.value = tuple(value for _, value in claims.options[1:])
    text.value, why.value = "One again.", "because"
    merge.click()
    text.value, place.value, why.value = "Added <b>words</b>.", "Abstract", "because"
    add.click()
    assert len(calls) == 4
    assert [edit.op for edit in read_claims(str(folder / "claims.json")).edits] == [
        "reword",
        "split",
        "merge",
        "add",
    ]


def test_a_case_is_shown_without_a_judge_and_nothing_is_written(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    case = open_prior_art(str(folder))
    assert "collision" in case.claims._repr_html_()
    assert QUOTE[:-1] in case.claims._repr_html_()
    assert "searched" in case.claims._repr_html_()
    assert isinstance(case.page, Shown)
    assert "1 collide with a work that was found" in repr(case.record())
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_judge_gets_the_page_and_an_edit_opens_the_case_again(folder: Path) -> None:
    case = open_prior_art(str(folder), judge="Ada")
    page = case.page
    assert not isinstance(page, Shown)
    judged, edits = page.children
    first_page = judged.children[0]
    claims, _, _, why, buttons, _ = edits.children[0].children
    claims.value, why.value = (claims.options[0][1],), "not new"
    buttons.children[-1].click()
    assert judged.children[0] is not first_page
    assert len(case.case.claims.admissible) == 1


def test_the_demo_is_shown_and_not_judged_in_its_place() -> None:
    assert "Every claim is judged" in open_prior_art().claims._repr_html_()
    with pytest.raises(InputError, match="novelty demo"):
        open_prior_art(judge="Ada")


def test_a_finished_record_shows_what_the_folder_gives(folder: Path) -> None:
    file = folder / "record.json"
    file.write_text(json.dumps(record_of(folder).to_dict()))
    case = open_prior_art(str(folder))
    assert case.record(str(file))._repr_html_() == case.record()._repr_html_()
    assert read_record(str(file)) == record_of(folder).to_dict()


def without(*path: str | int) -> Callable[[Any], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        del record[path[-1]]

    return change


def put(value: Any, *path: str | int) -> Callable[[Any], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "damage",
    [
        without("coverage_record"),
        without("findings"),
        without("claims"),
        without("coverage_record", "counts"),
        without("coverage_record", "coverage", 0),
        without("findings", "findings", 0),
        without("findings", "findings", 0, "evidence"),
        without("claims", 1),
        without("claims", 0, "text"),
        without("claims", 0, "quotes", 0, "spans", 0, "start"),
        put(3, "coverage_record", "counts", "collisions"),
        put(-1, "coverage_record", "counts", "inconclusive"),
        put(True, "coverage_record", "counts", "collisions"),
        put("confirmed", "coverage_record", "rightness"),
        put([], "coverage_record", "coverage"),
        put([1, 2, 3, 4, 5], "coverage_record", "coverage"),
        put("new", "claims", 0, "verdict"),
        put(None, "claims", 0, "quotes"),
        put([{}], "claims", 0, "quotes", 0, "spans"),
        put([], "claims", 0, "quotes", 0, "spans"),
        put("x", "claims", 0, "quotes", 0, "candidate"),
        put([3], "coverage_record", "escalations"),
        put(3, "claims", 0),
    ],
)
def test_a_record_that_is_not_whole_is_refused(damage: Callable[[Any], None], folder: Path) -> None:
    record = copy.deepcopy(record_of(folder).to_dict())
    damage(record)
    with pytest.raises(DocumentError) as refused:
        record_from(record)
    assert refused.value.problems


@pytest.mark.parametrize(
    "value", [None, [], 3, "x", {}, {"coverage_record": {}, "findings": {}, "claims": []}]
)
def test_what_is_no_record_is_refused(value: Any) -> None:
    with pytest.raises(DocumentError):
        record_from(value)


def test_hostile_text_in_a_finished_record_is_escaped(folder: Path) -> None:
    record = copy.deepcopy(record_of(folder).to_dict())
    nasty = "<script>alert(1)</script>\u202e"
    record["claims"][0]["text"] = record["findings"]["findings"][0]["evidence"] = nasty
    record["claims"][0]["quotes"][0]["candidate"] = None
    file = folder / "record.json"
    file.write_text(json.dumps(record))
    shown = open_prior_art(str(folder)).record(str(file))
    assert "<script>" not in shown._repr_html_()
    assert "\u202e" not in shown._repr_html_() + repr(shown)
