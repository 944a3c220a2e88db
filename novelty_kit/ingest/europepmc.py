"""Europe PMC: asking for articles by PubMed number, PMCID or title, and its JSON as records.

It answers 200 with a count of zero for what it does not know, and 200 with an error code for what it does not
understand: only the first is a definite no. Asked only to check citations. Asks only through the client that
it is given. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, decoded, no_such_lookup, not_by_status
from novelty_kit.ingest.record import Answer, Skipped, Work, clean_text, date_or_year, read_id
from novelty_kit.ingest.reply import Failed, Failure, Reply

__all__ = ["SOURCE", "fetch_work", "read_work", "search_works"]

SOURCE: Final = "europepmc"

_QUESTION: Final = {"pmid": "EXT_ID:{} AND SRC:MED", "pmcid": "PMCID:{}"}
_PMCID: Final = re.compile("PMC[1-9][0-9]*")


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one article; a count of zero means that Europe PMC does not know it."""
    scheme, _, body = lom_id.partition(":")
    if scheme not in _QUESTION:
        return no_such_lookup(lom_id, SOURCE)
    found = _ask(client, _QUESTION[scheme].format(body))
    if isinstance(found, Failed):
        return found
    works, reply = found
    if not works:
        return Failed(Failure.NOT_FOUND, "a count of zero", reply.status, reply.answer)
    fitting = [work for work in works if isinstance(work, Work) and lom_id in work.lom_ids]
    return about(lom_id, (fitting or works)[0], reply)


def search_works(client: Client, title: str) -> list[Work] | Failed:
    """The articles that Europe PMC finds for a title; whether one is meant is the caller's question."""
    words = " ".join(re.findall(r"\w+", title))
    if not words:
        return []
    found = _ask(client, f'TITLE:"{words}"')
    return found if isinstance(found, Failed) else [work for work in found[0] if isinstance(work, Work)]


def _ask(client: Client, question: str) -> tuple[list[Work | Skipped], Reply] | Failed:
    parameters = {
        "query": question,
        "format": "json",
        "resultType": "core",
        "pageSize": str(client.limits.page),
    }
    reply = client.ask("/search", parameters)
    if isinstance(reply, Failed):
        return not_by_status(reply)
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    count = body.get("hitCount") if isinstance(body, Mapping) else None
    listed = body.get("resultList") if isinstance(body, Mapping) else None
    results = listed.get("result") if isinstance(listed, Mapping) else None
    if type(count) is not int or not isinstance(results, list) or (count > 0) != bool(results):
        return Failed(Failure.UNREADABLE, "the answer holds no list of articles", reply.status, reply.answer)
    return [read_work(record, answer=reply.answer) for record in results], reply


def read_work(record: object, *, answer: Answer | None = None) -> Work | Skipped:
    """Read one article; a record of a preprint or a book may have no PubMed number."""
    if not isinstance(record, Mapping):
        return Skipped("not_a_work", f"expected a JSON object, got {type(record).__name__}")
    notes: list[str] = []
    ids: dict[str, str] = {}
    read_id((record.get("pmid"),), "pmid", ids, notes)
    read_id((record.get("doi"),), "doi", ids, notes)
    pmcid = record.get("pmcid")
    if isinstance(pmcid, str) and _PMCID.fullmatch(pmcid):
        ids["pmcid"] = pmcid
    if not ids:
        return Skipped("no_id", "the record names its article by no id")
    return Work(
        source=SOURCE,
        ids=ids,
        title=clean_text(record.get("title")),
        publication_date=date_or_year(record.get("firstPublicationDate"), record.get("pubYear")),
        authors=tuple(_people(record)),
        notes=tuple(notes),
        states_references=False,
        answer=answer,
    )


def _people(record: Mapping[str, Any]) -> Iterator[str]:
    """Names as "family, given"; a short record has one line of family names with initials."""
    listed = record.get("authorList")
    people = listed.get("author") if isinstance(listed, Mapping) else None
    if isinstance(people, list):
        for person in people:
            if isinstance(person, Mapping):
                family, given = clean_text(person.get("lastName")), clean_text(person.get("firstName"))
                whole = clean_text(person.get("collectiveName")) or _turned(
                    clean_text(person.get("fullName"))
                )
                name = ", ".join(part for part in (family, given) if part) if family else whole
                if name is not None:
                    yield name
        return
    line = clean_text(record.get("authorString"))
    for name in (line or "").rstrip(".").split(","):
        turned = _turned(name.strip() or None)
        if turned is not None:
            yield turned


def _turned(name: str | None) -> str | None:
    """ "Nader A" is the family name with initials."""
    found = re.fullmatch(r"(.+) ([A-Z][A-Z-]{0,3})", name) if name else None
    return f"{found[1]}, {found[2]}" if found else name
