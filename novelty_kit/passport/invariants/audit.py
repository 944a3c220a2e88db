"""Rules about audit runs: sampling summaries (S) and failures on uncited sentences (UAF).

S-INV-3 (a sampled audit is annotated) is the duty of whoever finishes the document and is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.invariants.citation_terms import FAULT_CLASSES
from novelty_kit.passport.invariants.repeat import repeated_keys, repeats
from novelty_kit.passport.invariants.sibling import SENTENCE, dangling

__all__ = ["RULES"]


def _whole(value: Any) -> int | None:
    """An integer, 3.0 included; None for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def s_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The audited count is the number of audited indices."""
    for row in index.rows("audit_sampling_summaries"):
        indices = row.get("audited_indices") or []
        if isinstance(indices, list) and row.get("audited_count") != len(indices):
            yield found(
                "S-INV-1",
                row.place("audited_count"),
                f"audited_count is {shown(row.get('audited_count'))} beside {len(indices)} indices",
                str(len(indices)),
            )


def s_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """The audited count exceeds neither the cap nor the total."""
    for row in index.rows("audit_sampling_summaries"):
        count = _whole(row.get("audited_count"))
        for key in ("max_claims_per_paper", "total_citation_count"):
            bound = _whole(row.get(key))
            if count is not None and bound is not None and count > bound:
                yield found(
                    "S-INV-2", row.at("audited_count"), f"found {count}", f"at most {bound}, the {key}"
                )


def s_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """The audited indices ascend, none twice."""
    for row in index.rows("audit_sampling_summaries"):
        indices = row.get("audited_indices")
        numbers = [_whole(value) for value in indices] if isinstance(indices, list) else []
        for place in range(1, len(numbers)):
            before, after = numbers[place - 1], numbers[place]
            if before is not None and after is not None and after <= before:
                yield found(
                    "S-INV-4",
                    row.at("audited_indices", place),
                    f"{after} follows {before}",
                    "ascending indices",
                )
                break


def uaf_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The finding id of an audit failure occurs once."""
    yield from repeats(
        "UAF-INV-1", index.rows("uncited_audit_failures"), "finding_id", "among audit failures"
    )


def uaf_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """An audit failure names a manifest that exists."""
    for row in index.rows("uncited_audit_failures"):
        if row.text("scoped_manifest_id") not in index.claim_ids:
            yield found(
                "UAF-INV-2",
                row.place("scoped_manifest_id"),
                f"manifest {shown(row.get('scoped_manifest_id'))} does not exist",
                "the manifest_id of a claim manifest",
            )


def uaf_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """A claim named by an audit failure exists in its manifest; it does not where the manifest does not."""
    for row in index.rows("uncited_audit_failures"):
        claim_id = row.text("manifest_claim_id")
        if claim_id is not None and not index.has_claim(row.get("scoped_manifest_id"), claim_id):
            yield dangling("UAF-INV-3", row)


def uaf_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """A sentence fails once in a manifest."""
    yield from repeated_keys("UAF-INV-4", index.rows("uncited_audit_failures"), SENTENCE)


def uaf_inv_5(index: PassportIndex) -> Iterator[Finding]:
    """The rationale of an audit failure starts with the row's own fault class and a colon."""
    for row in index.rows("uncited_audit_failures"):
        fault, rationale = row.text("fault_class"), row.get("rationale") or ""
        if fault in FAULT_CLASSES and isinstance(rationale, str) and not rationale.startswith(f"{fault}:"):
            yield found(
                "UAF-INV-5",
                row.place("rationale"),
                f"found {shown(rationale)}",
                f"a text that starts with {fault}:",
            )


def uaf_inv_6(index: PassportIndex) -> Iterator[Finding]:
    """A sentence that could not be judged is no violation as well."""
    judged = {tuple(row.text(key) or "" for key in SENTENCE) for row in index.rows("constraint_violations")}
    for row in index.rows("uncited_audit_failures"):
        if tuple(row.text(key) or "" for key in SENTENCE) in judged:
            yield found(
                "UAF-INV-6",
                row.path,
                "the same sentence stands among constraint_violations",
                "one of the two",
            )


RULES: Final = (
    s_inv_1,
    s_inv_2,
    s_inv_4,
    uaf_inv_1,
    uaf_inv_2,
    uaf_inv_3,
    uaf_inv_4,
    uaf_inv_5,
    uaf_inv_6,
)
