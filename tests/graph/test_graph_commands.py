"""`novelty graph …` as a user runs it: words on a terminal, JSON for machines, exit codes, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from log_writer import GOOD, checked, claim, edge, paper, write

from novelty_kit.cli import main

LINES = [
    paper("W1", title="One <b>\x1b[31m\u202e</b>", publication_date="2020"),
    paper("W2", publication_date="2021"),
    claim("c1", "W3"),
    checked("W1", 1),
    edge("W1", "W2"),
    edge("W4", "W4"),
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "log.jsonl", *LINES)


def run(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """The command in this process: exit code, output, errors."""
    with pytest.raises(SystemExit) as stop:
        main(["graph", *map(str, arguments)])
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return int(stop.value.code or 0), out, err


def as_json(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    code, out, err = run(capfd, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def _process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "novelty_kit", "graph", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


# ---- As real processes


def test_bad_logs_end_a_process_with_two_and_words(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.jsonl", GOOD, b'{"op":"upsert","table":"citation_egde","row":{}}')
    done = _process("stats", bad)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        f"novelty: {bad}:2:16: no table is named 'citation_egde'. Did you mean 'citation_edge'?"
    )
    assert "Traceback" not in done.stderr


def test_a_process_reads_standard_input(log: Path) -> None:
    done = _process("stats", "-", "--json", input=log.read_text("utf-8"))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["n_events"] == len(LINES)


def test_words_are_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    log = write(tmp_path / "ü.jsonl", paper("W1", title="Ümläut"))
    done = subprocess.run(
        [sys.executable, "-m", "novelty_kit", "graph", "gaps", str(log)],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0
    assert "Ümläut" in done.stdout.decode("utf-8")


# ---- stats, gaps


def test_stats_in_words_and_as_json(log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "stats", log)
    assert code == 0
    assert "nodes     4: 2 read, 1 claim-bearing, 1 stubs" in out
    assert "seal      none: a lost line could not be seen" in out
    assert "warning   self_loop: 1" in out
    assert as_json(capfd, "stats", log)["nodes"]["total"] == 4
    assert as_json(capfd, "stats", log, "--as-of", "1")["nodes"]["total"] == 1


def test_gaps_in_words_and_as_json(log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "gaps", log)
    assert (code, "openalex:W3  unchecked" in out) == (0, True)
    found = as_json(capfd, "gaps", log, "--max-listed", "0")
    assert found == {"total": 1, "gaps": []}
    assert as_json(capfd, "gaps", log)["gaps"][0]["lom_id"] == "openalex:W3"


def test_the_log_is_named_once_by_file_option_or_environment(
    log: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert as_json(capfd, "stats", "--graph", log)["n_events"] == len(LINES)
    assert as_json(capfd, "stats", "--graph", log, "--graph", log)["n_events"] == 2 * len(LINES)
    assert as_json(capfd, "stats", log, log)["n_events"] == 2 * len(LINES)
    code, _, err = run(capfd, "stats", log, "--graph", log)
    assert (code, "named twice" in err) == (2, True)
    monkeypatch.setenv("NOVELTY_GRAPH", str(log))
    assert as_json(capfd, "stats")["n_events"] == len(LINES)


def test_text_from_data_cannot_act_on_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = write(tmp_path / "log.jsonl", paper("W1", title="\x1b]0;x\x07\u202e\nnew line"))
    for command in ("gaps", "validate", "stats"):
        _, out, err = run(capfd, command, log)
        assert not {"\x1b", "\x07", "\u202e"} & set(out + err)
    bad = write(
        tmp_path / "bad\x1b[31m.jsonl", b'{"op":"upsert","table":"x","row":{},"\\u001b[2J":1,"\\u001b[2J":2}'
    )
    for command in ("stats", "validate"):
        _, out, err = run(capfd, command, bad)
        assert not {"\x1b", "\x07"} & set(out + err)


# ---- validate


def test_validate_exits_by_what_it_found(
    tmp_path: Path, log: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capfd, "validate", log)
    assert code == 0
    assert f"warning self_loop: {log}:6: openalex:W4 cites itself" in out
    assert out.endswith(f"{log}: 6 lines, sound\n")
    bad = write(tmp_path / "bad.jsonl", *[b"{}", GOOD] * 60)
    code, out, err = run(capfd, "validate", bad)
    assert (code, err) == (2, "")
    assert f"{bad}:1:1: 'op' must be upsert or delete, got nothing" in out
    assert "… and 80 more faults" in out
    assert out.endswith(f"{bad}: 120 lines, 60 bad lines, not loadable as it stands\n")


def test_validate_as_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = write(tmp_path / "bad.jsonl", GOOD, paper("A1"))
    code, out, err = run(capfd, "validate", bad, "--json")
    found = json.loads(out)
    assert (code, err, found["files"], found["n_bad_lines"]) == (2, "", [str(bad)], 1)
    assert found["problems"][0]["line"] == 2


# ---- repair, seal


def test_repair_says_what_it_did(tmp_path: Path, log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "repair", log)[:2] == (0, f"{log}: nothing is torn\n")
    with log.open("ab") as out_file:
        out_file.write(GOOD[:20])
    code, _, err = run(capfd, "stats", log)
    assert (code, f"run novelty graph repair {log}" in err) == (2, True)
    code, out, _ = run(capfd, "repair", log)
    assert (code, out) == (0, f"{log}: the torn last line is cut off and kept in {log}.torn\n")
    assert as_json(capfd, "repair", log) == {"file": str(log), "kept": None}
    assert as_json(capfd, "stats", log)["n_events"] == len(LINES)
    code, _, err = run(capfd, "repair", tmp_path / "missing.jsonl")
    assert (code, "no such file" in err) == (2, True)


def test_a_sealed_log_that_lost_a_line_is_refused_by_every_command(
    log: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(capfd, "seal", log)[:2] == (0, f"{log}: 6 lines sealed in {log}.seal.json\n")
    assert as_json(capfd, "seal", log)[0]["lines"] == 6
    assert "seal      6 lines sealed\n" in run(capfd, "stats", log)[1]
    write(log, *LINES[:3], *LINES[4:])
    for command in (["stats"], ["gaps"], ["validate"], ["seal"], ["export", "--out", str(log.parent / "x")]):
        code, out, err = run(capfd, command[0], log, *command[1:])
        assert (code, f"{log}:4: the sealed line 4 is lost" in out + err) == (2, True)
    assert run(capfd, "seal", log, "--anew")[0] == 0
    assert run(capfd, "stats", log)[0] == 0


# ---- export


def test_export_writes_parquet_or_graphml(log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, picture = log.parent / "tables", log.parent / "g.graphml"
    assert run(capfd, "export", log, "--out", folder)[:2] == (0, f"{folder}: 6 tables\n")
    assert run(capfd, "export", log, "--out", picture)[:2] == (0, f"{picture}: 4 nodes, 1 edges\n")
    found = as_json(capfd, "export", log, "--out", picture, "--center", "W1", "--hops", "0")
    assert found == {"files": [str(picture)], "n_nodes": 1, "n_edges": 0}
    code, _, err = run(capfd, "export", log, "--out", folder, "--center", "W1")
    assert (code, "--center goes with GraphML" in err) == (2, True)
    code, _, err = run(capfd, "export", log, "--out", "/proc/x")
    assert (code, "cannot write" in err) == (2, True)


@pytest.mark.parametrize("command", ["stats", "validate", "gaps", "repair", "seal", "export"])
def test_every_command_explains_itself(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, command, "--help")
    assert code == 0
    assert out.startswith(f"Usage: novelty graph {command}")
