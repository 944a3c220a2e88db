"""Ids and counters of a run: how a record gets a number that no other record has.

Shares the ``.counter-*`` files with the other tools of the layout; whoever allocates or writes here holds
the run's lock. A number is taken from the counter or from the files, whichever is further, so a lost
counter overwrites nothing. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from novelty_kit.errors import DamageError, InputError
from novelty_kit.output import shorten
from novelty_kit.review.folder import STAGED_PREFIX, STAGED_SUFFIX, Folder

__all__ = [
    "FOLDERS",
    "IdKind",
    "allocate",
    "clear_staged_reviews",
    "file_of",
    "hypothesis_ids",
    "next_review_id",
    "require_hypothesis_id",
    "review_id_parts",
    "review_number",
    "store_review",
]

IdKind = Literal["review", "hypothesis", "match"]

FOLDERS: Final = (
    "hypotheses",
    "reviews",
    "matches",
    "ratings",
    "proximity",
    "meta",
    "quarantine",
    "report",
    "citations",
)
_HYPOTHESIS: Final = re.compile(r"H-[0-9]{4}")
_REVIEW: Final = re.compile(r"(H-[0-9]{4})\.R-([0-9]{2,})")
_FILE_OF: Final = {
    "hypothesis": (r"H-([0-9]{4})\.json", ("hypotheses", "quarantine")),
    "match": (r"M-([0-9]{4,})\.json", ("matches",)),
}
# Far beyond any run, and short enough for every file name.
_MAX_NUMBER: Final = 999_999


def require_hypothesis_id(text: str) -> str:
    """Give the id back, or refuse what is none; nothing but such an id ever becomes part of a path."""
    if not _HYPOTHESIS.fullmatch(text):
        raise InputError(
            f"invalid hypothesis ID {shorten(text, 60)!r}", remedy="An id is H- and four digits, as in H-0001"
        )
    return text


def review_id_parts(text: str) -> tuple[str, int] | None:
    """Hypothesis and number of ``H-0001.R-02``; None for any other text."""
    found = _REVIEW.fullmatch(text)
    return (found[1], int(found[2][:18])) if found else None


def review_number(text: str) -> int:
    """The number that orders reviews; 0 for an id that has none."""
    parts = review_id_parts(text)
    return parts[1] if parts else 0


def file_of(record_id: str) -> str:
    """The file name of a record: its id and ``.json``."""
    return f"{record_id}.json"


def hypothesis_ids(folder: Folder, room: str) -> tuple[str, ...]:
    """The hypotheses that have a file in ``hypotheses`` or ``quarantine``, sorted."""
    with folder.sub(room) as inner:
        stems = (name.removesuffix(".json") for name in inner.names() if name.endswith(".json"))
        return tuple(stem for stem in stems if _HYPOTHESIS.fullmatch(stem))


def allocate(run: Folder, kind: IdKind, hypothesis_id: str | None = None) -> str:
    """Take the next id of a kind off its counter; the caller holds the lock.

    Returns
    -------
    str
        ``H-0042``, ``M-0007``, or for a review ``H-0042.R-03``. Nothing else will get this number.
    """
    if kind == "review":
        if hypothesis_id is None:
            raise InputError("--for <hypothesis-id> is required for review artifact type")
        number = _next_review(run, hypothesis_id)
        _set_counter(run, f".counter-review-{hypothesis_id}", number + 1)
        clear_staged_reviews(run, hypothesis_id)
        return f"{hypothesis_id}.R-{number:02d}"
    if hypothesis_id is not None:
        raise InputError("--for is only valid for review artifact type")
    pattern, rooms = _FILE_OF[kind]
    number = max(_counter(run, f".counter-{kind}"), 1 + _highest(run, rooms, pattern))
    if kind == "hypothesis" and number > 9999:
        raise InputError("all 9999 hypothesis ids of the run are taken", remedy="Begin another run")
    _set_counter(run, f".counter-{kind}", number + 1)
    return f"{'H' if kind == 'hypothesis' else 'M'}-{number:04d}"


def store_review(run: Folder, review_id: str, content: bytes) -> None:
    """Give a review its file, and move the counter past its number; the caller holds the lock.

    The content goes to the disk under a temporary name first, then the counter moves on, then the file
    gets its name. Killed in between, the number is free again for the next one: the temporary file says so.

    Raises
    ------
    OutputError
        A file of this name exists, or the run cannot be written; then no number is used up either.
    """
    hypothesis_id, number = review_id_parts(review_id) or ("", 0)
    counter = f".counter-review-{hypothesis_id}"
    with run.sub("reviews", create=True) as reviews:
        staged = reviews.stage(file_of(review_id), content)
        try:
            if _counter(run, counter) <= number:
                _set_counter(run, counter, number + 1)
        except BaseException:
            reviews.remove(staged)
            raise
        reviews.publish_new(staged, file_of(review_id))
    clear_staged_reviews(run, hypothesis_id)


def next_review_id(run: Folder, hypothesis_id: str) -> str:
    """The id that the next review will get; nothing is taken. The caller holds the lock."""
    return f"{hypothesis_id}.R-{_next_review(run, hypothesis_id):02d}"


def _next_review(run: Folder, hypothesis_id: str) -> int:
    with run.sub("reviews") as reviews:
        found = (review_id_parts(name.removesuffix(".json")) for name in reviews.names())
        numbers = {parts[1] for parts in found if parts and parts[0] == hypothesis_id}
        interrupted = [number for _, number in _staged(reviews, hypothesis_id) if number not in numbers]
    number = max(_counter(run, f".counter-review-{hypothesis_id}"), max(numbers, default=0) + 1)
    if number > _MAX_NUMBER:
        raise InputError(f"{hypothesis_id} has no review number left", remedy="Begin another run")
    # The last number was taken by an add that was killed before its file had a name: it is free.
    return number - 1 if number - 1 in interrupted else number


def _staged(reviews: Folder, hypothesis_id: str) -> tuple[tuple[str, int], ...]:
    """What interrupted adds of this hypothesis left behind: name and number."""
    found = []
    for name in reviews.names():
        if name.startswith(STAGED_PREFIX) and name.endswith(STAGED_SUFFIX):
            parts = review_id_parts(name.removeprefix(STAGED_PREFIX).removesuffix(STAGED_SUFFIX))
            if parts and parts[0] == hypothesis_id:
                found.append((name, parts[1]))
    return tuple(found)


def clear_staged_reviews(run: Folder, hypothesis_id: str) -> None:
    """Take away what interrupted adds of a hypothesis left behind; the caller holds the lock."""
    with run.sub("reviews") as reviews:
        for left_over, _ in _staged(reviews, hypothesis_id):
            reviews.remove(left_over)
    run.clear_staged(f".counter-review-{hypothesis_id}")


def _highest(run: Folder, rooms: tuple[str, ...], pattern: str) -> int:
    highest = 0
    for room in rooms:
        with run.sub(room) as folder:
            for name in folder.names():
                found = re.fullmatch(pattern, name)
                highest = max(highest, int(found[1][:18]) if found else 0)
    return highest


def _counter(run: Folder, name: str) -> int:
    """The next number; 1 where there is no counter."""
    if run.kind(name) is None:
        return 1
    text = run.read(name, limit=64).decode("ascii", "replace").strip()
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) > _MAX_NUMBER + 1:
        raise DamageError(
            f"the counter holds {shorten(text, 30)!r} and no number",
            path=run.shown(name),
            remedy="Remove it: the next number then follows from the files",
        )
    return int(text)


def _set_counter(run: Folder, name: str, value: int) -> None:
    run.replace(name, str(value).encode("ascii"))
