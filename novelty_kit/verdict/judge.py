"""The one place that knows the order of the rules and turns their rows into verdicts.

Reads a graph and candidates; writes nothing. Each rule is a ``.sql`` file over all candidates at once;
sorting, cutting and wording happen here, once. No network. No clock.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

import duckdb

from novelty_kit.graph import Graph
from novelty_kit.keys import SCHEMES
from novelty_kit.verdict.advisories import advise
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Evidence, Slice, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MAX_LISTED", "RULE_FILES", "judge", "judge_frame", "rule_tables"]

MAX_LISTED = 100
RULE_FILES = (
    "candidate_nodes.sql", "r0_keys.sql", "r1_exact_match.sql", "r2_citation_overlap.sql", "r3_coverage_gate.sql",
    "r4_novel.sql",
)  # fmt: skip
_NEEDS_LOOKUP = ("s2", "openalex")
_FIRST_DAY = "0001-01-01"


def rule_tables(name: str) -> list[tuple[str, str]]:
    """The parts of a rule file: (table, SELECT), in the order in which they build on each other."""
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    parts = []
    for part in text.split("-- table: ")[1:]:
        table, _, body = part.partition("\n")
        parts.append((table.strip(), body.strip().rstrip(";")))
    return parts


@contextlib.contextmanager
def _ruled(
    graph: Graph, candidates: Sequence[Candidate], policy: Policy
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor in which every rule has run over all candidates."""
    con = graph.connection
    try:
        _load(con, graph, candidates, policy)
        for name in RULE_FILES:
            for table, select in rule_tables(name):
                con.execute(f"CREATE TEMP TABLE {table} AS {select}")
        yield con
    finally:
        con.close()


def _load(con: duckdb.DuckDBPyConnection, graph: Graph, candidates: Sequence[Candidate], policy: Policy) -> None:
    years = None if policy.date_margin_years == "off" else policy.date_margin_years
    con.execute(
        """
        CREATE TEMP TABLE policy AS SELECT
            $in_sample AS in_sample_goes_on, $zero AS zero_covers, $accepts AS accepts_in, $near AS near_only,
            $years::INTEGER AS margin_years
        """,
        {
            "in_sample": policy.in_sample_only == "novel",
            "zero": policy.checked_zero_subject == "covered",
            "accepts": policy.in_edge_coverage == "accept",
            "near": policy.gate_scope == "neighbourhood",
            "years": years,
        },
    )
    con.execute("CREATE TEMP TABLE skipped AS SELECT $n AS n", {"n": len(graph.skipped_lines)})
    numbered = list(enumerate(candidates))
    _fill(
        con,
        "candidate",
        {
            "candidate_no": ("INTEGER", [no for no, _ in numbered]),
            "kind": ("VARCHAR", [c.kind for c in candidates]),
            "leave_out": ("BOOLEAN", [c.leave_out for c in candidates]),
            "statement_key": ("VARCHAR", [c.statement_key for c in candidates]),
            "claim_id": ("VARCHAR", [c.claim_id for c in candidates]),
            "about_lom_id": ("VARCHAR", [c.about_lom_id for c in candidates]),
            "about_resolved": ("BOOLEAN", [not _needs_lookup(c.about_lom_id) for c in candidates]),
            "holdout_given": ("BOOLEAN", [c.seen is not None for c in candidates]),
            "date_from": ("DATE", [_first_day(c.publication_date) for c in candidates]),
            "stated_ok": ("BOOLEAN", [None if c.checked is None else c.checked.status == "ok" for c in candidates]),
            "stated_n_refs": ("BIGINT", [None if c.checked is None else c.checked.n_refs for c in candidates]),
        },
    )
    keys = [(no, SCHEMES.index(key.partition(":")[0]), key) for no, c in numbered for key in c.keys]
    _fill(
        con,
        "candidate_key",
        {
            "candidate_no": ("INTEGER", [no for no, _, _ in keys]),
            "key_order": ("INTEGER", [order for _, order, _ in keys]),
            "lom_id": ("VARCHAR", [key for _, _, key in keys]),
            "needs_lookup": ("BOOLEAN", [_needs_lookup(key) for _, _, key in keys]),
        },
    )
    for table, lists in (
        ("candidate_reference", [(no, c.references or ()) for no, c in numbered]),
        ("candidate_seen", [(no, c.seen or ()) for no, c in numbered]),
    ):
        _fill(
            con,
            table,
            {
                "candidate_no": ("INTEGER", [no for no, ids in lists for _ in ids]),
                "lom_id": ("VARCHAR", [lom_id for _, ids in lists for lom_id in ids]),
            },
        )


def _fill(con: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, tuple[str, list[Any]]]) -> None:
    """Make a temporary table; small ones travel as parameters, large ones as Arrow."""
    size = len(next(iter(columns.values()))[1])
    if size <= 2_000:
        listed = ", ".join(f"unnest(${column}::{kind}[]) AS {column}" for column, (kind, _) in columns.items())
        con.execute(
            f"CREATE TEMP TABLE {name} AS SELECT {listed}",  # noqa: S608 - our own names
            {column: values for column, (_, values) in columns.items()},
        )
        return
    import pyarrow as pa

    kinds = {"INTEGER": pa.int32(), "VARCHAR": pa.string(), "BOOLEAN": pa.bool_(), "BIGINT": pa.int64(), "DATE": pa.string()}
    con.register("incoming", pa.table({c: pa.array(values, kinds[kind]) for c, (kind, values) in columns.items()}))
    listed = ", ".join(f"{column}::{kind} AS {column}" for column, (kind, _) in columns.items())
    con.execute(f"CREATE TEMP TABLE {name} AS SELECT {listed} FROM incoming")  # noqa: S608 - our own names
    con.unregister("incoming")


def _needs_lookup(lom_id: str | None) -> bool:
    return lom_id is None or lom_id.partition(":")[0] in _NEEDS_LOOKUP


def _first_day(date: str | None) -> str | None:
    return None if date is None else date + _FIRST_DAY[len(date) :]


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

    with _ruled(graph, candidates, policy) as con:
        table = con.sql(_FRAME).to_arrow_table()
    labels = pa.array([candidate.label for candidate in candidates], pa.string())
    names = table.column("lom_id")
    import pyarrow.compute as pc

    return table.set_column(0, "candidate_id", pc.coalesce(labels, names))


_FRAME = """
SELECT
    decided.candidate_no,
    coalesce(identifier.lom_id, number.lom_id) AS lom_id,
    CASE
        WHEN decided.is_incomparable THEN 'incomparable'
        WHEN decided.rule = 0 THEN 'lookup_failed'
        WHEN decided.rule = 3 THEN 'insufficient_edges'
        ELSE 'ok'
    END AS status,
    CASE decided.rule WHEN 1 THEN 'duplicate' WHEN 2 THEN 'neighborhood' WHEN 4 THEN 'novel' ELSE 'unknown' END AS verdict,
    decided.rule,
    decided.n_in AS n_in_sample,
    decided.n_out AS n_holdout,
    coalesce(stub.n, 0) AS n_stub,
    decided.in_sample,
    decided.holdout,
    CASE WHEN decided.rule = 3 THEN coalesce(gated.n_gap, 0) ELSE 0 END AS coverage_gap_total,
    decided.rule = 3 AND coalesce(gated.nothing_compared, FALSE) AS nothing_compared
FROM decided
INNER JOIN subject ON subject.candidate_no = decided.candidate_no
LEFT JOIN identifier ON identifier.id_no = subject.node_no
LEFT JOIN id_number AS number ON number.id_no = subject.node_no
LEFT JOIN gated ON gated.candidate_no = decided.candidate_no
LEFT JOIN (
    SELECT stub_overlap.candidate_no, count(*) AS n FROM stub_overlap GROUP BY stub_overlap.candidate_no
) AS stub ON stub.candidate_no = decided.candidate_no
ORDER BY decided.candidate_no
"""


@dataclass(frozen=True, slots=True)
class _Rows:
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


def judge(
    graph: Graph, candidates: Sequence[Candidate], policy: Policy, max_listed: int = MAX_LISTED
) -> list[Verdict]:
    """Judge candidates against a graph, each with its evidence.

    Parameters
    ----------
    graph : Graph
    candidates : sequence of Candidate
    policy : Policy
    max_listed : int
        At most so many ids in each list of a result; counts are always of all.

    Returns
    -------
    list of Verdict
        In the order of the candidates.
    """
    with _ruled(graph, candidates, policy) as con:
        rows = _collect(con)
        gaps = _gaps(con, rows, policy, max_listed)
        evidence = _evidence(con, rows, gaps, max_listed)
        blocking = _blocking(con, candidates)
        advisories = advise(con, candidates, rows.facts, rows.stubs, rows.seen_self, rows.matches)
    about_graph: dict[str, Any] = {"files": list(graph.files), "as_of_seq": graph.as_of_seq, "sha256": graph.sha256}
    if graph.skipped_lines:
        about_graph["skipped_lines"] = {"n": len(graph.skipped_lines), "first": list(graph.skipped_lines[:10])}
    verdicts = []
    for no, candidate in enumerate(candidates):
        facts = rows.facts[no]
        verdicts.append(
            _verdict(
                candidate, facts, rows, no, gaps.get(no, []), evidence.get(no, ()), blocking.get(no, ()),
                advisories.get(no, ()), policy, about_graph, max_listed,
            )
        )
    return verdicts


def _verdict(  # noqa: PLR0913 - one record has many parts
    candidate: Candidate, facts: dict[str, Any], rows: _Rows, no: int, gap: list[tuple[str, str]],
    evidence: Sequence[Evidence], blocking: Sequence[dict[str, Any]], advisories: Sequence[dict[str, Any]],
    policy: Policy, about_graph: dict[str, Any], max_listed: int,
) -> Verdict:  # fmt: skip
    rule = facts["rule"]
    lom_id = facts["lom_id"]
    matched = sorted({paper for paper, _ in rows.matches.get(no, [])})
    claims = rows.claims.get(no, [])
    hit = bool(matched) if candidate.kind == "paper" else bool(claims)
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
            "hit": hit,
            "matched_lom_id": (lom_id if lom_id in matched else matched[0]) if matched else None,
            "matched_lom_ids": matched,
            "matched_on": [s for s in SCHEMES if any(key.startswith(f"{s}:") for _, key in rows.matches.get(no, []))],
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
        coverage={
            "subject": facts["subject_kind"],
            "n_compared": facts["n_compared"],
            "n_covered": facts["n_covered"],
            "n_covered_in": facts["n_covered_in"],
            "n_pruned": facts["n_compared"] - facts["n_needed"],
            "n_refs": facts["n_refs"],
            "n_edges_out": facts["n_edges_out"],
        },
        advisories=tuple(advisories),
        evidence=tuple(evidence),
        policy=policy.to_dict(),
        graph=about_graph,
        incomparable_because=rows.incomparable.get(no),
        title=candidate.title or facts["title"],
        statement=candidate.statement,
    )


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
    paper.title
FROM ({_FRAME}) AS framed
INNER JOIN subject ON subject.candidate_no = framed.candidate_no
INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = framed.candidate_no
INNER JOIN coverage_count AS total ON total.candidate_no = framed.candidate_no
LEFT JOIN paper_now AS paper ON paper.id_no = subject.node_no
LEFT JOIN (
    SELECT cited.candidate_no, count(*) AS n
    FROM (
        SELECT own_edge.candidate_no, own_edge.node_no FROM own_edge WHERE own_edge.cites
        UNION
        SELECT reference.candidate_no, reference.node_no FROM reference
    ) AS cited
    GROUP BY cited.candidate_no
) AS out_edge ON out_edge.candidate_no = framed.candidate_no
"""  # noqa: S608 - our own text

_NAMED = "coalesce(identifier.lom_id, number.lom_id)"
_NAMES = """
LEFT JOIN identifier ON identifier.id_no = {0}
LEFT JOIN id_number AS number ON number.id_no = {0}
"""


def _collect(con: duckdb.DuckDBPyConnection) -> _Rows:
    facts_of = con.execute(_FACTS)
    names = [column[0] for column in facts_of.description or ()]
    facts = {row[0]: dict(zip(names, row, strict=True)) for row in facts_of.fetchall()}
    overlap: dict[int, dict[bool, list[str]]] = defaultdict(lambda: {True: [], False: []})
    for no, in_sample, name in con.execute(
        f"SELECT candidate_no, in_sample, {_NAMED} AS name FROM overlap {_NAMES.format('node_no')} ORDER BY ALL"
    ).fetchall():
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
    return _Rows(
        facts=facts,
        overlap=dict(overlap),
        stubs=_lists(con, f"SELECT candidate_no, {_NAMED} AS name FROM stub_overlap {_NAMES.format('node_no')} ORDER BY ALL"),
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
ANTI JOIN edge AS citing ON citing.citing_no = seen.node_no
ANTI JOIN edge AS cited ON cited.cited_no = seen.node_no
ANTI JOIN itself ON itself.candidate_no = seen.candidate_no AND itself.node_no = seen.node_no
ANTI JOIN reference ON reference.candidate_no = seen.candidate_no AND reference.node_no = seen.node_no
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


def _gaps(
    con: duckdb.DuckDBPyConnection, rows: _Rows, policy: Policy, max_listed: int
) -> dict[int, list[tuple[str, str]]]:
    """The first ids of each gated candidate's gap with their reasons, sorted."""
    gated = {no for no, facts in rows.facts.items() if facts["rule"] == 3}
    if not gated:
        return {}
    days = {
        no: (subject, via)
        for no, subject, via in con.execute("SELECT candidate_no, cites_subject_from, cites_via_from FROM gate").fetchall()
        if no in gated
    }
    uncovered = con.execute(
        """
        SELECT lom_id, reason, is_bearing, reaches FROM compared
        WHERE NOT covered_out AND NOT covered_in ORDER BY lom_id
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
    """The least ids of the uncovered nodes that could cite the subject, or bear a claim and could cite a via."""
    if policy.gate_scope == "neighbourhood":
        return []
    first: list[tuple[str, str]] = []
    for name, reason, is_bearing, reaches in uncovered:
        if reaches >= subject or (via is not None and is_bearing and reaches >= via):
            first.append((name, reason))
            if len(first) >= most:
                break
    return first


def _evidence(
    con: duckdb.DuckDBPyConnection, rows: _Rows, gaps: dict[int, list[tuple[str, str]]], max_listed: int
) -> dict[int, list[Evidence]]:
    shown = [
        (no, name)
        for no, by_slice in rows.overlap.items()
        if rows.facts[no]["rule"] == 2
        for listed in by_slice.values()
        for name in listed[:max_listed]
    ]
    _fill(
        con, "shown_name",
        {"candidate_no": ("INTEGER", [no for no, _ in shown]), "lom_id": ("VARCHAR", [name for _, name in shown])},
    )
    con.execute(
        """
        CREATE TEMP TABLE shown_overlap AS
        SELECT shown.candidate_no, identifier.id_no AS node_no, shown.lom_id
        FROM shown_name AS shown INNER JOIN identifier ON identifier.lom_id = shown.lom_id
        """
    )
    listed = [(no, name, reason) for no, gap in gaps.items() for name, reason in gap]
    _fill(
        con, "listed_gap",
        {
            "candidate_no": ("INTEGER", [no for no, _, _ in listed]),
            "lom_id": ("VARCHAR", [name for _, name, _ in listed]),
            "reason": ("VARCHAR", [reason for _, _, reason in listed]),
        },
    )
    for table, select in rule_tables("evidence.sql"):
        con.execute(f"CREATE TEMP TABLE {table} AS {select}")
    found: dict[int, list[Evidence]] = defaultdict(list)
    for no, seq, table, key, why in con.execute("SELECT * FROM evidence ORDER BY ALL").fetchall():
        found[no].append(Evidence(seq, table, key, why))
    return dict(found)


def _blocking(
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
        ids = dict.fromkeys([*([candidate.about_lom_id] if candidate.about_lom_id else []), *candidate.keys])
        found[no] = []
        for lom_id in ids:
            scheme, _, bare = lom_id.partition(":")
            status, message = stored.get((scheme, lom_id), (None, None))
            asked = (scheme, lom_id) in stored
            reason = (message or f"the lookup failed ({status})") if asked else "not asked"
            found[no].append({"scheme": scheme, "lookup": bare, "http_status": status, "reason": reason})
    return found
