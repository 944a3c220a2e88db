"""Rules about citation rows: INV-1 to INV-16, INV-18, INV-19 and the matrix, each on one row at a time.

In these rows a missing key reads as null. Values of the wrong type break the rule that compares them (and
the schema), never the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.index import PassportIndex, Row
from novelty_kit.passport.invariants.citation_terms import (
    ALLOWED,
    AMBIGUOUS_STAGES,
    ANCHORLESS_RATIONALE,
    CONSTRAINT_STAGE,
    FAULT_CLASSES,
    NOT_FOUND,
    NOT_JUDGED,
    SENTINEL_MANIFEST_ID,
    UNSUPPORTED_STAGES,
)

__all__ = ["RULES"]


def _triple(row: Row) -> tuple[Any, Any, Any]:
    return row.get("judgment"), row.get("audit_status"), row.get("defect_stage")


def _words(member: Any) -> str:
    return "null" if member is None else str(member)


def _must(tag: str, row: Row, key: str, allowed: tuple[Any, ...], why: str) -> Iterator[Finding]:
    """A finding when the value of `key` is none of `allowed` (texts and null)."""
    value = row.get(key)
    if (value is None or isinstance(value, str)) and value in allowed:
        return
    yield found(
        tag,
        row.place(key),
        f"{key} is {shown(value)} {why}",
        "one of " + ", ".join(map(_words, allowed)) if len(allowed) > 1 else _words(allowed[0]),
    )


def _must_be(tag: str, row: Row, triple: tuple[str, str, str], why: str) -> Iterator[Finding]:
    for key, value in zip(("judgment", "audit_status", "defect_stage"), triple, strict=True):
        yield from _must(tag, row, key, (value,), why)


def inv_1(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A SUPPORTED row is completed, without defect stage and without violated constraint."""
    if row.get("judgment") == "SUPPORTED":
        why = "in a SUPPORTED row"
        yield from _must("INV-1", row, "defect_stage", (None,), why)
        yield from _must("INV-1", row, "violated_constraint_id", (None, ""), why)
        yield from _must("INV-1", row, "audit_status", ("completed",), why)


def inv_2(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """An UNSUPPORTED row is completed and says at which stage the defect arose."""
    if row.get("judgment") == "UNSUPPORTED":
        why = "in an UNSUPPORTED row"
        yield from _must("INV-2", row, "defect_stage", UNSUPPORTED_STAGES, why)
        yield from _must("INV-2", row, "audit_status", ("completed",), why)


def inv_3(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """An AMBIGUOUS row is completed, its stage null or one that ambiguity can have."""
    if row.get("judgment") == "AMBIGUOUS":
        why = "in an AMBIGUOUS row"
        yield from _must("INV-3", row, "defect_stage", AMBIGUOUS_STAGES, why)
        yield from _must("INV-3", row, "audit_status", ("completed",), why)


def inv_4(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A failed retrieval that stays inconclusive has the stage not_applicable."""
    if _triple(row)[:2] == ("RETRIEVAL_FAILED", "inconclusive"):
        yield from _must("INV-4", row, "defect_stage", ("not_applicable",), "after an inconclusive retrieval")


def inv_5(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A failed retrieval that is completed has the stage retrieval_existence."""
    if _triple(row)[:2] == ("RETRIEVAL_FAILED", "completed"):
        yield from _must(
            "INV-5", row, "defect_stage", ("retrieval_existence",), "after a completed retrieval"
        )


def inv_6(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row without anchor was not attempted: inconclusive, no anchor value, the fixed rationale."""
    if row.get("anchor_kind") != "none":
        return
    why = "in a row without anchor"
    yield from _must_be("INV-6", row, NOT_JUDGED, why)
    yield from _must("INV-6", row, "ref_retrieval_method", ("not_attempted",), why)
    yield from _must("INV-6", row, "anchor_value", ("",), why)
    if not (row.text("rationale") or "").startswith(ANCHORLESS_RATIONALE):
        yield found(
            "INV-6",
            row.at("rationale"),
            f"rationale is {shown(row.get('rationale'))} {why}",
            f"a text that starts with {shown(ANCHORLESS_RATIONALE)}",
        )


def inv_7(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row at the stage negative_constraint_violation names the constraint."""
    if row.get("defect_stage") == CONSTRAINT_STAGE and row.get("violated_constraint_id") in (None, ""):
        yield found(
            "INV-7",
            row.place("violated_constraint_id"),
            "the row says that a constraint is violated and names none",
            "the id of the constraint",
        )


def inv_8(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row at the stage negative_constraint_violation is UNSUPPORTED."""
    if row.get("defect_stage") == CONSTRAINT_STAGE:
        yield from _must("INV-8", row, "judgment", ("UNSUPPORTED",), "where a constraint is violated")


def inv_9(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A disputed row has a defect to dispute."""
    if row.get("upstream_dispute") and row.get("defect_stage") in (None, "not_applicable"):
        yield found(
            "INV-9",
            row.at("upstream_dispute"),
            f"a dispute stands beside defect_stage {shown(row.get('defect_stage'))}",
            "a defect stage other than null and not_applicable, or no dispute",
        )


def inv_10(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A retrieval that failed leaves the row unjudged."""
    if row.get("ref_retrieval_method") == "failed":
        yield from _must_be("INV-10", row, NOT_JUDGED, "where retrieval failed")


def inv_11(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """Retrieval is not attempted exactly where the row has no anchor."""
    method, kind = row.get("ref_retrieval_method"), row.get("anchor_kind")
    if (method == "not_attempted") != (kind == "none"):
        yield found(
            "INV-11",
            row.place("ref_retrieval_method"),
            f"ref_retrieval_method is {shown(method)} with anchor_kind {shown(kind)}",
            "not_attempted together with none, or neither",
        )


def inv_12(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A work is not found exactly where retrieval failed, completed, at retrieval_existence."""
    method = row.get("ref_retrieval_method")
    if (method == "not_found") != (_triple(row) == NOT_FOUND):
        yield found(
            "INV-12",
            row.place("ref_retrieval_method"),
            f"ref_retrieval_method is {shown(method)} with {', '.join(map(shown, _triple(row)))}",
            f"not_found together with {', '.join(NOT_FOUND)}, or neither",
        )


def inv_13(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A metadata defect is UNSUPPORTED, completed, and seen in a work that was fetched."""
    if row.get("defect_stage") == "metadata":
        why = "beside a metadata defect"
        yield from _must("INV-13", row, "judgment", ("UNSUPPORTED",), why)
        yield from _must("INV-13", row, "audit_status", ("completed",), why)
        yield from _must("INV-13", row, "ref_retrieval_method", ("api", "manual_pdf"), why)


def inv_14(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row whose tool failed is unjudged and its rationale starts with the class of the fault."""
    if row.get("ref_retrieval_method") != "audit_tool_failure":
        return
    why = "where the tool failed"
    yield from _must_be("INV-14", row, NOT_JUDGED, why)
    if not (row.text("rationale") or "").startswith(tuple(f"{tag}:" for tag in FAULT_CLASSES)):
        yield found(
            "INV-14",
            row.at("rationale"),
            f"rationale is {shown(row.get('rationale'))} {why}",
            "a text that starts with a fault class and a colon: " + ", ".join(FAULT_CLASSES),
        )


def inv_15(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row names a claim of a manifest, or the sentinel manifest with any claim."""
    manifest_id, claim_id = row.get("scoped_manifest_id"), row.get("claim_id")
    if manifest_id != SENTINEL_MANIFEST_ID and not index.has_claim(manifest_id, claim_id):
        yield found(
            "INV-15",
            row.place("claim_id"),
            f"claim {shown(claim_id)} of manifest {shown(manifest_id)} does not exist",
            f"a claim of claim_intent_manifests, or the manifest {SENTINEL_MANIFEST_ID}",
        )


def inv_16(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A row with an anchor says where: the value is not blank once percent-decoded."""
    if row.get("anchor_kind") in (None, "none"):
        return
    value = row.text("anchor_value")
    if value is None or not unquote(value).strip():
        yield found(
            "INV-16",
            row.place("anchor_value"),
            f"anchor_value is {shown(row.get('anchor_value'))}",
            "a text that is not blank once percent-decoded",
        )


def inv_18(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """An unjudged row says which kind of retrieval left it so."""
    if _triple(row) == NOT_JUDGED:
        allowed = ("not_attempted", "failed", "audit_tool_failure")
        yield from _must("INV-18", row, "ref_retrieval_method", allowed, "in an unjudged row")


def inv_19(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """A breakdown belongs to an UNSUPPORTED source_description and holds both kinds of verdict."""
    if "sub_claim_breakdown" not in row.value:
        return
    why = "beside a sub_claim_breakdown"
    yield from _must("INV-19", row, "judgment", ("UNSUPPORTED",), why)
    yield from _must("INV-19", row, "defect_stage", ("source_description",), why)
    parts, path = row.get("sub_claim_breakdown"), row.at("sub_claim_breakdown")
    if not isinstance(parts, list) or len(parts) < 2:
        yield found("INV-19", path, f"found {shown(parts)}", "an array of two parts or more")
        return
    verdicts = [part.get("sub_verdict") for part in row.within("sub_claim_breakdown")]
    if "SUPPORTED" not in verdicts:
        yield found("INV-19", path, "no part is SUPPORTED", "at least one")
    if "UNSUPPORTED" not in verdicts and "AMBIGUOUS" not in verdicts:
        yield found("INV-19", path, "no part is UNSUPPORTED or AMBIGUOUS", "at least one")


def matrix(row: Row, index: PassportIndex) -> Iterator[Finding]:
    """Judgment, status and stage stand together only as the table of allowed triples has them."""
    triple = _triple(row)
    if triple not in ALLOWED:
        yield found(
            "matrix",
            row.place("judgment"),
            f"found {', '.join(map(shown, triple))} together",
            "a triple of judgment, audit_status and defect_stage that the table allows",
        )


RULES: Final = (
    inv_1,
    inv_2,
    inv_3,
    inv_4,
    inv_5,
    inv_6,
    inv_7,
    inv_8,
    inv_9,
    inv_10,
    inv_11,
    inv_12,
    inv_13,
    inv_14,
    inv_15,
    inv_16,
    inv_18,
    inv_19,
    matrix,
)
