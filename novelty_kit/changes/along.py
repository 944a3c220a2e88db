"""The changes of candidates along a log, set-based: the rules run once, over every moment that can matter.

Each moment of a candidate is judged as a candidate of its own, by the same SQL that judges the head of the log,
over the graph around it as it was then. What rule 3 asks about all nodes is answered by counts along the log.
Reads the graph and its spans; writes temporary tables of one cursor. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from novelty_kit.changes.index import index_of
from novelty_kit.changes.lines import event_places
from novelty_kit.changes.record import Change, Facts, History
from novelty_kit.changes.whole import Whole, answers
from novelty_kit.graph import Graph
from novelty_kit.graph.sql import sql_parts
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import RULE_FILES, rule_tables
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.tables import load_candidate_tables

__all__ = ["GATE", "OF_THE_WHOLE", "ask", "changes_along", "make", "points_near"]

# The candidates as they were given, before each of their moments becomes a candidate.
_ASKED = {
    "candidate": "asked", "candidate_key": "asked_key", "candidate_reference": "asked_reference",
    "candidate_seen": "asked_seen",
}  # fmt: skip
# What `world.sql` makes, and the parts of the gate that look at the whole graph, which `whole` answers instead.
OF_THE_WHOLE = {"named", "reference", "id_number", "tally", "coverage_count", "gated"}
GATE = "r3_coverage_gate.sql"


@dataclass(frozen=True, slots=True)
class Moment:
    """What the rules say of one candidate from one event on, before the gate is asked about the whole graph."""

    seq: int
    rule: int
    is_incomparable: bool
    n_in: int
    n_out: int
    n_stub: int
    subject_kind: str
    is_claim: bool
    subject_from: Any
    via_from: Any
    n_fixed: int
    n_covered: int
    n_covered_in: int
    n_open: int
    n_left_out: int
    subject_no: int | None


def changes_along(graph: Graph, candidates: Sequence[Candidate], policy: Policy) -> History:
    """Every change of status, verdict or deciding rule up to the graph's moment."""
    with index_of(graph) as con:
        _run_rules(con, candidates, policy, graph.as_of_seq)
        whole = Whole(con)
        moments = _moments(con, len(candidates))
        names = _names(con, candidates, moments)
    whole.look_at(moment.subject_from for of in moments for moment in of if moment.rule == 4)
    skips = bool(graph.skipped_lines)
    found = [_changes(one, whole, graph.as_of_seq, skips=skips) for one in moments]
    events = event_places(graph, sorted({seq for rows in found for seq, _, _ in rows if seq}))
    changes = []
    for no, rows in enumerate(found):
        for seq, before, after in rows:
            event, place = events.get(seq, (None, None))
            decided = after["status"], after["verdict"], after["rule"]
            changes.append(Change(names[no], seq, *decided, event, place, before, after))
    about = {"files": list(graph.files), "as_of_seq": graph.as_of_seq, "sha256": graph.sha256}
    return History(tuple(changes), tuple(names), tuple(map(len, found)), about, policy.to_dict())


def _run_rules(
    con: duckdb.DuckDBPyConnection, candidates: Sequence[Candidate], policy: Policy, as_of: int
) -> None:
    """Find the moments of all candidates and run every rule over them."""
    ask(con, candidates, policy, 0)
    con.execute("SET VARIABLE as_of = $seq", {"seq": as_of})
    for name in ("near.sql", "moment.sql", "world.sql"):
        make(con, sql_parts(__package__, name))
    for name in RULE_FILES:
        make(con, [part for part in rule_tables(name) if part[0] not in OF_THE_WHOLE])
        if name == GATE:
            con.execute("CREATE TEMP TABLE gated AS SELECT 0 AS candidate_no LIMIT 0")
    make(con, sql_parts(__package__, "told.sql"))


def ask(
    con: duckdb.DuckDBPyConnection, candidates: Sequence[Candidate], policy: Policy, n_skipped: int
) -> None:
    """The candidates as tables of their own names, since each of their moments becomes a candidate."""
    load_candidate_tables(con, candidates, policy, n_skipped)
    for name, asked in _ASKED.items():
        con.execute(f"CREATE TEMP TABLE {asked} AS SELECT * FROM {name}")  # noqa: S608 - our own names
        con.execute(f"DROP {'VIEW' if _is_view(con, name) else 'TABLE'} temp.{name}")
    make(con, sql_parts(__package__, "asked.sql"))


def _is_view(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Large lists are read where they lie, through a view."""
    found = con.execute(
        "SELECT count(*) FROM duckdb_views() WHERE temporary AND view_name = $name", {"name": name}
    ).fetchone()
    return bool(found and found[0])


def make(con: duckdb.DuckDBPyConnection, parts: Sequence[tuple[str, str]]) -> None:
    """Temporary tables, one after the other."""
    for table, select in parts:
        con.execute(f"CREATE TEMP TABLE {table} AS {select}")


def points_near(graph: Graph, candidate: Candidate, policy: Policy) -> set[int]:
    """The events at which anything that is near a candidate changes."""
    with index_of(graph) as con:
        ask(con, [candidate], policy, 0)
        con.execute("SET VARIABLE as_of = $seq", {"seq": graph.n_events})
        make(con, sql_parts(__package__, "near.sql"))
        rows = con.execute(
            """
            SELECT from_seq FROM firm_point UNION SELECT to_seq FROM firm_point
            UNION SELECT from_seq FROM loose_point UNION SELECT to_seq FROM loose_point
            """
        ).fetchall()
    return {seq for (seq,) in rows}


def _moments(con: duckdb.DuckDBPyConnection, n_candidates: int) -> list[list[Moment]]:
    found: list[list[Moment]] = [[] for _ in range(n_candidates)]
    for no, *values in con.execute("SELECT * FROM told ORDER BY candidate_no, seq").fetchall():
        found[no].append(Moment(*values))
    return found


def _names(
    con: duckdb.DuckDBPyConnection, candidates: Sequence[Candidate], moments: Sequence[Sequence[Moment]]
) -> list[str | None]:
    """What each candidate is called: its label, else its lom_id at the last moment."""
    last = [of[-1].subject_no for of in moments]
    known = dict(
        con.execute(
            """
            SELECT identifier.id_no, identifier.lom_id FROM identifier
            WHERE identifier.id_no IN (SELECT unnest($ids::BIGINT[]))
            UNION
            SELECT asked_number.id_no, asked_number.lom_id FROM asked_number
            """,
            {"ids": [number for number in last if number is not None]},
        ).fetchall()
    )
    return [
        candidate.label if candidate.label is not None else known.get(number)
        for candidate, number in zip(candidates, last, strict=True)
    ]


def _changes(
    moments: Sequence[Moment], whole: Whole, as_of: int, *, skips: bool
) -> list[tuple[int, Facts | None, Facts]]:
    """Seq, facts before and facts after of each change of one candidate."""
    found: list[tuple[int, Facts | None, Facts]] = []
    last: tuple[Moment, int] | None = None
    for moment, seq, rule in _decisions(moments, whole, as_of, skips=skips):
        if last is None:
            found.append((seq, None, _facts(moment, whole, seq, rule)))
        elif (last[1], last[0].is_incomparable) != (rule, moment.is_incomparable):
            before = _facts(last[0], whole, seq - 1, last[1])
            found.append((seq, before, _facts(moment, whole, seq, rule)))
        last = moment, rule
    return found


def _decisions(
    moments: Sequence[Moment], whole: Whole, as_of: int, *, skips: bool
) -> Iterator[tuple[Moment, int, int]]:
    """Each moment's deciding rule, and each later seq at which the gate opens or shuts before the next moment."""
    stops = [moment.seq for moment in moments[1:]] + [as_of + 1]
    for moment, stop in zip(moments, stops, strict=True):
        if moment.rule != 4:
            yield moment, moment.seq, moment.rule
        elif skips or moment.subject_kind == "none":
            yield moment, moment.seq, 3
        else:
            open_ = whole.open_nodes(moment.subject_from, moment.via_from).above(-moment.n_open)
            own = moment.n_left_out if moment.is_claim else -moment.n_fixed
            nothing = whole.nothing_compared(own, is_claim=moment.is_claim)
            for seq, gated in answers(open_, nothing, moment.seq, stop):
                yield moment, seq, 3 if gated else 4


def _facts(moment: Moment, whole: Whole, seq: int, rule: int) -> Facts:
    """What matters of the result at an event of a moment's time; as ``record.facts_of`` gives it."""
    is_none = moment.subject_kind == "none"
    gap = 0
    if rule == 3:
        gap = whole.open_nodes(moment.subject_from, moment.via_from).at(seq) + moment.n_open + is_none
    n_compared = whole.n_compared.at(seq) + moment.n_fixed
    nothing = whole.n_claims.at(seq) == moment.n_left_out if moment.is_claim else n_compared == 0
    named = moment.subject_no is not None
    return {
        "status": "incomparable" if moment.is_incomparable else _STATUS.get(rule, "ok"),
        "verdict": _VERDICT.get(rule, "unknown"),
        "rule": rule,
        "n_in_sample": moment.n_in,
        "n_holdout": moment.n_out,
        "n_stub": moment.n_stub,
        "coverage_gap_total": gap,
        "nothing_compared": rule == 3 and nothing,
        "coverage": {
            "subject": moment.subject_kind if named else "none",
            "n_compared": n_compared,
            "n_covered": whole.n_covered.at(seq) + moment.n_covered,
            "n_covered_in": whole.n_covered_in.at(seq) + moment.n_covered_in,
        },
    }


_STATUS = {0: "lookup_failed", 3: "insufficient_edges"}
_VERDICT = {1: "duplicate", 2: "neighborhood", 4: "novel"}
