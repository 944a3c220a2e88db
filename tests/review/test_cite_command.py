"""`novelty cite verify`: what is read, what is written, what is said, and that an outage accuses nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result
from review_runs import ENTRY, ROOT, a_hypothesis, get, make_run, put, snapshot

sys.path.insert(0, str(Path(__file__).parents[1] / "ingest"))
from loopback_server import Asked, Loopback, Told, loopback

from novelty_kit.cli import cli, main
from novelty_kit.review import open_run
from novelty_kit.review.manifest import read_manifest
from novelty_kit.review.schema import schema_problems

RECORDED = Path(__file__).parents[1] / "recorded" / "citations"
TITLE = "Sleep spindles predict the gain of motor skill after training in 24 adults"
KNOWN = {
    "/works/10.1000/spindles": "crossref_one.json",
    "/works/10.1000/tides": "crossref_with_subtitle.json",
    "/dois/10.5281/zenodo.77": "datacite_with_subtitle.json",
    "EXT_ID:31000001": "europepmc_one.json",
    "/doiRA/10.1000/invented": "doi_does_not_exist.json",
    "/studies/NCT01234567": "clinicaltrials_one.json",
}
SERVICES = ("crossref", "datacite", "doi", "arxiv", "europepmc", "openalex", "clinicaltrials")


def answered(asked: Asked) -> Told:
    """One server that plays every service: by what stands in the question."""
    path = unquote(asked.path)
    for part, name in KNOWN.items():
        if part in path:
            return Told((RECORDED / name).read_bytes())
    if "/search" in path:
        return Told((RECORDED / "europepmc_count_zero.json").read_bytes())
    if "/api/query" in path:
        return Told((RECORDED / "arxiv_empty.xml").read_bytes())
    if "filter=" in path or "query.bibliographic" in path:
        return Told(b'{"status": "ok", "message": {"items": []}}')
    return Told(b"Resource not found.", 404)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Loopback]:
    with loopback() as server:
        server.answer = answered
        for source in SERVICES:
            monkeypatch.setenv(f"NOVELTY_{source.upper()}_URL", server.url)
        monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
        yield server


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for source in SERVICES:
        monkeypatch.setenv(f"NOVELTY_{source.upper()}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))


def verify(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["cite", "verify", *map(str, arguments)], input=given)


def command(*arguments: str | Path) -> int:
    """Run it as the command line does; the exit code."""
    with pytest.raises(SystemExit) as stop:
        main(["cite", "verify", *map(str, arguments)])
    assert isinstance(stop.value.code, int)
    return stop.value.code


def statuses(result: Result) -> list[list[str]]:
    [target] = json.loads(result.stdout)["targets"]
    return [[entry["id"], entry["status"]] for entry in target["citations"]]


def evidence(*lit_ids: str) -> list[dict[str, Any]]:
    return [{"lit_id": lit_id, "role": "supports", "note": "n"} for lit_id in lit_ids]


def test_a_runs_manifests_are_written_and_the_run_reads_them(world: Loopback, tmp_path: Path) -> None:
    first = a_hypothesis(evidence=evidence("PMID:31000001", "doi:10.1000/spindles", "10.1000/invented"))
    second = a_hypothesis("H-0002", evidence=evidence("10.5281/zenodo.77"))
    path = make_run(tmp_path / "run", hypotheses=[first, second], manifests={})
    result = verify(path)
    assert result.exit_code == 1, result.output
    run = open_run(path)
    for hypothesis_id, counts in (("H-0001", (3, 2, 1)), ("H-0002", (1, 1, 0))):
        file = path / f"citations/{hypothesis_id}.json"
        assert schema_problems(get(file), "citation_manifest") == ()
        manifest = read_manifest(file.read_bytes(), file.name)
        assert (manifest.target_id, manifest.dialect, manifest.summary_agrees) == (
            hypothesis_id,
            "hypex",
            True,
        )
        assert (manifest.counts.total, manifest.counts.verified, manifest.counts.phantom) == counts
    # What the manifests say is what reviews are held to.
    refused = run.check()
    assert refused == ()
    assert result.output.splitlines()[0] == "H-0001: phantom-citations-present (2 verified, 1 phantom)"


def test_one_hypothesis_may_be_named_and_nothing_written(world: Loopback, tmp_path: Path) -> None:
    hypotheses = [a_hypothesis(evidence=evidence("10.1000/spindles")), a_hypothesis("H-0002")]
    path = make_run(tmp_path / "runs/r1", hypotheses=hypotheses, manifests={})
    before = snapshot(path)
    result = verify("--run", "r1", "--run-dir", tmp_path / "runs", "--for", "H-0001", "--dry-run", "--json")
    assert result.exit_code == 0
    assert statuses(result) == [["doi:10.1000/spindles", "verified"]]
    assert snapshot(path) == before


BIBTEX = """
@article{one, title = {{Sleep} spindles predict the gain of motor skill after training in 24 adults},
  author = {Nader, Amina and Kim, Bo}, doi = {10.1000/spindles}, year = 2021}
@online{two, title = {Sleep spindles predict the gain of motor skill after training in 24 adults}, year = 2021,
  author = {N. Obody}, pmid = {31000001}}
@misc{three, author = {Somebody}, year = 1999}
"""
RIS = f"TY  - JOUR\nTI  - {TITLE}\nAU  - Nader, Amina\nDO  - 10.1000/spindles\nPY  - 2021\nER  - \n"
CSL = json.dumps([{"type": "article-journal", "id": "x", "title": TITLE, "DOI": "10.1000/spindles"}])
RECORD = json.dumps(
    {"id": "H-0009", "evidence": evidence("10.1000/spindles"), "statement": "see PMID: 31000001"}
)
LIST = f"# what we cite\n10.1000/spindles\n\nNCT01234567\n{TITLE}\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.bib", BIBTEX, [["doi:10.1000/spindles", "verified"], ["pmid:31000001", "suspect-title-match"]]),
        ("a.ris", RIS, [["doi:10.1000/spindles", "verified"]]),
        ("a.csl.json", CSL, [["doi:10.1000/spindles", "verified"]]),
        ("a.json", CSL, [["doi:10.1000/spindles", "verified"]]),
        ("a.json", RECORD, [["doi:10.1000/spindles", "verified"], ["pmid:31000001", "verified"]]),
        ("a.txt", LIST, [["doi:10.1000/spindles", "verified"], ["nct:NCT01234567", "verified"], [TITLE, "suspect-title-match"]]),
        ("unnamed", RECORD, [["doi:10.1000/spindles", "verified"], ["pmid:31000001", "verified"]]),
    ],
)  # fmt: skip
def test_every_form_is_read(
    name: str, text: str, expected: list[list[str]], world: Loopback, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    result = verify(tmp_path / name, "--json")
    assert statuses(result) == expected
    document = json.loads(result.stdout)
    assert document["targets"][0]["target_file"] == name
    assert result.exit_code == (0 if all(status == "verified" for _, status in expected) else 1)


def test_an_entry_that_names_nothing_is_listed_and_not_lost(world: Loopback, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@misc{three, author = {Somebody}, year = 1999}\n" + BIBTEX.split("@online")[0]
    )
    result = verify(tmp_path / "a.bib", "--json")
    document = json.loads(result.stdout)
    assert [skip["where"] for skip in document["targets"][0]["skipped"]] == ["a.bib:1"]
    assert document["codes"] == ["cite.extraction_incomplete"]
    assert result.exit_code == 1


def test_standard_input_is_a_record_or_a_list(world: Loopback) -> None:
    assert statuses(verify("-", "--json", given="10.1000/spindles\n")) == [
        ["doi:10.1000/spindles", "verified"]
    ]
    assert len(statuses(verify("-", "--json", given=RECORD))) == 2


def test_the_manifest_of_a_file_goes_where_it_is_said(world: Loopback, tmp_path: Path) -> None:
    source, target = put(tmp_path / "h.json", json.loads(RECORD)), tmp_path / "made/m.json"
    assert verify(source, "--out", target).exit_code == 0
    manifest = read_manifest(target.read_bytes(), "m.json")
    assert (manifest.target_id, manifest.target_file) == ("H-0009", "h.json")
    assert manifest.counts.verified == 2


def test_several_sources_are_looked_up_together_each_id_once(world: Loopback, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("10.1000/spindles\n")
    result = verify(tmp_path / "a.txt", tmp_path / "b.txt", "--json")
    assert [one["target_id"] for one in json.loads(result.stdout)["targets"]] == ["a", "b"]
    assert len(world.asked) == 1


def test_with_every_source_down_all_is_unverified_exit_three_and_nothing_is_taken_back(
    outage: None, tmp_path: Path
) -> None:
    cited = ("10.1000/x", "arXiv:2401.12345", "PMID:1", "W1", "NCT00000001")
    path = make_run(tmp_path / "run", hypotheses=[a_hypothesis(evidence=evidence(*cited))], manifests={})
    result = verify(path, "--timeout", "0.3", "--deadline", "5")
    assert result.exit_code == 3
    assert "phantom" not in result.output
    assert "5 citations of 5 could not be looked up; nothing is held against that." in result.stderr
    held = get(path / "citations/H-0001.json")
    assert {entry["status"] for entry in held["citations"]} == {"unverified"}
    assert held["summary"] == {
        "total": 5,
        "verified": 0,
        "phantom": 0,
        "unverified": 5,
        "all_verified": False,
    }


def test_an_outage_after_a_good_day_keeps_what_was_found_out(
    world: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_run(
        tmp_path / "run",
        hypotheses=[a_hypothesis(evidence=evidence("10.1000/spindles", "10.1000/invented"))],
        manifests={},
    )
    assert verify(path).exit_code == 1
    before = get(path / "citations/H-0001.json")["citations"]
    world.answer = lambda _: Told(b"", 503)
    assert verify(path, "--timeout", "0.3").exit_code == 3
    assert get(path / "citations/H-0001.json")["citations"] == before


def test_a_manifest_that_cannot_be_read_is_said_before_anybody_is_asked(
    world: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_run(tmp_path / "run", hypotheses=[a_hypothesis(), a_hypothesis("H-0002")])
    (path / "citations/H-0002.json").write_text("{broken")
    before = snapshot(path)
    assert command(path) == 2
    assert "citations/H-0002.json:1:2" in capsys.readouterr().err
    assert snapshot(path) == before
    assert world.asked == []


@pytest.mark.parametrize("place", ["citations", "hypotheses"])
def test_a_link_in_a_run_is_not_followed(
    place: str, world: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_run(tmp_path / "run")
    (path / place).rename(tmp_path / "outside")
    (path / place).symlink_to(tmp_path / "outside")
    before = snapshot(tmp_path)
    assert command(path) == 2
    assert "symbolic link" in capsys.readouterr().err
    assert snapshot(tmp_path) == before
    assert world.asked == []


def test_the_command_ends_by_its_deadline_though_every_service_hangs(world: Loopback, tmp_path: Path) -> None:
    world.answer = lambda _: Told(b"{}", after_s=8)
    source = tmp_path / "a.txt"
    source.write_text(
        "\n".join(f"10.1000/{n}" for n in range(300)) + "\nPMID:1\n2401.12345\nA title of its own\n"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", ENTRY, "cite", "verify", source, "--deadline", "1.5", "--timeout", "0.7"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120,
    )  # fmt: skip
    took = time.monotonic() - began
    assert done.returncode == 3
    assert took < 40, "each question by itself would take 212 s; a busy machine starts slowly"
    assert done.stderr.splitlines() == [
        "303 citations of 303 could not be looked up; nothing is held against that. "
        "The same command again asks again"
    ]
    assert done.stdout.count("\n  unverified ") == 303


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda tmp: [], "name what to verify"),
        (lambda tmp: [tmp / "nothing.bib"], "nothing.bib"),
        (lambda tmp: [tmp], "holds no run"),
        (lambda tmp: [make_run(tmp / "run", hypotheses=[])], "holds no hypothesis"),
        (lambda tmp: [make_run(tmp / "run"), "--for", "H-0007"], "H-0007"),
        (lambda tmp: [make_run(tmp / "run"), "--for", "../H-0001"], "invalid hypothesis ID"),
        (lambda tmp: [make_run(tmp / "run"), "--out", tmp / "m.json"], "--out takes the manifest of one file"),
        (lambda tmp: [put(tmp / "list.json", {"id": "x"}), "--for", "H-0001"], "--for names hypotheses of a run"),
        (lambda tmp: ["--run-dir", tmp], "--run-dir needs --run"),
        (lambda tmp: ["--run", "../x", "--run-dir", tmp], "does not stay inside the base"),
        (lambda tmp: ["--deadline", "0", tmp], "--deadline"),
        (lambda tmp: ["--deadline", "nan", tmp], "--deadline"),
        (lambda tmp: ["--deadline", "inf", tmp], "--deadline"),
        (lambda tmp: ["--timeout", "-1", tmp], "--timeout"),
        (lambda tmp: ["-", "--as", "bibtex"], "read from a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said_and_asks_nobody(
    make: Callable[[Path], list[Any]],
    says: str,
    tmp_path: Path,
    world: Loopback,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(*make(tmp_path)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert says in said.err
    assert len(said.err.splitlines()) <= 3
    assert world.asked == []


@pytest.mark.parametrize("broken", [b"{", b"\xff\xfe", b"", b"[1, {", b'{"a": 1, "a": 2}', b"@article{"])
def test_a_broken_file_is_named_or_holds_nothing_verified(
    broken: bytes, tmp_path: Path, world: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x.json", "x.bib", "x.ris", "x.csl", "x.txt"):
        (tmp_path / name).write_bytes(broken)
        code = command(tmp_path / name)
        said = capsys.readouterr()
        assert code in (1, 2), name
        assert "x" in (said.err if code == 2 else said.out)
        assert "Traceback" not in said.err


def test_hostile_text_reaches_the_terminal_escaped(world: Loopback, tmp_path: Path) -> None:
    nasty = "A \x1b[31mred\x1b[0m title \u202e of nobody </script>"
    put(tmp_path / "h.json", {"id": "H-\x1b[2J", "references": [{"doi": "10.1000/spindles", "title": nasty}]})
    result = verify(tmp_path / "h.json")
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    assert "\\x1b[31mred" in result.output
