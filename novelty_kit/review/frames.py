"""The run's frames: reviews and standings with one row per hypothesis, scores with one per review.

Text columns are strings, counts nullable integers, scores nullable integers, the rest floats; an empty
cell is a missing fact, never a zero. Imported by the run only when a frame is asked for. No network. No
clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from novelty_kit.errors import PolicyError
from novelty_kit.review.axes import latest_axes, load_reviews, review_means
from novelty_kit.review.composite import AXIS_OF, normalised
from novelty_kit.review.folder import Folder
from novelty_kit.review.rubric import CORE_AXES, OPTIONAL_AXES

if TYPE_CHECKING:
    from novelty_kit.review.view import RunView

__all__ = ["frame_of", "reviews_frame", "scores_frame", "standings_frame"]

_TEXT: Final = "string"
_COUNT: Final = "Int64"
_NUMBER: Final = "float64"
_FLAG: Final = "bool"

_REVIEWS: Final = {
    "hypothesis_id": _TEXT,
    "quarantined": _FLAG,
    "n_reviews": _COUNT,
    "mean_review_score": _NUMBER,
    "sd_review_score": _NUMBER,
    "lowest_review_score": _NUMBER,
    "highest_review_score": _NUMBER,
    **{
        f"{component}{suffix}": dtype
        for component in AXIS_OF
        for suffix, dtype in (("_score", _COUNT), ("_s", _NUMBER), ("_review_id", _TEXT))
    },
}

_SCORES: Final = {
    "review_id": _TEXT,
    "hypothesis_id": _TEXT,
    "review_type": _TEXT,
    "reviewer": _TEXT,
    "epoch": _COUNT,
    **dict.fromkeys((*CORE_AXES, *OPTIONAL_AXES), _COUNT),
    "max_correctness": _COUNT,
    "capped_correctness": _COUNT,
    "mean_review_score": _NUMBER,
    "capped_mean_score": _NUMBER,
    "n_phantom": _COUNT,
    "triggers": _TEXT,
    "warnings": _TEXT,
    "errors": _TEXT,
}

_STANDINGS: Final = {
    "hypothesis_id": _TEXT,
    "elo": _NUMBER,
    "matches": _COUNT,
    "wins": _COUNT,
    "draws": _COUNT,
    "rated": _FLAG,
}

_COMPOSITE: Final = {
    "elo_composite": _NUMBER,
    "composite_delta": _NUMBER,
    **{
        f"{component}_{part}": dtype
        for component in AXIS_OF
        for part, dtype in (
            ("score", _COUNT),
            ("s", _NUMBER),
            ("weight", _NUMBER),
            ("contribution", _NUMBER),
            ("review_id", _TEXT),
        )
    },
}


def frame_of(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Make a frame with exactly these columns and dtypes, also where there are no rows."""
    return pd.DataFrame(
        {name: pd.Series([row.get(name) for row in rows], dtype=dtype) for name, dtype in columns.items()}
    )


def reviews_frame(run: RunView) -> pd.DataFrame:
    """What the reviews say of each hypothesis.

    Returns
    -------
    pandas.DataFrame
        One row per hypothesis, by id. ``n_reviews``: 0 where there is none, and then the scores are
        empty. ``mean_review_score`` with ``sd_``, ``lowest_`` and ``highest_review_score``: over the
        reviews' means of the four core axes, 1 to 5; the deviation is empty below two reviews. For goal,
        constraint and novelty the score in force (1 to 5, empty where nobody scored it), its S (0.5
        there) and the review that it is from.

    Raises
    ------
    DocumentError
        A review is malformed, or a score is no integer from 1 to 5.
    """
    out = run.quarantined()
    with Folder.open(run.path) as folder:
        loaded = load_reviews(folder)
    means, axes = review_means(loaded), latest_axes(loaded, run.policy)
    rows = []
    for hypothesis_id in run.hypotheses():
        mean = means.get(hypothesis_id)
        row: dict[str, Any] = {
            "hypothesis_id": hypothesis_id,
            "quarantined": hypothesis_id in out,
            "n_reviews": mean.n if mean else 0,
            "mean_review_score": mean.mean if mean else None,
            "sd_review_score": mean.sd if mean else None,
            "lowest_review_score": mean.lowest if mean else None,
            "highest_review_score": mean.highest if mean else None,
        }
        for component in AXIS_OF:
            axis = axes.get(hypothesis_id, {}).get(component)
            row[f"{component}_score"] = axis.score if axis else None
            row[f"{component}_s"] = normalised(axis.score if axis else None)
            row[f"{component}_review_id"] = axis.review_id if axis else None
        rows.append(row)
    return frame_of(rows, _REVIEWS)


def scores_frame(run: RunView) -> pd.DataFrame:
    """Every review with its scores and what the citations make of them.

    Returns
    -------
    pandas.DataFrame
        One row per review, by hypothesis and number. ``max_correctness``: empty where the manifest
        cannot be read. ``capped_correctness``: the smaller of score and cap. ``capped_mean_score``: the
        mean with the capped score. ``triggers``, ``warnings``, ``errors``: codes, separated by blanks.

    Raises
    ------
    DocumentError
        A review is malformed, or a score is no integer from 1 to 5.
    """
    with Folder.open(run.path) as folder:
        loaded = {review.stored.stem: review for review in load_reviews(folder)}
    judged = {judgement.stem: judgement for judgement in run.check()}
    rows = []
    for stem, review in loaded.items():
        judgement = judged[stem]
        most = judgement.ruling.max_correctness if judgement.cap_known else None
        given = review.scores.get("correctness")
        capped = given if most is None or given is None else min(given, most)
        rows.append(
            {
                "review_id": judgement.review_id,
                "hypothesis_id": review.stored.hypothesis_id,
                "review_type": judgement.review_type,
                "reviewer": judgement.reviewer,
                "epoch": review.stored.epoch,
                **review.scores,
                "max_correctness": most,
                "capped_correctness": capped,
                "mean_review_score": review.mean,
                "capped_mean_score": review.mean - ((given or 0) - (capped or 0)) / len(CORE_AXES),
                "n_phantom": judgement.counts.phantom if judgement.counts else None,
                "triggers": " ".join(judgement.triggers),
                "warnings": " ".join(judgement.warnings),
                "errors": " ".join(dict.fromkeys(breach.code for breach in judgement.breaches)),
            }
        )
    return frame_of(rows, _SCORES)


def standings_frame(
    run: RunView,
    *,
    composite: bool = False,
    preset: str | None = None,
    weights: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """The standings, best first.

    Returns
    -------
    pandas.DataFrame
        One row per hypothesis that is not quarantined. ``elo``: 1500 for one without a match, and then
        ``rated`` is false. With `composite` also ``elo_composite``, ``composite_delta`` and for each
        component its score (1 to 5, empty where nobody scored it), S, weight, contribution in Elo points
        and source review; ``attrs["weights"]`` holds the weights in force.
    """
    if not composite and (preset or weights):
        raise PolicyError("--preset and --weights require --composite", remedy="Add --composite")
    in_force = run.weights(preset, weights) if composite else None
    rows = []
    for standing in run.standing_rows(in_force):
        row = standing.to_dict()
        for component, part in standing.components.items():
            row |= {
                f"{component}_score": part.score,
                f"{component}_s": part.s,
                f"{component}_weight": part.weight,
                f"{component}_contribution": part.contribution,
                f"{component}_review_id": part.source,
            }
        rows.append(row)
    frame = frame_of(rows, _STANDINGS | (_COMPOSITE if composite else {}))
    if in_force is not None:
        frame.attrs["weights"] = in_force.to_dict()
    return frame
