"""The counts over the whole graph as they went along the log: what rule 3 asks about all nodes at once.

Reads the spans' steps, once per policy. Counts are sums of steps over events; a question about a count is answered
by the events at which its answer turns. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from novelty_kit.verdict.judge import rule_tables

__all__ = ["OpenNodes", "Steps", "Turns", "Whole", "answers"]

Numbers = npt.NDArray[Any]
# The numbers of the first last day that reaches the subject and, among claim-bearing nodes, its earliest neighbour.
Key = tuple[int, int]

_BLOCK = 4096
_MOST_RUNS = 64


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


class OpenRows:
    """Every event at which nodes began or ceased to be uncovered: which last day, how many, do they bear claims.

    Sums over the rows before one are kept for every block of rows, so that only a block is summed up anew.
    """

    def __init__(
        self, seqs: Numbers, moved: Numbers, day_no: Numbers, is_bearing: Numbers, n_days: int
    ) -> None:
        self.seqs, self._moved, self._day_no, self._is_bearing = seqs, moved, day_no, is_bearing
        self._n_days = n_days
        self._sums: dict[int, tuple[Numbers, Numbers]] = {}

    def row_after(self, seq: int) -> int:
        """The first row that is later than an event."""
        return int(np.searchsorted(self.seqs, seq, "right"))

    def _sums_before(self, row: int) -> tuple[Numbers, Numbers]:
        """For each last day how many nodes of that or a later one are uncovered; and how many that bear claims."""
        if row not in self._sums:
            moved, days, bears = self._moved[:row], self._day_no[:row], self._is_bearing[:row]
            size = self._n_days + 1
            every = np.bincount(days, moved, size)[::-1].cumsum()[::-1].astype(np.int64)
            bearing = np.bincount(days[bears], moved[bears], size)[::-1].cumsum()[::-1].astype(np.int64)
            self._sums[row] = every, bearing
        return self._sums[row]

    def chosen(self, start: int, stop: int, key: Key) -> Numbers:
        """Which of some rows are of nodes that could cite."""
        days = self._day_no[start:stop]
        found: Numbers = days >= key[0]
        if key[1] < key[0]:
            found |= self._is_bearing[start:stop] & (days >= key[1])
        return found

    def count_before(self, row: int, key: Key) -> int:
        """How many of those nodes are uncovered after all rows before one."""
        start = row // _BLOCK * _BLOCK
        every, bearing = self._sums_before(start)
        base = int(every[key[0]]) + int(bearing[key[1]]) - int(bearing[key[0]])
        return base + int(self._moved[start:row][self.chosen(start, row, key)].sum())

    def steps(self, start: int, stop: int, key: Key) -> Steps:
        """Their number at each event of some rows."""
        chosen = self.chosen(start, stop, key)
        found = Steps.of(self.seqs[start:stop][chosen], self._moved[start:stop][chosen])
        return Steps(found.seqs, found.values + self.count_before(start, key))


class OpenNodes:
    """How many uncovered nodes there are along the log, of those that could cite some candidate.

    A node of a later last day could cite whatever one of an earlier day could, so the nodes that could cite the
    candidate of the latest date are among those of every other one: where there are enough of these `fewest`, nothing
    is counted.
    """

    def __init__(self, rows: OpenRows, key: Key, fewest: Steps) -> None:
        self._rows, self._key, self._fewest = rows, key, fewest
        self._turns: dict[int, Turns] = {}

    def at(self, seq: int) -> int:
        """The count after an event."""
        return self._rows.count_before(self._rows.row_after(seq), self._key)

    def above(self, bound: int) -> Turns:
        """Whether there are more than that."""
        if bound not in self._turns:
            parts = [self._rows.steps(start, stop, self._key) for start, stop in self._doubtful(bound)]
            seqs = np.concatenate([part.seqs for part in parts] or [self._rows.seqs[:0]])
            values = np.concatenate([part.values for part in parts] or [self._rows.seqs[:0]])
            self._turns[bound] = Steps(seqs, values).above(bound)
        return self._turns[bound]

    def _doubtful(self, bound: int) -> list[tuple[int, int]]:
        """The runs of rows in which the fewest alone are not enough; each ends where they are, if they ever are."""
        rows, fewest = self._rows, self._fewest
        few = np.concatenate([[bound >= 0], fewest.values <= bound])
        turns = np.flatnonzero(few[1:] != few[:-1])
        bounds = [0] if few[0] else []
        for number in turns.tolist():
            seq = int(fewest.seqs[number])
            # A run begins with the rows of its first event, and ends behind those of the event that ends it.
            bounds.append(rows.row_after(seq if len(bounds) % 2 else seq - 1))
        if len(bounds) % 2:
            bounds.append(len(rows.seqs))
        if len(bounds) > _MOST_RUNS:
            return [(0, len(rows.seqs))]
        return list(zip(bounds[::2], bounds[1::2], strict=True))


class Whole:
    """All counts over the graph along the log, under one policy."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Read the steps through a cursor that holds the table ``policy``."""
        row = con.execute("SELECT accepts_in, near_only FROM policy").fetchone() or (True, False)
        self._near_only = bool(row[1])
        column = "n" if row[0] else "n_strict"
        steps: dict[str, Any] = con.execute(
            f"SELECT seq, last_day, is_bearing, {column} AS n FROM open_step WHERE {column} <> 0 ORDER BY seq"  # noqa: S608 - one of two names
        ).fetchnumpy()
        moved, is_bearing = (
            np.asarray(steps["n"]).astype(np.int64),
            np.asarray(steps["is_bearing"]).astype(bool),
        )
        self._days, day_no = np.unique(np.asarray(steps["last_day"]), return_inverse=True)
        self._rows = OpenRows(np.asarray(steps["seq"]), moved, day_no, is_bearing, len(self._days))
        self._reaches = self._reaches_of(con)
        self._open: dict[Key, OpenNodes] = {}
        self._fewest = Steps.of(moved[:0], moved[:0])
        self._turns: dict[tuple[str, int], Turns] = {}
        counts: dict[str, Any] = con.execute(
            "SELECT seq, n_compared, n_out, n_in, n_claims FROM count_step ORDER BY seq"
        ).fetchnumpy()
        seqs = np.asarray(counts["seq"])
        compared, out, only_in, claims = (
            np.asarray(counts[name]).astype(np.int64) for name in ("n_compared", "n_out", "n_in", "n_claims")
        )
        accepted = only_in * bool(row[0])
        self.n_compared = Steps.of(seqs, compared)
        self.n_covered_in = Steps.of(seqs, accepted)
        self.n_covered = Steps.of(seqs, out + accepted)
        self.n_claims = Steps.of(seqs, claims)

    def look_at(self, days: Iterable[Any]) -> None:
        """Say from which days on the candidates can be cited that will be asked about."""
        latest = max(days, default=None)
        if latest is not None and not self._near_only:
            first = self._first_reaching(latest)
            self._fewest = self._rows.steps(0, len(self._rows.seqs), (first, first))

    def _first_reaching(self, day: Any) -> int:
        """The number of the first last day that reaches a day."""
        return int(np.searchsorted(self._reaches, np.datetime64(day), "left"))

    def _reaches_of(self, con: duckdb.DuckDBPyConnection) -> Numbers:
        """For each last day the last day on which a node of it could cite, by the rule's own SQL."""
        con.execute(
            "CREATE OR REPLACE TEMP TABLE node AS SELECT DISTINCT 1 AS standing, last_day AS date_to FROM open_step"
        )
        reach = dict(rule_tables("coverage.sql"))["reach"]
        rows: dict[str, Any] = con.execute(
            f"SELECT one.reaches, one.date_to FROM ({reach}) AS one"  # noqa: S608 - the rule's own
        ).fetchnumpy()
        con.execute("DROP TABLE temp.node")
        order = np.argsort(rows["date_to"], kind="stable")
        known = np.isin(rows["date_to"][order], self._days)
        reaches: Numbers = rows["reaches"][order][known]
        return reaches

    def open_nodes(self, subject_from: Any, via_from: Any) -> OpenNodes:
        """The uncovered nodes that could cite the subject or, bearing a claim, its earliest read neighbour."""
        at_subject = len(self._days) if self._near_only else self._first_reaching(subject_from)
        at_via = at_subject
        if via_from is not None and not self._near_only:
            at_via = min(at_subject, self._first_reaching(via_from))
        key = (at_subject, at_via)
        if key not in self._open:
            self._open[key] = OpenNodes(self._rows, key, self._fewest)
        return self._open[key]

    def nothing_compared(self, n: int, *, is_claim: bool) -> Turns:
        """Whether there are only so many compared nodes, or claims for a claim, as are the candidate's own."""
        key = ("claims" if is_claim else "compared", n)
        if key not in self._turns:
            self._turns[key] = (self.n_claims if is_claim else self.n_compared).equal(n)
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
