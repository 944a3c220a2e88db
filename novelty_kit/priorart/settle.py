"""One claim's verdict as it is counted: what it needs, whether it has it, and the finding that follows.

A collision and an uncited-relevant work need a proven quote (or, waived, a marker); a clear verdict needs a
completed search for this claim. Whatever lacks its ground is inconclusive, with the reason. Kind and severity
follow from the verdict alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from novelty_kit.priorart.integrity import Unit
from novelty_kit.priorart.marker import has_marker
from novelty_kit.priorart.proof import Proof, Prover, QuoteResult
from novelty_kit.priorart.searchlog import Candidate, Search, SearchLog
from novelty_kit.priorart.verdicts import GivenFinding, GivenQuote, GivenVerdict, Verdict
from novelty_kit.priorart.wording import say

__all__ = ["Finding", "ReasonClass", "Settled", "kind_and_severity", "settle"]

_KIND = {
    Verdict.COLLISION: ("claim-collision", "blocker"),
    Verdict.UNCITED_RELEVANT: ("claim-uncited-relevant", "warning"),
    Verdict.INCONCLUSIVE: ("claim-inconclusive", "coverage"),
}
_NO_EVIDENCE = "no evidence was given"
_NO_BODY = "verdict=inconclusive without a finding body"


class ReasonClass(StrEnum):
    """Why a claim is escalated."""

    NO_NOVELTY_SURFACE = "no-novelty-surface"
    SEARCH_COULD_NOT_COVER = "search-could-not-cover"
    DOWNGRADED_COLLISION = "downgraded-collision"
    DOWNGRADED_UNCITED_RELEVANT = "downgraded-uncited-relevant"
    DATA_INTEGRITY = "data-integrity"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the packet."""

    defect_id: str
    severity: str
    kind: str
    location: str
    evidence: str
    suggestion: str | None = None

    def to_dict(self) -> dict[str, str]:
        """The finding as the contract has it."""
        row = {
            "defect_id": self.defect_id,
            "severity": self.severity,
            "kind": self.kind,
            "location": self.location,
            "evidence": self.evidence,
        }
        return row | ({"suggestion": self.suggestion} if self.suggestion is not None else {})


@dataclass(frozen=True, slots=True)
class Settled:
    """One claim as it is counted.

    Attributes
    ----------
    unit : Unit
        What was handed in.
    verdict : Verdict
        What is counted.
    reason_class, reason
        Of its escalation; None and empty when there is none.
    finding : Finding or None
        None for a clear verdict.
    proofs : tuple of Proof
        Of its quotes, in their order.
    searches : tuple of Search
        The searches for these words of the claim.
    """

    unit: Unit
    verdict: Verdict
    reason_class: ReasonClass | None = None
    reason: str = ""
    finding: Finding | None = None
    proofs: tuple[Proof, ...] = ()
    searches: tuple[Search, ...] = ()


def kind_and_severity(verdict: Verdict) -> tuple[str | None, str | None]:
    """The kind and severity of a finding with this verdict; a clear one has no finding."""
    return _KIND.get(verdict, (None, None))


def settle(unit: Unit, log: SearchLog | None, prover: Prover | None) -> Settled:
    """Decide how one claim is counted.

    Parameters
    ----------
    unit : Unit
        The claim with its verdict.
    log : SearchLog or None
        None: no search is asked for (marker reading).
    prover : Prover or None
        None: a marker stands for a quote (marker reading).
    """
    searches = _searches(unit, log)
    given = unit.given
    if unit.faults or given is None or given.verdict is None:
        reason = say(
            "data integrity: 1 claim could not be counted as given: {why}", why="; ".join(unit.faults)
        )
        return _inconclusive(unit, ReasonClass.DATA_INTEGRITY, reason, reason, searches=searches)
    if given.verdict.needs_quote:
        return _with_quote(unit, given, given.verdict, prover, searches)
    if given.verdict is Verdict.CLEAR_UNDER_SEARCH:
        if log is None or any(search.completed for search in searches):
            return Settled(unit, Verdict.CLEAR_UNDER_SEARCH, searches=searches)
        reason = say(
            "search could not cover the claim: it is called clear, but {why}", why=_uncovered(searches)
        )
        return _inconclusive(unit, ReasonClass.SEARCH_COULD_NOT_COVER, reason, reason, searches=searches)
    reason = say("search could not cover the claim; have a person look")
    return _inconclusive(unit, ReasonClass.SEARCH_COULD_NOT_COVER, reason, searches=searches)


def _searches(unit: Unit, log: SearchLog | None) -> tuple[Search, ...]:
    """The searches for this claim, but for those of other words under the same id."""
    if log is None:
        return ()
    return log.of_claim(unit.claim_id, unit.claim.sha256 if unit.claim else None)


def _uncovered(searches: Sequence[Search]) -> str:
    states = sorted({f"{search.source} {search.state}" for search in searches})
    return (
        f"no search for it was completed ({', '.join(states)})" if states else "the log has no search for it"
    )


def _with_quote(
    unit: Unit,
    given: GivenVerdict,
    verdict: Verdict,
    prover: Prover | None,
    searches: tuple[Search, ...],
) -> Settled:
    body = given.finding or GivenFinding()
    class_ = ReasonClass(f"downgraded-{verdict}")
    if prover is None:
        if has_marker(body.evidence):
            return Settled(
                unit, verdict, finding=_finding(unit, verdict, body.evidence or ""), searches=searches
            )
        reason = say(
            "downgraded from {verdict}: its evidence quotes no fetched text; quote it and judge again",
            verdict=verdict,
        )
        return _inconclusive(unit, class_, reason, _NO_EVIDENCE, bare=True)
    candidates = [candidate for search in searches for candidate in search.candidates]
    proofs = tuple(prover.prove(quote, candidates) for quote in given.quotes)
    if any(proof.verified for proof in proofs):
        finding = _finding(unit, verdict, _evidence(proofs, body))
        return Settled(unit, verdict, finding=finding, proofs=proofs, searches=searches)
    if not proofs:
        empty = GivenQuote("", "")
        proofs = (Proof(empty, QuoteResult.NO_QUOTE, "the verdict has no quote"),)
    why = "; ".join(dict.fromkeys(f"{proof.result} ({proof.detail})" for proof in proofs))
    reason = say(
        "downgraded from {verdict}: {why}; quote the stored text and judge again", verdict=verdict, why=why
    )
    settled = _inconclusive(unit, class_, reason, _NO_EVIDENCE, bare=True, searches=searches)
    return replace(settled, proofs=proofs)


def _evidence(proofs: Sequence[Proof], body: GivenFinding) -> str:
    """The proven passages, each with its place, then the comment, which is nobody's quote."""
    pieces = []
    for proof in proofs:
        if proof.verified:
            span = proof.spans[0]
            source = _source(proof.candidate)
            place = f"text sha256 {proof.quote.text_sha256}, characters {span.start}-{span.end}"
            pieces.append(f'"{proof.passage}" ({source}{place})')
    if body.evidence and _says_more(body.evidence, proofs):
        pieces.append(f"comment: {body.evidence}")
    return "; ".join(pieces)


def _says_more(evidence: str, proofs: Sequence[Proof]) -> bool:
    """Whether the prose holds any word beside the quotes themselves."""
    for proof in proofs:
        evidence = evidence.replace(proof.quote.text, " ")
    return any(character.isalnum() for character in evidence)


def _source(candidate: Candidate | None) -> str:
    if candidate is None:
        return ""
    return f"{candidate.title}, {candidate.id}; " if candidate.title else f"{candidate.id}; "


def _finding(unit: Unit, verdict: Verdict, evidence: str, *, suggestion: bool = True) -> Finding:
    body = (unit.given.finding if unit.given else None) or GivenFinding()
    kind, severity = _KIND[verdict]
    # Only a claim without an id comes here without one, and only in lenient reading.
    name = unit.claim_id or body.defect_id or "claim"
    location = body.location or (unit.claim.location if unit.claim else None)
    return Finding(
        body.defect_id or name,
        severity,
        kind,
        location or say("claim {name} (location unavailable)", name=name),
        evidence,
        body.suggestion if suggestion else None,
    )


def _inconclusive(
    unit: Unit,
    class_: ReasonClass,
    reason: str,
    default: str = _NO_BODY,
    *,
    bare: bool = False,
    searches: tuple[Search, ...] = (),
) -> Settled:
    body = (unit.given.finding if unit.given else None) or GivenFinding()
    finding = _finding(unit, Verdict.INCONCLUSIVE, body.evidence or default, suggestion=not bare)
    return Settled(unit, Verdict.INCONCLUSIVE, class_, reason, finding, searches=searches)
