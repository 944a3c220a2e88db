"""The gate's answer as a record: outcome, reasons, claims, and the sentence that says what it does not judge.

Reads nothing. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import Any, Final, Literal

from novelty_kit.passport.verdict import Verdict

__all__ = ["BOUNDARY", "CHECK_ORDER", "ClaimStatus", "GateResult", "Outcome", "Reason", "RowVerdict"]

# Word for word: every gate output carries it.
BOUNDARY: Final = (
    "This check verifies disclosure and claim-to-provenance fidelity. It does not judge whether the "
    "experiment was correctly designed, run, statistically adequate, or reproducible by ARS."
)

CHECK_ORDER: Final = (
    "declaration",
    "structure",
    "0",
    "1",
    "2",
    "3",
    "4",
    "citation",
    "result",
    "legacy",
    "scope",
)

Severity = Literal["fail", "note", "info"]


class Outcome(StrEnum):
    """What the gate says."""

    FAIL = "FAIL"
    PASS_WITH_NOTES = "PASS-WITH-NOTES"
    PASS = "PASS"


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that the gate saw.

    Attributes
    ----------
    check : str
        ``declaration``, ``0`` to ``4``, ``citation`` and so on: which check of the gate.
    severity : str
        ``fail``, ``note`` or ``info``; information changes no outcome.
    code : str
        Stable name of the reason, such as ``CHECK-2-SKIP-REASON``.
    pointer : str
        JSON Pointer into the passport.
    message : str
    line : int or None
        Line of the passport's file, or of the manuscript where `in_manuscript`.
    heuristic : bool
        Whether word matching over prose is behind it.
    """

    check: str
    severity: Severity
    code: str
    pointer: str
    message: str
    line: int | None = None
    heuristic: bool = False
    in_manuscript: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The reason as ``--json`` gives it."""
        return {
            "check": self.check,
            "severity": self.severity,
            "code": self.code,
            "pointer": self.pointer,
            "message": self.message,
            "line": self.line,
            "heuristic": self.heuristic,
            "in_manuscript": self.in_manuscript,
        }


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """The verdict of one alignment row: as stored, and as it counts."""

    finding_id: str
    manifest_id: str
    claim_id: str
    experiment_id: str
    stored: str
    effective: Verdict
    because: str

    def to_dict(self) -> dict[str, Any]:
        """The verdict as ``--json`` gives it."""
        return {
            "finding_id": self.finding_id,
            "manifest_id": self.manifest_id,
            "claim_id": self.claim_id,
            "experiment_id": self.experiment_id,
            "stored": self.stored,
            "effective": self.effective.value,
            "because": self.because,
        }


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """Where a claim stands: the worst over all its rows.

    ``status`` is ``blocked``, ``noted`` or ``clean``, or ``no_rows`` where nothing was held against the
    claim; ``failing_paths`` are ``citation`` and ``experiment``.
    """

    status: Literal["clean", "noted", "blocked", "no_rows"]
    failing_paths: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The status as ``--json`` gives it."""
        return {"status": self.status, "failing_paths": list(self.failing_paths)}


@dataclass(frozen=True)
class GateResult:
    """The gate's answer on one passport.

    Attributes
    ----------
    outcome : Outcome
        FAIL where any reason fails; PASS-WITH-NOTES where any is a note; PASS otherwise.
    stage : str
        ``2.5`` (a sample of the experiment-backed claims) or ``4.5`` (all).
    reasons : tuple of Reason
        In the order of the checks.
    claims : mapping
        ``manifest id/claim id`` to :class:`ClaimStatus`, for the claims that the stage looks at.
    verdicts : tuple of RowVerdict
        The alignment rows that were judged.
    histogram : mapping
        How many claims fail on each path; a claim that fails on both counts in both.
    boundary : str
        What the gate does not judge.
    """

    outcome: Outcome
    stage: str
    reasons: tuple[Reason, ...]
    claims: Mapping[str, ClaimStatus] = field(default_factory=dict)
    verdicts: tuple[RowVerdict, ...] = ()
    histogram: Mapping[str, int] = field(default_factory=dict)
    boundary: str = BOUNDARY

    @property
    def effective_verdicts(self) -> dict[str, str]:
        """Finding id of each judged row to the verdict that counts."""
        return {verdict.finding_id: verdict.effective.value for verdict in self.verdicts}

    def to_dict(self) -> dict[str, Any]:
        """The result as ``--json`` gives it."""
        return {
            "outcome": self.outcome.value,
            "stage": self.stage,
            "reasons": [reason.to_dict() for reason in self.reasons],
            "boundary": self.boundary,
            "claims": {key: status.to_dict() for key, status in self.claims.items()},
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "histogram": dict(self.histogram),
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(r.severity)}</td><td>{escape(r.check)}</td><td>{escape(r.code)}</td>"
            f"<td>{escape(r.pointer)}</td><td>{escape(r.message)}</td></tr>"
            for r in self.reasons
        )
        html = (
            f"<p><strong>{escape(self.outcome.value)}</strong> at stage {escape(self.stage)}</p>"
            "<table><thead><tr><th>severity</th><th>check</th><th>code</th><th>pointer</th><th>reason</th></tr>"
            f"</thead><tbody>{rows}</tbody></table><p>{escape(self.boundary)}</p>"
        )
        # A lone surrogate cannot be sent to a browser.
        return html.encode("utf-8", "backslashreplace").decode("utf-8")


def outcome_of(reasons: tuple[Reason, ...]) -> Outcome:
    """The outcome that reasons give: any failure wins, a note is never softened or counted twice."""
    severities = {reason.severity for reason in reasons}
    if "fail" in severities:
        return Outcome.FAIL
    return Outcome.PASS_WITH_NOTES if "note" in severities else Outcome.PASS
