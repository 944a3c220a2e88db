"""OpenAlex: asking for works, and their JSON (API, lists, snapshot) as records.

OpenAlex states reference lists by its own ids, knows arXiv papers only by their DOI or a location, points
deleted works at one tombstone, answers merged ids with a redirect, and holds empty lists for papers that cite
forty works: an empty list is no fact until a second source agrees. It says "too often" and "budget spent"
with one status. Asks only through the client that it is given. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from novelty_kit.errors import KeyFormatError
from novelty_kit.ingest.abstracts import rebuild_abstract
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, batches, decoded, no_such_lookup, resolve_in_batches
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
from novelty_kit.keys import normalise, parse_key

__all__ = [
    "SOURCE",
    "TOMBSTONES",
    "fetch_work",
    "read_merged_id",
    "read_work",
    "resolve_works",
    "search_works",
    "sort_answer",
]

SOURCE: Final = "openalex"

TOMBSTONES: Final = frozenset({"openalex:W4285719527"})
"""The record "Deleted Work" that stands in for every work that OpenAlex has removed."""

_WORK_URL = re.compile(r"https://openalex\.org/(W[1-9][0-9]*)", re.ASCII)
_FIELDS: Final = (
    "id,doi,ids,title,display_name,publication_date,publication_year,locations,authorships,"
    "referenced_works,referenced_works_count,abstract_inverted_index"
)
_FILTER: Final = {"openalex": "openalex", "doi": "doi", "arxiv": "doi", "pmid": "pmid"}
_NOT_IN_FILTER: Final = re.compile(r"[|,+]")


def sort_answer(reply: Reply) -> Failure | None:
    """Tell "too often" from "budget spent": the first passes in seconds, the second at midnight."""
    if reply.status == 403:
        return Failure.RATE_LIMITED
    if reply.status != 429:
        return by_status(reply)
    body = decoded(reply)
    said = body if isinstance(body, Mapping) else {}
    left = (
        said.get("creditsRemaining"),
        said.get("dailyRemainingUsd"),
        reply.headers.get("x-ratelimit-remaining"),
    )
    spent = any(value in (0, "0") for value in left) or str(said.get("message", "")).startswith(
        "Insufficient"
    )
    return Failure.BUDGET_SPENT if spent else Failure.RATE_LIMITED


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one work by its id; the answer must be about it, or a merged record of it."""
    value = _value(lom_id)
    if value is None:
        return no_such_lookup(lom_id, SOURCE)
    scheme = _FILTER[lom_id.partition(":")[0]]
    name = {"openalex": "", "doi": "https://doi.org/", "pmid": "pmid:"}[scheme] + quote(value, safe="")
    reply = client.ask(f"/works/{name}", {"select": _FIELDS})
    if isinstance(reply, Failed):
        return reply
    body = decoded(reply)
    return body if isinstance(body, Failed) else about(lom_id, read_work(body, answer=reply.answer), reply)


def resolve_works(client: Client, lom_ids: Sequence[str]) -> Iterator[tuple[str, Work | Failed]]:
    """Ask for many works, as many in one question as OpenAlex takes."""
    for name in ("openalex", "doi", "pmid"):
        group = [lom_id for lom_id in lom_ids if _FILTER.get(lom_id.partition(":")[0]) == name]
        together = [lom_id for lom_id in group if not _NOT_IN_FILTER.search(lom_id)]
        alone = [[lom_id] for lom_id in group if _NOT_IN_FILTER.search(lom_id)]
        room = client.limits.url_bytes - len(_FIELDS) - 200
        groups = batches(together, client.limits.batch, room, _length)
        ask_many, stopped = partial(_ask_for, client, name), False
        for lom_id, work in resolve_in_batches([*groups, *alone], ask_many, partial(fetch_work, client)):
            stopped = stopped or (isinstance(work, Failed) and work.stops_run)
            yield lom_id, work
        if stopped:
            return
    for lom_id in lom_ids:
        if _value(lom_id) is None:
            yield lom_id, no_such_lookup(lom_id, SOURCE)


def search_works(client: Client, title: str) -> list[Work] | Failed:
    """The works that OpenAlex finds for a title; whether one is meant is the caller's question."""
    words = " ".join(re.findall(r"\w+", title))
    return _ask_many(client, f"title.search:{words}")


def _ask_for(client: Client, name: str, lom_ids: Sequence[str]) -> list[Work] | Failed:
    return _ask_many(client, f"{name}:" + "|".join(_value(lom_id) or "" for lom_id in lom_ids))


def _ask_many(client: Client, condition: str) -> list[Work] | Failed:
    parameters = {"filter": condition, "per_page": str(client.limits.page), "select": _FIELDS}
    reply = client.ask("/works", parameters)
    if isinstance(reply, Failed):
        return reply
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    results = body.get("results") if isinstance(body, Mapping) else None
    if not isinstance(results, list):
        return Failed(Failure.UNREADABLE, "the answer holds no list of works", reply.status, reply.answer)
    works = (read_work(record, answer=reply.answer) for record in results)
    return [work for work in works if isinstance(work, Work)]


def _length(lom_id: str) -> int:
    return len(quote(_value(lom_id) or "", safe="")) + len(quote("|"))


def _value(lom_id: str) -> str | None:
    """An id as OpenAlex is asked for it; None where it cannot be."""
    scheme, _, body = lom_id.partition(":")
    if scheme == "arxiv":
        return f"10.48550/arXiv.{body}"
    return body if scheme in _FILTER else None


def read_work(record: object, *, answer: Answer | None = None, asked: str | None = None) -> Work | Skipped:
    """Read one work of OpenAlex, whichever year's schema it has.

    Parameters
    ----------
    record : object
        The decoded JSON object of a work.
    answer : Answer, optional
        Where it comes from.
    asked : str, optional
        The id that it answers.

    Returns
    -------
    Work or Skipped
        Skipped for an error body, a record without any id, another entity, and the tombstone.
    """
    if not isinstance(record, Mapping):
        return Skipped("not_a_work", f"expected a JSON object, got {type(record).__name__}")
    if "error" in record and "id" not in record:
        return Skipped(
            "error_answer", f"an error answer: {clean_text(record.get('message')) or record['error']!s:.200}"
        )
    notes: list[str] = []
    ids = _ids(record, notes)
    if isinstance(ids, Skipped):
        return ids
    if f"openalex:{ids.get('openalex')}" in TOMBSTONES:
        return Skipped("tombstone", "OpenAlex's stand-in for deleted works is no work")
    return Work(
        source=SOURCE,
        ids=ids,
        title=clean_text(record.get("title")) or clean_text(record.get("display_name")),
        abstract=rebuild_abstract(record.get("abstract_inverted_index")),
        publication_date=date_or_year(record.get("publication_date"), record.get("publication_year")),
        authors=_authors(record.get("authorships")),
        references=_references(record, ids, notes),
        notes=tuple(notes),
        asked=asked,
        answer=answer,
    )


def _authors(authorships: object) -> tuple[str, ...]:
    people = (
        [a.get("author") for a in authorships if isinstance(a, Mapping)]
        if isinstance(authorships, list)
        else []
    )
    names = (clean_text(person.get("display_name")) for person in people if isinstance(person, Mapping))
    return tuple(name for name in names if name is not None)


def _ids(record: Mapping[str, Any], notes: list[str]) -> dict[str, str] | Skipped:
    listed = record.get("ids")
    stated: Mapping[str, Any] = listed if isinstance(listed, Mapping) else {}
    ids: dict[str, str] = {}
    own = [value for value in (record.get("id"), stated.get("openalex")) if value is not None]
    try:
        works = {_work_id(value) for value in own}
    except KeyFormatError as error:
        return Skipped("not_a_work", str(error))
    if len(works) > 1:
        return Skipped("contradictory_ids", f"one record names two works: {', '.join(sorted(works))}")
    ids.update(("openalex", work.partition(":")[2]) for work in works)
    read_id((record.get("doi"), stated.get("doi")), "doi", ids, notes)
    read_id((stated.get("pmid"),), "pmid", ids, notes)
    if "arxiv" not in ids:
        _arxiv_location(record.get("locations"), ids, notes)
    if not ids:
        return Skipped("no_id", "the record names its work by no id")
    return ids


def _work_id(value: object) -> str:
    found = _WORK_URL.fullmatch(value) if isinstance(value, str) else None
    return (
        f"openalex:{found.group(1)}"
        if found
        else normalise(value if isinstance(value, str) else str(value), "openalex")
    )


def _arxiv_location(locations: object, ids: dict[str, str], notes: list[str]) -> None:
    """A location on arXiv names the work's arXiv id, unless several locations disagree."""
    found = set()
    for location in locations if isinstance(locations, list) else ():
        for field in ("landing_page_url", "pdf_url"):
            address = location.get(field) if isinstance(location, Mapping) else None
            if isinstance(address, str) and "arxiv" in address.lower():
                try:
                    key = parse_key(address)
                except KeyFormatError:
                    continue
                if key.scheme == "arxiv":
                    found.add(key.id)
    if len(found) == 1:
        ids["arxiv"] = found.pop()
    elif found:
        notes.append("several_arxiv_locations")


def _references(record: Mapping[str, Any], ids: Mapping[str, str], notes: list[str]) -> References | None:
    listed = record.get("referenced_works")
    if not isinstance(listed, list):
        return None
    own = f"openalex:{ids.get('openalex')}"
    stated = record.get("referenced_works_count")
    entries: dict[str, Reference] = {}
    n_lost = n_unreadable = 0
    for value in listed:
        try:
            target = _work_id(value) if isinstance(value, str) else None
        except KeyFormatError:
            target = None
        if target is None:
            n_unreadable += 1
            notes.append("unreadable_reference")
        elif target == own:
            notes.append("self_citation")
        elif target in TOMBSTONES:
            n_lost += 1
            notes.append("tombstone_reference")
        elif target in entries:
            notes.append("duplicate_reference")
        else:
            entries[target] = Reference((target,))
    return References(
        entries=tuple(entries.values()),
        n_stated=stated if isinstance(stated, int) and not isinstance(stated, bool) else None,
        n_listed=len(listed),
        n_lost=n_lost,
        n_unreadable=n_unreadable,
    )


def read_merged_id(row: Mapping[str, str | None]) -> tuple[str, str] | Skipped:
    """One row of a ``merged_ids`` file: the old work and the one that it went into."""
    try:
        old, new = (normalise(row.get(name) or "", "openalex") for name in ("id", "merge_into_id"))
    except KeyFormatError as error:
        return Skipped("not_a_work", str(error))
    return old, new
