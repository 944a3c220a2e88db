"""What the reviews of a hypothesis say together: the mean with its spread, and the latest axes.

A malformed review or a score outside 1 to 5 is an error that names file and axis: a mean over what could
be read would look like a mean over everything. The mean sorts reviews for attention and enters no
verdict. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from novelty_kit.errors import DocumentError
from novelty_kit.output import shorten
from novelty_kit.review.composite import AXIS_OF
from novelty_kit.review.contents import StoredReview, find_reviews
from novelty_kit.review.folder import Folder
from novelty_kit.review.judgement import axis_score
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.rubric import CORE_AXES, OPTIONAL_AXES, rubric

__all__ = ["LatestAxis", "LoadedReview", "ReviewMean", "latest_axes", "load_reviews", "review_means"]


@dataclass(frozen=True, slots=True)
class LoadedReview:
    """A review whose scores can be counted.

    Attributes
    ----------
    stored : StoredReview
    scores : mapping of str to int
        The axes that it scores.
    """

    stored: StoredReview
    scores: Mapping[str, int]

    @property
    def mean(self) -> float:
        """Mean of the four core axes; one that is absent counts 0."""
        return sum(self.scores.get(axis, 0) for axis in CORE_AXES) / len(CORE_AXES)

    @property
    def is_weighty(self) -> bool:
        """Whether its type is one whose axes a lighter review never overrides."""
        return (self.stored.record or {}).get("review_type") in rubric().weightier_types


@dataclass(frozen=True, slots=True)
class ReviewMean:
    """The mean review score of a hypothesis.

    Attributes
    ----------
    n : int
        Number of reviews.
    mean, lowest, highest : float
        Over the reviews' own means, from 1 to 5.
    sd : float or None
        Sample standard deviation; None with a single review.
    """

    n: int
    mean: float
    sd: float | None
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class LatestAxis:
    """The score of an axis that is in force, and the review that gave it."""

    score: int
    review_id: str


def load_reviews(run: Folder, hypothesis_id: str | None = None) -> tuple[LoadedReview, ...]:
    """Read every review of a run, or of one hypothesis, for counting, by hypothesis and number.

    Raises
    ------
    DocumentError
        A file is no JSON record, or a score that is present is no integer from 1 to 5.
    """
    named = (one for one in find_reviews(run, hypothesis_id) if one.file.startswith("H-"))
    return tuple(LoadedReview(review, _scores(review)) for review in named)


def _scores(review: StoredReview) -> dict[str, int]:
    path = f"reviews/{review.file}"
    if review.record is None:
        raise DocumentError(review.fault or "cannot be read", remedy="`review check` lists every such file")
    scores = review.record.get("scores")
    if not isinstance(scores, dict):
        raise DocumentError("has no scores", path=path, pointer="/scores", remedy="Correct the review")
    found = {}
    for axis in (*CORE_AXES, *OPTIONAL_AXES):
        given = scores.get(axis)
        score = axis_score(given)
        if given is not None and score is None:
            raise DocumentError(
                f"scores.{axis} = {_shown(given)} (must be 1-5)",
                path=path,
                pointer=f"/scores/{axis}",
                remedy="Correct the review",
            )
        if score is not None:
            found[axis] = score
    return found


def _shown(value: Any) -> str:
    return shorten(repr(value), 40)


def review_means(reviews: Iterable[LoadedReview]) -> dict[str, ReviewMean]:
    """The mean review score of each reviewed hypothesis, over all of its reviews."""
    means: dict[str, list[float]] = {}
    for review in reviews:
        means.setdefault(review.stored.hypothesis_id, []).append(review.mean)
    return {hypothesis_id: _mean_of(values) for hypothesis_id, values in sorted(means.items())}


def _mean_of(values: list[float]) -> ReviewMean:
    mean = math.fsum(values) / len(values)
    spread = math.fsum((value - mean) ** 2 for value in values)
    sd = math.sqrt(spread / (len(values) - 1)) if len(values) > 1 else None
    return ReviewMean(len(values), mean, sd, min(values), max(values))


def latest_axes(
    reviews: Iterable[LoadedReview], policy: ReviewPolicy | None = None
) -> dict[str, dict[str, LatestAxis]]:
    """For each reviewed hypothesis the score in force of goal, constraint and novelty, each with its source.

    Among the reviews that score the axis the latest counts: by epoch, then number, then id. A later review
    without the axis hides nothing; an axis that nobody scores is left out.
    """
    by_type = (policy or ReviewPolicy()).latest_axes == "by_type"
    by_hypothesis: dict[str, list[LoadedReview]] = {}
    for review in reviews:
        by_hypothesis.setdefault(review.stored.hypothesis_id, []).append(review)
    found: dict[str, dict[str, LatestAxis]] = {}
    for hypothesis_id, own in sorted(by_hypothesis.items()):
        ordered = sorted(own, key=lambda one: (by_type and one.is_weighty, one.stored.order))
        found[hypothesis_id] = {
            component: LatestAxis(review.scores[axis], review.stored.review_id)
            for component, axis in AXIS_OF.items()
            for review in ordered
            if axis in review.scores
        }
    return found
