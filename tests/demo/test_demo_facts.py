"""What the demo log says of real papers: labelled, normal, consistent, and true where records are at hand."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.keys import normalise

Row = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
README = (ROOT / "data" / "README.md").read_text("utf-8")
KEY_COLUMNS = {
    "paper": ("lom_id",),
    "claim": ("claim_id",),
    "citation_edge": ("citing_lom_id", "cited_lom_id"),
    "references_checked": ("lom_id",),
    "ingest_error": ("scheme", "lookup"),
    "same_work": ("lom_id",),
}
ID_COLUMNS = ("lom_id", "about_lom_id", "citing_lom_id", "cited_lom_id", "same_as_lom_id")
SCHEMES = ("arxiv", "doi", "openalex", "pmid")


def read_jsonl(name: str) -> list[Row]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


EVENTS = read_jsonl("events.jsonl")
CANDIDATES = {row["id"]: row for row in read_jsonl("candidates.jsonl")}
UPSERTS = [event for event in EVENTS if event["op"] == "upsert"]


def source(event: Row) -> str:
    """Where a row is from; ingest_error has no such column, so its event says it."""
    label: str = (event if event["table"] == "ingest_error" else event["row"])["source"]
    return label


def table(name: str) -> list[Row]:
    """The table's rows at the head, as the reference's section 1 folds the log."""
    rows: dict[tuple[str, ...], Row] = {}
    for event in EVENTS:
        if event["table"] == name:
            key = tuple(event["row"][column] for column in KEY_COLUMNS[name])
            if event["op"] == "delete":
                rows.pop(key, None)
            elif name == "paper":
                rows[key] = rows.get(key, {}) | event["row"]
            else:
                rows[key] = event["row"]
    return list(rows.values())


def node_of() -> dict[str, str]:
    """The paper that each id names; in this log no id has two owners."""
    owner: dict[str, str] = {}
    for paper in table("paper"):
        names = {paper["lom_id"], *(f"{s}:{paper[s]}" for s in SCHEMES if paper.get(s))}
        for name in names:
            assert name not in owner, f"{name} has two owners"
            owner[name] = paper["lom_id"]
    return owner


def out_lists() -> dict[str, set[str]]:
    owner = node_of()
    cited: dict[str, set[str]] = defaultdict(set)
    for edge in table("citation_edge"):
        cited[owner.get(edge["citing_lom_id"], edge["citing_lom_id"])].add(edge["cited_lom_id"])
    return cited


def test_the_log_is_small_enough_to_read() -> None:
    assert 150 <= len(EVENTS) <= 400


def test_times_rise_and_are_utc() -> None:
    times = [event["ts"] for event in EVENTS]
    assert all(re.fullmatch(r"2026-09-\d\dT\d\d:\d\d:00Z", ts) for ts in times)
    assert all(earlier < later for earlier, later in pairwise(times))


def test_every_row_says_where_it_is_from_and_the_readme_knows_the_word() -> None:
    described = set(re.findall(r"^\| `([a-z-]+)` \|", README, flags=re.MULTILINE))
    used = {source(event) for event in UPSERTS}
    assert used <= described
    assert described <= used, "the README describes a source that no row has"


def test_a_delete_names_only_its_key() -> None:
    deletes = [event for event in EVENTS if event["op"] == "delete"]
    assert deletes, "the log shows no delete"
    for event in deletes:
        assert set(event["row"]) == set(KEY_COLUMNS[event["table"]])


def test_every_id_stands_in_its_normal_form() -> None:
    for event in EVENTS:
        row = event["row"]
        for column in ID_COLUMNS:
            if column in row:
                assert normalise(row[column]) == row[column]
        if event["table"] == "paper":
            for scheme in SCHEMES:
                if row.get(scheme):
                    assert normalise(row[scheme], scheme) == f"{scheme}:{row[scheme]}"


def test_an_id_names_one_paper_only() -> None:
    assert node_of()


def test_a_claim_is_about_a_read_paper() -> None:
    read = {paper["lom_id"] for paper in table("paper") if paper["read"]}
    assert {claim["about_lom_id"] for claim in table("claim")} <= read


def test_every_read_paper_but_the_one_of_the_story_has_a_known_list() -> None:
    owner = node_of()
    covered = {owner.get(row["lom_id"]) for row in table("references_checked") if row["status"] == "ok"}
    unknown = {paper["lom_id"] for paper in table("paper") if paper["read"]} - covered
    assert unknown == {"doi:10.18653/v1/2020.acl-main.398"}


def test_no_list_is_longer_than_its_count_and_a_made_up_count_is_that_of_the_log() -> None:
    owner, cited = node_of(), out_lists()
    for row in table("references_checked"):
        if row["status"] != "ok":
            assert row["n_refs"] is None
            continue
        known = len(cited[owner.get(row["lom_id"], row["lom_id"])])
        if row["source"] == "demo":
            assert row["n_refs"] == known, row
        else:
            assert known <= row["n_refs"], row


def test_stored_errors_and_failed_looks_are_labelled_made_up() -> None:
    assert all(source(event) == "demo" for event in UPSERTS if event["table"] == "ingest_error")
    failed = [e["row"] for e in UPSERTS if e["row"].get("status") == "failed"]
    assert len(failed) == 2
    assert all(row["source"] == "demo" for row in failed)


def test_no_abstract_is_copied() -> None:
    assert not any(event["row"].get("abstract") for event in EVENTS)


def test_candidate_labels_are_unique_and_carry_known_fields_only() -> None:
    lines = read_jsonl("candidates.jsonl")
    assert len(CANDIDATES) == len(lines)
    known = {
        "id", "kind", "keys", "statement", "holdout_lom_ids", "about_lom_id", "title", "publication_date",
        "references", "references_checked", "claim_id", "leave_out",
    }  # fmt: skip
    assert set().union(*lines) <= known


def readme_states() -> Iterator[tuple[str, str, str, str]]:
    pattern = r"^\| (W\d+|–) \| `([a-z0-9-]+)` \| (\d+|head) \| ([a-z_]+, [a-z]+)[^|]*\|"
    yield from re.findall(pattern, README, flags=re.MULTILINE)


def test_the_readme_table_says_what_the_cases_say() -> None:
    cases = yaml.safe_load((ROOT / "tests/cases/demo/worked.yaml").read_text("utf-8"))
    expected = set()
    for case in cases:
        as_of = "head" if case["as_of"] is None else str(case["as_of"])
        if not case.get("policy") and "verdict" in case["expect"]:
            result = f"{case['expect']['status']}, {case['expect']['verdict']}"
            expected.add((case["candidate"], as_of, result))
    told = {(candidate, as_of, result) for _, candidate, as_of, result in readme_states()}
    assert told <= expected
    assert {name for name, *_ in readme_states()} >= {f"W{n}" for n in range(1, 16)}
    assert {candidate for candidate, *_ in told} == set(CANDIDATES)


# What follows needs the public records that the facts were taken from.


@pytest.fixture(scope="module")
def data() -> Path:
    where = os.environ.get("NOVELTY_TEST_DATA")
    if not where:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    return Path(where)


@pytest.fixture(scope="module")
def works(data: Path) -> dict[str, Row]:
    with gzip.open(data / "graphs/openalex_refchecker/works.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = (json.loads(line) for line in lines)
        return {tail(work["id"]): work for work in found}


def tail(url: str) -> str:
    return url.rsplit("/", 1)[1]


def references(work: Row) -> set[str]:
    return {f"openalex:{tail(url)}" for url in work["referenced_works"]}


def test_openalex_rows_are_what_openalex_says(works: dict[str, Row]) -> None:
    rows = [event for event in UPSERTS if source(event) == "openalex"]
    assert len(rows) > 100
    for event in rows:
        row = event["row"]
        if event["table"] == "paper":
            work = works[row["openalex"]]
            assert (row["title"], row["publication_date"]) == (work["title"], str(work["publication_year"]))
            if row.get("doi"):
                assert f"https://doi.org/{row['doi']}" == work["doi"].lower()
            if row.get("arxiv"):
                named = [work["doi"] or "", *(place["landing_page_url"] for place in work["locations"])]
                assert any(row["arxiv"] in url for url in named)
        elif event["table"] == "references_checked":
            work = works[row["lom_id"].removeprefix("openalex:")]
            assert row["n_refs"] == len(work["referenced_works"]) == len(references(work))
        elif event["table"] == "citation_edge":
            work = works[row["citing_lom_id"].removeprefix("openalex:")]
            assert row["cited_lom_id"] in references(work)
        else:
            assert event["table"] == "same_work"


def test_candidates_taken_from_openalex_list_every_reference(works: dict[str, Row]) -> None:
    listed = [c for c in CANDIDATES.values() if c.get("references_checked", {}).get("source") == "openalex"]
    assert len(listed) == 5
    for candidate in listed:
        work = works[candidate["keys"]["openalex"]]
        assert set(candidate["references"]) == references(work)
        assert candidate["references_checked"]["n_refs"] == len(references(work))
        assert (candidate["title"], candidate["publication_date"]) == (
            work["title"],
            str(work["publication_year"]),
        )


def test_every_work_that_cites_the_inferred_id_of_fever_is_in_the_records(works: dict[str, Row]) -> None:
    citing = {key for key, work in works.items() if "openalex:W2963961878" in references(work)}
    assert {"W3101682885", "W3114740437", "W3114204117"} <= citing


def test_the_references_of_2005_are_those_of_the_article(data: Path) -> None:
    article = json.loads((data / "refs/ioannidis2005_references.json").read_text("utf-8"))
    (checked,) = [r for r in table("references_checked") if r["source"] == "jats"]
    assert checked["n_refs"] == len(article["references"])
    told = {(r["title"], r["year"]) for r in article["references"]}
    stubs = [p for p in table("paper") if p["source"] == "jats" and not p["read"]]
    assert len(stubs) == 36
    assert {(p["title"], p["publication_date"]) for p in stubs} <= told
    (paper,) = [p for p in table("paper") if p["source"] == "jats" and p["read"]]
    assert (paper["title"], paper["doi"]) == (article["title"], article["doi"])
    assert paper["publication_date"] == article["pub_dates"]["epub"]


def test_the_ecology_paper_is_what_crossref_says(data: Path) -> None:
    record = json.loads((data / "refs/crossref_10.7717_peerj.12090.json").read_text("utf-8"))
    work = record.get("message", record)
    (paper,) = [p for p in table("paper") if p["source"] == "crossref"]
    year, month, day = work["published"]["date-parts"][0]
    assert paper["doi"] == work["DOI"]
    assert paper["title"] == work["title"][0]
    assert paper["publication_date"] == f"{year}-{month:02}-{day:02}"
    (checked,) = [r for r in table("references_checked") if r["source"] == "crossref"]
    assert checked["n_refs"] == work["reference-count"] == len(work["reference"])
    cited = {f"doi:{r['DOI'].lower()}" for r in work["reference"] if r.get("DOI")}
    edges = {e["cited_lom_id"] for e in table("citation_edge") if e["source"] == "crossref"}
    assert edges <= cited
    assert "doi:10.1371/journal.pmed.0020124" in edges


def test_the_lone_semantic_scholar_id_belongs_to_the_title_beside_it(data: Path) -> None:
    found = json.loads((data / "semanticscholar/search_match_5.json").read_text("utf-8"))["data"][0]
    candidate = CANDIDATES["w04-only-an-s2-id"]
    assert (candidate["keys"]["s2_paperId"], candidate["title"]) == (found["paperId"], found["title"])
