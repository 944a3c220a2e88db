"""From records to events of the log (novelty reference, section 1). Pure: no network, no clock, no file.

The order inside one work is part of the safety: its paper row first, then its edges, and the row that says
that its references are known last of all. Whatever a crash leaves of it never claims more than stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from novelty_kit.ingest.record import COLUMN_OF, Answer, ListFault, References, SameWork, Work
from novelty_kit.output import canonical_json

__all__ = [
    "Event",
    "awaited_event",
    "closing_events",
    "edge_event",
    "failure_events",
    "opening_events",
    "same_work_event",
    "stub_event",
    "work_events",
]


_PLAIN: Final = re.compile(r"[ !#-\[\]-~]*", re.ASCII)
_EDGE: Final = (
    '{{"op":"upsert","table":"citation_edge",'
    '"row":{{"citing_lom_id":"{}","cited_lom_id":"{}","source":"{}"}}}}\n'
)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log.

    Attributes
    ----------
    table : str
        Singular name of the table.
    row : dict
        The row; for a delete its key alone.
    op : str
        ``upsert`` or ``delete``.
    answer : Answer, optional
        Where it was learned; written on the lines that state facts of a work, not on its edges.
    note : str, optional
        A sentence for a person.
    """

    table: str
    row: dict[str, Any]
    op: Literal["upsert", "delete"] = "upsert"
    answer: Answer | None = None
    note: str | None = None

    def line(self) -> bytes:
        """The event as one line of JSON with its newline."""
        if self.table == "citation_edge" and self.op == "upsert" and len(self.row) == 3:
            citing, cited, source = (self.row[name] for name in ("citing_lom_id", "cited_lom_id", "source"))
            # Nearly all lines are edges between plain ids: nothing in them needs escaping.
            if _PLAIN.fullmatch(citing + cited + source):
                return _EDGE.format(citing, cited, source).encode("ascii")
        record: dict[str, Any] = {"op": self.op, "table": self.table, "row": self.row}
        if self.answer is not None:
            record.update(self.answer.beside_row())
        if self.note is not None:
            record["note"] = f"{record['note']}; {self.note}" if "note" in record else self.note
        return canonical_json(record).encode("utf-8") + b"\n"


def work_events(work: Work, lom_id: str) -> Iterator[Event]:
    """Everything that a work's record says, as events about the node `lom_id`.

    Parameters
    ----------
    work : Work
        The record.
    lom_id : str
        The node that it describes: one of its ids, or the paper that owns one.

    Yields
    ------
    Event
        ``same_work``, then ``paper``, then each ``citation_edge``, then ``references_checked``.
    """
    yield from opening_events(work, lom_id)
    for entry in work.references.entries if work.references is not None else ():
        if entry.lom_ids:
            yield edge_event(lom_id, entry.lom_ids[0], work.source, entry.context)
    yield from closing_events(work, lom_id)


def opening_events(work: Work, lom_id: str) -> Iterator[Event]:
    """What stands before a work's edges: its other ids, and its paper row."""
    for relation in work.relations:
        yield same_work_event(relation, work.source, work.answer)
    row: dict[str, Any] = {"lom_id": lom_id}
    row.update((COLUMN_OF[scheme], body) for scheme, body in work.ids.items())
    for column in ("title", "abstract", "publication_date"):
        value = getattr(work, column)
        if value is not None:
            row[column] = value
    row["read"] = work.read
    row["source"] = work.source
    yield Event("paper", row, answer=work.answer)


def awaited_event(lom_id: str, *, stub: bool) -> Event:
    """A paper that was asked for, before anything is known of it: from here on its unread list blocks `novel`.

    Nothing else in the log would tell of a work whose lookup failed, was not reached, or died with the run.
    """
    row: dict[str, Any] = {"lom_id": lom_id} | ({"read": None} if stub else {})
    return Event("paper", row, note="asked for; nothing is known of it yet")


def edge_event(citing: str, cited: str, source: str, context: str | None = None) -> Event:
    """One work cites another."""
    row = {"citing_lom_id": citing, "cited_lom_id": cited, "source": source}
    if context is not None:
        row["context"] = context
    return Event("citation_edge", row)


def closing_events(work: Work, lom_id: str) -> Iterator[Event]:
    """What stands after a work's edges: whether its list is known."""
    if work.states_references:
        note = work.references.second_source if work.references is not None else None
        yield Event("references_checked", _checked_row(work, lom_id), answer=work.answer, note=note)


def _checked_row(work: Work, lom_id: str) -> dict[str, Any]:
    references: References | None = work.references
    fault = ListFault.NOT_STATED if references is None else references.fault
    row: dict[str, Any] = {"lom_id": lom_id, "source": work.source}
    if work.answer is not None and work.answer.ts is not None:
        row["checked_ts"] = work.answer.ts
    if fault is None and references is not None:
        return {**row, "n_refs": references.n_refs, "status": "ok"}
    return {**row, "n_refs": None, "status": "failed", "reason": str(fault)}


def same_work_event(relation: SameWork, source: str, answer: Answer | None = None) -> Event:
    """Two ids of one work, as a row of ``same_work``."""
    row = {
        "lom_id": relation.lom_id,
        "same_as_lom_id": relation.same_as_lom_id,
        "relation": relation.relation,
        "source": source,
    }
    return Event("same_work", row, answer=answer)


def stub_event(lom_ids: tuple[str, ...], title: str | None, source: str) -> Event:
    """A cited work that is known under several ids: one unread paper, so that each of them names it."""
    row: dict[str, Any] = {"lom_id": lom_ids[0]}
    for lom_id in lom_ids:
        scheme, _, body = lom_id.partition(":")
        row.setdefault(COLUMN_OF[scheme], body)
    if title is not None:
        row["title"] = title
    row["read"] = False
    row["source"] = source
    return Event("paper", row)


def failure_events(
    scheme: str,
    lookup: str,
    *,
    http_status: int | None,
    message: str,
    reason: str,
    answer: Answer | None,
    ts: str | None = None,
) -> Iterator[Event]:
    """A lookup that gave no answer: an ``ingest_error``, and the reference list that stays unknown.

    Parameters
    ----------
    scheme : str
        The provider that was asked: ``openalex``, ``crossref``, ``s2`` or ``arxiv``.
    lookup : str
        The id asked for, in normal form.
    http_status : int or None
        None where there was no answer at all.
    message, reason : str
        For a person, and the code that goes into ``references_checked``.
    answer : Answer or None
        The answer, where there was one.
    ts : str, optional
        When it was asked.
    """
    row: dict[str, Any] = {"scheme": scheme, "lookup": lookup, "lom_id": lookup, "http_status": http_status}
    row["message"] = message
    if ts is not None:
        row["ts"] = ts
    yield Event("ingest_error", row, answer=answer)
    checked: dict[str, Any] = {"lom_id": lookup, "source": scheme}
    if ts is not None:
        checked["checked_ts"] = ts
    yield Event(
        "references_checked", {**checked, "n_refs": None, "status": "failed", "reason": reason}, answer=answer
    )
