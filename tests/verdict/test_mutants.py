"""Every fault put into the rules' SQL is told by a case: a filter dropped, a direction flipped, a limit moved.

The list is ``tests/cases/mutants.yaml``. A fault whose text is no longer in the SQL fails here, so that the list
cannot rot; so does one that no case tells any more. Of each part every third fault is put to work, all of them
where ``NOVELTY_RANDOM_GRAPHS`` asks for more than the usual.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from case_files import load_cases
from engine import Row, graph_of, in_frame, in_twin_form, one_history, unlike
from mutants import Mutant, at_work, let_in, listed_mutants
from random_graphs import generate, policies
from twin import judge as twin_judge
from twin_log import read_log

from novelty_kit.graph import Graph
from novelty_kit.graph.sql import sql_parts
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.judge import RULE_FILES, judge, judge_frame
from novelty_kit.verdict.policy import Policy

LISTED = listed_mutants()
WHOLE = "NOVELTY_RANDOM_GRAPHS" in os.environ


def every_third() -> list[Mutant]:
    """Of each part the first, the fourth and so on."""
    seen: Counter[tuple[str, str]] = Counter()
    chosen = []
    for mutant in LISTED:
        if seen[mutant.file, mutant.part] % 3 == 0:
            chosen.append(mutant)
        seen[mutant.file, mutant.part] += 1
    return chosen


MUTANTS = LISTED if WHOLE else every_third()
CASES = dict(load_cases())
FILES = ("state.sql", *RULE_FILES)


@dataclass(frozen=True)
class Probe:
    """A case, or a random log with candidates, and what the twin says of it.

    ``graph`` holds the log alone; in ``view`` later lines stand after it, which must not be seen.
    """

    graph: Graph
    view: Graph
    candidates: list[Candidate]
    policy: Policy
    expected: list[Row]

    def tells(self, mutant: Mutant | None) -> bool:
        """Whether the engine, with that fault at work, differs from the twin: mostly the frame shows it."""
        graph = self.view if mutant is not None and mutant.file == "state.sql" else self.graph
        with at_work(mutant):
            rows = judge_frame(graph, self.candidates, self.policy).drop_columns(["candidate_id"]).to_pylist()
            if rows != [in_frame(expected) for expected in self.expected]:
                return True
            verdicts = judge(graph, self.candidates, self.policy)
        got = [in_twin_form(verdict.to_dict()) for verdict in verdicts]
        return any(unlike(result, expected) for result, expected in zip(got, self.expected, strict=True))


def given(name: str) -> tuple[list[Row], list[Row], Row | None]:
    """The events, candidates and policy of a case or of a random log."""
    kind, _, seed = name.rpartition(" ")
    if kind == "random":
        return (*generate(int(seed), 24), policies(int(seed))[int(seed) % 3])
    case = CASES[name]["given"]
    return case["events"], case["candidates"], case.get("policy")


def probes_in(folder: Path) -> dict[str, Probe]:
    """Everything that the list calls for."""
    unread = "unread line, "
    asked = sorted({mutant.caught_by for mutant in MUTANTS})
    names = [name for name in asked if name.removeprefix(unread) in CASES or name.startswith("random ")]
    events, ends = one_history([given(name.removeprefix(unread))[0] for name in names])
    history = graph_of(folder, events)
    found = {}
    for n, (name, end) in enumerate(zip(names, ends, strict=True)):
        events, candidates, chosen = given(name.removeprefix(unread))
        view, log = history.as_of(end), read_log(events)
        skipped = int(name.startswith(unread))
        view.skipped_lines = (1,) * skipped
        # The logs that are asked most have their state at hand.
        graph = graph_of(folder, events, f"{n}.jsonl") if name.startswith("random") else view
        expected = [twin_judge(log, candidate, chosen, skipped_lines=skipped) for candidate in candidates]
        records = [read_candidate(candidate) for candidate in candidates]
        found[name] = Probe(graph, view, records, Policy.of(chosen), expected)
    return found


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """By number of the mutant: ``caught``, ``not caught``, or why it could not run."""
    probes = probes_in(tmp_path_factory.mktemp("logs"))

    def judged(mutant: Mutant) -> str:
        if mutant.caught_by not in probes:
            return f"there is no case '{mutant.caught_by}'"
        try:
            return "caught" if probes[mutant.caught_by].tells(mutant) else f"not caught by {mutant.caught_by}"
        except (LookupError, duckdb.Error) as error:
            return f"cannot run: {error}"

    with pytest.MonkeyPatch.context() as patch:
        let_in(patch)
        assert [
            name for name, probe in probes.items() if name.startswith("random") and probe.tells(None)
        ] == []
        with ThreadPoolExecutor(2) as pool:
            return dict(enumerate(pool.map(judged, MUTANTS)))


@pytest.mark.parametrize(
    "n", range(len(MUTANTS)), ids=lambda n: f"{MUTANTS[n].file} {MUTANTS[n].part}: {MUTANTS[n].why}"
)
def test_the_fault_is_told_by_its_case(caught: dict[int, str], n: int) -> None:
    assert caught[n] == "caught"


def test_every_fault_fits_the_sql_as_it_is() -> None:
    unfit = []
    for mutant in LISTED:
        try:
            mutant.text()
        except LookupError as error:
            unfit.append(str(error))
    assert unfit == []
    assert {
        mutant.caught_by.removeprefix("unread line, ") for mutant in LISTED if ": " in mutant.caught_by
    } <= set(CASES)


def test_every_part_of_every_rule_has_faults() -> None:
    counted = Counter((mutant.file, mutant.part) for mutant in MUTANTS)
    decides_nothing = {("state.sql", "same_work_now")}
    for name in FILES:
        package = "novelty_kit.graph" if name == "state.sql" else "novelty_kit.verdict"
        for part, _ in sql_parts(package, name):
            assert counted[name, part] > 0 or (name, part) in decides_nothing, f"{name}, {part}"
    assert len({(m.file, m.part, m.old, m.new) for m in LISTED}) == len(LISTED)
