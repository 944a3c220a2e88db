"""arXiv, OpenAlex and Crossref as sources of a prior-art search: the client of `ingest`, handed to `priorart`.

The rule room does not know the network and the network room does not know claims; they meet here. A search is
completed only if the service answered and sent as many works as it was asked for or has; a service whose key is
missing is not asked, and one that said to stop is asked no more. The bytes of each answer go into the store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from novelty_kit.ingest import arxiv, crossref, openalex
from novelty_kit.ingest.ask import Services
from novelty_kit.ingest.limits import load_limits
from novelty_kit.ingest.lookup import decoded
from novelty_kit.ingest.record import Skipped
from novelty_kit.ingest.record import Work as FoundWork
from novelty_kit.ingest.reply import Failed, Failure, Reply
from novelty_kit.priorart.index import query_terms
from novelty_kit.priorart.search import Answer, ServiceSource, Work
from novelty_kit.priorart.searchlog import SourceState

__all__ = ["SERVICES", "service_source"]

_FIELDS = "id,ids,doi,display_name,title,publication_date,publication_year,abstract_inverted_index"
_NEEDS_KEY = frozenset({"openalex"})

# The works of an answer, in its order, and how many there are in all; None: it does not say.
_Read = tuple[list["FoundWork | Skipped"], int | None]


@dataclass(frozen=True, slots=True)
class _Service:
    """How one service is asked, and how its answer is read."""

    path: str
    parameters: Callable[[str, int], dict[str, str]]
    read: Callable[[Reply], _Read]
    extractor: tuple[str, str]


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _arxiv_words(query: str, limit: int) -> dict[str, str]:
    words = [word for term in query_terms(query) for word in re.findall(r"\w+", term)]
    asked = " OR ".join(f"all:{word}" for word in words)
    return {
        "search_query": asked,
        "max_results": str(limit),
        "sortBy": "relevance",
        "sortOrder": "descending",
    }


def _read_arxiv(reply: Reply) -> _Read:
    total = re.search(rb"<opensearch:totalResults[^>]*>\s*(\d{1,12})\s*<", reply.body)
    return arxiv.read_feed(reply.body, answer=reply.answer), int(total[1]) if total else None


def _records(reply: Reply, *path: str) -> tuple[list[Any], Mapping[str, Any]]:
    """The list at the end of a path in a JSON answer, and the object that holds it."""
    value = decoded(reply)
    if isinstance(value, Failed):
        raise ValueError(value.message)
    for name in path[:-1]:
        value = value.get(name) if isinstance(value, Mapping) else None
    found = value.get(path[-1]) if isinstance(value, Mapping) else None
    if not isinstance(found, list) or not isinstance(value, Mapping):
        raise ValueError("the answer holds no list of works")
    return found, value


def _read_openalex(reply: Reply) -> _Read:
    records, top = _records(reply, "results")
    meta = top.get("meta")
    total = _count(meta.get("count")) if isinstance(meta, Mapping) else None
    return [openalex.read_work(record, answer=reply.answer) for record in records], total


def _read_crossref(reply: Reply) -> _Read:
    records, message = _records(reply, "message", "items")
    works = [crossref.read_work(record, answer=reply.answer) for record in records]
    return works, _count(message.get("total-results"))


SERVICES: dict[str, _Service] = {
    "arxiv": _Service("/api/query", _arxiv_words, _read_arxiv, ("arxiv-atom", "1")),
    "openalex": _Service(
        "/works",
        lambda query, limit: {"search": query, "per_page": str(limit), "select": _FIELDS},
        _read_openalex,
        ("openalex-json", "1"),
    ),
    "crossref": _Service(
        "/works",
        lambda query, limit: {"query": query, "rows": str(limit)},
        _read_crossref,
        ("crossref-json", "1"),
    ),
}


def service_source(services: Services, name: str, environ: Mapping[str, str] | None = None) -> ServiceSource:
    """One service as a source.

    Parameters
    ----------
    services : Services
        The clients.
    name : str
        One of `SERVICES`.
    environ : mapping, optional
        Where the key is looked for; the process's own environment without it.
    """
    service, limits = SERVICES[name], load_limits(name)
    key = limits.key_variable if name in _NEEDS_KEY else None
    is_keyless = key is not None and not (os.environ if environ is None else environ).get(key, "").strip()
    stopped: list[Failed] = []

    def ask(query: str, limit: int) -> Answer:
        if is_keyless:
            return Answer(SourceState.KEY_ABSENT, reason=f"no key is set ({key})")
        if stopped:
            reason = f"not asked again: {stopped[0].message}"
            return Answer(SourceState.FAILED, http_status=stopped[0].http_status, reason=reason)
        words = " ".join(re.findall(r"[\w.-]+", query))
        if not query_terms(words):
            return Answer(SourceState.FAILED, reason="the query has no word to search for")
        parameters = service.parameters(words, min(limit, limits.page))
        outcome = services.client(name).ask(service.path, parameters)
        if isinstance(outcome, Reply):
            return _answer(service, outcome, words, min(limit, limits.page), limit)
        if outcome.stops_run:
            stopped.append(outcome)
        return _failed(outcome)

    return ServiceSource(name, ask)


def _failed(failed: Failed) -> Answer:
    return Answer(
        SourceState.FAILED, http_status=failed.http_status, reason=failed.message, searched_at=failed.ts
    )


def _answer(service: _Service, reply: Reply, words: str, asked: int, limit: int) -> Answer:
    try:
        found, total = service.read(reply)
    except ValueError as error:
        return _failed(Failed(Failure.UNREADABLE, str(error), reply.status, reply.answer))
    works = tuple(
        Work(
            work.lom_ids[0],
            work.title or "",
            work.abstract or "",
            work.lom_ids[0],
            work.publication_date,
            raw=reply.body,
            media_type=reply.headers.get("content-type", "application/octet-stream"),
            extractor=service.extractor,
        )
        for work in found
        if isinstance(work, FoundWork) and work.lom_ids
    )
    reason = None
    if len(found) < min(asked, asked if total is None else total) and total is not None:
        reason = f"it sent {len(found)} works of {total}"
    elif asked < limit and (total is None or total > asked):
        reason = f"a page holds at most {asked} works"
    state = SourceState.PAGE_LIMIT if reason else SourceState.COMPLETED
    return Answer(state, works, words, total, reply.status if reason else None, reason, reply.answer.ts)
