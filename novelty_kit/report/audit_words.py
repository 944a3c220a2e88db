"""The passport, review and prior-art parts in words: one short line for all, and plain text for each.

Pure functions of the record. What the three say is put side by side and never added up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["AUDIT_LABELS", "at_a_glance", "document_lines", "scores_words"]

AUDIT_LABELS = ("Passport", "Reviews", "Prior art")

_COUNTS = (
    ("collisions", "collision", "collisions"),
    ("uncited_relevant", "relevant work not cited", "relevant works not cited"),
    ("clear_under_search", "clear under the search", "clear under the search"),
    ("inconclusive", "inconclusive", "inconclusive"),
)
_NONE = "the candidate names no audit"
_FIRST = 12


def at_a_glance(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and outcome of each audit that the candidate names, in a fixed order."""
    return [
        (label, "cannot be read" if "error" in part else words(part))
        for label, part, words, _ in _named(record)
    ]


def document_lines(record: Mapping[str, Any]) -> list[str]:
    """The three parts as lines of plain text."""
    lines: list[str] = []
    for label, part, words, more in _named(record):
        if "error" in part:
            lines.append(f"{label}: cannot be read: {part['error']}")
        else:
            lines += [f"{label}: {words(part)}", *(f"  {line}" for line in more(part))]
    return lines or [_NONE]


_Words = Callable[[Mapping[str, Any]], str]
_Lines = Callable[[Mapping[str, Any]], list[str]]


def _named(record: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], _Words, _Lines]]:
    all_three: tuple[tuple[str, _Words, _Lines], ...] = (
        ("passport", _passport, _passport_lines),
        ("review", _review, _review_lines),
        ("prior_art", _prior_art, _prior_art_lines),
    )
    return [
        (label, record[name], words, more)
        for label, (name, words, more) in zip(AUDIT_LABELS, all_three, strict=True)
        if record[name] is not None
    ]


def _passport(part: Mapping[str, Any]) -> str:
    return str(part["gate"]["outcome"])


def _review(part: Mapping[str, Any]) -> str:
    said = [str(len(part["reviews"])) if part["reviews"] else "none"]
    if part["status"] in ("quarantined", "quarantine_due"):
        said.append(part["status"].replace("_", " "))
    said.append(
        f"correctness cap {part['cap']['max_correctness']}" if part["cap"] else "correctness cap unknown"
    )
    return ", ".join(said)


def _prior_art(part: Mapping[str, Any]) -> str:
    counts = part["counts"]
    if not counts["total_extracted"]:
        return "no claim was listed, nothing was checked"
    return ", ".join(
        f"{counts[name]} {one if counts[name] == 1 else many}" for name, one, many in _COUNTS if counts[name]
    )


def scores_words(scores: Mapping[str, Any]) -> str:
    """Scores by axis on one line."""
    return ", ".join(f"{axis.replace('_', ' ')} {score}" for axis, score in scores.items())


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - _FIRST
    return [*lines[:_FIRST], *([f"… and {more} more"] if more > 0 else [])]


def _passport_lines(part: Mapping[str, Any]) -> list[str]:
    reasons = [f"{one['severity']} {one['code']}: {one['message']}" for one in part["gate"]["reasons"]]
    return [*_cut(reasons), part["gate"]["boundary"]]


def _review_lines(part: Mapping[str, Any]) -> list[str]:
    lines = [f"trigger {one['code']}: {one['says']}" for one in part["triggers"]]
    return [
        *lines, *_cut([f"{one['review_id']}: {scores_words(one['scores'])}" for one in part["reviews"]])
    ]  # fmt: skip


def _prior_art_lines(part: Mapping[str, Any]) -> list[str]:
    findings = [f"{one['claim_id']} {one['kind']}: {one['evidence']}" for one in part["findings"]]
    return [part["headline"], *_cut(findings)]
