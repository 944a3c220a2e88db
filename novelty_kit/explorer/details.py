"""Everything that is shown of a view, as records: the verdict, what it touches, a node's rows, what would be if.

Reads a graph; writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from novelty_kit.changes import what_if
from novelty_kit.explorer.moment import moment_of
from novelty_kit.explorer.view import View
from novelty_kit.graph.sql import read_sql
from novelty_kit.plot.surroundings import Paper, Surroundings, gather_papers, gather_surroundings
from novelty_kit.verdict.judge import MAX_LISTED, judge

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.record import Verdict

__all__ = ["Details", "Node", "NodeLine", "details_of", "node_of", "nodes_to_hold"]

MOST_LINES = 40
MOST_TO_HOLD = 24


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A row of a node: its line in the log, and that line."""

    seq: int
    table: str
    told: str
    file: str
    line: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Node:
    """What the log holds about a node; ``lines`` are the first of ``n``."""

    lom_id: str
    n: int
    lines: tuple[NodeLine, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """What is shown of a view.

    Attributes
    ----------
    verdict : Verdict
        As of the view's event, without what is supposed.
    around : Surroundings
    papers : dict of str to Paper
        What the graph knows of the ids in ``around``.
    supposed : Verdict or None
        With what is supposed; None where nothing is.
    """

    verdict: Verdict
    around: Surroundings
    papers: dict[str, Paper]
    supposed: Verdict | None = None


def details_of(
    graph: Graph,
    view: View,
    moment: Graph | None = None,
    seen: Callable[[int, str], object] = lambda n, what: None,
) -> Details:
    """Judge a view and gather what it touches.

    Parameters
    ----------
    graph : Graph
    view : View
    moment : Graph, optional
        The graph as of the view's event, where it was made already (:func:`moment_of`).
    seen : callable, optional
        Called with 1 to 4 and words, as each step begins (a progress bar).
    """
    seen(1, f"the graph as of event {view.seq}")
    pinned = moment if moment is not None else moment_of(graph, view.seq)
    seen(2, "the verdict")
    verdict = judge(pinned, [view.candidate], view.policy, MAX_LISTED)[0]
    seen(3, "what it touches")
    with pinned.connection as con:
        around = gather_surroundings(con, view.candidate, verdict)
        papers = gather_papers(con, around.ids)
    if not view.supposed:
        return Details(verdict, around, papers)
    seen(4, "what is supposed")
    would_be = what_if(graph.as_of(view.seq), view.candidate, policy=view.policy, **view.supposed.arguments())
    return Details(verdict, around, papers, replace(would_be.after, candidate_id=verdict.candidate_id))


def nodes_to_hold(view: View, details: Details) -> tuple[tuple[str, bool], ...]:
    """Nodes that can be held out, and whether they are: those held out, then those that are shared (at most 24)."""
    held = view.candidate.seen or ()
    verdict = details.verdict
    shared = sorted({*verdict.in_sample.shared_lom_ids, *verdict.holdout.shared_lom_ids} - set(held))
    named = dict.fromkeys([*(view.first_seen or ()), *held, *shared])
    return tuple((lom_id, lom_id in held) for lom_id in sorted(named)[:MOST_TO_HOLD])


def node_of(moment: Graph, lom_id: str) -> Node:
    """A node's rows as of a moment, each with its line of the log; at most 40."""
    with moment.connection as con:
        rows = con.execute(
            read_sql(__package__, "node.sql"), {"lom_id": lom_id, "most": MOST_LINES}
        ).fetchall()
    lines = tuple(NodeLine(seq, table, told, *moment.place(seq)) for seq, table, told, _ in rows)
    return Node(lom_id, rows[0][3] if rows else 0, lines)
