"""Whatever a service puts where a value belongs, its reader gives a work or says why not, and the rows are a log."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from novelty_kit.graph.lines import check_line
from novelty_kit.ingest import crossref, openalex, s2
from novelty_kit.ingest.events import work_events
from novelty_kit.ingest.files import read_json
from novelty_kit.ingest.record import Skipped, Work

RECORDED = Path(__file__).parent.parent / "recorded"
ODD = (None, 0, -1, 1.5, True, "", "x", [], {}, [None], [[]], {"a": 1}, "\ud800", 10**300, "\x00", "1" * 5000)
N_TRIES = 150


def records(provider: str) -> list[Any]:
    found = []
    for path in sorted((RECORDED / provider).glob("*.json")):
        try:
            value = read_json(path.read_bytes())
        except ValueError:
            continue
        inner = value.get("message", value) if isinstance(value, dict) else value
        members = inner.get("results", inner.get("items", [inner])) if isinstance(inner, dict) else inner
        found += members if isinstance(members, list) else [members]
    return found


def spoiled(value: Any, chance: random.Random, share: float) -> Any:
    if chance.random() < share:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {name: spoiled(inner, chance, share) for name, inner in value.items()}
    return [spoiled(inner, chance, share) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("provider", "more"),
    [
        (openalex, {"authorships": [{"author": {"display_name": "A"}}], "locations": [{"pdf_url": "x"}]}),
        (
            crossref,
            {"author": [{"family": "A"}], "relation": {"has-preprint": [{"id-type": "doi", "id": "x"}]}},
        ),
        (
            s2,
            {"authors": [{"name": "A"}], "year": 2020, "references": [{"citedPaper": {"paperId": "a" * 40}}]},
        ),
    ],
    ids=["openalex", "crossref", "s2"],
)
def test_no_odd_value_crashes_a_reader_or_spoils_the_log(provider: ModuleType, more: dict[str, Any]) -> None:
    chance = random.Random(3)
    given = [{**record, **more} for record in records(provider.SOURCE) if isinstance(record, dict)]
    n_works = 0
    for _ in range(N_TRIES):
        record = spoiled(chance.choice(given), chance, chance.choice((0.02, 0.1, 0.3)))
        found = provider.read_work(record)
        assert isinstance(found, Work | Skipped)
        if isinstance(found, Work):
            n_works += 1
            for event in work_events(found, found.lom_ids[0]):
                assert check_line(event.line()[:-1]).faults == (), event
    assert n_works > N_TRIES // 4
