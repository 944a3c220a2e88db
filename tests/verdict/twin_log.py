"""The log as the twin sees it: plain dicts of current rows. Reads a list of events; writes nothing.

Follows the novelty reference, sections 1-3. Slow on purpose: every value is worked out where it is asked for.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from novelty_kit import keys
from novelty_kit.errors import KeyFormatError

Row = dict[str, Any]
Day = tuple[int, int, int]

KEY_COLUMNS = {"doi": "doi", "arxiv": "arxiv", "openalex": "openalex", "s2_paper_id": "s2", "pmid": "pmid"}
TABLES = ("paper", "claim", "citation_edge", "references_checked", "ingest_error")
# The characters with the Unicode property White_Space; str.split() would add U+001C to U+001F.
WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


@cache
def normalise(text: str, scheme: str | None = None) -> str:
    return keys.normalise(text, scheme)


def statement_key(statement: str | None) -> str:
    """NFC, white space runs to one blank, trimmed, lower case; "" where there is nothing to compare."""
    composed = unicodedata.normalize("NFC", statement or "")
    return re.sub(f"[{WHITE_SPACE}]+", " ", composed).strip(" ").lower()


def lookup_key(scheme: str, lookup: str) -> tuple[str, str]:
    """Who was asked, and for what: the same lookup has one key however it was spelt."""
    service = scheme.strip().lower()
    for hint in (None, service if service in KEY_COLUMNS.values() else None):
        try:
            return service, normalise(lookup, hint)
        except KeyFormatError:
            continue
    return service, lookup.strip()


@dataclass
class Log:
    """Current rows by table and key after all events (the last event of a key decides)."""

    paper: dict[str, Row] = field(default_factory=dict)
    claim: dict[str, Row] = field(default_factory=dict)
    citation_edge: dict[tuple[str, str], Row] = field(default_factory=dict)
    references_checked: dict[str, Row] = field(default_factory=dict)
    ingest_error: dict[tuple[str, str], Row] = field(default_factory=dict)

    @cached_property
    def owned(self) -> dict[str, list[str]]:
        """By id: the papers whose lom_id or key it is, each named by its lom_id."""
        owned: dict[str, list[str]] = {}
        for paper in sorted(self.paper):
            for lom_id in {paper} | keys_of(self.paper[paper]):
                owned.setdefault(lom_id, []).append(paper)
        return owned

    def owners(self, lom_id: str) -> list[str]:
        return self.owned.get(lom_id, [])

    @cached_property
    def statement_keys(self) -> dict[str, str]:
        return {claim: statement_key(row.get("statement")) for claim, row in self.claim.items()}


def keys_of(paper: Row) -> set[str]:
    return {normalise(paper[c], s) for c, s in KEY_COLUMNS.items() if paper.get(c) is not None}


def event_key(event: Row) -> tuple[str, Any]:
    """The table and key of an event, in normal form; a table that decides nothing has its name and no key."""
    table, row = table_of(event), row_of(event)
    if table == "citation_edge":
        return table, (row["citing_lom_id"], row["cited_lom_id"])
    if table == "ingest_error":
        return table, lookup_key(row["scheme"], row["lookup"])
    return table, row.get("claim_id" if table == "claim" else "lom_id")


def table_of(event: Row) -> str:
    name = str(event["table"])
    return name[:-1] if name[:-1] in TABLES else name


def row_of(event: Row) -> Row:
    """The row with its ids in normal form; ``src`` and ``dst`` are read as the edge's ends."""
    names = {"src": "citing_lom_id", "dst": "cited_lom_id"} if table_of(event) == "citation_edge" else {}
    row = {names.get(column, column): value for column, value in event["row"].items()}
    ids = ("lom_id", "about_lom_id", "citing_lom_id", "cited_lom_id") if table_of(event) in TABLES[:4] else ()
    return {c: normalise(value) if c in ids and value is not None else value for c, value in row.items()}


def read_log(events: list[Row]) -> Log:
    log = Log()
    for event in events:
        table, key = event_key(event)
        if table not in TABLES:
            continue
        rows: dict[Any, Row] = getattr(log, table)
        if event["op"] == "delete":
            rows.pop(key, None)
        elif table == "paper":
            rows[key] = {**rows.get(key, {}), **row_of(event)}
        else:
            rows[key] = row_of(event)
    return log


def first_day(date: str) -> Day:
    year, month, day = [*(int(part) for part in date.split("-")), 1, 1][:3]
    return (year, month, day)


def last_day(date: str) -> Day:
    parts = [int(part) for part in date.split("-")]
    year, month = parts[0], parts[1] if len(parts) > 1 else 12
    day = (
        parts[2]
        if len(parts) > 2
        else 29
        if month == 2 and calendar.isleap(year)
        else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    )
    return (year, month, day)


def could_cite(citing: str | None, cited: str | None, margin_years: int | str) -> bool:
    """Whether a work of the first date could cite one of the second. What is unknown could."""
    if citing is None or cited is None or margin_years == "off":
        return True
    year, month, day = last_day(citing)
    year += int(margin_years)
    if (month, day) == (2, 29) and not calendar.isleap(year):
        month, day = 3, 1
    return not (year, month, day) < first_day(cited)
