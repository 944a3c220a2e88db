"""What is kept of a report once its files are written: enough for the index, the summary and the next --resume.

A batch may have thousands of reports; none of their records stays in memory. Reads records; writes nothing.
No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from novelty_kit.errors import CandidateError
from novelty_kit.output import shorten
from novelty_kit.report.audit_words import at_a_glance
from novelty_kit.report.audits import AUDITS, audit_errors

__all__ = ["Outcome", "outcome_of", "read_outcome"]

_MOST_WORDS = 300  # of a title or statement, as the index shows it


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one report went.

    Attributes
    ----------
    slug : str
        The name of its files.
    candidate_id, verdict : str or None
        As in the record.
    status : str
        ``error`` where there is only an error page.
    error : str or None
        Why there is only an error page.
    broken_parts : tuple of str
        What is wrong with the documents that the candidate names, one sentence each.
    has_notebook : bool
    made_from : mapping
        What the report depends on.
    words : str
        Title or statement, cut.
    n_shared : tuple of int and int or None, or None
        Nodes shared in-sample and, where one was stated, through the holdout; None where nothing was judged.
    gap : int or None
        Works whose unread list could hide a link; None where the gate was not asked.
    audits : mapping of str to str
        Name and outcome of each audit that the candidate names.
    log : mapping or None
        ``files`` and ``as_of_seq`` of the log that it was judged against.
    """

    slug: str
    candidate_id: str | None
    verdict: str | None
    status: str
    error: str | None
    broken_parts: tuple[str, ...]
    has_notebook: bool
    made_from: Mapping[str, Any]
    words: str
    n_shared: tuple[int, int | None] | None
    gap: int | None
    audits: Mapping[str, str]
    log: Mapping[str, Any] | None

    @property
    def is_whole(self) -> bool:
        """Whether it is a report with all its files."""
        return self.error is None and self.has_notebook


class _Shared(msgspec.Struct):
    n_shared: int


class _Overlap(msgspec.Struct):
    in_sample: _Shared
    holdout: _Shared


class _Log(msgspec.Struct):
    files: list[str]
    as_of_seq: int


class _Result(msgspec.Struct):
    kind: str
    citation_overlap: _Overlap
    holdout_applied: bool
    out_degree_checked: bool
    coverage_gap_total: int
    graph: _Log


class _Error(msgspec.Struct):
    what: str


class _Kept(msgspec.Struct):
    """The fields of a record that are kept; the rest is skipped where it stands."""

    candidate_id: str | None
    verdict: str | None
    status: str
    made_from: dict[str, Any]
    error: _Error | None = None
    result: _Result | None = None
    title: str | None = None
    statement: str | None = None
    passport: Any = None
    review: Any = None
    prior_art: Any = None


_decoder = msgspec.json.Decoder(_Kept)


def outcome_of(slug: str, record: Mapping[str, Any], has_notebook: bool) -> Outcome:
    """What is kept of a record that was just written."""
    return _outcome(slug, msgspec.convert(record, _Kept), has_notebook)


def read_outcome(folder: Path, slug: str) -> Outcome:
    """What an earlier run left of a candidate.

    Raises
    ------
    CandidateError
        There is no page or no record, or the record cannot be read.
    """
    path = folder / f"{slug}.json"
    try:
        kept = _decoder.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CandidateError(f"no record: {error}", path=str(path)) from None
    if (kept.error is None) == (kept.result is None) or not (folder / f"{slug}.html").is_file():
        raise CandidateError("no record of a report, or no page of it", path=str(path))
    return _outcome(slug, kept, (folder / f"{slug}.ipynb").is_file())


def _outcome(slug: str, kept: _Kept, has_notebook: bool) -> Outcome:
    parts = {name: getattr(kept, name) for name in AUDITS}
    result = kept.result
    if kept.error is not None or result is None:
        what = None if kept.error is None else kept.error.what
        return Outcome(
            slug, kept.candidate_id, kept.verdict, kept.status, what, (), has_notebook, kept.made_from,
            "", None, None, {}, None,
        )  # fmt: skip
    overlap = result.citation_overlap
    words = kept.statement if result.kind == "claim" and kept.statement else kept.title
    return Outcome(
        slug, kept.candidate_id, kept.verdict, kept.status, None, tuple(audit_errors(parts)), has_notebook,
        kept.made_from, shorten(words or "", _MOST_WORDS),
        (overlap.in_sample.n_shared, overlap.holdout.n_shared if result.holdout_applied else None),
        result.coverage_gap_total if result.out_degree_checked else None, dict(at_a_glance(parts)),
        {"files": result.graph.files, "as_of_seq": result.graph.as_of_seq},
    )  # fmt: skip
