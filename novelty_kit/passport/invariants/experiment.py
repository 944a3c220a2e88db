"""Rules about experiments: EP-INV-1 to 5 (entries, plans, declaration), EA-INV-1 and 2 (rows)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.invariants.repeat import repeats
from novelty_kit.passport.moment import is_date_time

__all__ = ["RULES", "STATUSES"]

STATUSES: Final = ("experiments_declared", "no_experiments_declared", "legacy_unknown")

_DECLARATION: Final = "experiment_intake_declaration"


def ep_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """An experiment id occurs once in the passport."""
    rows = index.rows("experiment_provenance")
    yield from repeats("EP-INV-1", rows, "experiment_id", "in this passport", skip_empty=True)


def ep_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """Every planned experiment id of every claim names an entry of experiment_provenance.

    Catches an experiment renamed after intake, and a writer who ran ahead of intake. Whether the id names
    one entry or several is EP-INV-1's matter.
    """
    for claim in index.claims:
        planned = claim.row.get("planned_experiment_ids")
        for place, name in enumerate(planned if isinstance(planned, list) else ()):
            if isinstance(name, str) and name not in index.experiments:
                yield found(
                    "EP-INV-2",
                    claim.row.at("planned_experiment_ids", place),
                    f"the claim plans {shown(name)}, which is no experiment here",
                    "the experiment_id of an entry of experiment_provenance",
                )


def ep_inv_3(index: PassportIndex) -> Iterator[Finding]:
    """A claim that plans experiments is empirical; references beside them are fine.

    An empty list and a value that is no list count as present; null does not.
    """
    for claim in index.claims:
        kind = claim.row.get("intended_evidence_kind")
        if claim.row.get("planned_experiment_ids") is not None and kind != "empirical":
            yield found(
                "EP-INV-3",
                claim.row.at("planned_experiment_ids"),
                f"experiments are planned for a claim of kind {shown(kind)}",
                "intended_evidence_kind empirical, or no planned_experiment_ids",
            )


def ep_inv_4(index: PassportIndex) -> Iterator[Finding]:
    """Declared experiments are entered, and none are entered where none are declared."""
    declaration = index.body.get(_DECLARATION)
    status = declaration.get("status") if isinstance(declaration, dict) else None
    if status == "experiments_declared" and index.n_provenance == 0:
        yield found(
            "EP-INV-4",
            (_DECLARATION, "status"),
            "experiments are declared, but experiment_provenance holds none",
            "at least one entry",
        )
    if status == "no_experiments_declared" and index.n_provenance > 0:
        yield found(
            "EP-INV-4",
            ("experiment_provenance",),
            f"no experiments are declared, but experiment_provenance holds {index.n_provenance}",
            "no entry",
        )


def ep_inv_5(index: PassportIndex) -> Iterator[Finding]:
    """A declaration, when present, has a known status, the scholar as its author, and a date-time."""
    declaration = index.body.get(_DECLARATION)
    if declaration is None:
        return
    if not isinstance(declaration, dict):
        yield found("EP-INV-5", (_DECLARATION,), f"found {shown(declaration)}", "an object")
        return
    status = declaration.get("status")
    if not isinstance(status, str) or status not in STATUSES:
        yield _field("status", status, "one of " + ", ".join(STATUSES), declaration)
    author = declaration.get("declared_by")
    if author != "scholar":
        yield _field("declared_by", author, "scholar: no agent declares", declaration)
    moment = declaration.get("declared_at")
    if not isinstance(moment, str) or not is_date_time(moment):
        yield _field("declared_at", moment, "an RFC 3339 date-time", declaration)


def _field(key: str, value: object, expected: str, declaration: dict[str, object]) -> Finding:
    if key not in declaration:
        return found("EP-INV-5", (_DECLARATION,), f"{key} is missing", expected)
    return found("EP-INV-5", (_DECLARATION, key), f"found {key} {shown(value)}", expected)


def ea_inv_1(index: PassportIndex) -> Iterator[Finding]:
    """The finding id of an alignment row occurs once."""
    yield from repeats(
        "EA-INV-1", index.rows("experiment_alignment_results"), "finding_id", "among alignment rows"
    )


def ea_inv_2(index: PassportIndex) -> Iterator[Finding]:
    """An alignment row names a claim of a manifest and an experiment of this passport.

    The two are looked at apart: a pair that is not two texts is left to the schema, and the experiment is
    still looked up. The sentinel manifest id gets no exemption.
    """
    for row in index.rows("experiment_alignment_results"):
        manifest_id, claim_id = row.text("scoped_manifest_id"), row.text("claim_id")
        if manifest_id is not None and claim_id is not None and not index.has_claim(manifest_id, claim_id):
            yield found(
                "EA-INV-2",
                row.at("claim_id"),
                f"claim {shown(claim_id)} of manifest {shown(manifest_id)} does not exist",
                "a claim of claim_intent_manifests",
            )
        name = row.text("experiment_id")
        if name and name not in index.experiments:
            yield found(
                "EA-INV-2",
                row.at("experiment_id"),
                f"experiment {shown(name)} does not exist",
                "the experiment_id of an entry of experiment_provenance",
            )


RULES: Final = (ep_inv_1, ep_inv_2, ep_inv_3, ep_inv_4, ep_inv_5, ea_inv_1, ea_inv_2)
