"""Verdict lists: what a person or a model decided on each claim, as it was handed in.

Reads a JSON list of ``{claim_id, verdict, finding?, quotes?, note?, by?, claim_sha256?}``: the lists of the
existing tools, and those that the adjudication page writes. Nothing is repaired or counted here; what a
list says of kind and severity is kept only to be checked. Keys that mean nothing here are remembered by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.priorart.jsonfile import Fields, kind_of, load_json, pointer_to, raise_problems
from novelty_kit.priorart.store import is_sha256

__all__ = ["GivenFinding", "GivenQuote", "GivenVerdict", "Judge", "Verdict", "read_verdicts", "verdicts_from"]

_KEYS = frozenset({"claim_id", "verdict", "finding", "quotes", "note", "by", "claim_sha256"})
_FINDING_KEYS = frozenset({"defect_id", "severity", "kind", "location", "evidence", "suggestion"})
_REMEDY = "Correct the verdict list"


class Verdict(StrEnum):
    """The four verdicts; each claim has exactly one."""

    COLLISION = "collision"
    UNCITED_RELEVANT = "uncited-relevant"
    CLEAR_UNDER_SEARCH = "clear-under-search"
    INCONCLUSIVE = "inconclusive"

    @property
    def needs_quote(self) -> bool:
        """Whether it stands only on a quotation."""
        return self in (Verdict.COLLISION, Verdict.UNCITED_RELEVANT)


@dataclass(frozen=True, slots=True)
class Judge:
    """Who gave a verdict."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class GivenQuote:
    """A quotation and where it is said to stand."""

    text: str
    text_sha256: str
    start: int | None = None
    end: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The quote as it stands in a verdict list."""
        row: dict[str, Any] = {"text": self.text, "text_sha256": self.text_sha256}
        if self.start is not None and self.end is not None:
            row |= {"start": self.start, "end": self.end}
        return row


@dataclass(frozen=True, slots=True)
class GivenFinding:
    """The finding of a verdict list; None where a field is absent, null or empty."""

    defect_id: str | None = None
    location: str | None = None
    evidence: str | None = None
    suggestion: str | None = None
    kind: str | None = None
    severity: str | None = None


@dataclass(frozen=True, slots=True)
class GivenVerdict:
    """One entry of a verdict list.

    Attributes
    ----------
    position : int
        0-based place in the list.
    claim_id : str
        Empty when the list gives none that is a text.
    given : str
        The verdict as written; what is no text is described.
    verdict : Verdict or None
        None when it is none of the four, to the letter.
    finding, quotes, note, judge
        As given.
    claim_sha256 : str or None
        Of the claim's words when the verdict was given.
    ignored : tuple of str
        Keys that mean nothing here.
    """

    position: int
    claim_id: str
    given: str
    verdict: Verdict | None
    finding: GivenFinding | None = None
    quotes: tuple[GivenQuote, ...] = ()
    note: str | None = None
    judge: Judge | None = None
    claim_sha256: str | None = None
    ignored: tuple[str, ...] = ()


def read_verdicts(path: str) -> tuple[GivenVerdict, ...]:
    """Read a verdict list from a JSON file, or from standard input for ``-``.

    Raises
    ------
    DocumentError
        It is no list of objects, or a field has the wrong type; all such faults are listed. Empty or double
        ids and unknown verdicts are left to the record, which knows how strict to be.
    """
    return verdicts_from(load_json(path), path)


def verdicts_from(value: Any, path: str = "<verdicts>") -> tuple[GivenVerdict, ...]:
    """A verdict list from its JSON value; see :func:`read_verdicts`."""
    if not isinstance(value, list):
        raise DocumentError(
            f"a verdict list is a JSON list, not {kind_of(value)}", path=path, pointer="/", remedy=_REMEDY
        )
    problems: list[Problem] = []
    found = tuple(_verdict(row, number, problems) for number, row in enumerate(value))
    raise_problems(problems, path, "verdict list", _REMEDY)
    return found


def name_judge(verdicts: Sequence[GivenVerdict], judge: Judge) -> tuple[GivenVerdict, ...]:
    """The same verdicts, those without a judge given this one."""
    return tuple(given if given.judge else replace(given, judge=judge) for given in verdicts)


def _verdict(value: Any, position: int, problems: list[Problem]) -> GivenVerdict:
    row = Fields(value, pointer_to(position), problems)
    raw_id, raw = row.value.get("claim_id"), row.value.get("verdict")
    claim_id = raw_id if isinstance(raw_id, str) and raw_id.strip() else ""
    row.name = f"claim {claim_id!r}" if claim_id else ""
    verdict = Verdict(raw) if isinstance(raw, str) and raw in list(Verdict) else None
    sha = row.text("claim_sha256")
    if sha is not None and not is_sha256(sha):
        row.fault("claim_sha256", "'claim_sha256' must be 64 hexadecimal digits in lower case")
    judge = _judge(row)
    finding = None
    ignored = [key for key in row.value if key not in _KEYS]
    if row.value.get("finding") is not None:
        finding, more = _finding(row.child("finding"))
        ignored += more
    quotes = tuple(_quote(item) for item in row.objects("quotes"))
    return GivenVerdict(
        position,
        claim_id,
        raw if isinstance(raw, str) else kind_of(raw),
        verdict,
        finding,
        quotes,
        row.text("note"),
        judge,
        sha,
        tuple(ignored),
    )


def _judge(row: Fields) -> Judge | None:
    if row.value.get("by") is None:
        return None
    by = row.child("by")
    kind, name = by.text("kind", required=True), by.text("name", required=True)
    if kind is not None and kind not in ("person", "model"):
        by.fault("kind", "'kind' must be person or model")
    return Judge(kind or "", name or "")


def _finding(finding: Fields) -> tuple[GivenFinding, list[str]]:
    fields = {key: finding.text(key) for key in sorted(_FINDING_KEYS)}
    return GivenFinding(**fields), [f"finding.{key}" for key in finding.value if key not in _FINDING_KEYS]


def _quote(row: Fields) -> GivenQuote:
    text, sha = row.take("text", str, required=True), row.take("text_sha256", str, required=True)
    if sha is not None and not is_sha256(sha):
        row.fault("text_sha256", "'text_sha256' must be 64 hexadecimal digits in lower case")
    start, end = row.count("start"), row.count("end")
    if (start is None) != (end is None):
        row.fault("start", "'start' and 'end' stand together or not at all")
    return GivenQuote(text or "", sha or "", start, end)
