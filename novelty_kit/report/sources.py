"""Candidates for a batch of reports, the broken ones among them: each gets a page, none stops the others.

Reads candidate files; writes nothing. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novelty_kit.errors import CandidateError, Problem
from novelty_kit.output import shorten
from novelty_kit.report.documents import names_documents
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.candidate_files import Found, load_records

__all__ = ["Given", "load_given"]


@dataclass(frozen=True, slots=True)
class Given:
    """A candidate as it was given, or what is wrong with it.

    Attributes
    ----------
    label : str or None
        Its ``id``; of a broken one, where it stands.
    candidate : Candidate or None
        None where it is malformed.
    problems : tuple of str
        Why it is malformed, the first one first.
    log : str or None
        The log that it names, relative to the working folder.
    folder : str or None
        The folder that its documents are named from; None where it names none.
    """

    label: str | None
    candidate: Candidate | None
    problems: tuple[str, ...] = ()
    log: str | None = None
    folder: str | None = None


def load_given(path: str) -> list[Given]:
    """Load the candidates of a file, the malformed ones with their problems.

    Raises
    ------
    CandidateError
        The file itself cannot be read, is empty, or is no JSON, Parquet or CSV.
    """
    folder = Path() if path == "-" else Path(path).parent
    return [_given(record, number, path, folder) for number, record in enumerate(load_records(path), 1)]


def _given(found: Found, number: int, path: str, folder: Path) -> Given:
    place = f"{Path(path).name}:{found.line or number}"
    if isinstance(found, Problem):
        return Given(place, None, (str(found),))
    try:
        candidate = read_candidate(found.record, path=Path(path).name, line=found.line)
    except CandidateError as error:
        return Given(
            _label(found.record) or place, None, (str(error), *(str(problem) for problem in error.problems))
        )
    log = None if candidate.graph is None else (folder / candidate.graph).as_posix()
    own = folder.as_posix() if names_documents(candidate) else None
    return Given(candidate.label, candidate, log=log, folder=own)


def _label(record: Any) -> str | None:
    """The ``id`` of a malformed record, where it has one."""
    inner = record.get("candidate", record) if isinstance(record, Mapping) else None
    label = inner.get("id") if isinstance(inner, Mapping) else None
    return shorten(label, 200) if isinstance(label, str) and label else None


def refuse_twins(given: Sequence[Given]) -> None:
    """Two candidates with one id cannot have a page each.

    Raises
    ------
    CandidateError
        Naming the id.
    """
    seen: set[str] = set()
    for one in given:
        if one.label is not None and one.label in seen:
            raise CandidateError(
                f"two candidates have the id '{shorten(one.label, 60)}'", remedy="Give each an id of its own"
            )
        if one.label is not None:
            seen.add(one.label)
