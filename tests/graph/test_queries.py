"""Queries over the graph read; nothing that is written in one changes what the next one sees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from log_writer import edge, paper, write
from replay import state

from novelty_kit import Graph, open_graph
from novelty_kit.errors import InputError

LINES = [paper("W1", title='it\'s "one"'), paper("W2"), edge("W1", "W2")]
CHANGES = [
    "DROP TABLE log.paper_now",
    "DELETE FROM log.paper_now",
    "WITH gone AS (DELETE FROM log.paper_now RETURNING *) SELECT * FROM gone",
    "WITH more AS (INSERT INTO log.paper_now SELECT * FROM log.paper_now RETURNING *) SELECT * FROM more",
    "WITH other AS (UPDATE log.paper_now SET title = 'x' RETURNING *) SELECT * FROM other",
    "EXPLAIN ANALYZE DELETE FROM log.paper_now",
    "SELECT 1; DELETE FROM log.paper_now",
    "CREATE TABLE log.t AS SELECT 1",
    "CREATE TEMP TABLE t AS SELECT 1",
    "COPY (SELECT 1) TO 'written.csv'",
    "ATTACH 'written.duckdb' AS more",
    "SET threads = 1",
    "PRAGMA disable_checkpoint_on_shutdown",
    "INSTALL httpfs",
    "DETACH log",
    "USE memory",
    "BEGIN",
    "COMMIT",
    "CHECKPOINT",
]


@pytest.fixture(params=[True, False], ids=["cached", "in memory"], scope="module")
def graph(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("queries")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("NOVELTY_CACHE", str(folder / "cache"))
        return open_graph(write(folder / "log.jsonl", *LINES), cached=request.param)


@pytest.mark.parametrize("query", CHANGES)
def test_what_would_change_something_is_refused_and_changes_nothing(
    query: str, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = state(graph)
    with pytest.raises(InputError):
        graph.sql(query)
    assert state(graph) == before
    assert len(graph.sql("SELECT * FROM paper")) == 2
    assert os.listdir() == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        ";",
        "SELECT",
        "SELECT * FROM nothing",
        "SELECT * FROM paper WHERE title = $x",
        "not sql at all",
        "\0",
    ],
)
def test_what_is_no_query_is_refused_in_words(query: str, graph: Graph) -> None:
    with pytest.raises(InputError) as caught:
        graph.sql(query)
    assert "\n" not in str(caught.value)


def test_tables_of_the_log_are_there_by_their_names(graph: Graph) -> None:
    assert list(graph.sql("SELECT lom_id FROM paper ORDER BY seq")["lom_id"]) == [
        "openalex:W1",
        "openalex:W2",
    ]
    assert graph.sql("SELECT count(*) AS n FROM event")["n"][0] == 3
    assert graph.sql("FROM citation_edge")["cited_lom_id"][0] == "openalex:W2"
    assert graph.sql("EXPLAIN SELECT 1").shape[0] == 1


def test_a_python_variable_is_no_table(graph: Graph) -> None:
    paper = other_table = graph.frame("paper").head(0)
    assert len(graph.sql("SELECT * FROM paper")) == 2 > len(paper)
    with pytest.raises(InputError):
        graph.sql("SELECT * FROM other_table")
    assert len(other_table) == 0


def test_a_table_that_the_log_does_not_have_is_named(graph: Graph) -> None:
    for name in ("papers", "paper; DROP TABLE log.paper_now", "event", ""):
        with pytest.raises(InputError, match="no table is named"):
            graph.frame(name)


def test_a_moment_of_the_past_answers_for_itself(graph: Graph) -> None:
    assert len(graph.as_of(1).sql("SELECT * FROM paper")) == 1
    assert len(graph.as_of(2).sql("SELECT * FROM citation_edge")) == 0
    assert len(graph.sql("SELECT * FROM citation_edge")) == 1


def test_the_same_query_gives_the_same_frame(graph: Graph) -> None:
    assert graph.sql("FROM paper").equals(graph.sql("FROM paper"))
