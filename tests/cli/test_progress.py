"""How far a command is: told to a person, never to a pipe, and never more exactly than it is known."""

from __future__ import annotations

import io

import pytest

from novelty_kit.cli.progress import Progress, in_words


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, *steps: tuple[float, int, int]) -> str:
    times = [at for at, _, of in steps if of]
    with Progress("reports", stream, lambda: times.pop(0)) as progress:
        for _, done, of in steps:
            progress(done, of)
    return stream.getvalue()


def test_a_terminal_is_told_how_many_and_how_long() -> None:
    text = told(Terminal(), (0, 0, 4), (10, 1, 4), (20, 2, 4), (40, 4, 4))
    lines = [line.rstrip() for line in text.split("\r")]
    assert lines == ["", "0 of 4 reports", "1 of 4 reports, about 30 s left", "2 of 4 reports, about 20 s left",
                     "4 of 4 reports"]  # fmt: skip
    assert text.endswith("\n")


def test_a_shorter_line_covers_a_longer_one() -> None:
    lines = told(Terminal(), (0, 0, 2), (10, 1, 2), (20, 2, 2)).rstrip("\n").split("\r")
    assert len(lines[3]) >= len(lines[2].rstrip())


def test_a_pipe_is_told_nothing_and_nothing_to_do_is_not_told() -> None:
    assert told(io.StringIO(), (0, 0, 4), (10, 1, 4)) == ""
    assert told(Terminal(), (0, 0, 0)) == ""


def test_what_stops_the_work_begins_a_line_of_its_own() -> None:
    stream = Terminal()
    progress = Progress("reports", stream, lambda: 0.0)
    progress(0, 3)
    progress.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert stream.getvalue().endswith("reports\n")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (1.4, "1 s"), (89.4, "89 s"), (90, "2 min"), (5_399, "90 min"), (5_400, "1.5 h"), (90_000, "25.0 h")],
)  # fmt: skip
def test_a_duration_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
