"""Pictures along the log: every change is listed, bands are cut with counts, the same bytes twice."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib
import pytest

import novelty_kit as nk
from novelty_kit.errors import InputError
from novelty_kit.graph.sql import read_sql
from novelty_kit.plot import Picture, coverage_over_time, timeline
from novelty_kit.plot.bars import KINDS
from novelty_kit.plot.over_time import counts_along

sys.path.insert(0, str(Path(__file__).parents[1] / "explorer"))
sys.path.insert(0, str(Path(__file__).parents[1] / "report"))
sys.path.insert(0, str(Path(__file__).parents[1] / "changes"))
sys.path.insert(0, str(Path(__file__).parents[1] / "verdict"))
from changing_log import CANDIDATE, EVENTS, A, up, write_events
from hostile import HOSTILE
from prefixes import generate, graph_of, key_of


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> nk.Graph:
    log = write_events(tmp_path_factory.mktemp("log") / "events.jsonl", EVENTS)
    return nk.open_graph(log, cached=False)


def shown(picture: Picture) -> list[str]:
    return [text.get_text() for text in picture.findobj(matplotlib.text.Text)]


def test_a_timeline_lists_each_change_with_its_event_and_numbers_it(graph: nk.Graph) -> None:
    picture = timeline(nk.history(graph, CANDIDATE))
    words = shown(picture)
    assert "1.  event 2 sets references_checked doi:10.1234/a: unknown → novel, rule 4" in words
    assert "3.  event 4 takes back paper doi:10.1234/b: neighborhood → novel, rule 4" in words
    assert {"1", "2", "3", "4", "unknown", "novel", "neighborhood"} <= set(words)
    assert "new-one: unknown from event 0, novel from event 2, neighborhood from event 3" in picture.alt
    assert any(word.startswith("new-one: verdicts along the log") for word in words)
    again = timeline(nk.history(graph, CANDIDATE))
    assert picture.svg() == picture.svg() == again.svg()


def test_many_candidates_are_cut_with_counts(graph: nk.Graph) -> None:
    many = [{**CANDIDATE, "id": f"c{n:02}"} for n in range(15)]
    picture = timeline(nk.history(graph, many))
    words = shown(picture)
    assert "… and 3 candidates more" in words
    assert "… and 32 changes more" in words
    assert sum(word.startswith("c0") and len(word) == 3 for word in words) == 10
    assert picture.get_size_inches()[1] < 16


def test_a_timeline_without_changes_and_one_of_an_empty_log_say_so(graph: nk.Graph) -> None:
    assert "no event changed a verdict" in shown(timeline(nk.history(graph.as_of(1), CANDIDATE)))
    assert "unknown from event 0" in timeline(nk.history(graph.as_of(0), CANDIDATE)).alt


def test_coverage_over_time_is_exact_at_each_of_its_events(graph: nk.Graph) -> None:
    picture = coverage_over_time(graph, points=7)
    assert picture.alt.endswith(
        "0 of 1 at event 1, 1 of 1 at event 2, 1 of 2 at event 3, 1 of 1 at event 4, 1 of 2 at event 5, "
        "2 of 2 at event 6, 2 of 2 at event 7"
    )
    assert "read or claim-bearing nodes" in shown(picture)
    assert "event 0" in coverage_over_time(graph.as_of(0)).alt


@pytest.mark.parametrize("seed", range(2))
def test_coverage_along_a_log_is_that_of_each_moment(seed: int, tmp_path: Path) -> None:
    """Counted in one go, it is what the picture of every single moment counts."""
    papers = [f"doi:10.1234/p{n}" for n in range(4)]
    events = [
        *(up("paper", lom_id=paper) for paper in papers),
        up("references_checked", lom_id=papers[0], status="ok", n_refs=1),
        up("citation_edge", citing_lom_id=papers[0], cited_lom_id=papers[1]),
        up("references_checked", lom_id=papers[2], status="failed"),
        up("references_checked", lom_id=papers[3], status="ok", n_refs=0),
        up("citation_edge", citing_lom_id=papers[3], cited_lom_id=papers[2]),
        *generate(seed + 51_000)[0],
    ]
    undone = [{"op": "delete", "table": event["table"], "row": key_of(event)} for event in events[::5]]
    graph = graph_of(tmp_path, [*events, *undone, *events[::10]])
    seqs = [*range(0, graph.n_events, 20), graph.n_events]
    query = read_sql("novelty_kit.plot", "coverage.sql")
    found = counts_along(graph, seqs)
    assert [dict(counts) for counts in found] == [
        dict(graph.as_of(seq).connection.execute(query).fetchall()) for seq in seqs
    ]
    assert {kind for counts in found for kind in counts} == {kind for kind, *_ in KINDS}


@pytest.mark.parametrize("points", [0, 1, True, 2.5, 4000])
def test_a_number_of_points_that_is_none_is_refused(graph: nk.Graph, points: int) -> None:
    with pytest.raises(InputError, match="no number of points"):
        coverage_over_time(graph, points=points)


def test_hostile_text_is_drawn_as_text(tmp_path: Path) -> None:
    text = " ".join(HOSTILE[name] for name in sorted(HOSTILE))
    events = [*EVENTS[:2], up("claim", claim_id=text, about_lom_id=A, statement=text)]
    opened = nk.open_graph(write_events(tmp_path / "e.jsonl", events), cached=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = timeline(nk.history(opened, [{**CANDIDATE, "id": text}, CANDIDATE])).svg()
    assert "<script" not in svg
    assert len(svg) < 700_000
