"""The standings and the next matches of an open run; nobody in quarantine takes part.

Reads hypotheses, ratings and matches, and for the composite and for seeding the reviews; changes nothing.
No network. No clock.
"""

from __future__ import annotations

from collections.abc import Sequence

from novelty_kit.review.axes import latest_axes, load_reviews, review_means
from novelty_kit.review.composite import Weights
from novelty_kit.review.contents import find_reviews
from novelty_kit.review.folder import Folder
from novelty_kit.review.pairing import Pair, Pairing, swiss_pairing
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.ratings import latest_ratings, read_matches
from novelty_kit.review.standings import Standing, composite_standings, elo_standings
from novelty_kit.review.whereabouts import hypothesis_places, quarantine_states

__all__ = ["known_hypotheses", "next_matches", "standing_rows"]


def known_hypotheses(run: Folder) -> tuple[str, ...]:
    """Every hypothesis that has a file, a review or a rating, sorted."""
    reviewed = {review.hypothesis_id for review in find_reviews(run)}
    return tuple(sorted({*hypothesis_places(run), *reviewed, *latest_ratings(run).by_hypothesis}))


def standing_rows(
    run: Folder,
    weights: Weights | None = None,
    ids: Sequence[str] | None = None,
    policy: ReviewPolicy | None = None,
) -> tuple[Standing, ...]:
    """The standings: by Elo without weights (no review and no setting is read), else by composite."""
    ratings = latest_ratings(run)
    known = {*hypothesis_places(run), *ratings.by_hypothesis} - set(quarantine_states(run))
    taking_part = sorted(known if ids is None else known & set(ids))
    if weights is None:
        return elo_standings(taking_part, ratings)
    return composite_standings(taking_part, ratings, latest_axes(load_reviews(run), policy), weights)


def next_matches(
    run: Folder,
    *,
    epoch: int | None = None,
    budget: int | None = None,
    window: int | None = None,
    forced: Sequence[Pair] = (),
) -> Pairing:
    """Propose the next matches; without an epoch for that of the ratings."""
    ratings = latest_ratings(run)
    return swiss_pairing(
        [row.hypothesis_id for row in standing_rows(run)],
        ratings,
        review_means(load_reviews(run)),
        read_matches(run),
        epoch=(ratings.epoch or 0) if epoch is None else epoch,
        budget=budget,
        window=window,
        forced=forced,
    )
