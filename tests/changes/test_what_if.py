"""A result as it would be is that of a log with those lines really appended or taken out; the log is not touched."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from prefixes import Row, generate, graph_of, write_log

import novelty_kit as nk
from novelty_kit.changes.what_if import what_if
from novelty_kit.errors import InputError, NoveltyKitError

UNTOLD = ("graph", "evidence")


def alike(after: Any, real: Any) -> bool:
    left, right = after.to_dict(), real.to_dict()
    return all(left[name] == right[name] for name in left if name not in UNTOLD)


@pytest.mark.parametrize("seed", range(40_000, 40_003))
def test_lines_added_and_removed_in_thought_are_as_if_they_were(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    events, candidates = generate(seed, 4)
    more, _ = generate(seed, 4)
    added = rng.sample(more, min(3, len(more))) + generate(seed + 1)[0][:2]
    removed = rng.sample(range(1, len(events) + 1), min(4, len(events)))
    graph = graph_of(tmp_path, events)
    bytes_before = (tmp_path / "events.jsonl").read_bytes()
    real_events = [event for seq, event in enumerate(events, 1) if seq not in removed] + added
    real = graph_of(tmp_path, real_events, "real.jsonl")
    for candidate in candidates:
        found = what_if(graph, candidate, add=added, remove=removed)
        assert alike(found.before, nk.check(graph, candidate))
        assert alike(found.after, nk.check(real, candidate)), candidate
        assert found.supposed["remove"] == sorted(removed)
    assert (tmp_path / "events.jsonl").read_bytes() == bytes_before
    assert graph.n_events == len(events)


def test_held_read_and_checked_are_what_they_say(tmp_path: Path) -> None:
    shared, stub = "arxiv:2001.00001", "arxiv:2001.00002"
    events: list[Row] = [
        {"op": "upsert", "table": "paper", "row": {"lom_id": shared, "openalex": "W7"}},
        {
            "op": "upsert",
            "table": "references_checked",
            "row": {"lom_id": shared, "status": "ok", "n_refs": 1},
        },
        {
            "op": "upsert",
            "table": "citation_edge",
            "row": {"citing_lom_id": "doi:10.1234/new", "cited_lom_id": stub},
        },
    ]
    graph = graph_of(tmp_path, events)
    candidate = {"kind": "paper", "keys": {"doi": "10.1234/new"}}
    assert nk.check(graph, candidate).verdict == "unknown"
    assert what_if(graph, candidate, checked={"https://doi.org/10.1234/NEW": 1}).after.verdict == "novel"
    assert what_if(graph, candidate, read=[stub]).after.in_sample.shared_lom_ids == (stub,)
    both = what_if(graph, candidate, read=[stub], hold=[stub], checked={"doi:10.1234/new": 1, stub: 0},
                   policy={"in_sample_only": "novel"})  # fmt: skip
    assert (both.after.verdict, both.after.holdout_lom_ids) == ("novel", (stub,))
    # An alias means the paper that holds it: no second one comes to be.
    by_alias = what_if(graph, {**candidate, "references": [shared]}, read=["openalex:W7"])
    assert by_alias.after.in_sample.shared_lom_ids == (shared,)
    assert by_alias.supposed["add"][0]["row"] == {"lom_id": shared, "read": True}
    assert by_alias.difference.about == ""


def test_a_view_is_taken_as_it_is(tmp_path: Path) -> None:
    events, candidates = generate(40_010, 3)
    graph = graph_of(tmp_path, events)
    cut = len(events) // 2
    view, real = graph.as_of(cut), graph_of(tmp_path, [*events[:cut], events[-1]], "real.jsonl")
    for candidate in candidates:
        assert alike(what_if(view, candidate, add=[events[-1]]).after, nk.check(real, candidate))


def nested(depth: int) -> list[object]:
    found: list[object] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"add": [{"op": "upsert", "table": "paper", "row": {"lom_id": "W1", "read": "yes"}}]}, "'read' must be true"),
        ({"add": [{"op": "upsert", "table": "paper", "row": {}}]}, "number 1, is no event"),
        ({"add": ['{"op": "upsert"']}, "is no event"),
        ({"add": [{"op": float("nan")}]}, "is no JSON"),
        ({"add": [{"op": nested(5_000)}]}, "is no JSON"),
        ({"add": [7]}, "must be an object or a line"),
        ({"add": ["\ud800"]}, "no Unicode"),
        ({"add": {"op": "upsert"}}, "takes a list"),
        ({"remove": [0]}, "0 is no event"),
        ({"remove": [3]}, "3 is no event"),
        ({"remove": [True]}, "True is no event"),
        ({"remove": 1}, "takes a list"),
        ({"hold": "arxiv:2001.00001"}, "takes a list"),
        ({"hold": ["nonsense"]}, "hold:"),
        ({"read": [7]}, "must be a string"),
        ({"checked": {"arxiv:2001.00001": -1}}, "whole number"),
        ({"checked": {"arxiv:2001.00001": 1, "arXiv:2001.00001v2": 2}}, "twice"),
        ({"checked": ["arxiv:2001.00001"]}, "takes a mapping"),
        ({"policy": {"gate_scope": "all"}}, "gate_scope"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)  # fmt: skip
def test_what_cannot_be_supposed_is_refused_in_one_error(asked: Row, says: str, tmp_path: Path) -> None:
    path = write_log(
        tmp_path, [{"op": "upsert", "table": "paper", "row": {"lom_id": f"W{n}"}} for n in (1, 2)]
    )
    with pytest.raises(InputError) as caught:
        what_if(nk.open_graph(path, cached=False), {"kind": "paper", "keys": {"doi": "10.1234/x"}}, **asked)
    assert says in str(caught.value)
    assert isinstance(caught.value, NoveltyKitError)
    assert caught.value.exit_code == 2
