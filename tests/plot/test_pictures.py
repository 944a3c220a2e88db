"""Pictures: the same bytes twice, readable without colour, harmless, bounded."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.figure import Figure

import novelty_kit as nk
from novelty_kit.plot import Picture, coverage, neighbourhood, overlap
from novelty_kit.plot.picture import label

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))
from hostile import HOSTILE
from small_logs import paper, write_log


@pytest.fixture
def graph(tmp_path: Path) -> nk.Graph:
    return nk.open_graph(write_log(tmp_path / "events.jsonl"), cached=False)


def all_of(graph: nk.Graph, candidate: dict[str, object]) -> list[Picture]:
    return [overlap(nk.check(graph, candidate)), coverage(graph), neighbourhood(graph, candidate)]


def test_every_picture_is_a_figure_with_a_title_and_words(graph: nk.Graph) -> None:
    for picture in all_of(graph, paper()):
        assert isinstance(picture, Figure)
        shown = [text.get_text() for text in picture.findobj(matplotlib.text.Text)]
        assert any(re.match(r"(Nodes that|Whose|What) ", text) for text in shown)
        assert len(picture.alt) > 60


def test_the_words_hold_the_counts(graph: nk.Graph) -> None:
    shared, lists, around = all_of(graph, paper())
    assert "holdout: they did not: 1 (alone: neighborhood)" in shared.alt
    assert "stubs: count for nothing: 1" in shared.alt
    assert "of 2 read or claim-bearing nodes, as of event 6" in lists.alt
    assert "list known: 2" in lists.alt
    assert "holdout: the authors did not use it (1): arxiv:2001.00001" in around.alt


def test_without_a_stated_holdout_no_picture_speaks_of_one(graph: nk.Graph) -> None:
    candidate = {name: value for name, value in paper().items() if name != "holdout_lom_ids"}
    for picture in (overlap(nk.check(graph, candidate)), neighbourhood(graph, candidate)):
        assert "no holdout was stated" in picture.alt
        assert "the authors used it" not in picture.alt


def test_bytes_are_the_same_twice_and_hold_no_date(graph: nk.Graph) -> None:
    for first, second in zip(all_of(graph, paper()), all_of(graph, paper()), strict=True):
        assert first.svg() == first.svg() == second.svg()
        assert first.png() == second.png()
        assert not re.search(r"20\d\d-\d\d-\d\dT|matplotlib v|<dc:", first.svg())


def test_bytes_do_not_depend_on_the_users_settings(graph: nk.Graph) -> None:
    plain = [picture.svg() for picture in all_of(graph, paper())]
    mine = {"font.size": 20, "text.usetex": True, "axes.facecolor": "black", "svg.fonttype": "none"}
    with matplotlib.rc_context(mine):
        assert [picture.svg() for picture in all_of(graph, paper())] == plain
        assert matplotlib.rcParams["font.size"] == 20


def test_no_global_state_of_pyplot_is_touched(tmp_path: Path) -> None:
    write_log(tmp_path / "events.jsonl")
    code = (
        "import sys, novelty_kit as nk; g = nk.open_graph('events.jsonl', cached=False);"
        "nk.plot.coverage(g).png(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    environment = {
        "PYTHONPATH": str(Path(nk.__file__).parents[1]),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path, env=environment, timeout=120
    )


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_is_drawn_as_text(tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    log = write_log(
        tmp_path / "e.jsonl", {"table": "paper", "row": {"lom_id": "arxiv:2001.00001", "title": text}}
    )
    graph = nk.open_graph(log, cached=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that the font lacks would warn
        for picture in (overlap(nk.check(graph, paper(text))), neighbourhood(graph, paper(text))):
            svg = picture.svg()
            ElementTree.fromstring(svg)
            assert "<script" not in svg
            assert len(svg) < 500_000


def test_dollars_and_underscores_are_no_mathematics() -> None:
    assert label("$x_1$ costs $5") == "$x_1$ costs $5"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert label("a\nb\x1b[0m🧜") == "a\\nb\\x1b[0m□"


def test_a_neighbourhood_of_ten_thousand_is_cut_with_counts(tmp_path: Path) -> None:
    edges = [
        {
            "table": "citation_edge",
            "row": {"citing_lom_id": f"doi:10.1001/{n:05}", "cited_lom_id": "doi:10.1000/new"},
        }
        for n in range(10_000)
    ]
    graph = nk.open_graph(write_log(tmp_path / "big.jsonl", *edges), cached=False)
    picture = neighbourhood(graph, paper(references=[]))
    shown = " ".join(text.get_text() for text in picture.findobj(matplotlib.text.Text))
    assert "(10000)" in shown
    assert "… and 9992 more" in shown
    assert picture.get_size_inches()[1] < 12
    assert len(picture.svg()) < 500_000


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    graph = nk.open_graph(tmp_path / "empty.jsonl", cached=False)
    assert "nothing" in neighbourhood(graph, {"kind": "paper", "keys": {"doi": "10.1001/x"}}).alt
    assert "of 0 read" in coverage(graph).alt


def test_what_a_node_is_differs_in_shape_and_word() -> None:
    from novelty_kit.plot.around import ROLES

    assert (
        len({marker for marker, _ in ROLES.values()})
        == len(ROLES)
        == len({words for _, words in ROLES.values()})
    )


def test_each_node_says_in_words_what_it_is(tmp_path: Path) -> None:
    claim = {"table": "claim", "row": {"claim_id": "c", "about_lom_id": "arxiv:2001.00001", "statement": "s"}}
    opened = nk.open_graph(write_log(tmp_path / "e.jsonl", claim), cached=False)
    held = paper(holdout_lom_ids=["arxiv:2001.00001"])
    assert "arxiv:2001.00001 (read, bears a claim, held out)" in neighbourhood(opened, held).alt
    assert "doi:10.1000/stub (stub)" in neighbourhood(opened, held).alt


def test_a_claims_two_hop_ends_are_named(graph: nk.Graph, tmp_path: Path) -> None:
    edge = {"citing_lom_id": "arxiv:2001.00001", "cited_lom_id": "arxiv:2002.00002"}
    linked = nk.open_graph(
        write_log(tmp_path / "l.jsonl", {"table": "citation_edge", "row": edge}), cached=False
    )
    candidate = {
        "kind": "claim", "about_lom_id": "doi:10.1000/new", "statement": "Fire is hot.",
        "references": ["arxiv:2001.00001"], "holdout_lom_ids": [],
    }  # fmt: skip
    shown = [text.get_text() for text in neighbourhood(linked, candidate).findobj(matplotlib.text.Text)]
    assert "leads to claims about arxiv:2002.00002" in shown
    lonely = neighbourhood(graph, candidate)
    assert "read, but leads to no claim: counts for nothing (1)" in lonely.alt
