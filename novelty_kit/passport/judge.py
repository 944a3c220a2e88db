"""Judges: the one protocol. A judge is asked about one claim and one entry of experiment_provenance.

It answers with a verdict, a rationale and its own name. The built-in one is `number_judge`. Reads nothing.
No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from novelty_kit.passport.pointer import Target
from novelty_kit.passport.verdict import Verdict

__all__ = ["Judge", "JudgedClaim", "Judgement"]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim as a judge sees it.

    Attributes
    ----------
    manifest_id, claim_id : str
        The pair that names the claim.
    text : str
        What the row says that the manuscript claims.
    manifest_text : str
        What the manifest meant to claim; empty where it is no text.
    experiment_id, result_pointer, manuscript_locator, finding_id : str
        From the alignment row; empty where they are no texts.
    stored_verdict : str
        The verdict that the row holds.
    target : Target
        What the result pointer names in the entry.
    """

    manifest_id: str
    claim_id: str
    text: str
    manifest_text: str
    experiment_id: str
    result_pointer: str
    manuscript_locator: str
    finding_id: str
    stored_verdict: str
    target: Target


class Judgement(NamedTuple):
    """What a judge answers: verdict, rationale, and the judge's name."""

    verdict: Verdict
    rationale: str
    judge_model: str


class Judge(Protocol):
    """Anything that can be called with a claim and an entry and answers with a judgement.

    A plain tuple of verdict, rationale and name will do.
    """

    def __call__(self, claim: JudgedClaim, entry: Mapping[str, Any], /) -> tuple[str, str, str]:
        """Judge one claim against one entry of experiment_provenance."""
        ...
