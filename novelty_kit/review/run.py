"""A run of reviewed hypotheses: opened, checked, added to, counted.

The facade of the room. Reading stands in :mod:`novelty_kit.review.view`; what is here changes something, and
holds the run's lock for it. No network.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from novelty_kit.review.adding import AddedReview, prepare_review, write_review
from novelty_kit.review.cited import store_manifest
from novelty_kit.review.folder import Folder
from novelty_kit.review.journal import finish_pending
from novelty_kit.review.lock import locked
from novelty_kit.review.manifest import Citation, Manifest
from novelty_kit.review.quarantine import Quarantined, quarantine_hypothesis
from novelty_kit.review.record import as_record
from novelty_kit.review.store import IdKind, allocate, require_hypothesis_id
from novelty_kit.review.view import RunView

__all__ = ["Run"]


@dataclass(frozen=True)
class Run(RunView):
    """One run directory, for reading and for adding to it."""

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
                as_record(record, source),
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
                None if record is None else as_record(record, source),
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

    def write_manifest(
        self,
        hypothesis_id: str,
        citations: Sequence[Citation],
        *,
        verified_at: str,
        verifier: str,
    ) -> Manifest:
        """Write ``citations/H-XXXX.json`` and give what it holds now.

        A citation about which nothing was found out keeps what an earlier manifest decided of the same
        claim.

        Parameters
        ----------
        hypothesis_id : str
        citations : sequence of Citation
        verified_at : str
            When, as an ISO 8601 time.
        verifier : str
            Name and version of the program that looked.

        Raises
        ------
        DocumentError
            There is a manifest that cannot be read; it is left alone.
        OutputError
            The run cannot be written; nothing was lost.
        """
        require_hypothesis_id(hypothesis_id)
        with self._locked() as run:
            return store_manifest(
                run, hypothesis_id, tuple(citations), verified_at=verified_at, verifier=verifier
            )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[Folder]:
        with Folder.open(self.path) as run, locked(run):
            yield run
