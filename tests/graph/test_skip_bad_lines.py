"""Going on without bad lines: the others keep their numbers; the graph says what it left out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from log_writer import checked, claim, edge, event, opened, paper, rows, write
from replay import state

from novelty_kit import check, open_graph
from novelty_kit.errors import LogError
from novelty_kit.graph.cache import cache_folder

BAD = [
    b"",
    b"{}",
    paper("A1"),
    b"\xff",
    event("papr", {}),
    paper("W1")[:-3],
    b'{"op":"upsert",' + paper("W1")[1:],
]


def test_bad_lines_are_left_out_and_numbers_kept(tmp_path: Path) -> None:
    lines = [
        paper("W1", title="one"),
        BAD[1],
        edge("W1", "W2"),
        BAD[0],
        BAD[2],
        paper("W3"),
        BAD[3],
        checked("W1"),
    ]
    graph = opened(tmp_path / "log.jsonl", *lines, skip_bad_lines=True)
    assert graph.skipped_lines == (2, 4, 5, 7)
    assert graph.n_events == graph.as_of_seq == 8
    assert [(row["lom_id"], row["seq"]) for row in rows(graph, "paper")] == [
        ("openalex:W1", 1),
        ("openalex:W3", 6),
    ]
    assert rows(graph, "citation_edge")[0]["seq"] == 3
    assert [graph.event(seq) for seq in range(1, 9)] == lines
    assert graph.meta.unknown == {}
    assert len(graph.sql("SELECT * FROM event")) == 4
    assert rows(graph.as_of(2), "paper")[-1]["seq"] == 1


def test_the_hash_is_that_of_the_whole_log(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", paper("W1"), b"{}")
    bad = open_graph(log, skip_bad_lines=True).sha256
    write(log, paper("W1"), b"[]")
    assert open_graph(log, skip_bad_lines=True).sha256 != bad


@pytest.mark.parametrize(("bad", "place"), [*((bad, 1) for bad in BAD), (BAD[1], 0), (BAD[1], 2)])
def test_any_bad_line_anywhere_can_be_left_out(bad: bytes, place: int, tmp_path: Path) -> None:
    lines = [paper("W1"), paper("W2")]
    lines.insert(place, bad)
    graph = opened(tmp_path / "log.jsonl", *lines, skip_bad_lines=True)
    assert graph.skipped_lines == (place + 1,)
    assert len(rows(graph, "paper")) == 2


def test_a_torn_tail_is_left_out_and_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(paper("W1") + b"\n" + paper("W2")[:20])
    graph = open_graph(log, skip_bad_lines=True)
    assert (graph.skipped_lines, graph.n_events) == ((2,), 2)


def test_a_line_too_long_to_be_one_is_left_out(tmp_path: Path) -> None:
    graph = opened(
        tmp_path / "log.jsonl",
        paper("W1"),
        paper("W2", title="x" * (20 * 2**20)),
        paper("W3"),
        skip_bad_lines=True,
    )
    assert graph.skipped_lines == (2,)
    assert [row["lom_id"] for row in rows(graph, "paper")] == ["openalex:W1", "openalex:W3"]
    assert graph.sha256 == open_graph(tmp_path / "log.jsonl", skip_bad_lines=True).sha256


def test_files_before_the_last_may_end_torn_then(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl.gz"
    first.write_bytes(paper("W1") + b"\n" + paper("W2")[:20])
    second.write_bytes(gzip.compress(paper("W3") + b"\n{}\n"))
    graph = open_graph(first, second, skip_bad_lines=True)
    assert graph.skipped_lines == (2, 4)
    assert [graph.place(seq)[:2] for seq in (1, 2, 3, 4)] == [
        *((str(first), 1), (str(first), 2)),
        *((str(second), 1), (str(second), 2)),
    ]


def test_a_sound_log_is_the_same_either_way(tmp_path: Path) -> None:
    lines = [b"\xef\xbb\xbf" + paper("W1", venue="x"), edge("W1", "W2"), event("venue", {}), claim("c", "W1")]
    plain = opened(tmp_path / "log.jsonl", *lines)
    graph = opened(tmp_path / "log.jsonl", *lines, skip_bad_lines=True)
    assert graph.skipped_lines == ()
    assert (state(graph), graph.meta, graph.sha256) == (state(plain), plain.meta, plain.sha256)


def test_nothing_but_bad_lines_is_an_empty_graph(tmp_path: Path) -> None:
    graph = opened(tmp_path / "log.jsonl", *BAD[1:], skip_bad_lines=True)
    assert graph.skipped_lines == (1, 2, 3, 4, 5, 6)
    assert rows(graph, "paper") == []


def test_what_was_left_out_is_never_cached(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", paper("W1"), b"{}")
    open_graph(log, skip_bad_lines=True)
    assert not cache_folder().exists()
    with pytest.raises(LogError):
        open_graph(log)


def test_a_file_that_cannot_be_read_is_an_error_all_the_same(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no such file"):
        open_graph(tmp_path / "missing.jsonl", skip_bad_lines=True)


def test_no_verdict_is_novel_while_a_line_was_left_out(tmp_path: Path) -> None:
    lines = [
        paper("W1", publication_date="2020"),
        checked("W1"),
        paper("W2", publication_date="2020"),
        checked("W2"),
    ]
    candidate = {"kind": "paper", "keys": {"doi": "10.1000/new"}, "publication_date": "2021", "holdout_lom_ids": [],
                 "references": ["W77"], "references_checked": {"source": "x", "n_refs": 1, "status": "ok",
                                                               "checked_ts": "2026-09-03T00:00:00Z"}}  # fmt: skip
    assert check(opened(tmp_path / "log.jsonl", *lines), candidate).verdict == "novel"
    graph = opened(tmp_path / "log.jsonl", *lines, b"{}", skip_bad_lines=True)
    verdict = check(graph, candidate)
    assert verdict.verdict == "unknown"
    assert list(verdict.to_dict()["graph"]["skipped_lines"].values()) == [1, [5]]
    assert set(verdict.to_dict()["verdict_by_slice"].values()) == {"unknown"}
