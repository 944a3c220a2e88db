"""What must be known to read the counts: the five disclosures of every record, and what this reading did.

The five: extraction, comparison, selection, quote check, sources (novelty reference, prior art, section 7).
They stand in each record and on each page made from one. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from novelty_kit.output import shorten
from novelty_kit.priorart.claims import ClaimList
from novelty_kit.priorart.searchlog import Search
from novelty_kit.priorart.settle import ReasonClass, Settled, kind_and_severity
from novelty_kit.priorart.verdicts import GivenVerdict, Verdict
from novelty_kit.priorart.wording import listed, say

__all__ = ["checking_notes", "claim_notes", "counting_notes", "proof_notes", "section_7", "sources_note"]


def section_7(*, proven: bool) -> list[str]:
    """The first four disclosures; the fifth, on the sources, is :func:`sources_note`."""
    if proven:
        quotes = say(
            "Quote check: a kept quote stands in the stored text of a work that this claim's search found; "
            "that the passage means what the verdict says of it is not proven."
        )
    else:
        quotes = say(
            "Quote check: only a marker was seen in the evidence (a quotation in double quotation marks, "
            "or one of the words fetched, source: and quote:); no text was compared, and nothing shows that "
            "a passage exists or means what the verdict says of it."
        )
    return [
        say(
            "Extraction: a claim that nobody recognised as one stands in no count; every number here holds "
            "only for the claims that were listed."
        ),
        say(
            "Comparison: a person or a model held each claim against the texts found; clear-under-search "
            "says that they saw no collision in those texts, not that there is none."
        ),
        say(
            "Selection: a search puts its answers in an order of its own, cuts it, and misses works; texts "
            "were taken from titles, abstracts or pages by a program. A work that no search returned was "
            "compared with nothing."
        ),
        quotes,
    ]


def sources_note(searches: Sequence[Search] | None, n_claims: int) -> list[str]:
    """The fifth disclosure: each source, how often it was searched to the end, and what went wrong.

    Parameters
    ----------
    searches : sequence of Search or None
        None: no search log was read.
    n_claims : int
        How many claims are counted.
    """
    if searches is None:
        return [say("Sources: no search log was read; what was searched, and what failed, is not known.")]
    if not searches:
        return [say("Sources: the search log has no search for any of the {n} claims.", n=n_claims)]
    by_source: dict[str, list[Search]] = {}
    for search in searches:
        by_source.setdefault(search.source, []).append(search)
    notes = []
    for name in sorted(by_source):
        asked = by_source[name]
        done = sum(search.completed for search in asked)
        notes.append(
            say(
                "Source {name}: {done} of {n} searches completed{holds}.",
                name=name,
                done=done,
                n=len(asked),
                holds=_holds(asked),
            )
        )
        notes.extend(
            say("Source {name}: degraded, {how}, {n} times.", name=name, how=how, n=n)
            for how, n in sorted(Counter(map(_degraded, asked)).items())
            if how
        )
    works = {(w.id, w.text_sha256, w.has_abstract) for search in searches for w in search.candidates}
    bare = sum(not has_abstract for _, _, has_abstract in works)
    if bare:
        notes.append(
            say(
                "Texts: of {n} works found, {bare} had a title only, so nothing of them can be quoted.",
                n=len(works),
                bare=bare,
            )
        )
    return notes


def _holds(asked: Sequence[Search]) -> str:
    limits = sorted({search.limit for search in asked if search.limit is not None})
    holds = max((search.n_total or 0 for search in asked), default=0)
    pool = f" of up to {holds}" if holds else ""
    return f", at most {' or '.join(map(str, limits))} answers each{pool}" if limits else ""


def _degraded(search: Search) -> str:
    if search.completed:
        return ""
    status = f" (HTTP {search.http_status})" if search.http_status is not None else ""
    reason = f": {shorten(search.reason, 100)}" if search.reason else ""
    return f"{search.state}{status}{reason}"


def counting_notes(settled: Sequence[Settled], lenient: bool) -> list[str]:
    """What was counted otherwise than it was given, and why."""
    notes = []
    classes = Counter(claim.reason_class for claim in settled)
    downgrades = classes[ReasonClass.DOWNGRADED_COLLISION] + classes[ReasonClass.DOWNGRADED_UNCITED_RELEVANT]
    if downgrades:
        notes.append(
            say("Downgrades ({n}): verdicts that stood on no good quote count as inconclusive.", n=downgrades)
        )
    unsearched = sum(
        claim.verdict is Verdict.INCONCLUSIVE
        and claim.unit.given is not None
        and claim.unit.given.verdict is Verdict.CLEAR_UNDER_SEARCH
        and not claim.unit.faults
        for claim in settled
    )
    if unsearched:
        notes.append(
            say(
                "Searches ({n}): verdicts given as clear without a completed search count as inconclusive.",
                n=unsearched,
            )
        )
    if lenient:
        n = classes[ReasonClass.DATA_INTEGRITY]
        notes.append(
            say("Reading: lenient; claims that did not fit ({n}) count once each as inconclusive.", n=n)
        )
    return notes


def checking_notes(verdicts: Sequence[GivenVerdict], settled: Sequence[Settled]) -> list[str]:
    """Who judged, and what the list said that was checked or ignored."""
    notes = []
    judges = Counter(
        f"{given.judge.kind} {given.judge.name}" if given.judge else "somebody who is not named"
        for given in verdicts
    )
    for who, n in sorted(judges.items()):
        notes.append(say("Judged by: {who} (verdicts: {n}).", who=who, n=n))
    contradicted = [claim.unit.claim_id for claim in settled if _contradicts(claim)]
    if contradicted:
        notes.append(
            say(
                "Kind and severity follow from the verdict; the list says otherwise for {n} claims: {ids}.",
                n=len(contradicted),
                ids=listed(contradicted),
            )
        )
    ignored = Counter(key for given in verdicts for key in given.ignored)
    if ignored:
        notes.append(say("Ignored: fields that mean nothing here: {keys}.", keys=listed(sorted(ignored))))
    return notes


def _contradicts(claim: Settled) -> bool:
    """Whether the list's kind or severity is not that of the list's verdict."""
    given = claim.unit.given
    if given is None or given.finding is None or given.verdict is None:
        return False
    kind, severity = kind_and_severity(given.verdict)
    return given.finding.kind not in (None, kind) or given.finding.severity not in (None, severity)


def claim_notes(claims: ClaimList) -> list[str]:
    """What the claim list says of itself, what it leaves out, and who edited it."""
    notes = [say("The claim list says: {note}", note=note) for note in claims.coverage_notes]
    reasons = Counter(claim.reason or "" for claim in claims.inadmissible)
    for reason, n in sorted(reasons.items()):
        notes.append(say("Not counted ({n}): sentences that are no novelty claims; {why}.", n=n, why=reason))
    for edit in claims.edits:
        notes.append(
            say(
                "Edited: {by} did {op} on {ids}: {why}.",
                by=edit.by,
                op=edit.op,
                ids=listed([claim.claim_id for claim in edit.before or edit.after]),
                why=edit.why.rstrip("."),
            )
        )
    return notes


def proof_notes(
    settled: Sequence[Settled], whole: bool, n_references: int, name: str, claims: ClaimList
) -> list[str]:
    """What the proof of the quotes could not take into account."""
    notes = []
    unproven = [
        f"{claim.unit.claim_id} {proof.result}"
        for claim in settled
        if claim.verdict is not Verdict.INCONCLUSIVE
        for proof in claim.proofs
        if not proof.verified
    ]
    if unproven:
        notes.append(
            say(
                "Quotes: {n} beside a proven one are not proven and not shown: {which}.",
                n=len(unproven),
                which=listed(unproven),
            )
        )
    if not whole:
        notes.append(say("Own text: only the claims' own sentences were held against the quotes."))
    if not n_references:
        notes.append(
            say("References: none were handed in, so a found work that is cited would not be noticed.")
        )
    if name != claims.artifact:
        notes.append(say("Artifact: the claim list was made for {name}.", name=claims.artifact))
    return notes
