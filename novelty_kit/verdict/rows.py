"""The rows that the rules left, grouped by candidate and sorted once: what a record is made from.

Reads the temporary tables of one cursor. Sorting and naming happen here, never in a rule.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

__all__ = ["FRAME", "Rows", "collect_rows"]

FRAME = """
SELECT
    decided.candidate_no,
    coalesce(identifier.lom_id, number.lom_id) AS lom_id,
    CASE
        WHEN decided.is_incomparable THEN 'incomparable'
        WHEN decided.rule = 0 THEN 'lookup_failed'
        WHEN decided.rule = 3 THEN 'insufficient_edges'
        ELSE 'ok'
    END AS status,
    CASE decided.rule
        WHEN 1 THEN 'duplicate'
        WHEN 2 THEN 'neighborhood'
        WHEN 4 THEN 'novel'
        ELSE 'unknown'
    END AS verdict,
    decided.rule,
    decided.n_in AS n_in_sample,
    decided.n_out AS n_holdout,
    decided.n_stub,
    decided.in_sample,
    decided.holdout,
    CASE WHEN decided.rule = 3 THEN coalesce(gated.n_gap, 0) ELSE 0 END AS coverage_gap_total,
    decided.rule = 3 AND coalesce(gated.nothing_compared, FALSE) AS nothing_compared
FROM decided
INNER JOIN subject ON subject.candidate_no = decided.candidate_no
LEFT JOIN identifier ON identifier.id_no = subject.node_no
LEFT JOIN id_number AS number ON number.id_no = subject.node_no
LEFT JOIN gated ON gated.candidate_no = decided.candidate_no
ORDER BY decided.candidate_no
"""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rules' rows, grouped by candidate and sorted."""

    facts: dict[int, dict[str, Any]]
    overlap: dict[int, dict[bool, list[str]]]
    stubs: dict[int, list[str]]
    two_hop: dict[int, dict[str, tuple[str, ...]]]
    matches: dict[int, list[tuple[str, str]]]
    claims: dict[int, list[str]]
    unmatched: dict[int, list[str]]
    seen_self: dict[int, list[str]]
    incomparable: dict[int, str]
    special: dict[int, list[tuple[str, str, bool, bool]]]


_FACTS = f"""
SELECT
    framed.*,
    coverage.kind AS subject_kind,
    coverage.reason AS subject_reason,
    coverage.n_refs,
    total.n_compared,
    total.n_covered,
    total.n_covered_in,
    total.n_needed,
    coalesce(out_edge.n, 0) AS n_edges_out,
    paper.title,
    paper.publication_date
FROM ({FRAME}) AS framed
INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = framed.candidate_no
INNER JOIN coverage_count AS total ON total.candidate_no = framed.candidate_no
LEFT JOIN paper_now AS paper ON paper.id_no = coverage.node_no
LEFT JOIN (
    SELECT cited.candidate_no, count(*) AS n
    FROM (
        SELECT own_edge.candidate_no, own_edge.node_no FROM own_edge WHERE own_edge.cites
        UNION
        SELECT touched.candidate_no, touched.node_no
        FROM touched
        ANTI JOIN further AS shown
            ON shown.candidate_no = touched.candidate_no AND shown.node_no = touched.node_no AND NOT shown.is_listed
    ) AS cited
    GROUP BY cited.candidate_no
) AS out_edge ON out_edge.candidate_no = framed.candidate_no
"""  # noqa: S608 - our own text

_OVERLAP = """
SELECT overlap.candidate_no, seen.node_no IS NOT NULL AS in_sample, coalesce(identifier.lom_id, number.lom_id) AS name
FROM overlap
LEFT JOIN in_sample AS seen ON seen.candidate_no = overlap.candidate_no AND seen.node_no = overlap.node_no
LEFT JOIN identifier ON identifier.id_no = overlap.node_no
LEFT JOIN id_number AS number ON number.id_no = overlap.node_no
ORDER BY ALL
"""

_STUBS = """
SELECT stub.candidate_no, coalesce(identifier.lom_id, number.lom_id) AS name
FROM stub_overlap AS stub
LEFT JOIN identifier ON identifier.id_no = stub.node_no
LEFT JOIN id_number AS number ON number.id_no = stub.node_no
ORDER BY ALL
"""


def collect_rows(con: duckdb.DuckDBPyConnection) -> Rows:
    """Everything that the rules found, by candidate number."""
    facts_of = con.execute(_FACTS)
    names = [column[0] for column in facts_of.description or ()]
    facts = {row[0]: dict(zip(names, row, strict=True)) for row in facts_of.fetchall()}
    overlap: dict[int, dict[bool, list[str]]] = defaultdict(lambda: {True: [], False: []})
    for no, in_sample, name in con.execute(_OVERLAP).fetchall():
        overlap[no][in_sample].append(name)
    ends: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for no, via, end in con.execute(
        """
        SELECT two_hop.candidate_no, via.lom_id AS via, ending.lom_id AS ending
        FROM two_hop
        INNER JOIN identifier AS via ON via.id_no = two_hop.node_no
        INNER JOIN identifier AS ending ON ending.id_no = two_hop.end_no
        ORDER BY ALL
        """
    ).fetchall():
        ends[no][via].append(end)
    special: dict[int, list[tuple[str, str, bool, bool]]] = defaultdict(list)
    for no, name, reason, counted, is_gap in con.execute(
        """
        SELECT candidate_no, lom_id, reason, t_needed AND NOT t_covered, is_needed AND NOT is_covered
        FROM special ORDER BY ALL
        """
    ).fetchall():
        special[no].append((name, reason, counted, is_gap))
    return Rows(
        facts=facts,
        overlap=dict(overlap),
        stubs=_lists(con, _STUBS),
        two_hop={no: {via: tuple(found) for via, found in by_via.items()} for no, by_via in ends.items()},
        matches=_pairs(
            con,
            """
            SELECT DISTINCT key_match.candidate_no, identifier.lom_id AS paper, key_match.lom_id AS key
            FROM key_match INNER JOIN identifier ON identifier.id_no = key_match.node_no ORDER BY ALL
            """,
        ),
        claims=_lists(con, "SELECT DISTINCT candidate_no, claim_id FROM same_statement ORDER BY ALL"),
        unmatched=_lists(con, _UNMATCHED),
        seen_self=_lists(
            con,
            """
            SELECT DISTINCT seen.candidate_no, seen.lom_id FROM seen
            INNER JOIN itself ON itself.candidate_no = seen.candidate_no AND itself.node_no = seen.node_no
            ORDER BY ALL
            """,
        ),
        incomparable=dict(con.execute("SELECT candidate_no, why FROM incomparable").fetchall()),
        special=dict(special),
    )


# A node is a paper row, an edge end, or what a claim is about.
_UNMATCHED = """
SELECT DISTINCT seen.candidate_no, seen.lom_id
FROM seen
ANTI JOIN paper_now AS paper ON paper.id_no = seen.node_no
ANTI JOIN claim_about AS claim ON claim.node_no = seen.node_no
ANTI JOIN citation_edge_now AS citing ON citing.citing_no = seen.node_no
ANTI JOIN citation_edge_now AS cited ON cited.cited_no = seen.node_no
ANTI JOIN itself ON itself.candidate_no = seen.candidate_no AND itself.node_no = seen.node_no
ORDER BY ALL
"""


def _lists(con: duckdb.DuckDBPyConnection, query: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for no, name in con.execute(query).fetchall():
        found[no].append(name)
    return dict(found)


def _pairs(con: duckdb.DuckDBPyConnection, query: str) -> dict[int, list[tuple[str, str]]]:
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for no, left, right in con.execute(query).fetchall():
        found[no].append((left, right))
    return dict(found)
