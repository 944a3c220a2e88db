"""A candidate as it would be with some facts otherwise; the log is read and never written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from novelty_kit.changes.difference import what_differs
from novelty_kit.changes.edited import EditedGraph, add_lines
from novelty_kit.changes.record import Differing, WhatIf
from novelty_kit.errors import InputError, KeyFormatError
from novelty_kit.graph import Graph
from novelty_kit.keys import normalise
from novelty_kit.output import shorten
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.judge import MAX_LISTED, judge
from novelty_kit.verdict.policy import Policy

__all__ = ["what_if"]

Event = Mapping[str, Any] | str | bytes


def what_if(
    graph: Graph,
    candidate: Candidate | Mapping[str, Any],
    *,
    add: Iterable[Event] = (),
    remove: Iterable[int] = (),
    hold: Iterable[str] = (),
    read: Iterable[str] = (),
    checked: Mapping[str, int] | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
) -> WhatIf:
    """Judge a candidate as the graph is, and as it would be; the log stays as it is.

    Parameters
    ----------
    graph : Graph
        From :func:`open_graph`, or a view ``graph.as_of(seq)``.
    candidate : mapping or Candidate
    add : iterable of mapping, str or bytes
        Events as lines of the log, put behind its last one.
    remove : iterable of int
        Seqs of events that are left out.
    hold : iterable of str
        Ids that the authors used: they join ``holdout_lom_ids``.
    read : iterable of str
        Ids whose papers are read: a stub becomes a paper.
    checked : mapping of str to int, optional
        Ids whose reference lists are known, with how many references each has.
    policy : mapping or Policy, optional
        Switches of the result after; the result before has the default ones.

    Returns
    -------
    WhatIf

    Raises
    ------
    InputError
        An event is none, a seq is not in the log, an id has no normal form.
    """
    one = read_candidate(candidate)
    chosen = Policy.of(policy)
    held = _ids("hold", hold)
    rows = [*_lines(add), *_read_lines(graph, _ids("read", read)), *_checked_lines(checked or {})]
    gone = _seqs(graph, remove)
    after_graph: Graph = graph
    if rows or gone:
        added = add_lines(graph, rows) if rows else None
        after_graph = EditedGraph.of(graph, dropped=gone, added=added)
    other = replace(one, seen=tuple(sorted({*(one.seen or ()), *held}))) if held else one
    before = judge(graph, [one], Policy(), MAX_LISTED)[0]
    after = judge(after_graph, [other], chosen, MAX_LISTED)[0]
    switched = {name: value for name, value in chosen.to_dict().items() if value != Policy().to_dict()[name]}
    supposed = {
        "add": [json.loads(row) for row in rows],
        "remove": gone,
        "hold": list(held),
        "policy": switched,
    }
    after = replace(after, graph={**after.graph, "what_if": supposed})
    difference = Differing(before.candidate_id, before, after, what_differs(before, after))
    return WhatIf(before, after, difference, supposed)


def _lines(events: Iterable[Event]) -> list[bytes]:
    """Events as lines; text is taken as it stands, and may hold several lines."""
    if isinstance(events, Mapping | str | bytes):
        raise InputError("add takes a list of events", remedy="Write add=[…]")
    found: list[bytes] = []
    for number, event in enumerate(events, 1):
        if isinstance(event, Mapping):
            try:
                found.append(json.dumps(event, ensure_ascii=False, allow_nan=False).encode())
            except (TypeError, ValueError, RecursionError) as error:
                raise InputError(f"the event to be added, number {number}, is no JSON: {error}") from None
        elif isinstance(event, str | bytes):
            try:
                raw = event.encode() if isinstance(event, str) else event
            except UnicodeEncodeError:
                raise InputError(f"the event to be added, number {number}, is no Unicode text") from None
            found += raw.removesuffix(b"\n").split(b"\n")
        else:
            what = f"the event to be added, number {number}, must be an object or a line"
            raise InputError(f"{what}, got {shorten(repr(event), 60)}")
    return found


def _ids(name: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str | bytes):
        raise InputError(f"{name} takes a list of ids", remedy=f"Write {name}=[…]")
    return tuple(sorted({_id(name, text) for text in given}))


def _id(name: str, text: Any) -> str:
    if not isinstance(text, str):
        raise InputError(f"{name}: an id must be a string, got {shorten(repr(text), 60)}")
    try:
        return normalise(text)
    except KeyFormatError as error:
        raise InputError(f"{name}: {error}") from None


def _read_lines(graph: Graph, lom_ids: Sequence[str]) -> list[bytes]:
    """The papers that these ids mean, marked as read."""
    if not lom_ids:
        return []
    with graph.connection as con:
        named = dict(
            con.execute(
                """
                SELECT named.lom_id, own.lom_id
                FROM identifier AS named
                INNER JOIN owned ON owned.id_no = named.id_no
                INNER JOIN identifier AS own ON own.id_no = owned.means_no
                WHERE named.lom_id IN (SELECT unnest($ids::VARCHAR[]))
                """,
                {"ids": list(lom_ids)},
            ).fetchall()
        )
    papers = sorted({named.get(lom_id, lom_id) for lom_id in lom_ids})
    return [_upsert("paper", {"lom_id": paper, "read": True}) for paper in papers]


def _checked_lines(checked: Mapping[str, int]) -> list[bytes]:
    if not isinstance(checked, Mapping):
        raise InputError("checked takes a mapping of ids to counts", remedy='Write checked={"arxiv:…": 30}')
    found: dict[str, int] = {}
    for text, count in checked.items():
        lom_id = _id("checked", text)
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= 2**53:
            what = f"checked: the number of references of {shorten(lom_id, 60)} must be a whole number"
            raise InputError(f"{what}, got {shorten(repr(count), 40)}")
        if found.setdefault(lom_id, count) != count:
            raise InputError(f"checked: {shorten(lom_id, 60)} is given twice")
    return [
        _upsert(
            "references_checked", {"lom_id": lom_id, "status": "ok", "n_refs": count, "source": "what-if"}
        )
        for lom_id, count in sorted(found.items())
    ]


def _upsert(table: str, row: dict[str, Any]) -> bytes:
    return json.dumps({"op": "upsert", "table": table, "row": row}, ensure_ascii=False).encode()


def _seqs(graph: Graph, remove: Iterable[int]) -> list[int]:
    if isinstance(remove, int | str | bytes):
        raise InputError("remove takes a list of seqs", remedy="Write remove=[…]")
    found = set()
    for seq in remove:
        if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= graph.as_of_seq:
            what = (
                f"remove: {shorten(repr(seq), 40)} is no event of the log, which has {graph.as_of_seq} here"
            )
            raise InputError(what, remedy="Give seqs from 1 to that")
        found.add(seq)
    return sorted(found)
