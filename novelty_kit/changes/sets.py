"""One candidate beside several logs at once, each made of some events of one log.

Each set of events is judged as a candidate of its own by the same SQL that judges the head of a log. Writes
temporary tables of one cursor. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from novelty_kit.changes.along import GATE, OF_THE_WHOLE, ask, make
from novelty_kit.changes.edited import EVENT_TABLES, Added, identifiers_with, with_added
from novelty_kit.graph import Graph
from novelty_kit.graph.sql import sql_parts
from novelty_kit.graph.state import build_state
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import RULE_FILES, rule_tables
from novelty_kit.verdict.policy import Policy

__all__ = ["Answer", "judge_sets"]

# Decision, overlap and coverage of one candidate in one set.
Answer = dict[str, Any]

_CANDIDATE_PARTS = ("candidate", "candidate_key", "named", "id_number", "reference")
_DECIDING = EVENT_TABLES[:4]
_NAMED = """
SELECT DISTINCT known.id_no, known.lom_id
FROM known_identifier AS known
SEMI JOIN (
    SELECT id_no FROM every_paper_event
    UNION SELECT doi_no FROM every_paper_event UNION SELECT arxiv_no FROM every_paper_event
    UNION SELECT openalex_no FROM every_paper_event UNION SELECT s2_no FROM every_paper_event
    UNION SELECT pmid_no FROM every_paper_event
    UNION SELECT about_no FROM every_claim_event
    UNION SELECT citing_no FROM every_citation_edge_event UNION SELECT cited_no FROM every_citation_edge_event
    UNION SELECT id_no FROM every_references_checked_event
) AS named ON named.id_no = known.id_no
"""


def judge_sets(
    graph: Graph, candidate: Candidate, policy: Policy, added: Added | None, base: Sequence[int],
    sets: Sequence[Sequence[int]],
) -> list[Answer]:  # fmt: skip
    """What the candidate is in each of several logs: the events of `base` with those of one set.

    Parameters
    ----------
    graph : Graph
    candidate : Candidate
    policy : Policy
    added : Added, optional
        Lines behind the log; `base` and the sets may name their seqs too.
    base, sets
        Seqs.
    """
    con = graph._con.cursor()
    try:
        con.execute("USE log")
        _make_sources(con, added)
        ask(con, [candidate], policy, len(graph.skipped_lines))
        con.execute("DROP VIEW temp.identifier")  # the one of the sets stands there from here on
        con.execute(
            "CREATE TEMP TABLE taken AS SELECT one.set_no, every.seq "
            "FROM (SELECT unnest($sets::BIGINT[]) AS set_no) AS one, (SELECT unnest($seqs::BIGINT[]) AS seq) AS every",
            {"sets": list(range(len(sets))), "seqs": list(base)},
        )
        pairs = [(no, seq) for no, chosen in enumerate(sets) for seq in chosen]
        con.execute(
            "INSERT INTO taken SELECT unnest($sets::BIGINT[]), unnest($seqs::BIGINT[])",
            {"sets": [no for no, _ in pairs], "seqs": [seq for _, seq in pairs]},
        )
        con.execute(
            "CREATE TEMP TABLE moment AS SELECT unnest($sets::BIGINT[]) AS moment_no, 0 AS candidate_no",
            {"sets": list(range(len(sets)))},
        )
        parts = dict(sql_parts(__package__, "sets.sql"))
        gated = parts.pop("gated")
        make(con, [(name, parts[name]) for name in parts])
        build_state(con, 2**62, temporary=True)
        world = dict(sql_parts(__package__, "world.sql"))
        make(con, [(name, world[name]) for name in _CANDIDATE_PARTS])
        con.execute("UPDATE temp.candidate SET claim_id = candidate_no || ' ' || claim_id")
        for name in RULE_FILES:
            make(con, [part for part in rule_tables(name) if part[0] not in OF_THE_WHOLE])
            if name == GATE:
                make(con, [sql_parts(__package__, "told.sql")[0], ("gated", gated)])
        return _answers(con, len(sets))
    finally:
        con.close()


def _make_sources(con: duckdb.DuckDBPyConnection, added: Added | None) -> None:
    """The log's events and the added ones under one name, and all identifiers."""
    for name in _DECIDING:
        con.execute(f"CREATE TEMP VIEW every_{name} AS {with_added(name, added)}")
    con.execute(f"CREATE TEMP VIEW known_identifier AS {identifiers_with(added)}")
    con.execute("CREATE TEMP VIEW identifier AS SELECT * FROM known_identifier")
    con.execute(f"CREATE TEMP TABLE named_identifier AS {_NAMED}")


def _answers(con: duckdb.DuckDBPyConnection, n_sets: int) -> list[Answer]:
    found: list[Answer] = [{} for _ in range(n_sets)]
    for no, rule, is_incomparable, kind, gap, nothing in con.execute(
        """
        SELECT decided.candidate_no, decided.rule, decided.is_incomparable, coverage.kind,
            CASE WHEN decided.rule = 3 THEN gated.n_gap END, decided.rule = 3 AND gated.nothing_compared
        FROM decided
        INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = decided.candidate_no
        LEFT JOIN gated ON gated.candidate_no = decided.candidate_no
        """
    ).fetchall():
        found[no] |= {"decision": (rule, is_incomparable), "coverage": (kind, gap, nothing)}
    overlaps: list[set[tuple[Any, ...]]] = [set() for _ in range(n_sets)]
    for no, *what in con.execute(
        """
        SELECT overlap.candidate_no, overlap.node_no - overlap.candidate_no * 4294967296,
            (in_sample.node_no IS NOT NULL)::VARCHAR
        FROM overlap
        LEFT JOIN in_sample ON in_sample.candidate_no = overlap.candidate_no AND in_sample.node_no = overlap.node_no
        UNION ALL
        SELECT candidate_no, node_no - candidate_no * 4294967296, 'stub' FROM stub_overlap
        UNION ALL
        SELECT candidate_no, node_no - candidate_no * 4294967296, 'by ' || (end_no - candidate_no * 4294967296)
        FROM two_hop
        """
    ).fetchall():
        overlaps[no].add(tuple(what))
    for no, overlap in enumerate(overlaps):
        found[no]["overlap"] = frozenset(overlap)
    return found
