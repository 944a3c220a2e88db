"""Elo ratings: the latest file of ``ratings/``, or the match ledger replayed where there is none.

Reads ``ratings/epoch-N.json`` and ``matches/M-NNNN.json``; start, K, margins and scale stand in
``rubric.yaml`` (review reference, section 10). No network. No clock. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from novelty_kit.errors import DocumentError
from novelty_kit.output import shorten
from novelty_kit.review.folder import Folder
from novelty_kit.review.record import parse_record
from novelty_kit.review.rubric import rubric
from novelty_kit.review.schema import RecordKind, schema_problems

__all__ = ["Match", "Rating", "Ratings", "latest_ratings", "read_matches", "replay"]

_EPOCH_FILE: Final = re.compile(r"epoch-([0-9]{1,9})\.json")


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one hypothesis and the games behind it."""

    elo: float
    matches: int = 0
    wins: int = 0
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """One match; `winner` is `a`, `b` or ``draw``."""

    id: str
    epoch: int
    a: str
    b: str
    winner: str
    margin: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings in force.

    Attributes
    ----------
    by_hypothesis : mapping of str to Rating
    epoch : int or None
        Of the file, or of the last match; None where there are neither.
    source : str
        ``file``, ``replayed`` or ``none``.
    """

    by_hypothesis: Mapping[str, Rating] = field(default_factory=dict)
    epoch: int | None = None
    source: Literal["file", "replayed", "none"] = "none"

    def of(self, hypothesis_id: str) -> Rating:
        """The rating of a hypothesis; an unrated one stands at the start, without a match."""
        return self.by_hypothesis.get(hypothesis_id) or Rating(float(rubric().rating["start"]))


def latest_ratings(run: Folder) -> Ratings:
    """The ratings of the highest epoch, else the ledger replayed.

    Raises
    ------
    DocumentError
        The file, or a match, is not what it should be.
    """
    with run.sub("ratings") as folder:
        epochs = [int(found[1]) for name in folder.names() if (found := _epoch(name))]
        if epochs:
            name = f"epoch-{max(epochs)}.json"
            record = _checked(folder, name, "ratings", "ratings")
            return Ratings(
                {
                    hypothesis_id: Rating(
                        float(entry["elo"]),
                        int(entry.get("matches", 0)),
                        int(entry.get("wins", 0)),
                        int(entry.get("draws", 0)),
                    )
                    for hypothesis_id, entry in sorted(record["ratings"].items())
                },
                max(epochs),
                "file",
            )
    matches = read_matches(run)
    if not matches:
        return Ratings()
    return Ratings(replay(matches), max(match.epoch for match in matches), "replayed")


def _epoch(name: str) -> re.Match[str] | None:
    # epoch-01.json would be read under the name epoch-1.json.
    found = _EPOCH_FILE.fullmatch(name)
    return found if found and name == f"epoch-{int(found[1])}.json" else None


def read_matches(run: Folder) -> tuple[Match, ...]:
    """Every match of the ledger, in the order in which it is replayed: by time, then id.

    Raises
    ------
    DocumentError
        A match is not what it should be.
    """
    found = []
    with run.sub("matches") as folder:
        for name in folder.names():
            if not name.startswith("M-") or not name.endswith(".json"):
                continue
            record = _checked(folder, name, "matches", "match")
            match = Match(
                record["id"],
                int(record["epoch"]),
                record["a"],
                record["b"],
                record["winner"],
                record.get("margin") or "decisive",
                record["created_at"],
            )
            if match.a == match.b or match.winner not in (match.a, match.b, "draw"):
                raise DocumentError(
                    f"invalid winner {shorten(match.winner, 20)!r} of {match.a} against {match.b}",
                    path=f"matches/{name}",
                    pointer="/winner",
                    remedy="It is one of two different hypotheses, or draw",
                )
            found.append(match)
    return tuple(sorted(found, key=lambda match: (match.created_at, match.id)))


def replay(matches: Iterable[Match]) -> dict[str, Rating]:
    """Compute the ratings from the ledger, in its order."""
    rules = rubric().rating
    ratings: dict[str, Rating] = {}
    for match in matches:
        a = ratings.get(match.a) or Rating(float(rules["start"]))
        b = ratings.get(match.b) or Rating(float(rules["start"]))
        won = {match.a: 1.0, match.b: 0.0, "draw": 0.5}[match.winner]
        margin = rules["margin"].get(match.margin, 1)
        ratings[match.a] = _after(a, b.elo, won, margin)
        ratings[match.b] = _after(b, a.elo, 1.0 - won, margin)
    return dict(sorted(ratings.items()))


def _after(rating: Rating, other_elo: float, won: float, margin: float) -> Rating:
    rules = rubric().rating
    expected = 1.0 / (1.0 + 10.0 ** ((other_elo - rating.elo) / rules["scale"]))
    k = next(step["k"] for step in rules["k"] if step["up_to"] is None or rating.matches + 1 <= step["up_to"])
    return Rating(
        rating.elo + k * margin * (won - expected),
        rating.matches + 1,
        rating.wins + (won == 1.0),
        rating.draws + (won == 0.5),
    )


def _checked(folder: Folder, name: str, room: str, kind: RecordKind) -> dict[str, Any]:
    record = parse_record(folder.read(name), f"{room}/{name}")
    problems = schema_problems(record, kind)
    if problems:
        raise DocumentError(
            f"is no {kind} record", path=f"{room}/{name}", remedy="Correct it", problems=problems
        )
    return record
