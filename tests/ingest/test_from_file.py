"""Files of OpenAlex records through the command."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from novelty_kit.cli.ingest import ingest
from novelty_kit.errors import DocumentError, InputError
from novelty_kit.ingest.files import Record, read_json, read_records
from novelty_kit.ingest.record import Skipped

Rows = Callable[..., list[dict[str, Any]]]

ONE = {"id": "https://openalex.org/W1", "title": "T", "referenced_works": ["https://openalex.org/W2"]}
TWO = {"id": "https://openalex.org/W2", "title": "U", "referenced_works": []}


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(ingest, ["openalex", *arguments], catch_exceptions=False)
    return result.exit_code, result.stdout


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ONE) + "\n" + json.dumps(TWO) + "\n",
        json.dumps(ONE) + "\n\n" + json.dumps(TWO),
        "\ufeff" + json.dumps(ONE) + "\r\n" + json.dumps(TWO) + "\r\n",
        json.dumps([ONE, TWO]),
        json.dumps([ONE, TWO], indent=1),
        json.dumps({"meta": {}, "results": [ONE, TWO]}),
        json.dumps({"meta": {}, "results": [ONE, TWO]}, indent=2),
        json.dumps({"results": [ONE]}) + "\n" + json.dumps({"results": [TWO]}) + "\n",
        "[\n" + json.dumps(ONE) + ",\n" + json.dumps(TWO) + "\n]\n",
    ],
    ids=[
        "lines",
        "blank line",
        "BOM, CRLF",
        "list",
        "list, indented",
        "answer",
        "answer, indented",
        "answers",
        "list by lines",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_shape_of_file_gives_the_same_rows(
    tmp_path: Path, log: Path, rows: Rows, text: str, packed: bool
) -> None:
    raw = text.encode("utf-8")
    (tmp_path / "f").write_bytes(gzip.compress(raw) if packed else raw)
    status, out = run("--from-file", str(tmp_path / "f"), "--graph", str(log), "--json")
    assert status == 3
    assert json.loads(out)["references"] == {"ok": 1, "zero_uncorroborated": 1}
    assert [r["lom_id"] for r in rows(log, "paper")] == ["openalex:W1", "openalex:W2"]
    assert len(rows(log)) == 5


def test_a_zstd_file_is_read(tmp_path: Path, log: Path) -> None:
    import pyarrow

    with pyarrow.CompressedOutputStream(str(tmp_path / "f.zst"), "zstd") as stream:
        stream.write(json.dumps(ONE).encode() + b"\n" + json.dumps(TWO).encode() + b"\n")
    assert run("--from-file", str(tmp_path / "f.zst"), "--graph", str(log))[0] == 3
    assert len(log.read_bytes().splitlines()) == 5


def test_a_file_that_is_wholly_learned_ends_with_0(tmp_path: Path, log: Path) -> None:
    (tmp_path / "f").write_text(json.dumps(ONE), "utf-8")
    assert run("--from-file", str(tmp_path / "f"), "--graph", str(log))[0] == 0


def test_a_dry_run_prints_the_events_alone(tmp_path: Path, log: Path) -> None:
    (tmp_path / "f").write_text(json.dumps(ONE), "utf-8")
    status, out = run("--from-file", str(tmp_path / "f"), "--graph", str(log), "--dry-run", "--json")
    assert status == 0
    assert [json.loads(line)["table"] for line in out.splitlines()] == [
        "paper",
        "citation_edge",
        "references_checked",
    ]
    assert not log.exists()


def test_a_line_that_is_no_json_is_named_and_the_others_are_kept(
    tmp_path: Path, log: Path, rows: Rows
) -> None:
    (tmp_path / "f").write_text(
        json.dumps(ONE) + "\n{oops\n" + json.dumps(TWO) + '\n{"id": "https://op', "utf-8"
    )
    status, out = run("--from-file", str(tmp_path / "f"), "--graph", str(log), "--json")
    assert status == 3
    assert [(s["where"], s["code"]) for s in json.loads(out)["skipped"]] == [
        ("f:2", "not_json"),
        ("f:4", "not_json"),
    ]
    assert len(rows(log, "paper")) == 2


@pytest.mark.parametrize("text", ["", "hello", "<!doctype html>\n<html lang=en>", '{"id": [1,\n 2'])
def test_a_file_that_is_no_json_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "f").write_text(text, "utf-8")
    with pytest.raises(DocumentError) as caught:
        list(read_records(tmp_path / "f", ("results",)))
    assert caught.value.problem.path == str(tmp_path / "f")


def test_a_cut_compressed_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.gz").write_bytes(gzip.compress(json.dumps(ONE).encode() * 100)[:-20])
    with pytest.raises(DocumentError, match="cut off"):
        list(read_records(tmp_path / "f.gz", ("results",)))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="No such file"):
        list(read_records(tmp_path / "f", ("results",)))


@pytest.mark.parametrize(
    "text", [b'{"a": 1, "a": 2}', b'{"a": NaN}', b"[" * 100_000, b'{"a": Infinity}', b"\xff"]
)
def test_json_that_means_two_things_or_nothing_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"twice|no JSON|deeply|decode"):
        read_json(text)


def test_a_separator_of_lines_inside_a_title_splits_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(
        json.dumps({**ONE, "title": "a\u2028b\u0085c"}, ensure_ascii=False) + "\n" + json.dumps(TWO)
    )
    assert [type(r) for r in read_records(tmp_path / "f", ())] == [Record, Record]


def test_merged_ids_become_same_works_and_other_entities_are_named(
    tmp_path: Path, log: Path, rows: Rows
) -> None:
    table = "merge_date,id,merge_into_id\n2023-04-13,W2,W1\n2023-04-13,A3,A4\n"
    (tmp_path / "merged.csv").write_text(table, "utf-8")
    status, out = run("--from-file", str(tmp_path / "merged.csv"), "--graph", str(log), "--json")
    assert status == 3
    assert json.loads(out)["failed"] == {"not_a_work": 1}
    assert rows(log, "same_work")[0] == {
        "lom_id": "openalex:W2",
        "same_as_lom_id": "openalex:W1",
        "relation": "merged",
        "source": "openalex",
    }


def test_a_csv_file_of_something_else_is_refused(tmp_path: Path, log: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(DocumentError, match="merge_into_id"):
        run("--from-file", str(tmp_path / "x.csv"), "--graph", str(log))


def test_a_lone_surrogate_in_a_title_still_gives_a_log_in_utf_8(
    tmp_path: Path, log: Path, rows: Rows
) -> None:
    (tmp_path / "f").write_text(json.dumps({**ONE, "title": "a\ud800b\x00c"}), "utf-8")
    run("--from-file", str(tmp_path / "f"), "--graph", str(log))
    assert rows(log, "paper")[0]["title"] == "a\ufffdb\ufffdc"


def test_the_real_graph_twice_adds_nothing(data: Path, log: Path) -> None:
    file = str(data / "graphs/openalex_refchecker/works.jsonl.gz")
    status, out = run("--from-file", file, "--graph", str(log), "--json")
    summary = json.loads(out)
    assert status == 3
    assert summary["references"] == {"ok": 1375, "zero_uncorroborated": 365}
    assert summary["notes"] == {"self_citation": 36, "tombstone_reference": 104}
    assert summary["rows"]["citation_edge"] == 145_208
    assert summary["n_events"] == len(log.read_bytes().splitlines())
    assert json.loads(run("--from-file", file, "--graph", str(log), "--json")[1])["n_events"] == 0


@pytest.mark.parametrize("text", ["yesterday", "2026-09-03", "2026-02-30T00:00:00Z", "2026-09-03T00:00:00"])
def test_a_time_of_checking_that_is_none_is_refused(tmp_path: Path, log: Path, text: str) -> None:
    (tmp_path / "f").write_text(json.dumps(ONE), "utf-8")
    with pytest.raises(InputError, match="is no time"):
        run("--from-file", str(tmp_path / "f"), "--graph", str(log), "--checked-ts", text)


def test_the_time_of_checking_is_kept(tmp_path: Path, log: Path, rows: Rows) -> None:
    (tmp_path / "f").write_text(json.dumps(ONE), "utf-8")
    run("--from-file", str(tmp_path / "f"), "--graph", str(log), "--checked-ts", "2026-09-03T00:00:00Z")
    assert rows(log, "references_checked")[0]["checked_ts"] == "2026-09-03T00:00:00Z"


def test_one_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novelty_kit.ingest.files._MAX_LINE", 1000)
    (tmp_path / "f").write_text('{"a":1}\n{"b":2}\n{"c":"' + "x" * 2000 + '"}\n', "utf-8")
    with pytest.raises(DocumentError, match="longer than") as caught:
        list(read_records(tmp_path / "f", ()))
    assert caught.value.problem.line == 3


def test_a_skipped_record_counts_as_failed(tmp_path: Path) -> None:
    (tmp_path / "f").write_text('{"a": 1}\n{"b', "utf-8")
    assert isinstance(list(read_records(tmp_path / "f", ()))[1], Skipped)
