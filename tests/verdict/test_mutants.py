"""Every fault put into the rules' SQL is told by a case: a filter dropped, a direction flipped, a limit moved.

The list is ``tests/cases/mutants.yaml``. A fault whose text is no longer in the SQL fails here, so that the list
cannot rot; so does one that no case tells any more.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import duckdb
import pytest
from case_files import load_cases
from engine import Row, graph_of, one_history, results_of, unlike
from mutants import Mutant, at_work, let_in, listed_mutants
from random_graphs import generate, policies
from twin import judge as twin_judge
from twin_log import read_log

from novelty_kit.graph import Graph
from novelty_kit.graph.sql import sql_parts

MUTANTS = listed_mutants()
FILES = {
    "state.sql", "candidate_nodes.sql", "r0_keys.sql", "r1_exact_match.sql", "r2_citation_overlap.sql",
    "r3_coverage_gate.sql", "r4_novel.sql",
}  # fmt: skip


@dataclass(frozen=True)
class Probe:
    """A case, or a random log with candidates, and what the twin says of it."""

    graph: Graph
    candidates: list[Row]
    policy: Row | None
    expected: list[Row]

    def tells(self, mutant: Mutant | None) -> bool:
        """Whether the engine, with that fault at work, differs from the twin."""
        with at_work(mutant):
            got = results_of(self.graph, self.candidates, self.policy)
        return any(unlike(result, expected) for result, expected in zip(got, self.expected, strict=True))


def asked_for() -> tuple[
    dict[str, tuple[list[Row], list[Row], Row | None]], dict[str, tuple[list[Row], list[Row], Row | None]]
]:
    """The cases by name, and the random logs that the list names: events, candidates, policy."""
    cases = {
        name: (case["given"]["events"], case["given"]["candidates"], case["given"].get("policy"))
        for name, case in load_cases()
    }
    seeds = sorted({int(m.caught_by.split()[-1]) for m in MUTANTS if "random " in m.caught_by})
    return cases, {f"random {seed}": (*generate(seed, 24), policies(seed)[seed % 3]) for seed in seeds}


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """By number of the mutant: ``caught``, ``not caught``, or why it could not run."""
    folder = tmp_path_factory.mktemp("logs")
    probes: dict[str, Probe] = {}
    for n, group in enumerate(asked_for()):
        # All logs of a group stand in one, so that there are later lines, which must not be seen.
        events, ends = one_history([given[0] for given in group.values()])
        graph = graph_of(folder, events, f"{n}.jsonl")
        for (name, (log, candidates, policy)), end in zip(group.items(), ends, strict=True):
            current = read_log(log)
            expected = [twin_judge(current, candidate, policy) for candidate in candidates]
            probes[name] = Probe(graph.as_of(end), candidates, policy, expected)
            unread = graph.as_of(end)
            unread.skipped_lines = (1,)
            skipped = [twin_judge(current, candidate, policy, skipped_lines=1) for candidate in candidates]
            probes[f"unread line, {name}"] = Probe(unread, candidates, policy, skipped)

    def judged(mutant: Mutant) -> str:
        try:
            return "caught" if probes[mutant.caught_by].tells(mutant) else f"not caught by {mutant.caught_by}"
        except KeyError:
            return f"there is no case '{mutant.caught_by}'"
        except (LookupError, duckdb.Error) as error:
            return f"cannot run: {error}"

    with pytest.MonkeyPatch.context() as patch:
        let_in(patch)
        with ThreadPoolExecutor(2) as pool:
            found = dict(enumerate(pool.map(judged, MUTANTS)))
        sound = {
            name: probes[name].tells(None)
            for name in {m.caught_by for m in MUTANTS}
            if name in probes and name[:6] == "random"
        }
    assert not any(sound.values())
    return found


@pytest.mark.parametrize(
    "n", range(len(MUTANTS)), ids=lambda n: f"{MUTANTS[n].file} {MUTANTS[n].part}: {MUTANTS[n].why}"
)
def test_the_fault_is_told_by_its_case(caught: dict[int, str], n: int) -> None:
    assert caught[n] == "caught"


def test_every_part_of_every_rule_has_faults() -> None:
    counted = Counter((mutant.file, mutant.part) for mutant in MUTANTS)
    decides_nothing = {("state.sql", "same_work_now")}
    for name in FILES:
        package = "novelty_kit.graph" if name == "state.sql" else "novelty_kit.verdict"
        for part, _ in sql_parts(package, name):
            assert counted[name, part] > 0 or (name, part) in decides_nothing, f"{name}, {part}"
    assert len({(m.file, m.part, m.old, m.new) for m in MUTANTS}) == len(MUTANTS)
