"""The journal of a quarantine: a move that a kill cannot break.

First ``.novelty-quarantine-H-XXXX.json`` says what is going to happen. Then the review is stored, the
hypothesis is written to ``quarantine/`` with its status set, its file in ``hypotheses/`` is removed, and
the journal goes. Every step may be repeated: whoever comes next finds the journal and finishes. From the
journal on, the hypothesis counts as quarantined. The caller of each function holds the run's lock. No
network. No clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.errors import DamageError, DocumentError
from novelty_kit.review.folder import Folder
from novelty_kit.review.record import parse_record, record_bytes
from novelty_kit.review.store import (
    clear_staged_reviews,
    file_of,
    next_review_id,
    review_id_parts,
    store_review,
)
from novelty_kit.review.whereabouts import hypothesis_places, journal_name, read_hypothesis

__all__ = ["STEPS", "Journal", "begin", "carry_out", "finish_pending"]


@dataclass(frozen=True, slots=True)
class Journal:
    """What a quarantine that has begun is going to do.

    Attributes
    ----------
    hypothesis_id, review_id : str
    review : mapping or None
        The review to store; None where it was stored before.
    log_lines : tuple of str
        What the finished step prints.
    """

    hypothesis_id: str
    review_id: str
    review: Mapping[str, Any] | None
    log_lines: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """The journal's file."""
        return record_bytes(
            {
                "journal": 1,
                "hypothesis_id": self.hypothesis_id,
                "review_id": self.review_id,
                "review": dict(self.review) if self.review is not None else None,
                "log_lines": list(self.log_lines),
            }
        )


def carry_out(run: Folder, journal: Journal) -> Journal:
    """Quarantine a hypothesis as the journal says; the journal comes back with the id the review got."""
    begin(run, journal)
    return _finish(run, journal)


def begin(run: Folder, journal: Journal) -> None:
    """Write the journal; from here on the quarantine is going to be finished by whoever comes next."""
    run.replace(journal_name(journal.hypothesis_id), journal.to_bytes())


def finish_pending(run: Folder, hypothesis_id: str) -> Journal | None:
    """Finish an interrupted quarantine and say what it was; None where there is none.

    Raises
    ------
    DamageError
        The journal is no journal, or the hypothesis has no file any more.
    """
    name = journal_name(hypothesis_id)
    return None if run.kind(name) is None else _finish(run, _read_journal(run, name, hypothesis_id))


def _finish(run: Folder, journal: Journal) -> Journal:
    for step in STEPS:
        journal = step(run, journal)
    return journal


def _read_journal(run: Folder, name: str, hypothesis_id: str) -> Journal:
    look = f"Look at {hypothesis_id} in hypotheses/, quarantine/ and reviews/, then remove the journal"
    try:
        raw = parse_record(run.read(name), run.shown(name))
    except DocumentError as error:
        raise DamageError(
            "the journal of an interrupted quarantine cannot be read", path=run.shown(name), remedy=look
        ) from error
    review, review_id, lines = raw.get("review"), raw.get("review_id"), raw.get("log_lines")
    is_ours = raw.get("journal") == 1 and raw.get("hypothesis_id") == hypothesis_id
    if (
        not is_ours
        or not isinstance(review_id, str)
        or (review_id_parts(review_id) or ("", 0))[0] != hypothesis_id
        or not (review is None or isinstance(review, dict))
        or not isinstance(lines, list)
    ):
        raise DamageError(
            "the journal of an interrupted quarantine is not one of this hypothesis",
            path=run.shown(name),
            remedy=look,
        )
    return Journal(hypothesis_id, review_id, review, tuple(str(line) for line in lines))


def store_the_review(run: Folder, journal: Journal) -> Journal:
    """Give the review its file; where another tool took its number meanwhile, the next one."""
    if journal.review is None:
        return journal
    content = record_bytes({**journal.review, "id": journal.review_id})
    with run.sub("reviews") as reviews:
        name = file_of(journal.review_id)
        taken = reviews.kind(name)
        if taken == "file" and reviews.read(name) == content:
            return journal
    if taken:
        review_id = next_review_id(run, journal.hypothesis_id)
        review = {**journal.review, "id": review_id}
        journal = Journal(journal.hypothesis_id, review_id, review, journal.log_lines)
        begin(run, journal)
        content = record_bytes(review)
    store_review(run, journal.review_id, content)
    return journal


def copy_to_quarantine(run: Folder, journal: Journal) -> Journal:
    """Write the hypothesis to ``quarantine/`` with its status set, from what ``hypotheses/`` holds now."""
    places = hypothesis_places(run).get(journal.hypothesis_id, ())
    if "hypotheses" not in places:
        if "quarantine" not in places:
            raise DamageError(
                f"{journal.hypothesis_id} is neither in hypotheses/ nor in quarantine/",
                path=run.shown(journal_name(journal.hypothesis_id)),
                remedy="Put its file back into hypotheses/, then repeat",
            )
        return journal
    with run.sub("quarantine", create=True) as folder:
        folder.replace(file_of(journal.hypothesis_id), _quarantined_bytes(run, journal.hypothesis_id))
    return journal


def remove_original(run: Folder, journal: Journal) -> Journal:
    """Take the file in ``hypotheses/`` away, once ``quarantine/`` holds everything that it says."""
    hypothesis_id = journal.hypothesis_id
    while "hypotheses" in hypothesis_places(run).get(hypothesis_id, ()):
        with run.sub("hypotheses") as source, run.sub("quarantine") as target:
            name, wanted = file_of(hypothesis_id), _quarantined_bytes(run, hypothesis_id)
            if target.kind(name) == "file" and target.read(name) == wanted:
                source.remove(name)
                break
        # Somebody changed it after it was copied: what they wrote must not be lost.
        copy_to_quarantine(run, journal)
    return journal


def close_journal(run: Folder, journal: Journal) -> Journal:
    """Take away what interrupted attempts left behind, and last the journal: the quarantine is finished."""
    clear_staged_reviews(run, journal.hypothesis_id)
    with run.sub("quarantine") as folder:
        folder.clear_staged(file_of(journal.hypothesis_id))
    run.clear_staged(journal_name(journal.hypothesis_id))
    run.remove(journal_name(journal.hypothesis_id))
    return journal


def _quarantined_bytes(run: Folder, hypothesis_id: str) -> bytes:
    return record_bytes({**read_hypothesis(run, "hypotheses", hypothesis_id), "status": "quarantined"})


STEPS: Final[tuple[Callable[[Folder, Journal], Journal], ...]] = (
    store_the_review,
    copy_to_quarantine,
    remove_original,
    close_journal,
)
"""What follows the journal, in order; each may be repeated after a kill."""
