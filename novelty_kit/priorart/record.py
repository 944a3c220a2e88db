"""The record: how many claims collide, and under what coverage; and the findings packet beside it.

Reads what was handed in (verdicts, claims, search log, text store), writes nothing. The sum of the four
counts is the total in every record; both outputs keep their contracts; the five disclosures always stand.
It never says whether the work is new or matters: a person confirms. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from novelty_kit.errors import DocumentError, OutputError
from novelty_kit.priorart.claims import ClaimList
from novelty_kit.priorart.coverage import (
    checking_notes,
    claim_notes,
    counting_notes,
    proof_notes,
    section_7,
    sources_note,
)
from novelty_kit.priorart.integrity import pair
from novelty_kit.priorart.proof import Prover
from novelty_kit.priorart.references import ReferenceList
from novelty_kit.priorart.searchlog import SearchLog
from novelty_kit.priorart.settle import Settled, settle
from novelty_kit.priorart.store import TextStore
from novelty_kit.priorart.verdicts import GivenVerdict, Verdict
from novelty_kit.priorart.wording import check_keys, has_forbidden, say

__all__ = ["Evidence", "Record", "build_record"]

_COUNTED = {
    Verdict.CLEAR_UNDER_SEARCH: "clear_under_search",
    Verdict.COLLISION: "collisions",
    Verdict.UNCITED_RELEVANT: "uncited_relevant",
    Verdict.INCONCLUSIVE: "inconclusive",
}


class Evidence(StrEnum):
    """What must stand behind a collision: a quote proven in the store, or just a marker in the prose."""

    STORE = "store"
    MARKER = "marker"


@dataclass(frozen=True, slots=True)
class Record:
    """A finished record.

    Attributes
    ----------
    artifact : str
        What was judged.
    evidence : Evidence
        How quotes were checked.
    claims : tuple of Settled
        Each counted claim, in order.
    coverage : tuple of str
        The disclosures, and what else must be known to read the counts.
    """

    artifact: str
    evidence: Evidence
    claims: tuple[Settled, ...]
    coverage: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The five counts; the first four sum to `total_extracted`."""
        found = Counter(claim.verdict for claim in self.claims)
        return {name: found[verdict] for verdict, name in _COUNTED.items()} | {
            "total_extracted": len(self.claims)
        }

    @property
    def escalations(self) -> list[dict[str, str]]:
        """What a person must look at, in order."""
        if not self.claims:
            return [
                {"reason": say("no novelty surface: no claim of newness was listed, so nothing was checked")}
            ]
        rows = []
        for claim in self.claims:
            if claim.reason_class is not None:
                ref = {"claim_ref": claim.unit.claim_id} if claim.unit.claim_id else {}
                rows.append({"reason": claim.reason} | ref)
        return rows

    @property
    def findings(self) -> list[dict[str, str]]:
        """The findings, in order of the claims."""
        return [claim.finding.to_dict() for claim in self.claims if claim.finding is not None]

    @property
    def is_clean(self) -> bool:
        """Whether there is neither a finding nor an escalation."""
        return not self.findings and not self.escalations

    def coverage_record(self) -> dict[str, Any]:
        """The record as its contract has it."""
        return {
            "artifact": self.artifact,
            "signal": "collisions_under_known_coverage",
            "counts": self.counts,
            "rightness": "human_confirm_required",
            "escalations": self.escalations,
            "coverage": list(self.coverage),
        }

    def to_dict(self) -> dict[str, Any]:
        """Both contracts, and beside them what became of each claim.

        Raises
        ------
        OutputError
            A name or a sentence of ours holds the forbidden term, or the counts do not sum.
        """
        record = self.coverage_record()
        *parts, total = record["counts"].values()
        if sum(parts) != total:
            raise OutputError(f"the counts {parts} do not sum to {total}")
        ours = [*record["coverage"], *(row["reason"] for row in record["escalations"])]
        if any(map(has_forbidden, ours)):
            raise OutputError("a record's own words may not hold the forbidden term")
        output = {
            "coverage_record": record,
            "findings": {"outcome_axis_respected": True, "findings": self.findings},
            "evidence": str(self.evidence),
            "claims": [_details(claim) for claim in self.claims],
        }
        check_keys(output)
        return output


def _details(claim: Settled) -> dict[str, Any]:
    unit, given = claim.unit, claim.unit.given
    return {
        "claim_id": unit.claim_id,
        "text": unit.claim.text if unit.claim else None,
        "location": claim.finding.location if claim.finding else unit.claim.location if unit.claim else None,
        "verdict": str(claim.verdict),
        "given": given.given if given else None,
        "reason_class": str(claim.reason_class) if claim.reason_class else None,
        "note": given.note if given else None,
        "by": {"kind": given.judge.kind, "name": given.judge.name} if given and given.judge else None,
        "quotes": [proof.to_dict() for proof in claim.proofs],
        "searches": [search.to_dict(candidates=False) for search in claim.searches],
        "n_candidates": sum(len(search.candidates) for search in claim.searches),
    }


def build_record(
    verdicts: Sequence[GivenVerdict],
    *,
    artifact: str | None = None,
    evidence: Evidence = Evidence.STORE,
    lenient: bool = False,
    claims: ClaimList | None = None,
    log: SearchLog | None = None,
    store: TextStore | None = None,
    artifact_text: str | None = None,
    references: Iterable[str] = (),
    artifact_date: str | None = None,
    path: str = "<verdicts>",
) -> Record:
    """Count verdicts and check what they stand on.

    Parameters
    ----------
    verdicts : sequence of GivenVerdict
        From :func:`novelty_kit.priorart.read_verdicts`.
    artifact : str, optional
        What was judged; by default what the claim list names.
    evidence : Evidence
        `STORE` needs `claims`, `log` and `store`; `MARKER` takes none of them.
    lenient : bool, default False
        Count what does not fit as inconclusive instead of refusing it.
    claims, log, store
        The claim list, the search log and the text store.
    artifact_text : str, optional
        The whole artifact, so that a quote from it is recognised; its claims' sentences always are.
    references : iterable of str, optional
        What the artifact cites, beside what the claim list says.
    artifact_date : str, optional
        ISO date; by default that of the claim list.
    path : str
        The verdict list's name, for errors.

    Returns
    -------
    Record
        The counts, findings, escalations and disclosures.

    Raises
    ------
    DocumentError
        Something does not fit, or store reading lacks one of its inputs.
    """
    prover = None
    cited = [*references]
    if evidence is Evidence.STORE:
        if claims is None or log is None or store is None:
            raise DocumentError(
                "a proven record needs the claim list, the search log and the text store",
                path=path,
                remedy="Name them, or read a bare verdict list with --evidence marker",
            )
        cited += claims.references
        date = artifact_date or claims.artifact_date
        prover = Prover(store, _own_texts(claims, artifact_text), ReferenceList(cited), date)
    elif claims is not None or log is not None or store is not None:
        raise DocumentError(
            "marker reading takes a verdict list alone",
            path=path,
            remedy="Leave out the claim list, the search log and the store, or use --evidence store",
        )
    units = pair(verdicts, claims, lenient=lenient, path=path)
    settled = tuple(settle(unit, log, prover) for unit in units)
    name = artifact if artifact is not None else claims.artifact if claims is not None else "<artifact>"
    if not name.strip():
        raise DocumentError("the artifact's name is empty", path=path, remedy="Name it with --artifact")
    searches = [search for claim in settled for search in claim.searches]
    coverage = [
        *section_7(proven=prover is not None),
        *sources_note(searches if log is not None else None, len(settled)),
        *counting_notes(settled, lenient),
        *checking_notes(verdicts, settled),
    ]
    if claims is not None:
        whole = artifact_text is not None
        coverage += claim_notes(claims) + proof_notes(settled, whole, len(cited), name, claims)
    return Record(name, evidence, settled, tuple(coverage))


def _own_texts(claims: ClaimList, artifact_text: str | None) -> list[str]:
    sentences = [claim.sentence or claim.text for claim in claims]
    return ([artifact_text] if artifact_text else []) + sentences
