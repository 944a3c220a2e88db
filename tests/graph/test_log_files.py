"""The log as files: what cannot be read, how lines end, compression, several files, standard input."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from log_writer import GOOD, checked, edge, event, load, opened, paper, refusal, rows, write

from novelty_kit import open_graph
from novelty_kit.errors import LogError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import plain_log
from novelty_kit.graph.reading import macros, raw_statement
from novelty_kit.graph.scan import MAX_LISTED
from novelty_kit.graph.state import connect

BOM = b"\xef\xbb\xbf"


def _zst(raw: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(raw)
    return sink.getvalue().to_pybytes()


def _problem(error: LogError) -> tuple[str | None, int | None, int | None]:
    return error.problem.path, error.problem.line, error.problem.column


# ---- What cannot be read


def test_a_file_that_is_not_there_is_named_with_the_remedy(tmp_path: Path) -> None:
    log = tmp_path / "missing.jsonl"
    assert str(refusal(log)) == f"{log}: no such file. Give the event log with --graph FILE"


def test_a_directory_is_no_log(tmp_path: Path) -> None:
    assert str(refusal(tmp_path)) == f"{tmp_path}: is a directory, not a log. Name the .jsonl file in it"


def test_no_log_at_all_is_an_error() -> None:
    assert "no log was named" in str(refusal())


def test_a_name_with_a_nul_is_an_error_and_no_crash() -> None:
    with pytest.raises(LogError, match="cannot be read"):
        open_graph("a\0b.jsonl", cached=False)


@pytest.mark.parametrize("name", ["x" * 300, "x" * 250, "a/" * 3000])
def test_a_name_that_is_too_long_is_an_error_and_no_crash(name: str, tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no such file|cannot be read"):
        open_graph(tmp_path / name)


def test_a_log_whose_seal_would_have_too_long_a_name_loads(tmp_path: Path) -> None:
    log = write(tmp_path / ("x" * 250), GOOD)
    assert open_graph(log).n_events == open_graph(log).n_events == 1


def test_invalid_utf8_is_named_by_its_byte_offset_in_the_file(tmp_path: Path) -> None:
    bad = paper("W1", title="ab").replace(b"ab", b"a\xffb")
    error = refusal(write(tmp_path / "log.jsonl", GOOD, bad))
    column = bad.index(b"\xff") + 1
    assert _problem(error) == (str(tmp_path / "log.jsonl"), 2, column)
    assert error.problem.what == f"no valid UTF-8 (0xff) at byte offset {len(GOOD) + column} of the file"
    assert error.problem.remedy == "Write the log as UTF-8"


@pytest.mark.parametrize("torn", [b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf"])
def test_every_kind_of_broken_utf8_is_refused(torn: bytes, tmp_path: Path) -> None:
    bad = paper("W1", title="ab").replace(b"ab", b"a" + torn + b"b")
    assert "no valid UTF-8" in refusal(write(tmp_path / "log.jsonl", bad)).problem.what


def test_utf16_is_refused_at_its_first_byte(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD.decode().encode("utf-16") + b"\n\x00")
    assert "no valid UTF-8 (0xff) at byte offset 0 of the file" in str(refusal(log))


def test_a_nul_byte_is_named_by_its_offset(tmp_path: Path) -> None:
    bad = paper("W1", title="ab").replace(b"ab", b"a\x00b")
    error = refusal(write(tmp_path / "log.jsonl", GOOD, bad))
    assert f"a NUL byte at byte offset {len(GOOD) + 1 + bad.index(0)} of the file" in str(error)


def test_a_line_of_200_megabytes_is_refused_without_being_held(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with log.open("wb") as out:
        out.write(GOOD + b"\n" + b'{"op":"upsert","table":"paper","row":{"lom_id":"W1","title":"')
        for _ in range(200):
            out.write(b"x" * 1_000_000)
        out.write(b'"}}\n' + GOOD + b"\n" + b"{}\n")
    error = refusal(log)
    assert (error.problem.what, error.problem.line) == ("the line is longer than 15 MiB", 2)
    assert [problem.line for problem in error.problems][-1] == 4  # what follows it is checked too
    assert error.n_problems == 2


@pytest.mark.parametrize("depth", [201, 10_000, 1_000_000])
@pytest.mark.parametrize("signs", [b"[]", b'{"a":}'])
def test_deep_nesting_is_refused(depth: int, signs: bytes, tmp_path: Path) -> None:
    deep = signs[:-1] * depth + b"1" + signs[-1:] * depth
    bad = b'{"op":"upsert","table":"paper","row":{"lom_id":"W1","venue":' + deep + b"}}"
    error = refusal(write(tmp_path / "log.jsonl", GOOD, bad))
    assert (error.problem.what, error.problem.line) == ("nested too deep to be an event", 2)
    assert error.problem.column is not None
    assert error.problem.column > 60


def test_nesting_that_ends_nowhere_is_refused(tmp_path: Path) -> None:
    assert "nested too deep" in str(refusal(write(tmp_path / "log.jsonl", b"[" * 1_000_000)))


def test_nesting_an_event_could_have_is_kept(tmp_path: Path) -> None:
    log = write(
        tmp_path / "log.jsonl", b'{"op":"upsert","table":"v","row":{"a":' + b"[" * 190 + b"]" * 190 + b"}}"
    )
    assert load(log).unknown == {"v.*": 1}


def test_brackets_in_a_string_are_no_nesting(tmp_path: Path) -> None:
    assert (
        load(write(tmp_path / "log.jsonl", paper("W1", title="[{" * 5000, venue='\\"' + "[" * 900))).n_lines
        == 1
    )


def test_a_number_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    bad = b'{"op":"upsert","table":"paper","row":{"lom_id":"W1","venue":1' + b"0" * 5000 + b"}}"
    error = refusal(write(tmp_path / "log.jsonl", bad))
    assert (error.problem.what, error.problem.column) == ("no JSON: a number of 5001 digits", 61)


# ---- All of them, the first hundred listed


def test_the_first_hundred_faults_are_listed_and_all_bad_lines_counted(tmp_path: Path) -> None:
    lines = [line for n in range(150) for line in (paper(f"W{n + 1}"), paper(f"A{n}"))]
    error = refusal(write(tmp_path / "log.jsonl", *lines))
    assert [problem.line for problem in error.problems] == list(range(2, 202, 2))
    assert len(error.problems) == MAX_LISTED
    assert error.n_problems == 150
    assert "150 bad lines in all" in str(error)


def test_what_a_byte_check_finds_is_listed_and_counted_alike(tmp_path: Path) -> None:
    lines = [line for n in range(150) for line in (paper(f"W{n + 1}"), b"{}")]
    error = refusal(write(tmp_path / "log.jsonl", *lines))
    assert error.n_problems == 150
    assert {problem.line for problem in error.problems} == set(range(2, 102, 2)) - {
        problem for problem in range(2, 102, 2) if problem > 68
    }  # three faults a line: no op, no table, no row


def test_only_bad_lines_are_counted_not_all_that_were_looked_at(tmp_path: Path) -> None:
    innocent = event("references_checked", {"lom_id": "W1", "status": "ok", "n_refs": 1}, "delete")
    error = refusal(write(tmp_path / "log.jsonl", *([innocent] * 5), paper("A1"), innocent))
    assert (error.problem.line, error.n_problems) == (6, 1)


# ---- How lines end


def test_an_empty_log_is_legal(tmp_path: Path) -> None:
    graph = opened(tmp_path / "log.jsonl")
    assert (graph.n_events, rows(graph, "paper")) == (0, [])


def test_a_log_of_nothing_but_a_byte_order_mark_is_empty(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(BOM)
    scan = load(log)
    assert (scan.n_lines, scan.bom, scan.torn) == (0, True, None)


def test_crlf_ends_are_accepted_and_reported(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", paper("W1", title="a"), edge("W1", "W2"), end=b"\r\n")
    graph = open_graph(log, cached=False)
    assert graph.meta.crlf
    assert rows(graph, "paper")[0]["title"] == "a"
    assert graph.event(2) == edge("W1", "W2") + b"\r"


def test_mixed_line_ends_are_accepted_and_reported(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + GOOD + b"\r\n" + GOOD + b"\n")
    scan = load(log)
    assert (scan.n_lines, scan.crlf) == (3, True)


def test_plain_line_ends_are_not_reported(tmp_path: Path) -> None:
    scan = load(write(tmp_path / "log.jsonl", GOOD))
    assert (scan.crlf, scan.bom) == (False, False)


def test_a_carriage_return_alone_ends_no_line(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\r" + GOOD + b"\n")
    assert "Extra data" in str(refusal(log))


def test_a_byte_order_mark_at_the_very_start_is_accepted_and_reported(tmp_path: Path) -> None:
    graph = opened(tmp_path / "log.jsonl", BOM + paper("W1", title="a"), paper("W2"))
    assert graph.meta.bom
    assert [row["lom_id"] for row in rows(graph, "paper")] == ["openalex:W1", "openalex:W2"]


def test_a_first_line_behind_a_byte_order_mark_gets_its_closer_look(tmp_path: Path) -> None:
    delete = event("claim", {"claim_id": "c", "status": "x"}, "delete")
    assert load(write(tmp_path / "log.jsonl", BOM + delete)).n_lines == 1
    error = refusal(write(tmp_path / "log.jsonl", BOM + paper("A1")))
    assert (error.problem.line, error.problem.column) == (1, paper("A1").index(b'"lom_id"') + 1)


@pytest.mark.parametrize("line", [2, 3])
def test_a_byte_order_mark_in_the_middle_is_a_bad_line(line: int, tmp_path: Path) -> None:
    lines = [GOOD, GOOD, GOOD]
    lines[line - 1] = BOM + GOOD
    error = refusal(write(tmp_path / "log.jsonl", *lines))
    assert _problem(error) == (str(tmp_path / "log.jsonl"), line, 1)
    assert "byte-order mark" in error.problem.what


def test_two_byte_order_marks_are_one_too_many(tmp_path: Path) -> None:
    assert "byte-order mark" in str(refusal(write(tmp_path / "log.jsonl", BOM + BOM + GOOD)))


@pytest.mark.parametrize(
    ("blank", "place"),
    [(b"", 0), (b"", 1), (b"", 2), (b" ", 1), (b"\t", 2), (b"\r", 1), ("\u00a0".encode(), 1)],
)
def test_a_blank_line_anywhere_is_a_bad_line(blank: bytes, place: int, tmp_path: Path) -> None:
    lines = [GOOD, GOOD]
    lines.insert(place, blank)
    error = refusal(write(tmp_path / "log.jsonl", *lines))
    assert _problem(error) == (str(tmp_path / "log.jsonl"), place + 1, 1)
    assert error.problem.what == "a blank line"


def test_an_object_over_two_lines_makes_two_bad_lines(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(GOOD + b"\n" + GOOD.replace(b',"row"', b',\n"row"') + b"\n" + GOOD + b"\n")
    error = refusal(log)
    assert [problem.line for problem in error.problems] == [2, 3]


# ---- Names, columns and tables that come late


def test_what_is_unknown_is_counted_also_when_first_seen_late(tmp_path: Path) -> None:
    lines = [paper(f"W{n}") for n in range(1, 20_600)]
    lines += [
        paper("W1", venue="x", title="late"),
        event("venue", {"a": 1}),
        event("venue", {"b": 1}),
        edge("W1", "W2"),
    ]
    graph = opened(tmp_path / "log.jsonl", *lines)
    assert graph.meta.unknown == {"paper.venue": 1, "venue.*": 2}
    assert rows(graph, "paper")[-1]["title"] == "late"
    assert len(rows(graph, "citation_edge")) == 1
    assert b'"venue": "x"' in graph.event(20_600)


def test_names_of_what_is_unknown_are_bounded(tmp_path: Path) -> None:
    lines = [event(f"table{n}", {}) for n in range(1500)] + [event("t" * 100_000, {})]
    scan = load(write(tmp_path / "log.jsonl", *lines))
    assert len(scan.unknown) == 1001
    assert sum(scan.unknown.values()) == 1501
    assert max(map(len, scan.unknown)) < 80


# ---- Compression and several files

LINES = [paper("W1", title="ä"), edge("W1", "W2"), checked("W1"), paper("W1", title="b"), edge("W1", "W3")]
RAW = b"".join(line + b"\n" for line in LINES)


def _whole(*paths: Path) -> tuple[str, int, list[object]]:
    graph = open_graph(*paths, cached=False)
    tables = ("paper", "citation_edge", "references_checked")
    return graph.sha256, graph.n_events, [rows(graph, table) for table in tables]


def test_compressed_and_split_logs_equal_the_plain_one(tmp_path: Path) -> None:
    plain = write(tmp_path / "log.jsonl", *LINES)
    whole = _whole(plain)
    packed, squeezed = tmp_path / "log.jsonl.gz", tmp_path / "log.jsonl.zst"
    packed.write_bytes(gzip.compress(RAW[:40]) + gzip.compress(RAW[40:]))  # two members are one file
    squeezed.write_bytes(_zst(RAW))
    assert _whole(packed) == whole
    assert _whole(squeezed) == whole
    first, second = write(tmp_path / "1.jsonl", *LINES[:2]), write(tmp_path / "2.jsonl", *LINES[2:3])
    third = tmp_path / "3.jsonl.gz"
    third.write_bytes(gzip.compress(b"".join(line + b"\n" for line in LINES[3:])))
    assert _whole(first, second, third) == whole
    empty = write(tmp_path / "empty.jsonl")
    assert _whole(empty, first, empty, second, third, empty) == whole


def test_a_file_before_the_last_may_lack_its_last_newline(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", write(tmp_path / "2.jsonl", *LINES[2:])
    first.write_bytes(b"\n".join(LINES[:2]))
    assert _whole(first, second) == _whole(write(tmp_path / "log.jsonl", *LINES))


def test_events_of_several_files_are_found_by_file_and_line(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", *LINES[:2]), write(tmp_path / "2.jsonl", *LINES[2:])
    graph = open_graph(first, second, cached=False)
    assert [graph.place(seq) for seq in range(1, 6)] == [
        (str(first), 1, LINES[0]),
        (str(first), 2, LINES[1]),
        (str(second), 1, LINES[2]),
        (str(second), 2, LINES[3]),
        (str(second), 3, LINES[4]),
    ]
    for seq in (0, 6):
        with pytest.raises(LogError, match=f"the log has no event {seq}"):
            graph.place(seq)


def test_a_bad_line_of_a_later_file_is_named_by_its_own_line(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", *LINES), tmp_path / "2.jsonl.gz"
    second.write_bytes(gzip.compress(GOOD + b"\n" + paper("A1") + b"\n"))
    assert _problem(refusal(first, second))[:2] == (str(second), 2)
    second.write_bytes(gzip.compress(GOOD + b"\n" + b"{}" + b"\n"))
    assert _problem(refusal(first, second))[:2] == (str(second), 2)


def test_a_file_before_the_last_must_not_end_torn(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", write(tmp_path / "2.jsonl", *LINES)
    first.write_bytes(GOOD + b"\n" + GOOD[:30])
    error = refusal(first, second)
    assert (error.problem.path, error.problem.what) == (str(first), "the last line is torn")
    assert f"novelty graph repair {first}" in str(error)


def test_the_last_of_several_files_may_end_torn_and_is_named(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", *LINES), tmp_path / "2.jsonl"
    second.write_bytes(GOOD + b"\n" + GOOD[:30])
    error = refusal(first, second)
    assert (error.problem.path, error.problem.what) == (
        str(second),
        f"the last line is torn at byte offset {len(GOOD) + 1}",
    )


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_file_cut_anywhere_is_refused(suffix: str, tmp_path: Path) -> None:
    whole = gzip.compress(RAW * 50) if suffix == ".gz" else _zst(RAW * 50)
    log = tmp_path / f"log.jsonl{suffix}"
    for length in (0, 1, 5, 12, len(whole) // 2, len(whole) - 5, len(whole) - 1):
        log.write_bytes(whole[:length])
        error = refusal(log)
        assert error.problem.path == str(log)
        assert "cut or damaged" in str(error.problem.remedy)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_is_not_compressed_is_refused_under_that_name(suffix: str, tmp_path: Path) -> None:
    assert "cut or damaged" in str(refusal(write(tmp_path / f"log.jsonl{suffix}", GOOD)))


def test_a_torn_compressed_log_is_told_how_to_be_mended(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(GOOD + b"\n" + GOOD[:30]))
    assert f"unpack {log}, then run novelty graph repair" in str(refusal(log))


@pytest.mark.parametrize(
    "name", ["a*b?.jsonl", "[x].jsonl", 'it\'s "a" log.jsonl', "{a,b}.jsonl", "ü \u202e.jsonl", "%41.jsonl"]
)
def test_signs_in_a_file_name_mean_nothing(name: str, tmp_path: Path) -> None:
    write(tmp_path / "ab1.jsonl", paper("W9"), paper("W8"))
    assert opened(tmp_path / name, GOOD).n_events == 1


def test_a_line_break_in_a_file_name_means_nothing(tmp_path: Path) -> None:
    assert opened(tmp_path / "a\nb.jsonl", GOOD).n_events == 1


def test_a_pipe_is_read_once_and_its_lines_are_kept(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(RAW,))
    writer.start()
    graph = open_graph(pipe)
    writer.join()
    assert graph.n_events == 5
    assert graph.event(4) == LINES[3]
    assert not (tmp_path / "cache").exists()


def test_standard_input_can_be_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LogError, match="named twice"):
        open_graph("-", "-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(LogError, match="there is no standard input"):
        open_graph("-")


def test_standard_input_stays_open_and_its_lines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(RAW))
    monkeypatch.setattr("sys.stdin", given)
    graph = open_graph("-")
    assert not given.buffer.closed
    assert [graph.event(seq) for seq in range(1, 6)] == LINES
    assert graph.files == ("-",)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
def test_a_device_is_no_log(device: str) -> None:
    assert "is a device, not a log" in str(refusal(Path(device)))


def test_the_empty_device_is_an_empty_log() -> None:
    assert load(Path(os.devnull)).n_lines == 0


def test_a_line_without_end_is_not_unpacked_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novelty_kit.graph.log._ENDLESS", 2**20)
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(GOOD + b"\n" + b"\0" * 2**24, 1))
    assert "holds a line without end" in str(refusal(log))


def test_an_empty_name_is_no_file() -> None:
    with pytest.raises(LogError, match="no such file"):
        open_graph("")


def test_what_does_not_fit_the_memory_goes_to_no_place_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    con = connect()
    con.execute("SET memory_limit = '60MB'")
    con.execute("SET threads = 1")
    con.execute("CREATE TABLE much AS SELECT hash(i) AS h FROM range(12_000_000) AS r (i)")
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    assert list((tmp_path / "here").iterdir()) == []
    del con
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("beyond", [GOOD + b"\n", GOOD[:20], b'{"op":', b"\x00" * 99, b"[" * 999])
def test_what_somebody_appends_while_the_log_is_read_does_not_count(beyond: bytes, tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES)
    with plain_log((str(log),)) as plain, connect() as con:
        with log.open("ab") as out:
            out.write(beyond)
        scan = load_events(con, plain)
        counted = con.execute("SELECT count(*), max(seq) FROM event").fetchone()
    assert (scan.n_lines, counted) == (5, (5, 5))


def test_lines_keep_their_order_in_a_log_of_many_buffers(tmp_path: Path) -> None:
    lines = [paper(f"W{n}", title="x" * (10_000 + n % 97)) for n in range(1, 9001)]
    log = write(tmp_path / "log.jsonl", *lines)
    with plain_log((str(log),)) as plain, connect() as con:
        load_events(con, plain)
        named = """
            SELECT identifier.lom_id
            FROM paper_event AS paper
            INNER JOIN identifier ON identifier.id_no = paper.id_no
            ORDER BY paper.seq
        """
        assert con.execute(named).fetchall() == [(f"openalex:W{n}",) for n in range(1, 9001)]


def test_the_lines_are_read_by_a_plan_that_keeps_their_order(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES)
    with connect() as con:
        for statement in macros():
            con.execute(statement)
        plan = con.execute(f"EXPLAIN {raw_statement()}", {"path": str(log)}).fetchall()[0][1]
    assert "Batch Create Table As" in plan
    assert "Join" not in plan


@pytest.mark.parametrize(
    "change", ["ORDER BY size", "ORDER BY line LIMIT 600", "WHERE NOT contains(line, 'W77')"]
)
def test_lines_that_are_read_in_another_order_or_not_at_all_are_refused(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [paper(f"W{n}", title="x" * (10_000 - n)) for n in range(1, 801)]
    log = write(tmp_path / "log.jsonl", *lines)
    assert load(log).n_lines == 800
    monkeypatch.setattr("novelty_kit.graph.load.raw_statement", lambda: f"{raw_statement()} {change}")
    error = refusal(log)
    assert error.problem.what == "its lines were not read in the order in which they stand"
    assert error.problem.remedy


def test_ids_whose_hashes_are_equal_stay_apart(tmp_path: Path) -> None:
    lines = (
        paper("W1", doi="10.1000/a", title="One"),
        paper("W2", pmid="7"),
        edge("W1", "DOI 10.1000/A"),
        edge("W2", "W1"),
    )
    log = write(tmp_path / "log.jsonl", *lines)
    loaded = []
    for shadow in (None, "CREATE TEMP MACRO hash(text) AS 1::UBIGINT"):
        with plain_log((str(log),)) as plain, connect() as con:
            if shadow:
                con.execute(shadow)
            load_events(con, plain)
            named = """
                SELECT event.seq, citing.lom_id, cited.lom_id
                FROM citation_edge_event AS event
                INNER JOIN identifier AS citing ON citing.id_no = event.citing_no
                INNER JOIN identifier AS cited ON cited.id_no = event.cited_no
                UNION ALL
                SELECT paper.seq, own.lom_id, key.lom_id
                FROM paper_event AS paper
                INNER JOIN identifier AS own ON own.id_no = paper.id_no
                LEFT JOIN identifier AS key ON key.id_no = coalesce(paper.doi_no, paper.pmid_no)
                ORDER BY ALL
            """
            loaded.append(con.execute(named).fetchall())
    assert loaded[0] == loaded[1]
    assert loaded[0] == [
        (1, "openalex:W1", "doi:10.1000/a"),
        (2, "openalex:W2", "pmid:7"),
        (3, "openalex:W1", "doi:10.1000/a"),
        (4, "openalex:W2", "openalex:W1"),
    ]


def test_a_log_that_grows_while_it_is_open_stays_what_it_was(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *LINES)
    graph = open_graph(log)
    with log.open("ab") as out:
        out.write(GOOD + b"\n")
    assert (graph.n_events, len(rows(graph, "paper"))) == (5, 1)
    assert open_graph(log).n_events == 6
