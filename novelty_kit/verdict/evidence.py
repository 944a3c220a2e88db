"""What stands behind a decision: the log lines, the gap, and the lookups that block.

Reads the temporary tables of one cursor after the rules have run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.graph.sql import sql_parts
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Evidence
from novelty_kit.verdict.rows import Rows
from novelty_kit.verdict.tables import about_of, fill

if TYPE_CHECKING:
    import duckdb

__all__ = ["blocking_lookups", "coverage_gaps", "evidence_lines", "rule_tables"]


# Which parts of evidence.sql speak where which rule decided.
_PARTS = {
    "evidence_match": {1},
    "edge_line": {2, 3, 4},
    "pair_line": {2},
    "evidence_overlap": {2},
    "evidence_alias": {2},
    "evidence_gap": {3},
    "evidence_subject": {3, 4},
}


def rule_tables(name: str) -> list[tuple[str, str]]:
    """The parts of a rule file: (table, SELECT), in the order in which they build on each other."""
    return sql_parts(__package__, name)


def coverage_gaps(
    con: duckdb.DuckDBPyConnection, rows: Rows, policy: Policy, max_listed: int
) -> dict[int, list[tuple[str, str]]]:
    """The first ids of each gated candidate's gap with their reasons, sorted."""
    gated = {no for no, facts in rows.facts.items() if facts["rule"] == 3}
    if not gated:
        return {}
    days = {
        no: (subject, via)
        for no, subject, via in con.execute(
            "SELECT candidate_no, cites_subject_from, cites_via_from FROM gate"
        ).fetchall()
        if no in gated
    }
    uncovered = con.execute(
        """
        SELECT lom_id, reason, is_bearing, reaches FROM unlisted WHERE NOT covered_in ORDER BY lom_id
        """
    ).fetchall()
    spare = max((len(rows.special.get(no, ())) for no in gated), default=0)
    windows: dict[Any, list[tuple[str, str]]] = {}
    found = {}
    for no in sorted(gated):
        subject, via = days[no]
        if (subject, via) not in windows:
            windows[subject, via] = _window(uncovered, subject, via, policy, max_listed + spare)
        gap = dict(windows[subject, via])
        for name, reason, counted, is_gap in rows.special.get(no, ()):
            if counted and not is_gap:
                gap.pop(name, None)
            elif is_gap:
                gap[name] = reason
        facts = rows.facts[no]
        if facts["subject_kind"] == "none":
            gap[facts["lom_id"]] = facts["subject_reason"]
        found[no] = sorted(gap.items())[:max_listed]
    return found


def _window(
    uncovered: list[tuple[str, str, bool, Any]], subject: Any, via: Any, policy: Policy, most: int
) -> list[tuple[str, str]]:
    """The least ids of the uncovered nodes that could cite the subject, or, bearing a claim, a via."""
    if policy.gate_scope == "neighbourhood":
        return []
    first: list[tuple[str, str]] = []
    for name, reason, is_bearing, reaches in uncovered:
        if reaches >= subject or (via is not None and is_bearing and reaches >= via):
            first.append((name, reason))
            if len(first) >= most:
                break
    return first


def evidence_lines(
    con: duckdb.DuckDBPyConnection, rows: Rows, gaps: dict[int, list[tuple[str, str]]], max_listed: int
) -> dict[int, list[Evidence]]:
    shown = [
        (no, name)
        for no, by_slice in rows.overlap.items()
        if rows.facts[no]["rule"] == 2
        for listed in by_slice.values()
        for name in listed[:max_listed]
    ]
    fill(
        con,
        "shown_name",
        {
            "candidate_no": ("INTEGER", [no for no, _ in shown]),
            "lom_id": ("VARCHAR", [name for _, name in shown]),
        },
    )
    con.execute(
        """
        CREATE TEMP TABLE shown_overlap AS
        SELECT shown.candidate_no, identifier.id_no AS node_no, shown.lom_id
        FROM shown_name AS shown INNER JOIN identifier ON identifier.lom_id = shown.lom_id
        """
    )
    listed = [(no, name, reason) for no, gap in gaps.items() for name, reason in gap]
    fill(
        con,
        "listed_gap",
        {
            "candidate_no": ("INTEGER", [no for no, _, _ in listed]),
            "lom_id": ("VARCHAR", [name for _, name, _ in listed]),
            "reason": ("VARCHAR", [reason for _, _, reason in listed]),
        },
    )
    decided = {facts["rule"] for facts in rows.facts.values()}
    parts = [part for part, rules in _PARTS.items() if decided & rules]
    found: dict[int, list[Evidence]] = defaultdict(list)
    for table, select in rule_tables("evidence.sql"):
        if table in parts:
            con.execute(f"CREATE TEMP TABLE {table} AS {select}")
    for table in parts:
        if table.startswith("evidence_"):
            for no, seq, name, key, why in con.execute(f"SELECT * FROM {table}").fetchall():  # noqa: S608 - ours
                found[no].append(Evidence(seq, name, key, why))
    for lines in found.values():
        lines.sort(key=lambda line: (line.seq, line.table, line.key, line.why))
    return dict(found)


def blocking_lookups(
    con: duckdb.DuckDBPyConnection, candidates: Sequence[Candidate]
) -> dict[int, list[dict[str, Any]]]:
    """The lookups that an unresolved candidate waits for, with what the log stored of each."""
    stored = {
        (scheme, key): (status, message)
        for scheme, key, status, message in con.execute(
            "SELECT scheme, lookup_key, http_status, message FROM ingest_error_now ORDER BY seq"
        ).fetchall()
    }
    found: dict[int, list[dict[str, Any]]] = {}
    for (no,) in con.execute("SELECT candidate_no FROM unresolved ORDER BY ALL").fetchall():
        candidate = candidates[no]
        about = about_of(candidate)
        found[no] = []
        for lom_id in sorted({*candidate.keys, *([about] if about else [])}):
            scheme = lom_id.partition(":")[0]
            status, message = stored.get((scheme, lom_id), (None, None))
            asked = (scheme, lom_id) in stored
            reason = (message or f"the lookup failed ({status})") if asked else "not asked"
            found[no].append({"scheme": scheme, "lookup": lom_id, "http_status": status, "reason": reason})
    return found
