"""Claims and verdicts paired, nothing lost: every fault of the pairing is named, none is repaired in silence.

Strict reading refuses the input and lists all faults. Lenient reading turns each faulty claim into one that
counts once, as inconclusive, with an escalation of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novelty_kit.errors import Problem
from novelty_kit.priorart.claims import Claim, ClaimList
from novelty_kit.priorart.jsonfile import pointer_to, raise_problems
from novelty_kit.priorart.verdicts import GivenVerdict

__all__ = ["Unit", "pair"]


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted as one claim.

    Attributes
    ----------
    claim_id : str
        Empty when the input has none.
    claim : Claim or None
        From the claim list, when there is one and it has it.
    given : GivenVerdict or None
        Its verdict; of several with one id the first.
    faults : tuple of str
        What is wrong with the pairing; empty when nothing is.
    """

    claim_id: str
    claim: Claim | None
    given: GivenVerdict | None
    faults: tuple[str, ...] = ()


def pair(
    verdicts: Sequence[GivenVerdict], claims: ClaimList | None, *, lenient: bool, path: str = "<verdicts>"
) -> tuple[Unit, ...]:
    """Pair each admissible claim with its verdict: in the verdicts' order, then the claims left over.

    Parameters
    ----------
    verdicts : sequence of GivenVerdict
        The verdict list.
    claims : ClaimList or None
        The claim list; None: it is waived, and the verdicts are the claims.
    lenient : bool
        Keep faulty claims as units with their faults.
    path : str
        The verdict list's name, for the error.

    Raises
    ------
    DocumentError
        Not lenient, and something does not fit; all faults are listed.
    """
    by_id: dict[str, list[GivenVerdict]] = {}
    for given in verdicts:
        by_id.setdefault(given.claim_id or f"\0{given.position}", []).append(given)
    known = {claim.claim_id: claim for claim in claims or () if claim.claim_id}
    units: list[Unit] = []
    problems: list[Problem] = []
    for group in by_id.values():
        unit = _unit(group, known, claims)
        units.append(unit)
        # A fault is shown at the entry that has it: a double id at its second place.
        shown = group[1] if len(group) > 1 else group[0]
        problems += [Problem(fault, pointer=pointer_to(shown.position)) for fault in unit.faults]
    for claim in claims.admissible if claims else ():
        if claim.claim_id in by_id and claim.claim_id:
            continue
        fault = f"claim {claim.claim_id!r} has no verdict" if claim.claim_id else "a claim without a claim_id"
        units.append(Unit(claim.claim_id, claim, None, (fault,)))
        problems.append(Problem(fault))
    if not lenient:
        raise_problems(problems, path, "verdict list", "Correct the list, or read it with --lenient")
    return tuple(units)


def _unit(group: list[GivenVerdict], known: dict[str, Claim], claims: ClaimList | None) -> Unit:
    first = group[0]
    faults: list[str] = []
    name = f"claim {first.claim_id!r}" if first.claim_id else f"item {first.position}"
    if not first.claim_id:
        faults.append(f"{name}: 'claim_id' must be a text that is not empty")
    if len(group) > 1:
        listed = ", ".join(repr(given.given) for given in group[:5])
        faults.append(f"{name} stands {len(group)} times, with {listed}")
    for unknown in dict.fromkeys(given.given for given in group if given.verdict is None):
        faults.append(f"{name}: unrecognised verdict {unknown!r}")
    claim = known.get(first.claim_id)
    if claims is not None and first.claim_id:
        if claim is None:
            faults.append(f"{name} is in no claim list")
        elif not claim.admissible:
            faults.append(f"{name} is inadmissible ({claim.reason}) and takes no verdict")
        elif first.claim_id in claims.duplicate_ids:
            faults.append(f"{name} stands several times in the claim list")
        if claim is not None and any(g.claim_sha256 not in (None, claim.sha256) for g in group):
            faults.append(f"{name}: its words have changed since the verdict")
    return Unit(first.claim_id, claim, first, tuple(faults))
