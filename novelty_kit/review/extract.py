"""Which citations a record or a list holds.

Takes a hypothesis, a review or any record with ``citations``, ``references`` or ``evidence``, or a plain
list with one citation a line. Ids that stand in running text are found too, in the texts alone and never
across the record's own syntax. Bibliography files are read elsewhere and arrive as items. No network. No
clock. Nothing is written.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import normalise
from novelty_kit.review.citation import CitationKey, citation_key

__all__ = ["CitationItem", "Extraction", "items_of_list", "items_of_record"]

Basis = Literal["structured", "mixed", "regex-fallback"]

_LISTS: Final = ("citations", "references", "evidence")
_REVIEW_LISTS: Final = ("verified_citations", "phantom_citations")
_ID_FIELDS: Final = ("lit_id", "doi", "pmid", "pmcid", "nct", "id", "title")
_IN_TEXT: Final = re.compile(
    r"(?<![0-9a-z/.])10\.[0-9]{4,9}/[^\s\"<>\u201c\u201d]+"
    r"|\bPMID:?\s?[0-9]{1,8}\b|\bPMC[0-9]{2,9}\b|\bNCT[0-9]{8}\b"
    r"|\barXiv:\s?(?:[0-9]{4}\.[0-9]{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]+)?",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CitationItem:
    """One citation as it is claimed.

    Attributes
    ----------
    raw_id : str
        The id or the title, as it is written.
    claimed_title : str or None
        None where only the id is given.
    authors : tuple of str
        Names as they are written; empty where none are given.
    year : int or None
    """

    raw_id: str
    claimed_title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None

    @property
    def key(self) -> CitationKey:
        """The normal form by which it is counted."""
        return citation_key(self.raw_id)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The citations of one source.

    Attributes
    ----------
    items : tuple of CitationItem
        In the order of mention, each claim once.
    basis : str
        ``structured``, ``mixed`` (running text added some) or ``regex-fallback`` (running text alone).
    """

    items: tuple[CitationItem, ...]
    basis: Basis


def items_of_record(record: Mapping[str, Any]) -> Extraction:
    """Take the citations out of a hypothesis, a review, or any record that lists them."""
    listed = list(_listed(record))
    known = {item.key for item in listed}
    added: dict[CitationKey, CitationItem] = {}
    for text in _texts(record):
        for found in _IN_TEXT.finditer(text):
            item = CitationItem(_trimmed(found.group()))
            if item.key not in known and item.key.is_id:
                added.setdefault(item.key, item)
    items = tuple(dict.fromkeys((*listed, *added.values())))
    basis: Basis = "structured" if not added else "mixed" if listed else "regex-fallback"
    return Extraction(items, basis if items else "structured")


def _listed(record: Mapping[str, Any]) -> Iterator[CitationItem]:
    for field in _LISTS:
        entries = record.get(field)
        if isinstance(entries, list) and entries:
            yield from (item for entry in entries for item in _items_of(entry))
            break
    for field in _REVIEW_LISTS:
        entries = record.get(field)
        if isinstance(entries, list):
            yield from (CitationItem(text) for text in entries if isinstance(text, str) and text.strip())


def _items_of(entry: object) -> Iterator[CitationItem]:
    if isinstance(entry, str) and entry.strip():
        yield CitationItem(entry)
    if not isinstance(entry, dict):
        return
    for field in _ID_FIELDS:
        value = entry.get(field)
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if isinstance(text, str) and text.strip():
            title = entry.get("title")
            yield CitationItem(
                f"pmid:{text}" if field == "pmid" and text.isdigit() else text,
                title if isinstance(title, str) and title.strip() else None,
                _authors(entry.get("authors")),
                _year(entry.get("year")),
            )
            return


def _authors(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = re.split(r"\s+and\s+|;", value)
    names = value if isinstance(value, list) else []
    return tuple(name.strip() for name in names if isinstance(name, str) and name.strip())


def _year(value: object) -> int | None:
    found = re.fullmatch(r"[0-9]{4}", str(value).strip()) if isinstance(value, int | str) else None
    return int(found[0]) if found else None


def _texts(value: object) -> Iterator[str]:
    """Every text of a record, but not the ids of its citation lists, which are structured."""
    waiting = deque([value])
    while waiting:
        one = waiting.popleft()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(inner for name, inner in one.items() if name not in _REVIEW_LISTS)
        elif isinstance(one, list):
            waiting.extend(one)


def _trimmed(text: str) -> str:
    """An id out of running text, without what the sentence glued to it."""
    try:
        return normalise(text)
    except KeyFormatError:
        return text


def items_of_list(text: str) -> Extraction:
    """Read a plain list: one id or title a line; blank lines and lines that begin with ``#`` are passed."""
    lines = (line.strip() for line in text.split("\n"))
    items = (CitationItem(line) for line in lines if line and not line.startswith("#"))
    return Extraction(tuple(dict.fromkeys(items)), "structured")
