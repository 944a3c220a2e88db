"""A person's verdicts while they are being made: pure state, one file, an export that the record reads.

The draft is a JSON file beside the claims; every change is written whole, so that a kernel that dies loses
nothing. The export is a verdict list. Nothing here draws anything, and nothing decides: a verdict is what a
person set, and a quote counts only once it is proven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.output import canonical_json, write_whole
from novelty_kit.priorart.claims import Claim, ClaimList
from novelty_kit.priorart.jsonfile import Fields, load_json, pointer_to, raise_problems
from novelty_kit.priorart.proof import Proof, Prover
from novelty_kit.priorart.searchlog import Candidate, Search, SearchLog
from novelty_kit.priorart.verdicts import GivenQuote, GivenVerdict, Judge, Verdict, verdicts_from

__all__ = ["Case", "Decision", "Draft", "draft_of", "load_draft", "save_draft", "write_verdicts"]


@dataclass(frozen=True, slots=True)
class Case:
    """All that a person needs to judge the claims of one artifact."""

    claims: ClaimList
    log: SearchLog
    prover: Prover

    def searches(self, claim: Claim) -> tuple[Search, ...]:
        """The searches that were made for these words of the claim."""
        return self.log.of_claim(claim.claim_id, claim.sha256)

    def candidates(self, claim: Claim) -> tuple[Candidate, ...]:
        """The works that they found, each text once."""
        found: dict[str, Candidate] = {}
        for search in self.searches(claim):
            for candidate in search.candidates:
                found.setdefault(candidate.text_sha256, candidate)
        return tuple(found.values())

    def prove(self, claim: Claim, quote: GivenQuote) -> Proof:
        """Check one quote for one claim."""
        return self.prover.prove(quote, self.candidates(claim))


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided on one claim."""

    claim_sha256: str
    verdict: Verdict | None = None
    quotes: tuple[GivenQuote, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """All decisions so far, and whose they are.

    Attributes
    ----------
    judge : Judge
        Who decides.
    decisions : dict of str to Decision
        By claim id.
    """

    judge: Judge
    decisions: Mapping[str, Decision] = field(default_factory=dict)

    def of_claim(self, claim: Claim) -> Decision:
        """The decision on a claim; an empty one when there is none for these words."""
        found = self.decisions.get(claim.claim_id)
        if found is None or found.claim_sha256 != claim.sha256:
            return Decision(claim.sha256)
        return found

    def _with(self, claim: Claim, **changes: Any) -> Draft:
        decision = replace(self.of_claim(claim), **changes)
        return replace(self, decisions={**self.decisions, claim.claim_id: decision})

    def decide(self, claim: Claim, verdict: Verdict | None) -> Draft:
        """Set a verdict, or take it back with None."""
        return self._with(claim, verdict=verdict)

    def add_note(self, claim: Claim, note: str) -> Draft:
        """Set the note; an empty one takes it back."""
        return self._with(claim, note=note.strip())

    def add_quote(self, claim: Claim, proof: Proof) -> Draft:
        """Keep a quote with the place where it was found.

        Raises
        ------
        DocumentError
            It is not proven.
        """
        if not proof.verified:
            raise DocumentError(f"the quote is not proven: {proof.result}, {proof.detail}")
        span = proof.spans[0]
        quote = GivenQuote(proof.passage, proof.quote.text_sha256, span.start, span.end)
        if len(span.parts) > 1:
            quote = replace(quote, text=proof.quote.text)
        quotes = self.of_claim(claim).quotes
        return self if quote in quotes else self._with(claim, quotes=(*quotes, quote))

    def drop_quote(self, claim: Claim, number: int) -> Draft:
        """Take one quote back."""
        quotes = self.of_claim(claim).quotes
        return self._with(claim, quotes=quotes[:number] + quotes[number + 1 :])

    def missing(self, case: Case) -> list[str]:
        """What still stands in the way of a complete record, a line a claim; empty when nothing does."""
        lines = []
        for claim in case.claims.admissible:
            decision = self.of_claim(claim)
            if decision.verdict is None:
                lines.append(f"{claim.claim_id}: no verdict yet")
            elif decision.verdict.needs_quote and not decision.quotes:
                lines.append(f"{claim.claim_id}: {decision.verdict} needs a proven quote")
            elif decision.verdict is Verdict.CLEAR_UNDER_SEARCH and not any(
                search.completed for search in case.searches(claim)
            ):
                lines.append(f"{claim.claim_id}: no search for it was completed, so it cannot be clear")
        return lines

    def to_verdicts(self, claims: ClaimList) -> list[dict[str, Any]]:
        """The decided claims as a verdict list, in the order of the claim list."""
        rows = []
        for claim in claims.admissible:
            decision = self.of_claim(claim)
            if decision.verdict is not None:
                rows.append(_row(claim, decision, self.judge))
        return rows


_KINDS = {
    Verdict.COLLISION: ("blocker", "claim-collision"),
    Verdict.UNCITED_RELEVANT: ("warning", "claim-uncited-relevant"),
    Verdict.INCONCLUSIVE: ("coverage", "claim-inconclusive"),
}


def _row(claim: Claim, decision: Decision, judge: Judge) -> dict[str, Any]:
    """One entry of the verdict list, with a finding that the existing tools read too."""
    row: dict[str, Any] = {
        "claim_id": claim.claim_id,
        "verdict": str(decision.verdict),
        "claim_sha256": decision.claim_sha256,
        "by": {"kind": judge.kind, "name": judge.name},
    }
    if decision.verdict in _KINDS:
        severity, kind = _KINDS[decision.verdict]
        quoted = "; ".join(f'"{quote.text}"' for quote in decision.quotes)
        row["finding"] = {
            "defect_id": claim.claim_id,
            "severity": severity,
            "kind": kind,
            "location": claim.location,
            "evidence": quoted or decision.note or "no evidence was given",
        }
    if decision.quotes:
        row["quotes"] = [quote.to_dict() for quote in decision.quotes]
    if decision.note:
        row["note"] = decision.note
    return row


def save_draft(draft: Draft, path: str | Path) -> None:
    """Write the draft whole.

    Raises
    ------
    OutputError
        It cannot be written; the file that was there is untouched.
    """
    decisions = {
        claim_id: {
            "claim_sha256": decision.claim_sha256,
            "verdict": str(decision.verdict) if decision.verdict else None,
            "quotes": [quote.to_dict() for quote in decision.quotes],
            "note": decision.note,
        }
        for claim_id, decision in sorted(draft.decisions.items())
    }
    document = {"by": {"kind": draft.judge.kind, "name": draft.judge.name}, "decisions": decisions}
    write_whole(path, canonical_json(document, indent=2) + "\n")


def load_draft(path: str | Path, judge: Judge) -> Draft:
    """The draft of a file, or an empty one where there is no file yet.

    Raises
    ------
    DocumentError
        The file is no draft, or somebody else's.
    """
    if not Path(path).exists():
        return Draft(judge)
    problems: list[Problem] = []
    top = Fields(load_json(str(path)), "", problems)
    owner = Fields(top.value.get("by"), "/by", problems)
    kind, name = owner.text("kind", required=True), owner.text("name", required=True)
    table = top.take("decisions", dict, required=True) or {}
    raise_problems(problems, str(path), "draft", "Choose another file, or remove this one")
    if (kind, name) != (judge.kind, judge.name):
        raise DocumentError(
            f"this draft is {kind} {name}'s", path=str(path), remedy="Choose another file, or the same name"
        )
    for claim_id, row in table.items():
        Fields(row, f"/decisions{pointer_to(claim_id)}", problems)
    raise_problems(problems, str(path), "draft", "Choose another file, or remove this one")
    # A decision is an entry of a verdict list, but for a verdict that may not be there yet.
    rows = [{**row, "claim_id": claim_id} for claim_id, row in table.items()]
    given = verdicts_from(rows, str(path))
    return Draft(judge, {entry.claim_id: _decision(entry) for entry in given})


def _decision(entry: GivenVerdict) -> Decision:
    return Decision(entry.claim_sha256 or "", entry.verdict, entry.quotes, entry.note or "")


def draft_of(verdicts: Sequence[GivenVerdict], claims: ClaimList) -> Draft:
    """A verdict list as decisions, for showing; where it names no words, they are taken to be the claim's."""
    words = {claim.claim_id: claim.sha256 for claim in claims}
    decisions = {
        entry.claim_id: replace(
            _decision(entry), claim_sha256=entry.claim_sha256 or words.get(entry.claim_id, "")
        )
        for entry in verdicts
    }
    judge = next((entry.judge for entry in verdicts if entry.judge is not None), Judge("person", "nobody"))
    return Draft(judge, decisions)


def write_verdicts(draft: Draft, claims: ClaimList, path: str | Path) -> None:
    """Write the verdict list that the record reads.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    write_whole(path, canonical_json(draft.to_verdicts(claims), indent=2) + "\n")
