"""The views of the review board: frames for a notebook.

Each view is a function of an open run and changes nothing. What costs what is counted in points of
correctness. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from novelty_kit.review.axes import LoadedReview, load_reviews
from novelty_kit.review.contents import find_manifest
from novelty_kit.review.folder import Folder
from novelty_kit.review.frames import frame_of, scores_frame
from novelty_kit.review.rubric import CORE_AXES, OPTIONAL_AXES, rubric

if TYPE_CHECKING:
    import pandas as pd

    from novelty_kit.review.judgement import Judgement
    from novelty_kit.review.view import RunView

__all__ = [
    "disagreement",
    "disorder",
    "phantom_costs",
    "quarantine_board",
    "scores_with_caps",
    "standings_compared",
]


def scores_with_caps(run: RunView) -> pd.DataFrame:
    """Every review's scores with the cap applied; columns as of :func:`frames.scores_frame`."""
    return scores_frame(run)


def phantom_costs(run: RunView) -> pd.DataFrame:
    """The phantoms of each hypothesis, and what they cost its reviews.

    Returns
    -------
    pandas.DataFrame
        One row per phantom, by hypothesis and in the manifest's order: ``hypothesis_id``, ``lit_id``,
        ``claimed_title`` and ``resolved_title`` (empty where unknown), ``reason``, ``cap_rule``,
        ``max_correctness``, ``out_of_reach`` (points of correctness that the citations put out of reach: 5
        minus the most), ``points_lost`` (what the cap takes off the correctness of all reviews of the
        hypothesis, the same on each of its rows; 0 where the reviewers kept to the cap) and
        ``calls_for_quarantine``.
    """
    rows = []
    judged = _by_hypothesis(run)
    with Folder.open(run.path) as folder:
        lost = _points_lost(judged, load_reviews(folder))
        for hypothesis_id, judgements in judged.items():
            manifest = find_manifest(folder, hypothesis_id).manifest
            ruling = judgements[0].ruling
            for phantom in manifest.with_status("phantom") if manifest else ():
                rows.append(
                    {
                        "hypothesis_id": hypothesis_id,
                        "lit_id": phantom.id,
                        "claimed_title": phantom.claimed_title,
                        "resolved_title": phantom.resolved_title,
                        "reason": phantom.reason,
                        "cap_rule": ruling.cap_rule,
                        "max_correctness": ruling.max_correctness,
                        "out_of_reach": 5 - ruling.max_correctness,
                        "points_lost": lost.get(hypothesis_id, 0),
                        "calls_for_quarantine": ruling.by_citations,
                    }
                )
    return frame_of(rows, _PHANTOMS)


_PHANTOMS: Final = {
    "hypothesis_id": "string",
    "lit_id": "string",
    "claimed_title": "string",
    "resolved_title": "string",
    "reason": "string",
    "cap_rule": "string",
    "max_correctness": "Int64",
    "out_of_reach": "Int64",
    "points_lost": "Int64",
    "calls_for_quarantine": "bool",
}


def quarantine_board(run: RunView) -> pd.DataFrame:
    """Who is in quarantine, who has to go there, and why.

    Returns
    -------
    pandas.DataFrame
        One row per hypothesis that is quarantined or whose reviews call for it, by id:
        ``hypothesis_id``, ``state`` (``moved``, ``interrupted``, ``two_files``, ``status_only``, or
        ``due`` where nobody acted yet), ``triggers`` (codes, separated by blanks; empty where it was put
        there by hand), ``outage`` (whether nothing but unanswered lookups speaks against the citations)
        and ``review_ids`` that call for it.
    """
    states: dict[str, str] = dict(run.quarantined())
    judged = _by_hypothesis(run)
    rows = []
    for hypothesis_id in sorted({*states, *judged}):
        calling = [one for one in judged.get(hypothesis_id, ()) if one.triggers]
        if hypothesis_id not in states and not calling:
            continue
        codes = {code for one in calling for code in one.triggers}
        rows.append(
            {
                "hypothesis_id": hypothesis_id,
                "state": states.get(hypothesis_id, "due"),
                "triggers": " ".join(code for code in rubric().triggers if code in codes),
                "outage": any(one.ruling.outage for one in calling),
                "review_ids": " ".join(one.stem for one in calling),
            }
        )
    return frame_of(
        rows,
        {
            "hypothesis_id": "string",
            "state": "string",
            "triggers": "string",
            "outage": "bool",
            "review_ids": "string",
        },
    )


def standings_compared(
    run: RunView, *, preset: str | None = None, weights: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """The standings with and without the reviews in them.

    Returns
    -------
    pandas.DataFrame
        One row per hypothesis that is not quarantined, in the order of the composite: ``hypothesis_id``,
        ``place_by_elo`` and ``place_by_composite`` (from 1), ``elo``, ``elo_composite``,
        ``composite_delta``.
    """
    by_elo = {row.hypothesis_id: place for place, row in enumerate(run.standing_rows(), 1)}
    rows = [
        {
            "hypothesis_id": row.hypothesis_id,
            "place_by_elo": by_elo[row.hypothesis_id],
            "place_by_composite": place,
            "elo": row.elo,
            "elo_composite": row.elo_composite,
            "composite_delta": row.composite_delta,
        }
        for place, row in enumerate(run.standing_rows(run.weights(preset, weights)), 1)
    ]
    return frame_of(
        rows,
        {
            "hypothesis_id": "string",
            "place_by_elo": "Int64",
            "place_by_composite": "Int64",
            "elo": "float64",
            "elo_composite": "float64",
            "composite_delta": "float64",
        },
    )


def disagreement(run: RunView) -> pd.DataFrame:
    """How far reviewers are apart, axis by axis.

    Returns
    -------
    pandas.DataFrame
        One row per hypothesis and axis that two or more reviews score, the widest range first, then by
        hypothesis and axis: ``hypothesis_id``, ``axis``, ``n_reviews``, ``n_reviewers``, ``lowest``,
        ``highest`` (1 to 5), ``range`` (their difference) and ``review_ids`` of the two ends.
    """
    with Folder.open(run.path) as folder:
        reviews = load_reviews(folder)
    rows = []
    by_hypothesis: dict[str, list[LoadedReview]] = {}
    for review in reviews:
        by_hypothesis.setdefault(review.stored.hypothesis_id, []).append(review)
    for hypothesis_id, own in sorted(by_hypothesis.items()):
        for axis in (*CORE_AXES, *OPTIONAL_AXES):
            scored = [review for review in own if axis in review.scores]
            if len(scored) > 1:
                rows.append(_spread(hypothesis_id, axis, scored))
    rows.sort(key=lambda row: -row["range"])
    return frame_of(
        rows,
        {
            "hypothesis_id": "string",
            "axis": "string",
            "n_reviews": "Int64",
            "n_reviewers": "Int64",
            "lowest": "Int64",
            "highest": "Int64",
            "range": "Int64",
            "review_ids": "string",
        },
    )


def disorder(run: RunView) -> pd.DataFrame:
    """What is wrong with the run beside its reviews.

    Returns
    -------
    pandas.DataFrame
        One row per problem: ``file`` and ``pointer`` (empty where it is the whole run), ``what`` and
        ``remedy``; no row where nothing is wrong.
    """
    rows = [
        {"file": one.path, "pointer": one.pointer, "what": one.what, "remedy": one.remedy}
        for one in run.problems()
    ]
    return frame_of(rows, {"file": "string", "pointer": "string", "what": "string", "remedy": "string"})


def _spread(hypothesis_id: str, axis: str, scored: list[LoadedReview]) -> dict[str, Any]:
    low = min(scored, key=lambda review: review.scores[axis])
    high = max(scored, key=lambda review: review.scores[axis])
    reviewers = {str((review.stored.record or {}).get("reviewer")) for review in scored}
    return {
        "hypothesis_id": hypothesis_id,
        "axis": axis,
        "n_reviews": len(scored),
        "n_reviewers": len(reviewers),
        "lowest": low.scores[axis],
        "highest": high.scores[axis],
        "range": high.scores[axis] - low.scores[axis],
        "review_ids": f"{low.stored.stem} {high.stored.stem}",
    }


def _by_hypothesis(run: RunView) -> dict[str, tuple[Judgement, ...]]:
    """The judgements of each hypothesis, by the file that a review lies in."""
    grouped: dict[str, tuple[Judgement, ...]] = {}
    for judgement in run.check():
        hypothesis_id = judgement.stem.partition(".")[0]
        grouped[hypothesis_id] = (*grouped.get(hypothesis_id, ()), judgement)
    return dict(sorted(grouped.items()))


def _points_lost(
    judged: Mapping[str, tuple[Judgement, ...]], reviews: tuple[LoadedReview, ...]
) -> dict[str, int]:
    caps = {
        one.stem: one.ruling.max_correctness for group in judged.values() for one in group if one.cap_known
    }
    lost: dict[str, int] = {}
    for review in reviews:
        given = review.scores.get("correctness", 0)
        over = max(0, given - caps.get(review.stored.stem, given))
        lost[review.stored.hypothesis_id] = lost.get(review.stored.hypothesis_id, 0) + over
    return lost
