"""A difference tells what changed, and its events are a set that does it and none of which can be spared."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from prefixes import Row, generate, graph_of, judge, read_log

import novelty_kit as nk
from novelty_kit.changes import Difference, edits
from novelty_kit.changes.minimal import is_needed_alone, least
from novelty_kit.errors import InputError

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
N_LOGS = int(os.environ.get("NOVELTY_RANDOM_DIFFS", "3"))


def aspect(result: Row, about: str) -> Any:
    coverage = (result["coverage"]["subject"], result["coverage_gap_total"], result["nothing_compared"])
    return {
        "decision": (result["status"], result["verdict"], result["decided_by"]["rule"]),
        "overlap": (result["citation_overlap"], result["stub_overlap"]),
        "coverage": coverage,
    }[about]


def told(events: list[Row], candidate: Row) -> Row:
    return judge(read_log(events), candidate, None, 10**6)


def faults_of(
    events: list[Row], candidates: list[Row], first: int, second: int, found: Difference
) -> list[Any]:
    """By brute force over the twin: where the events do not do it, or fewer would, or others are not told of."""
    early, late = sorted((first, second))
    wrong: list[Any] = []
    for candidate, item in zip(candidates, found.items, strict=True):
        if not item.about:
            continue
        wanted = aspect(told(events[:second], candidate), item.about)

        def does(
            some: set[int], candidate: Row = candidate, about: str = item.about, wanted: Any = wanted
        ) -> bool:
            kept = [
                event
                for seq, event in enumerate(events, 1)
                if seq <= early or (seq <= late and ((seq in some) == (second > first)))
            ]
            return bool(aspect(told(kept, candidate), about) == wanted)

        chosen = {event["seq"] for event in item.events}
        sizes = range(len(chosen)) if len(chosen) <= 5 else (len(chosen) - 1,)
        fewer = [set(some) for size in sizes for some in itertools.combinations(sorted(chosen), size)]
        between = set(range(early + 1, late + 1))
        if {event["effect"] for event in item.events} != {"added" if second > first else "removed"}:
            wrong.append((candidate["id"], "effect"))
        if not does(chosen) or any(does(some) for some in fewer):
            wrong.append((candidate["id"], item.about, chosen))
        if item.several != any(does(between - {seq}) for seq in chosen):
            wrong.append((candidate["id"], "several", item.several))
    return wrong


@pytest.mark.parametrize("seed", range(N_LOGS))
def test_the_events_do_it_and_no_fewer_of_them_would(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    events, candidates = generate(50_000 + seed, 5)
    first, second = (rng.randrange(len(events) + 1) for _ in range(2))
    found = nk.diff(graph_of(tmp_path, events), candidates, first, second)
    assert faults_of(events, candidates, first, second, found) == []


def test_in_a_large_log_sets_are_asked_one_by_one_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "_SMALL", 0)
    events, candidates = generate(50_004, 2)
    found = nk.diff(graph_of(tmp_path, events), candidates, 0, len(events))
    assert any(item.about for item in found.items)
    assert faults_of(events, candidates, 0, len(events), found) == []


def test_two_logs_differ_by_the_lines_that_one_of_them_lacks(tmp_path: Path) -> None:
    new, known = "doi:10.1234/new", "arxiv:2001.00001"
    paper: Row = {"op": "upsert", "table": "paper", "row": {"lom_id": known}}
    checked: Row = {
        "op": "upsert",
        "table": "references_checked",
        "row": {"lom_id": known, "status": "ok", "n_refs": 1},
    }
    edge: Row = {
        "op": "upsert",
        "table": "citation_edge",
        "row": {"citing_lom_id": new, "cited_lom_id": known},
    }
    candidate = {
        "kind": "paper",
        "keys": {"doi": "10.1234/new"},
        "references_checked": {"status": "ok", "n_refs": 1},
    }
    one, two = (
        graph_of(tmp_path, [paper, checked], "one.jsonl"),
        graph_of(tmp_path, [paper, edge, checked], "two.jsonl"),
    )
    forth = nk.diff(one, candidate, graph_to=two)
    assert (forth.before.verdict, forth.after.verdict, forth.differs) == ("novel", "neighborhood", True)
    assert [(e["effect"], e["log"], e["event"], e["place"]) for e in forth.events] == [
        ("added", "second", edge, {"file": "two.jsonl", "line": 2})
    ]
    back = nk.diff(two, candidate, graph_to=one)
    assert [(e["effect"], e["log"], e["event"]) for e in back.events] == [("removed", "first", edge)]
    assert not nk.diff(one, candidate, graph_to=one).differs


def test_two_policies_differ_by_the_switches_that_matter(tmp_path: Path) -> None:
    known = "arxiv:2001.00001"
    events: list[Row] = [
        {"op": "upsert", "table": "paper", "row": {"lom_id": known}},
        {
            "op": "upsert",
            "table": "references_checked",
            "row": {"lom_id": known, "status": "ok", "n_refs": 1},
        },
    ]
    candidate = {
        "kind": "paper", "keys": {"doi": "10.1234/new"}, "references": [known], "holdout_lom_ids": [known],
        "references_checked": {"status": "ok", "n_refs": 1},
    }  # fmt: skip
    found = nk.diff(
        graph_of(tmp_path, events),
        candidate,
        policy_to={"in_sample_only": "novel", "date_margin_years": "off"},
    )
    assert (found.before.verdict, found.after.verdict) == ("neighborhood", "novel")
    assert (found.events, found.items[0].policies, found.several) == ((), ("in_sample_only",), False)


def test_points_that_are_alike_have_nothing_to_account_for(tmp_path: Path) -> None:
    events, candidates = generate(50_100, 3)
    graph = graph_of(tmp_path, events)
    found = nk.diff(graph, candidates, 4, 4)
    assert not found.differs
    assert all((item.about, item.events, item.several) == ("", (), False) for item in found.items)
    with pytest.raises(InputError, match="3 candidates"):
        _ = found.before
    with pytest.raises(InputError, match="the log has"):
        nk.diff(graph, candidates, 0, 10**6)
    with pytest.raises(InputError, match="no event of the log has a time"):
        nk.diff(graph, candidates, "2026-01-01T00:00:00Z")


# ---- Least sets


def first_of(holds: Callable[[frozenset[int]], bool]) -> Callable[[Any], int | None]:
    return lambda sets: next((n for n, some in enumerate(sets) if holds(some)), None)


@pytest.mark.parametrize("seed", range(30))
def test_a_least_set_is_one_of_the_minimal_ones(seed: int) -> None:
    """Whatever the question is, monotone or not: no element can be spared, and of five no subset does it."""
    rng = Random(seed)
    n = rng.randint(1, 12)
    enough = [frozenset(rng.sample(range(n), rng.randint(1, min(5, n)))) for _ in range(3)]
    spoils = frozenset(rng.sample(range(n), 1)) if seed % 3 == 0 else frozenset()

    def holds(some: frozenset[int]) -> bool:
        spoiled = bool(spoils) and spoils <= some and len(some) < n
        return any(one <= some for one in enough) and not spoiled

    found = least(range(n), first_of(holds))
    assert holds(frozenset(found))
    assert not any(holds(frozenset(found) - {one}) for one in found)
    if len(found) <= 5:
        for size in range(1, len(found)):
            assert not any(holds(frozenset(some)) for some in itertools.combinations(found, size))
    if not spoils:
        needed = is_needed_alone(range(n), found, first_of(holds))
        assert needed == (len({one for one in enough if not any(other < one for other in enough)}) == 1)
