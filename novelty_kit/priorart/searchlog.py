"""Search logs: for each claim what was asked, of which source, how it went and what came back.

Reads and writes ``{"artifact", "searches": [{"claim_id", "claim_sha256", "sources", "candidates"}]}``.
A source is completed only if it answered to the end of what was asked of it; everything else is degraded,
and said so. Nothing here asks a source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from novelty_kit.errors import Problem
from novelty_kit.priorart.jsonfile import Fields, load_json, pointer_to, raise_problems
from novelty_kit.priorart.store import is_sha256

__all__ = [
    "Candidate",
    "ClaimSearch",
    "SearchLog",
    "SearchedSource",
    "SourceState",
    "read_search_log",
    "search_log_from",
]


class SourceState(StrEnum):
    """How one search of one source ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    KEY_ABSENT = "key-absent"
    PAGE_LIMIT = "page-limit"


@dataclass(frozen=True, slots=True)
class SearchedSource:
    """One search of one source.

    Attributes
    ----------
    source : str
        Its name.
    state : SourceState
        How it ended.
    query : str
        What it was asked, in its own language.
    limit : int or None
        How many answers were asked for.
    n_candidates : int
        How many came.
    n_total : int or None
        How many it says it has, or holds in all for an index; None: it does not say.
    http_status : int or None
        Of a failure.
    reason : str or None
        Of anything but a completed search.
    """

    source: str
    state: SourceState
    query: str
    limit: int | None = None
    n_candidates: int = 0
    n_total: int | None = None
    http_status: int | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The search as it stands in a log; what is unknown is left out."""
        row: dict[str, Any] = {"source": self.source, "state": str(self.state), "query": self.query}
        for name in ("limit", "n_candidates", "n_total", "http_status", "reason"):
            if getattr(self, name) is not None:
                row[name] = getattr(self, name)
        return row


@dataclass(frozen=True, slots=True)
class Candidate:
    """One work that a search found, and the stored text that may be quoted.

    Attributes
    ----------
    source : str
        The source that found it first.
    id : str
        Its key, for instance a lom_id.
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

    source: str
    id: str
    title: str
    url: str
    text_sha256: str
    date: str | None = None
    has_abstract: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The candidate as it stands in a log."""
        row: dict[str, Any] = {
            "source": self.source,
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
class ClaimSearch:
    """All that was asked for one claim."""

    claim_id: str
    claim_sha256: str | None
    sources: tuple[SearchedSource, ...]
    candidates: tuple[Candidate, ...]

    @property
    def completed(self) -> bool:
        """Whether at least one source was searched to the end."""
        return any(source.state is SourceState.COMPLETED for source in self.sources)

    def to_dict(self) -> dict[str, Any]:
        """The search as it stands in a log."""
        row: dict[str, Any] = {"claim_id": self.claim_id}
        if self.claim_sha256 is not None:
            row["claim_sha256"] = self.claim_sha256
        row["sources"] = [source.to_dict() for source in self.sources]
        row["candidates"] = [candidate.to_dict() for candidate in self.candidates]
        return row


@dataclass(frozen=True, slots=True)
class SearchLog:
    """The searches of all claims of one artifact."""

    artifact: str
    searches: tuple[ClaimSearch, ...]

    def of_claim(self, claim_id: str) -> tuple[ClaimSearch, ...]:
        """The searches for one claim, oldest first; a claim may be searched several times."""
        return tuple(search for search in self.searches if search.claim_id == claim_id)

    def to_dict(self) -> dict[str, Any]:
        """The log as a JSON object."""
        return {"artifact": self.artifact, "searches": [search.to_dict() for search in self.searches]}


def read_search_log(path: str) -> SearchLog:
    """Read a search log from a JSON file, or from standard input for ``-``.

    Raises
    ------
    DocumentError
        It is no search log; all faults are listed.
    """
    return search_log_from(load_json(path), path)


def search_log_from(value: Any, path: str = "<search log>") -> SearchLog:
    """A search log from its JSON value; see :func:`read_search_log`."""
    problems: list[Problem] = []
    top = Fields(value, "", problems)
    artifact = top.text("artifact", required=True)
    rows = top.items("searches", required=True)
    searches = tuple(_search(row, pointer_to("searches", i), problems) for i, row in enumerate(rows))
    raise_problems(problems, path, "search log", "Correct the log, or search again")
    return SearchLog(artifact or "", searches)


def _search(value: Any, pointer: str, problems: list[Problem]) -> ClaimSearch:
    row = Fields(value, pointer, problems)
    claim_id = row.text("claim_id", required=True)
    row.name = f"claim {claim_id!r}" if claim_id else ""
    sources = tuple(
        _source(item, pointer + pointer_to("sources", i), problems, row.name)
        for i, item in enumerate(row.items("sources", required=True))
    )
    candidates = tuple(
        _candidate(item, pointer + pointer_to("candidates", i), problems, row.name)
        for i, item in enumerate(row.items("candidates", required=True))
    )
    return ClaimSearch(claim_id or "", _sha(row, "claim_sha256", required=False), sources, candidates)


def _sha(row: Fields, key: str, *, required: bool) -> str | None:
    sha = row.text(key, required=required)
    if sha is not None and not is_sha256(sha):
        row.fault(key, f"{key!r} must be 64 hexadecimal digits in lower case")
    return sha


def _source(value: Any, pointer: str, problems: list[Problem], name: str) -> SearchedSource:
    row = Fields(value, pointer, problems, name)
    state = row.text("state", required=True)
    if state is not None and state not in list(SourceState):
        row.fault("state", f"'state' must be one of {', '.join(SourceState)}")
        state = None
    reason = row.text("reason", required=state not in (None, SourceState.COMPLETED))
    return SearchedSource(
        row.text("source", required=True) or "",
        SourceState(state or SourceState.FAILED),
        row.text("query", required=True) or "",
        row.count("limit"),
        row.count("n_candidates") or 0,
        row.count("n_total"),
        row.count("http_status"),
        reason,
    )


def _candidate(value: Any, pointer: str, problems: list[Problem], name: str) -> Candidate:
    row = Fields(value, pointer, problems, name)
    has_abstract = row.take("has_abstract", bool)
    return Candidate(
        row.text("source", required=True) or "",
        row.text("id", required=True) or "",
        row.text("title") or "",
        row.text("url") or "",
        _sha(row, "text_sha256", required=True) or "",
        row.text("date"),
        True if has_abstract is None else has_abstract,
    )
