"""Candidates as tables, for the rules to read: one row a candidate, its ids numbered.

Writes temporary tables of one cursor only. Small tables travel as parameters, large ones as Arrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.graph.engine import learn_arrow
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    import duckdb

__all__ = ["about_of", "fill", "load_candidate_tables"]

_NEEDS_LOOKUP = ("s2:", "openalex:")
_FIRST_DAY = "0001-01-01"
SMALL = 2_000  # so many rows travel as parameters
_PIECE = 100_000


def load_candidate_tables(
    con: duckdb.DuckDBPyConnection,
    candidates: Sequence[Candidate],
    policy: Policy,
    n_skipped: int,
    *,
    tells_coverage: bool = True,
) -> None:
    """Make the tables that every rule reads: policy, candidate, and the ids that it names.

    `tells_coverage`: the coverage of every candidate will be told, not only of those that no earlier rule decides.
    """
    years = None if policy.date_margin_years == "off" else policy.date_margin_years
    con.execute(
        """
        CREATE TEMP TABLE policy AS SELECT
            $in_sample AS in_sample_goes_on, $zero AS zero_covers, $accepts AS accepts_in, $near AS near_only,
            $years::INTEGER AS margin_years, $skipped AS n_skipped, $tells AS tells_coverage
        """,
        {
            "in_sample": policy.in_sample_only == "novel",
            "zero": policy.checked_zero_subject == "covered",
            "accepts": policy.in_edge_coverage == "accept",
            "near": policy.gate_scope == "neighbourhood",
            "years": years,
            "skipped": n_skipped,
            "tells": tells_coverage,
        },
    )
    abouts = [about_of(candidate) for candidate in candidates]
    dates, lists = [c.publication_date for c in candidates], [c.checked for c in candidates]
    # One comprehension a column: a batch may hold a hundred thousand candidates. Keys stand in the order in which they
    # name a subject.
    tables: dict[str, dict[str, tuple[str, list[Any]]]] = {
        "candidate": {
            "candidate_no": ("INTEGER", list(range(len(candidates)))),
            "kind": ("VARCHAR", [c.kind for c in candidates]),
            "leave_out": ("BOOLEAN", [c.leave_out for c in candidates]),
            "statement_key": ("VARCHAR", [c.statement_key for c in candidates]),
            "claim_id": ("VARCHAR", [c.claim_id for c in candidates]),
            "about_lom_id": ("VARCHAR", abouts),
            "about_resolved": (
                "BOOLEAN",
                [a is not None and not a.startswith(_NEEDS_LOOKUP) for a in abouts],
            ),
            "holdout_given": ("BOOLEAN", [c.seen is not None for c in candidates]),
            "date_from": ("DATE", [d and d + _FIRST_DAY[len(d) :] for d in dates]),
            "stated_ok": ("BOOLEAN", [stated and stated.status == "ok" for stated in lists]),
            "stated_n_refs": ("BIGINT", [stated and stated.n_refs for stated in lists]),
        },
        "candidate_key": {
            "candidate_no": ("INTEGER", [no for no, c in enumerate(candidates) for _ in c.keys]),
            "key_order": ("INTEGER", [place for c in candidates for place in range(len(c.keys))]),
            "lom_id": ("VARCHAR", [key for c in candidates for key in c.keys]),
            "needs_lookup": (
                "BOOLEAN",
                [not c.resolved and key.startswith(_NEEDS_LOOKUP) for c in candidates for key in c.keys],
            ),
        },
    }
    for table, columns in tables.items():
        fill(con, table, columns)
    _fill_lists(con, "candidate_reference", [c.references or () for c in candidates])
    _fill_lists(con, "candidate_seen", [c.seen or () for c in candidates])


def _fill_lists(con: duckdb.DuckDBPyConnection, name: str, lists: Sequence[Sequence[str]]) -> None:
    """Make a table of candidate_no and lom_id, one row an id; each list holds an id once."""
    if sum(map(len, lists)) <= SMALL:
        pairs = [(no, lom_id) for no, ids in enumerate(lists) for lom_id in ids]
        numbers, lom_ids = [no for no, _ in pairs], [lom_id for _, lom_id in pairs]
        fill(con, name, {"candidate_no": ("INTEGER", numbers), "lom_id": ("VARCHAR", lom_ids)})
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    learn_arrow()
    nested = pa.array(lists, pa.large_list(pa.large_string()))
    numbers_of = pc.list_parent_indices(nested).cast(pa.int32())
    table = pa.table({"candidate_no": numbers_of, "lom_id": nested.flatten()})
    # Read where it lies; in pieces, so that several threads do.
    con.register(name, pa.Table.from_batches(table.to_batches(max_chunksize=_PIECE)))


def fill(con: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, tuple[str, list[Any]]]) -> None:
    """Make a temporary table; small ones travel as parameters, large ones as Arrow."""
    size = len(next(iter(columns.values()))[1])
    if size <= SMALL:
        listed = ", ".join(
            f"unnest(${column}::{kind}[]) AS {column}" for column, (kind, _) in columns.items()
        )
        con.execute(
            f"CREATE TEMP TABLE {name} AS SELECT {listed}",
            {column: values for column, (_, values) in columns.items()},
        )
        return
    import pyarrow as pa

    learn_arrow()
    kinds = {
        "INTEGER": pa.int32(),
        "VARCHAR": pa.string(),
        "BOOLEAN": pa.bool_(),
        "BIGINT": pa.int64(),
        "DATE": pa.string(),
    }
    con.register(
        "incoming", pa.table({c: pa.array(values, kinds[kind]) for c, (kind, values) in columns.items()})
    )
    listed = ", ".join(f"{column}::{kind} AS {column}" for column, (kind, _) in columns.items())
    con.execute(f"CREATE TEMP TABLE {name} AS SELECT {listed} FROM incoming")  # noqa: S608 - our own names
    con.unregister("incoming")


def about_of(candidate: Candidate) -> str | None:
    """What a claim is about; a paper is about nothing."""
    return candidate.about_lom_id if candidate.kind == "claim" else None
