"""Many processes at once: every review gets one number, none is lost, also when writers are killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from review_runs import ENTRY, ROOT, a_hypothesis, a_manifest, a_review, get, make_run, put

from novelty_kit.review import open_run
from novelty_kit.review.schema import schema_problems

HYPOTHESES = [f"H-000{n}" for n in range(1, 5)]


def a_run_of_four(path: Path) -> Path:
    return make_run(
        path,
        hypotheses=[a_hypothesis(one) for one in HYPOTHESES],
        manifests={one: a_manifest(hypothesis_id=one) for one in HYPOTHESES},
    )


def review_of(hypothesis_id: str, reviewer: str) -> dict[str, Any]:
    return a_review(
        hypothesis_id=hypothesis_id, reviewer=reviewer, citation_manifest=f"citations/{hypothesis_id}.json"
    )


def assert_exactly_ten_each(path: Path, reviewers: set[str]) -> None:
    # A writer that was killed last may leave its temporary file; whoever writes next takes it away.
    names = sorted(file.name for file in (path / "reviews").iterdir() if not file.name.startswith("."))
    assert names == sorted(f"{one}.R-{n:02d}.json" for one in HYPOTHESES for n in range(1, 11))
    records = [get(path / "reviews" / name) for name in names]
    assert [record["id"] for record in records] == [name.removesuffix(".json") for name in names]
    assert not [problem for record in records for problem in schema_problems(record, "review")]
    assert sorted(record["reviewer"] for record in records) == sorted(reviewers)
    assert all(judgement.is_clean for judgement in open_run(path).check())


def test_forty_processes_give_each_of_four_hypotheses_its_ten_numbers(tmp_path: Path) -> None:
    run = a_run_of_four(tmp_path / "run")
    jobs = [(one, f"{one} reviewer {n}") for n in range(10) for one in HYPOTHESES]
    running = []
    for at, (one, reviewer) in enumerate(jobs):
        file = put(tmp_path / f"{at}.json", review_of(one, reviewer))
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", ENTRY, "review", "add", str(run), str(file), "--for", one],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        )
    printed = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        printed.append(out.split()[2])
    assert len(set(printed)) == 40
    assert_exactly_ten_each(run, {reviewer for _, reviewer in jobs})


@pytest.mark.parametrize("seed", range(4))
def test_killed_writers_lose_no_review_and_leave_no_gap(tmp_path: Path, seed: int) -> None:
    run = a_run_of_four(tmp_path / "run")
    jobs = [(one, f"{one} reviewer {n}") for n in range(10) for one in HYPOTHESES]
    open_run(run).check()
    chance = random.Random(seed)
    acknowledged: set[str] = set()
    n_killed = 0
    while jobs:
        confirmed, n = at_once(run, jobs, chance, kill=chance.randint(5, 15) if n_killed < 30 else 0)
        acknowledged |= confirmed
        n_killed += n
        stored = {get(file)["reviewer"] for file in (run / "reviews").glob("H-*.json")}
        assert acknowledged <= stored
        jobs = [job for job in jobs if job[1] not in stored]
    assert n_killed > 0
    assert_exactly_ten_each(run, {f"{one} reviewer {n}" for n in range(10) for one in HYPOTHESES})
    for one in HYPOTHESES:
        assert open_run(run).add(review_of(one, "next"), one).review_id == f"{one}.R-11"
    assert not list(run.rglob(".*.part"))


def at_once(
    path: Path, jobs: list[tuple[str, str]], chance: random.Random, kill: int
) -> tuple[set[str], int]:
    """Start a process for each job, let all go together, kill some: who confirmed, how many died."""
    start, go = os.pipe()
    children: dict[int, str] = {}
    for one, reviewer in jobs:
        child = os.fork()
        if child == 0:
            os.close(go)
            os.read(start, 1)
            status = 1
            with contextlib.suppress(BaseException):
                open_run(path).add(review_of(one, reviewer), one)
                status = 0
            os._exit(status)
        children[child] = reviewer
    os.close(start)
    os.close(go)
    for victim in chance.sample(sorted(children), min(kill, len(children))):
        time.sleep(chance.random() * 0.01)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    confirmed, n_killed = set(), 0
    for child, reviewer in children.items():
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            n_killed += 1
        else:
            assert os.WEXITSTATUS(status) == 0
            confirmed.add(reviewer)
    return confirmed, n_killed


def test_adds_and_quarantines_at_once_lose_nothing(tmp_path: Path) -> None:
    run = a_run_of_four(tmp_path / "run")
    open_run(run).check()
    children = []
    for n in range(24):
        child = os.fork()
        if child == 0:
            one, record = HYPOTHESES[n % 4], review_of(HYPOTHESES[n % 4], f"reviewer {n}")
            status = 1
            with contextlib.suppress(BaseException):
                if n % 3:
                    open_run(run).add(record, one)
                else:
                    open_run(run).quarantine(one, {**record, "scores": {**record["scores"], "safety": 1}})
                status = 0
            os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 24
    records = [get(file) for file in sorted((run / "reviews").iterdir())]
    assert sorted(record["reviewer"] for record in records) == sorted(f"reviewer {n}" for n in range(24))
    assert sorted(file.name for file in (run / "quarantine").iterdir()) == [
        f"{one}.json" for one in HYPOTHESES
    ]
    assert not any((run / "hypotheses").iterdir())
    assert not [file for file in run.iterdir() if file.name.startswith(".novelty")]


def test_thirty_processes_take_thirty_ids(tmp_path: Path) -> None:
    run = a_run_of_four(tmp_path / "run")
    reading, writing = os.pipe()
    children = []
    for n in range(30):
        child = os.fork()
        if child == 0:
            kind, one = (("review", "H-0001"), ("match", None), ("hypothesis", None))[n % 3]
            os.write(writing, f"{open_run(run).next_id(kind, one)}\n".encode())
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        taken = stream.read().split()
    assert sorted(taken) == sorted(
        [*(f"H-0001.R-{n:02d}" for n in range(1, 11)), *(f"M-{n:04d}" for n in range(1, 11))]
        + [f"H-{n:04d}" for n in range(5, 15)]
    )
