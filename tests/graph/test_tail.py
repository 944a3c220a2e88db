"""A log that has grown: the extended database equals one that was built anew, table by table."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

import novelty_kit as nk
from novelty_kit.errors import LogError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import plain_log
from novelty_kit.graph.sql import sql_parts
from novelty_kit.graph.state import build_state
from novelty_kit.graph.tail import can_extend, extend

sys.path.insert(0, str(Path(__file__).parents[1] / "verdict"))
from random_graphs import generate

TABLES = [table for table, _ in sql_parts("novelty_kit.graph", "state.sql")]


def database() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("SET threads = 1")
    con.execute("ATTACH ':memory:' AS log")
    con.execute("USE log")
    return con


def rows_of(con: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """Every state table, its numbers by the ids that they stand for."""
    found = {}
    for table in TABLES:
        columns = [row[0] for row in con.execute(f"DESCRIBE log.{table}").fetchall()]
        values = [
            f"(SELECT lom_id FROM log.identifier AS i WHERE i.id_no = one.{c})"
            if c.endswith("_no")
            else f"one.{c}"
            for c in columns
        ]
        found[table] = sorted(
            con.execute(f"SELECT {', '.join(values)} FROM log.{table} AS one").fetchall(),
            key=repr,
        )
    return found


@pytest.mark.parametrize("seed", range(int(os.environ.get("NOVELTY_RANDOM_GRAPHS", "15"))))
def test_an_extended_database_equals_one_built_anew(seed: int, tmp_path: Path) -> None:
    events, _ = generate(seed)
    lines = [json.dumps(event) + "\n" for event in events]
    if len(lines) < 3:
        return
    rng, log = random.Random(seed), tmp_path / "events.jsonl"
    cuts = [*sorted(rng.sample(range(1, len(lines)), min(2, len(lines) - 1))), len(lines)]
    grown = database()
    log.write_text("".join(lines[: cuts[0]]))
    with plain_log((str(log),)) as plain:
        scan = load_events(grown, plain)
        build_state(grown, scan.n_lines, temporary=False)
    for cut in cuts[1:]:
        log.write_text("".join(lines[:cut]))
        with plain_log((str(log),)) as plain:
            assert can_extend(plain, scan)
            scan = extend(grown, plain, scan)
        for (name,) in grown.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall():
            grown.execute(f"DROP TABLE temp.{name}")
    anew = database()
    with plain_log((str(log),)) as plain:
        whole = load_events(anew, plain)
        build_state(anew, whole.n_lines, temporary=False)
    assert (scan.n_lines, scan.n_bytes, scan.blocks) == (whole.n_lines, whole.n_bytes, whole.blocks)
    expected, got = rows_of(anew), rows_of(grown)
    for table in TABLES:
        assert got[table] == expected[table], table


def test_a_grown_log_is_extended_and_judged_as_if_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    events, candidates = generate(7)
    log = tmp_path / "events.jsonl"
    log.write_text("".join(json.dumps(event) + "\n" for event in events[:-4]))
    before = nk.open_graph(log)
    with log.open("a") as stream:
        stream.writelines(json.dumps(event) + "\n" for event in events[-4:])
    grown, anew = nk.open_graph(log), nk.open_graph(log, cached=False)
    assert (before.n_events, grown.n_events) == (len(events) - 4, len(events))
    assert grown.sha256 == anew.sha256
    for candidate in candidates:
        assert nk.check(grown, candidate).to_dict() == nk.check(anew, candidate).to_dict()


def test_a_fault_in_the_tail_names_its_line_in_the_whole_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    log = tmp_path / "events.jsonl"
    good = json.dumps({"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2408.06292"}}) + "\n"
    log.write_text(good * 3)
    nk.open_graph(log)
    with log.open("a") as stream:
        stream.write(good + good.replace("2408.06292", "2408.0629"))
    with pytest.raises(LogError, match=r"events\.jsonl:5:\d+: .*lost a zero"):
        nk.open_graph(log)


@pytest.mark.parametrize(
    "change",
    [
        lambda old: old.replace(b"2408.06292", b"2408.06293", 1) + b"\n",
        lambda old: old[:-1],
        lambda old: b"\xef\xbb\xbf" + old,
    ],
    ids=["edited before it grew", "lost its newline", "moved"],
)
def test_a_log_that_did_more_than_grow_is_read_anew(
    change: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    log = tmp_path / "events.jsonl"
    good = json.dumps({"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2408.06292"}}) + "\n"
    log.write_text(good)
    nk.open_graph(log)
    changed = change(log.read_bytes()).rstrip(b"\n")
    log.write_bytes(changed + b"\n" + good.replace("06292", "06294").encode())
    cached, anew = nk.open_graph(log), nk.open_graph(log, cached=False)
    assert cached.frame("paper").equals(anew.frame("paper"))
    assert cached.sha256 == anew.sha256
