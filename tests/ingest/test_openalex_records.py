"""OpenAlex's JSON becomes the rows that are true (cases in tests/cases/ingest/openalex.yaml)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.ingest.abstracts import rebuild_abstract, without_tags
from novelty_kit.ingest.events import work_events
from novelty_kit.ingest.files import read_records
from novelty_kit.ingest.openalex import read_merged_id, read_work
from novelty_kit.ingest.record import Skipped, Work

CASES = yaml.safe_load((Path(__file__).parent.parent / "cases/ingest/openalex.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    work = read_work(case["given"])
    if "skipped" in case:
        assert isinstance(work, Skipped)
        assert work.code == case["skipped"]
        return
    assert isinstance(work, Work)
    found: dict[str, list[dict[str, Any]]] = {}
    for event in work_events(work, work.lom_ids[0]):
        found.setdefault(event.table, []).append(event.row)
    assert found.keys() == case["expect"].keys()
    for table, expected in case["expect"].items():
        assert len(found[table]) == len(expected)
        for row, wanted in zip(found[table], expected, strict=True):
            assert {name: row[name] for name in wanted} == wanted
    assert not set(case.get("absent", ())) & found["paper"][0].keys()
    assert sorted(set(work.notes)) == case.get("notes", [])


def test_the_row_that_says_checked_comes_after_every_edge() -> None:
    given = {"id": "https://openalex.org/W1", "referenced_works": ["https://openalex.org/W2"]}
    work = read_work(given)
    assert isinstance(work, Work)
    tables = [event.table for event in work_events(work, "openalex:W1")]
    assert tables == ["paper", "citation_edge", "references_checked"]


@pytest.mark.parametrize("index", [None, [], {"a": 0}, {"a": [-1]}, {"a": ["x"]}, {"a": [True]}, {}])
def test_an_abstract_that_cannot_be_rebuilt_is_none(index: object) -> None:
    assert rebuild_abstract(index) is None


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>a &lt; b</jats:p>", "Abstract a < b"),
        ("2 < 3 and 5 > 4", "2 < 3 and 5 > 4"),
        ("<jats:p/>", None),
        (None, None),
        (7, None),
    ],
)
def test_an_abstract_loses_its_tags(markup: object, plain: str | None) -> None:
    assert without_tags(markup) == plain


def test_a_merged_id_of_another_entity_is_refused() -> None:
    assert read_merged_id({"id": "W2", "merge_into_id": "W1"}) == ("openalex:W2", "openalex:W1")
    assert isinstance(read_merged_id({"id": "A2", "merge_into_id": "A1"}), Skipped)


def test_the_real_graph_gives_its_works_and_edges(data: Path) -> None:
    works = [
        read_work(record.value)
        for record in read_records(data / "graphs/openalex_refchecker/works.jsonl.gz", ("results",))
        if not isinstance(record, Skipped)
    ]
    lists = [work.references for work in works if isinstance(work, Work) and work.references]
    assert len(works) == len(lists) == 1740
    assert sum(len(listed.entries) for listed in lists) == 145_348 - 36 - 104
    assert sum(listed.n_lost for listed in lists) == 104
    assert sum(listed.fault is None for listed in lists) == 1375


def test_every_recorded_answer_ends_as_works_or_with_a_reason(data: Path) -> None:
    for path in sorted((data / "openalex").iterdir()):
        if path.name.startswith("_") or path.suffix in (".md", ".csv", ".html"):
            continue
        for record in read_records(path, ("results",)):
            assert not isinstance(record, Skipped)
            work = read_work(record.value)
            if isinstance(work, Skipped):
                assert path.name.startswith(("error_", "group_by", "rate_limit")), path.name
