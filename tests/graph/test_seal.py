"""A sealed log: every lost, changed or moved line is an error that names where; growing is legal."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from log_writer import GOOD, checked, claim, edge, event, paper, write

from novelty_kit import open_graph
from novelty_kit.errors import DamageError, InputError, LogError, OutputError
from novelty_kit.graph import seal as seals
from novelty_kit.graph.log import plain_log
from novelty_kit.graph.seal import check_seals, extend_seal, read_seal, seal_path
from novelty_kit.graph.sealing import seal_log

LINES = [
    *(paper(f"W{n}", title=f"Title {n}") for n in range(1, 12)),
    *(edge(f"W{n}", f"W{n + 1}") for n in range(1, 10)),
    edge("W1", "W2"),  # as line 12: two equal lines
    *(claim(f"c{n}", f"W{n}", f"claim {n}") for n in range(1, 4)),
    checked("W1"),
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = write(tmp_path / "log.jsonl", *LINES)
    seal_log(path)
    return path


def _check(*paths: Path) -> None:
    with plain_log(tuple(map(str, paths))) as plain:
        check_seals(plain)


def _damage(*paths: Path) -> DamageError:
    with pytest.raises(DamageError) as caught:
        _check(*paths)
    return caught.value


def test_a_seal_holds_lines_bytes_and_block_hashes(log: Path) -> None:
    held = json.loads(seal_path(str(log)).read_text())
    assert seal_path(str(log)).name == "log.jsonl.seal.json"
    assert (held["lines"], held["bytes"], len(held["blocks"])) == (len(LINES), log.stat().st_size, 1)
    assert held["sha256"] == open_graph(log).sha256
    assert read_seal(str(log)) == seal_log(log)


def test_a_sealed_log_that_is_unchanged_loads(log: Path) -> None:
    _check(log)
    for cached in (False, True, True):
        assert open_graph(log, cached=cached, verify=cached).n_events == len(LINES)


def test_every_lost_line_is_named(log: Path) -> None:
    for n in range(len(LINES)):
        write(log, *LINES[:n], *LINES[n + 1 :])
        error = _damage(log)
        assert (error.problem.path, error.problem.line) == (str(log), n + 1)
        assert "lost" in error.problem.what
        assert "novelty graph seal --anew" in str(error.problem.remedy)


def test_every_changed_line_is_named(log: Path) -> None:
    rng = Random(1)
    for n, line in enumerate(LINES):
        for _ in range(3):
            at = rng.randrange(len(line))
            changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            write(log, *LINES[:n], changed, *LINES[n + 1 :])
            error = _damage(log)
            assert (error.problem.line, error.problem.what.split(";")[0]) == (
                n + 1,
                f"the sealed line {n + 1} is changed",
            )


def test_every_two_lines_that_changed_places_are_named(log: Path) -> None:
    for n in range(len(LINES)):
        for m in range(n + 1, len(LINES)):
            swapped = list(LINES)
            swapped[n], swapped[m] = swapped[m], swapped[n]
            write(log, *swapped)
            if LINES[n] == LINES[m]:
                _check(log)
                continue
            assert f"lines {n + 1} and {m + 1} have changed places" in str(_damage(log))


def test_every_inserted_line_is_named(log: Path) -> None:
    for n in range(len(LINES)):
        write(log, *LINES[:n], GOOD, *LINES[n:])
        error = _damage(log)
        assert error.problem.line == n + 1
        assert "foreign lines stand (1)" in error.problem.what


def test_the_first_of_several_lost_lines_is_named(log: Path) -> None:
    write(log, *LINES[:4], *LINES[8:])
    assert "the sealed lines 5 to 8 are lost" in str(_damage(log))
    write(log, *LINES[:4])
    assert f"the sealed lines from 5 on are lost; {len(LINES)} lines were sealed" in str(_damage(log))
    write(log)
    assert _damage(log).problem.line == 1


def test_a_loss_that_growth_hides_in_size_is_named(log: Path) -> None:
    write(log, *LINES[:4], *LINES[5:], GOOD, GOOD, GOOD)
    assert "the sealed line 5 is lost" in str(_damage(log))
    write(log, *LINES[::-1])
    assert _damage(log).problem.line == 1


def test_line_ends_are_sealed_too(log: Path) -> None:
    write(log, *LINES, end=b"\r\n")
    assert _damage(log).problem.line == 1
    log.write_bytes(b"\n".join(LINES))
    error = _damage(log)
    assert (error.problem.line, "the end of the last sealed line" in str(error)) == (len(LINES), True)


def test_growth_is_legal(log: Path) -> None:
    with log.open("ab") as out:
        out.write(GOOD + b"\n")
    _check(log)
    assert open_graph(log).n_events == len(LINES) + 1
    log.write_bytes(log.read_bytes().replace(b"Title 4", b"Titel 4"))
    assert _damage(log).problem.line == 4


def test_a_line_of_the_unsealed_tail_may_change(log: Path) -> None:
    write(log, *LINES, GOOD)
    write(log, *LINES, paper("W99"))
    _check(log)


def test_a_torn_tail_behind_the_seal_is_a_torn_tail(log: Path) -> None:
    with log.open("ab") as out:
        out.write(GOOD[:9])
    _check(log)
    with pytest.raises(LogError, match="torn"):
        open_graph(log)


@pytest.mark.parametrize("cached", [True, False])
def test_loading_checks_the_seal(cached: bool, log: Path) -> None:
    open_graph(log, cached=cached)
    write(log, *LINES[:4], *LINES[5:])
    for _ in range(2):
        with pytest.raises(DamageError, match="the sealed line 5 is lost"):
            open_graph(log, cached=cached)
    with pytest.raises(DamageError):
        open_graph(log, skip_bad_lines=True)  # leaving lines out mends nothing


def test_a_seal_made_after_the_cache_is_checked_too(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES)
    open_graph(log)
    other = write(tmp_path / "other.jsonl", *LINES[::-1])
    seal_log(other)
    seal_path(str(other)).replace(seal_path(str(log)))
    with pytest.raises(DamageError):
        open_graph(log)
    seal_path(str(log)).unlink()
    assert open_graph(log).n_events == len(LINES)


def test_without_a_seal_a_lost_line_cannot_be_seen(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES[1:])
    assert open_graph(log).n_events == len(LINES) - 1


def test_a_seal_over_several_blocks_names_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("seal", "log", "scan", "cache"):
        monkeypatch.setattr(f"novelty_kit.graph.{module}.BLOCK", 256)
    log = write(tmp_path / "log.jsonl", *LINES)
    assert len(seal_log(log).blocks) == -(-log.stat().st_size // 256)
    for n in range(len(LINES)):
        write(log, *LINES[:n], *LINES[n + 1 :], GOOD, GOOD)
        for known in (False, True):
            with plain_log((str(log),)) as plain, pytest.raises(DamageError) as caught:
                check_seals(plain, tuple(seals.block_hashes(plain.path, plain.n_bytes)) if known else None)
            assert caught.value.problem.line == n + 1
    write(log, *LINES, GOOD)
    grown = extend_seal(log)
    assert grown is not None
    assert grown == seal_log(log, anew=True)


# ---- Making one


def test_a_damaged_log_is_not_sealed(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", GOOD, b"{}")
    with pytest.raises(LogError):
        seal_log(log)
    log.write_bytes(GOOD + b"\n" + GOOD[:9])
    with pytest.raises(LogError, match="torn"):
        seal_log(log)
    log.write_bytes(GOOD)
    with pytest.raises(LogError, match="the last line has no end"):
        seal_log(log)
    assert not seal_path(str(log)).exists()


def test_an_empty_log_can_be_sealed_and_grow(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl")
    assert seal_log(log).n_lines == 0
    _check(log)
    write(log, GOOD)
    grown = extend_seal(log)
    assert grown is not None
    assert grown.n_lines == 1
    write(log)
    assert _damage(log).problem.line == 1


def test_a_seal_is_not_replaced_by_one_of_a_changed_log_unless_anew(log: Path) -> None:
    write(log, *LINES[1:])
    with pytest.raises(DamageError):
        seal_log(log)
    assert seal_log(log, anew=True).n_lines == len(LINES) - 1
    _check(log)


def test_sealing_again_seals_what_was_added(log: Path) -> None:
    write(log, *LINES, GOOD)
    assert seal_log(log).n_lines == len(LINES) + 1
    write(log, *LINES)
    assert _damage(log).problem.line == len(LINES) + 1


def test_the_same_log_gives_the_same_seal(log: Path) -> None:
    first = seal_path(str(log)).read_bytes()
    seal_path(str(log)).unlink()
    seal_log(log)
    assert seal_path(str(log)).read_bytes() == first


def test_a_seal_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    log = write(tmp_path / ("x" * 250), GOOD)
    with pytest.raises((OutputError, DamageError)):
        seal_log(log)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["x" * 250]


def test_a_log_has_one_seal_whatever_links_lead_to_it(log: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(log)
    assert read_seal(str(link)) == read_seal(str(log))
    write(log, *LINES, GOOD)
    extend_seal(link)
    assert not (tmp_path / "link.jsonl.seal.json").exists()
    write(log, *LINES)
    assert _damage(link).problem.path == str(link)


def test_a_pipe_cannot_be_sealed() -> None:
    with pytest.raises(InputError, match="only a file"):
        seal_log("-")


def test_a_damaged_seal_is_an_error_that_names_it(log: Path) -> None:
    texts = [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"format": 1}',
        "\x00",
        '{"format": 1, "format": 1}',
    ]
    for text in texts:
        seal_path(str(log)).write_text(text)
        error = _damage(log)
        assert error.problem.path == f"{log}.seal.json", text
        assert "novelty graph seal --anew" in str(error.problem.remedy)
    assert seal_log(log, anew=True).n_lines == len(LINES)
    _check(log)


def test_every_part_of_a_seal_counts(log: Path) -> None:
    held = json.loads(seal_path(str(log)).read_text())
    assert len(held) == 7
    for field, value in held.items():
        longer = value + value[:1] if isinstance(value, list | str) else value + 1
        for other in (None, longer, "x", -1, []):
            seal_path(str(log)).write_text(json.dumps({**held, field: other}))
            _damage(log)
        seal_path(str(log)).write_text(json.dumps({name: held[name] for name in held if name != field}))
        _damage(log)


# ---- Extending one


def test_extending_seals_the_tail(log: Path) -> None:
    write(log, *LINES, GOOD, paper("W50"))
    grown = extend_seal(log)
    assert grown is not None
    assert grown == read_seal(str(log)) == seal_log(log, anew=True)
    assert extend_seal(log) == grown  # nothing new: the same


def test_what_has_no_seal_gets_none_by_extending(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES)
    assert extend_seal(log) is None
    assert not seal_path(str(log)).exists()


def test_a_bad_tail_is_not_sealed(log: Path) -> None:
    before, whole = seal_path(str(log)).read_bytes(), log.read_bytes()
    for tail in (b"{}\n", GOOD, GOOD + b"\n" + GOOD[:9], b"\n", event("papr", {}) + b"\n"):
        log.write_bytes(whole + tail)
        with pytest.raises(LogError) as caught:
            extend_seal(log)
        assert caught.value.problem.line in (len(LINES) + 1, len(LINES) + 2), tail
        assert seal_path(str(log)).read_bytes() == before


def test_extending_a_log_that_lost_a_line_is_an_error(log: Path) -> None:
    write(log, *LINES[:3], *LINES[4:], GOOD, GOOD)
    with pytest.raises(DamageError, match="the sealed line 4 is lost"):
        extend_seal(log)
    write(log, *LINES[:3])
    with pytest.raises(DamageError):
        extend_seal(log)


# ---- Several files, compression


def test_each_file_of_a_log_has_its_own_seal(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", *LINES[:10]), write(tmp_path / "2.jsonl", *LINES[10:])
    seal_log(first)
    assert open_graph(first, second).n_events == len(LINES)
    seal_log(second)
    _check(first, second)
    write(second, *LINES[10:14], *LINES[15:])
    error = _damage(first, second)
    assert (error.problem.path, error.problem.line) == (str(second), 5)
    with pytest.raises(DamageError):
        open_graph(first, second)
    write(second, *LINES[10:])
    write(first, *LINES[1:10])
    assert _damage(first, second).problem.path == str(first)


def test_a_compressed_log_is_sealed_by_its_lines(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.gz"
    raw = b"".join(line + b"\n" for line in LINES)
    log.write_bytes(gzip.compress(raw))
    seal_log(log)
    log.write_bytes(gzip.compress(raw, 1))  # other bytes, the same lines
    _check(log)
    log.write_bytes(gzip.compress(raw.replace(b"Title 4", b"Titel 4")))
    assert _damage(log).problem.line == 4
