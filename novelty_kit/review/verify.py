"""Are the citations real, and are they what they are said to be?

Asks a resolver that the caller hands in, source after source, and only after a definite *no* of the one
before. An error is never a *no*: a citation that nobody could be asked about is ``unverified`` and accuses
nobody. A phantom needs a definite *no* of every agency that is responsible for the id, or a record under
the id whose title has nothing in common with the claimed one. Ends within the deadline, whatever the
sources do. The clock serves the deadline alone and enters no result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from novelty_kit.errors import LookupFailure, NoveltyKitError
from novelty_kit.review.citation import CitationKey, CitationScheme
from novelty_kit.review.claim import judge_claim
from novelty_kit.review.extract import CitationItem
from novelty_kit.review.manifest import Citation, CitationStatus
from novelty_kit.review.rubric import rubric

__all__ = [
    "AGENCIES",
    "Agency",
    "CheckedCitation",
    "Resolution",
    "Resolver",
    "Verification",
    "verify_citations",
]

Agency = Literal[
    "crossref", "datacite", "doi.org", "arxiv", "europepmc", "openalex", "clinicaltrials", "title-search"
]
Outcome = Literal["found", "not_found", "timeout", "network_error"]

AGENCIES: Final[dict[CitationScheme, tuple[Agency, ...]]] = {
    "doi": ("crossref", "datacite", "doi.org"),
    "arxiv": ("arxiv",),
    "pmid": ("europepmc",),
    "pmcid": ("europepmc",),
    "openalex": ("openalex",),
    "nct": ("clinicaltrials",),
    "title": ("title-search",),
}
"""Who is asked about an id, in order: the next one only after a definite *no*.

Crossref and DataCite know what they gave out themselves; only doi.org knows what the other agencies did.
"""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What one source said about one citation.

    Attributes
    ----------
    outcome : str
        ``found``; ``not_found``, a definite *no* of this source (HTTP 404 of Crossref, DataCite, OpenAlex and
        ClinicalTrials.gov, an empty answer of arXiv and Europe PMC, "does not exist" of doi.org) and nothing
        else; ``timeout``; ``network_error`` for every other failure, rate limits and unreadable answers
        included.
    titles : tuple of str
        The record's titles, in every language that it has; for a title search those of all hits.
    authors : tuple of tuple of str
        For each title the authors of its record; one entry for all where they share a record.
    url : str or None
    detail : str
        What went wrong, for a person.
    """

    outcome: Outcome
    titles: tuple[str, ...] = ()
    authors: tuple[tuple[str, ...], ...] = ()
    url: str | None = None
    detail: str = ""


class Resolver(Protocol):
    """Whoever can look a citation up."""

    def resolve(self, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
        """Ask one source about one citation, and give up after `timeout_s` seconds.

        For ``title-search`` the key's id is the folded title.
        """


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation with what was found out about it.

    Attributes
    ----------
    citation : Citation
        As the manifest holds it.
    item : CitationItem
        As it was claimed.
    asked : tuple of str
        The sources that were asked, in order.
    detail : str
        Why the status is what it is, for a person.
    """

    citation: Citation
    item: CitationItem
    asked: tuple[Agency, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found out about all citations.

    Attributes
    ----------
    checked : tuple of CheckedCitation
        In the order in which they were claimed.
    """

    checked: tuple[CheckedCitation, ...]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The entries of the manifest."""
        return tuple(one.citation for one in self.checked)

    def has(self, status: CitationStatus) -> bool:
        """Whether any citation has this status."""
        return any(entry.status == status for entry in self.citations)

    @property
    def verdict(self) -> str:
        """The first that holds of five words that the other tools know."""
        if not self.checked:
            return "no-citations-found"
        if self.has("phantom"):
            return "phantom-citations-present"
        if self.has("suspect-title-match"):
            return "suspect-matches-present"
        return "partially-unresolved" if self.has("unverified") else "all-verified"

    @property
    def codes(self) -> tuple[str, ...]:
        """The relay codes of the other tools: a defect first, then the qualifiers."""
        named: tuple[tuple[CitationStatus, str], ...] = (
            ("phantom", "cite.phantom_citation"),
            ("suspect-title-match", "cite.suspect_title_match"),
            ("unverified", "cite.unresolved_offline"),
        )
        return tuple(code for status, code in named if self.has(status))

    @property
    def exit_code(self) -> int:
        """3 where a source could not be asked, else 1 for phantoms, suspects or nothing at all, else 0."""
        if self.has("unverified"):
            return 3
        return 0 if self.verdict == "all-verified" else 1


def verify_citations(
    items: Iterable[CitationItem],
    resolver: Resolver,
    deadline_s: float,
    *,
    lookup_s: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Verification:
    """Look citations up and judge each claim.

    Parameters
    ----------
    items : iterable of CitationItem
        Each distinct id is looked up once, whatever the number of claims about it.
    resolver : Resolver
    deadline_s : float
        After this many seconds everything not yet decided is ``unverified`` for a timeout. It holds even
        where the resolver does not return.
    lookup_s : float, optional
        At most so long for one question (10).
    clock : callable, optional

    Returns
    -------
    Verification
    """
    claims = tuple(dict.fromkeys(items))
    until = clock() + deadline_s
    patience_s = float(rubric().citations["lookup_s"]) if lookup_s is None else lookup_s
    answers: dict[CitationKey, _Answer] = {}
    keys = [claim.key for claim in claims]
    for key in dict.fromkeys(keys):
        answers[key] = _ask_in_turn(key, resolver, until, patience_s, clock)
    return Verification(tuple(_checked(claim, answers[key]) for claim, key in zip(claims, keys, strict=True)))


@dataclass(frozen=True, slots=True)
class _Answer:
    resolution: Resolution | None
    asked: tuple[Agency, ...]


def _ask_in_turn(
    key: CitationKey, resolver: Resolver, until: float, patience_s: float, clock: Callable[[], float]
) -> _Answer:
    asked: list[Agency] = []
    resolution: Resolution | None = None
    for agency in AGENCIES.get(key.scheme, ()):
        left_s = min(patience_s, until - clock())
        if left_s <= 0:
            return _Answer(
                Resolution("timeout", detail="the deadline passed before it was asked"), tuple(asked)
            )
        asked.append(agency)
        resolution = _ask(resolver, agency, key, left_s)
        if resolution.outcome != "not_found":
            break
    return _Answer(resolution, tuple(asked))


def _ask(resolver: Resolver, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
    """Ask in a thread of its own: no timeout of a client covers a name server that does not answer."""
    answers: list[Resolution | NoveltyKitError] = []

    def ask() -> None:
        try:
            answers.append(resolver.resolve(agency, key, timeout_s))
        except NoveltyKitError as error:
            answers.append(error)

    thread = threading.Thread(target=ask, name=f"ask-{agency}", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if not answers:
        if thread.is_alive():
            return Resolution("timeout", detail=f"{agency} did not answer within {timeout_s:.1f} s")
        raise RuntimeError(f"the resolver failed on {agency} {key}")
    answer = answers[0]
    if isinstance(answer, LookupFailure):
        return Resolution("network_error", detail=str(answer))
    if isinstance(answer, NoveltyKitError):
        raise answer
    return answer


def _checked(claim: CitationItem, answer: _Answer) -> CheckedCitation:
    last = answer.asked[-1] if answer.asked else None
    finding = judge_claim(claim, answer.resolution)
    found = answer.resolution is not None and answer.resolution.outcome == "found"
    citation = Citation(
        id=str(claim.key) if claim.key.is_id else claim.raw_id,
        raw_id=claim.raw_id,
        status=finding.status,
        reason=finding.reason,
        source=last,
        claimed_title=finding.claimed_title,
        resolved_title=finding.resolved_title,
        title_match=finding.title_match,
        title_similarity=finding.title_similarity,
        verified_via=last if found else None,
        url=answer.resolution.url if answer.resolution else None,
    )
    return CheckedCitation(citation, claim, answer.asked, finding.detail)
