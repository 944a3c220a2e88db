"""Claim lists: what an artifact asserts to be new, one atomic claim each, with where it stands.

Reads and writes the claim list (novelty reference, prior art, section 2): ``artifact``, ``novelty_claims``,
``coverage_notes``, and of this package ``edits``, ``references`` and ``artifact_date``. Inadmissible claims
stay in the list with their reason and are never counted. Nothing here searches or judges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.output import canonical_json, write_whole
from novelty_kit.priorart.jsonfile import Fields, load_json, pointer_to, raise_problems
from novelty_kit.priorart.store import sha256_of

__all__ = ["Claim", "ClaimList", "Edit", "claims_from", "read_claims", "write_claims"]

_REMEDY = "Correct the claim list, or make it anew with `novelty priorart extract`"


@dataclass(frozen=True, slots=True)
class Claim:
    """One assertion of newness, or a sentence that looked like one and is not.

    Attributes
    ----------
    claim_id : str
        Unique in its list; empty only in a list that was read leniently.
    text : str
        The atomic claim.
    location : str
        Where it stands, for a person.
    search_target : str or None
        The best query; None for an inadmissible claim.
    admissible : bool
        Whether it is a novelty claim.
    reason : str or None
        Why it is not.
    heading : tuple of str
        The headings above it, outermost first.
    line : int or None
        1-based.
    start, end : int or None
        Character span in the artifact.
    sentence : str or None
        The whole sentence it is from.
    cue : str or None
        The words that gave it away.
    """

    claim_id: str
    text: str
    location: str
    search_target: str | None
    admissible: bool
    reason: str | None = None
    heading: tuple[str, ...] = ()
    line: int | None = None
    start: int | None = None
    end: int | None = None
    sentence: str | None = None
    cue: str | None = None

    @property
    def sha256(self) -> str:
        """Of the claim's text: a search or a verdict for other words is none for this claim."""
        return sha256_of(self.text)

    def to_dict(self) -> dict[str, Any]:
        """The claim as it stands in a claim list; what is unknown is left out."""
        required = ("claim_id", "text", "location", "search_target", "admissible")
        row: dict[str, Any] = {name: getattr(self, name) for name in required}
        for name in ("reason", "line", "start", "end", "sentence", "cue"):
            if getattr(self, name) is not None:
                row[name] = getattr(self, name)
        if self.heading:
            row["heading"] = list(self.heading)
        return row


@dataclass(frozen=True, slots=True)
class Edit:
    """What a person did to the list: who, why, and the claims before and after."""

    op: str
    by: str
    why: str
    before: tuple[Claim, ...]
    after: tuple[Claim, ...]

    def to_dict(self) -> dict[str, Any]:
        """The edit as it stands in a claim list."""
        return {
            "op": self.op,
            "by": self.by,
            "why": self.why,
            "before": [claim.to_dict() for claim in self.before],
            "after": [claim.to_dict() for claim in self.after],
        }


@dataclass(frozen=True, slots=True)
class ClaimList:
    """All claims of one artifact.

    Attributes
    ----------
    artifact : str
        What the claims are from, as the user named it.
    claims : tuple of Claim
        In order of the artifact; admissible and inadmissible ones.
    coverage_notes : tuple of str
        What the extractor cannot see.
    edits : tuple of Edit
        What people changed, oldest first.
    references : tuple of str
        Keys, addresses or titles of the works that the artifact cites.
    artifact_date : str or None
        ISO date of the artifact, for the check that a source is older.
    duplicate_ids : tuple of str
        Ids that stood more than once; only in a list that was read leniently.
    """

    artifact: str
    claims: tuple[Claim, ...]
    coverage_notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    references: tuple[str, ...] = ()
    artifact_date: str | None = None
    duplicate_ids: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    @property
    def admissible(self) -> tuple[Claim, ...]:
        """The novelty claims: those that are searched, judged and counted."""
        return tuple(claim for claim in self.claims if claim.admissible)

    @property
    def inadmissible(self) -> tuple[Claim, ...]:
        """The rest, each with its reason."""
        return tuple(claim for claim in self.claims if not claim.admissible)

    def claim(self, claim_id: str) -> Claim:
        """The claim with this id.

        Raises
        ------
        DocumentError
            There is none.
        """
        for claim in self.claims:
            if claim.claim_id == claim_id:
                return claim
        raise DocumentError(f"no claim {claim_id!r} in the list", remedy="Name a claim_id of the claim list")

    def to_dict(self) -> dict[str, Any]:
        """The list as a JSON object."""
        row: dict[str, Any] = {
            "artifact": self.artifact,
            "novelty_claims": [claim.to_dict() for claim in self.claims],
            "coverage_notes": list(self.coverage_notes),
        }
        if self.edits:
            row["edits"] = [edit.to_dict() for edit in self.edits]
        if self.references:
            row["references"] = list(self.references)
        if self.artifact_date is not None:
            row["artifact_date"] = self.artifact_date
        return row


def read_claims(path: str, *, lenient: bool = False) -> ClaimList:
    """Read a claim list.

    Parameters
    ----------
    path : str
        A JSON file, or ``-`` for standard input.
    lenient : bool, default False
        Keep the first of several claims with one id, and claims without an id, instead of refusing the list.

    Returns
    -------
    ClaimList
        ``artifact``, the claims in their order, and the notes on what could not be seen.

    Raises
    ------
    DocumentError
        It is no claim list; all faults are listed.
    """
    return claims_from(load_json(path), path, lenient=lenient)


def write_claims(claims: ClaimList, path: str | Path) -> None:
    """Write a claim list whole, with its history of edits.

    Raises
    ------
    OutputError
        It cannot be written; the file that was there is untouched.
    """
    write_whole(path, canonical_json(claims.to_dict(), indent=2) + "\n")


def claims_from(value: Any, path: str = "<claims>", *, lenient: bool = False) -> ClaimList:
    """A claim list from its JSON value; see :func:`read_claims`."""
    problems: list[Problem] = []
    top = Fields(value, "", problems)
    artifact = top.text("artifact", required=True)
    claims = [_claim(row, lenient=lenient) for row in top.objects("novelty_claims", required=True)]
    seen: dict[str, int] = {}
    duplicates: list[str] = []
    kept: list[Claim] = []
    for number, claim in enumerate(claims):
        if claim.claim_id and claim.claim_id in seen:
            duplicates.append(claim.claim_id)
            if not lenient:
                what = f"claim_id {claim.claim_id!r} stands also at item {seen[claim.claim_id]}"
                problems.append(Problem(what, pointer=pointer_to("novelty_claims", number, "claim_id")))
            continue
        seen[claim.claim_id] = number
        kept.append(claim)
    edits = tuple(_edit(row) for row in top.objects("edits"))
    notes, references = top.texts("coverage_notes"), top.texts("references")
    date = top.text("artifact_date")
    raise_problems(problems, path, "claim list", _REMEDY)
    return ClaimList(
        artifact or "", tuple(kept), notes, edits, references, date, tuple(dict.fromkeys(duplicates))
    )


def _claim(row: Fields, *, lenient: bool) -> Claim:
    given = row.value.get("claim_id")
    claim_id = given if isinstance(given, str) and given.strip() else ""
    if claim_id:
        row.name = f"claim {claim_id!r}"
    elif row.ok and not lenient:
        row.fault("claim_id", "'claim_id' must be a text that is not empty")
    admissible = row.take("admissible", bool, required=True)
    target = row.text("search_target", required=admissible is True)
    reason = row.text("reason", required=admissible is False)
    if admissible is False and target is not None:
        row.fault("search_target", "an inadmissible claim has no 'search_target'", "Write null")
    start, end = row.count("start"), row.count("end")
    if start is not None and end is not None and end < start:
        row.fault("end", "'end' lies before 'start'")
    return Claim(
        claim_id,
        row.text("text", required=True) or "",
        row.text("location", required=True) or "",
        target,
        bool(admissible),
        reason,
        row.texts("heading"),
        row.count("line"),
        start,
        end,
        row.text("sentence"),
        row.text("cue"),
    )


def _edit(row: Fields) -> Edit:
    before, after = (
        tuple(_claim(claim, lenient=False) for claim in row.objects(key)) for key in ("before", "after")
    )
    op, by, why = (row.text(key, required=True) or "" for key in ("op", "by", "why"))
    return Edit(op, by, why, before, after)
