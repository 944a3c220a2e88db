"""What stands between candidates and a verdict, as sets: each open need and the lookups that would meet it.

Reads the temporary tables of one cursor after the rules have run. No network. No clock.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import duckdb

from novelty_kit.graph.sql import sql_parts
from novelty_kit.planning.calls import bit_set, members
from novelty_kit.planning.sources import ways_to_ask
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.tables import fill

__all__ = ["Blocked", "Needs", "gather_needs"]

_NO_SUCH_WORK = (404, 410)


@dataclass(frozen=True, slots=True)
class Blocked:
    """A candidate that no lookup makes decidable, and why."""

    code: str
    lom_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class Needs:
    """Needs of candidates. A lookup has the number of the node whose list it asks for.

    Attributes
    ----------
    subjects : dict of int to str or None
        The node of each candidate; None where nothing can be named.
    names : list of str
        The node of each number.
    ways : dict of int to tuple
        How each lookup is asked for: service, id, kind of call.
    gaps : dict of int to int
        For each candidate that lookups can unlock, the nodes that must be covered, as a bit set.
    meets : dict of int to frozenset of int
        For a node in a gap, the lookups any one of which covers it.
    own : dict of int to list
        Needs that only this candidate has, each as the lookups that meet it.
    blocked : dict of int to Blocked
    decided : list of int
        Candidates that wait for nothing.
    asks_for_subject : set of int
        Candidates whose own work would be looked up.
    """

    subjects: dict[int, str | None] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    ways: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    gaps: dict[int, int] = field(default_factory=dict)
    meets: dict[int, frozenset[int]] = field(default_factory=dict)
    own: dict[int, list[frozenset[int]]] = field(default_factory=dict)
    blocked: dict[int, Blocked] = field(default_factory=dict)
    decided: list[int] = field(default_factory=list)
    asks_for_subject: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A row of ``candidate_fact``."""

    rule: int
    lom_id: str | None
    subject_kind: str
    subject_reason: str | None
    nothing_compared: bool
    cites_subject_from: datetime.date
    cites_via_from: datetime.date | None
    why: str | None


class _Reader:
    """One pass over the tables of a cursor."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        candidates: Sequence[Candidate],
        unresolved: set[int],
        policy: Policy,
    ) -> None:
        self._con = con
        self._parts = dict(sql_parts(__package__, "facts.sql"))
        self._candidates = candidates
        self._unresolved = unresolved
        self._accepts_in = policy.in_edge_coverage == "accept"
        self._near_only = policy.gate_scope == "neighbourhood"
        self._number: dict[str, int] = {}
        self.needs = Needs()

    def _rows(self, part: str) -> list[tuple[Any, ...]]:
        return self._con.execute(self._parts[part]).fetchall()

    def _no(self, name: str) -> int:
        if name not in self._number:
            self._number[name] = len(self.needs.names)
            self.needs.names.append(name)
        return self._number[name]

    def read(self, any_line_skipped: bool) -> Needs:
        needs = self.needs
        facts = {no: _Fact(*values) for no, *values in self._rows("candidate_fact")}
        needs.subjects = {no: fact.lom_id for no, fact in facts.items()}
        waiting = self._waiting(facts, any_line_skipped)
        if not waiting:
            return needs
        gaps = self._gaps({no: facts[no] for no in waiting if facts[no].rule == 3})
        own = self._lists("own_name")
        union = reduce(or_, gaps.values(), 0)
        citing = self._citing(members(union).tolist())
        subject_citing = self._lists("subject_citing") if self._accepts_in else {}
        self._ask(union, [*citing.values(), *subject_citing.values()], waiting, own)
        self._meet(union, citing)
        unmet = bit_set([node in needs.meets and not needs.meets[node] for node in range(len(needs.names))])
        cites: dict[str, list[int]] = defaultdict(list)
        for node, names in citing.items():
            for name in names:
                cites[name].append(node)
        for no in waiting:
            own_ids = set(own.get(no, ()))
            mine, gap = self._apart(gaps.get(no, 0), own_ids, cites, citing)
            mine += self._of_subject(no, facts[no], subject_citing.get(no, []), own_ids)
            stuck = {name for name, ways in mine if not ways}
            stuck |= {needs.names[node] for node in members(gap & unmet).tolist()}
            if stuck:
                needs.blocked[no] = self._blocked(no, facts[no], stuck)
            else:
                needs.gaps[no] = gap
                needs.own[no] = [ways for _, ways in mine]
        return needs

    def _waiting(self, facts: dict[int, _Fact], any_line_skipped: bool) -> list[int]:
        """The candidates that a lookup may help; the others are noted as blocked or decided."""
        needs, waiting = self.needs, []
        for no, fact in facts.items():
            if fact.why is not None:
                needs.blocked[no] = Blocked("incomparable", (fact.why,))
            elif fact.rule == 3 and any_line_skipped:
                needs.blocked[no] = Blocked("skipped_lines")
            elif fact.rule == 3 and fact.nothing_compared:
                needs.blocked[no] = Blocked("nothing_compared")
            elif fact.rule == 3 or no in self._unresolved:
                waiting.append(no)
            else:
                needs.decided.append(no)
        return waiting

    def _blocked(self, no: int, fact: _Fact, stuck: set[str | None]) -> Blocked:
        """Why nothing is left to ask for some nodes."""
        code = "nobody_to_ask"
        if fact.lom_id in stuck and fact.subject_reason == "checked_zero":
            code = "empty_list"
        if fact.lom_id in stuck and no in self._unresolved:
            code = "no_such_work"
        return Blocked(code, tuple(sorted(name for name in stuck if name is not None)))

    def _gaps(self, facts: dict[int, _Fact]) -> dict[int, int]:
        """The gap of each candidate; nodes stand in the order in which they are pruned, so most are prefixes."""
        rows = [] if self._near_only else self._rows("open_node")
        for name, _, _ in rows:
            self._no(name)
        later = [-reaches.toordinal() for _, _, reaches in rows]
        bearing = bit_set([is_bearing for _, is_bearing, _ in rows])
        special: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        for no, name, is_gap in self._rows("special_node"):
            special[no].append((name, is_gap))
        found = {}
        for no, fact in facts.items():
            gap = 0
            if not self._near_only:
                gap = (1 << _reaching(later, fact.cites_subject_from)) - 1
                if fact.cites_via_from is not None:
                    gap |= bearing & ((1 << _reaching(later, fact.cites_via_from)) - 1)
            for name, is_gap in special[no]:
                bit = 1 << self._no(name)
                gap = gap | bit if is_gap else gap & ~bit
            found[no] = gap
        return found

    def _lists(self, part: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for no, name in self._rows(part):
            found[no].append(name)
        return found

    def _wanted(self, names: Iterable[str]) -> None:
        self._con.execute("DROP TABLE IF EXISTS wanted")
        fill(self._con, "wanted", {"lom_id": ("VARCHAR", sorted(set(names)))})

    def _citing(self, nodes: list[int]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        if self._accepts_in:
            self._wanted(self.needs.names[node] for node in nodes)
            for cited, name in self._rows("citing"):
                found[self._number[cited]].append(name)
        return dict(found)

    def _ask(
        self, union: int, citing: list[list[str]], waiting: list[int], own: dict[int, list[str]]
    ) -> None:
        """How each node that could be looked up is asked for."""
        ids: dict[str, dict[str, None]] = {self.needs.names[node]: {} for node in members(union).tolist()}
        for names in citing:
            ids.update({name: {} for name in names if name not in ids})
        for no in waiting:
            ids.update({name: {} for name in own.get(no, ()) if name not in ids})
        self._wanted(ids)
        for name, spoken in self._rows("spoken_id"):
            ids[name][spoken] = None
        tried: dict[str, set[str]] = defaultdict(set)
        gone = set()
        for source, lom_id, status in self._rows("tried"):
            tried[lom_id].add(source)
            if status in _NO_SUCH_WORK:
                gone.add((source, lom_id))
        for name in sorted(ids):
            named = [name, *sorted(ids[name].keys() - {name})]
            failed = {source for lom_id in named for source in tried.get(lom_id, ())}
            ways = ways_to_ask(named, failed, gone)
            if ways:
                self.needs.ways[self._no(name)] = ways[0]

    def _meet(self, union: int, citing: dict[int, list[str]]) -> None:
        ways = self.needs.ways
        for node in members(union).tolist():
            options = {node, *(self._no(name) for name in citing.get(node, ()))}
            self.needs.meets[node] = frozenset(option for option in options if option in ways)

    def _apart(
        self, gap: int, own_ids: set[str], cites: dict[str, list[int]], citing: dict[int, list[str]]
    ) -> tuple[list[tuple[str | None, frozenset[int]]], int]:
        """Nodes of a gap that the candidate's own list would cover for others, but not for itself."""
        mine: list[tuple[str | None, frozenset[int]]] = []
        for node in sorted({node for name in own_ids for node in cites.get(name, ()) if gap >> node & 1}):
            gap &= ~(1 << node)
            options = {node, *(self._no(name) for name in citing[node] if name not in own_ids)}
            ways = frozenset(option for option in options if option in self.needs.ways)
            mine.append((self.needs.names[node], ways))
        return mine, gap

    def _of_subject(
        self, no: int, fact: _Fact, citing: list[str], own_ids: set[str]
    ) -> list[tuple[str | None, frozenset[int]]]:
        """What a candidate needs of its own: to be known at all, and its own list."""
        # A row at any of its own ids speaks for it; what no paper owns speaks for nobody else.
        own = frozenset({self._no(own_id) for own_id in own_ids} & self.needs.ways.keys())
        mine = [(fact.lom_id, own)] if no in self._unresolved else []
        if fact.rule == 3 and fact.subject_kind == "none":
            others = {self._no(other) for other in citing if other not in own_ids} & self.needs.ways.keys()
            is_empty = fact.subject_reason == "checked_zero"
            mine.append((fact.lom_id, frozenset(others) if is_empty else own | others))
        if any(own & ways for _, ways in mine):
            self.needs.asks_for_subject.add(no)
        return mine


def _reaching(later: list[int], day: datetime.date) -> int:
    """How many nodes could still cite something of that day."""
    return bisect_left(later, -day.toordinal() + 1)


def gather_needs(
    con: duckdb.DuckDBPyConnection,
    candidates: Sequence[Candidate],
    unresolved: set[int],
    policy: Policy,
    any_line_skipped: bool,
) -> Needs:
    """What every candidate waits for.

    Parameters
    ----------
    con : DuckDBPyConnection
        A cursor in which the rules have run over the candidates, the unresolved ones taken as resolved.
    candidates : sequence of Candidate
    unresolved : set of int
        Candidates that must be looked up before they can be judged.
    policy : Policy
    any_line_skipped : bool
        Whether bad lines of the log were left out.
    """
    return _Reader(con, candidates, unresolved, policy).read(any_line_skipped)
