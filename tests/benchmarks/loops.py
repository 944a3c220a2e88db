"""The rules as loops over candidates: over a dict of sets, and over a networkx graph.

Both are what a careful author would write: nothing is asked twice, and the uncovered nodes are sorted by date
once, so that a gap is counted by one search. They differ in where neighbours and their flags come from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
from plain_graph import FIRST_DAY, PlainGraph, first_day

from novelty_kit.verdict.candidate import Candidate

COLUMNS = (
    "candidate_id", "lom_id", "status", "verdict", "rule", "n_in_sample", "n_holdout", "n_stub", "in_sample",
    "holdout", "coverage_gap_total", "nothing_compared",
)  # fmt: skip
Result = tuple[str | None, str | None, str, str, int, int, int, int, str, str | None, int, bool]


@dataclass(slots=True)
class _Around:
    """A candidate's surroundings: whether a citation covers it, the neighbours that count, how many do not."""

    covered_in: bool
    counted: set[str]
    n_stub: int


class _Loop(ABC):
    """The rules but for the neighbourhood."""

    def __init__(self, graph: PlainGraph) -> None:
        self.graph = graph
        self.compared = graph.compared
        open_nodes = self.compared - graph.covered_out - graph.covered_in
        self.open_days = sorted(graph.reaches[node] for node in open_nodes)
        self.open_nodes = open_nodes

    def judge(self, candidates: Sequence[Candidate]) -> list[Result]:
        """A row a candidate, with the columns of the product's frame."""
        return [self.judge_one(candidate) for candidate in candidates]

    @abstractmethod
    def around(self, subject: str, own: set[str], references: set[str]) -> _Around:
        """What the candidate touches."""

    def judge_one(self, candidate: Candidate) -> Result:
        """One row."""
        graph, label = self.graph, candidate.label
        owners = graph.owners
        matched = {paper for key in candidate.keys for paper in owners.get(key, ())}
        if not candidate.keys or (candidate.leave_out and len(matched) > 1):
            subject = self.subject(candidate) if candidate.keys else None
            slices = "unknown" if candidate.seen is not None else None
            return label, subject, "incomparable", "unknown", 0, 0, 0, 0, "unknown", slices, 0, False
        subject = self.subject(candidate)
        own = {key for key in candidate.keys if key not in owners}
        own.add(subject)
        references = {node for lom_id in candidate.references or () for node in owners.get(lom_id, (lom_id,))}
        references -= own
        around = self.around(subject, own, references)
        n_in, n_out = len(around.counted), 0
        if candidate.seen is not None:
            held = {graph.speaks_for(lom_id) for lom_id in candidate.seen}
            n_in = len(around.counted & held)
            n_out = len(around.counted) - n_in
        unresolved = not matched and all(key.startswith(("openalex:", "s2:")) for key in candidate.keys)
        given = candidate.seen is not None
        first = "unknown" if unresolved else "duplicate" if matched and not candidate.leave_out else None
        gap, nothing, empty = 0, False, "novel"
        if first is None and (n_in == 0 or (given and n_out == 0)):
            gap, nothing = self.gap(candidate, subject, own, around)
            empty = "unknown" if gap or nothing else "novel"
        in_sample = first or ("neighborhood" if n_in else empty)
        holdout = (first or ("neighborhood" if n_out else empty)) if given else None
        if unresolved:
            return (
                label,
                subject,
                "lookup_failed",
                "unknown",
                0,
                n_in,
                n_out,
                around.n_stub,
                in_sample,
                holdout,
                0,
                False,
            )
        if first is not None:
            return label, subject, "ok", first, 1, n_in, n_out, around.n_stub, in_sample, holdout, 0, False
        if n_in or n_out:
            return (
                label,
                subject,
                "ok",
                "neighborhood",
                2,
                n_in,
                n_out,
                around.n_stub,
                in_sample,
                holdout,
                0,
                False,
            )
        if gap or nothing:
            return (
                label, subject, "insufficient_edges", "unknown", 3, 0, 0, around.n_stub, in_sample, holdout, gap,
                nothing,
            )  # fmt: skip
        return label, subject, "ok", "novel", 4, 0, 0, around.n_stub, in_sample, holdout, 0, False

    def subject(self, candidate: Candidate) -> str:
        """The node that the keys name: the first match, else the first key."""
        for key in candidate.keys:
            if key in self.graph.owners:
                return self.graph.means(key)
        return candidate.keys[0]

    def gap(self, candidate: Candidate, subject: str, own: set[str], around: _Around) -> tuple[int, bool]:
        """How many lists are unread that could hide a path, the subject's own among them; is there nothing?"""
        graph = self.graph
        day = graph.first_day.get(subject)
        if day is None:
            day = FIRST_DAY if candidate.publication_date is None else first_day(candidate.publication_date)
        n_open = len(self.open_days) - bisect_left(self.open_days, day)
        for node in own:
            if node in self.open_nodes and graph.reaches[node] >= day:
                n_open -= 1
            for lost in graph.lone.get(node, ()):
                if lost not in own and graph.reaches[lost] >= day:
                    n_open += 1
        nothing = len(self.compared) == len(self.compared & own)
        return n_open + (not self.covers(candidate, subject, own, around)), nothing

    def covers(self, candidate: Candidate, subject: str, own: set[str], around: _Around) -> bool:
        """Whether the subject itself is covered."""
        rows = [self.graph.known[node] for node in own if node in self.graph.known]
        if rows:
            is_known = any(row.n_ok for row in rows)
            n_refs = max((row.most_refs for row in rows if row.most_refs is not None), default=None)
        else:
            stated = candidate.checked
            is_known = subject not in self.graph.owners and stated is not None and stated.status == "ok"
            n_refs = stated.n_refs if is_known and stated is not None else None
        return (is_known and n_refs != 0) or around.covered_in


class DictLoop(_Loop):
    """Neighbours from sets of names."""

    def around(self, subject: str, own: set[str], references: set[str]) -> _Around:
        graph, touched, covered_in = self.graph, set(references), False
        for node in own:
            touched.update(graph.cites.get(node, ()))
            cited_by = graph.cited_by.get(node, ())
            touched.update(cited_by)
            covered_in = covered_in or any(
                n in graph.read and n in graph.covered_out and n not in own for n in cited_by
            )
        touched -= own
        counted = touched & self.compared
        return _Around(covered_in, counted, len(touched) - len(counted))


class NetworkxLoop(_Loop):
    """The candidate is put into a networkx graph, asked for its neighbours there, and taken out again."""

    def __init__(self, graph: PlainGraph) -> None:
        super().__init__(graph)
        self.nx: nx.DiGraph = nx.DiGraph()
        self.nx.add_edges_from((citing, cited) for citing, many in graph.cites.items() for cited in many)
        self.nx.add_nodes_from(self.compared)
        for node, held in self.nx.nodes(data=True):
            held["read"], held["bearing"] = node in graph.read, node in graph.bearing
            held["covered"] = node in graph.covered_out

    def around(self, subject: str, own: set[str], references: set[str]) -> _Around:
        graph = self.nx
        ends = [node for node in (subject, *references) if node not in graph]
        listed = [(subject, node) for node in references if not graph.has_edge(subject, node)]
        graph.add_edges_from(listed)
        cites: set[str] = set()
        cited_by: set[str] = set()
        for node in own:
            if node in graph:
                cites.update(graph.successors(node))
                cited_by.update(graph.predecessors(node))
        touched = (cites | cited_by) - own
        counted = {node for node in touched if _counts(graph.nodes[node])}
        covered_in = any(_covers(graph.nodes[node]) for node in cited_by - own)
        graph.remove_edges_from(listed)
        graph.remove_nodes_from(ends)
        return _Around(covered_in, counted, len(touched) - len(counted))


def _counts(held: dict[str, bool]) -> bool:
    return held.get("read", False) or held.get("bearing", False)


def _covers(held: dict[str, bool]) -> bool:
    return held.get("read", False) and held.get("covered", False)
