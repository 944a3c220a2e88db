"""arXiv: asking for preprints by id, and its Atom feeds as records.

arXiv states no reference lists. It answers 200 with an empty feed for what it does not know, with an entry
titled Error for what it does not understand, and with two words of plain text when asked too often. Asks only
through the client that it is given. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from novelty_kit.errors import KeyFormatError
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import batches, no_such_lookup, not_by_status, resolve_in_batches
from novelty_kit.ingest.record import Answer, Skipped, Work, clean_text, date_or_year, read_id
from novelty_kit.ingest.reply import Failed, Failure, Reply, by_status
from novelty_kit.keys import parse_key

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["SOURCE", "fetch_work", "read_entry", "read_feed", "resolve_works", "search_works", "sort_answer"]

SOURCE: Final = "arxiv"

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_ARXIV: Final = "{http://arxiv.org/schemas/atom}"
_BLANKS: Final = re.compile(r"\s+")


def sort_answer(reply: Reply) -> Failure | None:
    """Know the plain-text "Rate exceeded." whatever its status is; everything else by status."""
    if reply.body.strip(b" \r\n\t.") == b"Rate exceeded":
        return Failure.RATE_LIMITED
    return by_status(reply)


def read_feed(raw: bytes, *, answer: Answer | None = None) -> list[Work | Skipped]:
    """Read a feed's entries.

    Raises
    ------
    ValueError
        It is no Atom feed, or declares a document type (the way in for entities).
    """
    from xml.etree.ElementTree import ParseError, fromstring

    text = raw.decode("utf-8")
    if "<!DOCTYPE" in text:
        raise ValueError("the answer declares a document type, as no Atom feed does")
    try:
        root = fromstring(text)
    except ParseError as error:
        raise ValueError(f"the answer is no Atom feed: {error}") from error
    if root.tag != f"{_ATOM}feed":
        raise ValueError("the answer is no Atom feed")
    return [read_entry(entry, answer=answer) for entry in root.iterfind(f"{_ATOM}entry")]


def read_entry(entry: Element, *, answer: Answer | None = None) -> Work | Skipped:
    """Read one entry; an entry that reports an error is skipped with what it says."""
    address = entry.findtext(f"{_ATOM}id") or ""
    try:
        key = parse_key(address, "arxiv")
    except KeyFormatError:
        said = clean_text(entry.findtext(f"{_ATOM}summary")) or "an entry without an arXiv id"
        return Skipped("error_answer", said)
    notes: list[str] = []
    ids = {"arxiv": key.id}
    read_id((entry.findtext(f"{_ARXIV}doi"),), "doi", ids, notes)
    return Work(
        source=SOURCE,
        ids=ids,
        title=_one_line(entry.findtext(f"{_ATOM}title")),
        abstract=_one_line(entry.findtext(f"{_ATOM}summary")),
        publication_date=date_or_year((entry.findtext(f"{_ATOM}published") or "")[:10]),
        authors=tuple(
            filter(None, (_one_line(name.text) for name in entry.iterfind(f"{_ATOM}author/{_ATOM}name")))
        ),
        notes=tuple(notes),
        states_references=False,
        answer=answer,
    )


def _one_line(text: str | None) -> str | None:
    """Feeds wrap long titles and abstracts; where a line ended says nothing."""
    cleaned = clean_text(text)
    return None if cleaned is None else _BLANKS.sub(" ", cleaned).strip()


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one preprint; an empty feed means that arXiv does not know it."""
    if not lom_id.startswith("arxiv:"):
        return no_such_lookup(lom_id, SOURCE)
    found = _ask(client, {"id_list": lom_id.removeprefix("arxiv:"), "max_results": "1"})
    if isinstance(found, Failed):
        return found
    works, reply = found
    for work in works:
        if isinstance(work, Skipped):
            return Failed(Failure.UNREADABLE, work.why, reply.status, reply.answer)
        if lom_id in work.lom_ids:
            return work
    if works:
        return Failed(Failure.OTHER_WORK, "the feed is about another paper", reply.status, reply.answer)
    return Failed(Failure.NOT_FOUND, "an empty feed", reply.status, reply.answer)


def resolve_works(client: Client, lom_ids: Sequence[str]) -> Iterator[tuple[str, Work | Failed]]:
    """Ask for many preprints, as many in one question as arXiv takes."""
    ours = [lom_id for lom_id in lom_ids if lom_id.startswith("arxiv:")]
    groups = batches(ours, client.limits.batch, client.limits.url_bytes - 200, lambda lom_id: len(lom_id) + 3)
    yield from resolve_in_batches(groups, partial(_ask_many, client), partial(fetch_work, client))
    for lom_id in lom_ids:
        if not lom_id.startswith("arxiv:"):
            yield lom_id, no_such_lookup(lom_id, SOURCE)


def search_works(client: Client, title: str) -> list[Work] | Failed:
    """The preprints that arXiv finds for a title; whether one is meant is the caller's question."""
    words = " ".join(re.findall(r"\w+", title))
    found = _ask(client, {"search_query": f'ti:"{words}"', "max_results": "10"})
    return found if isinstance(found, Failed) else [work for work in found[0] if isinstance(work, Work)]


def _ask_many(client: Client, lom_ids: Sequence[str]) -> list[Work] | Failed:
    listed = ",".join(lom_id.removeprefix("arxiv:") for lom_id in lom_ids)
    found = _ask(client, {"id_list": listed, "max_results": str(len(lom_ids))})
    return found if isinstance(found, Failed) else [work for work in found[0] if isinstance(work, Work)]


def _ask(client: Client, question: dict[str, str]) -> tuple[list[Work | Skipped], Reply] | Failed:
    reply = client.ask("/api/query", question)
    if isinstance(reply, Failed):
        return not_by_status(reply)
    try:
        return read_feed(reply.body, answer=reply.answer), reply
    except ValueError as error:
        return Failed(Failure.UNREADABLE, str(error), reply.status, reply.answer)
