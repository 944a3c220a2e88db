"""Search logs: for each claim and each source what was asked, how it went and what came back.

Reads and writes JSON lines, one search of one source for one claim a line::

    {"claim_id", "source", "query", "state", "candidates": [{"title", "url", "text_sha256", …}], …}

A search is completed only if the source answered to the end of what was asked of it; everything else is
degraded, and says why. Nothing here asks a source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from novelty_kit.errors import Problem
from novelty_kit.output import canonical_json
from novelty_kit.priorart.jsonfile import Fields, load_json_lines, raise_problems
from novelty_kit.priorart.store import is_sha256

__all__ = ["Candidate", "Search", "SearchLog", "SourceState", "read_search_log", "search_log_from"]


class SourceState(StrEnum):
    """How one search of one source ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    KEY_ABSENT = "key-absent"
    PAGE_LIMIT = "page-limit"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One work that a search found, and the stored text that may be quoted.

    Attributes
    ----------
    id : str
        Its key, for instance a lom_id; its address where it has none.
    title : str
        May be empty.
    url : str
        Where it is; may be empty.
    text_sha256 : str
        The stored text.
    date : str or None
        ISO date, or a year, of publication.
    has_abstract : bool
        Whether the text is more than the title.
    """

    id: str
    title: str
    url: str
    text_sha256: str
    date: str | None = None
    has_abstract: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The candidate as it stands in a log."""
        row: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "text_sha256": self.text_sha256,
            "has_abstract": self.has_abstract,
        }
        if self.date is not None:
            row["date"] = self.date
        return row


@dataclass(frozen=True, slots=True)
class Search:
    """One search of one source for one claim.

    Attributes
    ----------
    claim_id, source : str
        For which claim, of which source.
    query : str
        What was asked, in the source's own language.
    state : SourceState
        How it ended.
    candidates : tuple of Candidate
        What came, in the source's order.
    claim_sha256 : str or None
        Of the claim's words; a search for other words covers nothing.
    searched_at : str or None
        When, RFC 3339 in UTC; None for a source without a clock.
    limit : int or None
        How many answers were asked for.
    n_total : int or None
        How many the source says it has; for an index, how many texts it holds.
    http_status : int or None
        Of a failure.
    reason : str or None
        Of anything but a completed search.
    """

    claim_id: str
    source: str
    query: str
    state: SourceState
    candidates: tuple[Candidate, ...] = ()
    claim_sha256: str | None = None
    searched_at: str | None = None
    limit: int | None = None
    n_total: int | None = None
    http_status: int | None = None
    reason: str | None = None

    @property
    def completed(self) -> bool:
        """Whether the source was searched to the end of what was asked."""
        return self.state is SourceState.COMPLETED

    def to_dict(self, *, candidates: bool = True) -> dict[str, Any]:
        """The search as it stands in a log; what is unknown is left out."""
        row: dict[str, Any] = {
            "claim_id": self.claim_id,
            "source": self.source,
            "query": self.query,
            "state": str(self.state),
        }
        for name in ("claim_sha256", "searched_at", "limit", "n_total", "http_status", "reason"):
            if getattr(self, name) is not None:
                row[name] = getattr(self, name)
        if candidates:
            row["candidates"] = [candidate.to_dict() for candidate in self.candidates]
        return row


@dataclass(frozen=True, slots=True)
class SearchLog:
    """All searches for the claims of one artifact, oldest first."""

    searches: tuple[Search, ...]

    def of_claim(self, claim_id: str, claim_sha256: str | None = None) -> tuple[Search, ...]:
        """The searches for one claim; with the hash of its words, only those for these words."""
        return tuple(
            search
            for search in self.searches
            if search.claim_id == claim_id
            and (claim_sha256 is None or search.claim_sha256 in (None, claim_sha256))
        )

    def to_lines(self) -> str:
        """The log as JSON lines."""
        return "".join(canonical_json(search.to_dict()) + "\n" for search in self.searches)


def read_search_log(path: str) -> SearchLog:
    """Read a search log from a file of JSON lines, or from standard input for ``-``.

    Raises
    ------
    DocumentError
        It is no search log; all faults are listed, with their lines.
    """
    return search_log_from(load_json_lines(path), path)


def search_log_from(lines: Iterable[tuple[int, Any]], path: str = "<search log>") -> SearchLog:
    """A search log from its lines' numbers and JSON values; see :func:`read_search_log`."""
    problems: list[Problem] = []
    searches = tuple(_search(Fields(value, "", problems, line=line)) for line, value in lines)
    raise_problems(problems, path, "search log", "Correct the log, or search again")
    return SearchLog(searches)


def _search(row: Fields) -> Search:
    claim_id = row.text("claim_id", required=True)
    row.name = f"claim {claim_id!r}" if claim_id else ""
    state = row.text("state", required=True)
    if state is not None and state not in list(SourceState):
        row.fault("state", f"'state' must be one of {', '.join(SourceState)}")
        state = None
    return Search(
        claim_id or "",
        row.text("source", required=True) or "",
        row.text("query", required=True) or "",
        SourceState(state or SourceState.FAILED),
        tuple(_candidate(item) for item in row.objects("candidates", required=True)),
        _sha256(row, "claim_sha256", required=False),
        row.text("searched_at"),
        row.count("limit"),
        row.count("n_total"),
        row.count("http_status"),
        row.text("reason", required=state not in (None, SourceState.COMPLETED)),
    )


def _sha256(row: Fields, key: str, *, required: bool) -> str | None:
    sha256 = row.text(key, required=required)
    if sha256 is not None and not is_sha256(sha256):
        row.fault(key, f"{key!r} must be 64 hexadecimal digits in lower case")
    return sha256


def _candidate(row: Fields) -> Candidate:
    url, has_abstract = row.text("url") or "", row.take("has_abstract", bool)
    return Candidate(
        row.text("id", required=not url) or url,
        row.text("title") or "",
        url,
        _sha256(row, "text_sha256", required=True) or "",
        row.text("date"),
        True if has_abstract is None else has_abstract,
    )
