"""The benchmarks at a tiny size: every engine gives the same results, and `--help` starts light. No time is asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def run(name: str, *options: str) -> str:
    """What a benchmark prints; it fails where engines differ."""
    done = subprocess.run(
        [sys.executable, str(HERE / name), *options],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1])}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("more", [(), ("--hubs", "--uncovered", "60", "--seed", "5")], ids=" ".join)
def test_all_engines_give_the_same_verdicts(tmp_path: Path, more: tuple[str, ...]) -> None:
    sizes = ("--events", "3000", "--candidates", "400", "--references", "12", "--repeat", "1")
    told = run("bench_verdict.py", *sizes, *more, str(tmp_path))
    assert "all engines agree" in told
    for rule in (
        "rule 0 lookup_failed",
        "rule 1 ok/duplicate",
        "rule 2 ok/neighborhood",
        "rule 3 insufficient_edges",
    ):
        assert rule in told


def test_all_ways_to_load_a_log_give_the_same_rows(tmp_path: Path) -> None:
    assert "all rows and edges are equal" in run(
        "bench_load.py", "--events", "3000", "--repeat", "1", str(tmp_path)
    )


def test_the_same_shape_gives_the_same_log(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("synthetic_log.py", "--events", "1000", str(tmp_path / folder))
    one, two = (next((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes().count(b"\n") == 1000


def test_help_imports_nothing_heavy() -> None:
    told = run("bench_start.py", "--repeat", "1")
    assert "met: --help imports no heavy package" in told
