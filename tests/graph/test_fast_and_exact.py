"""Loading a log fails exactly where the exact check finds a fault in one of its lines.

The fast check and the loader's set checks are only there for speed: thousands of lines that differ from valid
ones by a few bytes must get the answer of ``check_line``.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest
from log_writer import event, load, refusal, write
from mutations import lines, mutate, pieces

from novelty_kit.errors import NoveltyKitError
from novelty_kit.graph.dates import is_time
from novelty_kit.graph.lines import MAX_LINE, check_line
from novelty_kit.graph.suspects import suspicious_lines

FEW = 40  # lines a log, so that the hundred listed faults hold all of them


def _disagreements(found: list[bytes], folder: Path) -> list[tuple[str, bytes]]:
    """Lines that the loader takes and the exact check refuses, or the other way round."""
    fine = [line for line in found if not check_line(line).faults]
    bad = [line for line in found if check_line(line).faults and not suspicious_lines(line + b"\n")]
    wrong = []
    try:
        load(write(folder / "fine.jsonl", *fine))
    except NoveltyKitError as error:
        wrong.append((str(error), b""))
    for start in range(0, len(bad), FEW):
        few = bad[start : start + FEW]
        log = write(folder / "bad.jsonl", *few)
        error = refusal(log)
        named = {problem.line for problem in error.problems} | {error.problem.line}
        wrong += [("taken", line) for n, line in enumerate(few, 1) if n not in named]
        assert error.n_problems == len(few)
    return wrong


def test_every_valid_line_is_valid_in_each_spelling(tmp_path: Path) -> None:
    assert [line for line in lines() if check_line(line).faults] == []
    assert load(write(tmp_path / "log.jsonl", *lines())).n_lines == len(lines())


@pytest.mark.parametrize("seed", range(4))
def test_lines_a_few_bytes_off_get_the_same_answer(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    found = [mutate(rng.choice(lines()), rng) for _ in range(1500)]
    assert _disagreements(found, tmp_path) == []


def test_every_field_doubled_retyped_renamed_or_left_out_gets_the_same_answer(tmp_path: Path) -> None:
    found = [line for valid in lines()[::2] for line in pieces(valid)]
    assert len(found) > 1500
    assert _disagreements(found, tmp_path) == []


def test_a_line_is_refused_wherever_in_a_block_it_stands(tmp_path: Path) -> None:
    bad = event("paper", {"lom_id": "W1", "doi": "x"})
    for place in (0, 1, 500, 999):
        block = [event("paper", {"lom_id": f"W{n}"}) for n in range(1, 1001)]
        block[place] = bad
        assert refusal(write(tmp_path / "log.jsonl", *block)).problem.line == place + 1


def test_times_that_a_lenient_cast_would_take_are_refused(tmp_path: Path) -> None:
    form = "2026-09-03T10:20:30Z"
    texts = {
        form[:i] + a + form[i + 1 : j] + b + form[j + 1 :]
        for i, j in itertools.combinations(range(20), 2)
        for a, b in itertools.product(" +.0N\t", repeat=2)
    }
    bad = sorted(text for text in texts if not is_time(text))
    fine = sorted(text for text in texts if is_time(text))
    assert load(write(tmp_path / "fine.jsonl", *(event("paper", {"lom_id": "W1"}, ts=t) for t in fine)))
    error = refusal(write(tmp_path / "bad.jsonl", *(event("paper", {"lom_id": "W1"}, ts=t) for t in bad)))
    assert error.n_problems == len(bad)


def test_a_line_as_long_as_may_be_loads_and_one_byte_more_does_not(tmp_path: Path) -> None:
    shell = len(event("paper", {"lom_id": "W1", "title": ""}))
    longest = event("paper", {"lom_id": "W1", "title": "x" * (MAX_LINE - shell)})
    assert len(longest) == MAX_LINE
    assert load(write(tmp_path / "log.jsonl", longest)).n_lines == 1
    error = refusal(write(tmp_path / "log.jsonl", longest.replace(b"xx", b"xxx", 1)))
    assert (error.problem.line, error.problem.column) == (1, MAX_LINE + 1)
