"""The pictures of a log's health: counts in words, the same bytes twice, any years, nothing at all."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import novelty_kit as nk
from novelty_kit.errors import PolicyError
from novelty_kit.plot import Picture, blocking, dates, degrees

PICTURES = (degrees, dates, blocking)


def graph_of(folder: Path, years: list[str | None], n_cited: int = 0) -> nk.Graph:
    """One paper a year; the first has a list, and cites the second and some stubs."""
    rows: list[tuple[str, dict[str, Any]]] = [
        ("paper", {"lom_id": f"openalex:W{n}", "publication_date": year}) for n, year in enumerate(years, 1)
    ]
    if years:
        rows.append(("references_checked", {"lom_id": "openalex:W1", "n_refs": n_cited + 1, "status": "ok"}))
        cited = ["openalex:W2", *(f"openalex:W{1000 + n}" for n in range(n_cited))]
        rows += [("citation_edge", {"citing_lom_id": "openalex:W1", "cited_lom_id": one}) for one in cited]
    path = folder / "events.jsonl"
    path.write_text("".join(json.dumps({"op": "upsert", "table": t, "row": r}) + "\n" for t, r in rows))
    return nk.open_graph(path, cached=False)


def drawn(picture: Picture) -> str:
    """Its SVG, drawn without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = picture.svg()
    ElementTree.fromstring(svg)
    assert len(svg) < 600_000
    return svg


def test_the_words_hold_the_counts(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, ["2020", "2018-05", "2015", None], n_cited=5)
    assert "4 compared nodes, how many works each cites: 0: 3, 4–7: 1." in degrees(graph).alt
    assert "4 compared nodes, how many works cite each: 0: 3, 1: 1." in degrees(graph).alt
    assert "5 stubs, how many works cite each: 1: 5." in degrees(graph).alt
    told = dates(graph).alt
    assert "2015 to 2020; covered: 2; not covered: 1; undated: 1" in told
    assert "2015: 1 of 1; 2018: 0 of 1; 2020: 0 of 1" in told


def test_an_old_unknown_list_blocks_until_the_margin_and_an_undated_one_for_ever(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, ["2020", "2018", "2015", None])
    told = blocking(graph).alt
    assert "2015: 2; 2016: 2; 2017: 2; 2018: 2; 2019: 1; 2020: 1. Undated and not covered: 1." in told
    assert "2015: 2; 2016: 1" in blocking(graph, date_margin_years=0).alt
    assert "2019: 2; 2020: 2" in blocking(graph, date_margin_years="off").alt


@pytest.mark.parametrize("margin", [-1, True, 2.5, "three", None])
def test_a_margin_that_the_policy_does_not_know_is_refused(tmp_path: Path, margin: Any) -> None:
    with pytest.raises(PolicyError, match="date_margin_years"):
        blocking(graph_of(tmp_path, ["2020"]), date_margin_years=margin)


@pytest.mark.parametrize(
    "years",
    [
        [], ["2020", "2020"], [None, None], ["0001", "9999"], ["1900", "2026"], ["2020-02-29", "2021-12"],
        [str(year) for year in range(1700, 2026)],
    ],
    ids=["none", "one year", "undated", "all years", "a century", "days and months", "many"],
)  # fmt: skip
@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_any_years_can_be_drawn(tmp_path: Path, draw: Any, years: list[str | None]) -> None:
    graph = graph_of(tmp_path, years)
    picture = draw(graph)
    drawn(picture)
    assert "as of event" in picture.alt
    assert len(picture.alt) < 3_000


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_bytes_are_the_same_twice(tmp_path: Path, draw: Any) -> None:
    graph = graph_of(tmp_path, ["2020", "2018"])
    assert drawn(draw(graph)) == drawn(draw(graph))


def test_the_pictures_are_at_the_room_s_name() -> None:
    assert {draw.__name__ for draw in PICTURES} <= set(nk.plot.__all__)
