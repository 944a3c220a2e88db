"""The passport, reviews and prior-art record that a candidate names stand on its page, each for itself."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hostile import HOSTILE
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from small_logs import paper, write_log
from test_pages import FORBIDDEN, Outline, page_of

import novelty_kit as nk
from novelty_kit.cli import main
from novelty_kit.report import Audit, audit_candidate
from novelty_kit.report.audits import audit_errors
from novelty_kit.report.documents import documents_sha256
from novelty_kit.report.parts import part_html, part_text
from novelty_kit.report.sources import load_given
from novelty_kit.schemas import schema_of
from novelty_kit.verdict.candidate import read_candidate

Row = dict[str, Any]
DEMO = Path(nk.__file__).parents[1] / "data" / "demo"
NAMED: Row = {
    "passport": "passport.yaml", "manuscript": "draft.md", "review_run": "run", "hypothesis_id": "H-0001",
    "priorart": "priorart",
}  # fmt: skip
FIELDS = ("passport", "review", "prior_art")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The demo's documents in a folder of their own."""
    for name in ("passport.yaml", "draft.md"):
        shutil.copy(DEMO / name, tmp_path / name)
    for name in ("run", "priorart"):
        shutil.copytree(DEMO / name, tmp_path / name)
    return tmp_path


def audit(graph: nk.Graph, folder: Path, **named: Any) -> Audit:
    return audit_candidate(paper(**named), graph=graph, folder=str(folder))


def faults(record: Row) -> list[str]:
    resource = Resource.from_contents(schema_of("result"))
    check = Draft202012Validator(
        schema_of("report"), registry=Registry().with_resource("result.json", resource)
    )
    return [f"{error.json_path}: {error.message:.200}" for error in check.iter_errors(record)]


def test_every_audited_demo_candidate_has_the_parts_that_it_names() -> None:
    graph = nk.open_graph(DEMO / "events.jsonl")
    glances = {}
    for given in load_given(str(DEMO / "audited.jsonl")):
        assert given.candidate is not None
        made = audit_candidate(given.candidate, graph=graph, folder=given.folder)
        record = made.record.to_dict()
        assert faults(record) == []
        assert audit_errors(record) == []
        assert str(DEMO.parent) not in json.dumps({field: record[field] for field in FIELDS})
        outline = Outline(page_of(made))
        assert outline.stack == []
        named = given.candidate.passport, given.candidate.review_run, given.candidate.priorart
        for value, field, heading in zip(named, FIELDS, ("Passport", "Reviews", "Prior art"), strict=True):
            assert (value is None) == (record[field] is None) == (heading not in outline.headings)
        glances[given.label] = part_text(record, "verdict").split("\n")[1]
    assert glances == {
        "a01-demo-manuscript": "Passport: PASS-WITH-NOTES · Reviews: 2, correctness cap 5 · Prior art: 1 collision, "
        "1 relevant work not cited, 1 clear under the search, 1 inconclusive",
        "a02-hypothesis-reviewed-twice": "Reviews: 2, correctness cap 5",
        "a03-hypothesis-with-a-phantom": "Reviews: 1, correctness cap 2",
        "a04-hypothesis-quarantined": "Reviews: 1, quarantined, correctness cap 1",
    }


def test_the_parts_stand_after_the_history_and_the_line_under_the_verdict(
    graph: nk.Graph, folder: Path
) -> None:
    page = page_of(audit(graph, folder, **NAMED))
    assert Outline(page).headings[4:10] == [
        "Neighbourhood", "History", "Passport", "Reviews", "Prior art", "What this was made from",
    ]  # fmt: skip
    assert page.index('class="answer"') < page.index('class="glance"') < page.index('<h2 id="why"')
    assert "let the graph withhold its verdict until every reference list" in page
    assert "A second reading finds the prediction sharper" in page
    assert "line 45, it seems" in page
    assert not FORBIDDEN.search(page[page.index('id="passport"') : page.index('id="provenance"')])


def test_a_candidate_that_names_nothing_says_so_in_the_notebook_and_has_no_part(graph: nk.Graph) -> None:
    made = audit_candidate(paper(), graph=graph)
    record = made.record.to_dict()
    assert [record[field] for field in FIELDS] == [None, None, None]
    assert record["made_from"]["documents_sha256"] is None
    assert part_text(record, "documents") == "the candidate names no audit"
    assert "names no audit" in part_html(record, "documents")
    assert "glance" not in page_of(made).partition("</style>")[2]
    assert faults(record) == []


def lost(folder: Path) -> None:
    (folder / "passport.yaml").unlink()
    shutil.rmtree(folder / "run")
    shutil.rmtree(folder / "priorart")


def torn(folder: Path) -> None:
    (folder / "passport.yaml").write_text("a: [1, 2", "utf-8")
    shutil.rmtree(folder / "run")
    (folder / "run").mkdir()
    (folder / "priorart" / "verdicts.json").write_text('[{"claim_id": ', "utf-8")


def wrong_kind(folder: Path) -> None:
    lost(folder)
    (folder / "passport.yaml").mkdir()
    (folder / "run").write_text("no folder", "utf-8")
    (folder / "priorart").write_text("no folder", "utf-8")


def linked_out(folder: Path) -> None:
    lost(folder)
    (folder / "passport.yaml").symlink_to(DEMO / "passport.yaml")
    (folder / "run").symlink_to(DEMO / "run")
    (folder / "priorart").symlink_to(DEMO / "priorart")


def loops(folder: Path) -> None:
    lost(folder)
    for name in ("passport.yaml", "run", "priorart"):
        (folder / name).symlink_to(folder / name)


def a_pipe(folder: Path) -> None:
    lost(folder)
    for name in ("passport.yaml", "run", "priorart"):
        os.mkfifo(folder / name)


@pytest.mark.parametrize("breaking", [lost, torn, wrong_kind, linked_out, loops, a_pipe])
def test_a_broken_document_breaks_its_own_part_alone(
    graph: nk.Graph, folder: Path, breaking: Callable[[Path], None]
) -> None:
    breaking(folder)
    made = audit(graph, folder, **NAMED)
    check_broken(made, folder, 3)


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({"passport": "../passport.yaml"}, "does not stay in the folder"),
        ({"passport": "run/../passport.yaml"}, "does not stay in the folder"),
        ({"passport": "/etc/hostname"}, "does not stay in the folder"),
        ({"review_run": "..", "hypothesis_id": "H-0001"}, "does not stay in the folder"),
        ({"priorart": "../priorart"}, "does not stay in the folder"),
        ({"passport": "x" * 5_000}, "is no name of a file"),
        ({"passport": "draft.md"}, "suffix"),
        ({"passport": "passport.yaml", "manuscript": "none.md"}, "manuscript 'none.md' is not there"),
        ({"review_run": "run"}, "no hypothesis"),
        ({"review_run": "run", "hypothesis_id": "H-0009"}, "knows no hypothesis 'H-0009'"),
        ({"review_run": "run", "hypothesis_id": "../H-0001"}, "H-0001"),
        ({"priorart": "priorart/verdicts.json"}, "is no folder"),
        ({"priorart": "run"}, "verdicts.json"),
    ],
)
def test_a_name_that_leads_nowhere_is_one_clear_sentence(
    graph: nk.Graph, folder: Path, named: Row, says: str
) -> None:
    made = audit(graph, folder, **named)
    (sentence,) = check_broken(made, folder, 1)
    assert says in sentence


def check_broken(made: Audit, folder: Path, n: int) -> list[str]:
    record = made.record.to_dict()
    assert faults(record) == []
    assert record["verdict"] == "neighborhood"
    errors = audit_errors(record)
    assert len(errors) == n
    assert all(str(folder) not in error and str(DEMO) not in error for error in errors)
    page = page_of(made)
    assert Outline(page).stack == []
    assert page.count("cannot be read</strong>") == n
    assert part_text(record, "documents").count("cannot be read") == n
    return errors


def with_text(value: Any, text: str) -> Any:
    """The same with every text replaced, those that serve as names in the data among them."""
    if isinstance(value, str):
        return text
    if isinstance(value, list):
        return [with_text(one, text) for one in value]
    if isinstance(value, dict):
        return {name: with_text(one, text) for name, one in value.items()}
    return value


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_in_every_field_of_the_three_parts_is_text(
    graph: nk.Graph, folder: Path, name: str
) -> None:
    made = audit(graph, folder, **NAMED)
    record = made.record.to_dict()
    before = {field: record[field] for field in FIELDS}
    pages = {}
    for kind, text in (("plain", "ordinary words"), ("hostile", HOSTILE[name])):
        record |= {field: with_text(part, text) for field, part in before.items()}
        for citing in record["passport"]["claims"]:
            citing["citations"] = {text: 1}
        pages[kind] = page_of(made)
        assert "\x1b" not in part_text(record, "documents") + part_text(record, "verdict")
    plain, hostile = (Outline(pages[kind]) for kind in ("plain", "hostile"))
    assert hostile.stack == []
    assert hostile.tags == plain.tags
    assert {found for _, found, _ in hostile.attributes} == {found for _, found, _ in plain.attributes}
    assert not any(
        "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" or c == "\x1b" for c in pages["hostile"]
    )
    assert len(pages["hostile"]) < 2_000_000


def test_hostile_documents_render_as_text(graph: nk.Graph, folder: Path) -> None:
    text = HOSTILE["script"]
    passport = yaml.safe_load((folder / "passport.yaml").read_text("utf-8"))
    passport["claim_intent_manifests"][0]["claims"][0]["claim_text"] = text
    passport["experiment_provenance"][0]["planned_vs_executed"][0]["planned"] = text
    (folder / "passport.yaml").write_text(yaml.safe_dump(passport), "utf-8")
    edit(folder / "run/reviews/H-0001.R-01.json", verdict=text, key_criticisms=[text])
    store = folder / "priorart/search_log.jsonl"
    store.write_text(
        store.read_text("utf-8").replace("The patience of graphs", json.dumps(text)[1:-1]), "utf-8"
    )
    made = audit(graph, folder, **NAMED)
    assert audit_errors(made.record.to_dict()) == []
    page = page_of(made)
    outline = Outline(page)
    assert outline.stack == []
    assert "script" not in outline.tags
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 5


def edit(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **fields}), "utf-8")


def test_a_gate_that_fails_and_a_record_without_proof_are_no_errors_of_the_report(
    graph: nk.Graph, folder: Path
) -> None:
    passport = yaml.safe_load((folder / "passport.yaml").read_text("utf-8"))
    del passport["experiment_intake_declaration"]
    (folder / "passport.yaml").write_text(yaml.safe_dump(passport), "utf-8")
    shutil.rmtree(folder / "priorart/store")
    record = audit(graph, folder, **NAMED).record.to_dict()
    assert audit_errors(record) == []
    assert record["passport"]["gate"]["outcome"] == "FAIL"
    assert record["prior_art"]["counts"]["inconclusive"] == 3
    assert faults(record) == []


def test_the_hash_follows_every_file_of_every_document(folder: Path) -> None:
    candidate = read_candidate(paper(**NAMED))

    def now() -> str | None:
        return documents_sha256(candidate, str(folder))

    first = now()
    assert first == now()
    seen = {first}
    for name in ("passport.yaml", "draft.md", "run/reviews/H-0001.R-01.json", "priorart/claims.json"):
        (folder / name).write_bytes((folder / name).read_bytes() + b" ")
        seen.add(now())
    (folder / "run/.lock").write_text("held", "utf-8")
    seen.add(now())
    assert len(seen) == 5
    lost(folder)
    assert now() not in seen
    assert documents_sha256(read_candidate(paper()), str(folder)) is None


def test_a_batch_counts_a_broken_document_as_an_error_and_makes_it_anew_when_it_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_log(folder / "events.jsonl")
    (folder / "in").mkdir()
    broken = paper("broken", passport="passport.yaml")
    (folder / "in/batch.jsonl").write_text(
        json.dumps(broken) + "\n" + json.dumps(paper("plain")) + "\n", "utf-8"
    )
    monkeypatch.chdir(folder)
    arguments = [
        "report",
        "in/batch.jsonl",
        "--graph",
        "events.jsonl",
        "--out",
        "out",
        "--jobs",
        "1",
        "--resume",
    ]

    def run(*more: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            main([*arguments, *more])
        return int(str(stop.value.code or 0)), capsys.readouterr().out

    code, out = run("--json")
    reports = {one["candidate_id"]: one for one in json.loads(out)["reports"]}
    assert code == 1
    assert reports["broken"]["error"].startswith("passport: passport 'passport.yaml' is not there")
    assert (reports["broken"]["verdict"], reports["plain"]["error"]) == ("neighborhood", None)
    page = Path(reports["broken"]["html"])
    before = page.stat().st_mtime_ns
    code, out = run()
    assert code == 1
    assert "broken: neighborhood (ok), error: passport: passport 'passport.yaml' is not there" in out
    assert page.stat().st_mtime_ns == before
    shutil.copy(folder / "passport.yaml", folder / "in/passport.yaml")
    code, out = run()
    assert code == 0
    record = json.loads(Path(reports["broken"]["record"]).read_text("utf-8"))
    assert record["passport"]["gate"]["outcome"] == "PASS-WITH-NOTES"
    assert faults(record) == []
    assert str(folder) not in json.dumps(record)


def test_the_record_of_an_error_page_fits_the_schema_and_half_a_record_does_not(graph: nk.Graph) -> None:
    failed: Row = {"candidate_id": None, "verdict": None, "status": "error", "made_from": {}}
    assert faults({**failed, "error": {"what": "w", "problems": [], "notebook": False}}) == []
    assert faults(failed) != []
    record = audit_candidate(paper(), graph=graph).record.to_dict()
    assert faults({name: value for name, value in record.items() if name != "review"}) != []
    assert faults({**record, "passport": {}}) != []
