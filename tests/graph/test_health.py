"""The frames of a log's health count what the log holds, and say where nothing does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from log_writer import checked, claim, edge, event, opened, paper

from novelty_kit import Graph
from novelty_kit.graph import health
from novelty_kit.graph.gaps import graph_gaps

A, B, C, D = (f"openalex:W{n}" for n in range(1, 5))
LONG = "<b>a</b>\x1b[31m\n" + "word " * 200


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    """Two papers on one DOI, one without a list, one never asked for, a claim about an id without a row."""
    return opened(
        tmp_path / "events.jsonl",
        paper(A, doi="10.1000/one", title=LONG, publication_date="2019"),
        paper(B, doi="10.1000/one", publication_date="2020-02"),
        paper(C),
        claim("c1", D),
        edge(A, B),
        edge(A, "openalex:W9"),
        edge(C, "openalex:W9"),
        checked(A, 2, source="openalex"),
        checked(C, None, "failed", source="s2", reason="HTTP 429"),
        event("ingest_error", {"scheme": "s2", "lookup": "1", "http_status": 429}),
        event("ingest_error", {"scheme": "s2", "lookup": "2", "http_status": 429}),
        event("ingest_error", {"scheme": "arxiv", "lookup": "2001.00001", "http_status": None}),
        event("same_work", {"lom_id": A, "same_as_lom_id": B, "relation": "same_record", "source": "x"}),
    )


def values(frame: Any) -> list[tuple[Any, ...]]:
    """Rows as plain values."""
    return [
        tuple(None if value is None or value != value else value for value in row)
        for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False)
    ]


def test_contents_and_nodes_are_counted(graph: Graph) -> None:
    assert values(health.contents(graph))[:3] == [
        ("paper", 3, 3, 0), ("claim", 1, 1, 0), ("citation_edge", 3, 3, 0),
    ]  # fmt: skip
    assert dict(values(health.nodes(graph)))["compared: read or claim-bearing"] == 4
    assert dict(values(health.nodes(graph)))["stub: an id and no more, counts for nothing"] == 1


def test_a_list_is_known_or_cited_or_failed_or_was_never_asked_for(graph: Graph) -> None:
    assert sorted(values(health.lists(graph)), key=repr) == [
        ("asked for, lookup failed", "s2", "HTTP 429", 1),
        ("list known", "openalex", None, 1),
        ("list unknown, cited by a known one", None, None, 1),
        ("never asked for", None, None, 1),
    ]


def test_failures_are_grouped_by_service_and_answer(graph: Graph) -> None:
    assert values(health.failures(graph)) == [("s2", 429, 2, "2", 11), ("arxiv", None, 1, "2001.00001", 12)]


def test_conflicts_name_the_ids_and_are_cut(graph: Graph) -> None:
    found = values(health.conflicts(graph))
    assert ("several_owners", "doi:10.1000/one", None, f"names 2 papers: {A} {B}") in found
    assert ("same_work", A, 13, f"x says that it is one work with {B} (same_record)") in found
    assert len(found) == 2
    assert values(health.conflicts(graph, max_listed=0)) == []
    assert dict(values(health.oddities(graph)))["several_owners"] == 1
    assert dict(values(health.oddities(graph)))["same_work"] == 1


def test_gaps_are_those_of_the_command(graph: Graph) -> None:
    assert [row[0] for row in values(health.gaps(graph))] == [gap.lom_id for gap in graph_gaps(graph)]
    assert {row[3] for row in values(health.gaps(graph))} == {"failed", "unchecked"}


def test_text_from_data_is_one_short_line(graph: Graph) -> None:
    earlier = graph.as_of(1)
    title = values(health.gaps(earlier))[0][1]
    assert len(title) <= 160
    assert not {"\n", "\x1b"} & set(title)
    assert "<b>" not in health.gaps(earlier)._repr_html_()


@pytest.mark.parametrize("ask", [health.lists, health.failures, health.conflicts, health.gaps])
def test_an_empty_log_gives_empty_frames_with_all_columns(tmp_path: Path, ask: Any) -> None:
    empty, full = ask(opened(tmp_path / "e.jsonl")), ask(opened(tmp_path / "f.jsonl", paper(A)))
    assert len(empty) == 0
    assert list(empty.columns) == list(full.columns)
    assert list(empty.dtypes) == list(full.dtypes)
