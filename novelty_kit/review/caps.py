"""What citations and safety mean for a review: the cap on correctness, and the quarantine's triggers.

Each rule has its code, and its numbers and sentence stand in ``rubric.yaml`` under that code (review
reference, sections 6, 7 and 12). No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from novelty_kit.review.citation import CitationKey
from novelty_kit.review.manifest import Manifest
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.rubric import rubric
from novelty_kit.review.schema import is_integer

__all__ = ["CoreClaim", "Ruling", "rule_on"]

CoreState = Literal["core", "not_core", "unstated", "not_asked"]


@dataclass(frozen=True, slots=True)
class CoreClaim:
    """What is said about which citations carry the core of the idea.

    Attributes
    ----------
    keys : frozenset of CitationKey
        Those that do.
    stated : bool
        Whether anything was said at all; an empty set with True means that none of them does.
    """

    keys: frozenset[CitationKey] = frozenset()
    stated: bool = False

    def state_of(self, phantoms: Collection[CitationKey]) -> CoreState:
        """Whether one of the phantoms is core; ``not_asked`` where there is no phantom."""
        if not phantoms:
            return "not_asked"
        if not self.stated:
            return "unstated"
        return "core" if self.keys.intersection(phantoms) else "not_core"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the citations and the safety score of one review lead to.

    Attributes
    ----------
    cap_rule : str
        The code of the rule that sets the cap.
    max_correctness : int
        The most that correctness can be.
    triggers : tuple of str
        The codes of the triggers that hold: safety first, then the citations'.
    core : str
        ``core``, ``not_core``, ``unstated`` or ``not_asked``.
    outage : bool
        No citation is verified, some are merely unverified, and those are all that is undecided.
    """

    cap_rule: str
    max_correctness: int
    triggers: tuple[str, ...]
    core: CoreState
    outage: bool

    @property
    def quarantine(self) -> bool:
        """Whether the hypothesis has to be quarantined."""
        return bool(self.triggers)

    @property
    def by_citations(self) -> bool:
        """Whether one of the triggers is the citations'."""
        return any(code != "Q-SAFE" for code in self.triggers)


def rule_on(
    manifest: Manifest | None, safety: object, core: CoreClaim, policy: ReviewPolicy | None = None
) -> Ruling:
    """Judge the citations and the safety score of one review.

    Parameters
    ----------
    manifest : Manifest or None
        None where there is none: then no citation rule holds.
    safety : object
        The safety score as it is written; what is no integer triggers nothing.
    core : CoreClaim
    policy : ReviewPolicy, optional
    """
    policy = policy or ReviewPolicy()
    phantoms = [key for key, status in manifest.statuses.items() if status == "phantom"] if manifest else []
    outage = manifest is not None and _is_outage(manifest)
    by_citations = _citation_triggers(manifest, outage, policy) if manifest else ()
    state = core.state_of(phantoms)
    if by_citations:
        rule = "C-FAB1"
    elif not phantoms:
        rule = "C-FREE"
    else:
        rule = "C-CORE1" if state == "core" else "C-CAP2"
    return Ruling(
        cap_rule=rule,
        max_correctness=rubric().caps[rule],
        triggers=(*_safety_trigger(safety), *by_citations),
        core=state,
        outage=outage,
    )


def _safety_trigger(safety: object) -> tuple[str, ...]:
    unsafe = is_integer(safety) and isinstance(safety, int | float) and safety <= rubric().safe_at_most
    return ("Q-SAFE",) if unsafe else ()


def _citation_triggers(manifest: Manifest, outage: bool, policy: ReviewPolicy) -> tuple[str, ...]:
    n = manifest.counts
    holds = {
        "Q-PH2": n.phantom >= rubric().phantoms_at_least,
        "Q-RATIO": n.phantom > 0 and rubric().phantoms_one_in * n.phantom >= n.total,
        "Q-NOVER": n.total > 0
        and n.verified == 0
        and not (outage and policy.third_trigger == "decided_only"),
    }
    return tuple(code for code in rubric().triggers if holds.get(code))


def _is_outage(manifest: Manifest) -> bool:
    n = manifest.counts
    return n.verified == 0 and n.unverified > 0 and n.suspect == 0
