"""The loaded state equals a plain replay of the log, at every prefix, however the log is cut and packed."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from random import Random

import pytest
from random_graphs import generate
from replay import Row, replay, state

from novelty_kit import open_graph


def _raw(events: list[Row]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def _log(folder: Path, events: list[Row], name: str = "log.jsonl") -> Path:
    path = folder / name
    path.write_bytes(_raw(events))
    return path


def test_random_logs_give_the_rows_of_a_replay(tmp_path: Path) -> None:
    for seed in range(6):
        events, _ = generate(seed)
        assert state(open_graph(_log(tmp_path, events), cached=False)) == replay(events), seed


@pytest.mark.parametrize("seed", range(3))
def test_many_logs_in_one_give_the_rows_of_their_replay(seed: int, tmp_path: Path) -> None:
    events = [event for more in range(200) for event in generate(1000 * seed + more)[0]]
    if seed:
        Random(seed).shuffle(events)
    assert state(open_graph(_log(tmp_path, events), cached=False)) == replay(events)


@pytest.mark.parametrize("seed", [3])
def test_as_of_a_seq_is_the_log_of_so_many_lines(seed: int, tmp_path: Path) -> None:
    events = [event for more in range(3) for event in generate(1000 * seed + more)[0]]
    graph = open_graph(_log(tmp_path, events))
    for seq in sorted(Random(seed).sample(range(len(events) + 1), 6)):
        view = graph.as_of(seq)
        found = state(view)
        assert found == replay(events[:seq])
        assert view.n_events == len(events)
    assert found == state(open_graph(_log(tmp_path, events[:seq], "part.jsonl"), cached=False))
    assert state(graph) == replay(events)  # the views left it alone


def test_loading_twice_equals_once(tmp_path: Path) -> None:
    events = [event for seed in range(5) for event in generate(seed)[0]]
    log = _log(tmp_path, events)
    once, again = open_graph(log), open_graph(log)
    assert state(once) == state(again) == state(open_graph(log, cached=False))
    assert once.sha256 == again.sha256
    twice = state(open_graph(_log(tmp_path, events + events), cached=False))
    for table, rows in state(once).items():
        assert [{**row, "seq": row["seq"] + len(events)} for row in rows] == twice[table]


def test_files_and_compression_change_nothing(tmp_path: Path) -> None:
    events = [event for seed in range(60, 66) for event in generate(seed)[0]]
    whole = open_graph(_log(tmp_path, events), cached=False)
    rng = Random(7)
    for round_no in range(3):
        cuts = [0, *sorted(rng.sample(range(1, len(events)), 3)), len(events)]
        parts = []
        for n, (start, end) in enumerate(itertools.pairwise(cuts)):
            part = tmp_path / f"{round_no}-{n}.jsonl{rng.choice(['', '.gz'])}"
            raw = _raw(events[start:end])
            part.write_bytes(gzip.compress(raw) if part.suffix == ".gz" else raw)
            parts.append(part)
        split = open_graph(*parts, cached=bool(round_no))
        assert state(split) == state(whole)
        assert split.sha256 == whole.sha256


def test_the_order_of_events_of_other_tables_changes_only_seqs(tmp_path: Path) -> None:
    events = [event for seed in range(30, 34) for event in generate(seed)[0]]
    by_table = sorted(events, key=lambda event: str(event["table"]))  # stable: each table keeps its order
    here, there = state(open_graph(_log(tmp_path, events), cached=False)), replay(by_table)
    for table, rows in here.items():
        assert [{**row, "seq": 0} for row in rows] == [{**row, "seq": 0} for row in there[table]]
