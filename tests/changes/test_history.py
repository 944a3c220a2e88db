"""A history is what judging at every prefix gives; and it shows each change with the line that did it.

``NOVELTY_RANDOM_HISTORIES=n`` widens the comparison over random logs (a few by default).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import duckdb
import pytest
from jsonschema import Draft202012Validator
from prefixes import Row, generate, graph_of, histories, key_of, policies, write_log

import novelty_kit as nk
from novelty_kit.changes import History, index
from novelty_kit.changes.index import index_of, make_spans
from novelty_kit.errors import CandidateError, InputError, PolicyError
from novelty_kit.schemas import schema_of

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
N_LOGS = int(os.environ.get("NOVELTY_RANDOM_HISTORIES", "5"))


@pytest.fixture(scope="module")
def demo() -> nk.Graph:
    return nk.open_graph(DEMO / "events.jsonl", cached=False)


@pytest.fixture(scope="module")
def told(demo: nk.Graph) -> History:
    return nk.history(demo, DEMO / "candidates.jsonl")


def churned(events: list[Row], seed: int) -> list[Row]:
    """The log with second thoughts in between: rows deleted, put back, and put once more."""
    rng, made = Random(seed), []
    for event in events:
        made.append(event)
        if rng.random() < 0.25:
            one = rng.choice(made)
            if one["op"] == "upsert":
                made.append({"op": "delete", "table": one["table"], "row": key_of(one)})
                if rng.random() < 0.7:
                    made.append(one)
    return made


# ---- Every prefix


@pytest.mark.parametrize("seed", range(N_LOGS))
def test_a_history_is_that_of_every_prefix(seed: int, tmp_path: Path) -> None:
    events, candidates = generate(seed + 30_000, 12)
    events = churned(events, seed) if seed % 2 else events
    policy = policies(seed)[seed % 3]
    history = nk.history(graph_of(tmp_path, events), candidates, policy=policy)
    for no, expected in enumerate(histories(events, candidates, policy)):
        got = [(change.seq, change.before, change.after) for change in history.of(no)]
        assert got == expected, (seed, candidates[no])


def test_the_spans_at_any_seq_are_the_state_of_that_seq(tmp_path: Path) -> None:
    """Each table of spans beside the table that the state is made of."""
    pairs = {
        "owner": ("id_no, node_no", "owner_span"),
        "owned": ("id_no, n_owners, speaks_for_no, means_no", "owned_span"),
        "edge": ("citing_no, cited_no", "edge_span"),
        "claim_now": ("claim_id, about_no, statement_key", "claim_span"),
        "claim_about": ("claim_id, node_no", "claim_about_span"),
        "checked": ("node_no, id_no, n_refs, status", "checked_span"),
        "node": (
            "node_no, has_row, is_read, n_claims, date_from, date_to, has_failed, contradicted, covered_out",
            "node_span",
        ),
    }
    for seed in range(2):
        events = churned(generate(seed + 31_000)[0], seed)
        graph = graph_of(tmp_path, events, f"{seed}.jsonl")
        spans = index_of(graph)
        for seq in (0, len(events) // 3, len(events) // 2, len(events)):
            state = graph.as_of(seq).connection
            for table, (columns, span) in pairs.items():
                now = state.execute(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()
                then = spans.execute(
                    f"SELECT {columns} FROM {span} WHERE from_seq <= $seq AND to_seq > $seq ORDER BY ALL",
                    {"seq": seq},
                ).fetchall()
                assert then == now, (seed, seq, table)


def test_a_history_up_to_a_moment_is_the_beginning_of_the_whole(demo: nk.Graph, told: History) -> None:
    view = nk.history(demo.as_of(135), DEMO / "candidates.jsonl")
    assert [c for c in told.to_dicts() if c["seq"] <= 135] == view.to_dicts()
    assert view.graph["as_of_seq"] == 135
    assert {change.seq for change in nk.history(demo.as_of(0), DEMO / "candidates.jsonl")} == {0}


def test_one_candidate_or_many_give_the_same(demo: nk.Graph, told: History) -> None:
    records = [json.loads(line) for line in (DEMO / "candidates.jsonl").read_text("utf-8").splitlines()]
    for no in (1, 6):
        assert nk.history(demo, records[no]).changes == told.of(no) == told.of(records[no]["id"])
    assert told.candidate_ids == tuple(record["id"] for record in records)
    assert sum(told.n_changes) == len(told) == len(told.frame())


# ---- What a person reads


def test_the_worked_claim_turns_at_the_edge_that_lands(told: History) -> None:
    """W8, W9, W10: unknown, then novel with three stubs, then a neighborhood at one edge."""
    changes = told.of("w08-climate-claim")
    assert [change.verdict for change in changes[-2:]] == ["novel", "neighborhood"]
    last = changes[-1]
    assert last.event is not None
    assert last.event["table"] == "citation_edge"
    assert (last.rule, last.before and last.before["n_stub"]) == (2, 3)
    assert last.place == {"file": "events.jsonl", "line": last.seq}
    line = (DEMO / "events.jsonl").read_text("utf-8").splitlines()[last.seq - 1]
    assert json.loads(line) == last.event
    assert told.at(last.seq, "w08-climate-claim") == last
    assert told.at(last.seq - 1, "w08-climate-claim").verdict == "novel"


def test_every_change_is_a_line_of_the_published_shape(told: History) -> None:
    check = Draft202012Validator(schema_of("history"))
    for line in told.to_dicts():
        assert [error.message for error in check.iter_errors(json.loads(json.dumps(line)))] == []
    assert [line["seq"] for line in told.to_dicts() if line["event"] is None] == [0] * len(told.candidate_ids)


def test_a_frame_has_a_row_a_change_with_documented_columns(told: History) -> None:
    frame = told.frame()
    assert list(frame.columns) == [
        "candidate_id", "seq", "status", "verdict", "rule", "table", "op", "verdict_before", "rule_before",
        "n_in_sample", "n_holdout", "n_stub", "coverage_gap_total",
    ]  # fmt: skip
    for name in frame.columns:
        assert name in (History.frame.__doc__ or "")
    first = frame[frame["seq"] == 0]
    assert first["table"].isna().all()
    assert first["rule_before"].isna().all()


def test_text_from_data_is_harmless(tmp_path: Path) -> None:
    evil = '<script>alert(1)</script>\x1b[31m\u202e"'
    events = [
        {"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2001.00001", "title": evil}, "actor": evil},
        {"op": "upsert", "table": "citation_edge",
         "row": {"citing_lom_id": "doi:10.1234/<b>x", "cited_lom_id": "arxiv:2001.00001", "context": evil}},
    ]  # fmt: skip
    graph = graph_of(tmp_path, events)
    candidate = {"id": evil, "kind": "paper", "keys": {"doi": "10.1234/<b>x"}}
    history = nk.history(graph, candidate)
    difference = nk.diff(graph, candidate, 0)
    supposed = nk.what_if(graph, candidate, add=events[:1], hold=["doi:10.1234/<i>y"])
    from novelty_kit.changes.show import difference_text, history_text, what_if_text

    assert len(history) > 1
    for shown in (history, difference, supposed):
        html = shown._repr_html_()
        assert "<script" not in html
        assert "<b>" not in html
        assert "<i>" not in html
        assert "\x1b" not in html + repr(shown)
        assert "\u202e" not in html + repr(shown)
    for text in (history_text(history), difference_text(difference), what_if_text(supposed)):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_skipped_lines_are_held_against_novel_all_along(tmp_path: Path) -> None:
    path = write_log(tmp_path, [
        {"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2001.00001"}},
        {"op": "upsert", "table": "references_checked", "row": {"lom_id": "arxiv:2001.00001", "status": "ok", "n_refs": 1}},
    ])  # fmt: skip
    candidate = {
        "kind": "paper",
        "keys": {"doi": "10.1234/x"},
        "references_checked": {"status": "ok", "n_refs": 1},
    }
    assert nk.history(nk.open_graph(path, cached=False), candidate).changes[-1].verdict == "novel"
    path.write_text(path.read_text("utf-8") + '{"op": "upsert"}\n', encoding="utf-8")
    history = nk.history(nk.open_graph(path, cached=False, skip_bad_lines=True), candidate)
    assert {change.verdict for change in history} == {"unknown"}


def test_what_is_wrong_is_said_once(demo: nk.Graph, told: History) -> None:
    with pytest.raises(CandidateError):
        nk.history(demo, {"kind": "paper", "key": {}})
    with pytest.raises(PolicyError):
        nk.history(demo, {"kind": "paper"}, policy={"gate": "open"})
    with pytest.raises(InputError, match="from event 0 to 281"):
        told.at(282)
    with pytest.raises(InputError, match="no candidate"):
        told.of("nobody")
    for number in (-1, len(told.candidate_ids)):
        with pytest.raises(InputError, match="none of them is number"):
            told.of(number)
    twins = nk.history(demo.as_of(0), [{"kind": "paper", "keys": {"doi": "10.1234/x"}}] * 2)
    with pytest.raises(InputError, match="2 candidates"):
        twins.at(0, "doi:10.1234/x")


# ---- The index


def spans_of(graph: nk.Graph) -> dict[str, list[tuple[object, ...]]]:
    """Every table of the graph's index."""
    with index_of(graph) as con:
        names = con.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'spans' AND table_name <> 'about'"
        ).fetchall()
        return {
            name: con.execute(f"SELECT * FROM spans.main.{name} ORDER BY ALL").fetchall() for (name,) in names
        }


def test_an_index_that_other_code_made_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log's own tables are made by counts too: the spans hold what it made of ids and statements."""
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    path = write_log(tmp_path, generate(0, 4)[0])
    index_of(nk.open_graph(path)).close()
    (kept,) = (tmp_path / "cache").glob("*.spans.duckdb")
    before = kept.stat().st_ino
    monkeypatch.setattr(index, "code_hash", lambda: "of another release")
    index._code_hash.cache_clear()
    try:
        index_of(nk.open_graph(path)).close()
    finally:
        index._code_hash.cache_clear()
    assert kept.stat().st_ino != before


@pytest.mark.parametrize("cached", [False, True])
def test_whoever_is_interrupted_asks_again(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half an index is not taken for a whole one."""
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    events, candidates = generate(0, 4)
    graph = nk.open_graph(write_log(tmp_path, events), cached=cached)

    def interrupted(con: duckdb.DuckDBPyConnection, catalog: str = "spans") -> None:
        con.execute(f"CREATE TABLE {catalog}.main.owner_span AS SELECT 1 AS id_no")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(index, "make_spans", interrupted)
        with pytest.raises(KeyboardInterrupt):
            nk.history(graph, candidates)
    expected = nk.history(nk.open_graph(write_log(tmp_path, events), cached=False), candidates)
    assert nk.history(graph, candidates).changes == expected.changes


def test_an_index_is_kept_beside_the_cache_and_grows_with_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grown step by step it is, table by table, what making it anew gives; nothing is made anew on the way."""
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    events, candidates = generate(0, 4)
    events = churned(events, 0)
    made: list[str] = []

    def counted(con: duckdb.DuckDBPyConnection, catalog: str = "spans") -> None:
        made.append(catalog)
        make_spans(con, catalog)

    monkeypatch.setattr(index, "make_spans", counted)
    for cut in (len(events) // 3, len(events) - 4, len(events)):
        path = write_log(tmp_path, events[:cut])
        graph = nk.open_graph(path)
        grown = spans_of(graph)
        with graph._con.cursor() as con:
            con.execute("DETACH spans")
        (kept,) = (tmp_path / "cache").glob("*.spans.duckdb")
        stamp = kept.stat().st_mtime_ns
        assert nk.history(nk.open_graph(path), candidates[0]).changes
        assert kept.stat().st_mtime_ns == stamp
        assert made == ["spans"]
        kept.write_bytes(b"damaged")
        assert spans_of(graph) == grown
        made.pop()
    assert len(grown) == 13
