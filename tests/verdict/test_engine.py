"""The SQL engine and the twin give the same results, wholly; and what surrounds a result changes nothing.

``NOVELTY_RANDOM_GRAPHS=n`` widens the comparison over random logs (a few dozen by default).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from case_files import differences, in_given_form, load_cases
from engine import Row, graph_of, in_frame, in_twin_form, one_history, results_of, unlike, write_log
from random_graphs import generate, policies
from twin import judge as twin_judge
from twin_log import read_log

from novelty_kit.graph import Graph, open_graph
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge, judge_frame
from novelty_kit.verdict.policy import Policy

ROOT = Path(__file__).resolve().parents[2]
CASES = load_cases()
N_GRAPHS = int(os.environ.get("NOVELTY_RANDOM_GRAPHS", "18"))
MAX_LISTED = (100, 0, 1, 2)


# ---- The cases


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    """The engine's results for every case; all logs stand in one, each as of its own end."""
    events, ends = one_history([case["given"]["events"] for _, case in CASES])
    graph = graph_of(tmp_path_factory.mktemp("cases"), events)

    def of(n: int) -> list[Row]:
        given = CASES[n][1]["given"]
        view = graph.as_of(ends[n])
        return results_of(view, given["candidates"], given.get("policy"), given.get("max_listed", 100))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip((name for name, _ in CASES), pool.map(of, range(len(CASES))), strict=True))


@pytest.mark.parametrize(("name", "case"), CASES, ids=[name for name, _ in CASES])
def test_the_engine_gives_what_the_case_expects(
    told: dict[str, list[Row]], name: str, case: dict[str, Any]
) -> None:
    assert differences(case["expect"], told[name]) == []


def test_the_engine_equals_the_twin_on_every_case(told: dict[str, list[Row]]) -> None:
    wrong = []
    for name, case in CASES:
        given = case["given"]
        log = read_log(given["events"])
        for candidate, result in zip(given["candidates"], told[name], strict=True):
            expected = twin_judge(log, candidate, given.get("policy"), given.get("max_listed", 100))
            wrong += [(name, line) for line in unlike(result, expected)]
    assert wrong == []


def test_the_engine_agrees_wholly_with_the_given_cases() -> None:
    if "NOVELTY_TEST_CASES" not in os.environ:
        pytest.skip("NOVELTY_TEST_CASES is not set")
    folders = sorted((Path(os.environ["NOVELTY_TEST_CASES"]) / "verdict").iterdir())

    def of(folder: Path) -> list[Any]:
        candidates, expected = (
            [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines() if line]
            for name in ("candidates.jsonl", "expected.jsonl")
        )
        graph = open_graph(folder / "events.jsonl", cached=False)
        forms = [in_given_form(result) for result in results_of(graph, candidates)]
        return [
            (folder.name, candidate["id"], field, got[field], line[field])
            for candidate, got, line in zip(candidates, forms, expected, strict=True)
            for field in line
            if got[field] != line[field]
        ]

    with ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(of, folders) for line in lines]
    assert folders
    assert wrong == []


# ---- Random logs


def differences_on(seed: int, folder: Path) -> list[Any]:
    """Where the engine and the twin differ on one random log under two policies, and the frame from both."""
    events, candidates = generate(seed, 18)
    log, graph = read_log(events), graph_of(folder, events, f"{seed}.jsonl")
    records = [read_candidate(candidate) for candidate in candidates]
    wrong: list[Any] = []
    # The default, and in turn one switched or a mixture.
    for policy in (policies(seed)[0], policies(seed)[1 + seed % 2]):
        max_listed = MAX_LISTED[seed % 4]
        verdicts = judge(graph, records, Policy.of(policy), max_listed)
        for candidate, verdict in zip(candidates, verdicts, strict=True):
            expected = twin_judge(log, candidate, policy, max_listed)
            lines = unlike(in_twin_form(verdict.to_dict()), expected)
            wrong += [(seed, candidate["id"], policy, line) for line in lines]
    # The frame is made from the same rules by another way.
    for row, verdict in zip(
        judge_frame(graph, records, Policy.of(policy)).to_pylist(), verdicts, strict=True
    ):
        wrong += [(seed, row["candidate_id"], line) for line in unlike(row, in_frame(verdict.to_dict()))]
    return wrong


def test_the_engine_equals_the_twin_wholly_on_random_logs_under_every_policy(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda seed: differences_on(seed, tmp_path), range(20_000, 20_000 + N_GRAPHS))
        assert [line for lines in found for line in lines] == []


def test_the_candidates_of_a_batch_do_not_touch_each_other(tmp_path: Path) -> None:
    """One by one, in another order, and twice in one batch: each candidate's result is the same."""
    events, candidates = generate(31, 12)
    graph = graph_of(tmp_path, events)
    batch = results_of(graph, candidates)
    assert [results_of(graph, [candidate])[0] for candidate in candidates[:6]] == batch[:6]
    order = Random(31).sample(range(12), 12)
    shuffled = results_of(graph, [candidates[n] for n in order])
    assert [shuffled[order.index(n)] for n in range(12)] == batch
    assert results_of(graph, [*candidates, *candidates]) == [*batch, *batch]


def test_a_batch_of_thousands_gives_what_a_small_one_gives(tmp_path: Path) -> None:
    """Large batches travel into the database by another way."""
    events, candidates = generate(32, 25)
    graph = graph_of(tmp_path, events)
    few = [in_frame(v.to_dict()) for v in judge(graph, [read_candidate(c) for c in candidates], Policy())]
    frame = judge_frame(graph, [read_candidate(c) for c in candidates] * 101, Policy()).to_pylist()
    assert frame == few * 101


def test_no_candidates_give_no_verdicts(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, generate(3)[0])
    assert judge(graph, [], Policy()) == []
    assert judge_frame(graph, [], Policy()).num_rows == 0


# ---- Bytes

PRINT = """
import json, sys
from novelty_kit.graph import open_graph
from novelty_kit.verdict.candidate_files import load_candidates
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
log, candidates, cached = sys.argv[1:]
for verdict in judge(open_graph(log, cached=cached == "cached"), load_candidates(candidates)[0], Policy()):
    print(json.dumps(verdict.to_dict(), ensure_ascii=False), verdict, verdict._repr_html_())
"""


def test_the_same_log_and_candidates_give_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    """Under other hash seeds, with a cold cache, a warm one and none."""
    events, candidates = generate(20_004, 40)
    log = write_log(tmp_path, events)
    (tmp_path / "candidates.jsonl").write_text(
        "".join(json.dumps(c) + "\n" for c in candidates), encoding="utf-8"
    )
    out = set()
    for hash_seed, cached in (("0", "cached"), ("1", "cached"), ("4", "uncached")):
        done = subprocess.run(
            [sys.executable, "-c", PRINT, str(log), str(tmp_path / "candidates.jsonl"), cached],
            env={
                **os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8",
                "NOVELTY_CACHE": str(tmp_path / "cache"),
            },
            capture_output=True, check=True,
        )  # fmt: skip
        out.add(done.stdout)
    assert len(out) == 1
    assert str(tmp_path).encode() not in out.pop()
    assert list((tmp_path / "cache").glob("*.duckdb"))


def test_a_view_as_of_the_past_equals_the_shorter_log(tmp_path: Path) -> None:
    events, candidates = generate(20_009, 12)
    graph: Graph = graph_of(tmp_path, events)
    for seq in (0, len(events) // 3, len(events) - 2):
        shorter = read_log(events[:seq])
        for candidate, result in zip(candidates, results_of(graph.as_of(seq), candidates), strict=True):
            assert unlike(result, twin_judge(shorter, candidate)) == []
