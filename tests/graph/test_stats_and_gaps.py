"""Counts of a log and its gaps, worked out by hand on a small graph and by a plain loop on random ones."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from log_writer import checked, claim, edge, event, opened, paper
from random_graphs import generate

from novelty_kit import Graph, open_graph
from novelty_kit.errors import InputError
from novelty_kit.graph.gaps import graph_gaps
from novelty_kit.graph.sealing import seal_log
from novelty_kit.graph.stats import graph_stats

LINES = [
    paper("W1", publication_date="2010", title="One"),
    paper("W2", publication_date="2020-05", title="Two", openalex="W9"),
    paper("W3", publication_date="2030"),
    paper("W4", read=False),
    paper("W5", openalex="W9"),
    paper("W6"),
    event("paper", {"lom_id": "W6"}, "delete", ts="2026-01-01T00:00:00Z"),
    claim("c1", "W7"),
    checked("W1", 2),
    checked("W2", None, "failed"),
    checked("W3", 0),
    edge("W1", "W2"),
    edge("W1", "W8"),
    edge("W3", "W1"),
    edge("W4", "W4"),
    edge("W10", "W10"),
    edge("W2", "W7"),
    event("citation_edge", {"src": "W2", "dst": "W3"}, ts="2025-01-01T00:00:00Z"),
    edge("W2", "W3", "delete"),
    event("venue", {"a": 1}),
    event("venue", {"a": 1}, "delete"),
    paper("W4", venue="x"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return opened(tmp_path_factory.mktemp("stats") / "log.jsonl", *LINES)


def test_rows_events_and_deletes_are_counted_for_each_table(graph: Graph) -> None:
    found = graph_stats(graph)
    assert found["tables"] == {
        "paper": {"rows": 5, "events": 8, "deletes": 1},
        "claim": {"rows": 1, "events": 1, "deletes": 0},
        "citation_edge": {"rows": 6, "events": 8, "deletes": 1},
        "references_checked": {"rows": 3, "events": 3, "deletes": 0},
        "ingest_error": {"rows": 0, "events": 0, "deletes": 0},
        "same_work": {"rows": 0, "events": 0, "deletes": 0},
        "venue": {"rows": None, "events": 2, "deletes": 1},
    }
    assert found["unknown"] == {"paper.venue": 1, "venue.*": 2}
    assert (found["n_events"], found["as_of_seq"], found["files"]) == (len(LINES), len(LINES), ["log.jsonl"])


def test_nodes_edges_and_coverage_are_counted(graph: Graph) -> None:
    found = graph_stats(graph)
    # nodes: five paper rows, W7 (a claim), W8 and W10 (edge ends)
    assert found["nodes"] == {
        "total": 8,
        "read": 4,
        "claim_bearing": 1,
        "compared": 5,
        "stub": 3,
        "undated": 2,
    }
    assert found["edges"] == {"between_nodes": 4, "self_loops": 2, "cited_nodes": 4, "citing_nodes": 3}
    assert found["coverage"] == {
        **{"out": 1, "in": 1, "none": 3},  # W1 by its list, W2 by W1; not W3 (a zero denied), W5 and W7
        **{"contradicted": 1, "failed": 0, "unchecked": 2, "checked_zero": 0},
    }


def test_times_are_the_logs_own(graph: Graph) -> None:
    assert graph_stats(graph)["times"] == {
        "first": "2025-01-01T00:00:00Z",
        "last": "2026-01-01T00:00:00Z",
        "events_without": len(LINES) - 2,
        "out_of_order": 1,
    }


def test_a_date_is_in_the_future_where_it_is_after_the_logs_last_time(graph: Graph) -> None:
    assert graph_stats(graph)["warnings"]["future_date"] == 1  # W3; the clock of today has no say
    assert graph_stats(graph.as_of(3))["warnings"]["future_date"] == 0  # no time is stated yet


def test_counts_follow_the_moment(graph: Graph) -> None:
    found = graph_stats(graph.as_of(6))
    assert (found["as_of_seq"], found["n_events"]) == (6, len(LINES))
    assert found["tables"]["paper"] == {"rows": 6, "events": 6, "deletes": 0}
    assert found["times"] == {"first": None, "last": None, "events_without": 6, "out_of_order": 0}
    assert found["edges"]["between_nodes"] == 0


def test_an_empty_log_has_counts_of_nothing(tmp_path: Path) -> None:
    found = graph_stats(opened(tmp_path / "log.jsonl"))
    assert set(found["nodes"].values()) == {0}
    assert set(found["coverage"].values()) == {0}
    assert set(found["edges"].values()) == {0}
    assert found["times"]["first"] is None
    assert graph_gaps(opened(tmp_path / "log.jsonl")) == []


def test_line_ends_seal_and_skipped_lines_are_told(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\xef\xbb\xbf" + paper("W1") + b"\r\n" + paper("W2") + b"\r\n")
    seal_log(log)
    with log.open("ab") as out:
        out.write(paper("W3") + b"\n{}\n")
    found = graph_stats(open_graph(log, skip_bad_lines=True))
    assert (found["crlf"], found["bom"], found["skipped_lines"]) == (True, True, 1)
    assert found["seals"] == [{"lines": 2, "unsealed": 2}]


def test_counts_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in LINES))
    texts = {json.dumps(graph_stats(open_graph(log, cached=cached))) for cached in (False, True, True)}
    assert len(texts) == 1


# ---- Gaps


def test_gaps_name_the_reason_and_what_would_help_most(graph: Graph) -> None:
    found = [(g.lom_id, g.reason, g.n_blocked, g.n_covered, g.read, g.n_claims) for g in graph_gaps(graph)]
    assert found == [
        # W3 is dated 2030 and could cite all of the others; it cites W1, which is covered
        ("openalex:W3", "contradicted", 4, 1, True, 0),
        ("openalex:W5", "unchecked", 4, 1, True, 0),
        ("openalex:W7", "unchecked", 4, 1, False, 1),
    ]


def test_a_list_that_would_cover_others_comes_first(tmp_path: Path) -> None:
    lines = [paper(f"W{n}", publication_date="2020") for n in range(1, 6)]
    graph = opened(tmp_path / "log.jsonl", *lines, edge("W4", "W2"), edge("W4", "W3"), edge("W2", "W1"))
    assert [(gap.lom_id[-2:], gap.n_covered) for gap in graph_gaps(graph)] == [
        *(("W4", 3), ("W2", 2)),
        *(("W1", 1), ("W3", 1), ("W5", 1)),
    ]


def test_an_old_work_blocks_only_what_it_could_cite(tmp_path: Path) -> None:
    dates = ["1990", "1993", "1994", "2020", None]
    lines = [paper(f"W{n}", publication_date=day) for n, day in enumerate(dates, 1)]
    graph = opened(tmp_path / "log.jsonl", *lines)
    blocked = {gap.lom_id[-2:]: gap.n_blocked for gap in graph_gaps(graph)}
    assert blocked == {"W1": 2, "W2": 3, "W3": 3, "W4": 4, "W5": 4}
    nearer = {gap.lom_id[-2:]: gap.n_blocked for gap in graph_gaps(graph, date_margin_years=0)}
    assert nearer == {"W1": 1, "W2": 2, "W3": 3, "W4": 4, "W5": 4}


def test_a_leap_day_reaches_to_the_first_of_march(tmp_path: Path) -> None:
    lines = [paper("W1", publication_date="2020-02-29"), paper("W2", publication_date="2023-03-01")]
    lines += [paper("W3", publication_date="2023-03-02")]
    found = {gap.lom_id[-2:]: gap.n_blocked for gap in graph_gaps(opened(tmp_path / "log.jsonl", *lines))}
    assert found == {"W1": 1, "W2": 2, "W3": 2}


def test_a_margin_that_is_none_is_refused(graph: Graph) -> None:
    for margin in (-1, 10_000):
        with pytest.raises(InputError):
            graph_gaps(graph, date_margin_years=margin)


def _days(text: str | None) -> tuple[date, date]:
    """The first and the last day of a date as the log has it."""
    if text is None:
        return date.min, date.max
    parts = [int(part) for part in text.split("-")]
    if len(parts) == 1:
        return date(parts[0], 1, 1), date(parts[0], 12, 31)
    if len(parts) == 2:
        after = date(parts[0] + parts[1] // 12, parts[1] % 12 + 1, 1)
        return date(*parts, 1), date.fromordinal(after.toordinal() - 1)
    return date(*parts), date(*parts)


def _reaches(last: date, years: int) -> date:
    if last == date.max:
        return last
    try:
        return last.replace(year=last.year + years)
    except ValueError:
        return date(last.year + years, 3, 1)


def _by_hand(graph: Graph) -> list[tuple[str, int, int]]:
    """The gaps by loops over the picture of the graph."""
    picture: Any = graph.to_networkx()
    nodes = {name: data for name, data in picture.nodes(data=True) if data["read"] or data["n_claims"]}
    days = {name: _days(data["publication_date"]) for name, data in nodes.items()}
    found = []
    for name, data in nodes.items():
        if data["covered"] != "none":
            continue
        reach = _reaches(days[name][1], 3)
        blocked = sum(other != name and days[other][0] <= reach for other in nodes)
        cited = [n for n in picture.successors(name) if n in nodes and nodes[n]["covered"] == "none"]
        found.append((name, blocked, 1 + (len(cited) if data["read"] else 0)))
    return sorted(found, key=lambda gap: (-gap[2], -gap[1], gap[0]))


def test_gaps_equal_loops_over_random_graphs(tmp_path: Path) -> None:
    for first in range(0, 80, 20):
        log = tmp_path / "log.jsonl"
        log.write_text(
            "".join(json.dumps(e) + "\n" for seed in range(first, first + 20) for e in generate(seed)[0])
        )
        graph = open_graph(log, cached=False)
        found = [(gap.lom_id, gap.n_blocked, gap.n_covered) for gap in graph_gaps(graph)]
        assert found == _by_hand(graph)
        coverage = graph_stats(graph)["coverage"]
        assert (
            coverage["none"]
            == len(found)
            == coverage["contradicted"] + coverage["failed"] + coverage["unchecked"]
        )
