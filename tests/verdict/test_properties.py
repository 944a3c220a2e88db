"""What holds of every verdict of the engine, over random logs (the twin shows the same over thousands).

The changed logs stand in one log after each other, so that each is a view as of its own event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from engine import Row, graph_of
from random_graphs import generate, policies
from twin_case import Case, hidden_edges
from twin_log import read_log

from novelty_kit.graph import Graph
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.judge import judge, judge_frame
from novelty_kit.verdict.policy import Policy

N_CANDIDATES = 36


class Experiment:
    """A random log with candidates, and changes of the log one after the other, each taken back."""

    def __init__(self, seed: int, policy: Row | None = None) -> None:
        self.seed, self.policy = seed, policies(seed)[seed % 3] | (policy or {})
        self.events, self.candidates = generate(seed, N_CANDIDATES)
        self.records: list[Candidate] = [read_candidate(candidate) for candidate in self.candidates]
        self.log = read_log(self.events)
        self.cases = [Case(self.log, candidate, self.policy) for candidate in self.candidates]
        self.history = list(self.events)
        self.ends: list[int] = []

    def change(self, do: list[Row], undo: list[Row]) -> None:
        """Add events, remember where they end, and take them back."""
        self.history += do
        self.ends.append(len(self.history))
        self.history += undo

    def verdicts(self, folder: Path) -> tuple[list[str], list[list[str]]]:
        """The verdicts on the log as it is, and on each of its changes."""
        graph = graph_of(folder, self.history, f"{self.seed}.jsonl")
        first, *others = [self.at(graph, end) for end in [len(self.events), *self.ends]]
        return first, others

    def at(self, graph: Graph, seq: int) -> list[str]:
        table = judge_frame(graph.as_of(seq), self.records, Policy.of(self.policy))
        rows = table.select(["status", "verdict"]).to_pylist()
        assert all((row["status"] != "ok") == (row["verdict"] == "unknown") for row in rows)
        return [row["verdict"] for row in rows]


def upsert(table: str, row: Row) -> Row:
    return {"op": "upsert", "table": table, "row": row}


def edge(citing: str, cited: str, op: str = "upsert") -> Row:
    return {"op": op, "table": "citation_edge", "row": {"citing_lom_id": citing, "cited_lom_id": cited}}


def over(seeds: Iterable[int], tried: Callable[[int], Iterator[bool]]) -> list[bool]:
    """What every experiment found, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return [found for results in pool.map(lambda seed: list(tried(seed)), seeds) for found in results]


def test_losing_or_failing_a_coverage_row_never_makes_a_verdict_novel(tmp_path: Path) -> None:
    """But for the subject's own row where the candidate states its own."""

    def tried(seed: int) -> Iterator[bool]:
        one = Experiment(seed)
        rows = list(one.log.references_checked.items())[:3]
        for lom_id, row in rows:
            back = [upsert("references_checked", row)]
            one.change([{"op": "delete", "table": "references_checked", "row": {"lom_id": lom_id}}], back)
            one.change([upsert("references_checked", {**row, "status": "failed", "n_refs": None})], back)
        before, after = one.verdicts(tmp_path)
        for n, verdicts in enumerate(after):
            for case, was, is_now in zip(one.cases, before, verdicts, strict=True):
                own = case.spoken_for(rows[n // 2][0]) == case.subject
                if was != "novel" and not (own and case.candidate.get("references_checked") is not None):
                    yield is_now != "novel"

    found = over((22_246, 22_276, 22_083), tried)
    assert all(found)
    assert len(found) > 300


def test_with_in_edges_refused_no_hidden_edge_turns_novel_into_neighborhood(tmp_path: Path) -> None:
    def tried(seed: int) -> Iterator[bool]:
        one = Experiment(seed, {"in_edge_coverage": "reject", "gate_scope": "graph"})
        hidden = [set(hidden_edges(case)) for case in one.cases]
        chosen = Random(seed).sample(sorted(set().union(*hidden)), 6)
        for pair in chosen:
            one.change([edge(*pair)], [edge(*pair, op="delete")])
        before, after = one.verdicts(tmp_path)
        for pair, verdicts in zip(chosen, after, strict=True):
            for edges, was, is_now in zip(hidden, before, verdicts, strict=True):
                if was == "novel" and pair in edges:
                    yield is_now != "neighborhood"

    found = over((22_224, 22_325), tried)
    assert all(found)
    assert len(found) > 30


def test_adding_an_edge_never_makes_a_neighborhood_novel(tmp_path: Path) -> None:
    def tried(seed: int) -> Iterator[bool]:
        one = Experiment(seed)
        rng = Random(seed)
        ids = sorted({*one.log.owned, *one.cases[0].all_nodes(), "pmid:99999999"})
        pairs = [(rng.choice(ids), rng.choice(ids)) for _ in range(6)]
        for pair in pairs:  # one upon the other
            one.change([edge(*pair)], [])
        before, after = one.verdicts(tmp_path)
        for verdicts in after:
            for was, is_now in zip(before, verdicts, strict=True):
                if was == "neighborhood":
                    yield is_now == "neighborhood"
            before = verdicts

    found = over((22_156, 22_236), tried)
    assert all(found)
    assert len(found) > 60


def test_a_line_that_was_not_read_makes_nothing_novel(tmp_path: Path) -> None:
    one = Experiment(22_300)
    graph = graph_of(tmp_path, one.events)
    policy = Policy.of(one.policy | {"in_sample_only": "novel"})
    whole = judge(graph, one.records, policy)
    assert any(verdict.verdict == "novel" for verdict in whole)
    graph.skipped_lines = tuple(range(3, 15))
    for before, after in zip(whole, judge(graph, one.records, policy), strict=True):
        result = after.to_dict()
        assert "novel" not in {after.verdict, *after.verdict_by_slice.values()}
        assert result["graph"]["skipped_lines"] == {"n": 12, "first": list(range(3, 13))}
        if before.verdict == "novel":
            assert (after.rule, after.status, after.verdict) == (3, "insufficient_edges", "unknown")
        else:
            assert (after.rule, after.verdict, after.coverage) == (
                before.rule,
                before.verdict,
                before.coverage,
            )
    rules = [row["rule"] for row in judge_frame(graph, one.records, policy).to_pylist()]
    assert 4 not in rules
