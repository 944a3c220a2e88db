"""A candidate's history by going through the log in plain Python, one event after the other.

What a careful author would write: the rows in dicts, ids of papers and edges by id kept up to date, the uncovered nodes
in a list sorted by the last day on which they could cite. The candidate is judged again at each event that names it or
a neighbour, and at each coverage event. Knows as much of the novelty reference as the made-up logs need: candidates
are papers, ids are in normal form, the policy is the default.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from plain_graph import FIRST_DAY, KEY_COLUMNS, MARGIN_YEARS, first_day, last_day

from novelty_kit.verdict.candidate import Candidate

Row = dict[str, Any]
Decision = tuple[str, str, int]


@dataclass
class Replayed:
    """What came of it: the decision at each event at which the candidate was judged, where it is another one.

    ``judged`` holds every seq at which it was asked; ``reading_s`` and ``judging_s`` are processor time.
    """

    changes: list[tuple[int, Decision]]
    n_judged: int
    reading_s: float
    judging_s: float


class State:
    """The graph as the log goes on."""

    def __init__(self) -> None:
        self.papers: dict[str, Row] = {}
        self.owners: dict[str, set[str]] = {}
        self.claims: dict[str, Row] = {}
        self.claimed: dict[str, set[str]] = {}
        self.cites: dict[str, set[str]] = {}
        self.cited_by: dict[str, set[str]] = {}
        self.rows: dict[str, Row] = {}
        self.open_day: dict[str, int] = {}
        self.open_days: list[int] = []
        self.compared: set[str] = set()
        self.coverers: set[str] = set()

    # ---- what a node is

    def ids_of(self, node: str) -> set[str]:
        row = self.papers.get(node)
        if row is None:
            return {node}
        return {node} | {f"{s}:{row[c]}" for c, s in KEY_COLUMNS.items() if row.get(c) is not None}

    def nodes_at(self, lom_id: str) -> Iterable[str]:
        return self.owners.get(lom_id) or (lom_id,)

    def means(self, lom_id: str) -> str:
        owners = self.owners[lom_id]
        return lom_id if lom_id in owners else min(owners)

    def speaks_for(self, lom_id: str) -> str | None:
        owners = self.owners.get(lom_id)
        if not owners or lom_id in owners:
            return lom_id
        return next(iter(owners)) if len(owners) == 1 else None

    def is_read(self, node: str) -> bool:
        row = self.papers.get(node)
        return row is not None and row.get("read") is not False

    def is_bearing(self, node: str) -> bool:
        return any(self.claimed.get(lom_id) for lom_id in self.ids_of(node))

    def neighbours(self, ids: Iterable[str], edges: dict[str, set[str]]) -> set[str]:
        return {node for lom_id in ids for other in edges.get(lom_id, ()) for node in self.nodes_at(other)}

    def counts(self, node: str) -> list[int] | None:
        """The numbers of its ok rows; None where no row speaks for it."""
        held = [self.rows[i] for i in self.ids_of(node) if i in self.rows and self.speaks_for(i) == node]
        return [row["n_refs"] for row in held if row["status"] == "ok"] if held else None

    def is_covered_out(self, node: str) -> bool:
        counts = self.counts(node)
        if not counts:
            return False
        return max(counts) > 0 or not (self.neighbours(self.ids_of(node), self.cites) - {node})

    def is_covered_in(self, node: str, but: frozenset[str] = frozenset()) -> bool:
        for lom_id in self.ids_of(node):
            for other in self.cited_by.get(lom_id, ()):
                for citing in self.nodes_at(other):
                    if citing in self.coverers and citing != node and citing not in but:
                        return True
        return False

    # ---- the log goes on

    def apply(self, event: Row) -> set[str]:
        """Take one event; the ids that it names."""
        row, table, gone = event["row"], event["table"], event["op"] == "delete"
        if table == "citation_edge":
            citing, cited = row["citing_lom_id"], row["cited_lom_id"]
            if citing != cited:
                if gone:
                    self.cites.get(citing, set()).discard(cited)
                    self.cited_by.get(cited, set()).discard(citing)
                else:
                    self.cites.setdefault(citing, set()).add(cited)
                    self.cited_by.setdefault(cited, set()).add(citing)
            named = {citing, cited}
        elif table == "paper":
            named = self._paper(row, gone=gone)
        elif table == "claim":
            old = self.claims.pop(row["claim_id"], None)
            named = set()
            if old is not None:
                self.claimed[old["about_lom_id"]].discard(row["claim_id"])
                named.add(old["about_lom_id"])
            if not gone:
                self.claims[row["claim_id"]] = row
                self.claimed.setdefault(row["about_lom_id"], set()).add(row["claim_id"])
                named.add(row["about_lom_id"])
        elif table == "references_checked":
            if gone:
                self.rows.pop(row["lom_id"], None)
            else:
                self.rows[row["lom_id"]] = row
            named = {row["lom_id"]}
        else:
            return set()
        self._look_at({node for lom_id in named for node in (lom_id, *self.nodes_at(lom_id))})
        return named

    def _paper(self, row: Row, *, gone: bool) -> set[str]:
        node = row["lom_id"]
        before = self.ids_of(node)
        for lom_id in before if node in self.papers else ():
            self.owners[lom_id].discard(node)
        if gone:
            self.papers.pop(node, None)
        else:
            self.papers[node] = {**self.papers.get(node, {}), **row}
            for lom_id in self.ids_of(node):
                self.owners.setdefault(lom_id, set()).add(node)
        return before | self.ids_of(node)

    def _look_at(self, nodes: set[str]) -> None:
        """See again which of the nodes count, and whether they and whom they cite are covered."""
        turned = set()
        for node in nodes:
            covers = self.is_read(node) and self.is_covered_out(node)
            if covers != (node in self.coverers):
                turned |= self.neighbours(self.ids_of(node), self.cites)
                (self.coverers.add if covers else self.coverers.discard)(node)
        for node in nodes | turned:
            counts = self.is_read(node) or self.is_bearing(node)
            (self.compared.add if counts else self.compared.discard)(node)
            day = None
            if counts and not self.is_covered_out(node) and not self.is_covered_in(node):
                date = self.papers.get(node, {}).get("publication_date")
                day = 9999_12_31 if date is None else last_day(date, MARGIN_YEARS)
            was = self.open_day.get(node)
            if day != was:
                if was is not None:
                    del self.open_days[bisect_left(self.open_days, was)]
                    del self.open_day[node]
                if day is not None:
                    insort(self.open_days, day)
                    self.open_day[node] = day

    # ---- the rules

    def judge(self, candidate: Candidate) -> Decision:
        matched = {paper for key in candidate.keys for paper in self.owners.get(key, ())}
        if candidate.leave_out and len(matched) > 1:
            return "incomparable", "unknown", 0
        if not matched and all(key.startswith(("openalex:", "s2:")) for key in candidate.keys):
            return "lookup_failed", "unknown", 0
        if matched and not candidate.leave_out:
            return "ok", "duplicate", 1
        subject = next((self.means(key) for key in candidate.keys if self.owners.get(key)), candidate.keys[0])
        own = {subject} | {key for key in candidate.keys if not self.owners.get(key)}
        ids = {lom_id for node in own for lom_id in self.ids_of(node)}
        touched = {node for lom_id in candidate.references or () for node in self.nodes_at(lom_id)}
        touched |= self.neighbours(ids, self.cites) | self.neighbours(ids, self.cited_by)
        if any(node in self.compared for node in touched - own):
            return "ok", "neighborhood", 2
        return (
            ("insufficient_edges", "unknown", 3)
            if self.is_gated(candidate, subject, own)
            else ("ok", "novel", 4)
        )

    def is_gated(self, candidate: Candidate, subject: str, own: set[str]) -> bool:
        if not self.compared - own if len(self.compared) <= len(own) else False:
            return True
        date = self.papers.get(subject, {}).get("publication_date") or candidate.publication_date
        day = FIRST_DAY if date is None else first_day(date)
        n_open = len(self.open_days) - bisect_left(self.open_days, day)
        n_open -= sum(self.open_day.get(node, 0) >= day for node in own)
        if n_open:
            return True
        if self.coverers & own:
            for node in self.neighbours(self.ids_of(subject), self.cites) & self.compared - own:
                if not self.is_covered_out(node) and not self.is_covered_in(node, frozenset(own)):
                    stated = self.papers.get(node, {}).get("publication_date")
                    if stated is None or last_day(stated, MARGIN_YEARS) >= day:
                        return True
        return not self.covers(candidate, subject, own)

    def covers(self, candidate: Candidate, subject: str, own: set[str]) -> bool:
        rows = [counts for node in own if (counts := self.counts(node)) is not None]
        n_refs: int | None = None
        if rows:
            n_refs = max((count for counts in rows for count in counts), default=None)
        elif (
            subject not in self.papers and candidate.checked is not None and candidate.checked.status == "ok"
        ):
            n_refs = candidate.checked.n_refs
        return bool(n_refs) or any(self.is_covered_in(node, frozenset(own)) for node in own)


def replay(path: Path, candidate: Candidate) -> Replayed:
    """Go through the log with one candidate."""
    state = State()
    names = {*candidate.keys, *(candidate.references or ())}
    near = set(names)
    last = state.judge(candidate)
    found, n_judged, judging = [(0, last)], 1, 0.0
    began = time.process_time()
    with path.open("rb") as lines:
        for seq, line in enumerate(lines, 1):
            event = orjson.loads(line)
            named = state.apply(event)
            if event["table"] == "references_checked" or not near.isdisjoint(named):
                start = time.process_time()
                if not near.isdisjoint(named):
                    nodes = {node for lom_id in names for node in state.nodes_at(lom_id)}
                    ids = {lom_id for node in nodes for lom_id in state.ids_of(node)} | names
                    own = {
                        i
                        for key in candidate.keys
                        for node in state.nodes_at(key)
                        for i in state.ids_of(node)
                    }
                    near = ids | state.neighbours(own, state.cites) | state.neighbours(own, state.cited_by)
                    near |= {i for node in near for i in state.ids_of(node)}
                now = state.judge(candidate)
                n_judged += 1
                if now != last:
                    found.append((seq, now))
                    last = now
                judging += time.process_time() - start
    return Replayed(found, n_judged, time.process_time() - began - judging, judging)
