"""What people change in a claim list: add, split, merge, drop; every edit is kept with who and why.

Each function gives back a new list; the old one stays as it was. A dropped claim leaves the count and stays
in the history, and the record says so. Nothing is searched or judged; a claim with new words has a new hash,
so that searches and verdicts for the old words do not hold for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from novelty_kit.errors import DocumentError
from novelty_kit.priorart.claims import Claim, ClaimList, Edit
from novelty_kit.priorart.cues import search_target

__all__ = ["add_claim", "drop_claim", "merge_claims", "reword_claim", "split_claim"]


def _said(text: str, what: str) -> str:
    if not text.strip():
        raise DocumentError(f"an edit needs {what}", remedy=f"Say {what}")
    return " ".join(text.split())


def _next_id(claims: ClaimList) -> str:
    """The next id of the form N-001; ids of dropped claims are not given again."""
    known = [claim.claim_id for claim in claims]
    known += [claim.claim_id for edit in claims.edits for claim in (*edit.before, *edit.after)]
    numbers = [int(match[1]) for name in known if (match := re.fullmatch(r"N-(\d{1,9})", name, re.ASCII))]
    return f"N-{max(numbers, default=0) + 1:03d}"


def _changed(
    claims: ClaimList, op: str, by: str, why: str, before: Sequence[Claim], after: Sequence[Claim]
) -> ClaimList:
    """The list with `after` in the place of the first of `before`; at the end when nothing is replaced."""
    edit = Edit(op, _said(by, "who makes it"), _said(why, "why"), tuple(before), tuple(after))
    gone = {claim.claim_id for claim in before}
    kept: list[Claim] = []
    for claim in claims:
        if before and claim.claim_id == before[0].claim_id:
            kept.extend(after)
        if claim.claim_id not in gone:
            kept.append(claim)
    if not before:
        kept.extend(after)
    return replace(claims, claims=tuple(kept), edits=(*claims.edits, edit))


def add_claim(claims: ClaimList, text: str, location: str, *, by: str, why: str) -> ClaimList:
    """Add a claim that the extractor did not see."""
    text = _said(text, "the claim's text")
    claim = Claim(
        _next_id(claims), text, _said(location, "where the claim stands"), search_target(text), True
    )
    return _changed(claims, "add", by, why, (), (claim,))


def reword_claim(claims: ClaimList, claim_id: str, text: str, *, by: str, why: str) -> ClaimList:
    """Put other words in the place of a claim's; it keeps its id, and its searches no longer hold."""
    old, text = claims.claim(claim_id), _said(text, "the claim's text")
    new = replace(old, text=text, search_target=search_target(text), admissible=True, reason=None)
    return _changed(claims, "reword", by, why, (old,), (new,))


def split_claim(claims: ClaimList, claim_id: str, texts: Sequence[str], *, by: str, why: str) -> ClaimList:
    """Put several claims in the place of one."""
    old = claims.claim(claim_id)
    if len(texts) < 2:
        raise DocumentError("a split needs two texts or more", remedy="Reword the claim instead")
    parts: list[Claim] = []
    for number, part in enumerate(texts):
        text = _said(part, "the text of each part")
        name = f"{old.claim_id}{chr(ord('a') + number)}" if number < 26 else f"{old.claim_id}-{number + 1}"
        if any(claim.claim_id == name for claim in claims):
            raise DocumentError(f"there is a claim {name!r} already", remedy="Drop or merge it first")
        parts.append(
            replace(old, claim_id=name, text=text, search_target=search_target(text), admissible=True)
        )
    return _changed(claims, "split", by, why, (old,), parts)


def merge_claims(claims: ClaimList, claim_ids: Sequence[str], text: str, *, by: str, why: str) -> ClaimList:
    """Put one claim in the place of several; it takes the first one's id and place."""
    if len(set(claim_ids)) < 2:
        raise DocumentError("a merge needs two claims or more", remedy="Reword the claim instead")
    old = [claims.claim(claim_id) for claim_id in dict.fromkeys(claim_ids)]
    text = _said(text, "the claim's text")
    new = replace(old[0], text=text, search_target=search_target(text), admissible=True, reason=None)
    return _changed(claims, "merge", by, why, old, (new,))


def drop_claim(claims: ClaimList, claim_id: str, *, by: str, why: str) -> ClaimList:
    """Take a claim out of the list; it stays in the history."""
    return _changed(claims, "drop", by, why, (claims.claim(claim_id),), ())
