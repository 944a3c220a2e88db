"""Crossref: asking for works by DOI, and its JSON as records.

A title is a list there, dates hide in nested lists that may hold null, and a count of zero references may
mean that none were deposited. A list that is not there is not stated. Asks only through the client that it is
given. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from novelty_kit.errors import KeyFormatError
from novelty_kit.ingest.abstracts import without_tags
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, batches, decoded, no_such_lookup, resolve_in_batches
from novelty_kit.ingest.record import (
    Answer,
    Reference,
    References,
    SameWork,
    Skipped,
    Work,
    clean_text,
    date_or_year,
    read_id,
)
from novelty_kit.ingest.reply import Failed, Failure, Reply, by_status
from novelty_kit.keys import normalise

__all__ = [
    "SOURCE",
    "fetch_reference_count",
    "fetch_work",
    "people",
    "read_work",
    "resolve_works",
    "search_works",
    "sort_answer",
]

SOURCE: Final = "crossref"

sort_answer = by_status

# When it appeared; never "created", which is when the record was made.
_DATES: Final = ("published", "issued", "published-online", "published-print")
_VERSIONS: Final = ("is-preprint-of", "has-preprint", "is-version-of", "has-version")


def read_work(record: object, *, answer: Answer | None = None, asked: str | None = None) -> Work | Skipped:
    """Read one work of Crossref (a ``message``, or an item of a list).

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
        Skipped for a record without a DOI and for one that only names a registration agency.
    """
    if not isinstance(record, Mapping):
        return Skipped("not_a_work", f"expected a JSON object, got {type(record).__name__}")
    if "agency" in record:
        return Skipped("not_a_work", "the record names a registration agency and describes no work")
    notes: list[str] = []
    ids: dict[str, str] = {}
    read_id((record.get("DOI"),), "doi", ids, notes)
    if not ids:
        return Skipped("no_id", "the record has no readable DOI")
    own = next(f"{scheme}:{body}" for scheme, body in ids.items())
    return Work(
        source=SOURCE,
        ids=ids,
        title=_first_text(record.get("title")),
        abstract=without_tags(record.get("abstract")),
        publication_date=date_or_year(*(_date(record.get(name)) for name in _DATES)),
        authors=people(record.get("author")),
        references=_references(record, own, notes),
        relations=tuple(_relations(record.get("relation"), own)),
        notes=tuple(notes),
        asked=asked,
        answer=answer,
        other_titles=tuple(_other_titles(record)),
    )


def _other_titles(record: Mapping[str, Any]) -> Iterator[str]:
    """Further titles, each with the subtitles, and what it is called in its own language."""
    titles, subtitles, original = (
        [text for text in map(clean_text, value if isinstance(value, list) else ()) if text]
        for value in (record.get("title"), record.get("subtitle"), record.get("original-title"))
    )
    yield from titles[1:]
    yield from (f"{title}: {subtitle}" for title in titles for subtitle in subtitles)
    yield from original


def people(authors: object) -> tuple[str, ...]:
    """Names of Crossref's and CSL's authors: family and given name, or a literal."""
    names = []
    for person in authors if isinstance(authors, list) else ():
        if isinstance(person, Mapping):
            parts = (clean_text(person.get("family")), clean_text(person.get("given")))
            whole = clean_text(person.get("literal")) or clean_text(person.get("name"))
            names.append(whole or ", ".join(part for part in parts if part))
    return tuple(name for name in names if name)


def _first_text(value: object) -> str | None:
    texts = value if isinstance(value, list) else [value]
    return next((text for text in map(clean_text, texts) if text is not None), None)


def _date(value: object) -> str | None:
    parts = value.get("date-parts") if isinstance(value, Mapping) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    if not isinstance(first, list) or not first or not all(type(part) is int for part in first[:3]):
        return None
    year, *rest = first[:3]
    return "-".join([f"{year:04d}", *(f"{part:02d}" for part in rest)])


def _references(record: Mapping[str, Any], own: str, notes: list[str]) -> References | None:
    listed = record.get("reference")
    if not isinstance(listed, list):
        return None
    entries: list[Reference] = []
    seen = set()
    n_unreadable = 0
    for item in listed:
        if not isinstance(item, Mapping):
            n_unreadable += 1
            notes.append("unreadable_reference")
            continue
        target = _target(item.get("DOI"), notes)
        if target == own:
            notes.append("self_citation")
        elif target is not None and target in seen:
            notes.append("duplicate_reference")
        else:
            seen.add(target)
            entries.append(
                Reference(() if target is None else (target,), clean_text(item.get("article-title")))
            )
    stated = record.get("reference-count", record.get("references-count"))
    return References(
        entries=tuple(entries),
        n_stated=stated if type(stated) is int else None,
        n_listed=len(listed),
        n_unreadable=n_unreadable,
    )


def _target(value: object, notes: list[str]) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return normalise(value, "doi")
    except KeyFormatError:
        notes.append("unreadable_reference_doi")
        return None


def _relations(relation: object, own: str) -> Iterator[SameWork]:
    for kind in _VERSIONS:
        others = relation.get(kind) if isinstance(relation, Mapping) else None
        for other in others if isinstance(others, list) else ():
            if isinstance(other, Mapping) and other.get("id-type") == "doi":
                target = _target(other.get("id"), [])
                if target is not None and target != own:
                    yield SameWork(own, target, "version_of")


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one work by its DOI; the answer must be about it."""
    found = _fetch(client, lom_id)
    return found if isinstance(found, Failed) else found[0]


def fetch_reference_count(client: Client, lom_id: str) -> int | Failed | None:
    """How many references Crossref counts for a DOI, deposited or not; None where it does not say."""
    found = _fetch(client, lom_id)
    if isinstance(found, Failed):
        return found
    count = found[1].get("reference-count", found[1].get("references-count"))
    return count if type(count) is int else None


def _fetch(client: Client, lom_id: str) -> tuple[Work, Mapping[str, Any]] | Failed:
    if not lom_id.startswith("doi:"):
        return no_such_lookup(lom_id, SOURCE)
    reply = client.ask("/works/" + quote(lom_id.removeprefix("doi:"), safe=""))
    if isinstance(reply, Failed):
        return reply
    message = _message(reply)
    if isinstance(message, Failed):
        return message
    work = about(lom_id, read_work(message, answer=reply.answer), reply)
    return work if isinstance(work, Failed) else (work, message)


def resolve_works(client: Client, lom_ids: Sequence[str]) -> Iterator[tuple[str, Work | Failed]]:
    """Ask for many works, as many in one question as Crossref takes."""
    dois = [lom_id for lom_id in lom_ids if lom_id.startswith("doi:")]
    together = [lom_id for lom_id in dois if "," not in lom_id]
    room = client.limits.url_bytes - 200
    groups = batches(together, client.limits.batch, room, lambda i: len(quote(i, safe="")) + 3)
    alone = [[lom_id] for lom_id in dois if "," in lom_id]
    yield from resolve_in_batches(
        [*groups, *alone],
        lambda ids: _ask_many(client, {"filter": ",".join(ids)}),
        lambda i: fetch_work(client, i),
    )
    for lom_id in lom_ids:
        if not lom_id.startswith("doi:"):
            yield lom_id, no_such_lookup(lom_id, SOURCE)


def search_works(client: Client, title: str) -> list[Work] | Failed:
    """The works that Crossref finds for a title; whether one is meant is the caller's question."""
    return _ask_many(client, {"query.bibliographic": title})


def _ask_many(client: Client, question: Mapping[str, str]) -> list[Work] | Failed:
    reply = client.ask("/works", {**question, "rows": str(client.limits.page)})
    if isinstance(reply, Failed):
        return reply
    message = _message(reply)
    if isinstance(message, Failed):
        return message
    items = message.get("items")
    if not isinstance(items, list):
        return Failed(Failure.UNREADABLE, "the answer holds no list of works", reply.status, reply.answer)
    works = (read_work(item, answer=reply.answer) for item in items)
    return [work for work in works if isinstance(work, Work)]


def _message(reply: Reply) -> Mapping[str, Any] | Failed:
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    message = body.get("message") if isinstance(body, Mapping) and body.get("status") == "ok" else None
    if not isinstance(message, Mapping):
        return Failed(Failure.UNREADABLE, "the answer holds no work", reply.status, reply.answer)
    return message
