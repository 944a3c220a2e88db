"""A real graph, ingested and judged: 1,740 works of a public catalogue, against the records themselves."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from real_works import TOMBSTONE, RealWorks

import novelty_kit as nk
from novelty_kit.cli.ingest import ingest
from novelty_kit.graph.gaps import graph_gaps
from novelty_kit.graph.stats import graph_stats
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge

THIRTY: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "graph" / "thirty_real_works.yaml").read_text("utf-8")
)
AROUND = {"gate_scope": "neighbourhood"}


@pytest.fixture(scope="module")
def works_file() -> Path:
    folder = os.environ.get("NOVELTY_TEST_DATA")
    if not folder:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    return Path(folder) / "graphs" / "openalex_refchecker" / "works.jsonl.gz"


@pytest.fixture(scope="module")
def works(works_file: Path) -> RealWorks:
    return RealWorks(works_file)


@pytest.fixture(scope="module")
def graph(works_file: Path, tmp_path_factory: pytest.TempPathFactory) -> nk.Graph:
    log = tmp_path_factory.mktemp("real") / "events.jsonl"
    arguments = ["openalex", "--from-file", str(works_file), "--graph", str(log)]
    done = CliRunner().invoke(ingest, arguments, catch_exceptions=False)
    assert done.exit_code == 3, "some lists are empty, which is said"
    return nk.open_graph(log, cached=False)


@pytest.fixture(scope="module")
def thirty(graph: nk.Graph) -> dict[str, nk.Verdict]:
    """The thirty judged at once, with all that they share."""
    candidates = [read_candidate(as_new(case["work"])) for case in THIRTY]
    judged_all = judge(graph, candidates, nk.Policy(gate_scope="neighbourhood"), 1_000)
    return {case["work"]: verdict for case, verdict in zip(THIRTY, judged_all, strict=True)}


def as_new(work: str, **keys: str) -> dict[str, Any]:
    return {"id": work, "kind": "paper", "keys": {"openalex": work, **keys}, "leave_out": True}


def judged(graph: nk.Graph, candidates: list[dict[str, Any]], **policy: Any) -> Iterator[dict[str, Any]]:
    yield from nk.check_many(graph, candidates, policy=policy).to_dict("records")


def verdicts(graph: nk.Graph, candidates: list[dict[str, Any]], **policy: Any) -> Counter[str]:
    return Counter(
        row["verdict"] if row["status"] == "ok" else row["status"]
        for row in judged(graph, candidates, **policy)
    )


def rows(graph: nk.Graph, table: str) -> list[dict[str, Any]]:
    return list(graph.arrow(table).to_pylist())


def test_every_work_is_read_and_no_target_that_is_only_an_id_gets_a_row(
    graph: nk.Graph, works: RealWorks
) -> None:
    papers = rows(graph, "paper")
    assert {row["lom_id"].removeprefix("openalex:") for row in papers} == works.by_id.keys()
    assert len(papers) == 1_740
    assert all(row["read"] is True for row in papers)
    counted = graph_stats(graph)["nodes"]
    ids_only = {cited for listed in works.cited.values() for cited in listed} - works.by_id.keys()
    assert counted["stub"] == len(ids_only) == 121_747
    assert graph.n_events == 148_701


def test_edges_are_the_lists_without_self_citations_and_the_tombstone(
    graph: nk.Graph, works: RealWorks
) -> None:
    edges = {
        (row["citing_lom_id"].removeprefix("openalex:"), row["cited_lom_id"].removeprefix("openalex:"))
        for row in rows(graph, "citation_edge")
    }
    stated = [(work, cited) for work, listed in works.listed.items() for cited in listed]
    assert len(stated) == 145_348
    assert sum(work == cited for work, cited in stated) == 36
    assert sum(cited == TOMBSTONE for _, cited in stated) == 104
    assert edges == {(work, cited) for work, cited in stated if cited not in (work, TOMBSTONE)}
    assert len(edges) == 145_348 - 36 - 104


def test_a_stated_list_is_checked_and_an_empty_one_is_a_failed_check(
    graph: nk.Graph, works: RealWorks
) -> None:
    checks = {row["lom_id"].removeprefix("openalex:"): row for row in rows(graph, "references_checked")}
    assert checks.keys() == works.by_id.keys()
    for work, listed in works.listed.items():
        row = checks[work]
        if listed:  # the tombstone was a reference once; the work itself never is
            assert (row["status"], row["n_refs"]) == ("ok", len(set(listed) - {work}))
        else:
            assert (row["status"], row["n_refs"], row["reason"]) == ("failed", None, "zero_uncorroborated")
    assert Counter(row["status"] for row in checks.values()) == {"ok": 1_375, "failed": 365}


def test_coverage_is_own_lists_then_in_edges_and_nothing_else(graph: nk.Graph, works: RealWorks) -> None:
    coverage = graph_stats(graph)["coverage"]
    assert coverage["none"] == coverage["failed"] == len(works.uncovered) == 298
    assert (coverage["out"], coverage["in"]) == (1_375, 67)
    assert coverage["contradicted"] == coverage["unchecked"] == coverage["checked_zero"] == 0


def test_records_on_one_key_are_told_and_stay_two_nodes(graph: nk.Graph) -> None:
    pairs = [(row["lom_id"], row["same_as_lom_id"], row["relation"]) for row in rows(graph, "same_work")]
    assert len(pairs) == 13
    assert {relation for _, _, relation in pairs} == {"same_record"}
    assert ("openalex:W1576898078", "openalex:W4205462863", "same_record") in pairs
    assert graph_stats(graph)["warnings"]["several_owners"] == 13


def test_titles_keep_their_markup_and_dates_are_years(graph: nk.Graph, works: RealWorks) -> None:
    papers = {row["lom_id"].removeprefix("openalex:"): row for row in rows(graph, "paper")}
    for work, record in works.by_id.items():
        assert papers[work]["title"] == (record["title"] or None)
        assert papers[work]["publication_date"] == str(record["publication_year"])
    assert sum("<" in (row["title"] or "") for row in papers.values()) > 10
    assert sum(row["title"] is None for row in papers.values()) == 5


@pytest.mark.parametrize("scope", ["graph", "neighbourhood"])
def test_each_of_the_1740_verdicts_is_what_the_records_say(
    graph: nk.Graph, works: RealWorks, scope: str
) -> None:
    given = list(judged(graph, [as_new(work) for work in works.by_id], gate_scope=scope))
    assert len(given) == 1_740
    for row in given:
        told = works.expected(row["candidate_id"], around_only=scope == "neighbourhood")
        found = (row["verdict"], row["n_in_sample"], row["n_stub"], row["coverage_gap_total"])
        assert found == (told.verdict, len(told.shared), told.n_stubs, told.n_gaps), row["candidate_id"]


def test_the_distribution_of_verdicts(graph: nk.Graph, works: RealWorks) -> None:
    """By the catalogue's own id nothing is ambiguous; in-edges change no verdict: who has one has a neighbour."""
    each = [as_new(work) for work in works.by_id]
    by_default = {"neighborhood": 937, "insufficient_edges": 803}
    around = {"neighborhood": 937, "novel": 505, "insufficient_edges": 298}
    for policy in ({}, {"in_edge_coverage": "reject"}):
        assert verdicts(graph, each, **policy) == by_default
        assert verdicts(graph, each, **policy, **AROUND) == around


def test_keys_that_name_several_records_make_a_candidate_incomparable(
    graph: nk.Graph, works: RealWorks
) -> None:
    """The more keys are given, the more candidates name two records; never does one become more novel."""
    dois = {row["lom_id"]: row["doi"] for row in rows(graph, "paper")}
    with_doi = [
        as_new(work, **({"doi": doi} if (doi := dois[f"openalex:{work}"]) else {})) for work in works.by_id
    ]
    as_recorded = [
        as_new(work, **({"doi": record["doi"]} if record["doi"] else {}))
        for work, record in works.by_id.items()
    ]
    assert verdicts(graph, with_doi) == {"neighborhood": 935, "insufficient_edges": 803, "incomparable": 2}
    assert verdicts(graph, with_doi, **AROUND) == {
        "neighborhood": 935, "novel": 505, "insufficient_edges": 298, "incomparable": 2,
    }  # fmt: skip
    assert verdicts(graph, as_recorded) == {
        "neighborhood": 926, "insufficient_edges": 797, "incomparable": 17,
    }  # fmt: skip
    two = [row["candidate_id"] for row in judged(graph, with_doi) if row["status"] == "incomparable"]
    assert sorted(two) == ["W1576898078", "W4205462863"]
    assert {works.by_id[work]["doi"] for work in two} == {"https://doi.org/10.1007/b98886"}
    twins = {
        row[side].removeprefix("openalex:")
        for row in rows(graph, "same_work")
        for side in ("lom_id", "same_as_lom_id")
    }
    many = {row["candidate_id"] for row in judged(graph, as_recorded) if row["status"] == "incomparable"}
    assert many <= twins


@pytest.mark.parametrize("case", THIRTY, ids=lambda case: case["work"])
def test_thirty_results_agree_with_the_raw_records(
    thirty: dict[str, nk.Verdict], works: RealWorks, case: dict[str, Any]
) -> None:
    work = case["work"]
    told = works.expected(work, around_only=True)
    assert (told.verdict, sorted(told.shared)) == (case["verdict"], sorted(case["shared"]))
    assert (len(works.listed[work]), works.year(work)) == (case["listed"], case["year"])
    verdict = thirty[work]
    assert verdict.verdict == case["verdict"]
    assert verdict.in_sample.shared_lom_ids == tuple(f"openalex:{other}" for other in sorted(told.shared))
    assert verdict.stub_overlap.n_shared == told.n_stubs
    assert len(case["why"]) > 10


def test_the_thirty_are_ten_of_each_verdict() -> None:
    assert Counter(case["verdict"] for case in THIRTY) == {"novel": 10, "neighborhood": 10, "unknown": 10}
    assert len({case["work"] for case in THIRTY}) == 30


def test_what_blocks_novel_is_298_lists_of_which_none_covers_another(
    graph: nk.Graph, works: RealWorks
) -> None:
    gaps = graph_gaps(graph)
    assert {gap.lom_id.removeprefix("openalex:") for gap in gaps} == works.uncovered
    assert {gap.reason for gap in gaps} == {"failed"}
    assert {gap.n_covered for gap in gaps} == {1}
    for gap in gaps:
        work = gap.lom_id.removeprefix("openalex:")
        blocked = sum(works.year(work) + 3 >= works.year(other) for other in works.by_id) - 1
        assert gap.n_blocked == blocked
    assert sum(gap.n_blocked == 1_739 for gap in gaps) == 200
    assert [gap.lom_id for gap in gaps[:3]] == [
        "openalex:W1504190881", "openalex:W4316652382", "openalex:W4319452656",
    ]  # fmt: skip
