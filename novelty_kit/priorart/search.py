"""Search for what a claim may collide with: each source in turn, every state logged, every text stored.

A source is anything with a name and a `search`; the graph's index comes first. The texts of all works found
go into the store before the log that names them is returned, so that what may be quoted is there. A source
that failed stays in the log as failed: it never looks like one that found nothing. No network of its own:
services are asked through what the caller hands in. No clock: a source brings its own times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from novelty_kit.errors import InputError, LookupFailure
from novelty_kit.priorart.claims import Claim, ClaimList
from novelty_kit.priorart.index import TextIndex, query_terms
from novelty_kit.priorart.searchlog import Candidate, Search, SearchLog, SourceState
from novelty_kit.priorart.store import GRAPH_EXTRACTOR, TextStore

__all__ = ["DEFAULT_LIMIT", "Answer", "GraphSource", "ServiceSource", "Source", "Work", "search_claims"]

DEFAULT_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Work:
    """One work that a source returns.

    Attributes
    ----------
    id : str
        Its key.
    title, abstract : str
        Empty where the source has none.
    url : str
        Where it is.
    date : str or None
        ISO date, or a year.
    raw : bytes or None
        What the source sent for it; None: title and abstract are all there is.
    media_type : str
        Of `raw`.
    extractor : tuple of (str, str)
        What made title and abstract from `raw`, and its version.
    """

    id: str
    title: str
    abstract: str
    url: str = ""
    date: str | None = None
    raw: bytes | None = None
    media_type: str = "application/json"
    extractor: tuple[str, str] = GRAPH_EXTRACTOR


@dataclass(frozen=True, slots=True)
class Answer:
    """What one source answered to one query.

    Attributes
    ----------
    state : SourceState
        Completed only if the source answered to the end of what was asked.
    works : tuple of Work
        What it returned, in its order; may be there although the state is degraded.
    query : str or None
        What was asked in the end, where the source changed it.
    n_total : int or None
        How many it says it has; for an index, how many texts it holds.
    http_status, reason
        Of a degraded state.
    searched_at : str or None
        RFC 3339 in UTC.
    """

    state: SourceState
    works: tuple[Work, ...] = ()
    query: str | None = None
    n_total: int | None = None
    http_status: int | None = None
    reason: str | None = None
    searched_at: str | None = None


class Source(Protocol):
    """Anything that can be searched."""

    @property
    def name(self) -> str:
        """Its name in the log."""

    def search(self, query: str, limit: int) -> Answer:
        """Ask for works; a failure is an answer with its state, not an exception."""


class GraphSource:
    """The ingested graph, through its index.

    Parameters
    ----------
    index : TextIndex
        Over the titles and abstracts of the graph's papers.
    name : str
        Its name in the log.
    own_ids : iterable of str
        Ids of the artifact itself, which is no prior art of its own.
    """

    def __init__(self, index: TextIndex, name: str = "graph", own_ids: Iterable[str] = ()) -> None:
        self.name = name
        self._index = index
        self._own = frozenset(own_ids)

    def search(self, query: str, limit: int) -> Answer:
        """Search the index; an empty index, or a query without a term, is no completed search."""
        n_total = self._index.n_papers
        if not n_total:
            return Answer(SourceState.FAILED, n_total=0, reason="the graph holds no title and no abstract")
        if not query_terms(query):
            reason = "the query has no word to search for"
            return Answer(SourceState.FAILED, n_total=n_total, reason=reason)
        found = [p for p in self._index.search(query, limit + len(self._own)) if p.lom_id not in self._own]
        works = tuple(
            Work(p.lom_id, p.title or "", p.abstract or "", p.lom_id, p.date) for p in found[:limit]
        )
        return Answer(SourceState.COMPLETED, works, n_total=n_total)


class ServiceSource:
    """A service, asked through a function that the caller hands in.

    Parameters
    ----------
    name : str
        Its name in the log.
    ask : callable
        Takes the query and the limit, returns an :class:`Answer`; raises LookupFailure when it has none.
    """

    def __init__(self, name: str, ask: Callable[[str, int], Answer]) -> None:
        self.name = name
        self._ask = ask

    def search(self, query: str, limit: int) -> Answer:
        """Ask the service; a lookup that fails is a failed search."""
        try:
            return self._ask(query, limit)
        except LookupFailure as error:
            return Answer(SourceState.FAILED, reason=error.problem.what)


def search_claims(
    claims: ClaimList, sources: Sequence[Source], store: TextStore, *, limit: int = DEFAULT_LIMIT
) -> SearchLog:
    """Search every admissible claim in every source.

    Parameters
    ----------
    claims : ClaimList
        Inadmissible claims are not searched.
    sources : sequence of Source
        Asked in this order.
    store : TextStore
        Takes the text of every work that is found.
    limit : int
        How many works to ask each source for.

    Returns
    -------
    SearchLog
        One line for each claim and source, in that order.

    Raises
    ------
    InputError
        There is no source, two have one name, or the limit is below 1.
    OutputError
        The store cannot be written.
    """
    if not sources:
        raise InputError("no source to search", remedy="Name at least one source")
    if len({source.name for source in sources}) < len(sources):
        raise InputError("two sources have one name", remedy="Name each source once")
    if limit < 1:
        raise InputError(f"a search for {limit} works finds nothing", remedy="Ask for at least 1")
    return SearchLog(
        tuple(_search(claim, source, store, limit) for claim in claims.admissible for source in sources)
    )


def _search(claim: Claim, source: Source, store: TextStore, limit: int) -> Search:
    query = claim.search_target or claim.text
    answer = source.search(query, limit)
    if answer.state is not SourceState.COMPLETED and not answer.reason:
        answer = replace(answer, reason="the source did not say why")
    candidates = [_kept(work, answer, store) for work in answer.works if (work.title + work.abstract).strip()]
    return Search(
        claim.claim_id,
        source.name,
        answer.query or query,
        answer.state,
        tuple(dict.fromkeys(candidates)),
        claim.sha256,
        answer.searched_at,
        limit,
        answer.n_total,
        answer.http_status,
        answer.reason,
    )


def _kept(work: Work, answer: Answer, store: TextStore) -> Candidate:
    """The work as a candidate, its text stored."""
    url = work.url or work.id
    if work.raw is None:
        row = store.add_paper(url, work.title, work.abstract, answer.searched_at)
    else:
        text = "\n\n".join(part for part in (work.title, work.abstract) if part)
        row = store.add(
            work.raw,
            text,
            url=url,
            fetched_at=answer.searched_at,
            media_type=work.media_type,
            extractor=work.extractor,
        )
    return Candidate(work.id, work.title, work.url, row.text_sha256, work.date, bool(work.abstract.strip()))
