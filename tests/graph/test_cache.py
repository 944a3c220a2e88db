"""The cache changes nothing but the time it takes: damage, other logs, other versions, no room, many at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from log_writer import GOOD, checked, edge, paper, write
from replay import state

from novelty_kit import Graph, open_graph
from novelty_kit.errors import LogError
from novelty_kit.graph import cache
from novelty_kit.graph.cache import cache_folder

LINES = [paper(f"W{n}", title=f"Title {n}", doi=f"10.1000/{n}") for n in range(1, 60)]
LINES += [edge(f"W{n}", f"W{n * 7 % 59 + 1}") for n in range(1, 60)] + [checked("W1"), checked("W2", 0)]
ROUNDS = int(os.environ.get("NOVELTY_ROUNDS", "5"))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "log.jsonl", *LINES)


def _database(log: Path) -> Path:
    """The cached database of a log, made by opening it."""
    open_graph(log)
    (found,) = cache_folder().glob("*.duckdb")
    return found


def _fact(graph: Graph) -> tuple[Any, ...]:
    return graph.sha256, graph.n_events, replace(graph.meta, chunks=()), state(graph)


@contextmanager
def _builds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Which databases are built meanwhile; the building itself is the real one."""
    built: list[Path] = []
    real = cache._build

    def build(path: Path, *rest: Any) -> None:
        built.append(path)
        real(path, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(cache, "_build", build)
        yield built


def test_an_unchanged_log_is_not_read_again(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _fact(open_graph(log))
    with _builds(monkeypatch) as built:
        assert _fact(open_graph(log)) == first == _fact(open_graph(log, verify=True))
        assert _fact(open_graph(log, cached=False)) == first
    assert built == []


def test_one_log_by_two_names_has_one_cache(
    log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_graph(log)
    link = tmp_path / "link.jsonl"
    link.symlink_to(log)
    monkeypatch.chdir(tmp_path)
    with _builds(monkeypatch) as built:
        assert open_graph("log.jsonl").files == ("log.jsonl",)
        assert open_graph(link).n_events == open_graph(Path("log.jsonl")).n_events == len(LINES)
    assert built == []


def test_two_logs_of_one_name_in_two_folders_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "log.jsonl", paper("W1", title=name))
    for name in ("a", "b", "a"):
        monkeypatch.chdir(tmp_path / name)
        assert state(open_graph("log.jsonl"))["paper"][0]["title"] == name


def test_nothing_is_written_where_no_cache_is_wanted(log: Path) -> None:
    open_graph(log, cached=False)
    assert not cache_folder().exists()
    assert [path.name for path in log.parent.iterdir()] == ["log.jsonl"]


def test_nothing_is_left_beside_the_log_or_in_the_working_folder(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = log.parent / "elsewhere"
    empty.mkdir()
    monkeypatch.chdir(empty)
    open_graph(log)
    assert sorted(path.name for path in log.parent.iterdir()) == ["cache", "elsewhere", "log.jsonl"]
    assert list(empty.iterdir()) == []
    assert sorted(path.suffix for path in cache_folder().iterdir()) == [".duckdb", ".json"]


@pytest.mark.parametrize("change", ["shortened", "edited", "emptied"])
def test_a_changed_log_is_seen(change: str, log: Path) -> None:
    open_graph(log)
    raw = log.read_bytes()
    if change == "shortened":
        log.write_bytes(b"\n".join(raw.split(b"\n")[:-3]) + b"\n")
    elif change == "edited":
        log.write_bytes(raw.replace(b"Title 30", b"Titel 30"))
    else:
        log.write_bytes(b"")
    assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))


def test_an_edit_with_its_times_set_back_is_seen(log: Path) -> None:
    before = log.stat()
    open_graph(log)
    log.write_bytes(log.read_bytes().replace(b"Title 30", b"Titel 30"))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert log.stat().st_size == before.st_size
    assert "Titel 30" in {row["title"] for row in state(open_graph(log))["paper"]}


def test_an_edit_that_no_stamp_tells_is_seen_by_verify(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system without ctime: only the middle of a log of more than two blocks can hide."""
    for module in ("seal", "log", "scan", "cache", "tail"):
        monkeypatch.setattr(f"novelty_kit.graph.{module}.BLOCK", 1024)
    monkeypatch.setattr(cache, "stamp", lambda name: [Path(name).stat().st_size])
    first = open_graph(log)
    with log.open("r+b") as stream:
        stream.seek(log.read_bytes().index(b"Title", 3000))
        stream.write(b"Titel")
    assert log.stat().st_size > 3000 + 2 * 1024
    unseen = open_graph(log)
    assert unseen.sha256 == first.sha256  # what the documentation says: without verify it cannot be seen
    seen = open_graph(log, verify=True)
    assert seen.sha256 != first.sha256
    assert seen.sha256 == open_graph(log, cached=False).sha256


def test_damage_at_any_place_of_the_cache_changes_no_result(log: Path) -> None:
    expected = _fact(open_graph(log, cached=False))
    database = _database(log)
    whole = database.read_bytes()
    rng = Random(5)
    places = [
        0,
        8,
        4096,
        8192,
        len(whole) // 2,
        len(whole) - 1,
        *(rng.randrange(len(whole)) for _ in range(3)),
    ]
    for place in places:
        database.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        assert _fact(open_graph(log)) == expected


@pytest.mark.parametrize("size", [0, 50000])
def test_a_cut_cache_changes_no_result(size: int, log: Path) -> None:
    database = _database(log)
    os.truncate(database, size)
    assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))


@pytest.mark.parametrize("foreign", [b"", b"SQLite format 3\x00" + b"\x00" * 4096, b"DUCK" * 5000])
def test_a_foreign_file_in_its_place_changes_no_result(foreign: bytes, log: Path) -> None:
    database = _database(log)
    database.write_bytes(foreign)
    assert open_graph(log).n_events == len(LINES)
    assert database.read_bytes() != foreign


def test_another_logs_cache_in_its_place_changes_no_result(log: Path) -> None:
    database = _database(log)
    other = write(log.parent / "other.jsonl", paper("W1", title="other"))
    open_graph(other)
    for path in cache_folder().glob("*"):
        if path.stem != database.stem:
            shutil.copyfile(path, database.with_suffix(path.suffix))
    assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))


@pytest.mark.parametrize("label", ["", "[]", '{"stamp": null, "sha256": ""}'])
def test_a_damaged_label_makes_it_built_again(label: str, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _database(log).with_suffix(".json").write_text(label)
    with _builds(monkeypatch) as built:
        assert open_graph(log).n_events == len(LINES)
        assert open_graph(log).n_events == len(LINES)
    assert len(built) == 1


@pytest.mark.parametrize(
    ("about", "grown"), [("format", False), ("duckdb", False), ("code", False), ("code", True)]
)
def test_a_cache_of_another_version_is_built_again(
    about: str, grown: bool, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        if about == "format":
            older.setattr(cache, "FORMAT", cache.FORMAT - 1)
        elif about == "duckdb":
            older.setattr(cache, "__version__", "0.9")
        else:
            older.setattr(cache, "code_hash", lambda: "0" * 64)
        open_graph(log)
    if grown:
        write(log, *LINES, GOOD)
    with _builds(monkeypatch) as built:
        open_graph(log)
        open_graph(log)
    assert len(built) == 1


@pytest.mark.parametrize("damage", ["none", "flipped", "no label"])
def test_a_log_that_has_grown_gives_what_it_gives_anew(
    damage: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = _database(log)
    whole = database.read_bytes()
    if damage == "flipped":
        database.write_bytes(whole[:99999] + bytes([whole[99999] ^ 0xFF]) + whole[100000:])
    elif damage == "no label":
        database.with_suffix(".json").unlink()
    with log.open("ab") as out:
        out.write(GOOD + b"\n" + paper("W1", title="changed") + b"\n")
    with _builds(monkeypatch) as built:
        assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))
    assert bool(built) == (damage != "none")  # only what is whole is grown from


def test_a_log_that_grows_often_keeps_few_marks_and_finds_every_line(log: Path) -> None:
    for n in range(5):
        with log.open("ab") as out:
            out.write(paper(f"W{100 + n}") + b"\n")
        graph = open_graph(log)
    assert len(graph.meta.chunks) == 1
    assert [graph.event(seq) for seq in range(len(LINES) + 1, len(LINES) + 6)] == [
        paper(f"W{100 + n}") for n in range(5)
    ]


def test_a_log_edited_and_grown_at_once_is_seen_where_its_edges_or_verify_tell(log: Path) -> None:
    open_graph(log)
    log.write_bytes(log.read_bytes().replace(b"Title 30", b"Titel 30") + GOOD + b"\n")
    assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))


def test_a_grown_tail_with_a_bad_line_names_its_line_in_the_whole_log(log: Path) -> None:
    open_graph(log)
    write(log, *LINES, GOOD, b"{}")
    with pytest.raises(LogError) as caught:
        open_graph(log)
    assert caught.value.problem.line == len(LINES) + 2
    write(log, *LINES, GOOD)
    assert open_graph(log).n_events == len(LINES) + 1


def test_verify_reads_every_byte_of_the_cache(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that rot on the disk move no time; a stamp that says nothing stands for that here."""
    monkeypatch.setattr(cache, "stamp", lambda name: [Path(name).stat().st_size])
    database = _database(log)
    whole = bytearray(database.read_bytes())
    whole[len(whole) // 2] ^= 1
    database.write_bytes(whole)
    with _builds(monkeypatch) as built:
        assert open_graph(log, verify=True).n_events == len(LINES)
    assert len(built) == 1


def test_a_cache_folder_that_is_a_file_is_done_without(log: Path) -> None:
    cache_folder().write_text("no folder")
    assert open_graph(log).n_events == len(LINES)
    assert cache_folder().read_text() == "no folder"


def test_a_cache_folder_that_cannot_be_written_is_done_without(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("/proc/novelty", "/dev/null/novelty", f"/{'x' * 300}"):
        monkeypatch.setenv("NOVELTY_CACHE", folder)
        assert open_graph(log).n_events == len(LINES)


def test_where_no_home_can_be_named_no_cache_is_made(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("NOVELTY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # no folder of the working folder
    monkeypatch.setattr(Path, "home", nobody)
    monkeypatch.chdir(log.parent)
    assert open_graph(log).n_events == len(LINES)
    assert [path.name for path in log.parent.iterdir()] == ["log.jsonl"]


def test_a_cache_that_cannot_be_read_is_done_without(log: Path) -> None:
    database = _database(log)
    database.unlink()
    database.mkdir()
    assert open_graph(log).n_events == len(LINES)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("mount is not permitted")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_done_without_and_left_as_it_was(
    small_disk: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(small_disk / "cache"))
    assert _fact(open_graph(log)) == _fact(open_graph(log, cached=False))
    assert list((small_disk / "cache").iterdir()) == []


def test_a_damaged_log_leaves_no_cache(log: Path) -> None:
    write(log, *LINES, b"{}")
    with pytest.raises(LogError):
        open_graph(log)
    assert list(cache_folder().iterdir()) == []


def test_a_log_that_was_sound_and_is_damaged_now_is_refused(log: Path) -> None:
    open_graph(log)
    write(log, *LINES, b"{}")
    for _ in range(2):
        with pytest.raises(LogError, match="'op' must be"):
            open_graph(log)
    write(log, *LINES)
    assert open_graph(log).n_events == len(LINES)


def test_a_reader_is_not_disturbed_by_a_rebuild(log: Path) -> None:
    reader = open_graph(log)
    view = reader.as_of(30)
    for n in range(1, 4):
        write(log, *LINES, *[GOOD] * n)
        assert open_graph(log).n_events == len(LINES) + n
        assert len(state(reader)["paper"]) == 59
    assert len(state(view)["paper"]) == 30
    assert len(state(reader)["citation_edge"]) == 59


def test_many_readers_of_one_cache_in_one_process(log: Path) -> None:
    expected = _fact(open_graph(log))
    readers = [open_graph(log) for _ in range(5)]
    assert [_fact(reader) for reader in readers] == [expected] * 5


_AT_ONCE = """
import os, sys
from novelty_kit import open_graph
log, lines, rounds = sys.argv[1], open(sys.argv[1], "rb").read(), int(sys.argv[2])
for round_no in range(rounds):
    with open(log, "wb") as out:
        out.write(lines + b'{"op":"upsert","table":"paper","row":{"lom_id":"W999"}}\\n' * round_no)
    start, go = os.pipe()
    found, told = os.pipe()
    for _ in range(2):
        if os.fork() == 0:
            os.close(go)
            os.read(start, 1)  # both begin when the parent closes its end
            graph = open_graph(log)
            with graph.connection as con:
                row = con.execute("SELECT count(*), sum(seq) FROM paper_now").fetchone()
            os.write(told, f"{graph.sha256} {graph.n_events} {row}\\n".encode())
            os._exit(0)
    for end in (start, told, go):
        os.close(end)
    with open(found) as answers:
        print(round_no, *sorted({line.strip() for line in answers}), sep="|", flush=True)
    assert {os.wait()[1], os.wait()[1]} == {0}
"""


def _python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_processes_that_open_a_log_at_once_get_one_answer(log: Path) -> None:
    """Rounds of two real processes on a log that just changed."""
    answers, errors = _python(_AT_ONCE, str(log), str(ROUNDS)).communicate()
    assert errors == ""
    rounds = [line.split("|") for line in answers.splitlines()]
    assert [(int(number), len(facts)) for number, *facts in rounds] == [(n, 1) for n in range(ROUNDS)]
    assert [facts[0].split()[1] for _, *facts in rounds] == [str(len(LINES) + n) for n in range(ROUNDS)]
    assert sorted(path.suffix for path in cache_folder().iterdir()) == [".duckdb", ".json"]


def test_a_builder_that_is_killed_leaves_nothing_for_long(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import novelty_kit.graph.cache as cache, os, sys, time\n"
    code += "cache._sha256_of = lambda path: (print('built', flush=True), time.sleep(60))\n"
    code += "from novelty_kit import open_graph\nopen_graph(sys.argv[1])\n"
    monkeypatch.setenv("TMPDIR", str(log.parent))  # what a killed process cannot take away
    process = _python(code, str(log))
    assert process.stdout is not None
    assert process.stdout.readline() == "built\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    left = list(cache_folder().iterdir())
    assert [path.name.startswith("build-") for path in left] == [True]
    assert open_graph(log).n_events == len(LINES)
    assert sorted(path.suffix for path in cache_folder().iterdir()) == [".duckdb", ".json"]


def test_a_living_builder_is_not_swept_away(log: Path) -> None:
    cache_folder().mkdir()
    with cache.build_folder(cache_folder()) as folder:
        open_graph(log)
        assert folder.exists()
    assert not folder.exists()


def test_opening_from_the_cache_is_not_slower_than_parsing(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *[edge(f"W{n}", f"W{n * 7 % 999 + 1}") for n in range(1, 20_000)])
    open_graph(log)
    spent = {}
    for cached in (True, False):
        start = time.perf_counter()
        open_graph(log, cached=cached)
        spent[cached] = time.perf_counter() - start
    assert spent[True] < spent[False]
