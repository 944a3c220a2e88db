"""Who stands where: by Elo, or by the composite of Elo and the latest review axes.

Functions of ratings, axes and weights; a quarantined hypothesis is in no standing. Order: rating down,
then id. No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from novelty_kit.review.axes import LatestAxis
from novelty_kit.review.composite import AXIS_OF, Weights, composite_delta, normalised
from novelty_kit.review.ratings import Ratings

__all__ = ["Component", "Standing", "composite_standings", "elo_standings"]


@dataclass(frozen=True, slots=True)
class Component:
    """What one axis adds to an Elo.

    Attributes
    ----------
    score : int or None
        None where no review scores the axis.
    s, weight, contribution : float
        ``contribution = weight * (s - 0.5)``, in Elo points.
    source : str or None
        The review that the score is from.
    """

    score: int | None
    s: float
    weight: float
    contribution: float
    source: str | None

    def to_dict(self) -> dict[str, Any]:
        """The five fields by name."""
        return {
            "score": self.score,
            "s": self.s,
            "weight": self.weight,
            "contribution": self.contribution,
            "source": self.source,
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """One hypothesis in the standings.

    Attributes
    ----------
    hypothesis_id : str
    elo : float
        1500 for one without a match.
    matches, wins, draws : int
    rated : bool
        Whether the ratings know it.
    elo_composite, composite_delta : float or None
        None in standings by Elo alone.
    components : mapping of str to Component
        Goal, constraint and novelty; empty in standings by Elo alone.
    """

    hypothesis_id: str
    elo: float
    matches: int
    wins: int
    draws: int
    rated: bool
    elo_composite: float | None
    composite_delta: float | None
    components: Mapping[str, Component]

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """The standing as ``review standings --json`` prints it."""
        row: dict[str, Any] = {"hypothesis_id": self.hypothesis_id, "elo": self.elo}
        if self.elo_composite is not None:
            row |= {"elo_composite": self.elo_composite, "composite_delta": self.composite_delta}
        row |= {"matches": self.matches, "wins": self.wins, "draws": self.draws, "rated": self.rated}
        if explain:
            row["composite_weights"] = {name: part.weight for name, part in self.components.items()}
            row["components"] = {name: part.to_dict() for name, part in self.components.items()}
        return row


def elo_standings(ids: Collection[str], ratings: Ratings) -> tuple[Standing, ...]:
    """Order hypotheses by Elo."""
    rows = [_standing(hypothesis_id, ratings, None, {}) for hypothesis_id in ids]
    return tuple(sorted(rows, key=lambda row: (-row.elo, row.hypothesis_id)))


def composite_standings(
    ids: Collection[str],
    ratings: Ratings,
    axes: Mapping[str, Mapping[str, LatestAxis]],
    weights: Weights,
) -> tuple[Standing, ...]:
    """Order hypotheses by Elo moved by their latest axes."""
    rows = [_standing(hypothesis_id, ratings, weights, axes.get(hypothesis_id, {})) for hypothesis_id in ids]
    return tuple(sorted(rows, key=lambda row: (-(row.elo_composite or 0.0), row.hypothesis_id)))


def _standing(
    hypothesis_id: str, ratings: Ratings, weights: Weights | None, axes: Mapping[str, LatestAxis]
) -> Standing:
    rating = ratings.of(hypothesis_id)
    components: dict[str, Component] = {}
    delta = None
    if weights is not None:
        components = {name: _component(axes.get(name), weights.of(name)) for name in AXIS_OF}
        delta = composite_delta({name: part.s for name, part in components.items()}, weights)
    return Standing(
        hypothesis_id,
        rating.elo,
        rating.matches,
        rating.wins,
        rating.draws,
        hypothesis_id in ratings.by_hypothesis,
        None if delta is None else rating.elo + delta,
        delta,
        components,
    )


def _component(axis: LatestAxis | None, weight: float) -> Component:
    score = axis.score if axis else None
    s = normalised(score)
    return Component(score, s, weight, weight * (s - 0.5), axis.review_id if axis else None)
