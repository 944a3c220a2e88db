"""The counts over the whole graph as they went along the log: what rule 3 asks about all nodes at once.

Reads the spans' steps, once per policy. Counts are sums of steps over events; a question about a count is answered
by the events at which its answer turns. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from novelty_kit.verdict.judge import rule_tables

__all__ = ["Steps", "Turns", "Whole"]

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Turns:
    """A question with yes or no as answer along the log: the first answer, and the seqs at which it turns."""

    first: bool
    seqs: Numbers

    def at(self, seq: int) -> bool:
        """The answer after an event."""
        return self.first ^ bool(np.searchsorted(self.seqs, seq, "right") % 2)

    def within(self, start: int, stop: int) -> Numbers:
        """The seqs after `start` and before `stop` at which it turns."""
        left, right = np.searchsorted(self.seqs, (start, stop - 1), "right")
        return self.seqs[left:right]


@dataclass(frozen=True)
class Steps:
    """A count along the log: 0 before the first seq, then the values."""

    seqs: Numbers
    values: Numbers

    @classmethod
    def of(cls, seqs: Numbers, moved: Numbers) -> Steps:
        """From what was added at ascending seqs, some of which may be equal."""
        values = np.cumsum(moved, dtype=np.int64)
        last = np.ones(len(seqs), bool)
        last[:-1] = seqs[1:] != seqs[:-1]
        return cls(seqs[last], values[last])

    def at(self, seq: int) -> int:
        """The count after an event."""
        number = int(np.searchsorted(self.seqs, seq, "right")) - 1
        return int(self.values[number]) if number >= 0 else 0

    def turns(self, first: bool, answers: Numbers) -> Turns:
        """From the answer before the first seq, and that at each."""
        before = np.concatenate([[first], answers[:-1]]) if len(answers) else answers
        return Turns(first, self.seqs[answers != before])

    def above(self, bound: int) -> Turns:
        """Whether the count is more than that."""
        return self.turns(bound < 0, self.values > bound)

    def equal(self, number: int) -> Turns:
        """Whether the count is that."""
        return self.turns(number == 0, self.values == number)


class Whole:
    """All counts over the graph along the log, under one policy."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Read the steps through a cursor that holds the table ``policy``."""
        row = con.execute("SELECT accepts_in, near_only FROM policy").fetchone() or (True, False)
        self._near_only = bool(row[1])
        column = "n" if row[0] else "n_strict"
        steps = con.execute(
            f"SELECT seq, last_day, is_bearing, {column} AS n FROM open_step WHERE {column} <> 0 ORDER BY seq"  # noqa: S608 - one of two names
        ).fetchnumpy()
        self._open_seqs, self._moved = steps["seq"], steps["n"].astype(np.int64)
        self._is_bearing = steps["is_bearing"].astype(bool)
        self._days, self._day_no = np.unique(steps["last_day"], return_inverse=True)
        self._reaches = self._reaches_of(con)
        self._open: dict[tuple[int, int], Steps] = {}
        self._turns: dict[tuple[Any, ...], Turns] = {}
        counts = con.execute(
            "SELECT seq, n_compared, n_out, n_in, n_claims FROM count_step ORDER BY seq"
        ).fetchnumpy()
        accepted = counts["n_in"].astype(np.int64) * bool(row[0])
        self.n_compared = Steps.of(counts["seq"], counts["n_compared"])
        self.n_covered_in = Steps.of(counts["seq"], accepted)
        self.n_covered = Steps.of(counts["seq"], counts["n_out"].astype(np.int64) + accepted)
        self.n_claims = Steps.of(counts["seq"], counts["n_claims"])

    def _reaches_of(self, con: duckdb.DuckDBPyConnection) -> Numbers:
        """For each last day the last day on which a node of it could cite, by the rule's own SQL."""
        con.execute(
            """
            CREATE OR REPLACE TEMP TABLE node AS
            SELECT
                row_number() OVER (ORDER BY day.last_day) AS node_no, NULL::VARCHAR AS lom_id, TRUE AS is_read,
                0 AS n_claims, FALSE AS covered_out, FALSE AS contradicted, FALSE AS has_failed, day.last_day AS date_to
            FROM (SELECT DISTINCT last_day FROM open_step) AS day
            """
        )
        con.execute(
            "CREATE OR REPLACE TEMP TABLE covering AS "
            "SELECT NULL::BIGINT AS node_no, 0 AS n_citing, NULL::BIGINT AS only_citing_no LIMIT 0"
        )
        compared = dict(rule_tables("r3_coverage_gate.sql"))["compared"]
        rows = con.execute(
            f"SELECT one.reaches, node.date_to FROM ({compared}) AS one INNER JOIN node USING (node_no)"  # noqa: S608 - the rule's own
        ).fetchnumpy()
        con.execute("DROP TABLE temp.node")
        con.execute("DROP TABLE temp.covering")
        order = np.argsort(rows["date_to"], kind="stable")
        known = np.isin(rows["date_to"][order], self._days)
        reaches: Numbers = rows["reaches"][order][known]
        return reaches

    def open_steps(self, subject_from: Any, via_from: Any) -> Steps:
        """How many uncovered nodes could cite the subject or, bearing a claim, its earliest read neighbour."""
        if self._near_only:
            key = (-1, -1)
        else:
            at_subject = int(np.searchsorted(self._reaches, subject_from, "left"))
            at_via = (
                len(self._days) if via_from is None else int(np.searchsorted(self._reaches, via_from, "left"))
            )
            key = (at_subject, min(at_via, at_subject))
            if via_from is None:
                key = (at_subject, at_subject)
        if key not in self._open:
            chosen = self._day_no >= key[0]
            if key[1] < key[0]:
                chosen |= self._is_bearing & (self._day_no >= key[1])
            if self._near_only:
                chosen = np.zeros(len(self._day_no), bool)
            self._open[key] = Steps.of(self._open_seqs[chosen], self._moved[chosen])
        return self._open[key]

    def turns_above(self, steps: Steps, bound: int) -> Turns:
        """Whether a count is more than a bound, remembered."""
        key = ("above", id(steps), bound)
        if key not in self._turns:
            self._turns[key] = steps.above(bound)
        return self._turns[key]

    def turns_equal(self, steps: Steps, number: int) -> Turns:
        """Whether a count is a number, remembered."""
        key = ("equal", id(steps), number)
        if key not in self._turns:
            self._turns[key] = steps.equal(number)
        return self._turns[key]


def answers(open_: Turns, nothing: Turns, start: int, stop: int) -> Iterator[tuple[int, bool]]:
    """From `start` on, before `stop`, whether either holds: the answer at `start`, then each other one."""
    last = open_.at(start) or nothing.at(start)
    yield start, last
    for seq in np.union1d(open_.within(start, stop), nothing.within(start, stop)).tolist():
        now = open_.at(seq) or nothing.at(seq)
        if now != last:
            last = now
            yield seq, now
