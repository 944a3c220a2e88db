"""The judgement of one review: schema, cap, triggers, warnings and mean, all of them at once.

``review check`` shows it for every review of a run; ``review add`` refuses what it calls a breach. A
function of the record, the manifest and the run's settings alone. No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.errors import Problem
from novelty_kit.output import for_terminal
from novelty_kit.review.caps import CoreClaim, Ruling, rule_on
from novelty_kit.review.composite import composite_deltas, normalised_axes
from novelty_kit.review.conventions import ReviewCase, warnings_of
from novelty_kit.review.manifest import CitationCounts, Manifest
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.rubric import CORE_AXES, rubric
from novelty_kit.review.schema import is_integer, schema_problems

__all__ = ["Breach", "Judgement", "axis_score", "judge_review"]

VERIFY_AGAIN: Final = "No source answered for these citations; verify them again before acting on this"
UNREADABLE: Final = "The manifest cannot be read, so nothing vouches for the citations"


@dataclass(frozen=True, slots=True)
class Breach:
    """Something for which a review is refused.

    Attributes
    ----------
    code : str
        ``S-SCHEMA``, ``V-HYP-MISMATCH``, ``V-OVER-CAP``, ``W-MEAN-STORED``, and in ``review check`` also
        ``E-RECORD`` (the file is no JSON record), ``E-NAME`` (the id is not the file's) and ``E-MANIFEST``
        (the manifest is unreadable or is another hypothesis's).
    message : str
    pointer : str or None
        JSON pointer into the review.
    """

    code: str
    message: str
    pointer: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Code, pointer and message by name."""
        return {"code": self.code, "pointer": self.pointer, "message": self.message}

    def as_problem(self, path: str | None = None) -> Problem:
        """The breach as a line of an error's list."""
        said = "schema validation failed: " if self.code == "S-SCHEMA" else ""
        return Problem(f"{self.code} {said}{self.message}", path=path, pointer=self.pointer)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything that the rubric says of one review.

    Attributes
    ----------
    review_id, hypothesis_id : str
        As the record names them, else as its file does.
    stem : str
        The file's name without its suffix; empty for a review that has no file yet.
    reviewer, review_type : str or None
    schema_valid : bool
        The record as it is given, its id included.
    breaches : tuple of Breach
    ruling : Ruling
    cap_known : bool
        False where a manifest exists and cannot be used: then nothing vouches for the cap.
    counts : CitationCounts or None
        Distinct citations by status; None without a manifest.
    correctness_within_cap : bool
    mean_review_score : float or None
        Mean of the four core axes; None where one is missing or no integer from 1 to 5.
    needs_human : tuple of str
        Citations that are neither verified nor phantom but suspect.
    warnings : tuple of str
        Broken conventions by code, sorted; none where the schema fails.
    log_lines : tuple of str
        The ``QUARANTINE:`` lines that moving the hypothesis prints.
    axes : mapping of str to float, or None
        S of goal, constraint and novelty; None where the schema fails.
    deltas : mapping of str to float, or None
        What the review adds to an Elo under each preset; None where the schema fails.
    advice : tuple of str
    """

    review_id: str
    hypothesis_id: str
    reviewer: str | None
    review_type: str | None
    schema_valid: bool
    breaches: tuple[Breach, ...]
    ruling: Ruling
    cap_known: bool
    counts: CitationCounts | None
    correctness_within_cap: bool
    mean_review_score: float | None
    needs_human: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    log_lines: tuple[str, ...] = ()
    axes: Mapping[str, float] | None = None
    deltas: Mapping[str, float] | None = None
    advice: tuple[str, ...] = ()
    stem: str = ""

    @property
    def triggers(self) -> tuple[str, ...]:
        """The codes of the quarantine triggers that hold."""
        return self.ruling.triggers

    @property
    def is_clean(self) -> bool:
        """Whether the review breaks nothing; a trigger is no fault of the review."""
        return not self.breaches and not self.warnings

    def to_dict(self) -> dict[str, Any]:
        """The judgement as ``review check --json`` prints it."""
        ruling = self.ruling
        return {
            "review_id": self.review_id,
            "hypothesis_id": self.hypothesis_id,
            "reviewer": self.reviewer,
            "review_type": self.review_type,
            "schema_valid": self.schema_valid,
            "errors": [breach.to_dict() for breach in self.breaches],
            "counts": self.counts.to_dict() if self.counts else None,
            "max_correctness": ruling.max_correctness if self.cap_known else None,
            "cap_rule": ruling.cap_rule if self.cap_known else None,
            "core": ruling.core,
            "correctness_within_cap": self.correctness_within_cap,
            "quarantine": ruling.quarantine if self.cap_known or ruling.quarantine else None,
            "triggers": list(self.triggers),
            "outage": ruling.outage,
            "needs_human": list(self.needs_human),
            "mean_review_score": self.mean_review_score,
            "S": dict(self.axes) if self.axes is not None else None,
            "composite_delta": dict(self.deltas) if self.deltas is not None else None,
            "warnings": list(self.warnings),
            "log_lines": list(self.log_lines),
            "advice": list(self.advice),
        }


def judge_review(
    record: Mapping[str, Any],
    hypothesis_id: str,
    *,
    review_id: str | None = None,
    manifest: Manifest | None = None,
    manifest_fault: str | None = None,
    constraints_declared: bool = False,
    core: CoreClaim | None = None,
    policy: ReviewPolicy | None = None,
) -> Judgement:
    """Judge one review.

    Parameters
    ----------
    record : mapping
        The review as it is written.
    hypothesis_id : str
        The hypothesis that it is given for.
    review_id : str, optional
        What the review is called where the record does not say.
    manifest : Manifest, optional
    manifest_fault : str, optional
        Why the manifest that exists cannot be used.
    constraints_declared : bool, optional
    core : CoreClaim, optional
    policy : ReviewPolicy, optional
    """
    breaches = [
        Breach("S-SCHEMA", problem.what, problem.pointer) for problem in schema_problems(record, "review")
    ]
    valid = not breaches
    scores = record.get("scores")
    scores = scores if isinstance(scores, dict) else {}
    named = record.get("hypothesis_id")
    if isinstance(named, str) and named and named != hypothesis_id:
        breaches.append(
            Breach(
                "V-HYP-MISMATCH",
                f"hypothesis_id in the record ({named}) does not match --for flag ({hypothesis_id})",
                "/hypothesis_id",
            )
        )
    ruling = rule_on(manifest, scores.get("safety"), core or CoreClaim(), policy)
    within = not _over(scores.get("correctness"), ruling.max_correctness)
    if not within:
        breaches.append(_over_cap(scores["correctness"], ruling))
    if "mean_review_score" in record:
        breaches.append(Breach("W-MEAN-STORED", rubric().refusals["W-MEAN-STORED"], "/mean_review_score"))
    if manifest_fault is not None:
        breaches.append(Breach("E-MANIFEST", f"{UNREADABLE}: {manifest_fault}", "/citation_manifest"))
    warnings: tuple[str, ...] = ()
    if valid:
        warnings = warnings_of(ReviewCase(record, hypothesis_id, constraints_declared, manifest, ruling))
    axes = normalised_axes(scores) if valid else None
    suspects = manifest.with_status("suspect-title-match") if manifest else ()
    reviewer = record.get("reviewer")
    kind = record.get("review_type")
    return Judgement(
        review_id=_text_or(record.get("id"), review_id or ""),
        hypothesis_id=_text_or(named, hypothesis_id),
        reviewer=reviewer if isinstance(reviewer, str) else None,
        review_type=kind if isinstance(kind, str) else None,
        schema_valid=valid,
        breaches=tuple(breaches),
        ruling=ruling,
        cap_known=manifest_fault is None,
        counts=manifest.counts if manifest else None,
        correctness_within_cap=within and manifest_fault is None,
        mean_review_score=_mean(scores),
        needs_human=tuple(entry.id for entry in suspects),
        warnings=warnings,
        log_lines=log_lines(record, hypothesis_id, manifest, ruling),
        axes=axes,
        deltas=composite_deltas(axes) if axes is not None else None,
        advice=(VERIFY_AGAIN,) if ruling.outage else (),
    )


def log_lines(
    record: Mapping[str, Any],
    hypothesis_id: str,
    manifest: Manifest | None,
    ruling: Ruling,
    reason: str | None = None,
) -> tuple[str, ...]:
    """The lines that a supervisor waits for: one for safety, one for the citations, else one by hand."""
    reviewer = record.get("reviewer")
    shown = for_terminal(reviewer) if isinstance(reviewer, str) else "unknown"
    texts = rubric().texts
    lines = []
    if "Q-SAFE" in ruling.triggers:
        lines.append(
            texts["quarantine_safety"].format(
                hypothesis_id=hypothesis_id,
                reviewer=shown,
                safety=int(record["scores"]["safety"]),
                reason=for_terminal(reason or rubric().triggers["Q-SAFE"]).rstrip("."),
            )
        )
    if ruling.by_citations and manifest is not None:
        lines.append(
            texts["quarantine_citations"].format(
                hypothesis_id=hypothesis_id, reviewer=shown, n=manifest.counts.phantom
            )
        )
    if not lines and reason:
        lines.append(
            texts["quarantine_by_hand"].format(
                hypothesis_id=hypothesis_id, reviewer=shown, reason=for_terminal(reason).rstrip(".")
            )
        )
    return tuple(lines)


def axis_score(value: object) -> int | None:
    """A score as a number from 1 to 5; None for anything else."""
    if is_integer(value) and isinstance(value, int | float) and 1 <= value <= 5:
        return int(value)
    return None


def _mean(scores: Mapping[str, Any]) -> float | None:
    found = [axis_score(scores.get(axis)) for axis in CORE_AXES]
    known = [score for score in found if score is not None]
    return sum(known) / len(CORE_AXES) if len(known) == len(CORE_AXES) else None


def _over(score: object, most: int) -> bool:
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    return is_number and isinstance(score, int | float) and score > most


def _over_cap(score: object, ruling: Ruling) -> Breach:
    return Breach(
        "V-OVER-CAP",
        f"correctness {score} is above {ruling.max_correctness}, the most that rule {ruling.cap_rule} allows",
        "/scores/correctness",
    )


def _text_or(value: object, other: str) -> str:
    return value if isinstance(value, str) and value else other
