"""Rules about uncited assertions (U), drifts (D) and violated constraints (CV).

Keys that are no texts are left to the schema, except where a rule asks for a text that resolves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.index import PassportIndex, Row
from novelty_kit.passport.invariants.manifest import claim_digits, constraint_digits, is_manifest_constraint
from novelty_kit.passport.invariants.repeat import repeated_keys, repeats

__all__ = ["RULES", "SENTENCE", "dangling"]

# What makes two rows speak of the same sentence.
SENTENCE: Final = ("scoped_manifest_id", "section_path", "claim_text")


def dangling(tag: str, row: Row, key: str = "manifest_claim_id") -> Finding:
    """The finding that a row names a claim that does not exist."""
    return found(
        tag,
        row.place(key),
        f"claim {shown(row.get('manifest_claim_id'))} of manifest {shown(row.get('scoped_manifest_id'))} "
        "does not exist",
        "a claim of claim_intent_manifests",
    )


def _rule_version(tag: str, array: str, wanted: str, index: PassportIndex) -> Iterator[Finding]:
    for row in index.rows(array):
        if row.get("rule_version") != wanted:
            yield found(tag, row.place("rule_version"), f"found {shown(row.get('rule_version'))}", wanted)


def u_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The finding id of an uncited assertion occurs once."""
    yield from repeats("U-INV-1", index.rows("uncited_assertions"), "finding_id", "among uncited assertions")


def u_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """An uncited assertion names the words that gave it away."""
    for row in index.rows("uncited_assertions"):
        tokens = row.get("trigger_tokens")
        if not isinstance(tokens, list) or not tokens:
            yield found(
                "U-INV-2", row.place("trigger_tokens"), f"found {shown(tokens)}", "at least one token"
            )


def u_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """An uncited assertion carries the rule version D4-c-v1."""
    yield from _rule_version("U-INV-3", "uncited_assertions", "D4-c-v1", index)


def u_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """An uncited assertion names manifest and claim together, existing, or neither."""
    for row in index.rows("uncited_assertions"):
        manifest_id, claim_id = row.get("scoped_manifest_id"), row.get("manifest_claim_id")
        if (manifest_id is None) != (claim_id is None):
            yield found(
                "U-INV-4",
                row.path,
                f"scoped_manifest_id is {shown(manifest_id)}, manifest_claim_id {shown(claim_id)}",
                "both null, or both set",
            )
        elif manifest_id is not None and not index.has_claim(manifest_id, claim_id):
            yield dangling("U-INV-4", row)


def d_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The finding id of a drift occurs once."""
    yield from repeats("D-INV-1", index.rows("claim_drifts"), "finding_id", "among drifts")


def d_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """A claim meant and not made is named and exists; a claim made and not meant has a section instead."""
    for row in index.rows("claim_drifts"):
        manifest_id, claim_id = row.get("scoped_manifest_id"), row.get("manifest_claim_id")
        kind = row.get("drift_kind")
        if kind == "INTENDED_NOT_EMITTED" and not index.has_claim(manifest_id, claim_id):
            yield dangling("D-INV-2", row)
        if kind == "EMITTED_NOT_INTENDED":
            if manifest_id is not None or claim_id is not None:
                key = "manifest_claim_id" if claim_id is not None else "scoped_manifest_id"
                yield found("D-INV-2", row.at(key), "a claim that nobody meant names one", "null for both")
            if not row.get("section_path"):
                yield found("D-INV-2", row.place("section_path"), "no section is named", "the section")


def d_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """A drift carries the rule version D4-a-v1."""
    yield from _rule_version("D-INV-3", "claim_drifts", "D4-a-v1", index)


def d_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """A drifted claim is no uncited sentence, word for word."""
    sentences = {row.text("sentence_text") for row in index.rows("uncited_assertions")}
    for row in index.rows("claim_drifts"):
        text = row.text("claim_text")
        if text and text in sentences:
            yield found(
                "D-INV-4", row.at("claim_text"), "an uncited assertion has this text too", "one of the two"
            )


def cv_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The finding id of a violation occurs once."""
    yield from repeats("CV-INV-1", index.rows("constraint_violations"), "finding_id", "among violations")


def cv_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """A violated constraint exists in its manifest, and a claim's constraint is cited with that claim."""
    for row in index.rows("constraint_violations"):
        manifest_id, name = row.text("scoped_manifest_id"), row.text("violated_constraint_id")
        owners = index.constraint_owners.get(manifest_id or "", {}).get(name or "", ())
        if not owners:
            yield found(
                "CV-INV-2",
                row.place("violated_constraint_id"),
                f"constraint {shown(row.get('violated_constraint_id'))} of manifest "
                f"{shown(row.get('scoped_manifest_id'))} does not exist",
                "a constraint of that manifest",
            )
            continue
        claims = [owner.get("claim_id") for owner in owners if "claims" in owner.path]
        if len(claims) == len(owners) and row.get("manifest_claim_id") not in claims:
            yield found(
                "CV-INV-2",
                row.place("manifest_claim_id"),
                f"the constraint belongs to claim {shown(claims[0])}, the row names "
                f"{shown(row.get('manifest_claim_id'))}",
                "the claim that owns the constraint",
            )


def cv_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """A manifest's constraint is cited without a claim, a claim's constraint with the claim of its digits."""
    for row in index.rows("constraint_violations"):
        name, claim_id = row.text("violated_constraint_id"), row.get("manifest_claim_id")
        if is_manifest_constraint(name) and claim_id is not None:
            yield found(
                "CV-INV-3",
                row.at("manifest_claim_id"),
                f"found {shown(claim_id)} beside {shown(name)}",
                "null",
            )
        digits = constraint_digits(name)
        if digits is not None and claim_digits(row.text("manifest_claim_id")) != digits:
            yield found(
                "CV-INV-3",
                row.place("manifest_claim_id"),
                f"found {shown(claim_id)} beside {shown(name)}",
                f"C-{digits}",
            )


def cv_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """A sentence violates a constraint once."""
    yield from repeated_keys(
        "CV-INV-4", index.rows("constraint_violations"), (*SENTENCE, "violated_constraint_id")
    )


RULES: Final = (
    u_inv_1,
    u_inv_2,
    u_inv_3,
    u_inv_4,
    d_inv_1,
    d_inv_2,
    d_inv_3,
    d_inv_4,
    cv_inv_1,
    cv_inv_2,
    cv_inv_3,
    cv_inv_4,
)
