"""Whatever lies in a run: an answer or one error of ours, never a traceback, never a changed byte."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_runs import a_hypothesis, a_manifest, a_review, make_run, put, snapshot

from novelty_kit.errors import NoveltyKitError
from novelty_kit.review import ReviewPolicy, board, open_run
from novelty_kit.review.extract import items_of_record
from novelty_kit.review.summary import summary

FILES: dict[str, Any] = {
    "reviews/H-0001.R-01.json": a_review(),
    "reviews/H-0001.R-02.json": a_review(id="H-0001.R-02", epoch=1),
    "citations/H-0001.json": a_manifest([("PMID:1", "verified"), ("PMID:2", "phantom")]),
    "hypotheses/H-0001.json": a_hypothesis(),
    "hypotheses/H-0002.json": a_hypothesis("H-0002"),
    "ratings/epoch-1.json": {
        "epoch": 1,
        "ratings": {"H-0001": {"elo": 1510, "matches": 1, "wins": 1, "draws": 0}},
    },
    "matches/M-0001.json": {
        "id": "M-0001",
        "epoch": 0,
        "a": "H-0001",
        "b": "H-0002",
        "winner": "H-0001",
        "margin": "narrow",
        "created_at": "2026-01-01T00:00:00Z",
    },
    "run.yaml": {
        "goal": "g",
        "constraints": ["c"],
        "tournament": {"composite": {"preset": "balanced", "weights": {"goal": 1}}},
    },
}
ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        3.5,
        10**200,
        -(10**200),
        1e300,
        "",
        "x",
        "H-0001",
        "\x00\x1b",
        "é" * 50,
        [],
        {},
        [None],
        {"a": {}},
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places(one, (*path, key)))]


@given(st.data())
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
def test_a_run_with_odd_values_anywhere_is_answered_or_refused(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = make_run(Path(folder), hypotheses=[], manifests={})
        for name, sound in FILES.items():
            record = json.loads(json.dumps(sound))
            if data.draw(st.booleans()):
                where = data.draw(st.sampled_from([one for one in places(record) if one]))
                holder = record
                for part in where[:-1]:
                    holder = holder[part]
                if data.draw(st.booleans()):
                    holder[where[-1]] = data.draw(ODD)
                else:
                    del holder[where[-1]]
            put(path / name, record)
        before = snapshot(path)
        run = open_run(
            path, policy=ReviewPolicy(latest_axes=data.draw(st.sampled_from(["by_type", "literal"])))
        )
        for act in (
            lambda: json.dumps([one.to_dict() for one in run.check(["PMID:1"])], allow_nan=False),
            lambda: run.problems(["PMID:1"]),
            lambda: run.reviews,
            lambda: run.scores,
            lambda: run.standings(),
            lambda: run.standings(composite=True),
            lambda: run.pairing(),
            lambda: board.phantom_costs(run),
            lambda: board.quarantine_board(run),
            lambda: board.disagreement(run),
            lambda: json.dumps(summary(run, "H-0001"), allow_nan=False),
            lambda: run.citations_of("H-0001"),
        ):
            with contextlib.suppress(NoveltyKitError):
                act()
        assert snapshot(path) == before
        odd = data.draw(st.dictionaries(st.sampled_from(list(a_review())), ODD, max_size=3))
        for write in (
            lambda: run.add({**a_review(), **odd}, "H-0001"),
            lambda: run.quarantine("H-0001", {**a_review(scores={"safety": 1}), **odd}),
        ):
            with contextlib.suppress(NoveltyKitError):
                write()
        for file in (path / "reviews").glob("*.json"):
            assert isinstance(json.loads(file.read_text()), dict)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.sampled_from(["citations", "references", "evidence", "title", "x"]), values, max_size=4
    )
)
@settings(max_examples=150, deadline=None)
def test_extraction_is_total(record: dict[str, Any]) -> None:
    found = items_of_record(record)
    assert len(set(found.items)) == len(found.items)
    assert all(str(item.key) for item in found.items)
