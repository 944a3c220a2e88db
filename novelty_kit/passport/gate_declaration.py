"""The gate's first test, once and never sampled: the intake declaration, and what contradicts it.

Also says where the passport cannot be read at all: what the gate cannot see it does not pass. No network.
No clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.index import PassportIndex, Row
from novelty_kit.passport.invariants.experiment import ep_inv_4, ep_inv_5
from novelty_kit.passport.lock import DECLARATION_REQUIRED_SINCE, is_proven_legacy
from novelty_kit.passport.prose import Manuscript, own_outcomes
from novelty_kit.passport.seen import Seen, fail, note
from novelty_kit.passport.verdict import Verdict

__all__ = ["declaration_test", "structure_test"]

_DECLARATION: Final[Path] = ("experiment_intake_declaration",)
_SINCE: Final = ".".join(map(str, DECLARATION_REQUIRED_SINCE))
_READ_ARRAYS: Final = ("claim_intent_manifests", "experiment_alignment_results", "claim_audit_results")


def declaration_test(index: PassportIndex, draft: Manuscript | None) -> Iterator[Seen]:
    """The four conditions, the legacy boundary, and the shape of the declaration.

    A passport whose own lock proves a suite older than the declarations may lack one; without provenance it
    then gets a note, unless it declares, which it is held to.
    """
    declaration = index.body.get("experiment_intake_declaration")
    legacy = is_proven_legacy(index.body)
    if declaration is None:
        if not legacy:
            message = f"no intake declaration, and nothing proves a suite older than {_SINCE}"
            yield fail("declaration", "D7-1", (), message)
        elif index.n_provenance == 0:
            yield _legacy_note()
        return
    for finding in ep_inv_5(index):
        message = f"the declaration is malformed: {finding.message}; expected {finding.expected}"
        yield fail("declaration", "EP-INV-5", finding.at, message)
    status = declaration.get("status") if isinstance(declaration, dict) else None
    if status == "legacy_unknown":
        if not legacy:
            message = f"legacy_unknown, but nothing proves a suite older than {_SINCE}"
            yield fail("declaration", "D7-LEGACY-UNKNOWN", (*_DECLARATION, "status"), message)
        elif index.n_provenance == 0:
            yield _legacy_note()
    for finding in ep_inv_4(index):
        code = "D7-2" if status == "experiments_declared" else "D7-3"
        yield fail("declaration", code, finding.at, finding.message)
    if status == "no_experiments_declared":
        yield from _contradictions(index, draft)


def _legacy_note() -> Seen:
    message = (
        f"the lock proves a suite older than {_SINCE}: no declaration and no provenance were asked for then"
    )
    return note("legacy", "LEGACY-NO-PROVENANCE", ("repro_lock",), message)


def _contradictions(index: PassportIndex, draft: Manuscript | None) -> Iterator[Seen]:
    for claim in index.claims:
        planned = claim.row.get("planned_experiment_ids")
        if planned is not None and claim.row.get("intended_evidence_kind") == "empirical":
            path = claim.row.at("planned_experiment_ids")
            yield fail(
                "declaration", "D7-4", path, "no experiments are declared, but an empirical claim plans some"
            )
    for sentence in own_outcomes(draft) if draft is not None else ():
        yield fail(
            "declaration",
            "D7-4",
            (*_DECLARATION, "status"),
            f"heuristic: no experiments are declared, but the manuscript tells an outcome without a citation "
            f"marker on line {sentence.line}: {shown(sentence.text)}",
            line=sentence.line,
            heuristic=True,
            in_manuscript=True,
        )


def structure_test(index: PassportIndex) -> Iterator[Seen]:
    """Whatever keeps the gate from seeing a claim, a row or an entry; nothing here is sampled."""
    for array in (*_READ_ARRAYS, "experiment_provenance"):
        value = index.body.get(array)
        if value is not None and not isinstance(value, list):
            yield _unreadable((array,), f"{array} is {shown(value)}")
    for array in _READ_ARRAYS:
        yield from _no_objects(index.body.get(array), (array,))
    for manifest in index.rows("claim_intent_manifests"):
        yield from _texts(manifest, "manifest_id")
        if not isinstance(manifest.get("claims"), list):
            yield _unreadable(manifest.path, f"claims is {shown(manifest.get('claims'))}")
        yield from _no_objects(manifest.get("claims"), manifest.at("claims"))
    for claim in index.claims:
        yield from _texts(claim.row, "claim_id")
        planned = claim.row.get("planned_experiment_ids")
        if planned is not None and (not isinstance(planned, list) or len(claim.plan) < len(planned)):
            yield _unreadable(claim.row.at("planned_experiment_ids"), "the plan is no list of texts")
    if not index.claims:
        yield fail("structure", "NOTHING-CHECKED", (), "the passport holds no claim: nothing was checked")
    for row in index.rows("experiment_alignment_results"):
        yield from _texts(row, "scoped_manifest_id", "claim_id", "experiment_id")
        if row.text("alignment_verdict") not in tuple(Verdict):
            yield _unreadable(row.path, f"alignment_verdict is {shown(row.get('alignment_verdict'))}")
        yield from _dangling(row, index, "1", "CHECK-1")
    for row in index.rows("claim_audit_results"):
        yield from _texts(row, "scoped_manifest_id", "claim_id")


def _dangling(row: Row, index: PassportIndex, check: str, code: str) -> Iterator[Seen]:
    manifest_id, claim_id = row.text("scoped_manifest_id"), row.text("claim_id")
    if manifest_id is not None and claim_id is not None and not index.has_claim(manifest_id, claim_id):
        message = (
            f"the row is about claim {shown(claim_id)} of manifest {shown(manifest_id)}, which does not exist"
        )
        yield fail(check, code, row.at("claim_id"), message)


def _unreadable(path: Path, message: str) -> Seen:
    return fail("structure", "UNREADABLE", path, f"the gate cannot read this: {message}")


def _no_objects(value: Any, path: Path) -> Iterator[Seen]:
    for place, member in enumerate(value if isinstance(value, list) else ()):
        if not isinstance(member, dict):
            yield _unreadable((*path, place), f"found {shown(member)}, not an object")


def _texts(row: Row, *keys: str) -> Iterator[Seen]:
    for key in keys:
        if not row.text(key):
            yield _unreadable(row.path, f"{key} is {shown(row.get(key))}")
