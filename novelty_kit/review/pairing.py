"""Swiss pairing on one scale, with a bye that goes round.

Every hypothesis that is not quarantined takes part, rated or not. The seed is its Elo plus a share of its
mean review score in Elo points, so that a reviewed and an unreviewed one can be compared. A bye counts as
a point, and nobody gets a second one before everybody had one (review reference, section 10). No network.
No clock. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from novelty_kit.errors import InputError
from novelty_kit.review.axes import ReviewMean
from novelty_kit.review.ratings import Match, Ratings
from novelty_kit.review.rubric import rubric

__all__ = ["Pair", "Pairing", "swiss_pairing"]

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Proposed matches.

    Attributes
    ----------
    pairs : tuple of (str, str)
        In the order of play, the better placed first.
    byes : tuple of str
        Who sat out, one entry a round and hypothesis.
    """

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...]


def swiss_pairing(
    ids: Iterable[str],
    ratings: Ratings,
    means: Mapping[str, ReviewMean],
    matches: Iterable[Match] = (),
    *,
    epoch: int = 0,
    budget: int | None = None,
    window: int | None = None,
    forced: Sequence[Pair] = (),
) -> Pairing:
    """Propose the next matches.

    Parameters
    ----------
    ids : iterable of str
        Who takes part.
    ratings : Ratings
    means : mapping of str to ReviewMean
        Whoever has none is neutral.
    matches : iterable of Match
        Those played already.
    epoch : int
        The epoch to pair for.
    budget : int, optional
        At most this many pairs, forced ones included (10).
    window : int, optional
        No pair meets again within this many epochs, the present one included (2); 0 for no limit.
    forced : sequence of pairs, optional
        Played first whatever the window says.

    Raises
    ------
    InputError
        A forced pair names somebody who does not take part, or one hypothesis twice.
    """
    taking_part = sorted(set(ids))
    budget = rubric().pairing["budget"] if budget is None else budget
    window = rubric().pairing["window"] if window is None else window
    for a, b in forced:
        if a == b or a not in taking_part or b not in taking_part:
            raise InputError(
                f"{a} against {b} cannot be paired", remedy="Name two hypotheses that are not in quarantine"
            )
    if len(taking_part) < 2 or budget <= 0:
        return Pairing((), ())
    met = {
        frozenset((match.a, match.b))
        for match in matches
        if window > 0 and epoch - window < match.epoch <= epoch
    }
    pairs = list(dict.fromkeys(forced))[:budget]
    met |= {frozenset(pair) for pair in pairs}
    seeds = {one: _seed(one, ratings, means) for one in taking_part}
    points = dict.fromkeys(taking_part, 0)
    byes: list[str] = []
    for _ in range(max(1, (len(taking_part) - 1).bit_length())):
        if len(pairs) >= budget:
            break
        order = sorted(taking_part, key=lambda one: (-points[one], -seeds[one], one))
        playing = order
        if len(order) % 2:
            sits_out = _bye(order, byes, ratings)
            playing = [one for one in order if one != sits_out]
        round_pairs = _pairs_of(playing, met)
        pairs += round_pairs[: budget - len(pairs)]
        met |= {frozenset(pair) for pair in round_pairs}
        for a, b in round_pairs:
            points[a if ratings.of(a).elo >= ratings.of(b).elo else b] += 1
        paired = {one for pair in round_pairs for one in pair}
        for one in order:
            if one not in paired:
                byes.append(one)
                points[one] += 1
    return Pairing(tuple(pairs), tuple(byes))


def _seed(hypothesis_id: str, ratings: Ratings, means: Mapping[str, ReviewMean]) -> float:
    mean = means.get(hypothesis_id)
    share = (mean.mean - 1) / 4 - 0.5 if mean else 0.0
    return ratings.of(hypothesis_id).elo + float(rubric().pairing["seed_weight"]) * share


def _bye(order: Sequence[str], byes: Sequence[str], ratings: Ratings) -> str:
    """Who sits out: the fewest byes so far, then the most matches played, then the last in order."""
    had = Counter(byes)
    place = {one: at for at, one in enumerate(order)}
    return min(order, key=lambda one: (had[one], -ratings.of(one).matches, -place[one]))


def _pairs_of(order: Sequence[str], met: Collection[frozenset[str]]) -> list[Pair]:
    """Pair neighbours; where two are left over that may not meet, open one pair for them."""
    pairs: list[Pair] = []
    left: list[str] = []
    waiting = list(order)
    while waiting:
        first = waiting.pop(0)
        partner = next((other for other in waiting if frozenset((first, other)) not in met), None)
        if partner is None:
            left.append(first)
        else:
            waiting.remove(partner)
            pairs.append((first, partner))
    place = {one: at for at, one in enumerate(order)}
    while len(left) > 1:
        opened = _opened(pairs, left[0], left[1], met)
        if opened is None:
            break
        at, new = opened
        pairs[at : at + 1] = [_in_order(pair, place) for pair in new]
        left = left[2:]
    return sorted(pairs, key=lambda pair: place[pair[0]])


def _opened(
    pairs: Sequence[Pair], x: str, y: str, met: Collection[frozenset[str]]
) -> tuple[int, tuple[Pair, Pair]] | None:
    for at in range(len(pairs) - 1, -1, -1):
        a, b = pairs[at]
        for first, second in ((x, y), (y, x)):
            if frozenset((a, first)) not in met and frozenset((b, second)) not in met:
                return at, ((a, first), (b, second))
    return None


def _in_order(pair: Pair, place: Mapping[str, int]) -> Pair:
    a, b = pair
    return (a, b) if place[a] < place[b] else (b, a)
