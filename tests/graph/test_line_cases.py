"""Each line case: the exact check words it, and loading a log that holds the line says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from log_writer import GOOD, load, rows, write

from novelty_kit import open_graph
from novelty_kit.errors import LogError, Problem
from novelty_kit.graph.lines import check_line

CASES = Path(__file__).parent.parent / "cases" / "graph"
REFUSED = yaml.safe_load((CASES / "refused.yaml").read_text("utf-8"))
ACCEPTED = yaml.safe_load((CASES / "accepted.yaml").read_text("utf-8"))

FEW = 20  # lines a log: their faults are all among the first hundred


def _named(cases: list[dict[str, Any]]) -> dict[str, Any]:
    return {"argvalues": cases, "ids": [case["name"] for case in cases]}


def test_case_names_are_unique() -> None:
    names = [case["name"] for case in REFUSED + ACCEPTED]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("case", **_named(REFUSED))
def test_a_refused_line_says_what_where_and_what_to_do(case: dict[str, Any]) -> None:
    faults = check_line(case["given"].encode()).faults
    assert case["what"] in faults[0].what
    assert faults[0].column == case["column"]
    assert case.get("remedy", faults[0].remedy) == faults[0].remedy


@pytest.mark.parametrize("start", range(0, len(REFUSED), FEW))
def test_a_log_with_refused_lines_names_the_place_of_each(start: int, tmp_path: Path) -> None:
    cases = REFUSED[start : start + FEW]
    lines = [line for case in cases for line in (GOOD, case["given"].encode())]
    log = write(tmp_path / "log.jsonl", *lines, GOOD)
    found = {}
    for case, place in zip(cases, range(2, 2 * FEW + 2, 2), strict=False):
        found[place] = (case["what"], case["column"])
    seen = {}
    for problem in _all_problems(log):
        if problem.line not in seen:
            seen[problem.line] = problem
    assert {line: problem.column for line, problem in seen.items()} == {p: c for p, (_, c) in found.items()}
    for line, (what, column) in found.items():
        assert what in seen[line].what
        assert str(seen[line]).startswith(f"{log}:{line}:{column}: ")


def _all_problems(log: Path) -> list[Problem]:
    """The faults that loading names, the lines that it names taken out until it names no more."""
    raws = log.read_bytes().split(b"\n")[:-1]
    named: list[Problem] = []
    while True:
        try:
            load(log)
        except LogError as error:
            new = list(error.problems) or [error.problem]
            named += new
            for problem in new:
                raws[(problem.line or 0) - 1] = GOOD
            write(log, *raws)
        else:
            return named


def test_every_accepted_line_loads_and_none_hides_another(tmp_path: Path) -> None:
    scan = load(write(tmp_path / "log.jsonl", *(case["given"].encode() for case in ACCEPTED)))
    assert scan.n_lines == len(ACCEPTED)


@pytest.mark.parametrize("case", **_named(ACCEPTED))
def test_an_accepted_line_stands_in_its_table(case: dict[str, Any], tmp_path: Path) -> None:
    line = case["given"].encode()
    assert check_line(line).faults == ()
    graph = open_graph(write(tmp_path / "log.jsonl", line), cached=False)
    assert graph.meta.unknown == case.get("unknown", {})
    found = rows(graph, case.get("table", "paper"))
    if "row" not in case:
        assert found == []
        return
    assert len(found) == 1
    assert {name: found[0][name] for name in case["row"]} == case["row"]
    assert found[0]["seq"] == 1
    assert graph.event(1) == line
