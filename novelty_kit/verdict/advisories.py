"""What a person should know beside the verdict; an advisory never changes one (novelty reference, section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from novelty_kit.verdict.candidate import Candidate

__all__ = ["advise"]


def advise(
    con: duckdb.DuckDBPyConnection,
    candidates: Sequence[Candidate],
    facts: Mapping[int, Mapping[str, Any]],
    stubs: Mapping[int, Sequence[str]],
    seen_self: Mapping[int, Sequence[str]],
    matches: Mapping[int, Sequence[tuple[str, str]]],
) -> dict[int, list[dict[str, Any]]]:
    """Advisories by candidate number, each with ``code``, ``lom_id`` and ``reason``, in a fixed order."""
    lacking = _schemes_lacking(con) if any(stubs.values()) else {}
    found = {}
    for no, candidate in enumerate(candidates):
        fact = facts[no]
        advice = []
        matched = sorted({paper for paper, _ in matches.get(no, ())})
        if len(matched) > 1:
            reason = f"the keys match {len(matched)} ingested papers ({', '.join(matched)}); these may be one work"
            advice.append({"code": "several_matches", "lom_id": fact["lom_id"], "reason": reason})
        if fact["n_refs"] is not None and fact["n_edges_out"] < fact["n_refs"]:
            reason = f"{fact['n_edges_out']} references are known of the {fact['n_refs']} that its list states"
            advice.append({"code": "incomplete_list", "lom_id": fact["lom_id"], "reason": reason})
        n_stubs = len(stubs.get(no, ()))
        n_open = sum(lacking.get(stub.partition(":")[0], False) for stub in stubs.get(no, ()))
        if n_open:
            reason = f"{n_open} of {n_stubs} stub neighbours could be ingested papers known only under other schemes"
            advice.append({"code": "unresolved_neighbours", "lom_id": fact["lom_id"], "reason": reason})
        for held in seen_self.get(no, ()):
            reason = "this held-out id names the candidate itself and changes nothing"
            advice.append({"code": "holdout_is_subject", "lom_id": held, "reason": reason})
        found[no] = advice
    return found


def _schemes_lacking(con: duckdb.DuckDBPyConnection) -> dict[str, bool]:
    """For each scheme, whether some ingested paper has no id of it."""
    row = con.execute(
        """
        SELECT
            bool_or(paper.arxiv_no IS NULL AND NOT starts_with(own.lom_id, 'arxiv:')),
            bool_or(paper.doi_no IS NULL AND NOT starts_with(own.lom_id, 'doi:')),
            bool_or(paper.openalex_no IS NULL AND NOT starts_with(own.lom_id, 'openalex:')),
            bool_or(paper.pmid_no IS NULL AND NOT starts_with(own.lom_id, 'pmid:')),
            bool_or(paper.s2_no IS NULL AND NOT starts_with(own.lom_id, 's2:'))
        FROM paper_now AS paper
        INNER JOIN identifier AS own ON own.id_no = paper.id_no
        """
    ).fetchone()
    values = row or (False,) * 5
    return {scheme: bool(value) for scheme, value in zip(("arxiv", "doi", "openalex", "pmid", "s2"), values, strict=True)}
