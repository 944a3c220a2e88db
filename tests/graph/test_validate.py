"""Everything wrong with a log at once, and what is legal but worth a look."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from log_writer import GOOD, checked, edge, event, paper, write

from novelty_kit.errors import LogError
from novelty_kit.graph.sealing import seal_log
from novelty_kit.graph.validate import CODES, Validation, validate_log


def _found(*paths: Path) -> Validation:
    return validate_log(tuple(map(str, paths)))


def test_a_sound_log_has_no_problems(tmp_path: Path) -> None:
    found = _found(write(tmp_path / "log.jsonl", GOOD, edge("W1", "W2")))
    assert (found.is_sound, found.n_lines, found.problems, found.warnings) == (True, 2, (), ())
    assert set(found.counts) == set(CODES)
    assert set(found.counts.values()) == {0}


def test_bad_lines_of_every_kind_are_listed_together(tmp_path: Path) -> None:
    """Loading speaks first of lines that do not parse; validating lists those with wrong values beside them."""
    lines = [paper("A1"), GOOD, b"{}", paper("W1", publication_date="2019-13"), b"", event("papr", {})]
    found = _found(write(tmp_path / "log.jsonl", *lines))
    assert not found.is_sound
    assert (found.n_lines, found.n_bad_lines) == (6, 5)
    assert sorted({problem.line for problem in found.problems}) == [1, 3, 4, 5, 6]
    assert found.n_faults == len(found.problems) == 7


def test_a_field_that_stands_twice_is_listed_beside_the_others(tmp_path: Path) -> None:
    twice = b'{"op":"upsert",' + GOOD[1:]
    found = _found(write(tmp_path / "log.jsonl", paper("A1"), twice, edge("W1", "W1"), b"{}"))
    assert sorted({problem.line for problem in found.problems}) == [1, 2, 4]
    assert (found.n_bad_lines, found.counts["self_loop"]) == (3, 1)


def test_the_first_hundred_are_listed_and_all_counted(tmp_path: Path) -> None:
    lines = [line for n in range(150) for line in (paper(f"A{n}"), GOOD)]
    found = _found(write(tmp_path / "log.jsonl", *lines))
    assert [problem.line for problem in found.problems] == list(range(1, 200, 2))
    assert (found.n_bad_lines, found.n_faults) == (150, 150)


def test_faults_of_values_before_a_hundred_of_bytes_are_the_first_and_placed(tmp_path: Path) -> None:
    bad = paper("W1", title="x", doi="x")
    found = _found(write(tmp_path / "log.jsonl", GOOD, bad, *[b"[]"] * 120, bad))
    first = found.problems[0]
    assert (first.line, first.column) == (2, bad.index(b'"doi"') + 1)
    assert [problem.line for problem in found.problems] == list(range(2, 102))
    assert (found.n_bad_lines, found.n_faults) == (122, 122)


def test_a_log_of_nothing_but_bad_ids_is_counted_in_a_time_like_its_size(tmp_path: Path) -> None:
    lines = [edge(f"A{n}", f"A{n + 1}") for n in range(6_000)]
    found = _found(write(tmp_path / "log.jsonl", *lines))  # every line with every id would be 72 million
    assert (found.n_bad_lines, found.n_faults, len(found.problems)) == (6_000, 12_000, 100)


def test_what_stands_behind_a_line_of_many_megabytes_is_found(tmp_path: Path) -> None:
    found = _found(write(tmp_path / "log.jsonl", GOOD, b"x" * (40 * 2**20), GOOD, b"{}", GOOD))
    assert (found.n_lines, sorted({problem.line for problem in found.problems})) == (5, [2, 4])


def test_a_torn_tail_stands_beside_bad_lines(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(paper("A1") + b"\n" + GOOD + b"\n" + GOOD[:20])
    found = _found(log)
    assert found.n_bad_lines == 1
    assert [problem.what for problem in found.problems][-1] == (
        f"the last line is torn at byte offset {len(paper('A1')) + len(GOOD) + 2}"
    )


def test_files_are_named_with_their_own_lines(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", GOOD, paper("A1")), tmp_path / "2.jsonl.gz"
    second.write_bytes(gzip.compress(GOOD + b"\n{}\n" + GOOD + b"\n" + GOOD[:9]))
    third = write(tmp_path / "3.jsonl", edge("W1", "W1"))
    found = _found(first, second, third)
    assert {(problem.path, problem.line) for problem in found.problems} == {
        *((str(first), 2), (str(second), 2)),
        (str(second), 4),
    }
    (warned,) = (one for one in found.warnings if one.code == "self_loop")
    assert (warned.path, warned.line) == (str(third), 1)


def test_a_broken_seal_is_a_problem(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", GOOD, edge("W1", "W2"), edge("W1", "W3"))
    seal_log(log)
    write(log, GOOD, edge("W1", "W3"))
    found = _found(log)
    assert not found.is_sound
    assert (found.problems[0].line, found.n_bad_lines) == (2, 0)
    assert "the sealed line 2 is lost" in found.problems[0].what


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no such file"):
        _found(tmp_path / "missing.jsonl")
    with pytest.raises(LogError, match="is a directory"):
        _found(tmp_path)


def test_what_is_legal_but_odd_is_warned_of_with_its_line(tmp_path: Path) -> None:
    lines = [
        paper("W1", openalex="W9", doi="10.1000/one"),
        paper("arxiv:2408.06292", openalex="W9", publication_date="2031"),
        paper("doi:10.1000/two", doi="10.1000/other"),
        edge("W3", "W3"),
        edge("W1", "10.1000/ONE"),
        checked("W4", 0),
        edge("W4", "W5"),
        event("paper", {"lom_id": "W6", "venue": "x"}, ts="2030-01-01T00:00:00Z"),
        event("venue", {}, origin="y"),
    ]
    found = _found(write(tmp_path / "log.jsonl", b"\xef\xbb\xbf" + lines[0], *lines[1:], end=b"\r\n"))
    assert found.is_sound
    told = [(one.code, one.what, one.line) for one in found.warnings]
    assert told == [
        ("several_owners", "openalex:W9", None),
        ("own_key_differs", "openalex:W1", 1),
        ("own_key_differs", "doi:10.1000/two", 3),
        ("self_loop", "openalex:W3", 4),
        ("edge_within_a_node", "openalex:W1", 5),
        ("zero_contradicted", "openalex:W4", 6),
        ("future_date", "arxiv:2408.06292", 2),
        ("unknown", "(origin)", None),
        ("unknown", "paper.venue", None),
        ("unknown", "venue.*", None),
        ("crlf", str(tmp_path / "log.jsonl"), None),
        ("bom", str(tmp_path / "log.jsonl"), None),
    ]
    assert found.counts == {
        **{"several_owners": 1, "own_key_differs": 2, "self_loop": 1, "edge_within_a_node": 1},
        **{"zero_contradicted": 1, "future_date": 1, "unknown": 3, "crlf": 1, "bom": 1},
    }
    why = {one.code: one.why for one in found.warnings}
    assert why["several_owners"] == "names 2 papers: arxiv:2408.06292 openalex:W1"


def test_warnings_are_told_of_what_can_be_read_beside_bad_lines(tmp_path: Path) -> None:
    found = _found(write(tmp_path / "log.jsonl", b"{}", edge("W1", "W1")))
    assert [(one.code, one.line) for one in found.warnings] == [("self_loop", 2)]


def test_warnings_are_cut_at_a_hundred_of_each_code_and_counted(tmp_path: Path) -> None:
    found = _found(write(tmp_path / "log.jsonl", *(edge(f"W{n}", f"W{n}") for n in range(1, 151))))
    assert found.counts["self_loop"] == 150
    assert [one.line for one in found.warnings] == list(range(1, 101))


def test_plain_values_hold_everything(tmp_path: Path) -> None:
    found = _found(write(tmp_path / "log.jsonl", b"{}", edge("W1", "W1"))).to_dict()
    assert list(found) == ["n_lines", "n_bad_lines", "n_faults", "problems", "counts", "warnings"]
    assert found["problems"][0]["line"] == 1
