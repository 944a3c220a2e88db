"""What a candidate's passport, reviews and prior-art record say, for its report; each stands alone.

A document that is missing or broken gives that part alone an error. Reads what the candidate names; writes
nothing, and never blends the audits into one number. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import DocumentError, NoveltyKitError
from novelty_kit.output import shorten
from novelty_kit.report.documents import document_path

if TYPE_CHECKING:
    from novelty_kit.verdict.candidate import Candidate

__all__ = ["AUDITS", "audit_errors", "gather_audits"]

AUDITS = ("passport", "review", "prior_art")
_MOST_TEXT = 2_000  # characters of one text


def gather_audits(candidate: Candidate, folder: str | None) -> dict[str, dict[str, Any] | None]:
    """Read what a candidate names and sum it up.

    Parameters
    ----------
    candidate : Candidate
    folder : str or None
        The folder that its documents are named from; None is the working folder.

    Returns
    -------
    dict
        ``passport``, ``review`` and ``prior_art``: the summary of that room, ``{"error": …}`` where the document
        cannot be read, None where the candidate names none.
    """
    return {
        "passport": None
        if candidate.passport is None
        else _part(folder, lambda: _passport(candidate, folder)),
        "review": None if candidate.review_run is None else _part(folder, lambda: _review(candidate, folder)),
        "prior_art": None
        if candidate.priorart is None
        else _part(folder, lambda: _prior_art(candidate, folder)),
    }


def audit_errors(record: Mapping[str, Any]) -> list[str]:
    """What is wrong with the documents of a record's candidate, one sentence each."""
    parts = [(name, record.get(name)) for name in AUDITS]
    return [f"{name.replace('_', ' ')}: {part['error']}" for name, part in parts if part and "error" in part]


def _part(folder: str | None, read: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    try:
        return {name: _cut(value) for name, value in read().items()}
    except NoveltyKitError as error:
        return {"error": shorten(str(replace(error.problem, path=_shown(error.problem.path, folder))), 600)}


def _shown(path: str | None, folder: str | None) -> str | None:
    """A path as the candidate's file would name it: no part of where that file lies."""
    if path is None:
        return None
    base, given = Path(folder or ".").absolute(), Path(path).absolute()
    return given.relative_to(base).as_posix() if given.is_relative_to(base) else Path(path).name


def _cut(value: Any) -> Any:
    """The same with no text longer than a page can bear."""
    if isinstance(value, str):
        return shorten(value, _MOST_TEXT)
    if isinstance(value, Mapping):
        return {name: _cut(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(one) for one in value]
    return value


def _passport(candidate: Candidate, folder: str | None) -> Mapping[str, Any]:
    from novelty_kit.passport import read_manuscript, read_passport, summary

    passport = read_passport(document_path(folder, "passport", str(candidate.passport)))
    manuscript = None
    if candidate.manuscript is not None:
        manuscript = read_manuscript(document_path(folder, "manuscript", candidate.manuscript))
    return summary(passport, passport.gate(manuscript=manuscript), manuscript)


def _review(candidate: Candidate, folder: str | None) -> Mapping[str, Any]:
    from novelty_kit.review import open_run
    from novelty_kit.review.summary import summary

    if candidate.hypothesis_id is None:
        raise DocumentError(
            "the candidate names a review run and no hypothesis", remedy="Give its hypothesis_id"
        )
    run = open_run(document_path(folder, "review_run", str(candidate.review_run)))
    found = summary(run, candidate.hypothesis_id)
    if found["status"] == "not_reviewed" and candidate.hypothesis_id not in run.hypotheses():
        raise DocumentError(
            f"the run '{shorten(str(candidate.review_run), 60)}' knows no hypothesis "
            f"'{shorten(candidate.hypothesis_id, 60)}'",
            remedy="Give the id of one of its hypotheses",
        )
    return found


def _prior_art(candidate: Candidate, folder: str | None) -> Mapping[str, Any]:
    """As ``novelty priorart record`` on the folder's ``verdicts.json``."""
    from novelty_kit.priorart import TextStore, build_record, read_claims, read_search_log, read_verdicts
    from novelty_kit.priorart.render import summary

    case = document_path(folder, "priorart", str(candidate.priorart))
    if not case.is_dir():
        raise DocumentError(
            f"priorart '{shorten(str(candidate.priorart), 100)}' is no folder",
            remedy="Name the folder that holds verdicts.json, claims.json, search_log.jsonl and store/",
        )
    verdicts = case / "verdicts.json"
    record = build_record(
        read_verdicts(str(verdicts)),
        claims=read_claims(str(case / "claims.json")),
        log=read_search_log(str(case / "search_log.jsonl")),
        store=TextStore(case / "store"),
        path=str(verdicts),
    )
    return summary(record)
