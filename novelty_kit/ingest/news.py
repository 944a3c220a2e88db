"""Which events of an answer are news to a log: the same answer twice adds nothing.

Decides which node a record describes and leaves out what the log already says. A failed check never
replaces one that succeeded, another source fills what is empty and overwrites nothing, and an unread stub
never replaces a paper. Reads :mod:`novelty_kit.ingest.known` and keeps it up; writes no file.
No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from novelty_kit.ingest.events import (
    Event,
    awaited_event,
    closing_events,
    edge_event,
    opening_events,
    same_work_event,
    stub_event,
)
from novelty_kit.ingest.known import Known, Node, comparable
from novelty_kit.ingest.record import COLUMN_OF, Reference, SameWork, Work

__all__ = ["news_of_events", "news_of_expected", "news_of_work", "node_of"]


def node_of(work: Work, known: Known) -> str:
    """The node that a record describes: a paper of the log that owns one of its ids, else its own first id.

    A paper that holds another id of the same scheme is another record (two works on one DOI), never taken. One
    that was only asked for gives way to a paper that says something, unless the source calls them merged.
    """
    own = work.lom_ids[0]
    merged = {relation.lom_id for relation in work.relations} | {own}
    is_key = work.asked in work.lom_ids
    owners = {
        owner: None
        for owner in _owners(work, known)
        if not _awaited(known.node(owner)) or (owner == work.asked and not is_key)
    }
    fitting = [
        owner for owner in owners if owner in merged or not _conflicts(work, known.node(owner), merged)
    ]
    if work.asked in fitting:
        return str(work.asked)
    if own in fitting:
        return own
    if len(fitting) == 1:
        return fitting[0]
    if work.asked and not owners:
        return work.asked
    return own


def _owners(work: Work, known: Known) -> dict[str, None]:
    owners: dict[str, None] = {}
    for lom_id in (*((work.asked,) if work.asked else ()), *work.lom_ids):
        owners.update(dict.fromkeys(known.owners(lom_id)))
    return owners


def _awaited(node: Node) -> bool:
    """Whether a paper says nothing but its name: it was asked for, and no answer has come."""
    return node.paper is not None and all(
        value is None for column, value in node.paper.items() if column != "lom_id"
    )


def news_of_expected(lom_ids: Iterable[str], known: Known) -> Iterator[Event]:
    """A paper for each id that none has, and the mark of a stub taken from those that will be asked for."""
    for lom_id in lom_ids:
        owners = known.owners(lom_id)
        if not owners:
            yield _taken(awaited_event(lom_id, stub=False), known)
        for owner in owners:
            if (known.node(owner).paper or {}).get("read") is False:
                yield _taken(awaited_event(owner, stub=True), known)


def _conflicts(work: Work, node: Node, merged: set[str]) -> bool:
    held = node.paper or {}
    for lom_id in work.lom_ids:
        other = held.get(COLUMN_OF[lom_id.partition(":")[0]])
        if other is not None and other != lom_id and other not in merged:
            return True
    return False


def news_of_work(work: Work, known: Known) -> Iterator[Event]:
    """The events of a record that the log does not have yet, in the order in which they must be written."""
    lom_id = node_of(work, known)
    node = known.node(lom_id)
    for event in opening_events(work, lom_id):
        if event.table == "paper":
            for news in (*_twins(work, lom_id, known), *_paper_news(event, node)):
                yield _taken(news, known)
        else:
            for news in news_of_events((event,), known):
                yield _taken(news, known)
    for entry in work.references.entries if work.references else ():
        yield from _reference_news(entry, lom_id, work.source, known)
    for event in news_of_events(closing_events(work, lom_id), known):
        yield _taken(event, known)
    for other in _owners(work, known):
        if other in work.lom_ids and other != lom_id and _awaited(known.node(other)):
            # The paper that says something has this id as its key now.
            yield _taken(Event("paper", {"lom_id": other}, op="delete"), known)
    if work.asked and known.failed_lookup(work.source, work.asked) is not None:
        yield _taken(Event("ingest_error", {"scheme": work.source, "lookup": work.asked}, op="delete"), known)


def _taken(event: Event, known: Known) -> Event:
    known.apply(event.op, event.table, event.row)
    return event


def news_of_events(events: Iterable[Event], known: Known) -> Iterator[Event]:
    """Of rows that stand alone (checks, failures, same works) those that say something new."""
    for event in events:
        if event.table == "references_checked":
            event = _at_its_paper(event, known)
        row = event.row
        if event.table == "references_checked":
            fresh = _check_is_news(row, known.node(row["lom_id"]).checked)
        elif event.table == "ingest_error":
            fresh = known.failed_lookup(row["scheme"], row["lookup"]) != [row["http_status"], row["message"]]
        elif event.table == "same_work":
            fresh = not known.same_work(row["lom_id"], row["same_as_lom_id"])
        else:
            fresh = True
        if fresh:
            yield event


def _at_its_paper(event: Event, known: Known) -> Event:
    """A check under a key of one paper is a check of that paper, which may know better already."""
    lom_id = event.row["lom_id"]
    owners = known.owners(lom_id)
    if len(owners) != 1 or owners[0] == lom_id:
        return event
    return replace(event, row={**event.row, "lom_id": owners[0]})


def _check_is_news(row: dict[str, Any], before: dict[str, Any] | None) -> bool:
    if before is None:
        return True
    same_source = before["source"] == row["source"]
    if row["status"] == "failed":
        # A list that was read stays read, and two sources that fail do not take turns.
        return bool(before["status"] == "failed" and same_source and before["reason"] != row.get("reason"))
    if before["status"] == "failed":
        return True
    held, stated = before["n_refs"] or 0, row["n_refs"]
    if stated == 0:
        return False
    return bool(stated != held) if same_source else bool(stated > held)


def _paper_news(event: Event, node: Node) -> Iterator[Event]:
    row, held = event.row, node.paper
    if held is None or _awaited(node):
        yield event
        return
    patch: dict[str, Any] = {}
    promoted = row["read"] and not held.get("read", True)
    same_source = held.get("source") == row["source"]
    for column, value in row.items():
        if column in ("lom_id", "source", "read"):
            continue
        before = held.get(column)
        if before is None or ((same_source or promoted) and comparable(column, value) != before):
            patch[column] = value
    if promoted:
        patch.update(read=True, source=row["source"])
    if patch:
        yield Event("paper", {"lom_id": row["lom_id"], **patch}, answer=event.answer)


def _twins(work: Work, lom_id: str, known: Known) -> Iterator[Event]:
    """Another paper of the log that has one of this record's ids: two records of one work."""
    for key in work.lom_ids:
        others = [o for o in known.owners(key) if o != lom_id and not _awaited(known.node(o))]
        if others and not any(known.same_work(lom_id, other) for other in others):
            yield same_work_event(SameWork(lom_id, others[0], "same_record"), work.source)
            return


def _reference_news(entry: Reference, citing: str, source: str, known: Known) -> Iterator[Event]:
    """An edge to every paper that the cited work's ids name; where none does, one stub under all of them."""
    if not entry.lom_ids:
        return
    if len(entry.lom_ids) == 1:
        targets = list(entry.lom_ids)
    else:
        owners = {lom_id: known.owners(lom_id) for lom_id in entry.lom_ids}
        targets = [lom_id for lom_id in entry.lom_ids if owners[lom_id]]
        free = [lom_id for lom_id in entry.lom_ids if not owners[lom_id]]
        holders = {paper for papers in owners.values() for paper in papers}
        if not holders:
            yield _taken(stub_event(entry.lom_ids, entry.title, source), known)
            targets = [entry.lom_ids[0]]
        elif len(holders) == 1:
            holder = holders.pop()
            held = known.node(holder).paper or {}
            empty = [i for i in free if held.get(COLUMN_OF[i.partition(":")[0]]) is None]
            if empty:
                named = {COLUMN_OF[i.partition(":")[0]]: i.partition(":")[2] for i in reversed(empty)}
                yield _taken(Event("paper", {"lom_id": holder, **named}), known)
            targets = [holder] + [i for i in free if i not in empty]
        else:
            targets += free
    for target in targets:
        if target != citing and known.add_edge(citing, target):
            yield edge_event(citing, target, source, entry.context)
