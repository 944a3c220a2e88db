"""Citation manifests: both dialects read, the one that the run layout reads written.

``citations/H-XXXX.json`` says of each citation of a hypothesis what was found out about it. Citations are
counted by distinct normal id, each with the worst status that any of its entries has. A summary is never
believed: counts are recounted. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from novelty_kit.errors import DocumentError
from novelty_kit.review.citation import CitationKey, citation_key
from novelty_kit.review.record import parse_record, record_bytes
from novelty_kit.review.schema import is_integer, schema_problems

__all__ = [
    "Citation",
    "CitationCounts",
    "CitationStatus",
    "Manifest",
    "keep_decided",
    "manifest_bytes",
    "read_manifest",
]

CitationStatus = Literal["verified", "unverified", "suspect-title-match", "phantom"]
Dialect = Literal["hypex", "pde"]

# From best to worst: what an id with several entries counts as.
_SEVERITY: Final[tuple[CitationStatus, ...]] = ("verified", "unverified", "suspect-title-match", "phantom")


@dataclass(frozen=True)
class Citation:
    """One entry of a manifest.

    Attributes
    ----------
    id, raw_id : str
        The id as the manifest names it, and as it was written where it was cited.
    status : str
        ``verified``, ``phantom``, ``unverified`` (nothing was found out) or ``suspect-title-match`` (a
        person has to look).
    reason : str
        ``ok``, ``not_found``, ``title_mismatch``, ``timeout`` or ``network_error``.
    source, verified_via, url, claimed_title, resolved_title : str or None
    title_match : bool or None
    title_similarity : float or None
        From 0 to 1; for reading, never for deciding.
    """

    id: str
    raw_id: str
    status: CitationStatus
    reason: str
    source: str | None = None
    claimed_title: str | None = None
    resolved_title: str | None = None
    title_match: bool | None = None
    title_similarity: float | None = None
    verified_via: str | None = None
    url: str | None = None

    @cached_property
    def key(self) -> CitationKey:
        """The normal form by which the citation is counted."""
        return citation_key(self.id)


@dataclass(frozen=True, slots=True)
class CitationCounts:
    """How many distinct citations have which status."""

    total: int
    verified: int
    phantom: int
    suspect: int
    unverified: int

    def to_dict(self) -> dict[str, int]:
        """The five counts by name."""
        return {
            "total": self.total,
            "verified": self.verified,
            "phantom": self.phantom,
            "suspect": self.suspect,
            "unverified": self.unverified,
        }


@dataclass(frozen=True)
class Manifest:
    """What was found out about the citations of one hypothesis.

    Attributes
    ----------
    citations : tuple of Citation
        The entries, in the file's order.
    dialect : str
        ``hypex`` or ``pde``.
    summary_agrees : bool
        Whether the file's own summary is what a recount of its entries gives.
    target_id, target_file, verified_at, verifier : str or None
    """

    citations: tuple[Citation, ...]
    dialect: Dialect
    summary_agrees: bool
    target_id: str | None = None
    target_file: str | None = None
    verified_at: str | None = None
    verifier: str | None = None

    @cached_property
    def statuses(self) -> dict[CitationKey, CitationStatus]:
        """Each distinct citation with the worst status of its entries, in the order of first mention."""
        worst: dict[CitationKey, CitationStatus] = {}
        for entry in self.citations:
            held = worst.get(entry.key, "verified")
            worst[entry.key] = max(held, entry.status, key=_SEVERITY.index)
        return worst

    @cached_property
    def counts(self) -> CitationCounts:
        """How many distinct citations have which status."""
        n = Counter(self.statuses.values())
        return CitationCounts(
            sum(n.values()), n["verified"], n["phantom"], n["suspect-title-match"], n["unverified"]
        )

    def with_status(self, status: CitationStatus) -> tuple[Citation, ...]:
        """Of each citation whose worst status is this one, the first entry that has it."""
        statuses = self.statuses
        first: dict[CitationKey, Citation] = {}
        for entry in self.citations:
            if statuses[entry.key] == status == entry.status:
                first.setdefault(entry.key, entry)
        return tuple(first.values())


def read_manifest(raw: bytes, path: str) -> Manifest:
    """Read a manifest of either dialect.

    Raises
    ------
    DocumentError
        The file is no manifest; every fault is listed with its JSON pointer.
    """
    record = parse_record(raw, path)
    problems = schema_problems(record, "citation_manifest")
    if problems:
        raise DocumentError(
            "is no citation manifest",
            path=path,
            remedy="Verify the citations again, or correct the file",
            problems=problems,
        )
    entries = record["citations"]
    return Manifest(
        citations=tuple(_entry(entry) for entry in entries),
        dialect="pde" if "schema" in record else "hypex",
        summary_agrees=_summary_agrees(record.get("summary"), entries),
        target_id=record.get("target_id"),
        target_file=record.get("target_file"),
        verified_at=record.get("verified_at"),
        verifier=record.get("verifier"),
    )


def _entry(entry: dict[str, Any]) -> Citation:
    status: CitationStatus = entry["status"]
    # The run's own dialect has no word for "a person has to look": it is written as undecided for its title.
    if status == "unverified" and entry.get("reason") == "title_mismatch":
        status = "suspect-title-match"
    match = entry.get("title_match")
    return Citation(
        id=entry["id"],
        raw_id=entry.get("raw_id") or entry["id"],
        status=status,
        reason=entry.get("reason") or "",
        source=entry.get("source"),
        claimed_title=entry.get("claimed_title"),
        resolved_title=entry.get("resolved_title"),
        title_match=match if isinstance(match, bool) else None,
        title_similarity=entry.get("title_similarity"),
        verified_via=entry.get("verified_via"),
        url=entry.get("url"),
    )


def _summary_agrees(summary: dict[str, Any] | None, entries: list[dict[str, Any]]) -> bool:
    if summary is None:
        return False
    n = Counter(entry["status"] for entry in entries)
    recount = _summary(n)
    counted = {name: value for name, value in recount.items() if name != "suspect" or "suspect" in summary}
    return all(
        name in summary
        and (summary[name] is value if isinstance(value, bool) else _is_count(summary[name], value))
        for name, value in counted.items()
    )


def _is_count(given: object, value: int) -> bool:
    return is_integer(given) and given == value


def _summary(n: Counter[str]) -> dict[str, int | bool]:
    total = sum(n.values())
    return {
        "total": total,
        "verified": n["verified"],
        "phantom": n["phantom"],
        "suspect": n["suspect-title-match"],
        "unverified": n["unverified"],
        "all_verified": total > 0 and n["verified"] == total,
    }


def keep_decided(earlier: Manifest | None, citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Put an earlier decision where nothing was found out now: an outage must neither accuse nor acquit.

    A decision holds for the same claim: the same id with the same claimed title. A claim without a title
    keeps the worst that was decided of its id, and an id that nobody knew stays unknown under any title.
    """
    decided = [entry for entry in (earlier.citations if earlier else ()) if entry.status != "unverified"]
    by_claim = {(entry.key, entry.claimed_title): entry for entry in decided}
    by_id: dict[CitationKey, Citation] = {}
    for entry in sorted(decided, key=lambda entry: _SEVERITY.index(entry.status)):
        by_id[entry.key] = entry
    return tuple(
        _kept(entry, by_claim.get((entry.key, entry.claimed_title)), by_id.get(entry.key))
        if entry.status == "unverified"
        else entry
        for entry in citations
    )


def _kept(now: Citation, same_claim: Citation | None, same_id: Citation | None) -> Citation:
    if same_claim is not None:
        return same_claim
    if same_id is not None and (now.claimed_title is None or _is_unknown(same_id)):
        return same_id
    return now


def _is_unknown(entry: Citation) -> bool:
    return entry.status == "phantom" and entry.reason == "not_found"


def manifest_bytes(
    target_id: str, target_file: str, citations: tuple[Citation, ...], *, verified_at: str, verifier: str
) -> bytes:
    """Write a manifest in the dialect that the run layout reads.

    That dialect knows three statuses. A citation that a person has to look at is written as
    ``unverified`` with the reason ``title_mismatch``, which no other case gives, and is read back as what
    it is; the other tools see an undecided citation, which costs nothing there.
    """
    entries = [_written(entry) for entry in citations]
    summary = _summary(Counter(entry["status"] for entry in entries))
    del summary["suspect"]
    return record_bytes(
        {
            "target_id": target_id,
            "target_file": target_file,
            "verified_at": verified_at,
            "verifier": verifier,
            "summary": summary,
            "citations": entries,
        }
    )


def _written(entry: Citation) -> dict[str, Any]:
    suspect = entry.status == "suspect-title-match"
    fields: dict[str, Any] = {
        "id": entry.id,
        "raw_id": entry.raw_id,
        "source": entry.source,
        "status": "unverified" if suspect else entry.status,
        "reason": "title_mismatch" if suspect else entry.reason,
        "claimed_title": entry.claimed_title,
        "resolved_title": entry.resolved_title,
        "title_match": entry.title_match,
        "title_similarity": entry.title_similarity,
        "verified_via": entry.verified_via,
        "url": entry.url,
    }
    always = ("id", "raw_id", "source", "status", "reason", "claimed_title", "resolved_title")
    return {name: value for name, value in fields.items() if value is not None or name in always}
