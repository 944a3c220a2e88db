"""The widgets in this process: what a person would do, and what then stands there. The browser's turn is its own."""

from __future__ import annotations

import ast
import re
import time
from pathlib import Path

import pytest
from changing_log import CANDIDATE, EVENTS, STUB, A, B, up, write_events
from hostile import HOSTILE

import novelty_kit as nk
from novelty_kit.errors import InputError
from novelty_kit.explorer import details, moment, widget, words
from novelty_kit.explorer.view import at, supposing, switched, toggled, view_of
from novelty_kit.verdict.judge import judge


def verdict_shown(html: str) -> str:
    found = re.search(r'data-verdict="(\w+)"', html)
    assert found, html
    return found[1]


def test_a_person_slides_steps_holds_switches_and_supposes(graph: nk.Graph) -> None:
    explorer = nk.explore(graph, CANDIDATE)
    assert verdict_shown(explorer.headline.value) == "neighborhood"
    explorer.slider.value = 2
    assert verdict_shown(explorer.headline.value) == "novel"
    assert "event 2" in explorer.trace.value
    explorer.next.click()
    assert (explorer.slider.value, verdict_shown(explorer.headline.value)) == (3, "neighborhood")
    explorer.previous.click()
    explorer.previous.click()
    assert (explorer.view.seq, verdict_shown(explorer.headline.value)) == (0, "unknown")
    explorer.slider.value = 7
    assert [(b.description, b.value) for b in explorer.holds.children] == [(B, False)]
    explorer.holds.children[0].value = True
    assert verdict_shown(explorer.headline.value) == "neighborhood"
    explorer.policies["in_sample_only"].value = "novel"
    assert verdict_shown(explorer.headline.value) == "novel"
    assert explorer.details.verdict.verdict_by_slice == {"in_sample": "neighborhood", "holdout": "novel"}
    explorer.holds.children[0].value = False
    assert verdict_shown(explorer.headline.value) == "neighborhood"
    explorer.facts.value = "remove 5\nremove 7"
    explorer.suppose.click()
    assert verdict_shown(explorer.supposed.value) == "novel"
    assert verdict_shown(explorer.headline.value) == "neighborhood"  # the log is as it was
    explorer.facts.value = ""
    explorer.suppose.click()
    assert explorer.supposed.value == ""


def test_a_node_is_clicked_for_its_rows_and_lines(graph: nk.Graph) -> None:
    explorer = nk.explore(graph, CANDIDATE)
    shapes = {lom_id: text[0] for text, lom_id in explorer.nodes.options}
    assert shapes == {"doi:10.1234/new": "◆", B: "●", STUB: "✕"}
    explorer.nodes.value = B
    assert "events.jsonl:5" in explorer.node.value
    assert "5 references" in explorer.node.value
    assert "A &lt;b&gt;second&lt;/b&gt; paper" in explorer.node.value
    explorer.nodes.value = STUB
    assert "nothing about" in explorer.node.value


def test_a_candidate_is_picked_or_pasted_and_nonsense_changes_nothing(graph: nk.Graph) -> None:
    explorer = nk.explore(graph)
    assert [view.candidate.keys[0] for _, view in explorer.pick.options] == [A, B]
    assert explorer.view.candidate.leave_out
    explorer.pick.index = 1
    assert explorer.view.candidate.keys == (B,)
    explorer.paste.value = "10.1234/a"
    assert explorer.view.candidate.keys == (A,)
    explorer.paste.value = "what is this"
    assert "not done" in explorer.said.value
    assert explorer.view.candidate.keys == (A,)
    explorer.facts.value = "hold"
    explorer.suppose.click()
    assert "line 1" in explorer.said.value


def test_what_cannot_be_supposed_is_said_and_the_view_is_as_it_was(graph: nk.Graph) -> None:
    explorer = nk.explore(graph, CANDIDATE)
    explorer.slider.value = 2
    before = explorer.view, explorer.page().html
    for facts in ("remove 999", '{"op": "upsert"}'):
        explorer.facts.value = facts
        explorer.suppose.click()
        assert "not done" in explorer.said.value
        assert (explorer.view, explorer.page().html) == before
    explorer.slider.value = 3
    assert explorer.said.value == ""
    assert explorer.details.verdict.graph["as_of_seq"] == 3


def test_a_page_is_of_the_view_though_its_details_are_still_under_way(
    graph: nk.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = nk.explore(graph, CANDIDATE)
    monkeypatch.setattr(widget, "AT_ONCE", 0)
    with explorer._making:  # whoever works beside the user waits
        explorer.slider.value = 2
        assert explorer.details is None
        page = explorer.page().html
    assert verdict_shown(page) == "novel"
    assert words.details_html(details.details_of(graph, explorer.view)) in page


def test_a_step_is_taken_before_the_history_is_shown(
    graph: nk.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(widget, "AT_ONCE", 0)
    monkeypatch.setattr(widget.threading.Thread, "start", lambda thread: None)  # nobody works beside the user
    explorer = nk.explore(graph, CANDIDATE)
    explorer.previous.click()
    assert explorer.view.seq == 5


def test_there_must_be_something_to_look_at(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to look at"):
        nk.explore(nk.open_graph(write_events(tmp_path / "e.jsonl", []), cached=False))


def test_the_static_twin_says_what_the_widgets_say(graph: nk.Graph) -> None:
    explorer = nk.explore(graph, CANDIDATE)
    explorer.slider.value = 3
    shown = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    page = shown["text/html"]
    for part in (explorer.headline.value, explorer.band.value, explorer.trace.value):
        assert part in page
    assert (
        page
        == explorer.page().html
        == nk.explore(graph.as_of(3), CANDIDATE).page().html.replace("of 3", "of 7", 0)[:0] + page
    )
    assert str(Path(graph.names[0]).parent) not in page
    assert "<button" not in page


def test_hostile_text_is_text(tmp_path: Path) -> None:
    for name, text in sorted(HOSTILE.items()):
        events = [
            up("paper", lom_id=A, title=text),
            up("claim", claim_id="c", about_lom_id=A, statement=text),
        ]
        opened = nk.open_graph(write_events(tmp_path / f"{name}.jsonl", events), cached=False)
        explorer = nk.explore(opened, {**CANDIDATE, "id": text, "title": text, "references": [A]})
        explorer.nodes.value = A
        for html in (explorer.page().html, explorer.node.value, explorer.copy.value):
            assert "<script" not in html
            assert "onerror=" not in re.sub(r"&[a-z#0-9]+;", "", html) or "<img" not in html


def test_a_moment_says_what_the_graph_as_of_it_says_and_is_made_once(graph: nk.Graph) -> None:
    for seq in (0, 2, 5, 7):
        pinned = moment.moment_of(graph, seq)
        view = view_of(graph, CANDIDATE)
        again = [judge(pinned, [view.candidate], view.policy)[0].to_dict() for _ in range(2)]
        assert again[0] == again[1] == nk.check(graph.as_of(seq), CANDIDATE).to_dict()
    assert moment.moment_of(graph, 7).connection is not None


def test_a_large_log_is_worked_out_beside_the_user(graph: nk.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "AT_ONCE", 3)
    explorer = nk.explore(graph, CANDIDATE)
    until = time.monotonic() + 200
    while explorer.details is None and time.monotonic() < until:
        time.sleep(0.01)
    assert explorer.details.verdict.verdict == "neighborhood"
    explorer.slider.value = 2
    assert verdict_shown(explorer.headline.value) == "novel"  # at once: the history knows it
    while explorer.details is None and time.monotonic() < until:
        time.sleep(0.01)
    assert (explorer.details.verdict.verdict, explorer.details.verdict.graph["as_of_seq"]) == ("novel", 2)
    while explorer.bar.layout.visibility != "hidden" and time.monotonic() < until:
        time.sleep(0.01)
    assert explorer.bar.layout.visibility == "hidden"


def test_side_by_side_marks_what_differs(graph: nk.Graph) -> None:
    view = supposing(view_of(graph, CANDIDATE), f"hold {B}\nread {STUB}")
    told = words.supposed_html(details.details_of(graph, view))
    assert told.count("differs") >= 2
    assert details.nodes_to_hold(toggled(view, A), details.details_of(graph, view)) == ((A, True), (B, False))


def test_no_widget_of_the_room_can_hang_a_run_without_a_person() -> None:
    for path in sorted(Path(widget.__file__).parent.glob("*.py")):
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute)
        }
        assert not names & {"Output", "interact", "interactive", "interactive_output"}, path.name


def test_a_view_of_an_earlier_moment_ends_there(graph: nk.Graph) -> None:
    explorer = nk.explore(graph.as_of(4), CANDIDATE)
    assert explorer.slider.max == 4
    assert verdict_shown(explorer.headline.value) == "novel"
    assert ".as_of(4)" in explorer.call()
    assert at(switched(explorer.view, "gate_scope", "graph"), 9, 4).seq == 4
    assert len(EVENTS) == 7
