"""What is looked at and how it changes: pure functions, each with what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from changing_log import CANDIDATE, A, B

import novelty_kit as nk
from novelty_kit.errors import CandidateError, InputError, KeyFormatError, PolicyError
from novelty_kit.explorer.view import (
    Supposed,
    at,
    call_of,
    read_pasted,
    read_supposed,
    step,
    supposing,
    switched,
    toggled,
    view_of,
)


def test_a_step_goes_to_the_next_change_and_stays_where_there_is_none(graph: nk.Graph) -> None:
    view = view_of(graph, CANDIDATE)
    history = nk.history(graph, CANDIDATE)
    assert [(change.seq, change.verdict) for change in history.changes] == [
        (0, "unknown"), (2, "novel"), (3, "neighborhood"), (4, "novel"), (5, "neighborhood"),
    ]  # fmt: skip
    seqs = []
    while (before := step(view, history, "previous")) != view:
        view = before
        seqs.append(view.seq)
    assert seqs == [5, 4, 3, 2, 0]
    assert step(at(view, 1, 7), history, "next").seq == 2
    assert step(at(view, 6, 7), history, "next").seq == 6


def test_an_event_outside_the_log_is_its_end(graph: nk.Graph) -> None:
    view = view_of(graph, CANDIDATE)
    assert (at(view, -3, 7).seq, at(view, 99, 7).seq, at(view, 3, 7).seq) == (0, 7, 3)


def test_a_holdout_is_toggled_and_the_last_one_taken_back_leaves_what_was_stated(graph: nk.Graph) -> None:
    stated = view_of(graph, CANDIDATE)
    assert toggled(stated, "https://doi.org/10.1234/B").candidate.seen == (B,)
    assert toggled(toggled(stated, B), B) == stated
    assert stated.candidate.seen == ()
    unstated = view_of(graph, {name: value for name, value in CANDIDATE.items() if name != "holdout_lom_ids"})
    assert unstated.candidate.seen is None
    assert toggled(toggled(unstated, B), B) == unstated
    assert toggled(toggled(toggled(stated, A), B), A).candidate.seen == (B,)


def test_a_policy_is_switched_and_an_unknown_one_refused(graph: nk.Graph) -> None:
    view = switched(view_of(graph, CANDIDATE), "gate_scope", "neighbourhood")
    assert view.policy.gate_scope == "neighbourhood"
    assert switched(view, "date_margin_years", "off").policy.gate_scope == "neighbourhood"
    with pytest.raises(PolicyError):
        switched(view, "gate_scope", "everything")


def test_an_id_that_is_pasted_is_judged_as_if_it_were_new() -> None:
    pasted = read_pasted("  https://arxiv.org/abs/2408.06292v3 \n")
    assert (pasted.keys, pasted.leave_out, pasted.seen) == (("arxiv:2408.06292",), True, None)
    assert read_pasted('{"kind": "paper", "keys": {"doi": "10.1234/X"}}').keys == ("doi:10.1234/x",)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", InputError),
        ("{", InputError),
        ("no id", KeyFormatError),
        ('{"kind": ' + "[" * 100_000 + "]" * 100_000 + "}", CandidateError),
        ('{"kind": "paper", "kind": "claim", "keys": {"doi": "10.1234/x"}}', CandidateError),
        ('{"kind": ' + "9" * 5_000 + "}", CandidateError),
        ('{"kind": "paper", "key": {}}', CandidateError),
    ],
)
def test_what_is_no_candidate_is_said(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_pasted(text)


def test_facts_are_read_a_line_each() -> None:
    text = (
        f"hold {A}\nread 10.1234/STUB\n\nchecked {B} = 12\nremove 3\n"
        + '{"op":"upsert","table":"paper","row":{}}'
    )
    found = read_supposed(text)
    assert found == Supposed(
        ('{"op":"upsert","table":"paper","row":{}}',), (3,), (A,), ("doi:10.1234/stub",), ((B, 12),)
    )
    assert sorted(found.arguments()) == ["add", "checked", "hold", "read", "remove"]
    assert not read_supposed("\n  \n")
    assert read_supposed('{"a":"x\u2028\u0085y"}\r\n').add == ('{"a":"x\u2028\u0085y"}',)


@pytest.mark.parametrize(
    "line",
    [
        "hold",
        "hold nonsense",
        "checked 10.1234/x",
        "checked 10.1234/x = many",
        "remove x",
        "suppose so",
        '{"op":',
        '{"op":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"op":' + "9" * 5_000 + "}",
        '{"op":"\\ud800"}',
        "remove " + "9" * 5_000,
        "remove \u0663",
        "checked 10.1234/x = 3\nchecked doi:10.1234/X = 4",
    ],
)
def test_what_is_no_fact_is_named_by_its_line(line: str) -> None:
    number = 1 + len(line.split("\n"))
    with pytest.raises(InputError, match=f"^line {number}: "):
        read_supposed(f"hold {A}\n{line}")


def run(call: str) -> Any:
    """What the last line of a call gives."""
    *first, last = call.split("\n")
    scope: dict[str, Any] = {}
    exec("\n".join(first), scope)
    return eval(last, scope)


def test_the_call_reproduces_the_view(graph: nk.Graph) -> None:
    view = toggled(at(view_of(graph, CANDIDATE), 6, 7), B)
    view = switched(view, "in_sample_only", "novel")
    verdict = run(call_of(view, graph.names, graph.n_events))
    assert (verdict.verdict, verdict.graph["as_of_seq"]) == ("novel", 6)
    assert verdict.holdout_lom_ids == (B,)
    supposed = run(call_of(supposing(view, "read doi:10.1234/stub"), graph.names, graph.n_events))
    assert supposed.after.verdict == "neighborhood"
    whole = call_of(view_of(graph, CANDIDATE), graph.names, graph.n_events)
    assert ".as_of" not in whole
    assert "policy" not in whole
