"""Where each hypothesis of a run is, and whether it counts as quarantined.

Reads ``hypotheses/``, ``quarantine/`` and the names of the journals; changes nothing. In doubt a hypothesis
counts as quarantined. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.output import shorten
from novelty_kit.review.folder import Folder
from novelty_kit.review.record import parse_record
from novelty_kit.review.store import file_of, hypothesis_ids

__all__ = [
    "Place",
    "QuarantineState",
    "disorder",
    "hypothesis_places",
    "in_quarantine",
    "journal_name",
    "pending_ids",
    "quarantine_states",
    "read_hypothesis",
]

Place = Literal["hypotheses", "quarantine"]
QuarantineState = Literal["moved", "interrupted", "two_files", "status_only"]

_JOURNAL_PREFIX: Final = ".novelty-quarantine-"


def hypothesis_places(run: Folder) -> dict[str, tuple[Place, ...]]:
    """For each hypothesis that has a file, the folders that hold one, ``hypotheses`` first."""
    places: dict[str, tuple[Place, ...]] = {}
    rooms: tuple[Place, ...] = ("hypotheses", "quarantine")
    for room in rooms:
        for hypothesis_id in hypothesis_ids(run, room):
            places[hypothesis_id] = (*places.get(hypothesis_id, ()), room)
    return dict(sorted(places.items()))


def read_hypothesis(run: Folder, place: Place, hypothesis_id: str) -> dict[str, Any]:
    """Read a hypothesis's record.

    Raises
    ------
    DocumentError
        It is no JSON object, or its id is not the file's.
    """
    with run.sub(place) as folder:
        if folder.kind(file_of(hypothesis_id)) is None:
            raise DocumentError(
                "hypothesis file not found",
                path=run.shown(f"{place}/{file_of(hypothesis_id)}"),
                remedy="Add the hypothesis first, or correct the id",
            )
        path = f"{place}/{file_of(hypothesis_id)}"
        record = parse_record(folder.read(file_of(hypothesis_id)), path)
    if record.get("id", hypothesis_id) != hypothesis_id:
        raise DocumentError(
            f"names itself {shorten(str(record['id']), 40)!r}",
            path=path,
            pointer="/id",
            remedy="Correct the id",
        )
    return record


def journal_name(hypothesis_id: str) -> str:
    """The name of the file that says that a quarantine has begun."""
    return f"{_JOURNAL_PREFIX}{hypothesis_id}.json"


def pending_ids(run: Folder) -> tuple[str, ...]:
    """The hypotheses whose quarantine has begun and is not finished."""
    named = re.compile(re.escape(_JOURNAL_PREFIX) + r"(H-[0-9]{4})\.json")
    return tuple(found[1] for name in run.names() if (found := named.fullmatch(name)))


def in_quarantine(run: Folder) -> frozenset[str]:
    """The hypotheses that lie in ``quarantine/`` or are on their way, whatever their files say."""
    places = hypothesis_places(run)
    moved = {one for one, where in places.items() if "quarantine" in where}
    return frozenset({*moved, *pending_ids(run)})


def quarantine_states(run: Folder) -> dict[str, QuarantineState]:
    """The hypotheses that count as quarantined, and how that is known.

    Returns
    -------
    dict of str to str
        ``moved``: it lies in ``quarantine/``. ``interrupted``: its move has begun. ``two_files``: it lies
        in both folders. ``status_only``: it lies in ``hypotheses/`` and its status says so.

    Raises
    ------
    DocumentError
        A hypothesis cannot be read, so nobody can tell.
    """
    states: dict[str, QuarantineState] = {}
    pending = pending_ids(run)
    for hypothesis_id, places in hypothesis_places(run).items():
        if hypothesis_id in pending:
            states[hypothesis_id] = "interrupted"
        elif len(places) > 1:
            states[hypothesis_id] = "two_files"
        elif places == ("quarantine",):
            states[hypothesis_id] = "moved"
        elif _status(run, hypothesis_id) == "quarantined":
            # Somebody may have moved it since the folders were listed.
            states[hypothesis_id] = "moved" if hypothesis_id in in_quarantine(run) else "status_only"
    return states


def _status(run: Folder, hypothesis_id: str) -> object:
    try:
        return read_hypothesis(run, "hypotheses", hypothesis_id).get("status")
    except DocumentError:
        if hypothesis_id in in_quarantine(run):
            return "quarantined"
        raise


def disorder(run: Folder) -> tuple[Problem, ...]:
    """Interrupted moves, and hypotheses that have two files or one that cannot be read."""
    found = []
    pending = pending_ids(run)
    for hypothesis_id in pending:
        found.append(
            Problem(
                f"the quarantine of {hypothesis_id} was interrupted",
                remedy=f"`review quarantine --for {hypothesis_id}` finishes it",
            )
        )
    for hypothesis_id, places in hypothesis_places(run).items():
        if len(places) > 1 and hypothesis_id not in pending:
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
                if place in hypothesis_places(run).get(hypothesis_id, ()):
                    found.append(error.problem)
    return tuple(found)
