"""The one place that knows the order of the rules and turns their rows into verdicts.

Reads a graph and candidates; writes nothing. Each rule is a ``.sql`` file over all candidates at once;
sorting, cutting and wording happen here, once. No network. No clock.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.graph import Graph
from novelty_kit.graph.engine import learn_arrow
from novelty_kit.keys import SCHEMES
from novelty_kit.verdict.advisories import advise
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.evidence import blocking_lookups, coverage_gaps, evidence_lines, rule_tables
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Evidence, Slice, Verdict
from novelty_kit.verdict.rows import FRAME, Rows, collect_rows
from novelty_kit.verdict.tables import load_candidate_tables

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["MAX_LISTED", "RULE_FILES", "judge", "judge_frame", "rule_statements", "rule_tables", "ruled"]

MAX_LISTED = 100
RULE_FILES = (
    "candidate_ids.sql",
    "candidate_nodes.sql",
    "candidate_claims.sql",
    "r0_keys.sql",
    "r1_exact_match.sql",
    "r2_citation_overlap.sql",
    "coverage.sql",
    "coverage_count.sql",
    "r3_coverage_gate.sql",
    "r4_novel.sql",
)


# Of so many events and candidates at most, a plan costs more to improve than to run.
TINY_LOG, FEW = 5_000, 200
# What is read once where no list is told, and is a view there.
READ_ONCE = {"overlap", "stub_overlap", "in_sample", "special", "coverage_count", "decided"}


@contextlib.contextmanager
def ruled(
    graph: Graph, candidates: Sequence[Candidate], policy: Policy, *, in_full: bool = True
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor in which every rule has run over all candidates; its temporary tables are the rules' rows.

    With `in_full`, coverage is known of every candidate, else only where it decides.
    """
    con = graph.open_cursor()
    try:
        if in_full and graph.n_events <= TINY_LOG and len(candidates) <= FEW:
            con.execute("PRAGMA disable_optimizer")
        load_candidate_tables(con, candidates, policy, len(graph.skipped_lines), tells_coverage=in_full)
        for _, statement in rule_statements(in_full=in_full):
            con.execute(statement)
        yield con
    finally:
        con.close()


def rule_statements(*, in_full: bool) -> Iterator[tuple[str, str]]:
    """What the rules make and the statement that makes it, in order."""
    for name in RULE_FILES:
        for table, select in rule_tables(name):
            kind = "VIEW" if table in READ_ONCE and not in_full else "TABLE"
            yield table, f"CREATE TEMP {kind} {table} AS {select}"


def judge_frame(graph: Graph, candidates: Sequence[Candidate], policy: Policy) -> pa.Table:
    """The verdicts of many candidates as one Arrow table, a row a candidate in input order.

    Returns
    -------
    Table
        ``candidate_id`` and ``lom_id`` (string, null where nothing can be named), ``status``, ``verdict``,
        ``rule`` (int, the deciding rule), ``n_in_sample``, ``n_holdout``, ``n_stub`` (int, nodes),
        ``in_sample``, ``holdout`` (string, the slices' own verdicts; holdout null where none was given),
        ``coverage_gap_total`` (int, 0 where another rule decided), ``nothing_compared`` (bool).
    """
    import pyarrow as pa

    learn_arrow()
    with ruled(graph, candidates, policy, in_full=False) as con:
        table = con.sql(FRAME).to_arrow_table()
    labels = pa.array([candidate.label for candidate in candidates], pa.string())
    names = table.column("lom_id")
    import pyarrow.compute as pc

    return table.set_column(0, "candidate_id", pc.coalesce(labels, names))


def judge(
    graph: Graph, candidates: Sequence[Candidate], policy: Policy, max_listed: int = MAX_LISTED, *,
    evidence: bool = True,
) -> list[Verdict]:  # fmt: skip
    """Judge candidates against a graph, each with its evidence.

    Parameters
    ----------
    graph : Graph
    candidates : sequence of Candidate
    policy : Policy
    max_listed : int
        At most so many ids in each list of a result; counts are always of all.
    evidence : bool
        Whether the log lines are asked for; where nobody will see them, they only cost time.

    Returns
    -------
    list of Verdict
        In the order of the candidates.
    """
    with ruled(graph, candidates, policy) as con:
        rows = collect_rows(con)
        gaps = coverage_gaps(con, rows, policy, max_listed)
        lines = evidence_lines(con, rows, gaps, max_listed) if evidence else {}
        blocking = blocking_lookups(con, candidates)
        advisories = advise(con, candidates, rows.facts, rows.stubs, rows.seen_self, rows.matches)
    about_graph: dict[str, Any] = {
        "files": list(graph.files),
        "as_of_seq": graph.as_of_seq,
        "sha256": graph.sha256,
    }
    if graph.skipped_lines:
        about_graph["skipped_lines"] = {
            "n": len(graph.skipped_lines),
            "first": list(graph.skipped_lines[:10]),
        }
    verdicts = []
    for no, candidate in enumerate(candidates):
        facts = rows.facts[no]
        verdicts.append(
            _verdict(
                candidate,
                facts,
                rows,
                no,
                gaps.get(no, []),
                lines.get(no, ()),
                blocking.get(no, ()),
                advisories.get(no, ()),
                policy,
                about_graph,
                max_listed,
            )
        )
    return verdicts


def _verdict(
    candidate: Candidate, facts: dict[str, Any], rows: Rows, no: int, gap: list[tuple[str, str]],
    evidence: Sequence[Evidence], blocking: Sequence[dict[str, Any]], advisories: Sequence[dict[str, Any]],
    policy: Policy, about_graph: dict[str, Any], max_listed: int,
) -> Verdict:  # fmt: skip
    rule = facts["rule"]
    lom_id = facts["lom_id"]
    by_key = rows.matches.get(no, []) if candidate.kind == "paper" else []
    matched = sorted({paper for paper, _ in by_key})
    claims = rows.claims.get(no, [])
    held = {False: rows.overlap.get(no, {}).get(False, []), True: rows.overlap.get(no, {}).get(True, [])}
    given = candidate.seen is not None
    in_sample = held[True] if given else sorted(held[True] + held[False])
    holdout = held[False] if given else []
    listed_gap = gap[:max_listed] if rule == 3 else []
    return Verdict(
        candidate_id=candidate.label if candidate.label is not None else lom_id,
        status=facts["status"],
        verdict=facts["verdict"],
        lom_id=lom_id,
        kind=candidate.kind,
        rule=rule,
        exact_key_match={
            "hit": bool(matched or claims),
            "matched_lom_id": (lom_id if lom_id in matched else matched[0]) if matched else None,
            "matched_lom_ids": matched,
            "matched_on": [s for s in SCHEMES if any(key.startswith(f"{s}:") for _, key in by_key)],
            "matched_claim_ids": claims,
        },
        in_sample=Slice(len(in_sample), tuple(in_sample[:max_listed])),
        holdout=Slice(len(holdout), tuple(holdout[:max_listed])),
        two_hop=rows.two_hop.get(no, {}),
        stub_overlap=Slice(len(rows.stubs.get(no, [])), tuple(rows.stubs.get(no, [])[:max_listed])),
        holdout_applied=given,
        holdout_lom_ids=candidate.seen or (),
        holdout_unmatched=tuple(rows.unmatched.get(no, [])),
        verdict_by_slice={"in_sample": facts["in_sample"], "holdout": facts["holdout"]},
        ingest_errors_blocking=tuple(blocking) if facts["status"] == "lookup_failed" else (),
        coverage_gap=tuple(lom for lom, _ in listed_gap),
        coverage_gap_reasons=dict(listed_gap),
        coverage_gap_total=facts["coverage_gap_total"],
        nothing_compared=facts["nothing_compared"],
        coverage=_coverage(facts, policy),
        advisories=tuple(advisories),
        evidence=tuple(evidence),
        policy=policy.to_dict(),
        graph=about_graph,
        incomparable_because=rows.incomparable.get(no),
        title=candidate.title or facts["title"],
        statement=candidate.statement,
    )


def _coverage(facts: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    named = facts["lom_id"] is not None  # what cannot be named has no list of its own
    pruned = facts["n_compared"] - facts["n_needed"] if policy.gate_scope == "graph" and named else 0
    return {
        "subject": facts["subject_kind"] if named else "none",
        "n_compared": facts["n_compared"],
        "n_covered": facts["n_covered"],
        "n_covered_in": facts["n_covered_in"],
        "n_pruned": pruned,
        "n_refs": facts["n_refs"] if named else None,
        "n_edges_out": facts["n_edges_out"] if named else 0,
    }
