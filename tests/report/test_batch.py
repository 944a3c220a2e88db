"""Many reports at once: a broken candidate stops nothing, the same input gives the same bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from small_logs import paper, write_log

import novelty_kit as nk
from novelty_kit.cli import main
from novelty_kit.demo import notebook_folder
from novelty_kit.errors import CandidateError
from novelty_kit.report.batch import render_batch
from novelty_kit.report.candidate_form import candidate_form, candidate_sha256
from novelty_kit.report.outcome import read_outcome
from novelty_kit.report.slug import slug
from novelty_kit.report.sources import load_given
from novelty_kit.schemas import schema_of
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.policy import Policy

ROOT = Path(nk.__file__).parents[1]
CLAIM = {"kind": "claim", "about_lom_id": "doi:10.1000/new", "holdout_lom_ids": []}
BATCH = [
    json.dumps(paper("good")),
    json.dumps(paper("with a / in it", title="<b>bold</b>", references=[], holdout_lom_ids=None)),
    json.dumps({"id": "bad-key", "kind": "paper", "keys": {"doi": "no doi"}}),
    '{"id": "no json", ',
    json.dumps({**CLAIM, "statement": "Fire is hot."}),
    json.dumps({**CLAIM, "statement": "Ice is cold."}),
]


class Made:
    """One run of the batch in a folder of its own; the process that workers are forked from is shared by all."""

    def __init__(self, folder: Path, out: str, **options: Any) -> None:
        self.folder, self.out = folder, folder / out
        policy = Policy.of(options.pop("policy", {}))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            given = load_given("batch.jsonl")
            self.batch = render_batch(
                given, lambda: ("events.jsonl",), Path(out), policy, named_log=True, **options
            )
        self.summary = self.batch.to_dict()

    def files(self, *ends: str) -> dict[str, bytes]:
        return {
            path.name: path.read_bytes() for path in sorted(self.out.iterdir()) if path.name.endswith(ends)
        }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("batch")
    write_log(folder / "events.jsonl")
    (folder / "batch.jsonl").write_text("\n".join(BATCH) + "\n", "utf-8")
    return Made(folder, "out", jobs=2)


def novelty(folder: Path, *arguments: str) -> int:
    """The command line, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
    return int(str(stop.value.code or 0))


def test_a_broken_candidate_gets_a_page_and_a_row(made: Made) -> None:
    reports = {report["candidate_id"]: report for report in made.summary["reports"][:4]}
    assert list(reports) == ["good", "with a / in it", "bad-key", "batch.jsonl:4"]
    assert reports["good"]["verdict"] == "neighborhood"
    assert reports["good"]["error"] is None
    bad = reports["bad-key"]
    assert (bad["verdict"], bad["status"], bad["notebook"]) == (None, "error", None)
    assert "/keys/doi" in bad["error"]
    assert "no JSON" in reports["batch.jsonl:4"]["error"]
    page = (made.folder / bad["html"]).read_text("utf-8")
    assert "There is no report for this candidate" in page
    assert "is no DOI" in page
    index = (made.folder / made.summary["index"]).read_text("utf-8")
    assert index.count('<tr role="row" data-verdict') == 6
    assert index.count('data-verdict="error"') == 2


def test_the_summary_names_files_that_are_there(made: Made) -> None:
    assert set(made.summary) == {"index", "reports"}
    for report in made.summary["reports"]:
        assert set(report) == {
            "candidate_id", "html", "notebook", "record", "pdf", "verdict", "status", "error",
        }  # fmt: skip
        for name in ("html", "record", "notebook"):
            assert report[name] is None or (made.folder / report[name]).is_file()
    assert len(list(made.out.iterdir())) == 1 + 4 * 3 + 2 * 2


def test_two_candidates_that_are_about_one_paper_get_two_pages(made: Made) -> None:
    first, second = made.summary["reports"][4:]
    assert first["candidate_id"] == second["candidate_id"] == "doi:10.1000/new"
    assert first["html"] != second["html"]


def test_names_lie_in_the_folder_and_follow_the_id(made: Made) -> None:
    assert made.summary["reports"][0]["html"] == f"out/{slug('good')}.html"
    assert made.summary["reports"][1]["html"].startswith("out/with_a___in_it-")


def test_the_record_says_what_check_says(made: Made) -> None:
    record = json.loads((made.folder / made.summary["reports"][0]["record"]).read_text("utf-8"))
    graph = nk.open_graph(made.folder / "events.jsonl", cached=False)
    said = nk.check(graph, json.loads(BATCH[0])).to_dict()
    assert record["result"] == {**said, "graph": record["result"]["graph"]}
    assert record["result"]["graph"]["files"] == ["events.jsonl"]
    assert record["made_from"]["log_sha256"] == graph.sha256
    assert list(record["result"]) == list(said)
    assert list(record)[:3] == ["candidate_id", "verdict", "status"]


def test_one_worker_or_two_give_the_same_bytes_everywhere(made: Made) -> None:
    again = Made(made.folder, "again", jobs=1)
    assert again.files(".json", ".html", ".ipynb") == made.files(".json", ".html", ".ipynb")


def test_resume_makes_only_what_changed(made: Made) -> None:
    shutil.copytree(made.out, made.folder / "resumed")
    times = notebook_times(made.folder / "resumed")
    again = Made(made.folder, "resumed", resume=True)
    assert [report["verdict"] for report in again.summary["reports"]] == [
        report["verdict"] for report in made.summary["reports"]
    ]
    assert notebook_times(again.out) == times
    good = next(again.out.glob("good-*.html"))
    good.unlink()
    Made(made.folder, "resumed", resume=True, only=["good"])
    assert good.is_file()
    assert changed(times, notebook_times(again.out)) == [good.with_suffix(".ipynb").name]
    assert (again.out / "index.html").read_text("utf-8").count('<tr role="row" data-verdict') == 6
    Made(made.folder, "resumed", resume=True, only=["good"], policy={"date_margin_years": "off"})
    record = json.loads(good.with_suffix(".json").read_text("utf-8"))
    assert record["result"]["policy"]["date_margin_years"] == "off"


def notebook_times(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.ipynb")}


def changed(before: dict[str, int], after: dict[str, int]) -> list[str]:
    return [name for name in before if before[name] != after[name]]


def test_a_report_that_cannot_be_read_is_made_anew(made: Made) -> None:
    shutil.copytree(made.out, made.folder / "damaged")
    record = next((made.folder / "damaged").glob("good-*.json"))
    whole = record.read_bytes()
    for damage in (b"", b"{}", b"[1]", b"\xff", whole[:-40]):
        record.write_bytes(damage)
        with pytest.raises(CandidateError):
            read_outcome(record.parent, record.stem)
    Made(made.folder, "damaged", resume=True, only=["good"])
    assert record.read_bytes() == whole


def test_the_command_prints_one_document_and_exits_1_for_an_error_page(made: Made, capsys: Any) -> None:
    arguments = ("report", "batch.jsonl", "--graph", "events.jsonl", "--out", "out", "--resume", "--json")
    assert novelty(made.folder, *arguments) == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == made.summary
    assert said.err == ""


def test_fail_on_names_verdicts(made: Made) -> None:
    arguments = (
        "report",
        "batch.jsonl",
        "--graph",
        "events.jsonl",
        "--out",
        "out",
        "--only",
        "good",
        "--resume",
    )
    assert novelty(made.folder, *arguments) == 0
    assert novelty(made.folder, *arguments, "--fail-on", "novel") == 0
    assert novelty(made.folder, *arguments, "--fail-on", "neighborhood,novel") == 1


def test_an_id_is_a_candidate_too(made: Made, capsys: Any) -> None:
    arguments = ("report", "arXiv:2001.00001v2", "--graph", "events.jsonl", "--out", "by-id")
    assert novelty(made.folder, *arguments) == 0
    assert "arxiv:2001.00001: duplicate (ok)" in capsys.readouterr().out
    assert (made.folder / "by-id" / f"{slug('arxiv:2001.00001')}.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.jsonl",), "no such file"),
        (("batch.jsonl", "--graph", "nowhere.jsonl"), "nowhere.jsonl"),
        (("batch.jsonl", "--graph", "torn.jsonl"), "torn.jsonl:1"),
        (("batch.jsonl", "--policy", "gate_scop=graph"), "no policy is named"),
        (("batch.jsonl", "--as-of", "99"), "as of 99"),
        (("batch.jsonl", "--only", "nobody"), "--only names no candidate"),
        (("twins.jsonl",), "two candidates have the id"),
        (("empty.jsonl",), "holds no candidate"),
        (("batch.jsonl", "--kind", "claim"), "describe a candidate given by id"),
        (("batch.jsonl", "--graph", "-"), "standard input"),
    ],
)
def test_bad_input_is_one_clear_error_and_writes_nothing(
    made: Made, arguments: tuple[str, ...], words: str, capsys: Any
) -> None:
    (made.folder / "torn.jsonl").write_text('{"op": "upsert"\n')
    (made.folder / "twins.jsonl").write_text("\n".join([BATCH[0], BATCH[0]]))
    (made.folder / "empty.jsonl").write_text("")
    graph = () if "--graph" in arguments else ("--graph", "events.jsonl")
    assert novelty(made.folder, "report", *arguments, *graph, "--out", "never") == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert not (made.folder / "never").exists()


def test_an_output_folder_that_cannot_be_is_an_error(made: Made, capsys: Any) -> None:
    (made.folder / "a-file").write_text("")
    for out in ("a-file", "a-file/below"):
        assert novelty(made.folder, "report", "batch.jsonl", "--graph", "events.jsonl", "--out", out) == 2
        assert "cannot write" in capsys.readouterr().err


FORMS = [
    paper(),
    {"kind": "paper"},
    {"kind": "paper", "keys": {"arxiv": "2408.06290v2", "doi": "10.48550/arXiv.2408.06292"}},
    {
        "kind": "paper",
        "keys": {"s2_paperId": "CorpusId:12", "pmid": "0012"},
        "holdout_lom_ids": None,
        "references": [],
    },
    {
        **CLAIM,
        "statement": " a\n$b$ ",
        "claim_id": "c",
        "leave_out": True,
        "title": "🧜",
        "publication_date": "2020-05",
    },
    {
        "kind": "paper",
        "keys": {"doi": "10.1000/x"},
        "references_checked": {"status": "failed", "reason": "r"},
    },
    {
        "kind": "paper",
        "keys": {"doi": "10.1000/x"},
        "passport": "p.yaml",
        "review_run": "run",
        "hypothesis_id": "H-0001",
    },
]


@pytest.mark.parametrize("given", FORMS, ids=range(len(FORMS)))
def test_a_candidate_written_back_is_the_same_candidate(given: dict[str, Any]) -> None:
    candidate = read_candidate(given)
    form = candidate_form(candidate)
    assert read_candidate(form) == candidate
    assert candidate_form(read_candidate(json.loads(json.dumps(form)))) == form
    assert len(candidate_sha256(candidate)) == 64


def test_the_template_that_runs_is_the_one_that_is_committed() -> None:
    assert (notebook_folder() / "20-candidate-audit.ipynb").is_file()


def test_every_record_fits_the_published_schema(made: Made) -> None:
    registry = Registry().with_resource("result.json", Resource.from_contents(schema_of("result")))
    check = Draft202012Validator(schema_of("report"), registry=registry)
    for path in made.out.glob("*.json"):
        record = json.loads(path.read_text("utf-8"))
        assert [error.message for error in check.iter_errors(record)] == []
        assert list(check.iter_errors({**record, "made_from": None}))
