"""A last line that was not written to its end: seen, named by its offset, cut off only when asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from log_writer import GOOD, event, load, paper, refusal, write

from novelty_kit.errors import LogError, OutputError
from novelty_kit.graph.lines import check_line
from novelty_kit.graph.log import plain_log
from novelty_kit.graph.repair import repair_log
from novelty_kit.graph.scan import Check, Scan, scan_plain

CHECKS: tuple[Check, ...] = ("types", "frames", "exactly")
LAST = event("paper", {"lom_id": "W1", "title": 'é "[{" \\ x', "read": True}, ts="2026-09-03T00:00:00Z")


def _scan(log: Path, check: Check = "types") -> Scan:
    with plain_log((str(log),)) as plain:
        return scan_plain(plain, check=check)


def test_a_line_cut_at_any_byte_is_torn_and_repaired_to_what_stood_before(tmp_path: Path) -> None:
    whole = GOOD + b"\n"
    log = tmp_path / "log.jsonl"
    for length in range(1, len(LAST)):
        log.write_bytes(whole + LAST[:length])
        for check in CHECKS if length % 8 == 0 else CHECKS[:1]:
            scan = _scan(log, check)
            assert (scan.torn, scan.n_bad_lines, scan.n_lines) == (len(whole), 0, 1), length
        kept = repair_log(str(log))
        assert kept is not None
        assert kept.read_bytes() == LAST[:length]
        assert log.read_bytes() == whole
        kept.unlink()


def test_a_torn_log_is_refused_with_offset_and_remedy(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + LAST[:20])
    assert str(refusal(log)) == (
        f"{log}: the last line is torn at byte offset {len(GOOD) + 1}. To go on, run novelty graph repair {log}"
    )


def test_a_whole_last_line_without_its_newline_loads(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + LAST)
    assert load(log).n_lines == 2
    assert repair_log(str(log)) is None
    assert log.read_bytes() == GOOD + b"\n" + LAST


@pytest.mark.parametrize(
    "bad", [b"{}", b"[]", b"null", paper("A1"), event("papr", {}), b'{"op":"x","op":"y"}']
)
def test_a_last_line_that_parses_is_bad_and_not_torn(bad: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + bad)
    error = refusal(log)
    assert error.problem.line == 2
    assert "torn" not in error.problem.what
    assert repair_log(str(log)) is None


@pytest.mark.parametrize("tail", [b"\x00" * 4096, b" ", b"\xff\xfe", b"garbage"])
def test_what_does_not_parse_at_the_end_is_torn(tail: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + tail)
    assert "torn at byte offset" in str(refusal(log))
    kept = repair_log(str(log))
    assert kept is not None
    assert (kept.read_bytes(), log.read_bytes()) == (tail, GOOD + b"\n")


def test_a_line_that_does_not_parse_but_has_its_newline_is_bad(tmp_path: Path) -> None:
    error = refusal(write(tmp_path / "log.jsonl", GOOD, LAST[:20]))
    assert error.problem.line == 2
    assert "no JSON" in error.problem.what


def test_the_only_line_of_a_log_may_be_torn(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LAST[:9])
    assert "torn at byte offset 0" in str(refusal(log))
    assert repair_log(str(log)) is not None
    assert log.read_bytes() == b""
    assert load(log).n_lines == 0


def test_torn_bytes_kept_before_are_not_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    kept = []
    for n in (5, 6, 7):
        log.write_bytes(GOOD + b"\n" + LAST[:n])
        kept.append(repair_log(str(log)))
    assert [path.name for path in kept if path] == ["log.jsonl.torn", "log.jsonl.torn.2", "log.jsonl.torn.3"]
    assert [path.read_bytes() for path in kept if path] == [LAST[:5], LAST[:6], LAST[:7]]


def test_torn_bytes_are_kept_beside_the_log_itself_and_not_beside_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    log = tmp_path / "real" / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + LAST[:9])
    link = tmp_path / "link.jsonl"
    link.symlink_to(log)
    assert repair_log(str(link)) == tmp_path / "real" / "log.jsonl.torn"
    assert link.is_symlink()
    assert log.read_bytes() == GOOD + b"\n"


def test_bad_lines_in_the_middle_are_not_touched_by_a_repair(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n{}\n" + LAST[:9])
    assert refusal(log).problem.line == 2  # a bad line speaks before the torn one
    assert repair_log(str(log)) is not None
    assert log.read_bytes() == GOOD + b"\n{}\n"


def test_a_compressed_log_is_not_repaired_in_place(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(b"x")
    with pytest.raises(LogError, match="only a plain log can be repaired"):
        repair_log(str(log))
    assert log.read_bytes() == b"x"


def test_nothing_is_cut_where_the_torn_bytes_cannot_be_kept(tmp_path: Path) -> None:
    log = tmp_path / ("x" * 251)  # no name can be longer by ".torn"
    log.write_bytes(GOOD + b"\n" + LAST[:9])
    with pytest.raises(OutputError):
        repair_log(str(log))
    assert log.read_bytes() == GOOD + b"\n" + LAST[:9]
    assert list(tmp_path.iterdir()) == [log]


def test_a_tail_too_long_to_be_a_line_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + b"x" * (16 * 2**20))
    with pytest.raises(LogError, match="are no line"):
        repair_log(str(log))
    assert log.stat().st_size == len(GOOD) + 1 + 16 * 2**20


def test_a_torn_line_counts_as_torn_and_not_as_bad(tmp_path: Path) -> None:
    assert check_line(LAST[:30]).is_torn
    assert not check_line(paper("A1")).is_torn
