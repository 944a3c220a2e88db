"""`novelty check --resolve` asks what must be looked up first, over real sockets, and never guesses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from novelty_kit.cli import cli

sys.path.insert(0, str(Path(__file__).parents[1] / "ingest"))
from loopback_server import Told, loopback

WORK = {
    "id": "https://openalex.org/W2100000001",
    "doi": "https://doi.org/10.1000/known",
    "title": "A work that the log knows by its DOI",
    "publication_date": "2020-05-01",
    "ids": {"openalex": "https://openalex.org/W2100000001", "doi": "https://doi.org/10.1000/known"},
    "referenced_works": [],
    "referenced_works_count": 0,
}


def check(
    log: Path, answers: list[Told], monkeypatch: pytest.MonkeyPatch, *more: str
) -> tuple[int, dict[str, object]]:
    with loopback() as openalex:
        openalex.script = answers
        monkeypatch.setenv("NOVELTY_OPENALEX_URL", openalex.url)
        monkeypatch.setenv("OPENALEX_API_KEY", "a-key-that-must-not-show")
        got = CliRunner().invoke(cli, ["check", "W2100000001", "--graph", str(log), "--json", *more])
    assert "a-key-that-must-not-show" not in got.output
    return got.exit_code, json.loads(got.stdout)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "events.jsonl"
    row = {"lom_id": "doi:10.1000/known", "doi": "10.1000/known", "read": True}
    path.write_text(json.dumps({"op": "upsert", "table": "paper", "row": row}) + "\n")
    return path


def test_offline_an_openalex_id_alone_is_not_looked_up(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, result = check(log, [], monkeypatch)
    assert (code, result["status"], result["verdict"]) == (3, "lookup_failed", "unknown")


def test_an_answer_gives_the_other_ids_and_the_verdict(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, result = check(log, [Told(body=json.dumps(WORK).encode())], monkeypatch, "--resolve")
    assert (code, result["status"], result["verdict"]) == (0, "ok", "duplicate")
    assert result["exact_key_match"]["matched_lom_ids"] == ["doi:10.1000/known"]
    assert result["candidate_id"] == "openalex:W2100000001"


def test_a_work_that_has_no_other_id_is_resolved_all_the_same(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = {**WORK, "doi": None, "ids": {"openalex": WORK["id"]}}
    code, result = check(log, [Told(body=json.dumps(alone).encode())], monkeypatch, "--resolve")
    assert (code, result["status"]) == (4, "insufficient_edges")


@pytest.mark.parametrize("status", [404, 400])
def test_a_failed_lookup_is_the_reason_why_there_is_no_verdict(
    status: int, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [Told(status=status, body=b"<html>no</html>")]
    code, result = check(log, told, monkeypatch, "--resolve")
    assert (code, result["status"], result["verdict"]) == (3, "lookup_failed", "unknown")
    assert result["ingest_errors_blocking"][0]["http_status"] == status
