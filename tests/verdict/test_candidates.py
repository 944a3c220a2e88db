"""Candidates are read strictly: every fault is found, named with its line and pointer, and nothing is guessed."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from novelty_kit.errors import CandidateError
from novelty_kit.verdict.candidate import FIELDS, Candidate, Checked, read_candidate
from novelty_kit.verdict.candidate_files import candidates_of, load_candidates

Row = dict[str, Any]
PAPER: Row = {"kind": "paper", "keys": {"doi": "10.1000/x"}}
CLAIM: Row = {"kind": "claim", "about_lom_id": "arxiv:2408.06292", "statement": "It holds"}


def fault_of(record: Any) -> CandidateError:
    with pytest.raises(CandidateError) as caught:
        read_candidate(record)
    return caught.value


def pointers(error: CandidateError) -> list[str | None]:
    return [problem.pointer for problem in error.problems or (error.problem,)]


# ---- One record

TEXTS = ("statement", "title", "id", "passport", "manuscript", "review_run", "hypothesis_id", "priorart")
NOT_TEXT = (7, 1.5, True, [], {}, ["a"])
NOT_IDS = (
    "",
    " ",
    "x",
    "2408.0629",
    "arxiv:2408.06292v2v2",
    "W12\n3",
    "10.1000",
    "a\x00b",
    "10.1000/\ud800",
    24,
)
WRONG: list[tuple[str, Any]] = [
    *(("/kind", value) for value in (None, "", "Paper", "papers", 1, [], ["paper"], {}, True)),
    *((f"/{name}", value) for name in TEXTS for value in NOT_TEXT),
    *((f"/{name}", value) for name in TEXTS for value in ("a\x00b", "a\udc00b")),
    *(("/keys", value) for value in ("10.1000/x", ["10.1000/x"], 5, True)),
    *((f"/keys/{name}", value) for name in ("doi", "arxiv", "openalex", "s2_paperId") for value in NOT_IDS),
    *(("/about_lom_id", value) for value in (*NOT_IDS, 2408.0629, {}, [])),
    *(
        (f"/{name}", value)
        for name in ("references", "holdout_lom_ids")
        for value in ("10.1000/x", {}, 3, True)
    ),
    *(
        (f"/{name}/1", ["10.1000/y", value])
        for name in ("references", "holdout_lom_ids")
        for value in (None, *NOT_IDS)
    ),
    *(("/leave_out", value) for value in ("true", "yes", 1, 0, [], {})),
    *(
        ("/publication_date", value)
        for value in (2019, "19", "2019-13", "2019-02-29", "2019-1-1", "today", "0000", "")
    ),
    *(
        ("/publication_date", value)
        for value in ("2019\n", "٢٠١٩", "2019-05-04T00:00:00Z", "-2019", "20190504")
    ),
    *(("/references_checked", value) for value in ("ok", ["ok"], 3, True)),
    *(
        ("/references_checked/status", {"status": value, "n_refs": 3})
        for value in (None, "", "OK", 1, ["ok"])
    ),
    *(
        ("/references_checked/n_refs", {"status": "ok", "n_refs": value})
        for value in (None, -1, 1.0, True, "3", 2**60, [3])
    ),
    ("/references_checked/n_refs", {"status": "failed", "n_refs": -1}),
    *(
        ("/references_checked/checked_ts", {"status": "failed", "checked_ts": value})
        for value in ("yesterday", "2026-09-03", "2026-09-03T00:00:00", "2026-09-03T24:00:00Z", "", 5)
    ),
    ("/references_checked/source", {"status": "failed", "source": 5}),
    ("/references_checked/reason", {"status": "failed", "reason": ["a"]}),
    ("/references_checked/n_ref", {"status": "ok", "n_refs": 3, "n_ref": 3}),
]


@pytest.mark.parametrize(
    ("pointer", "value"),
    WRONG,
    ids=[f"{p} {v!r:.40}".encode("ascii", "backslashreplace").decode() for p, v in WRONG],
)
def test_a_wrong_value_is_named_by_its_pointer(pointer: str, value: Any) -> None:
    record = json.loads(json.dumps(PAPER)) | {"keys": dict(PAPER["keys"])}
    first, _, rest = pointer[1:].partition("/")
    if first == "keys" and rest:
        record["keys"] = {rest: value}
    else:
        record[first] = value
    error = fault_of(record)
    assert pointers(error) == [pointer]
    assert error.exit_code == 2
    assert len(str(error)) < 700
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("name", [n for n in FIELDS if n not in ("kind",)])
def test_an_explicit_null_is_an_absent_field(name: str) -> None:
    assert read_candidate({"kind": "paper", name: None}) == read_candidate({"kind": "paper"})


@pytest.mark.parametrize("name", FIELDS)
def test_a_misspelt_field_is_refused_with_the_name_it_probably_meant(name: str) -> None:
    swapped = name[:-2] + name[-1] + name[-2]
    for misspelt in {name + "x", name[:-1] + "zz" if len(name) > 5 else name + "x", name.upper(), swapped} - {
        name
    }:
        error = fault_of(PAPER | {misspelt: None})
        assert pointers(error) == [f"/{misspelt}"]
        if name != "id":  # two letters are near to everything
            assert f"'{name}'" in (error.problem.remedy or "")


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("holdout_lom_id", "holdout_lom_ids"), ("holdout_ids", None), ("reference", "references"),
        ("leaveout", "leave_out"), ("leaveOut", "leave_out"), ("Kind", "kind"), ("aboutLomId", "about_lom_id"),
        ("references_check", "references_checked"), ("embedding", None), ("", None), ("id ", None),
    ],
)  # fmt: skip
def test_what_people_mistype_never_passes_silently(misspelt: str, meant: str | None) -> None:
    error = fault_of(PAPER | {misspelt: []})
    assert pointers(error) == [f"/{misspelt}"]
    if meant is not None:
        assert f"Did you mean '{meant}'?" in str(error)


@pytest.mark.parametrize("name", ["s2", "s2PaperId", "s2_paper_id", "DOI", "isbn", "arXiv"])
def test_a_scheme_that_is_not_known_is_refused(name: str) -> None:
    assert pointers(fault_of({"kind": "paper", "keys": {name: "10.1000/x"}})) == [f"/keys/{name}"]


def test_a_name_with_a_slash_or_a_tilde_stays_one_token_of_the_pointer() -> None:
    assert pointers(fault_of(PAPER | {"a/b~c": 1})) == ["/a~1b~0c"]


def test_all_faults_of_a_record_are_told_at_once() -> None:
    record = {
        "kind": "x",
        "keys": {"doi": "no", "isbn": "1"},
        "references": ["10.1/x", 5],
        "leave_out": 1,
        "foo": 2,
    }
    assert pointers(fault_of(record)) == [
        "/foo", "/kind", "/leave_out", "/keys/doi", "/keys/isbn", "/references/0", "/references/1",
    ]  # fmt: skip


@pytest.mark.parametrize("given", [None, 1, "arxiv:2408.06292", [], [PAPER], True, 1.5])
def test_what_is_no_object_is_no_candidate(given: Any) -> None:
    assert "must be an object" in str(fault_of(given))
    assert "must be an object" in str(fault_of({"candidate": given}))


def test_a_claim_is_left_out_by_name_only_under_leave_out() -> None:
    assert pointers(fault_of(CLAIM | {"claim_id": "one"})) == ["/claim_id"]
    assert pointers(fault_of(CLAIM | {"claim_id": "one", "leave_out": False})) == ["/claim_id"]
    assert pointers(fault_of(PAPER | {"claim_id": "one", "leave_out": True})) == ["/claim_id"]
    assert read_candidate(CLAIM | {"claim_id": "one", "leave_out": True}).claim_id == "one"


def test_the_wrapped_form_is_the_inner_one_with_a_log() -> None:
    wrapped = read_candidate({"candidate": PAPER, "graph": {"events_jsonl": "graph/events.jsonl"}})
    assert wrapped == replace(read_candidate(PAPER), graph="graph/events.jsonl")
    assert read_candidate({"candidate": PAPER}) == read_candidate({"candidate": PAPER, "graph": None})


@pytest.mark.parametrize(
    ("record", "pointer"),
    [
        ({"candidate": PAPER, "graph": "events.jsonl"}, "/graph"),
        ({"candidate": PAPER, "graph": {"events_json": "e"}}, "/graph"),
        ({"candidate": PAPER, "graph": {"events_jsonl": 5}}, "/graph/events_jsonl"),
        ({"candidate": PAPER, "graph": ["e"]}, "/graph"),
        ({"candidate": PAPER, "grahp": {}}, "/grahp"),
        ({"candidate": PAPER | {"foo": 1}}, "/candidate/foo"),
        ({"candidate": PAPER | {"references": ["x"]}}, "/candidate/references/0"),
        (PAPER | {"graph": {"events_jsonl": "e"}}, "/graph"),
    ],
)
def test_a_fault_around_a_wrapped_candidate_is_named(record: Row, pointer: str) -> None:
    assert pointers(fault_of(record)) == [pointer]


def test_ids_in_any_accepted_form_come_out_normal_sorted_and_once() -> None:
    candidate = read_candidate(
        {
            "kind": "paper",
            "keys": {
                "doi": "https://doi.org/10.48550/arXiv.2408.06292",
                "openalex": "w12",
                "pmid": "0038012345",
            },
            "references": ["10.1000/B", "doi:10.1000/b", "arXiv:2408.06292v3", "https://openalex.org/W7"],
            "holdout_lom_ids": ["PMID:7", "pmid:007", "s2:CorpusId:12"],
        }
    )
    assert candidate.keys == ("arxiv:2408.06292", "openalex:W12", "pmid:38012345")
    assert candidate.references == ("arxiv:2408.06292", "doi:10.1000/b", "openalex:W7")
    assert candidate.seen == ("pmid:7", "s2:CorpusId:12")


def test_absent_and_empty_are_different_statements() -> None:
    assert read_candidate(PAPER).seen is None
    assert read_candidate(PAPER | {"holdout_lom_ids": None}).seen is None
    assert read_candidate(PAPER | {"holdout_lom_ids": []}).seen == ()
    assert read_candidate(PAPER | {"references": []}).references == ()


def test_a_message_shows_the_beginning_of_what_is_large_or_deep() -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    for value in (deep, {"k": "v" * 10**6}, list(range(10**5)), "y" * 10**6):
        assert len(str(fault_of(PAPER | {"leave_out": value}))) < 300


# ---- A Candidate built by hand


@pytest.mark.parametrize(
    "given",
    [
        Candidate("paper", keys=("arXiv:2408.06292",)),
        Candidate("paper", keys=("10.1000/X",)),
        Candidate("paper", keys=("doi:10.1000/X",)),
        Candidate("paper", references=("arxiv:2408.06292v1",)),
        Candidate("paper", seen=("W12",)),
        Candidate("claim", about_lom_id="W12"),
        Candidate("thesis"),  # type: ignore[arg-type]
        Candidate("paper", publication_date="soon"),
        Candidate("paper", checked=Checked("ok", None)),
        Candidate("paper", checked=Checked("ok", True)),
        Candidate("paper", claim_id="one", leave_out=True),
        Candidate("claim", statement="half \ud800"),
        Candidate("paper", leave_out="yes"),  # type: ignore[arg-type]
    ],
)
def test_a_candidate_built_by_hand_must_be_in_normal_form(given: Candidate) -> None:
    """An id in another form would match nothing, and look new."""
    with pytest.raises(CandidateError):
        read_candidate(given)


def test_a_candidate_that_was_read_passes_unchanged() -> None:
    checked = {"status": "ok", "n_refs": 0, "checked_ts": "2026-09-03T00:00:00Z"}
    for record in (
        PAPER,
        CLAIM | {"id": "c", "references_checked": checked, "holdout_lom_ids": ["10.1000/B"]},
    ):
        candidate = read_candidate(record)
        assert read_candidate(candidate) == candidate
    assert (
        read_candidate(Candidate("paper", keys=("doi:10.1000/x", "arxiv:2408.06292"))).keys[0]
        == "arxiv:2408.06292"
    )


# ---- Files

MANY: list[Row] = [
    {"id": "a", "kind": "paper", "keys": {"arxiv": "2408.06290", "doi": None}, "references": ["10.1000/a;b", "W7"]},
    {"id": "b", "kind": "claim", "about_lom_id": "arxiv:2408.06292", "statement": "Σ holds; \u2028 so",
     "leave_out": True},
    {"id": "c", "kind": "paper", "keys": {"doi": "10.1000/x"}, "holdout_lom_ids": [], "leave_out": False,
     "references_checked": {"status": "ok", "n_refs": 0, "source": "pdf"}, "publication_date": "2019-05"},
]  # fmt: skip


def as_lines(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_csv(records: list[Row]) -> str:
    names = list(dict.fromkeys(name for record in records for name in record))
    cells = [[record.get(name) for name in names] for record in records]
    texts = [
        ["" if c is None else c if isinstance(c, str) else json.dumps(c) for c in row]
        for row in cells
    ]  # fmt: skip
    return pd.DataFrame(texts, columns=names).to_csv(index=False)


def as_parquet(records: list[Row]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict.fromkeys(FIELDS) | record for record in records]), sink)
    return sink.getvalue()


FORMS: dict[str, Callable[[list[Row]], str | bytes]] = {
    "lines.jsonl": as_lines,
    "lines.ndjson": as_lines,
    "lines.json": as_lines,
    "lines.txt": as_lines,
    "array.json": json.dumps,
    "array.jsonl": lambda records: json.dumps(records, indent=1),
    "bom.jsonl": lambda records: "\ufeff" + as_lines(records),
    "bom.json": lambda records: "\ufeff" + json.dumps(records),
    "crlf.jsonl": lambda records: as_lines(records).replace("\n", "\r\n"),
    "torn.jsonl": lambda records: as_lines(records).rstrip("\n"),
    "wrapped.jsonl": lambda records: as_lines([{"candidate": record} for record in records]),
    "table.csv": as_csv,
    "bom.csv": lambda records: "\ufeff" + as_csv(records),
    "crlf.csv": lambda records: as_csv(records).replace("\n", "\r\n"),
    "TABLE.CSV": as_csv,
    "table.parquet": as_parquet,
}


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return str(path)


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_file_gives_the_same_candidates(tmp_path: Path, name: str) -> None:
    found, problems = load_candidates(write(tmp_path, name, FORMS[name](MANY)))
    assert found == [read_candidate(record) for record in MANY]
    assert problems == []
    assert found[0].keys == ("arxiv:2408.06290",)


@pytest.mark.parametrize(
    "text", [json.dumps(PAPER), json.dumps(PAPER, indent=2), f"\n {json.dumps(PAPER, indent=2)} \n"]
)
@pytest.mark.parametrize("name", ["one.json", "one.jsonl"])
def test_one_object_is_one_candidate_on_one_line_or_many(tmp_path: Path, name: str, text: str) -> None:
    if text.startswith("\n") and name == "one.jsonl":
        text = text.strip()
    assert load_candidates(write(tmp_path, name, text))[0] == [read_candidate(PAPER)]


def test_a_frame_and_a_list_of_records_give_the_same_candidates() -> None:
    expected = [read_candidate(record) for record in MANY]
    assert candidates_of(MANY) == expected
    assert candidates_of(iter(MANY)) == expected
    assert candidates_of(expected) == expected
    assert candidates_of(pd.DataFrame(MANY)) == expected
    arrow = pa.Table.from_pylist([dict.fromkeys(FIELDS) | record for record in MANY])
    assert candidates_of(arrow.to_pandas()) == expected
    assert candidates_of(arrow.to_pandas(types_mapper=pd.ArrowDtype)) == expected


def test_keys_may_stand_in_columns_of_their_own(tmp_path: Path) -> None:
    csv = "kind,keys.arxiv,doi,s2_paperId\npaper,2408.06290,10.1000/x,\npaper,0704.0010,,CorpusId:7\n"
    found, _ = load_candidates(write(tmp_path, "k.csv", csv))
    assert [c.keys for c in found] == [
        ("arxiv:2408.06290", "doi:10.1000/x"),
        ("arxiv:0704.0010", "s2:CorpusId:7"),
    ]
    table = pa.table({"kind": ["paper"], "keys.arxiv": ["0704.0010"], "doi": pa.array([None], pa.string())})
    pq.write_table(table, tmp_path / "k.parquet")
    assert load_candidates(str(tmp_path / "k.parquet"))[0][0].keys == ("arxiv:0704.0010",)


@pytest.mark.parametrize(
    ("cell", "listed"),
    [
        ("10.1000/a;arxiv:2408.06292", ("arxiv:2408.06292", "doi:10.1000/a")),
        (" W7 ; W8 ", ("openalex:W7", "openalex:W8")),
        ("W7;", ("openalex:W7",)), ("[]", ()), ("", None), (" ", None), ('["W7"]', ("openalex:W7",)),
        ('["10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"]',
         ("doi:10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",)),
    ],
)  # fmt: skip
def test_a_list_in_a_cell_is_json_or_split_by_semicolons(tmp_path: Path, cell: str, listed: Any) -> None:
    frame = pd.DataFrame({"kind": ["paper"], "references": [cell], "holdout_lom_ids": [cell]})
    (candidate,) = load_candidates(write(tmp_path, "l.csv", frame.to_csv(index=False)))[0]
    assert candidate.references == listed
    assert candidate.seen == listed


BAD_FILES: list[tuple[str, str, str | bytes, str]] = [
    ("nothing", "a.jsonl", "", "holds no candidate"),
    ("nothing but blanks", "a.jsonl", " \n\n", "holds no candidate"),
    ("nothing but a byte-order mark", "a.json", "\ufeff", "holds no candidate"),
    ("an empty array", "a.json", "[]", "holds no candidate"),
    ("an empty array in lines", "a.jsonl", " [ ] \n", "holds no candidate"),
    ("an empty table", "a.csv", "", "holds no candidate"),
    ("a header alone", "a.csv", "kind,keys\n", "holds no candidate"),
    ("a table without rows", "a.parquet", as_parquet(MANY)[:0], "no Parquet"),
    ("an empty array and more", "a.json", "[] x", "a.json:1:4: no JSON: Extra data"),
    ("a trailing comma", "a.json", "[{},]", "a.json:1:5 /1: no JSON"),
    ("an unclosed array", "a.json", '[{"kind":"paper"}', "a.json:1:18: no JSON: Expecting ',' or ']'"),
    ("a bracket alone", "a.json", "[", "a.json:1:2 /0: no JSON"),
    ("two arrays", "a.json", "[{}][{}]", "a.json:1:5: no JSON: Extra data"),
    ("a bad second element", "a.json", '[{"kind":"paper"},\n {"kind": }]', "a.json:2:11 /1: no JSON"),
    ("an object that does not end", "a.json", '{"kind":\n "paper"', "a.json:2:9: no JSON"),
    ("no JSON at all", "a.jsonl", "kind: paper\n", "a.jsonl:1:1: no JSON"),
    ("a bare string", "a.json", '"paper"', "a.json:1: a candidate must be an object"),
    ("null", "a.json", "null", "a.json:1: a candidate must be an object"),
    ("NaN", "a.jsonl", '{"kind":"paper","title":NaN}', "a.jsonl:1: NaN is not JSON"),
    ("infinity", "a.jsonl", '{"kind":"paper","title":-Infinity}', "a.jsonl:1: -Infinity is not JSON"),
    (
        "an endless number",
        "a.jsonl",
        '{"kind":"paper","title":' + "9" * 5000 + "}",
        "a number of 5000 digits",
    ),
    (
        "a huge number as an id",
        "a.jsonl",
        '{"kind":"paper","keys":{"pmid":1e999}}',
        "/keys/pmid: an id must be a string",
    ),
    ("deep nesting", "a.jsonl", "[" * 100_000, "nested too deep"),
    ("deep nesting in a line", "a.jsonl", '{"kind":' + "[" * 100_000, "nested too deep"),
    (
        "deep nesting that ends",
        "a.jsonl",
        '{"title":' + "[" * 100_000 + "]" * 100_000 + "}",
        "nested too deep",
    ),
    (
        "deep objects",
        "a.json",
        '[{"title":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}]",
        "nested too deep",
    ),
    ("a key twice", "a.jsonl", '{"kind":"paper","kind":"claim"}', "a.jsonl:1: the key 'kind' stands twice"),
    (
        "an inner key twice",
        "a.jsonl",
        '{"kind":"paper","keys":{"doi":null,"doi":null}}',
        "the key 'doi' stands twice",
    ),
    (
        "a key twice in an array",
        "a.json",
        '[\n{"kind":"paper","kind":"claim"}]',
        "a.json:2 /0: the key 'kind' stands twice",
    ),
    ("a NUL byte", "a.jsonl", '{"kind":"paper"}\n\x00\n', "a.jsonl:2: holds a NUL byte"),
    ("a NUL character", "a.jsonl", '{"kind":"paper","id":"\\u0000"}', "/id: holds a NUL character"),
    ("half a surrogate pair", "a.jsonl", '{"kind":"claim","statement":"\\ud83d"}', "half a surrogate pair"),
    (
        "no UTF-8",
        "a.jsonl",
        b'{"kind":"paper"}\n{"kind":"\xff"}\n',
        "a.jsonl:2: no valid UTF-8 at byte offset 26",
    ),
    ("UTF-16", "a.jsonl", as_lines(MANY).encode("utf-16"), "no valid UTF-8 at byte offset 0"),
    ("a blank line between", "a.jsonl", '{"kind":"paper"}\n\n{"kind":"paper"}\n', "a.jsonl:2: a blank line"),
    ("two blank lines at the end", "a.jsonl", '{"kind":"paper"}\n\n', "a.jsonl:2: a blank line"),
    (
        "a comma after a line",
        "a.jsonl",
        '{"kind":"paper"},\n{"kind":"paper"}\n',
        "a.jsonl:1:17: no JSON: Extra data",
    ),
    (
        "a byte-order mark in the middle",
        "a.jsonl",
        '{"kind":"paper"}\n\ufeff{"kind":"paper"}\n',
        "a.jsonl:2:1: no JSON",
    ),
    ("no-break blanks for a line", "a.jsonl", '{"kind":"paper"}\n\u00a0\n', "a.jsonl:2:1: no JSON"),
    ("too few cells", "a.csv", "kind,doi\npaper,10.1000/x\npaper\n", "a.csv:3: 1 cells under 2 columns"),
    ("too many cells", "a.csv", "kind,doi\npaper,10.1000/x,\n", "a.csv:2: 3 cells under 2 columns"),
    ("a blank line in a table", "a.csv", "kind,doi\npaper,10.1000/x\n\n", "a.csv:3: a blank line"),
    (
        "a column twice",
        "a.csv",
        "kind,doi,doi\npaper,10.1000/x,\n",
        "the column 'doi' stands twice in the header",
    ),
    (
        "a key in two columns",
        "a.csv",
        "kind,doi,keys.doi\npaper,10.1000/x,10.1000/y\n",
        "a.csv:2 /keys/doi: two columns",
    ),
    ("a quote that does not end", "a.csv", 'kind,doi\npaper,"10.1000/x\n', "no CSV"),
    ("a quote inside", "a.csv", 'kind,doi\n"pa"per,10.1000/x\n', "no CSV"),
    ("a fault after a cell of two lines", "a.csv", 'kind,title\npaper,"a\nb"\nx,c\n', "a.csv:4 /kind"),
    (
        "an unknown column",
        "a.csv",
        "kind,refrences\npaper,W7\n",
        "a.csv:2 /refrences: no such field. Did you mean 'references'?",
    ),
    ("semicolons for commas", "a.csv", "kind;doi\npaper;10.1000/x\n", "a.csv:2 /kind;doi: no such field"),
    ("a list that is no JSON", "a.csv", 'kind,references\npaper,"[W7]"\n', "a.csv:2 /references: no JSON"),
    ("an empty id in a JSON list", "a.csv", 'kind,references\npaper,"[""""]"\n', "a.csv:2 /references/0"),
    ("keys that are no object", "a.csv", 'kind,keys\npaper,"[]"\n', "a.csv:2 /keys: must be a JSON object"),
    (
        "a flag that is none",
        "a.csv",
        "kind,leave_out\npaper,1\n",
        "a.csv:2 /leave_out: must be true or false",
    ),
    ("no Parquet", "a.parquet", "PAR1", "a.parquet: no Parquet"),
    ("a broken footer", "a.parquet", as_parquet(MANY)[:-20] + b"x" * 16 + b"PAR1", "a.parquet: no Parquet"),
    (
        "numbers for ids in Parquet",
        "a.parquet",
        as_parquet([{"kind": "paper", "keys": {"arxiv": 2408.0629}}]),
        "/keys/arxiv: an id must be a string",
    ),
    (
        "a null in a list in Parquet",
        "a.parquet",
        as_parquet([{"kind": "paper", "references": ["W7", None]}]),
        "/references/1",
    ),
]


@pytest.mark.parametrize(
    ("name", "content", "said"), [b[1:] for b in BAD_FILES], ids=[b[0] for b in BAD_FILES]
)
def test_a_file_that_cannot_be_read_is_told_where_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str | bytes, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, name, content)
    with pytest.raises(CandidateError) as caught:
        load_candidates(name)
    assert said in str(caught.value)
    assert str(caught.value).startswith(name)
    assert len(str(caught.value)) < 1000
    assert str(tmp_path) not in str(caught.value)


def test_a_parquet_file_without_rows_holds_no_candidate(tmp_path: Path) -> None:
    pq.write_table(pa.table({"kind": pa.array([], pa.string())}), tmp_path / "e.parquet")
    with pytest.raises(CandidateError, match="holds no candidate"):
        load_candidates(str(tmp_path / "e.parquet"))


@pytest.mark.parametrize("name", ["none.json", "none.jsonl", "none.csv", "none.parquet", "none"])
def test_a_file_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(CandidateError, match="no such file"):
        load_candidates(str(tmp_path / name))


@pytest.mark.parametrize("name", ["d.json", "d.jsonl", "d.csv", "d.parquet", "d"])
def test_a_directory_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(CandidateError, match="is a directory"):
        load_candidates(str(tmp_path / name))


def test_every_break_of_a_parquet_file_is_one_error(tmp_path: Path) -> None:
    whole = as_parquet(MANY)
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        for broken in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            path = write(tmp_path, "b.parquet", broken)
            with contextlib.suppress(CandidateError):
                assert {type(candidate) for candidate in load_candidates(path)[0]} == {Candidate}


BAD_BATCH: list[tuple[str, str | bytes, list[tuple[int | None, str | None]]]] = [
    (
        "b.jsonl",
        '{"kind": }\n{"kind":"paper","keys":{"doi":"10.1000/x"},"id":"a"}\n{"kin":"paper"}\n\n'
        '{"kind":"paper","id":"a"}\n[1]\n',
        [(1, None), (3, "/kin"), (3, "/kind"), (4, None), (5, "/id"), (6, "")],
    ),
    (
        "b.json",
        '[{"kind":"paper","keys":{"doi":"10.1000/x"},"id":"a"},\n{"kind":"x"}, {"kind":"paper","kind":"claim"},\n'
        '{"kind":"paper","id":"a"}, 5]',
        [(2, "/1/kind"), (2, "/2"), (3, "/3/id"), (3, "/4")],
    ),
    (
        "b.csv",
        "id,kind,doi,references\na,paper,10.1000/x,\nb,x,10.1000/x,\nc,paper\n\na,paper,10.1000/y,\ne,paper,no,W\n",
        [(3, "/kind"), (4, None), (5, None), (6, "/id"), (7, "/keys/doi"), (7, "/references/0")],
    ),
    (
        "b.parquet",
        as_parquet(
            [PAPER | {"id": "a"}, {"id": "b", "kind": "x"}, {"id": "a", "kind": "paper"}, {"kind": None}]
        ),
        [(2, "/kind"), (3, "/id"), (4, "/kind")],
    ),
]


@pytest.mark.parametrize(("name", "content", "places"), BAD_BATCH, ids=[b[0] for b in BAD_BATCH])
def test_all_bad_candidates_of_a_batch_are_listed_and_the_others_can_be_judged(
    tmp_path: Path, name: str, content: str | bytes, places: list[tuple[int | None, str | None]]
) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(CandidateError) as caught:
        load_candidates(path)
    listed = caught.value.problems
    assert [(p.line, p.pointer) for p in listed] == places
    assert caught.value.n_problems == len(places)
    assert {p.path for p in listed} == {path}
    found, problems = load_candidates(path, skip_bad=True)
    assert [candidate.label for candidate in found] == ["a"]
    assert problems == list(listed)


def test_where_every_candidate_is_bad_nothing_can_be_judged(tmp_path: Path) -> None:
    path = write(tmp_path, "b.jsonl", '{"kind":"x"}\nno\n')
    with pytest.raises(CandidateError) as caught:
        load_candidates(path, skip_bad=True)
    assert caught.value.n_problems == 2


def test_two_candidates_of_a_list_with_one_id_are_told_by_their_places() -> None:
    with pytest.raises(CandidateError) as caught:
        candidates_of([PAPER | {"id": "a"}, PAPER | {"id": "b"}, PAPER | {"id": "a"}])
    assert caught.value.problem.pointer == "/2/id"
    assert len(candidates_of([PAPER, PAPER])) == 2


def test_long_texts_and_lists_are_read_whole(tmp_path: Path) -> None:
    record = PAPER | {"title": "t" * 200_000, "references": [f"pmid:{n}" for n in range(1, 20_001)]}
    for name in ("big.jsonl", "big.csv", "big.parquet"):
        (candidate,) = load_candidates(
            write(
                tmp_path, name, FORMS[f"table.{name[4:]}" if name[4:] != "jsonl" else "lines.jsonl"]([record])
            )
        )[0]
        assert candidate == read_candidate(record)


def test_standard_input_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (as_lines(MANY), json.dumps(MANY), json.dumps(MANY, indent=2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert load_candidates("-")[0] == [read_candidate(record) for record in MANY]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(CandidateError, match="-: holds no candidate"):
        load_candidates("-")
