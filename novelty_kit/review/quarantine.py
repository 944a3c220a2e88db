"""A request for quarantine: which review calls for it, and has it been carried out before?

The move itself is the journal's; here is decided what goes into it. The same request again, after an
interruption or out of caution, doubles nothing. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from novelty_kit.errors import InputError
from novelty_kit.review.adding import PreparedReview, prepare_review, write_review
from novelty_kit.review.caps import CoreClaim, rule_on
from novelty_kit.review.contents import StoredReview, find_manifest, find_reviews
from novelty_kit.review.folder import Folder
from novelty_kit.review.journal import Journal, carry_out, finish_pending
from novelty_kit.review.judgement import log_lines
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.record import record_bytes
from novelty_kit.review.store import file_of, next_review_id
from novelty_kit.review.whereabouts import hypothesis_places, read_hypothesis

__all__ = ["Quarantined", "quarantine_hypothesis"]


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A hypothesis that is in quarantine now.

    Attributes
    ----------
    hypothesis_id, review_id : str
    log_lines : tuple of str
        The ``QUARANTINE:`` lines.
    moved : bool
        Whether this call moved it, or finished moving it; False where it was there before.
    """

    hypothesis_id: str
    review_id: str
    log_lines: tuple[str, ...]
    moved: bool


def quarantine_hypothesis(
    run: Folder,
    hypothesis_id: str,
    record: Mapping[str, Any] | None = None,
    *,
    source: str = "-",
    review_id: str | None = None,
    reason: str | None = None,
    core: tuple[str, ...] = (),
    strict: bool = False,
    policy: ReviewPolicy | None = None,
) -> Quarantined:
    """Put a hypothesis into quarantine; the caller holds the lock.

    Parameters
    ----------
    run : Folder
    hypothesis_id : str
        A well-formed id.
    record : mapping, optional
        The review that calls for it. Given again after an interruption, it is not stored twice.
    source : str
        Where the record is from, for messages.
    review_id : str, optional
        A stored review that calls for it; without both, the latest stored one that does.
    reason : str, optional
        Quarantine although no trigger holds, for this reason; also the reason of a safety line.
    core, strict, policy
        As for adding a review.

    Raises
    ------
    InputError
        Nothing calls for quarantine and no reason is given, or two differing files of the hypothesis exist.
    DocumentError
        The hypothesis does not exist, or the review is refused.
    """
    pending = finish_pending(run, hypothesis_id)
    if pending is not None and _is_same_request(record, review_id, pending):
        return _done(pending)
    done = _answer(run, hypothesis_id, record, source, review_id, reason, core, strict, policy)
    # Another quarantine was finished on the way: its lines are due too.
    before = pending.log_lines if pending is not None else ()
    return replace(done, log_lines=(*before, *done.log_lines))


def _answer(
    run: Folder,
    hypothesis_id: str,
    record: Mapping[str, Any] | None,
    source: str,
    review_id: str | None,
    reason: str | None,
    core: tuple[str, ...],
    strict: bool,
    policy: ReviewPolicy | None,
) -> Quarantined:
    if record is None:
        return _by_stored(run, hypothesis_id, review_id, reason, policy)
    prepared = prepare_review(
        run, record, hypothesis_id, source=source, core=core, strict=strict, policy=policy
    )
    lines = _lines(prepared, hypothesis_id, reason)
    twin = _stored_twin(run, prepared, hypothesis_id)
    if hypothesis_places(run).get(hypothesis_id) == ("quarantine",):
        stored = twin or write_review(run, prepared, hypothesis_id).review_id
        return Quarantined(hypothesis_id, stored, lines, moved=False)
    _refuse_differing_copies(run, hypothesis_id)
    new_id = twin or next_review_id(run, hypothesis_id)
    review = None if twin else {**prepared.record, "id": new_id}
    return _done(carry_out(run, Journal(hypothesis_id, new_id, review, lines)))


def _done(journal: Journal) -> Quarantined:
    return Quarantined(journal.hypothesis_id, journal.review_id, journal.log_lines, moved=True)


def _lines(prepared: PreparedReview, hypothesis_id: str, reason: str | None) -> tuple[str, ...]:
    lines = log_lines(prepared.record, hypothesis_id, prepared.manifest, prepared.judgement.ruling, reason)
    if not lines:
        raise InputError(
            f"nothing in this review calls for the quarantine of {hypothesis_id}",
            remedy="Add it with `review add`, or give a reason with --reason",
        )
    return lines


def _by_stored(
    run: Folder,
    hypothesis_id: str,
    review_id: str | None,
    reason: str | None,
    policy: ReviewPolicy | None,
) -> Quarantined:
    """Quarantine by a review that is stored already."""
    stored = [review for review in find_reviews(run, hypothesis_id) if review.record is not None]
    for review in sorted(stored, key=lambda one: one.order, reverse=True):
        if review.record is None or review_id not in (None, review.stem):
            continue
        lines = _stored_lines(run, review, hypothesis_id, reason, policy)
        if not lines:
            continue
        if hypothesis_places(run).get(hypothesis_id) == ("quarantine",):
            return Quarantined(hypothesis_id, review.stem, lines, moved=False)
        read_hypothesis(run, "hypotheses", hypothesis_id)
        _refuse_differing_copies(run, hypothesis_id)
        return _done(carry_out(run, Journal(hypothesis_id, review.stem, None, lines)))
    read_hypothesis(run, hypothesis_places(run).get(hypothesis_id, ("hypotheses",))[0], hypothesis_id)
    which = f"review {review_id}" if review_id else "a stored review"
    raise InputError(
        f"{which} of {hypothesis_id} that calls for quarantine was not found",
        remedy="Give the review's file, or a stored review with --review and a reason with --reason",
    )


def _stored_lines(
    run: Folder,
    review: StoredReview,
    hypothesis_id: str,
    reason: str | None,
    policy: ReviewPolicy | None,
) -> tuple[str, ...]:
    record = review.record or {}
    scores = record.get("scores")
    manifest = find_manifest(run, hypothesis_id).manifest
    safety = scores.get("safety") if isinstance(scores, dict) else None
    ruling = rule_on(manifest, safety, CoreClaim(), policy)
    return log_lines(record, hypothesis_id, manifest, ruling, reason)


def _stored_twin(run: Folder, prepared: PreparedReview, hypothesis_id: str) -> str | None:
    """The stored review that says the very same, so that a repeated request doubles nothing."""
    wanted = prepared.bytes_as("")
    for review in find_reviews(run, hypothesis_id):
        if review.record is not None and record_bytes({**review.record, "id": ""}) == wanted:
            return review.stem
    return None


def _is_same_request(record: Mapping[str, Any] | None, review_id: str | None, pending: Journal) -> bool:
    if record is None:
        return review_id in (None, pending.review_id)
    if pending.review is None:
        return False
    named = {"id": "", "hypothesis_id": pending.hypothesis_id}
    return record_bytes({**record, **named}) == record_bytes({**pending.review, **named})


def _refuse_differing_copies(run: Folder, hypothesis_id: str) -> None:
    if hypothesis_places(run).get(hypothesis_id) != ("hypotheses", "quarantine"):
        return
    first, second = (
        record_bytes({**read_hypothesis(run, place, hypothesis_id), "status": ""})
        for place in hypothesis_places(run)[hypothesis_id]
    )
    if first != second:
        raise InputError(
            f"{hypothesis_id} has two files that differ, in hypotheses/ and in quarantine/",
            path=run.shown(f"hypotheses/{file_of(hypothesis_id)}"),
            remedy="Nothing was changed; decide which one is right and put the other away",
        )
