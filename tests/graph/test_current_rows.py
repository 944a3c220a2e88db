"""What stands after patches, second upserts, deletes and other spellings of a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from log_writer import checked, claim, edge, event, opened, paper
from replay import Row, state

LINES = [
    # W1: patched
    paper("W1", title="one", doi="10.1000/one", read=False, publication_date="2020"),
    paper("openalex:w1", title="two", publication_date=None),
    # W2: deleted, then made again
    paper("W2", title="old", doi="10.1000/two"),
    event("paper", {"lom_id": "https://openalex.org/W2"}, "delete"),
    paper("W2", abstract="new"),
    # W3: deleted
    paper("W3", title="gone"),
    event("papers", {"lom_id": "W3"}, "delete"),
    # W4: a row by its DOI beside one that holds the DOI as a key
    paper("W4", doi="10.1000/four"),
    paper("doi:10.1000/FOUR", title="by its DOI"),
    # other tables: the last upsert replaces the whole row
    claim("c1", "W1", "first"),
    event("claim", {"claim_id": "c1", "status": "contested"}),
    claim("C1", "W1", "another name"),
    checked("W1", 3, source="a"),
    checked("w1", None, "failed"),
    checked("W2", 5),
    event("references_checked", {"lom_id": "W2"}, "delete"),
    edge("W1", "W2", source="a", context="x"),
    event("citation_edge", {"src": "w1", "dst": "https://openalex.org/W2"}),
    edge("W2", "W1"),
    edge("W1", "W3"),
    event("citation_edge", {"src": "W1", "dst": "W3"}, "delete"),
    edge("W5", "W5"),
    event("ingest_error", {"scheme": "s2", "lookup": "ARXIV:2608.13940", "http_status": 429}),
    event(
        "ingest_error", {"scheme": "S2", "lookup": "https://arxiv.org/abs/2608.13940v2", "http_status": 503}
    ),
    event("ingest_error", {"scheme": "arxiv", "lookup": "2608.13940", "http_status": 404}),
    event("ingest_error", {"scheme": "pmid", "lookup": "12", "http_status": 404}),
    event("ingest_error", {"scheme": "pmid", "lookup": "PMID:0012"}, "delete"),
    event("ingest_error", {"scheme": "openalex", "lookup": " title search: x ", "http_status": None}),
    event("ingest_error", {"scheme": "openalex", "lookup": "title search: x", "http_status": 500}),
    event("same_work", {"lom_id": "W1", "same_as_lom_id": "W4", "relation": "merged"}),
    event("same_work", {"lom_id": "W4", "same_as_lom_id": "W1"}),
    paper("arxiv:2408.06292", doi="10.48550/arXiv.2408.06292"),
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    return state(opened(tmp_path_factory.mktemp("rows") / "log.jsonl", *LINES))


def _paper(rows: dict[str, list[Row]], lom_id: str) -> Row:
    return next(row for row in rows["paper"] if row["lom_id"] == lom_id)


def test_an_absent_column_of_a_paper_keeps_its_value(rows: dict[str, list[Row]]) -> None:
    found = _paper(rows, "openalex:W1")
    assert (found["title"], found["doi"], found["read"], found["seq"]) == ("two", "10.1000/one", False, 2)


def test_an_explicit_null_clears_a_column_of_a_paper(rows: dict[str, list[Row]]) -> None:
    assert _paper(rows, "openalex:W1")["publication_date"] is None


def test_a_paper_made_again_has_forgotten_what_it_held(rows: dict[str, list[Row]]) -> None:
    found = _paper(rows, "openalex:W2")
    assert (found["title"], found["doi"], found["abstract"], found["seq"]) == (None, None, "new", 5)


def test_a_delete_needs_only_the_key_in_any_form(rows: dict[str, list[Row]]) -> None:
    assert "openalex:W3" not in {row["lom_id"] for row in rows["paper"]}


def test_rows_are_keyed_by_their_ids_never_through_owners(rows: dict[str, list[Row]]) -> None:
    assert _paper(rows, "openalex:W4")["title"] is None
    assert _paper(rows, "doi:10.1000/four")["title"] == "by its DOI"


def test_a_second_upsert_replaces_the_whole_row_of_any_other_table(rows: dict[str, list[Row]]) -> None:
    found = next(row for row in rows["claim"] if row["claim_id"] == "c1")
    assert (found["statement"], found["about_lom_id"], found["status"]) == (None, None, "contested")
    (failed,) = rows["references_checked"]
    assert (failed["lom_id"], failed["status"], failed["n_refs"], failed["source"]) == (
        *("openalex:W1", "failed", None),
        None,
    )


def test_names_of_claims_are_compared_as_they_are_written(rows: dict[str, list[Row]]) -> None:
    assert [row["claim_id"] for row in rows["claim"]] == ["c1", "C1"]


def test_an_edge_is_keyed_by_both_ends_in_any_spelling(rows: dict[str, list[Row]]) -> None:
    found = [
        (row["citing_lom_id"], row["cited_lom_id"], row["context"], row["seq"])
        for row in rows["citation_edge"]
    ]
    assert found == [
        ("openalex:W1", "openalex:W2", None, 18),
        ("openalex:W2", "openalex:W1", None, 19),
        ("openalex:W5", "openalex:W5", None, 22),
    ]


def test_a_lookup_is_one_lookup_however_it_is_spelled(rows: dict[str, list[Row]]) -> None:
    found = [(row["scheme"], row["lookup"], row["http_status"]) for row in rows["ingest_error"]]
    assert found == [
        ("s2", "https://arxiv.org/abs/2608.13940v2", 503),
        ("arxiv", "2608.13940", 404),
        ("openalex", "title search: x", 500),
    ]


def test_same_work_has_a_direction(rows: dict[str, list[Row]]) -> None:
    found = [(row["lom_id"], row["same_as_lom_id"], row["relation"]) for row in rows["same_work"]]
    assert found == [("openalex:W1", "openalex:W4", "merged"), ("openalex:W4", "openalex:W1", None)]


def test_arxivs_own_doi_is_kept_as_the_doi_that_it_is(rows: dict[str, list[Row]]) -> None:
    found = _paper(rows, "arxiv:2408.06292")
    assert (found["doi"], found["arxiv"]) == ("10.48550/arxiv.2408.06292", None)


def test_frames_have_the_columns_of_the_log_and_ids_are_text(tmp_path: Path) -> None:
    graph = opened(tmp_path / "log.jsonl", *LINES)
    frame = graph.frame("paper")
    assert list(frame.columns) == [
        *(
            "lom_id",
            "doi",
            "arxiv",
            "openalex",
            "s2_paper_id",
            "pmid",
            "title",
            "abstract",
            "publication_date",
        ),
        *("read", "source", "seq"),
    ]
    assert {str(frame[name].dtype) for name in frame.columns[:9]} == {"string[pyarrow]"}
    assert str(frame["read"].dtype) == "bool[pyarrow]"
    assert str(frame["seq"].dtype) == "int64[pyarrow]"
    assert str(graph.frame("references_checked")["n_refs"].dtype) == "int64[pyarrow]"
