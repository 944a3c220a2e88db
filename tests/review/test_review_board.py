"""The board's views and a hypothesis's part of a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from review_runs import a_hypothesis, a_manifest, a_review, make_run, put

from novelty_kit.review import Run, board, open_run
from novelty_kit.review.summary import summary

IDS = ["H-0001", "H-0002", "H-0003"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """One sound hypothesis with two reviewers, one with a phantom, one quarantined by hand."""
    path = make_run(
        tmp_path,
        hypotheses=[a_hypothesis(one) for one in IDS],
        manifests={
            "H-0001": a_manifest(),
            "H-0002": a_manifest(
                [("PMID:1", "verified"), ("PMID:2", "verified"), ("PMID:3", "phantom", "<b>No</b> such")],
                "H-0002",
            ),
        },
        reviews={
            "H-0001.R-01": a_review(reviewer="a", scores={"novelty": 1}),
            "H-0001.R-02": a_review(id="H-0001.R-02", reviewer="b", scores={"novelty": 5, "testability": 3}),
            "H-0002.R-01": a_review(id="H-0002.R-01", hypothesis_id="H-0002", scores={"correctness": 5}),
        },
    )
    (path / "hypotheses/H-0003.json").rename(path / "quarantine/H-0003.json")
    return open_run(path)


def test_scores_are_shown_with_the_cap_applied(run: Run) -> None:
    frame = board.scores_with_caps(run).set_index("review_id")
    assert list(frame.index) == ["H-0001.R-01", "H-0001.R-02", "H-0002.R-01"]
    capped = frame.loc["H-0002.R-01"]
    assert (capped["correctness"], capped["max_correctness"], capped["capped_correctness"]) == (5, 2, 2)
    assert (capped["mean_review_score"], capped["capped_mean_score"]) == (4.25, 3.5)
    assert "V-OVER-CAP" in capped["errors"]
    assert frame.loc["H-0001.R-01", "capped_mean_score"] == frame.loc["H-0001.R-01", "mean_review_score"]


def test_phantoms_are_shown_with_what_they_cost(run: Run) -> None:
    [row] = board.phantom_costs(run).to_dict("records")
    assert row == {
        "hypothesis_id": "H-0002",
        "lit_id": "PMID:3",
        "claimed_title": "<b>No</b> such",
        "resolved_title": row["resolved_title"],
        "reason": "not_found",
        "cap_rule": "C-CAP2",
        "max_correctness": 2,
        "out_of_reach": 3,
        "points_lost": 3,
        "calls_for_quarantine": False,
    }


def test_what_is_wrong_with_the_run_is_a_table(run: Run) -> None:
    columns = ["file", "pointer", "what", "remedy"]
    assert list(board.disorder(run).columns) == columns
    n_before = len(board.disorder(run))
    (run.path / "hypotheses/H-0099.json").write_text("{")
    found = board.disorder(run)
    assert len(found) == n_before + 1
    assert "is not JSON" in " ".join(found["what"])


def test_quarantine_shows_who_is_there_and_who_has_to_go(run: Run) -> None:
    put(run.path / "reviews/H-0001.R-03.json", a_review(id="H-0001.R-03", scores={"safety": 1}))
    frame = board.quarantine_board(run)
    assert frame.to_dict("records") == [
        {
            "hypothesis_id": "H-0001",
            "state": "due",
            "triggers": "Q-SAFE",
            "outage": False,
            "review_ids": "H-0001.R-03",
        },
        {"hypothesis_id": "H-0003", "state": "moved", "triggers": "", "outage": False, "review_ids": ""},
    ]


def test_standings_are_compared_with_and_without_the_reviews(run: Run) -> None:
    frame = board.standings_compared(run).set_index("hypothesis_id")
    assert list(frame.index) == ["H-0001", "H-0002"]
    put(run.path / "ratings/epoch-0.json", {"ratings": {"H-0001": {"elo": 1500}, "H-0002": {"elo": 1505}}})
    frame = board.standings_compared(run, preset="focus_on_breakthroughs").set_index("hypothesis_id")
    assert list(frame["place_by_elo"]) == [2, 1]
    assert list(frame["place_by_composite"]) == [1, 2]
    assert frame.loc["H-0001", "composite_delta"] == 48.75


def test_disagreement_shows_the_widest_gap_first(run: Run) -> None:
    frame = board.disagreement(run)
    first = frame.iloc[0]
    assert (first["hypothesis_id"], first["axis"], first["range"]) == ("H-0001", "novelty", 4)
    assert (first["lowest"], first["highest"], first["review_ids"]) == (1, 5, "H-0001.R-01 H-0001.R-02")
    assert first["n_reviewers"] == 2
    assert set(frame["hypothesis_id"]) == {"H-0001"}


def test_the_views_of_an_empty_run_are_empty_frames_with_their_columns(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path, hypotheses=[], manifests={}))
    for view in (
        board.scores_with_caps,
        board.phantom_costs,
        board.quarantine_board,
        board.standings_compared,
        board.disagreement,
    ):
        frame = view(run)
        assert len(frame) == 0
        assert "hypothesis_id" in frame.columns
    assert len(run.reviews) == len(run.standings(composite=True)) == 0


def test_every_column_has_the_dtype_that_it_is_said_to_have(run: Run) -> None:
    empty = {"string", "Int64", "float64", "bool"}
    for frame in (run.reviews, run.scores, run.standings(composite=True), board.disagreement(run)):
        assert {str(dtype) for dtype in frame.dtypes} <= empty


def test_the_summary_of_a_hypothesis_is_json_and_complete(run: Run) -> None:
    found = json.loads(json.dumps(summary(run, "H-0002"), allow_nan=False))
    assert found["status"] == "reviewed"
    assert found["citations"] == {"total": 3, "verified": 2, "phantom": 1, "suspect": 0, "unverified": 0}
    assert found["phantoms"] == ["PMID:3"]
    assert found["cap"] == {"rule": "C-CAP2", "max_correctness": 2}
    assert (found["mean"]["mean"], found["mean"]["n"], found["mean"]["sd"]) == (4.25, 1, None)
    assert found["axes"]["goal"] == {"score": 4, "review_id": "H-0002.R-01"}
    assert found["axes"]["constraint"] is None
    [review] = found["reviews"]
    assert review["capped_correctness"] == 2
    assert {error["code"] for error in review["errors"]} == {"V-OVER-CAP"}


@pytest.mark.parametrize(
    ("hypothesis_id", "status"),
    [("H-0001", "reviewed"), ("H-0003", "quarantined"), ("H-0009", "not_reviewed")],
)
def test_the_summary_says_where_a_hypothesis_stands(run: Run, hypothesis_id: str, status: str) -> None:
    assert summary(run, hypothesis_id)["status"] == status


def test_the_summary_says_when_quarantine_is_due_and_that_it_may_be_an_outage(run: Run) -> None:
    put(run.path / "citations/H-0001.json", a_manifest([("PMID:1", "unverified"), ("PMID:2", "unverified")]))
    found = summary(run, "H-0001")
    assert (found["status"], found["outage"]) == ("quarantine_due", True)
    assert [one["code"] for one in found["triggers"]] == ["Q-NOVER"]
    assert found["advice"]


def test_a_summary_of_an_unreadable_manifest_knows_no_cap(run: Run) -> None:
    (run.path / "citations/H-0001.json").write_text("{")
    found = summary(run, "H-0001")
    assert found["cap"] is None
    assert "not JSON" in found["manifest_fault"]
    assert found["reviews"][0]["capped_correctness"] is None
