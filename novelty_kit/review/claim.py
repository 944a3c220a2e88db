"""One claimed citation against what a source said of it: status, reason, and why.

The title decides, by the one strict matcher; authors can only cast doubt. An error leaves the citation
``unverified``. What a person has to look at is ``suspect-title-match`` and accuses nobody. No network. No
clock. Nothing is written.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from novelty_kit.review.extract import CitationItem
from novelty_kit.review.manifest import CitationStatus
from novelty_kit.review.rubric import rubric
from novelty_kit.titles import match_titles, title_key, title_words

if TYPE_CHECKING:
    from novelty_kit.review.verify import Resolution

__all__ = ["ClaimFinding", "authors_contradict", "judge_claim", "title_similarity"]

# Words of a family name that bibliographies put in either place, or leave out.
_PARTICLES: Final = frozenset(
    re.findall(
        r"\w+",
        "van von de den der des du di da do dos das del della la le les ten ter zu zur al el ibn ben af av",
    )
)
_ET_AL: Final = frozenset({"others", "et al", "et al.", "..."})
# Longer titles are cut before they are likened: the measure is quadratic, and only for reading.
_MAX_LIKENED: Final = 600


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """What is to be thought of one claim; fields as of :class:`novelty_kit.review.manifest.Citation`."""

    status: CitationStatus
    reason: str
    detail: str
    claimed_title: str | None
    resolved_title: str | None = None
    title_match: bool | None = None
    title_similarity: float | None = None


def judge_claim(claim: CitationItem, resolution: Resolution | None) -> ClaimFinding:
    """Judge one claim.

    Parameters
    ----------
    claim : CitationItem
    resolution : Resolution or None
        The last answer that was given; None where nobody can be asked about such an id.
    """
    by_title = claim.key.scheme == "title"
    title = claim.claimed_title or (claim.raw_id if by_title else None)
    if resolution is None:
        why = (
            "has no normal form" if claim.key.scheme == "malformed" else "is of a kind nobody is asked about"
        )
        return ClaimFinding("suspect-title-match", "not_found", f"the id {why}", title)
    if resolution.outcome in ("timeout", "network_error"):
        return ClaimFinding("unverified", resolution.outcome, resolution.detail or "no answer", title)
    if resolution.outcome == "not_found":
        if by_title:
            return ClaimFinding(
                "suspect-title-match",
                "not_found",
                "no record bears this title where it was looked for",
                title,
            )
        return ClaimFinding("phantom", "not_found", "the agency responsible knows no such id", title)
    return _judge_found(claim, title, resolution, by_title)


def _judge_found(
    claim: CitationItem, title: str | None, resolution: Resolution, by_title: bool
) -> ClaimFinding:
    titles = resolution.titles or ("",)
    if title is None:
        return ClaimFinding(
            "verified", "ok", "the record exists; no title was claimed", None, titles[0] or None
        )
    at, match = min(
        enumerate(match_titles(title, found, by_id=not by_title) for found in titles),
        key=lambda one: (
            _ORDER.index(one[1].status),
            # Of namesakes the one whose authors do not speak against it.
            authors_contradict(claim.authors, _authors_at(resolution.authors, one[0])),
            one[0],
        ),
    )
    likeness = max(title_similarity(title, found) for found in titles)
    resolved = titles[at] or None
    fields = (title, resolved, match.status == "verified", round(likeness, 4))
    if match.status == "mismatch" and not by_title and likeness < rubric().citations["suspect_floor"]:
        if _same_script(title, resolved or ""):
            return ClaimFinding(
                "phantom", "title_mismatch", "the record under this id has another title", *fields
            )
        return ClaimFinding(
            "suspect-title-match", "title_mismatch", "the titles are in different scripts", *fields
        )
    if match.status != "verified":
        return ClaimFinding("suspect-title-match", "title_mismatch", f"the titles: {match.reason}", *fields)
    authors = _authors_at(resolution.authors, at)
    if authors_contradict(claim.authors, authors):
        return ClaimFinding(
            "suspect-title-match", "title_mismatch", "the title agrees and the authors do not", *fields
        )
    if by_title and not (claim.authors and authors) and not _is_distinctive(title):
        return ClaimFinding(
            "suspect-title-match", "title_mismatch", "so short a title alone names no work", *fields
        )
    return ClaimFinding("verified", "ok", f"the titles: {match.reason}", *fields)


_ORDER: Final = ("verified", "suspect", "mismatch")


def _authors_at(authors: Sequence[tuple[str, ...]], at: int) -> tuple[str, ...]:
    if len(authors) == 1:
        return authors[0]
    return authors[at] if at < len(authors) else ()


def title_similarity(one: str, other: str) -> float:
    """How alike two titles are, from 0 to 1, in either order; markup, case and punctuation do not count."""
    a, b = title_key(one)[:_MAX_LIKENED], title_key(other)[:_MAX_LIKENED]
    if not a or not b:
        return 0.0
    return max(
        difflib.SequenceMatcher(None, a, b, autojunk=False).ratio(),
        difflib.SequenceMatcher(None, b, a, autojunk=False).ratio(),
    )


def _is_distinctive(title: str) -> bool:
    rules = rubric().citations
    enough_words = len(title_words(title)) >= int(rules["distinctive_words"])
    return enough_words and len(title_key(title)) >= int(rules["distinctive_letters"])


def _same_script(one: str, other: str) -> bool:
    """Whether two titles share a script; a translated title is no invented one."""
    first, second = _scripts(one), _scripts(other)
    return not first or not second or bool(first & second)


def _scripts(text: str) -> frozenset[str]:
    names = (unicodedata.name(char, "").partition(" ")[0] for char in text if char.isalpha())
    return frozenset(name for name in names if name)


def authors_contradict(claimed: Sequence[str], found: Sequence[str]) -> bool:
    """Whether claimed authors cannot be those of the record.

    They do where the first one is missing there, or half of them or more; names are compared by family
    name without particles. Where either side names nobody nothing is contradicted.
    """
    known = {family for name in found for family in _families(name)}
    named = [families for name in claimed if (families := _families(name))]
    if not known or not named:
        return False
    missing = [families for families in named if known.isdisjoint(families)]
    return known.isdisjoint(named[0]) or 2 * len(missing) >= len(named)


def _families(name: str) -> frozenset[str]:
    """What the family name may be, folded, without particles; empty where nobody is named."""
    if name.strip().casefold() in _ET_AL:
        return frozenset()
    family, comma, _ = name.partition(",")
    words = _folded(family).split()
    kept = [word for word in words if word not in _PARTICLES] or words
    # "García Márquez, G." and "G. García Márquez" are one: the last word, or the last two.
    joined = {"".join(kept), kept[-1]} if comma and kept else {"".join(kept[-2:]), "".join(kept[-1:])}
    return frozenset(joined - {""})


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("Ø", "O"))
    letters = (char if char.isalpha() else " " if not unicodedata.combining(char) else "" for char in plain)
    return "".join(letters).casefold()
