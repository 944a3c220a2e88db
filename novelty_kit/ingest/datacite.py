"""DataCite: asking for what a DOI names where Crossref knows no such DOI, and its JSON as records.

A record holds several titles: the work's own, its subtitle, its translations. Asked only to check citations.
Asks only through the client that it is given. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, decoded, no_such_lookup
from novelty_kit.ingest.record import Answer, Skipped, Work, clean_text, date_or_year, read_id
from novelty_kit.ingest.reply import Failed

__all__ = ["SOURCE", "fetch_work", "read_work"]

SOURCE: Final = "datacite"


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one work by its DOI; the answer must be about it."""
    if not lom_id.startswith("doi:"):
        return no_such_lookup(lom_id, SOURCE)
    reply = client.ask("/dois/" + quote(lom_id.removeprefix("doi:"), safe=""))
    if isinstance(reply, Failed):
        return reply
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    data = body.get("data") if isinstance(body, Mapping) else None
    return about(lom_id, read_work(data, answer=reply.answer), reply)


def read_work(record: object, *, answer: Answer | None = None) -> Work | Skipped:
    """Read one DOI record (the ``data`` of an answer)."""
    facts = record.get("attributes") if isinstance(record, Mapping) else None
    if not isinstance(record, Mapping) or not isinstance(facts, Mapping):
        return Skipped("not_a_work", "the answer holds no DOI record")
    notes: list[str] = []
    ids: dict[str, str] = {}
    read_id((facts.get("doi"), record.get("id")), "doi", ids, notes)
    if not ids:
        return Skipped("no_id", "the record has no readable DOI")
    titles = tuple(_titles(facts.get("titles")))
    return Work(
        source=SOURCE,
        ids=ids,
        title=titles[0] if titles else None,
        publication_date=date_or_year(facts.get("publicationYear")),
        authors=tuple(_people(facts.get("creators"))),
        notes=tuple(notes),
        states_references=False,
        answer=answer,
        other_titles=titles[1:],
    )


def _titles(listed: object) -> Iterator[str]:
    """The titles without a type first, then each with the subtitles, then translations and the like."""
    named = [
        (str(entry.get("titleType") or ""), text)
        for entry in (listed if isinstance(listed, list) else ())
        if isinstance(entry, Mapping) and (text := clean_text(entry.get("title"))) is not None
    ]
    main = [text for kind, text in named if not kind]
    yield from main
    yield from (f"{title}: {text}" for title in main for kind, text in named if kind == "Subtitle")
    yield from (text for kind, text in named if kind not in ("", "Subtitle"))


def _people(creators: object) -> Iterator[str]:
    for person in creators if isinstance(creators, list) else ():
        if isinstance(person, Mapping):
            yield from _name(person)


def _name(person: Mapping[str, Any]) -> Iterator[str]:
    parts = [
        text for text in (clean_text(person.get("familyName")), clean_text(person.get("givenName"))) if text
    ]
    whole = ", ".join(parts) if clean_text(person.get("familyName")) else clean_text(person.get("name"))
    if whole is not None:
        yield whole
