"""`novelty check` and `novelty explain`: which log, which candidates, what comes out, and with which exit code."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest

from novelty_kit.cli.check import exit_code

ROOT = Path(__file__).resolve().parents[2]
DEMO = "data/demo/candidates.jsonl"
Row = dict[str, Any]
Novelty = Callable[..., Any]

NEW = "arxiv:2001.00001"
# One paper that was read and its list known, one that was not asked about, one cited by the first.
EVENTS: list[Row] = [
    {"op": "upsert", "table": "paper", "row": {"lom_id": "doi:10.1000/a", "title": "A", "openalex": "W1"},
     "ts": "2026-01-01T00:00:00Z"},
    {"op": "upsert", "table": "references_checked", "row": {"lom_id": "doi:10.1000/a", "n_refs": 1, "status": "ok"}},
    {"op": "upsert", "table": "citation_edge", "row": {"citing_lom_id": "doi:10.1000/a", "cited_lom_id": "pmid:7"}},
    {"op": "upsert", "table": "claim", "ts": "2026-02-01T00:00:00Z",
     "row": {"claim_id": "one", "about_lom_id": "doi:10.1000/a", "statement": "It holds"}},
    {"op": "upsert", "table": "paper", "row": {"lom_id": "doi:10.1000/b"}, "ts": "2026-03-01T00:00:00Z"},
]  # fmt: skip


def write_lines(path: Path, records: list[Row]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lines(tmp_path_factory.mktemp("log") / "log.jsonl", EVENTS)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Path) -> Path:
    """A working folder that holds a small log, ``log.jsonl``, and nothing else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").symlink_to(log)  # one cache for all tests
    return tmp_path


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


# ---- Exit codes


STATUS = {0: "ok", 3: "lookup_failed", 4: "insufficient_edges", 5: "incomparable"}


@pytest.mark.parametrize("codes", [c for n in range(5) for c in combinations((0, 1, 3, 4, 5), n)], ids=str)
def test_of_several_the_first_in_the_fixed_order_is_the_exit_code(codes: tuple[int, ...]) -> None:
    results: Any = [
        SimpleNamespace(status=STATUS.get(code, "ok"), verdict="duplicate" if code == 1 else "unknown")
        for code in codes
    ]
    expected = next((code for code in (3, 5, 4, 1, 0) if code in codes), 0)
    assert exit_code(results, ("duplicate",)) == expected
    assert exit_code(results[::-1], ("duplicate",)) == expected


def test_the_exit_code_says_what_happened(here: Path, novelty: Novelty) -> None:
    records: dict[int, Row] = {
        0: {"kind": "paper", "keys": {"doi": "10.1000/a"}},
        3: {"kind": "paper", "keys": {"openalex": "W99"}},
        4: {"kind": "paper", "keys": {"arxiv": "2001.00001"}},
        5: {"kind": "paper"},
    }
    for code, record in records.items():
        write_lines(here / f"{code}.jsonl", [record])
    write_lines(here / "all.jsonl", list(records.values()))
    for code in records:
        assert novelty("check", f"{code}.jsonl", "--graph", "log.jsonl").code == code
    assert novelty("check", "4.jsonl", "5.jsonl", "--graph", "log.jsonl").code == 5
    assert novelty("check", "all.jsonl", "--graph", "log.jsonl").code == 3
    assert novelty("check", "all.jsonl", "--graph", "log.jsonl", "--exit-zero").code == 0
    assert novelty("check", "0.jsonl", "--graph", "log.jsonl", "--fail-on", "duplicate").code == 1
    assert novelty("check", "0.jsonl", "--graph", "log.jsonl", "--fail-on", "novel, neighborhood").code == 0
    assert novelty("check", "4.jsonl", "--graph", "log.jsonl", "--fail-on", "unknown").code == 4
    assert (
        novelty("check", "0.jsonl", "--graph", "log.jsonl", "--fail-on", "duplicate", "--exit-zero").code == 0
    )


def test_explaining_is_no_failure(here: Path, novelty: Novelty) -> None:
    assert novelty("explain", NEW, "--graph", "log.jsonl").code == 0


# ---- What comes out


def test_json_is_one_document_and_jsonl_a_line_a_candidate(demo: None, novelty: Novelty) -> None:
    candidates = [json.loads(line) for line in Path(DEMO).read_text("utf-8").splitlines()]
    lines = novelty("check", DEMO, "--jsonl")
    document = novelty("check", DEMO, "--json")
    records = [json.loads(line) for line in lines.out.splitlines()]
    assert records == json.loads(document.out)
    assert [record["candidate_id"] for record in records] == [c["id"] for c in candidates]
    assert lines.code == document.code == 3
    assert {record["not_a_ranker"] for record in records} == {True}
    one = novelty("check", "arxiv:2608.13940", "--json")
    assert json.loads(one.out)["verdict"] == "duplicate"
    assert json.loads(one.out)["candidate_id"] == "arxiv:2608.13940"
    two = json.loads(novelty("check", "arxiv:2608.13940", "arxiv:2608.13940", "--json").out)
    assert two == [json.loads(one.out)] * 2
    words = novelty("check", DEMO)
    assert len(words.out.splitlines()) == len(candidates)
    for said, record in zip(words.out.splitlines(), records, strict=True):
        assert said.startswith(f"{record['candidate_id']}: {record['verdict']}")
        assert said.endswith(f"as of event {record['graph']['as_of_seq']}") or "as of event" in said


def test_out_writes_the_same_results_in_four_forms(here: Path, novelty: Novelty) -> None:
    write_lines(
        here / "c.jsonl",
        [
            {"id": "one", "kind": "paper", "keys": {"arxiv": "2001.00001"}, "title": "Größe"},
            {"id": "two, \"quoted\"", "kind": "paper"},
            {"id": "three", "kind": "paper", "keys": {"doi": "10.1000/a"}, "holdout_lom_ids": []},
        ],
    )  # fmt: skip
    expected = json.loads(novelty("check", "c.jsonl", "--graph", "log.jsonl", "--json").out)
    for suffix in (".jsonl", ".json", ".parquet", ".csv", ".JSON"):
        done = novelty("check", "c.jsonl", "--graph", "log.jsonl", "--out", f"new/folder/out{suffix}")
        assert (done.code, done.out) == (5, "")
    folder = here / "new" / "folder"
    assert [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()] == expected
    assert json.loads((folder / "out.json").read_text("utf-8")) == expected
    assert json.loads((folder / "out.JSON").read_text("utf-8")) == expected
    rows = pq.read_table(folder / "out.parquet").to_pylist()
    cells = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text("utf-8"))))
    for record, row, text in zip(expected, rows, cells, strict=True):
        assert {name for name, value in row.items() if value is not None} <= set(record)
        for name, value in record.items():
            nested = isinstance(value, dict | list)
            assert (json.loads(row[name]) if nested else row[name]) == value
            assert (json.loads(text[name]) if nested else text[name]) == (
                value
                if nested
                else ""
                if value is None
                else str(value).lower()
                if value in (True, False)
                else str(value)
            )
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"out{suffix}" for suffix in (".jsonl", ".json", ".parquet", ".csv", ".JSON")
    )


def test_one_candidate_is_written_as_an_object(here: Path, novelty: Novelty) -> None:
    novelty("check", NEW, "--graph", "log.jsonl", "--out", "one.json")
    assert json.loads((here / "one.json").read_text("utf-8"))["lom_id"] == NEW


def test_a_wrong_form_of_output_is_said_before_anything_is_done(here: Path, novelty: Novelty) -> None:
    for out in ("out.xlsx", "out", "out.json.gz", "", "."):
        done = novelty("check", NEW, "--graph", "no-such-log.jsonl", "--out", out)
        assert done.code == 2
        assert "--out" in done.err or ".jsonl .json .parquet .csv" in done.err
        assert "no-such-log" not in done.err
    both = novelty("check", NEW, "--graph", "log.jsonl", "--json", "--jsonl")
    assert both.code == 2
    assert sorted(path.name for path in here.iterdir()) == ["log.jsonl"]


def test_an_output_that_cannot_be_written_leaves_what_was_there(here: Path, novelty: Novelty) -> None:
    (here / "file").write_text("a file, no folder")
    (here / "folder.json").mkdir()
    for out in ("file/out.json", "folder.json", "/proc/out.json", "/dev/full/out.json"):
        done = novelty("check", NEW, "--graph", "log.jsonl", "--out", out)
        assert (done.code, done.out) == (2, "")
        assert out in done.err
        assert len(done.err.splitlines()) <= 3
    assert sorted(path.name for path in here.iterdir()) == ["file", "folder.json", "log.jsonl"]
    assert (here / "file").read_text() == "a file, no folder"


# ---- Candidates by their ids


def test_an_id_with_its_fields_is_a_candidate(here: Path, novelty: Novelty) -> None:
    def check(*arguments: str) -> Row:
        result: Row = json.loads(novelty("check", *arguments, "--graph", "log.jsonl", "--json").out)
        return result

    cited = check(
        NEW, "--reference", "W1", "--reference", "10.1000/B", "--holdout", "https://doi.org/10.1000/a"
    )
    assert cited["verdict"] == "neighborhood"
    assert cited["citation_overlap"]["in_sample"]["shared_lom_ids"] == ["doi:10.1000/a"]
    assert cited["citation_overlap"]["holdout"]["shared_lom_ids"] == ["doi:10.1000/b"]
    assert check(NEW)["holdout_applied"] is False
    assert check("10.1000/A")["verdict"] == "duplicate"
    assert check("https://doi.org/10.1000/a", "--leave-out")["verdict"] == "unknown"
    assert check("w1")["lom_id"] == "doi:10.1000/a"
    claim = check("W1", "--kind", "claim", "--statement", " IT  holds")
    assert (claim["kind"], claim["verdict"], claim["exact_key_match"]["matched_claim_ids"]) == (
        "claim",
        "duplicate",
        ["one"],
    )
    about = check("W1", "--kind", "claim", "--about", "10.1000/a", "--statement", "It does not")
    assert (about["lom_id"], about["status"]) == ("doi:10.1000/a", "insufficient_edges")
    assert check("s2:CorpusId:5")["status"] == "lookup_failed"
    assert check("PMID:7")["lom_id"] == "pmid:7"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2408.0629"], "lost"),
        (["nonsense"], "neither a file nor an id"),
        (["x" * 5000], "neither a file nor an id"),
        (["no/such/file.jsonl"], "no/such/file.jsonl: no such file"),
        (["no-such.parquet"], "no such file"),
        ([NEW, "--reference", "W"], "/references/0"),
        ([NEW, "--holdout", "7"], "/holdout_lom_ids/0"),
        ([NEW, "--kind", "claim", "--about", "no"], "/about_lom_id"),
        ([NEW, "--kind", "thesis"], "'thesis' is not one of"),
        ([NEW, "--fail-on", "duplicates"], "--fail-on knows no 'duplicates'"),
        ([NEW, "--policy", "gate_scope"], "Write --policy name=value"),
        ([NEW, "--policy", "gate=graph"], "no policy is named 'gate'"),
        ([NEW, "--policy", "gate_scope=all"], "does not take 'all'"),
        ([NEW, "--policy", "date_margin_years=-1"], "does not take '-1'"),
        ([NEW, "--policy", "date_margin_years=1e3"], "does not take '1e3'"),
        ([NEW, "--policy", "date_margin_years=" + "9" * 5000], "does not take"),
        ([NEW, "--policy", "gate_scope=graph", "--policy", "gate_scope=neighbourhood"], "is given twice"),
        ([NEW, "--max-listed", "-1"], "--max-listed"),
        ([NEW, "--max-listed", "many"], "--max-listed"),
        ([NEW, "--as-of", "6"], "the log has 5 events"),
        ([NEW, "--as-of", "-1"], "neither a seq nor a time"),
        ([NEW, "--as-of", "yesterday"], "neither a seq nor a time"),
        ([NEW, "--as-of", "2026-02-30T00:00:00Z"], "neither a seq nor a time"),
        ([NEW, "--graph", "none.jsonl"], "none.jsonl"),
        ([NEW, "--graph", "."], "."),
        ([NEW, "--no-such-option"], "--no-such-option"),
        ([], "Missing argument"),
        (["two.jsonl"], "stands twice, first in line 1"),
        (["one.jsonl", "also.jsonl"], "two candidates have the id 'a'"),
        (["one.jsonl", "--leave-out"], "one.jsonl: --kind, --statement"),
        (["empty.jsonl"], "empty.jsonl: holds no candidate"),
        (["folder"], "folder: is a directory"),
    ],
)
def test_bad_input_is_one_clear_error_and_exit_2(
    here: Path, novelty: Novelty, arguments: list[str], said: str
) -> None:
    one = {"id": "a", "kind": "paper"}
    write_lines(here / "one.jsonl", [one])
    write_lines(here / "also.jsonl", [one])
    write_lines(here / "two.jsonl", [one, one])
    (here / "empty.jsonl").touch()
    (here / "folder").mkdir()
    for command in ("check", "explain") if arguments and "--" not in "".join(arguments) else ("check",):
        log = [] if "--graph" in arguments else ["--graph", "log.jsonl"]
        done = novelty(command, *arguments, *log)
        assert done.code == 2
        assert done.out == ""
        assert said in done.err
        assert len(done.err.splitlines()) <= 3
        assert len(done.err) < 1500
        assert str(here) not in done.err


def test_all_bad_candidates_are_listed_and_nothing_is_judged(here: Path, novelty: Novelty) -> None:
    good = {"id": "good", "kind": "paper", "keys": {"doi": "10.1000/a"}}
    lines = [json.dumps(good), '{"kind": "x"}', "no", '{"kind":"paper","refs":[]}']
    (here / "c.jsonl").write_text("\n".join(lines) + "\n")
    done = novelty("check", "c.jsonl", "--graph", "log.jsonl", "--json")
    assert (done.code, done.out) == (2, "")
    for place in ("c.jsonl:2 /kind", "c.jsonl:3:1", "c.jsonl:4 /refs"):
        assert place in done.err
    done = novelty("check", "c.jsonl", "--graph", "log.jsonl", "--json", "--skip-bad-candidates")
    assert done.code == 0
    assert json.loads(done.out)["candidate_id"] == "good"
    assert done.err.count("novelty: skipped: c.jsonl:") == 3
    (here / "bad.jsonl").write_text('{"kind": "x"}\n')
    assert novelty("check", "bad.jsonl", "--graph", "log.jsonl", "--skip-bad-candidates").code == 2


def test_thousands_of_bad_candidates_are_counted(here: Path, novelty: Novelty) -> None:
    (here / "c.jsonl").write_text('{"kind": "x"}\n' * 3000)
    done = novelty("check", "c.jsonl", "--graph", "log.jsonl")
    assert done.code == 2
    assert "… and 2900 more" in done.err
    assert len(done.err.splitlines()) == 101


def test_a_dash_is_standard_input(here: Path, novelty: Novelty, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"id": "in", "kind": "paper", "keys": {"doi": "10.1000/a"}})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    done = novelty("check", "-", "--graph", "log.jsonl", "--jsonl")
    assert (done.code, json.loads(done.out)["candidate_id"]) == (0, "in")


def test_an_id_that_ends_like_a_file_is_an_id_unless_the_file_is_there(here: Path, novelty: Novelty) -> None:
    doi = "10.1000/x.json"
    assert json.loads(novelty("check", doi, "--graph", "log.jsonl", "--json").out)["lom_id"] == f"doi:{doi}"
    write_lines(here / doi, [{"id": "file", "kind": "paper", "keys": {"doi": "10.1000/a"}}])
    assert json.loads(novelty("check", doi, "--graph", "log.jsonl", "--json").out)["candidate_id"] == "file"


# ---- Which log, as of when, under which policy


def test_which_log_is_judged_against(here: Path, novelty: Novelty, monkeypatch: pytest.MonkeyPatch) -> None:
    """--graph beats the candidate's own log, which lies beside its file and beats $NOVELTY_GRAPH."""
    for n, name in enumerate(("given", "named", "sub/own", "graph/events"), 1):
        write_lines(here / f"{name}.jsonl", EVENTS[:n])
    inner = {"kind": "paper", "keys": {"doi": "10.1000/a"}}
    write_lines(here / "plain.jsonl", [inner])
    write_lines(here / "sub" / "c.jsonl", [{"candidate": inner, "graph": {"events_jsonl": "own.jsonl"}}])
    write_lines(
        here / "sub2" / "c.jsonl", [{"candidate": inner, "graph": {"events_jsonl": "../given.jsonl"}}]
    )
    write_lines(here / "sub3" / "c.jsonl", [{"candidate": inner, "graph": {"events_jsonl": "own.jsonl"}}])

    def seq(*arguments: str) -> int:
        done = novelty("check", *arguments, "--json")
        assert done.err == ""
        record = json.loads(done.out)
        return int((record[0] if isinstance(record, list) else record)["graph"]["as_of_seq"])

    assert seq("plain.jsonl") == 4
    monkeypatch.setenv("NOVELTY_GRAPH", "named.jsonl")
    assert seq("plain.jsonl") == 2
    assert seq("sub/c.jsonl") == 3
    assert seq("sub2/c.jsonl") == 1
    assert seq("sub/c.jsonl", "--graph", "given.jsonl") == 1
    assert seq("plain.jsonl", "--graph", "given.jsonl", "--graph", "sub/own.jsonl") == 4
    several = novelty("check", "sub/c.jsonl", "sub2/c.jsonl")
    assert (several.code, "several logs" in several.err) == (2, True)
    mixed = novelty("check", "sub/c.jsonl", "plain.jsonl")
    assert (mixed.code, "others do not" in mixed.err) == (2, True)
    # A log of that name beside another file is another log.
    assert "sub3/own.jsonl" in novelty("check", "sub3/c.jsonl").err


def test_without_any_log_the_demo_is_taken_and_said(
    tmp_path: Path, novelty: Novelty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = novelty("check", "arxiv:2608.13940", "--json")
    assert json.loads(done.out)["verdict"] == "duplicate"
    assert "demo" in done.err
    assert str(ROOT) not in done.out


def test_as_of_takes_a_seq_and_a_time(here: Path, novelty: Novelty) -> None:
    def verdict(*arguments: str) -> tuple[str, int]:
        record = json.loads(novelty("check", "10.1000/b", "--graph", "log.jsonl", "--json", *arguments).out)
        return record["verdict"], record["graph"]["as_of_seq"]

    assert verdict("--as-of", "5") == ("duplicate", 5)
    assert verdict("--as-of", "0") == ("unknown", 0)
    assert verdict("--as-of", "2026-02-28T23:59:59Z") == ("unknown", 4)
    assert verdict("--as-of", "2026-03-01T01:00:00+01:00") == ("duplicate", 5)
    assert verdict("--as-of", "2025-12-31T00:00:00Z") == ("unknown", 0)
    assert verdict("--as-of", "2026-01-01T00:00:00Z") == ("unknown", 3)


def test_a_policy_changes_the_reading_and_is_printed(here: Path, novelty: Novelty) -> None:
    arguments = ["check", NEW, "--reference", "W1", "--holdout", "W1", "--graph", "log.jsonl", "--json"]
    plain = json.loads(novelty(*arguments).out)
    other = json.loads(
        novelty(*arguments, "--policy", "in_sample_only=novel", "--policy", " date_margin_years = 10").out
    )
    assert (plain["verdict"], other["verdict"]) == ("neighborhood", "unknown")
    assert (other["policy"]["in_sample_only"], other["policy"]["date_margin_years"]) == ("novel", 10)


def test_max_listed_cuts_lists_and_not_counts(here: Path, novelty: Novelty) -> None:
    for most in ("0", "1", "9" * 30):
        done = novelty("check", NEW, "--leave-out", "--graph", "log.jsonl", "--json", "--max-listed", most)
        record = json.loads(done.out)
        assert record["coverage_gap_total"] == 2
        assert len(record["coverage_gap"]) == len(record["coverage_gap_reasons"]) == min(int(most), 2)


# ---- Explaining


def test_explain_tells_every_rule_and_shows_the_lines_of_the_log(demo: None, novelty: Novelty) -> None:
    done = novelty("explain", "arxiv:2608.13940", "--graph", "data/demo/events.jsonl")
    for n, name in enumerate(("keys", "exact_match", "citation_overlap", "coverage_gate", "novel")):
        assert f"rule {n} {name}" in done.out
    assert "rule 1 exact_match: decided" in done.out
    shown = [line.partition("events.jsonl:")[2] for line in done.out.splitlines() if "events.jsonl:" in line]
    log = Path("data/demo/events.jsonl").read_text("utf-8").splitlines()
    assert shown
    for line in shown:
        number, _, text = line.partition(": ")
        assert log[int(number) - 1].startswith(text.rstrip("…")[:300])


def test_a_verdict_of_novelty_says_against_what_and_as_of_when(demo: None, novelty: Novelty) -> None:
    said = [
        line for line in novelty("check", DEMO).out.splitlines() if "novel" in line.replace("novelty", "")
    ]
    assert said
    for line in said:
        assert "against this graph, as of event 281" in line


def test_a_bad_line_is_an_error_and_without_it_nothing_is_novel(here: Path, novelty: Novelty) -> None:
    good = [json.dumps(event) for event in EVENTS[:2]]
    (here / "bad.jsonl").write_text("\n".join([good[0], "no event", good[1], "[]"]) + "\n", encoding="utf-8")
    write_lines(
        here / "c.jsonl",
        [
            {
                "kind": "paper",
                "keys": {"arxiv": "2001.00001"},
                "references_checked": {"status": "ok", "n_refs": 1},
            }
        ],
    )
    (here / "good.jsonl").write_text("\n".join(good) + "\n", encoding="utf-8")
    assert novelty("check", "c.jsonl", "--graph", "good.jsonl", "--exit-zero").out.startswith(
        "arxiv:2001.00001: novel"
    )
    refused = novelty("check", "c.jsonl", "--graph", "bad.jsonl")
    assert (refused.code, refused.out) == (2, "")
    assert "bad.jsonl:2:1" in refused.err
    done = novelty("check", "c.jsonl", "--graph", "bad.jsonl", "--skip-bad-lines", "--json")
    record = json.loads(done.out)
    assert (done.code, record["status"], record["verdict"]) == (4, "insufficient_edges", "unknown")
    assert record["graph"]["skipped_lines"] == {"n": 2, "first": [2, 4]}
    words = novelty("check", "c.jsonl", "--graph", "bad.jsonl", "--skip-bad-lines").out
    assert "lines of the log were skipped" in words
    assert not words.startswith("arxiv:2001.00001: novel")


@pytest.mark.parametrize("n_bad", [1, 2, 500])
def test_a_bad_log_is_one_line_that_says_how_many_and_who_lists_them(
    here: Path, novelty: Novelty, n_bad: int
) -> None:
    (here / "bad.jsonl").write_text("{}\n" * n_bad)
    for command in (("check", "arxiv:2408.06292"), ("explain", "arxiv:2408.06292"), ("graph", "stats")):
        done = novelty(*command, "--graph", "bad.jsonl")
        assert (done.code, done.out) == (2, "")
        (line,) = done.err.splitlines()
        assert line.startswith("novelty: bad.jsonl:1:1: ")
        assert (f"{n_bad} bad lines in all, listed by: novelty graph validate bad.jsonl" in line) == (
            n_bad > 1
        )


def test_each_bad_candidate_is_told_once(here: Path, novelty: Novelty) -> None:
    (here / "c.jsonl").write_text('{"kind":"paper","keys":{"arxiv":"2408.0629"}}\n{"kind":"x"}\n')
    done = novelty("check", "c.jsonl", "--graph", "log.jsonl")
    assert [line.split(": ")[0 if line.startswith(" ") else 1] for line in done.err.splitlines()] == [
        "c.jsonl:1 /keys/arxiv",
        "  c.jsonl:2 /kind",
    ]
