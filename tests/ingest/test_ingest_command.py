"""`novelty ingest` as a process of its own: asked, stopped, killed, resumed, planned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from loopback_server import Asked, Loopback, Told, loopback

from novelty_kit.cli import cli

Rows = Callable[..., list[dict[str, Any]]]
KEY = "a-key-that-must-not-show"


def a_record(number: int) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number}",
        "title": f"Work {number}",
        "referenced_works": [f"https://openalex.org/W{number + 1000}"],
        "referenced_works_count": 1,
    }


def answer(asked: Asked) -> Told:
    if "filter=" not in asked.path:
        return Told(json.dumps(a_record(int(asked.path.partition("/works/W")[2].partition("?")[0]))).encode())
    names = asked.path.partition("%3A")[2].partition("&")[0].split("%7C")
    return Told(json.dumps({"results": [a_record(int(name[1:])) for name in names]}).encode())


@pytest.fixture
def openalex(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with loopback() as server:
        server.answer = answer
        monkeypatch.setenv("NOVELTY_OPENALEX_URL", server.url)
        monkeypatch.setenv("OPENALEX_API_KEY", KEY)
        yield server


def novelty(log: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["ingest", *arguments, "--graph", str(log)])
    assert KEY not in done.output
    return done.exit_code, done.output


def test_whatever_was_not_answered_is_a_paper_whose_list_is_not_known(
    log: Path, rows: Rows, openalex: Loopback
) -> None:
    openalex.answer = lambda asked: Told(b'{"creditsRemaining":0}', 429, {"Retry-After": "50000"})
    code, _ = novelty(log, "openalex", *(f"W{n}" for n in range(1, 61)), "--no-second-source")
    assert code == 3
    assert len(openalex.asked) == 1
    assert {row["lom_id"] for row in rows(log, "paper")} == {f"openalex:W{n}" for n in range(1, 61)}
    assert not [row for row in rows(log, "references_checked") if row["status"] == "ok"]


def test_a_stopped_run_goes_on_where_it_stopped(log: Path, rows: Rows, openalex: Loopback) -> None:
    ids = [f"W{n}" for n in range(1, 121)]
    budget = Told(b'{"creditsRemaining":0}', 429, {"Retry-After": "50000"})
    openalex.answer = lambda asked: budget if len(openalex.asked) > 1 else answer(asked)
    assert novelty(log, "openalex", *ids)[0] == 3
    assert sum(row["status"] == "ok" for row in rows(log, "references_checked")) == 50
    openalex.answer = answer
    openalex.asked.clear()
    assert novelty(log, "openalex", *ids, "--resume")[0] == 0
    assert len(openalex.asked) == 2
    assert len({r["lom_id"] for r in rows(log, "references_checked") if r["status"] == "ok"}) == 120
    before = log.read_bytes()
    assert novelty(log, "openalex", *ids)[0] == 0
    assert log.read_bytes() == before


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_run_leaves_every_work_that_it_was_to_ask_for(
    tmp_path: Path, log: Path, rows: Rows, openalex: Loopback, how: signal.Signals
) -> None:
    openalex.answer = lambda asked: Told(answer(asked).body, after_s=30.0 if len(openalex.asked) > 1 else 0.0)
    command = [sys.executable, "-m", "novelty_kit", "ingest", "openalex", "--graph", str(log)]
    (tmp_path / "ids").write_text("\n".join(f"W{n}" for n in range(1, 121)), "utf-8")
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.Popen([*command, "--ids", str(tmp_path / "ids")], env=environ, stderr=subprocess.PIPE)
    begun = time.monotonic()
    while len(openalex.asked) < 2 and time.monotonic() - begun < 60:
        time.sleep(0.01)
    run.send_signal(how)
    _, said = run.communicate(timeout=60)
    assert b"Traceback" not in said
    assert run.returncode == (130 if how is signal.SIGINT else -how)
    assert {row["lom_id"] for row in rows(log, "paper")} >= {f"openalex:W{n}" for n in range(1, 121)}
    openalex.answer = answer
    assert novelty(log, "openalex", "--ids", str(tmp_path / "ids"), "--resume")[0] == 0
    assert len({r["lom_id"] for r in rows(log, "references_checked")}) == 120


def test_a_plan_that_fails_makes_no_paper_of_a_candidate(
    tmp_path: Path, log: Path, rows: Rows, openalex: Loopback
) -> None:
    openalex.answer = lambda asked: Told(b"<html>", 404)
    (tmp_path / "plan.json").write_text('{"batches":[{"source":"openalex","ids":["W1"],"unlocks":["c"]}]}')
    assert novelty(log, "plan", str(tmp_path / "plan.json"))[0] == 3
    assert rows(log, "paper") == []
    assert [row["lookup"] for row in rows(log, "ingest_error")] == ["openalex:W1"]


def test_an_id_that_a_service_cannot_be_asked_for_is_no_paper(log: Path, openalex: Loopback) -> None:
    assert novelty(log, "crossref", "arxiv:2408.06292")[0] == 3
    assert not log.exists() or log.read_bytes() == b""


@pytest.mark.parametrize("seconds", ["-1", "nan"])
def test_a_wait_that_is_no_time_is_refused(log: Path, openalex: Loopback, seconds: str) -> None:
    code, out = novelty(log, "openalex", "W1", "--max-wait", seconds)
    assert (code, openalex.asked) == (2, [])
    assert "no number of seconds" in out


def test_a_plan_with_nothing_to_ask_asks_nothing(tmp_path: Path, log: Path, openalex: Loopback) -> None:
    (tmp_path / "plan.json").write_text('{"batches":[],"undecidable":[]}')
    code, out = novelty(log, "plan", str(tmp_path / "plan.json"), "--json")
    assert (code, json.loads(out)["asked"], openalex.asked) == (0, 0, [])
    assert not log.exists()
