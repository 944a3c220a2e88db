"""The citation rows at the gate: each row is clean, a note, or a failure.

Reads the index. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novelty_kit.passport.finding import shown
from novelty_kit.passport.index import PassportIndex, Row
from novelty_kit.passport.invariants import citation
from novelty_kit.passport.invariants.citation import inv_15
from novelty_kit.passport.invariants.citation_terms import SENTINEL_MANIFEST_ID
from novelty_kit.passport.seen import Pair, Seen, fail, note

__all__ = ["citation_pair", "citation_reasons"]


def citation_pair(row: Row) -> Pair | None:
    """The claim that a citation row is about; None where it is not two texts."""
    manifest_id, claim_id = row.text("scoped_manifest_id"), row.text("claim_id")
    return (manifest_id, claim_id) if manifest_id and claim_id else None


def citation_reasons(index: PassportIndex, rows: Sequence[Row]) -> Iterator[Seen]:
    """What the citation rows in scope say: nothing for a clean row.

    A row that breaks an invariant contradicts itself and cannot be classed: it fails. So does a row about a
    claim that does not exist, the sentinel manifest aside.
    """
    for row in rows:
        pair = citation_pair(row)
        pairs = (pair,) if pair is not None else ()
        what = f"{shown(row.get('ref_slug'))} for claim {shown(row.get('claim_id'))}"
        if pair is not None and pair[0] != SENTINEL_MANIFEST_ID and any(inv_15(row, index)):
            message = (
                f"the row is about claim {shown(pair[1])} of manifest {shown(pair[0])}, which does not exist"
            )
            yield fail("citation", "CITATION-DANGLING", row.path, message)
        broken = [rule for rule in citation.RULES if rule is not inv_15 and any(rule(row, index))]
        judgment, method = row.get("judgment"), row.get("ref_retrieval_method")
        more = {"pairs": pairs, "way": "citation"}
        if judgment == "UNSUPPORTED" or method == "not_found" or row.get("anchor_kind") == "none":
            why = {"not_found": "the cited work was not found"}.get(
                str(method), f"{judgment}, {row.get('defect_stage')}"
            )
            why = "it has no anchor" if row.get("anchor_kind") == "none" else why
            yield fail("citation", "CITATION", row.path, f"{what}: {why}", **more)
        elif broken:
            names = ", ".join(rule.__name__.replace("_", "-").upper() for rule in broken)
            yield fail(
                "citation", "CITATION-INCONSISTENT", row.path, f"{what}: the row breaks {names}", **more
            )
        elif judgment == "AMBIGUOUS":
            yield note(
                "citation", "CITATION-AMBIGUOUS", row.path, f"{what}: the support is ambiguous", **more
            )
        elif method == "failed":
            yield note("citation", "CITATION-UNREACHABLE", row.path, f"{what}: could not be fetched", **more)
        elif method == "audit_tool_failure":
            yield note(
                "citation", "CITATION-TOOL-FAILURE", row.path, f"{what}: the audit's tool failed", **more
            )
