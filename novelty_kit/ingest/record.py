"""What one answer says about one work, whoever gave it.

Every provider file turns its own format into these records; :mod:`novelty_kit.ingest.events` turns them
into events. Absent and empty are different facts: a list that a source does not state is None, a list that it
states as empty is there and holds nothing. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import parse_key

__all__ = [
    "COLUMN_OF",
    "Answer",
    "ListFault",
    "Reference",
    "References",
    "SameWork",
    "Skipped",
    "Work",
    "clean_text",
    "date_or_year",
    "read_id",
]

COLUMN_OF: Final = {
    "arxiv": "arxiv",
    "doi": "doi",
    "openalex": "openalex",
    "pmid": "pmid",
    "s2": "s2_paper_id",
}
"""The column of table `paper` that holds ids of a scheme."""


class ListFault(StrEnum):
    """Why a reference list is not known although its source was asked."""

    NOT_STATED = "not_stated"
    ZERO_UNCORROBORATED = "zero_uncorroborated"
    ZERO_CONTRADICTED = "zero_contradicted"
    CUT_SHORT = "cut_short"
    UNREADABLE_ENTRY = "unreadable_entry"
    NO_REFERENCE_IDS = "no_reference_ids"


@dataclass(frozen=True, slots=True)
class Answer:
    """Where facts come from: one answer of a service, or one record of a file.

    Attributes
    ----------
    source : str
        The provider.
    sha256 : str
        Hash of the answer's bytes (of the record's line or file where it was read from one).
    url : str, optional
        What was asked, with every key removed.
    http_status : int, optional
        None for a file.
    file : str, optional
        The file's name without its folder.
    ts : str, optional
        When it was answered, RFC 3339, UTC; None where that is not known.
    """

    source: str
    sha256: str
    url: str | None = None
    http_status: int | None = None
    file: str | None = None
    ts: str | None = None

    def beside_row(self) -> dict[str, str]:
        """How it stands beside an event's row: when, who said it, where, and its status and hash in words."""
        status = "" if self.http_status is None else f"HTTP {self.http_status}, "
        fields = {
            "ts": self.ts,
            "actor": f"novelty ingest {self.source}",
            "task": self.url or self.file,
            "note": f"{status}sha256 {self.sha256}",
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a reference list.

    Attributes
    ----------
    lom_ids : tuple of str
        Every id that the source gives for the cited work, best first; empty where it gives none.
    title : str, optional
        Its title, where the source tells more than ids.
    context : str, optional
        The sentence in which it is cited.
    """

    lom_ids: tuple[str, ...]
    title: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True)
class References:
    """A reference list as its source states it.

    Attributes
    ----------
    entries : tuple of Reference
        In the source's order, each cited work once, the citing work itself left out.
    n_stated : int or None
        The count that the source gives beside the list.
    n_listed : int
        Entries of the list before anything was left out.
    n_lost : int
        Entries whose target is known to be gone (deleted works): they count, and have no edge.
    n_unreadable : int
        Entries that are no reference at all (null, a number, a broken id of the source's own scheme).
    corroborated_zero : bool or None
        For an empty list: whether a second source also counts none; None where none was asked.
    second_source : str or None
        What it said, for a person.
    """

    entries: tuple[Reference, ...]
    n_stated: int | None
    n_listed: int
    n_lost: int = 0
    n_unreadable: int = 0
    corroborated_zero: bool | None = None
    second_source: str | None = None

    @property
    def n_refs(self) -> int:
        """How many works the list cites, whether or not each can be named."""
        return len(self.entries) + self.n_lost

    @property
    def fault(self) -> ListFault | None:
        """Why the list must not count as known, or None where it may."""
        if self.n_unreadable:
            return ListFault.UNREADABLE_ENTRY
        if self.n_stated is not None and self.n_listed < self.n_stated:
            return ListFault.CUT_SHORT
        if self.n_refs == 0:
            if self.corroborated_zero is None:
                return ListFault.ZERO_UNCORROBORATED
            return None if self.corroborated_zero else ListFault.ZERO_CONTRADICTED
        if not any(entry.lom_ids for entry in self.entries):
            return ListFault.NO_REFERENCE_IDS
        return None


@dataclass(frozen=True, slots=True)
class SameWork:
    """Two ids of one work, by the word of a source."""

    lom_id: str
    same_as_lom_id: str
    relation: str


@dataclass(frozen=True, slots=True)
class Work:
    """One work as one source describes it.

    Attributes
    ----------
    source : str
        The provider.
    ids : dict of str to str
        Scheme to id in normal form, at most one of each scheme; the source's own id first. Empty only in an
        entry that was skipped for that.
    title, abstract, publication_date : str or None
        As stated. A title keeps its markup; the date is a day, a month or a year.
    authors : tuple of str
        Their names as stated; for comparing, not for the log.
    other_titles : tuple of str
        Other titles of the record: with its subtitle, in another language; for comparing, not for the log.
    references : References or None
        None where the source does not state a list.
    relations : tuple of SameWork
        Other ids of this work.
    notes : tuple of str
        Codes of the oddities met, for the summary: ``self_citation``, ``duplicate_reference`` and others.
    asked : str, optional
        The id that this answers.
    read : bool
        Whether the paper counts as read; only a bibliography may say that it does not.
    answer : Answer, optional
        Where it was learned.

    Notes
    -----
    Records that only serve to check a citation may have ids of the schemes ``pmcid`` and ``nct``, which no
    node of the log has.
    """

    source: str
    ids: dict[str, str]
    title: str | None = None
    abstract: str | None = None
    publication_date: str | None = None
    authors: tuple[str, ...] = ()
    references: References | None = None
    relations: tuple[SameWork, ...] = ()
    notes: tuple[str, ...] = ()
    asked: str | None = None
    read: bool = True
    states_references: bool = True
    answer: Answer | None = None
    other_titles: tuple[str, ...] = ()

    @property
    def lom_ids(self) -> tuple[str, ...]:
        """Every id of the work as a node's name, the source's own first."""
        return tuple(f"{scheme}:{body}" for scheme, body in self.ids.items())


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that gave no work, and why.

    Attributes
    ----------
    code : str
        ``tombstone``, ``no_id``, ``not_a_work``, ``not_json`` and so on.
    why : str
        One sentence for a person.
    where : str
        ``file:line`` or the entry's name.
    entry : Work or None
        What an entry without an id does tell: it can be looked up by its title.
    """

    code: str
    why: str
    where: str = ""
    entry: Work | None = None


# A lone surrogate cannot be written as UTF-8, and NUL ends a string in too many readers.
_UNWRITABLE = re.compile("[\ud800-\udfff\x00]")


def clean_text(value: object) -> str | None:
    """A text as it was stated, or None for one that says nothing; unwritable characters become U+FFFD."""
    if not isinstance(value, str) or not value.strip():
        return None
    return _UNWRITABLE.sub("\ufffd", value)


_DATE = re.compile(r"([1-9][0-9]{3})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def date_or_year(*candidates: object) -> str | None:
    """The first of the given dates that exists in the calendar: a day, a month or a year (number or text)."""
    for value in candidates:
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        found = _DATE.fullmatch(text) if isinstance(text, str) else None
        if found and _exists(found):
            return found.group()
    return None


def _exists(found: re.Match[str]) -> bool:
    year, month, day = found.groups()
    if day is None:
        return True
    if month == "02" and day == "29":
        return int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
    return int(day) <= _DAYS[int(month) - 1]


def read_id(values: Iterable[object], scheme: str, ids: dict[str, str], notes: list[str]) -> None:
    """Add the first readable id of a scheme; a broken one is noted and never repaired.

    An arXiv DOI is the arXiv id and goes there.
    """
    for value in values:
        if value is None or value == "":
            continue
        try:
            key = parse_key(value if isinstance(value, str) else str(value), scheme)
        except KeyFormatError:
            notes.append(f"unreadable_{scheme}")
            continue
        if ids.setdefault(key.scheme, key.id) != key.id:
            notes.append(f"conflicting_{key.scheme}")
        return
