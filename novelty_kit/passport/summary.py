"""The passport part of a report: one JSON-able record that a template renders and a notebook shows.

Rows are plain values in document order; every text is as the passport has it, so whoever renders them
escapes them. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

from novelty_kit.output import shorten
from novelty_kit.passport.gate_citation import citation_pair
from novelty_kit.passport.outcome import GateResult
from novelty_kit.passport.prose import Manuscript, surfaced_at
from novelty_kit.passport.record import Passport

__all__ = ["MAX_LISTED", "disclosure_rows", "matrix_rows", "summary", "unit_rows"]

# Findings, reasons and rows that a page lists; the record says how many there are.
MAX_LISTED: Final = 200


def summary(passport: Passport, gate: GateResult, manuscript: Manuscript | None = None) -> dict[str, Any]:
    """What a report says of a passport.

    Parameters
    ----------
    passport : Passport
    gate : GateResult
        Of the same passport.
    manuscript : Manuscript, optional
        Then each disclosure says on which line the draft seems to show it.

    Returns
    -------
    dict
        ``file``, ``passport_hash``, ``declaration`` (None where there is none), ``counts``, ``findings``
        (``n``, ``by_tag``, ``listed``), ``gate`` (``outcome``, ``stage``, ``n_reasons``, ``reasons``,
        ``boundary``, ``histogram``), ``claims``, ``planned_units`` and ``disclosures``; each list holds at
        most :data:`MAX_LISTED` rows, ``counts`` the whole numbers.
    """
    index, findings = passport.index, passport.check()
    claims, units = matrix_rows(passport, gate), unit_rows(passport)
    disclosures = disclosure_rows(passport, manuscript)
    declaration = index.body.get("experiment_intake_declaration")
    reasons = [reason.to_dict() for reason in gate.reasons]
    reasons.sort(key=lambda reason: ("fail", "note", "info").index(reason["severity"]))
    return {
        "file": Path(passport.name).name,
        "passport_hash": passport.passport_hash,
        "declaration": _declared(declaration),
        "counts": {
            "experiments": len(index.rows("experiment_provenance")),
            "claims": len(claims),
            "planned_units": len(units),
            "disclosures": len(disclosures),
            "citation_rows": len(index.rows("claim_audit_results")),
            "alignment_rows": len(index.rows("experiment_alignment_results")),
        },
        "findings": {
            "n": len(findings),
            "by_tag": dict(sorted(Counter(finding.tag for finding in findings).items())),
            "listed": [finding.to_dict() for finding in findings[:MAX_LISTED]],
        },
        "gate": {
            "outcome": gate.outcome.value,
            "stage": gate.stage,
            "n_reasons": len(reasons),
            "reasons": reasons[:MAX_LISTED],
            "histogram": dict(gate.histogram),
            "boundary": gate.boundary,
        },
        "claims": claims[:MAX_LISTED],
        "planned_units": units[:MAX_LISTED],
        "disclosures": disclosures[:MAX_LISTED],
    }


def _declared(declaration: Any) -> dict[str, Any] | None:
    if declaration is None:
        return None
    known = declaration if isinstance(declaration, dict) else {}
    values = {key: known.get(key) for key in ("status", "declared_at", "declared_by")}
    return {key: shorten(value) if isinstance(value, str) else None for key, value in values.items()}


def matrix_rows(passport: Passport, gate: GateResult) -> list[dict[str, Any]]:
    """Each claim with its cells against experiments, and its status by the worst of all its rows.

    Returns
    -------
    list of dict
        ``manifest_id``, ``claim_id``, ``claim_text``, ``kind``, ``experiments`` (a list of
        ``experiment_id``, ``planned``, ``verdict``, ``stored``; the verdict is None where no row was judged),
        ``citations`` (judgment to count), ``status`` and ``failing_paths``. At stage 2.5 claims that were
        not sampled have the status ``not_sampled``.
    """
    verdicts: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for row in gate.verdicts:
        verdicts.setdefault((row.manifest_id, row.claim_id), {}).setdefault(row.experiment_id, []).append(row)
    citations: dict[tuple[str, str], Counter[str]] = {}
    for cited in passport.index.rows("claim_audit_results"):
        if (pair := citation_pair(cited)) is not None:
            citations.setdefault(pair, Counter())[cited.text("judgment") or "unreadable"] += 1
    rows = []
    for claim in passport.index.claims:
        key = claim.pair or ("", "")
        judged = verdicts.get(key, {})
        status = gate.claims.get("/".join(key))
        rows.append(
            {
                "manifest_id": claim.manifest_id,
                "claim_id": claim.claim_id,
                "claim_text": claim.row.text("claim_text"),
                "kind": claim.row.text("intended_evidence_kind"),
                "experiments": [
                    _cell(name, name in claim.plan, judged.get(name, []))
                    for name in dict.fromkeys([*claim.plan, *judged])
                ],
                "citations": dict(sorted(citations.get(key, Counter()).items())),
                "status": status.status if status is not None else "not_sampled",
                "failing_paths": list(status.failing_paths) if status is not None else [],
            }
        )
    return rows


def _cell(name: str, planned: bool, judged: list[Any]) -> dict[str, Any]:
    order = ("ALIGNED", "PROVENANCE_INSUFFICIENT", "OVERSTATED", "NOT_SUPPORTED_BY_PROVENANCE")
    worst = max(judged, key=lambda row: order.index(row.effective), default=None)
    return {
        "experiment_id": name,
        "planned": planned,
        "verdict": worst.effective.value if worst is not None else None,
        "stored": worst.stored if worst is not None else None,
    }


def unit_rows(passport: Passport) -> list[dict[str, Any]]:
    """Planned against executed: one row a planned unit.

    Returns
    -------
    list of dict
        ``experiment_id``, ``unit_no``, ``planned``, ``executed`` (None where it is neither true nor false),
        ``skip_reason``, ``result_file``, ``metric``, ``value``.
    """
    rows = []
    for entry in passport.index.rows("experiment_provenance"):
        for unit in entry.within("planned_vs_executed"):
            executed = unit.get("executed")
            rows.append(
                {
                    "experiment_id": entry.text("experiment_id"),
                    "unit_no": unit.path[3],
                    "planned": unit.text("planned"),
                    "executed": executed if isinstance(executed, bool) else None,
                    **{key: unit.text(key) for key in ("skip_reason", "result_file", "metric")},
                    "value": unit.get("value"),
                }
            )
    return rows


def disclosure_rows(passport: Passport, manuscript: Manuscript | None = None) -> list[dict[str, Any]]:
    """Negative results and limitations, each with the line on which the manuscript seems to show it.

    Returns
    -------
    list of dict
        ``experiment_id``, ``kind`` (``negative_result`` or ``known_limitation``), ``item_no``,
        ``description``, ``looked`` (whether a manuscript was there), ``manuscript_line`` and ``sentence``
        (None where none shows it; a heuristic).
    """
    rows = []
    for entry in passport.index.rows("experiment_provenance"):
        for key, kind in (("negative_results", "negative_result"), ("known_limitations", "known_limitation")):
            for item in entry.within(key):
                text = item.text("description")
                hit = surfaced_at(text, manuscript) if manuscript is not None and text else None
                rows.append(
                    {
                        "experiment_id": entry.text("experiment_id"),
                        "kind": kind,
                        "item_no": item.path[3],
                        "description": text,
                        "looked": manuscript is not None,
                        "manuscript_line": hit.line if hit is not None else None,
                        "sentence": hit.text if hit is not None else None,
                    }
                )
    return rows
