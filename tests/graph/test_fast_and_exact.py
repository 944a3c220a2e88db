"""Loading a log fails exactly where the exact check finds a fault in one of its lines.

The fast check and the loader's set checks are only there for speed: thousands of lines that differ from valid
ones by a few bytes must get the answer of ``check_line``.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from log_writer import event, load, refusal, write
from mutations import lines, mutate, pieces

from novelty_kit.errors import NoveltyKitError
from novelty_kit.graph.dates import is_time
from novelty_kit.graph.lines import MAX_LINE, check_line
from novelty_kit.graph.reading import SOUND, line_statements, macros, raw_statement
from novelty_kit.graph.state import connect
from novelty_kit.graph.tables import NAMES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FEW = 40  # lines a log, so that the hundred listed faults hold all of them


def _disagreements(found: list[bytes], folder: Path) -> list[tuple[str, bytes]]:
    """Lines that the loader takes and the exact check refuses, or the other way round.

    Lines that the reader itself refuses go together, since after one of them every line is checked exactly.
    """
    fine = [line for line in found if not check_line(line).faults]
    bad = [line for line in found if check_line(line).faults]
    wrong = []
    try:
        load(write(folder / "fine.jsonl", *fine))
    except NoveltyKitError as error:
        wrong.append((str(error), b""))
    with connect() as con:
        read = [line for line in bad if _is_read(con, line)]
    assert read
    for group in (read, sorted(set(bad) - set(read))):
        for start in range(0, len(group), FEW):
            few = group[start : start + FEW]
            log = write(folder / "bad.jsonl", *few)
            error = refusal(log)
            named = {problem.line for problem in error.problems} | {error.problem.line}
            wrong += [("taken", line) for n, line in enumerate(few, 1) if n not in named]
            assert error.n_problems == len(few)
    return wrong


def _is_read(con: DuckDBPyConnection, line: bytes) -> bool:
    """Whether the reader takes a line that need not be JSON."""
    try:
        row = con.execute("SELECT json_valid($line)", {"line": line.decode()}).fetchone()
    except UnicodeDecodeError:
        return False
    return row is not None and bool(row[0])


def test_every_valid_line_is_valid_in_each_spelling(tmp_path: Path) -> None:
    assert [line for line in lines() if check_line(line).faults] == []
    assert load(write(tmp_path / "log.jsonl", *lines())).n_lines == len(lines())


def _spellings(event: dict[str, Any]) -> list[bytes]:
    """One event as writers of several kinds put it down."""
    turned = {name: dict(reversed(v.items())) if name == "row" else v for name, v in reversed(event.items())}
    return [
        json.dumps(one, ensure_ascii=ascii, separators=between).encode()
        for one in (event, turned)
        for ascii in (False, True)
        for between in ((",", ":"), (", ", ": "))
    ]


def test_a_line_of_known_fields_is_proven_sound_however_it_is_spelled(tmp_path: Path) -> None:
    events = [json.loads(line, object_hook=_without_nulls) for line in lines()[::2]]
    known = [
        event
        for event in events
        if event["table"] in NAMES and "extra" not in event and "src" not in event["row"]
    ]
    assert {event["table"] for event in known} == set(NAMES)
    written = [line for event in known for line in _spellings(event)]
    log = write(tmp_path / "log.jsonl", *written)
    with connect() as con:
        for statement in macros():
            con.execute(statement)
        con.execute(raw_statement(), {"path": str(log)})
        for statement in line_statements():
            con.execute(statement)
        for table in ("raw", *(f"{name}_line" for name in NAMES if name != "citation_edge")):
            doubted = con.execute(f"SELECT count(*) FROM {table} WHERE doubt <> {SOUND}").fetchone()
            assert doubted == (0,), table


def test_blanks_do_not_make_up_for_a_value_of_another_type(tmp_path: Path) -> None:
    others = ("1", "12345", "1e9", "1E400", "-0", "true", "[1e9]", '{"a":1e15}', "NaN", "-Infinity")
    found = []
    for valid in lines()[1::2]:
        for name, value in {**json.loads(valid), **json.loads(valid)["row"]}.items():
            if isinstance(value, str) and name != "table":
                told = f'"{name}":{json.dumps(value, ensure_ascii=False)}'.encode()
                for other in others:
                    for n in (1, 2, 3, 4, 12, 13, 14, 15):
                        found.append(valid.replace(told, f'"{name}":{" " * n}{other}'.encode()))
                        found.append(valid.replace(told, f'"{name}":{other},"":{"1" * n}'.encode()))
    with connect() as con:
        read = [line for line in set(found) if _is_read(con, line) and check_line(line).faults]
    assert len(read) > 4000
    some = Random(1).sample(sorted(read), 800)
    assert _disagreements(some, tmp_path) == []


def test_what_the_reader_takes_and_json_does_not_is_refused_in_every_spelling(tmp_path: Path) -> None:
    found = []
    for valid in lines():
        for comma in (b",", b", ", b",\t\r "):
            found += [
                valid[:at] + comma + valid[at:] for at in range(len(valid)) if valid[at : at + 1] == b"}"
            ]
        for mark in (b"\\u0000", b"\\u001f", b"\\u001F"):
            found += [
                valid[: at + 2] + mark + valid[at + 2 :]
                for at in range(len(valid))
                if valid[at : at + 2] == b':"'
            ]
            found += [
                valid[: at + 3] + mark + valid[at + 3 :]
                for at in range(len(valid))
                if valid[at : at + 3] == b': "'
            ]
    with connect() as con:
        read = [line for line in found if _is_read(con, line) and check_line(line).faults]
    assert {b"," in line and line.endswith(b",}") for line in read} == {True, False}
    assert _disagreements(read, tmp_path) == []


def _without_nulls(pairs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in pairs.items() if value is not None}


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
