"""A review is added: judged whole before it gets a number, refused with every breach at once.

Reads the hypothesis, its manifest and ``run.yaml``; writes one file into ``reviews/`` and moves one
counter, both under the run's lock. A refused review changes nothing, not even the counter. No network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.review.citation import citation_key
from novelty_kit.review.contents import core_claim, find_manifest, read_settings
from novelty_kit.review.folder import Folder
from novelty_kit.review.judgement import Breach, Judgement, judge_review
from novelty_kit.review.manifest import Manifest
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.record import record_bytes
from novelty_kit.review.rubric import rubric
from novelty_kit.review.store import file_of, next_review_id, store_review
from novelty_kit.review.whereabouts import hypothesis_places, read_hypothesis

__all__ = ["AddedReview", "PreparedReview", "prepare_review", "write_review"]


@dataclass(frozen=True, slots=True)
class PreparedReview:
    """A review that was judged and may be stored.

    Attributes
    ----------
    record : mapping
        With ``hypothesis_id`` filled in; its ``id`` is overwritten when it is stored.
    judgement : Judgement
    manifest : Manifest or None
    """

    record: Mapping[str, Any]
    judgement: Judgement
    manifest: Manifest | None

    def bytes_as(self, review_id: str) -> bytes:
        """The file's content under this id."""
        return record_bytes({**self.record, "id": review_id})


@dataclass(frozen=True, slots=True)
class AddedReview:
    """A review that was stored.

    Attributes
    ----------
    review_id : str
    file : str
        Relative to the run.
    judgement : Judgement
    quarantine_due : bool
        Whether a trigger holds and the hypothesis is not in quarantine yet.
    """

    review_id: str
    file: str
    judgement: Judgement
    quarantine_due: bool


def prepare_review(
    run: Folder,
    record: Mapping[str, Any],
    hypothesis_id: str,
    *,
    source: str,
    core: tuple[str, ...] = (),
    strict: bool = False,
    policy: ReviewPolicy | None = None,
) -> PreparedReview:
    """Judge a review that is to be added; the caller holds the lock.

    Parameters
    ----------
    run : Folder
    record : mapping
        The review as it was given.
    hypothesis_id : str
        A well-formed id.
    source : str
        Where the record is from, for messages.
    core : tuple of str
        Citations that are said to carry the core.
    strict : bool
        Refuse for broken conventions too.
    policy : ReviewPolicy, optional

    Raises
    ------
    DocumentError
        The hypothesis does not exist, or the review is refused; every breach is listed.
    InputError
        A core citation is known to nobody.
    """
    places = hypothesis_places(run).get(hypothesis_id, ("hypotheses",))
    hypothesis = read_hypothesis(run, places[0], hypothesis_id)
    found = find_manifest(run, hypothesis_id)
    named = record.get("hypothesis_id")
    candidate = {**record, "id": f"{hypothesis_id}.R-01"}
    if not isinstance(named, str) or not named:
        candidate["hypothesis_id"] = hypothesis_id
    _require_known(core, record, hypothesis, found.manifest)
    judgement = judge_review(
        candidate,
        hypothesis_id,
        manifest=found.manifest,
        manifest_fault=found.fault,
        constraints_declared=bool(read_settings(run).constraints),
        core=core_claim(hypothesis, core),
        policy=policy,
    )
    breaches = list(judgement.breaches)
    if strict:
        known = {breach.code for breach in breaches}
        breaches += [
            Breach(code, rubric().warnings[code]) for code in judgement.warnings if code not in known
        ]
    if breaches:
        n = len(breaches)
        raise DocumentError(
            f"the review is refused for {n} {'breach' if n == 1 else 'breaches'} of the rubric",
            path=source,
            remedy="Nothing was stored and no number used; correct what is listed",
            problems=[breach.as_problem() for breach in breaches],
        )
    return PreparedReview(candidate, judgement, found.manifest)


def _require_known(
    core: tuple[str, ...],
    record: Mapping[str, Any],
    hypothesis: Mapping[str, Any],
    manifest: Manifest | None,
) -> None:
    """Refuse a core citation that nobody cites: a misspelt one would silently lift the cap to 2."""
    if not core or manifest is None:
        return
    lists = (record.get("verified_citations"), record.get("phantom_citations"))
    cited = {
        citation_key(text) for one in lists if isinstance(one, list) for text in one if isinstance(text, str)
    }
    evidence = hypothesis.get("evidence")
    for entry in evidence if isinstance(evidence, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("lit_id"), str):
            cited.add(citation_key(entry["lit_id"]))
    for text in core:
        if citation_key(text) not in cited and citation_key(text) not in manifest.statuses:
            raise InputError(
                f"--core {text!r:.80} is cited nowhere",
                remedy="Write it as the manifest or the evidence does",
            )


def write_review(run: Folder, prepared: PreparedReview, hypothesis_id: str) -> AddedReview:
    """Store a prepared review under the next id; the caller holds the lock."""
    review_id = next_review_id(run, hypothesis_id)
    store_review(run, review_id, prepared.bytes_as(review_id))
    in_quarantine = "quarantine" in hypothesis_places(run).get(hypothesis_id, ())
    return AddedReview(
        review_id,
        f"reviews/{file_of(review_id)}",
        prepared.judgement,
        quarantine_due=bool(prepared.judgement.triggers) and not in_quarantine,
    )
