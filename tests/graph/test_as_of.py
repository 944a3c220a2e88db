"""The log as it was: by seq, by time, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from log_writer import opened, paper, rows

from novelty_kit import Graph
from novelty_kit.errors import InputError

TIMES = [None, "2026-01-02T00:00:00Z", None, "2026-01-04T00:00:00+02:00", "2026-01-03T00:00:00Z", None]


def _graph(folder: Path, times: list[str | None]) -> Graph:
    lines = [
        paper(f"W{n}")[:-1] + (f', "ts": "{ts}"}}' if ts else "}").encode() for n, ts in enumerate(times, 1)
    ]
    return opened(folder / "log.jsonl", *lines)


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return _graph(tmp_path_factory.mktemp("timed"), TIMES)


@pytest.mark.parametrize(
    ("when", "seq", "why"),
    [
        ("2026-01-01T00:00:00Z", 1, "an event before the first time is there from the start"),
        (
            "2026-01-02T00:00:00Z",
            3,
            "a time counts itself, and an event without one takes the latest before it",
        ),
        ("2026-01-02T02:00:00.5+01:00", 3, "an offset and a fraction are read"),
        ("2026-01-03T21:59:59Z", 3, "the fourth event is of 22:00 in UTC"),
        ("2026-01-03T22:00:00Z", 6, "an event out of order waits for the latest before it"),
        ("2026-01-03T12:00:00Z", 3, "though its own time has passed"),
        ("2099-01-01t00:00:00z", 6, "the end, in small letters"),
    ],
)
def test_a_time_names_the_last_event_that_is_not_later(when: str, seq: int, why: str, timed: Graph) -> None:
    view = timed.as_of(when)
    assert view.as_of_seq == seq, why
    assert len(rows(view, "paper")) == seq


def test_a_time_in_small_letters_is_a_time(tmp_path: Path) -> None:
    graph = _graph(tmp_path, ["2026-01-02t00:00:00z", "2026-01-05t00:00:00.25+00:00"])
    assert graph.as_of("2026-01-03T00:00:00Z").as_of_seq == 1


def test_a_log_without_any_time_refuses_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no event of the log has a time"):
        _graph(tmp_path, [None, None]).as_of("2026-01-01T00:00:00Z")


def test_an_empty_log_has_one_moment(tmp_path: Path) -> None:
    graph = _graph(tmp_path, [])
    assert graph.as_of(0).as_of_seq == 0
    with pytest.raises(InputError, match="no event of the log has a time"):
        graph.as_of("2026-01-01T00:00:00Z")


def test_a_seq_beyond_all_numbers_is_beyond_the_log(timed: Graph) -> None:
    with pytest.raises(InputError, match="the log has 6 events"):
        timed.as_of("9" * 5000)


@pytest.mark.parametrize("when", [0, "0", 3, "3", "0003", 6])
def test_a_seq_from_none_to_all_is_taken(when: int | str, timed: Graph) -> None:
    assert timed.as_of(when).as_of_seq == int(when)


@pytest.mark.parametrize(
    "when",
    [
        -1,
        7,
        "7",
        "-1",
        "1.0",
        2.0,
        2.7,
        True,
        None,
        "",
        " ",
        "2026",
        "2026-01-01",
        "yesterday",
        "٣",
        "9" * 5000,
        "NaN",
    ],
)
def test_anything_else_is_refused_in_words(when: object, timed: Graph) -> None:
    with pytest.raises(InputError) as caught:
        timed.as_of(when)  # type: ignore[arg-type]
    assert caught.value.problem.remedy
    assert len(str(caught.value)) < 300


def test_views_of_views_look_at_the_same_log(timed: Graph) -> None:
    assert len(rows(timed.as_of(2).as_of(5), "paper")) == 5
    assert repr(timed.as_of(2)) == "<Graph log.jsonl as of event 2 of 6>"
