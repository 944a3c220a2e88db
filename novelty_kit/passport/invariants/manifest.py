"""Rules about claim manifests: M-INV-1 to M-INV-4, and INV-17, which reads the constraint ids in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.invariants.repeat import repeats

__all__ = ["RULES", "claim_digits", "constraint_digits", "is_manifest_constraint"]

_CLAIM_ID = re.compile(r"C-([0-9]{3,})")
_CLAIM_CONSTRAINT = re.compile(r"NC-C([0-9]{3,})-[0-9]+")
_MANIFEST_CONSTRAINT = re.compile(r"MNC-[0-9]+")
_HYPHENATED = re.compile(r"NC-C-[0-9]+-[0-9]+")


def claim_digits(claim_id: str | None) -> str | None:
    """The digits of a claim id, as text; None where it is no claim id."""
    match = _CLAIM_ID.fullmatch(claim_id or "")
    return match[1] if match else None


def constraint_digits(constraint_id: str | None) -> str | None:
    """The claim's digits in a claim-level constraint id; None where it is none."""
    match = _CLAIM_CONSTRAINT.fullmatch(constraint_id or "")
    return match[1] if match else None


def is_manifest_constraint(constraint_id: str | None) -> bool:
    """Whether an id is that of a manifest-level constraint."""
    return _MANIFEST_CONSTRAINT.fullmatch(constraint_id or "") is not None


def m_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """A claim id occurs once inside its manifest."""
    for manifest in index.rows("claim_intent_manifests"):
        yield from repeats("M-INV-1", manifest.within("claims"), "claim_id", "in this manifest")


def m_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """A claim-level constraint NC-C{n}-{m} sits under the claim C-{n}, the digits equal as text."""
    for claim in index.claims:
        digits = claim_digits(claim.claim_id)
        for constraint in claim.row.within("negative_constraints"):
            named = constraint_digits(constraint.text("constraint_id"))
            if named is not None and named != digits:
                yield found(
                    "M-INV-2",
                    constraint.at("constraint_id"),
                    f"{shown(constraint.get('constraint_id'))} stands under {shown(claim.claim_id)}",
                    "the digits of the claim it sits under",
                )


def m_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """A claim carries no manifest-level constraint id."""
    for claim in index.claims:
        for constraint in claim.row.within("negative_constraints"):
            if is_manifest_constraint(constraint.text("constraint_id")):
                yield found(
                    "M-INV-3",
                    constraint.at("constraint_id"),
                    f"found {shown(constraint.get('constraint_id'))} inside a claim",
                    "an NC- id; MNC- ids belong to manifest_negative_constraints",
                )


def m_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """A manifest id occurs once in the passport."""
    yield from repeats("M-INV-4", index.rows("claim_intent_manifests"), "manifest_id", "in this passport")


def inv_17(index: PassportIndex) -> Iterator[Finding]:
    """A claim-level constraint id has no hyphen between C and its digits."""
    for claim in index.claims:
        for constraint in claim.row.within("negative_constraints"):
            if _HYPHENATED.fullmatch(constraint.text("constraint_id") or ""):
                yield found(
                    "INV-17",
                    constraint.at("constraint_id"),
                    f"found {shown(constraint.get('constraint_id'))}",
                    "NC-C001-1, not NC-C-001-1",
                )


RULES: Final = (m_inv_1, m_inv_2, m_inv_3, m_inv_4, inv_17)
