"""Semantic Scholar: asking for papers, and its JSON (graph API, and the legacy one) as records.

A batch answers by position and holds null for what it does not know; lists may be null; a cited paper may
have no id at all. Without a key all users share one pool, which often says 429. Asks only through the client
that it is given. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, batches, decoded, no_such_lookup
from novelty_kit.ingest.record import (
    Answer,
    Reference,
    References,
    Skipped,
    Work,
    clean_text,
    date_or_year,
    read_id,
)
from novelty_kit.ingest.reply import Failed, Failure, Reply, by_status

__all__ = [
    "SOURCE",
    "fetch_reference_count",
    "fetch_work",
    "read_work",
    "resolve_works",
    "search_works",
    "sort_answer",
]

SOURCE: Final = "s2"

sort_answer = by_status

_FIELDS: Final = (
    "externalIds,title,abstract,year,publicationDate,referenceCount,references.externalIds,references.title"
)
_PREFIX: Final = {"arxiv": "ARXIV:", "doi": "DOI:", "pmid": "PMID:", "s2": ""}
# The order in which a cited paper is best named.
_BEST_FIRST: Final = ("arxiv", "doi", "pmid", "s2")


def read_work(record: object, *, answer: Answer | None = None, asked: str | None = None) -> Work | Skipped:
    """Read one paper of Semantic Scholar.

    Parameters
    ----------
    record : object
        The decoded JSON object.
    answer : Answer, optional
        Where it comes from.
    asked : str, optional
        The id that it answers.

    Returns
    -------
    Work or Skipped
        Skipped for null, for an error body, and for a record without any id.
    """
    if not isinstance(record, Mapping):
        return Skipped("not_a_work", f"expected a JSON object, got {type(record).__name__}")
    if "paperId" not in record and ("error" in record or "message" in record):
        said = clean_text(record.get("error")) or clean_text(record.get("message"))
        return Skipped("error_answer", f"an error answer: {said!s:.200}")
    notes: list[str] = []
    ids = _ids(record, notes)
    if not ids:
        return Skipped("no_id", "the record names its paper by no id")
    return Work(
        source=SOURCE,
        ids=ids,
        title=clean_text(record.get("title")),
        abstract=clean_text(record.get("abstract")),
        publication_date=date_or_year(record.get("publicationDate"), record.get("year")),
        authors=_authors(record.get("authors")),
        references=_references(record, {f"{k}:{v}" for k, v in ids.items()}, notes),
        notes=tuple(notes),
        asked=asked,
        answer=answer,
    )


def _authors(listed: object) -> tuple[str, ...]:
    people = [person for person in listed if isinstance(person, Mapping)] if isinstance(listed, list) else []
    return tuple(name for name in (clean_text(person.get("name")) for person in people) if name is not None)


def _ids(record: Mapping[str, Any], notes: list[str]) -> dict[str, str]:
    listed = record.get("externalIds")
    other: Mapping[str, Any] = listed if isinstance(listed, Mapping) else {}
    corpus = record.get("corpusId", other.get("CorpusId"))
    ids: dict[str, str] = {}
    read_id((record.get("paperId"), f"CorpusId:{corpus}" if corpus is not None else None), "s2", ids, notes)
    read_id((other.get("ArXiv"), record.get("arxivId")), "arxiv", ids, notes)
    read_id((other.get("DOI"), record.get("doi")), "doi", ids, notes)
    read_id((other.get("PubMed"),), "pmid", ids, notes)
    return ids


def _references(record: Mapping[str, Any], own: set[str], notes: list[str]) -> References | None:
    listed = record.get("references")
    if not isinstance(listed, list):
        return None
    entries: list[Reference] = []
    seen: set[str] = set()
    n_unreadable = 0
    for item in listed:
        paper = item.get("citedPaper", item) if isinstance(item, Mapping) else None
        if not isinstance(paper, Mapping):
            n_unreadable += 1
            notes.append("unreadable_reference")
            continue
        ids = _ids(paper, notes)
        names = tuple(f"{scheme}:{ids[scheme]}" for scheme in _BEST_FIRST if scheme in ids)
        if own.intersection(names):
            notes.append("self_citation")
        elif seen.intersection(names):
            notes.append("duplicate_reference")
        else:
            entries.append(Reference(names, clean_text(paper.get("title"))))
        seen.update(names)
    stated = record.get("referenceCount", record.get("numCiting"))
    return References(
        entries=tuple(entries),
        n_stated=stated if type(stated) is int else None,
        n_listed=len(listed),
        n_unreadable=n_unreadable,
    )


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one paper by its id; the answer must be about it."""
    found = _fetch(client, lom_id, _FIELDS)
    return found if isinstance(found, Failed) else found[0]


def fetch_reference_count(client: Client, lom_id: str) -> int | Failed | None:
    """How many references Semantic Scholar counts for a paper; None where it does not say."""
    found = _fetch(client, lom_id, "externalIds,referenceCount")
    if isinstance(found, Failed):
        return found
    count = found[1].get("referenceCount")
    return count if type(count) is int else None


def _fetch(client: Client, lom_id: str, fields: str) -> tuple[Work, Mapping[str, Any]] | Failed:
    name = _name(lom_id)
    if name is None:
        return no_such_lookup(lom_id, SOURCE)
    reply = client.ask(f"/graph/v1/paper/{quote(name, safe=':')}", {"fields": fields})
    if isinstance(reply, Failed):
        return reply
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    work = about(lom_id, read_work(body, answer=reply.answer), reply)
    if isinstance(work, Failed):
        return work
    return work, body if isinstance(body, Mapping) else {}


def resolve_works(client: Client, lom_ids: Sequence[str]) -> Iterator[tuple[str, Work | Failed]]:
    """Ask for many papers, as many in one question as Semantic Scholar takes."""
    named = [lom_id for lom_id in lom_ids if _name(lom_id) is not None]
    for group in batches(named, client.limits.batch, 1 << 20, len):
        if len(group) == 1:
            outcome: list[Work | Failed] | Failed = [fetch_work(client, group[0])]
        else:
            outcome = _ask_many(client, group)
        for number, lom_id in enumerate(group):
            yield lom_id, outcome if isinstance(outcome, Failed) else outcome[number]
        if any(
            isinstance(one, Failed) and one.stops_run
            for one in ([outcome] if isinstance(outcome, Failed) else outcome)
        ):
            return
    for lom_id in lom_ids:
        if _name(lom_id) is None:
            yield lom_id, no_such_lookup(lom_id, SOURCE)


def _ask_many(client: Client, lom_ids: Sequence[str]) -> list[Work | Failed] | Failed:
    body = {"ids": [_name(lom_id) for lom_id in lom_ids]}
    reply = client.ask("/graph/v1/paper/batch", {"fields": _FIELDS}, body=body)
    if isinstance(reply, Failed):
        return reply
    records = decoded(reply)
    if isinstance(records, Failed):
        return records
    if not isinstance(records, list) or len(records) != len(lom_ids):
        # Answers go by position: with one too few no position can be believed.
        text = f"expected a list of {len(lom_ids)} papers"
        return Failed(Failure.UNREADABLE, text, reply.status, reply.answer)
    return [_one_of_many(lom_id, record, reply) for lom_id, record in zip(lom_ids, records, strict=True)]


def _one_of_many(lom_id: str, record: object, reply: Reply) -> Work | Failed:
    if record is None:
        return Failed(Failure.NOT_FOUND, "Semantic Scholar does not know it", reply.status, reply.answer)
    return about(lom_id, read_work(record, answer=reply.answer), reply)


def search_works(client: Client, title: str) -> list[Work] | Failed:
    """The paper that Semantic Scholar finds for a title; whether it is meant is the caller's question."""
    reply = client.ask(
        "/graph/v1/paper/search/match", {"query": title, "fields": "externalIds,title,year,authors"}
    )
    if isinstance(reply, Failed):
        return [] if reply.failure is Failure.NOT_FOUND else reply
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    found = body.get("data") if isinstance(body, Mapping) else None
    if found is None and isinstance(body, Mapping) and body.get("total") == 0:
        return []
    if not isinstance(found, list):
        return Failed(Failure.UNREADABLE, "the answer holds no list of papers", reply.status, reply.answer)
    works = (read_work(record, answer=reply.answer) for record in found)
    return [work for work in works if isinstance(work, Work)]


def _name(lom_id: str) -> str | None:
    """An id as Semantic Scholar is asked for it; None where it cannot be."""
    scheme, _, body = lom_id.partition(":")
    return _PREFIX[scheme] + body if scheme in _PREFIX else None
