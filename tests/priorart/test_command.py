"""`novelty priorart`: one folder from the artifact to the record, and one clear error for whatever is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cases_of import CaseFolder
from click.testing import CliRunner, Result

from novelty_kit.cli.priorart import priorart
from novelty_kit.errors import NoveltyKitError
from novelty_kit.priorart.shapes import shape_of

DRAFT = """# Draft

We introduce a sketch that is merged without a shared seed. The work of Doe et al. [3] came first.

## References

- Roe, R. Lazy replay buffers for small memories. doi:10.5555/replay.7
"""
QUOTE = "We merge two spectral sketches in one pass over the data."
EVENTS = (
    {
        "lom_id": "arxiv:2001.00001",
        "arxiv": "2001.00001",
        "title": "Merging spectral sketches",
        "abstract": f"{QUOTE} The method does not need a shared seed.",
        "publication_date": "2020-01-01",
    },
    {
        "lom_id": "doi:10.5555/replay.7",
        "doi": "10.5555/replay.7",
        "title": "Lazy replay buffers for small memories",
    },
)


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(priorart, list(arguments), input=stdin, standalone_mode=False)


def code(result: Result) -> int:
    """The exit code that the command line would end with."""
    if isinstance(result.exception, NoveltyKitError):
        return result.exception.exit_code
    assert result.exception is None, result.exception
    return result.return_value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "draft.md").write_text(DRAFT, "utf-8")
    lines = [json.dumps({"op": "upsert", "table": "paper", "row": row}) for row in EVENTS]
    (tmp_path / "events.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_from_the_artifact_to_the_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(folder / "cache"))
    claims, log = str(folder / "claims.json"), str(folder / "events.jsonl")
    shown = run(
        "extract", str(folder / "draft.md"), "--json", "--out", claims, "--artifact-date", "2026-01-01"
    )
    assert code(shown) == 0
    assert json.loads(shown.stdout) == json.loads(Path(claims).read_text("utf-8"))
    assert "1 claims of newness" in run("extract", str(folder / "draft.md")).stdout

    searched = run("search", claims, "--graph", log, "--index", str(folder / "papers.index"))
    assert code(searched) == 0
    assert "graph: completed" in searched.stdout
    again = run("search", claims, "--graph", log, "--index", str(folder / "papers.index"), "--jsonl")
    assert again.stdout == (folder / "search_log.jsonl").read_text("utf-8")

    judged = run("adjudicate", str(folder), "--by", "Ada", stdin=f">{QUOTE}\nq\n1\n#the same\ne\nx\nz\n")
    assert code(judged) == 0
    assert "proven; q keeps it" in judged.stdout
    done = run(
        "record", str(folder / "verdicts.json"), "--json", "--artifact-text", str(folder / "draft.md"),
        "--out", str(folder / "record.json"),
    )  # fmt: skip
    assert code(done) == 1
    document = json.loads(done.stdout)
    jsonschema.validate(document, shape_of("prior-art-record"))
    assert document == json.loads((folder / "record.json").read_text("utf-8"))
    assert document["coverage_record"]["counts"]["collisions"] == 1
    text = run("record", str(folder / "verdicts.json"), "--exit-zero")
    assert code(text) == 0
    assert "Quote check" in text.stdout


def test_a_quote_from_a_cited_work_is_not_uncited_prior_art(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    path = case.write([{"claim_id": "C1", "verdict": "collision", "quotes": [case.quote(QUOTE)]}])
    (tmp_path / "refs.txt").write_text("# cited\narXiv:2001.00001v3\n")
    options = ("record", str(path), "--json", "--references", str(tmp_path / "refs.txt"))
    assert "source-cited" in json.loads(run(*options).stdout)["coverage_record"]["escalations"][0]["reason"]
    late = run("record", str(path), "--json", "--artifact-date", "2019-05-05")
    assert "source-not-earlier" in late.stdout


def test_a_claim_without_a_completed_search_ends_the_search_with_3(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(folder / "cache"))
    row = {"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2001.00009", "arxiv": "2001.00009"}}
    (folder / "empty.jsonl").write_text(json.dumps(row) + "\n")
    run("extract", str(folder / "draft.md"), "--out", str(folder / "claims.json"))
    found = run("search", str(folder / "claims.json"), "--graph", str(folder / "empty.jsonl"))
    assert code(found) == 3
    assert "failed" in found.stdout


def test_a_model_s_verdicts_bear_its_name(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    path = case.write([{"claim_id": "C1", "verdict": "clear-under-search"}])
    assert "Judged by: model x-1 (verdicts: 1)." in run("record", str(path), "--by-model", "x-1").stdout
    assert "Judged by: person Ada" in run("record", str(path), "--by", "Ada").stdout
    both = run("record", str(path), "--by", "Ada", "--by-model", "x")
    assert both.exception is not None


def test_a_list_on_standard_input_is_read() -> None:
    given = json.dumps([{"claim_id": "A", "verdict": "inconclusive"}])
    found = run("record", "-", "--evidence", "marker", "--json", stdin=given)
    assert json.loads(found.stdout)["coverage_record"]["artifact"] == "<artifact>"


HOSTILE: tuple[Any, ...] = (
    b"", b"null", b"5", b'"x"', b"{}", b"[[]]", b"[null]", b"[5]", b'[{"claim_id": []}]', b"\xff\xfe", b"[" * 50_000,
    b'[{"claim_id": "A", "verdict": "collision", "quotes": 5}]', b'[{"claim_id": "A", "verdict": "x", "by": 1}]',
    b'[{"claim_id": "A", "claim_id": "B"}]', b'[{"claim_id": "A", "verdict": 1e999}]', b"\xef\xbb\xbf[] x",
    b'[{"quotes": [1]}]', b'[{"quotes": [{"text": "x", "text_sha256": "../../etc/passwd"}]}]',
    b'[{"quotes": [{"text": "x", "text_sha256": "' + b"0" * 64 + b'", "start": -1, "end": 5}]}]',
    b'[{"claim_id": "\\ud800", "verdict": "\\ud800", "finding": {"kind": 3}}]', b"1" * 10_000,
)  # fmt: skip


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", ["verdicts.json", "claims.json", "search_log.jsonl"])
def test_whatever_a_file_holds_the_end_is_a_record_or_an_error_of_ours(
    tmp_path: Path, name: str, data: bytes
) -> None:
    case = CaseFolder(tmp_path)
    path = case.write([{"claim_id": "C1", "verdict": "collision", "quotes": [case.quote(QUOTE)]}])
    (tmp_path / name).write_bytes(data)
    for options in ([], ["--lenient"], ["--evidence", "marker"], ["--evidence", "marker", "--lenient"]):
        done = run("record", str(path), "--json", *options)
        if isinstance(done.exception, NoveltyKitError):
            assert done.exception.exit_code == 2
            assert str(done.exception)
        else:
            assert done.exception is None
            jsonschema.validate(json.loads(done.stdout), shape_of("prior-art-record"))


def test_nothing_heavy_is_imported_for_help() -> None:
    program = (
        "import sys; from novelty_kit.cli.priorart import priorart; "
        "heavy = {'ipywidgets', 'pandas', 'duckdb', 'pyarrow', 'sqlite3'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    case = CaseFolder(tmp_path)
    path = case.write([{"claim_id": "C1", "verdict": "collision", "quotes": [case.quote(QUOTE)]}])
    assert run("record", str(path), "--json").stdout == run("record", str(path), "--json").stdout
    assert str(tmp_path) not in run("record", str(path), "--json").stdout
