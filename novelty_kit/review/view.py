"""A run of reviewed hypotheses as it can be read: checked, counted, put into frames.

Reading takes no lock and works on a read-only file system. Frames have one row per hypothesis, or one per
review. No network. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from novelty_kit.errors import Problem
from novelty_kit.review.check import check_reviews, run_problems
from novelty_kit.review.cited import cited_by, readable_manifest
from novelty_kit.review.composite import Weights, resolve_weights
from novelty_kit.review.contents import read_settings
from novelty_kit.review.extract import Extraction
from novelty_kit.review.folder import Folder
from novelty_kit.review.judgement import Judgement
from novelty_kit.review.manifest import Manifest
from novelty_kit.review.pairing import Pair, Pairing
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.ratings import Ratings, latest_ratings
from novelty_kit.review.standings import Standing
from novelty_kit.review.store import require_hypothesis_id
from novelty_kit.review.tournament import known_hypotheses, next_matches, standing_rows
from novelty_kit.review.whereabouts import (
    QuarantineState,
    hypothesis_places,
    in_quarantine,
    quarantine_states,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RunView"]


@dataclass(frozen=True)
class RunView:
    """One run directory, for reading.

    Attributes
    ----------
    path : Path
        The directory, as it was named.
    policy : ReviewPolicy
    """

    path: Path
    policy: ReviewPolicy = field(default_factory=ReviewPolicy)

    def with_policy(self, policy: ReviewPolicy) -> Self:
        """The same run under another policy."""
        return replace(self, policy=policy)

    def check(self, core: Sequence[str] = ()) -> tuple[Judgement, ...]:
        """Judge every review of the run; nothing is refused and nothing changed.

        Parameters
        ----------
        core : sequence of str, optional
            Citations that are said to carry the core of their hypothesis.

        Returns
        -------
        tuple of Judgement
            One for each JSON file of ``reviews/``, by hypothesis and number. A file that cannot be read
            has the one breach ``E-RECORD``.

        Raises
        ------
        DocumentError
            ``run.yaml`` cannot be read.
        """
        with Folder.open(self.path) as run:
            return check_reviews(run, tuple(core), self.policy)

    def problems(self, core: Sequence[str] = ()) -> tuple[Problem, ...]:
        """What is wrong with the run beside its reviews.

        Parameters
        ----------
        core : sequence of str, optional
            As for :meth:`check`; one that no manifest of the run knows is a problem.

        Returns
        -------
        tuple of Problem
            Interrupted moves, doubled or unreadable hypotheses, and that there is nothing to check.
        """
        with Folder.open(self.path) as run:
            return run_problems(run, tuple(core))

    def in_quarantine(self) -> frozenset[str]:
        """The hypotheses that lie in ``quarantine/`` or are on their way, whatever their files say."""
        with Folder.open(self.path) as run:
            return in_quarantine(run)

    def quarantined(self) -> dict[str, QuarantineState]:
        """The hypotheses that count as quarantined, and how that is known.

        Values and errors are those of :func:`novelty_kit.review.whereabouts.quarantine_states`.
        """
        with Folder.open(self.path) as run:
            return quarantine_states(run)

    def hypotheses(self) -> tuple[str, ...]:
        """Every hypothesis that has a file, a review or a rating, sorted."""
        with Folder.open(self.path) as run:
            return known_hypotheses(run)

    def hypothesis_files(self) -> tuple[str, ...]:
        """Every hypothesis that has a file, in ``hypotheses/`` or in ``quarantine/``, sorted."""
        with Folder.open(self.path) as run:
            return tuple(hypothesis_places(run))

    def citations_of(self, hypothesis_id: str) -> Extraction:
        """What a hypothesis cites, by its evidence and in its text.

        Raises
        ------
        DocumentError
            The hypothesis does not exist or cannot be read.
        """
        require_hypothesis_id(hypothesis_id)
        with Folder.open(self.path) as run:
            return cited_by(run, hypothesis_id)

    def manifest(self, hypothesis_id: str) -> Manifest | None:
        """What was found out about a hypothesis's citations; None where there is no manifest.

        Raises
        ------
        DocumentError
            There is one that cannot be read.
        """
        require_hypothesis_id(hypothesis_id)
        with Folder.open(self.path) as run:
            return readable_manifest(run, hypothesis_id)

    def ratings(self) -> Ratings:
        """The ratings in force."""
        with Folder.open(self.path) as run:
            return latest_ratings(run)

    def weights(self, preset: str | None = None, overrides: Mapping[str, float] | None = None) -> Weights:
        """The composite's weights in force, after ``run.yaml``, the preset and the overrides."""
        with Folder.open(self.path) as run:
            return resolve_weights(read_settings(run).composite, preset=preset, overrides=overrides)

    def standing_rows(
        self, weights: Weights | None = None, ids: Sequence[str] | None = None
    ) -> tuple[Standing, ...]:
        """The standings: by Elo without weights (no review and no setting is read), else by composite.

        Parameters
        ----------
        weights : Weights, optional
        ids : sequence of str, optional
            Only these; a quarantined one stays out in any case.
        """
        with Folder.open(self.path) as run:
            return standing_rows(run, weights, ids, self.policy)

    def pairing(
        self,
        *,
        epoch: int | None = None,
        budget: int | None = None,
        window: int | None = None,
        forced: Sequence[Pair] = (),
    ) -> Pairing:
        """Propose the next matches between the hypotheses that are not quarantined.

        Parameters
        ----------
        epoch : int, optional
            Without it, that of the ratings.
        budget, window, forced
            As for :func:`novelty_kit.review.pairing.swiss_pairing`.
        """
        with Folder.open(self.path) as run:
            return next_matches(run, epoch=epoch, budget=budget, window=window, forced=forced)

    @property
    def reviews(self) -> pd.DataFrame:
        """What the reviews say, one row per hypothesis; columns as of :func:`frames.reviews_frame`."""
        from novelty_kit.review.frames import reviews_frame

        return reviews_frame(self)

    @property
    def scores(self) -> pd.DataFrame:
        """The reviews themselves, one row each; columns as of :func:`frames.scores_frame`."""
        from novelty_kit.review.frames import scores_frame

        return scores_frame(self)

    def standings(
        self,
        *,
        composite: bool = False,
        preset: str | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> pd.DataFrame:
        """The standings, one row per hypothesis; columns as of :func:`frames.standings_frame`.

        Raises
        ------
        PolicyError
            A preset or weights without `composite`, an unknown preset, or a weight that is none.
        """
        from novelty_kit.review.frames import standings_frame

        return standings_frame(self, composite=composite, preset=preset, weights=weights)
