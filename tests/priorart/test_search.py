"""The index finds cited abstracts; a search that failed never looks like one that found nothing."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cases_of import PAPERS, claim_list
from hypothesis import given, settings
from hypothesis import strategies as st

from novelty_kit.errors import DamageError, InputError, LookupFailure, OutputError
from novelty_kit.priorart.index import TextIndex, query_terms
from novelty_kit.priorart.search import Answer, GraphSource, ServiceSource, Work, search_claims
from novelty_kit.priorart.searchlog import SourceState, read_search_log
from novelty_kit.priorart.store import TextStore


def scifact(*names: str) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    root = os.environ.get("NOVELTY_TEST_DATA")
    if not root:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    folder = Path(root) / "claims" / "scifact"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        docs = [json.loads(line) for line in stream]
    claims = {
        name: [json.loads(line) for line in (folder / f"claims_{name}.jsonl").read_text("utf-8").splitlines()]
        for name in names
    }
    return docs, claims


def recall(search: Callable[[str], Sequence[int]], claims: Sequence[dict[str, Any]], k: int) -> float:
    """Of all cited abstracts, the share among the first k answers to the claim that cites them."""
    found = total = 0
    for claim in claims:
        cited = set(claim["cited_doc_ids"])
        total += len(cited)
        found += len(cited & set(search(claim["claim"])[:k]))
    return found / total


def test_cited_abstracts_are_found_at_least_as_often_as_by_bm25s_with_its_defaults() -> None:
    import bm25s

    docs, claims = scifact("dev", "test")
    index = TextIndex.build((str(d["doc_id"]), d["title"], " ".join(d["abstract"])) for d in docs)
    ids = [d["doc_id"] for d in docs]
    other = bm25s.BM25()
    texts = [f"{d['title']} {' '.join(d['abstract'])}" for d in docs]
    other.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)

    def ours(query: str) -> list[int]:
        return [int(paper.lom_id) for paper in index.search(query, 20)]

    def theirs(query: str) -> list[int]:
        found, _ = other.retrieve(bm25s.tokenize(query, show_progress=False), k=20, show_progress=False)
        return [ids[place] for place in found[0]]

    unseen = claims["dev"] + claims["test"]
    found = {claim["claim"]: (ours(claim["claim"]), theirs(claim["claim"])) for claim in unseen}
    at_5, at_20 = (recall(lambda query: found[query][0], unseen, k) for k in (5, 20))
    other_at_5, other_at_20 = (recall(lambda query: found[query][1], unseen, k) for k in (5, 20))
    print(f"recall at 5: {at_5:.4f}, bm25s {other_at_5:.4f}; at 20: {at_20:.4f}, bm25s {other_at_20:.4f}")
    assert at_20 >= other_at_20
    assert at_20 > 0.86
    assert at_5 > 0.74
    for claim in unseen[:50]:
        answer = GraphSource(index).search(claim["claim"], 20)
        assert answer.state is SourceState.COMPLETED
    index.close()


def index_of(*papers: tuple[str | None, ...]) -> TextIndex:
    return TextIndex.build(papers)


def test_the_paper_with_the_words_comes_first_stems_and_accents_aside() -> None:
    index = index_of(("a", "On sketching", "Café streams merged"), ("b", "Bees", "in one pass"))
    assert [paper.lom_id for paper in index.search("merging a cafe's sketch")] == ["a"]
    assert index.n_papers == 2


def test_scripts_without_spaces_are_found_by_pairs_of_characters() -> None:
    index = index_of(("a", "合并草图的方法", ""), ("b", "草地上的蜜蜂", ""))
    assert [paper.lom_id for paper in index.search("如何合并草图")] == ["a"]


def test_nothing_in_a_query_is_an_operator() -> None:
    index = index_of(*PAPERS)
    for query in (
        'sketches" OR title:x',
        "NEAR(a b)",
        "sketches*",
        "^sketches -seed",
        "a AND NOT b",
        "'; DROP TABLE",
    ):
        index.search(query)
    assert [p.lom_id for p in index.search('spectral" AND "nothing')][:1] == ["arxiv:2001.00001"]


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_indexed_and_asked_for(title: str, query: str) -> None:
    with index_of(("a", title, None), ("b", "spectral sketches", "\ud800\x00")) as index:
        index.search(query)
        assert len(index.search("spectral sketches")) >= 1


def test_a_query_of_stop_words_has_no_term() -> None:
    assert query_terms("it is of the, and to?") == []
    assert query_terms("") == []


def test_papers_without_text_and_second_rows_of_one_id_are_left_out() -> None:
    index = index_of(("a", "One", None), ("a", "Two", None), ("b", None, "  "), ("c", "", "Three"))
    assert index.n_papers == 2
    assert index.search("two") == []


def test_equal_papers_keep_the_order_of_their_rows() -> None:
    index = index_of(*((f"p{n}", "same words here", None) for n in range(50)))
    assert [p.lom_id for p in index.search("same words", 5)] == ["p0", "p1", "p2", "p3", "p4"]


def test_an_index_file_is_reopened_for_the_same_rows_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "papers.index"
    TextIndex.build(PAPERS, path, "log 1").close()
    with TextIndex.open(path, "log 1") as index:
        assert index.n_papers == 3
    with pytest.raises(DamageError, match="other papers"):
        TextIndex.open(path, "log 2")
    path.write_bytes(b"nonsense")
    with pytest.raises(DamageError):
        TextIndex.open(path, "log 1")
    with pytest.raises(DamageError):
        TextIndex.open(tmp_path / "absent", "log 1")
    assert [p.name for p in path.parent.iterdir()] == ["papers.index"]
    with pytest.raises(OutputError):
        TextIndex.build(PAPERS, path / "below" / "x")


class Fixed:
    """A source with a fixed answer."""

    def __init__(self, name: str, answer: Answer) -> None:
        self.name = name
        self.answer = answer

    def search(self, query: str, limit: int) -> Answer:
        return self.answer


def test_every_claim_is_searched_in_every_source_and_each_state_is_logged(tmp_path: Path) -> None:
    def limited(query: str, limit: int) -> Answer:
        raise LookupFailure("HTTP 429")

    sources = [
        GraphSource(index_of(*PAPERS)),
        ServiceSource("arxiv", limited),
        Fixed("openalex", Answer(SourceState.KEY_ABSENT, reason="no key was set")),
        Fixed("crossref", Answer(SourceState.PAGE_LIMIT, (Work("doi:10.5555/x", "A title", "Its text"),))),
    ]
    claims = claim_list("We merge spectral sketches.", "Lazy replay forgets.")
    log = search_claims(claims, sources, TextStore(tmp_path))
    assert [(s.claim_id, s.source, str(s.state)) for s in log.searches[:4]] == [
        ("C1", "graph", "completed"),
        ("C1", "arxiv", "failed"),
        ("C1", "openalex", "key-absent"),
        ("C1", "crossref", "page-limit"),
    ]
    assert len(log.searches) == 8
    assert [search.reason for search in log.searches[1:4]] == [
        "HTTP 429",
        "no key was set",
        "the source did not say why",
    ]
    assert [search.completed for search in log.searches[:4]] == [True, False, False, False]


def test_the_text_of_every_candidate_is_in_the_store(tmp_path: Path) -> None:
    raw = Work(
        "u",
        "Title",
        "Abstract",
        "https://example.org",
        raw=b"<feed/>",
        media_type="application/xml",
        extractor=("atom", "1"),
    )
    store = TextStore(tmp_path)
    sources = [
        GraphSource(index_of(*PAPERS)),
        Fixed("feed", Answer(SourceState.COMPLETED, (raw, Work("n", "", "")))),
    ]
    log = search_claims(claim_list("Spectral sketches, replay and bees."), sources, store)
    assert [work.id for work in log.searches[0].candidates][:1] == ["arxiv:2001.00001"]
    assert len(log.searches[0].candidates) == 3
    assert [work.id for work in log.searches[1].candidates] == ["u"]
    for search in log.searches:
        for work in search.candidates:
            assert store.text(work.text_sha256).startswith(work.title)
    (row,) = store.rows(log.searches[1].candidates[0].text_sha256)
    assert (row.media_type, row.extractor) == ("application/xml", "atom")
    bare = [work for work in log.searches[0].candidates if not work.has_abstract]
    assert [work.id for work in bare] == ["pmid:123"]


def test_an_empty_graph_or_a_query_without_words_is_no_completed_search() -> None:
    assert GraphSource(index_of()).search("sketches", 5).state is SourceState.FAILED
    assert GraphSource(index_of(*PAPERS)).search("of the", 5).state is SourceState.FAILED
    assert GraphSource(index_of(*PAPERS)).search("zyzzyva", 5).state is SourceState.COMPLETED


def test_the_artifact_itself_is_no_prior_art_of_its_own() -> None:
    source = GraphSource(index_of(*PAPERS), own_ids=["arxiv:2001.00001"])
    assert [work.id for work in source.search("spectral sketches", 1).works] == []


def test_inadmissible_claims_are_not_searched(tmp_path: Path) -> None:
    rows = [
        {
            "claim_id": "X",
            "text": "t",
            "location": "l",
            "search_target": None,
            "admissible": False,
            "reason": "r",
        }
    ]
    claims = claim_list(novelty_claims=rows)
    assert search_claims(claims, [GraphSource(index_of(*PAPERS))], TextStore(tmp_path)).searches == ()


def test_a_search_without_a_source_or_with_two_of_one_name_is_refused(tmp_path: Path) -> None:
    source = GraphSource(index_of(*PAPERS))
    for sources, limit in (([], 5), ([source, source], 5), ([source], 0)):
        with pytest.raises(InputError):
            search_claims(claim_list("x y"), sources, TextStore(tmp_path), limit=limit)


def test_a_log_is_read_as_it_was_written_and_the_same_search_gives_the_same_bytes(tmp_path: Path) -> None:
    claims = claim_list("We merge spectral sketches.", "Bees.")
    log = search_claims(claims, [GraphSource(index_of(*PAPERS))], TextStore(tmp_path))
    path = tmp_path / "log.jsonl"
    path.write_text(log.to_lines(), "utf-8")
    assert read_search_log(str(path)) == log
    again = search_claims(claims, [GraphSource(index_of(*PAPERS))], TextStore(tmp_path))
    assert again.to_lines() == log.to_lines()
