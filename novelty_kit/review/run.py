"""A run of reviewed hypotheses: opened, checked, added to, counted.

The facade of the room. Reading takes no lock and works on a read-only file system; whatever changes
something holds the run's lock. Frames have one row per hypothesis, or one per review. No network.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from novelty_kit.errors import DocumentError, InputError, Problem
from novelty_kit.output import shorten
from novelty_kit.review.adding import AddedReview, prepare_review, write_review
from novelty_kit.review.axes import latest_axes, load_reviews, review_means
from novelty_kit.review.citation import CitationKey, citation_key
from novelty_kit.review.composite import Weights, resolve_weights
from novelty_kit.review.contents import (
    StoredReview,
    core_claim,
    find_manifest,
    find_reviews,
    hypothesis_places,
    pending_ids,
    read_hypothesis,
    read_settings,
)
from novelty_kit.review.folder import Folder
from novelty_kit.review.journal import finish_pending
from novelty_kit.review.judgement import Breach, Judgement, judge_review
from novelty_kit.review.lock import locked
from novelty_kit.review.pairing import Pair, Pairing, swiss_pairing
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.quarantine import Quarantined, quarantine_hypothesis
from novelty_kit.review.ratings import Ratings, latest_ratings, read_matches
from novelty_kit.review.standings import Standing, composite_standings, elo_standings
from novelty_kit.review.store import (
    FOLDERS,
    IdKind,
    allocate,
    require_hypothesis_id,
    review_id_parts,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["QuarantineState", "Run", "open_run"]

QuarantineState = Literal["moved", "interrupted", "two_files", "status_only"]


@dataclass(frozen=True)
class Run:
    """One run directory.

    Attributes
    ----------
    path : Path
        The directory, as it was named.
    policy : ReviewPolicy
    """

    path: Path
    policy: ReviewPolicy = field(default_factory=ReviewPolicy)

    def with_policy(self, policy: ReviewPolicy) -> Run:
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
            declared = bool(read_settings(run).constraints)
            return tuple(self._judge(run, review, tuple(core), declared) for review in find_reviews(run))

    def _judge(self, run: Folder, review: StoredReview, core: tuple[str, ...], declared: bool) -> Judgement:
        hypothesis_id = review.hypothesis_id
        is_named = review_id_parts(f"{hypothesis_id}.R-01") is not None
        found = find_manifest(run, hypothesis_id) if is_named else None
        judgement = judge_review(
            review.record or {},
            hypothesis_id,
            review_id=review.stem,
            manifest=found.manifest if found else None,
            manifest_fault=found.fault if found else None,
            constraints_declared=declared,
            core=core_claim(self._readable_hypothesis(run, hypothesis_id), core),
            policy=self.policy,
        )
        judgement = replace(judgement, stem=review.stem)
        if review.record is None:
            unread = (Breach("E-RECORD", review.fault or "cannot be read"),)
            return replace(judgement, breaches=unread, schema_valid=False)
        named = review.record.get("id")
        if review_id_parts(review.stem) is None:
            misnamed = Breach("E-NAME", f"the file {review.file} is not named after a review id")
        elif isinstance(named, str) and named != review.stem:
            misnamed = Breach("E-NAME", f"the file {review.file} holds the review {named}", "/id")
        else:
            return judgement
        return replace(judgement, breaches=(*judgement.breaches, misnamed))

    def _readable_hypothesis(self, run: Folder, hypothesis_id: str) -> Mapping[str, Any] | None:
        # A judgement needs no hypothesis file; one that cannot be read is among the problems.
        for place in hypothesis_places(run).get(hypothesis_id, ()):
            with contextlib.suppress(DocumentError):
                return read_hypothesis(run, place, hypothesis_id)
        return None

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
        found = []
        with Folder.open(self.path) as run:
            if not find_reviews(run):
                found.append(
                    Problem("no review was found, so nothing was checked", remedy="Name a run with reviews/")
                )
            for text in core:
                if not any(citation_key(text) in keys for keys in _cited(run)):
                    found.append(
                        Problem(
                            f"--core {shorten(text, 60)} is in no manifest of the run",
                            remedy="Write it as the manifest does",
                        )
                    )
            for hypothesis_id in pending_ids(run):
                found.append(
                    Problem(
                        f"the quarantine of {hypothesis_id} was interrupted",
                        remedy=f"`review quarantine --for {hypothesis_id}` finishes it",
                    )
                )
            for hypothesis_id, places in hypothesis_places(run).items():
                if len(places) > 1 and hypothesis_id not in pending_ids(run):
                    found.append(
                        Problem(
                            f"{hypothesis_id} has a file in hypotheses/ and one in quarantine/",
                            remedy="It counts as quarantined; put the wrong one away",
                        )
                    )
                for place in places:
                    try:
                        read_hypothesis(run, place, hypothesis_id)
                    except DocumentError as error:
                        found.append(error.problem)
        return tuple(found)

    def in_quarantine(self) -> frozenset[str]:
        """The hypotheses that lie in ``quarantine/`` or are on their way, whatever their files say."""
        with Folder.open(self.path) as run:
            places = hypothesis_places(run)
            moved = {one for one, where in places.items() if "quarantine" in where}
            return frozenset({*moved, *pending_ids(run)})

    def quarantined(self) -> dict[str, QuarantineState]:
        """The hypotheses that count as quarantined, and how that is known.

        Returns
        -------
        dict of str to str
            ``moved``: it lies in ``quarantine/``. ``interrupted``: its move has begun. ``two_files``: it
            lies in both folders. ``status_only``: it lies in ``hypotheses/`` and its status says so.

        Raises
        ------
        DocumentError
            A hypothesis cannot be read, so nobody can tell.
        """
        states: dict[str, QuarantineState] = {}
        with Folder.open(self.path) as run:
            pending = pending_ids(run)
            for hypothesis_id, places in hypothesis_places(run).items():
                if hypothesis_id in pending:
                    states[hypothesis_id] = "interrupted"
                elif len(places) > 1:
                    states[hypothesis_id] = "two_files"
                elif places == ("quarantine",):
                    states[hypothesis_id] = "moved"
                elif read_hypothesis(run, "hypotheses", hypothesis_id).get("status") == "quarantined":
                    states[hypothesis_id] = "status_only"
        return states

    def hypotheses(self) -> tuple[str, ...]:
        """Every hypothesis that has a file, a review or a rating, sorted."""
        with Folder.open(self.path) as run:
            reviewed = {review.hypothesis_id for review in find_reviews(run)}
            rated = set(latest_ratings(run).by_hypothesis)
            return tuple(sorted({*hypothesis_places(run), *reviewed, *rated}))

    def add(
        self,
        record: Mapping[str, Any],
        hypothesis_id: str,
        *,
        core: Sequence[str] = (),
        strict: bool = False,
        source: str = "-",
    ) -> AddedReview:
        """Judge a review and store it under the next number.

        Parameters
        ----------
        record : mapping
            The review; its id is overwritten.
        hypothesis_id : str
        core : sequence of str, optional
            Citations that are said to carry the core.
        strict : bool, optional
            Refuse for broken conventions too.
        source : str, optional
            Where the record is from, for messages.

        Raises
        ------
        DocumentError
            The review is refused, with every breach, or the hypothesis does not exist; no number is used.
        OutputError
            The run cannot be written; nothing was lost.
        """
        require_hypothesis_id(hypothesis_id)
        with self._locked() as run:
            finish_pending(run, hypothesis_id)
            prepared = prepare_review(
                run,
                record,
                hypothesis_id,
                source=source,
                core=tuple(core),
                strict=strict,
                policy=self.policy,
            )
            return write_review(run, prepared, hypothesis_id)

    def quarantine(
        self,
        hypothesis_id: str,
        record: Mapping[str, Any] | None = None,
        *,
        review_id: str | None = None,
        reason: str | None = None,
        core: Sequence[str] = (),
        strict: bool = False,
        source: str = "-",
    ) -> Quarantined:
        """Store a review, set the status and move the hypothesis, as one step; or finish such a step.

        Parameters and errors are those of
        :func:`novelty_kit.review.quarantine.quarantine_hypothesis`.
        """
        require_hypothesis_id(hypothesis_id)
        with self._locked() as run:
            return quarantine_hypothesis(
                run,
                hypothesis_id,
                record,
                source=source,
                review_id=review_id,
                reason=reason,
                core=tuple(core),
                strict=strict,
                policy=self.policy,
            )

    def next_id(self, kind: IdKind = "review", hypothesis_id: str | None = None) -> str:
        """Take an id off its counter; the next review that is added gets the one after it."""
        if hypothesis_id is not None:
            require_hypothesis_id(hypothesis_id)
        with self._locked() as run:
            if hypothesis_id is not None and kind == "review":
                finish_pending(run, hypothesis_id)
            return allocate(run, kind, hypothesis_id)

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
        out = self.quarantined()
        with Folder.open(self.path) as run:
            ratings = latest_ratings(run)
            known = {*hypothesis_places(run), *ratings.by_hypothesis} - set(out)
            taking_part = sorted(known if ids is None else known & set(ids))
            if weights is None:
                return elo_standings(taking_part, ratings)
            axes = latest_axes(load_reviews(run), self.policy)
            return composite_standings(taking_part, ratings, axes, weights)

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
        ids = [row.hypothesis_id for row in self.standing_rows()]
        with Folder.open(self.path) as run:
            ratings = latest_ratings(run)
            return swiss_pairing(
                ids,
                ratings,
                review_means(load_reviews(run)),
                read_matches(run),
                epoch=(ratings.epoch or 0) if epoch is None else epoch,
                budget=budget,
                window=window,
                forced=forced,
            )

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

    @contextlib.contextmanager
    def _locked(self) -> Iterator[Folder]:
        with Folder.open(self.path) as run, locked(run):
            yield run


def _cited(run: Folder) -> Iterator[Collection[CitationKey]]:
    for hypothesis_id in sorted({review.hypothesis_id for review in find_reviews(run)}):
        if review_id_parts(f"{hypothesis_id}.R-01"):
            manifest = find_manifest(run, hypothesis_id).manifest
            yield manifest.statuses if manifest else ()


def open_run(path: str | Path, base: str | Path | None = None, policy: ReviewPolicy | None = None) -> Run:
    """Open a run directory, made here or by the other tools of the layout.

    Parameters
    ----------
    path : str or Path
        The directory; with `base`, the run's id.
    base : str or Path, optional
        The directory that holds the runs. The run must lie inside it.
    policy : ReviewPolicy, optional

    Raises
    ------
    InputError
        There is no run there, or the id leads out of the base.
    """
    where = Path(path)
    if base is not None:
        if where.is_absolute() or ".." in where.parts or str(path) in ("", "."):
            raise InputError(
                f"the run id {str(path)!r:.80} does not stay inside the base",
                remedy="A run id is the name of a folder in the base",
            )
        where = Path(base) / where
        if where.exists() and not where.resolve().is_relative_to(Path(base).resolve()):
            raise InputError(
                f"the run {str(path)!r:.80} lies outside the base",
                path=str(where),
                remedy="A run id is the name of a folder in the base, not of a link out of it",
            )
    with Folder.open(where) as run:
        if not any(run.kind(name) for name in ("run.yaml", *FOLDERS)):
            raise InputError(
                "holds no run",
                path=str(where),
                remedy="A run has run.yaml, or folders such as hypotheses/ and reviews/",
            )
    return Run(where, policy or ReviewPolicy())
