"""Every review of a run judged, and what else is wrong with the run.

Reads everything and changes nothing; a review, a manifest or a hypothesis that cannot be read is reported
and stops nothing. No network. No clock.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from novelty_kit.errors import DocumentError, Problem
from novelty_kit.output import shorten
from novelty_kit.review.caps import CoreClaim
from novelty_kit.review.citation import CitationKey, citation_key
from novelty_kit.review.contents import (
    FoundManifest,
    StoredReview,
    core_claim,
    find_manifest,
    find_reviews,
    read_settings,
)
from novelty_kit.review.folder import Folder
from novelty_kit.review.judgement import Breach, Judgement, judge_review
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.store import review_id_parts
from novelty_kit.review.whereabouts import Place, disorder, hypothesis_places, read_hypothesis

__all__ = ["check_reviews", "run_problems"]


def check_reviews(
    run: Folder,
    core: tuple[str, ...] = (),
    policy: ReviewPolicy | None = None,
    hypothesis_id: str | None = None,
) -> tuple[Judgement, ...]:
    """Judge every JSON file of ``reviews/``, or those of one hypothesis, by hypothesis and number.

    Raises
    ------
    DocumentError
        ``run.yaml`` cannot be read.
    """
    reviews = find_reviews(run, hypothesis_id)
    ids = sorted({review.hypothesis_id for review in reviews})
    declared = bool(read_settings(run).constraints)
    manifests = {one: find_manifest(run, one) for one in ids if _is_hypothesis(one)}
    places = hypothesis_places(run)
    claims = {one: core_claim(_readable_hypothesis(run, one, places), core) for one in ids}
    return tuple(
        _judge(
            review,
            manifests.get(review.hypothesis_id, FoundManifest()),
            claims[review.hypothesis_id],
            declared,
            policy,
        )
        for review in reviews
    )


def _judge(
    review: StoredReview,
    found: FoundManifest,
    core: CoreClaim,
    declared: bool,
    policy: ReviewPolicy | None,
) -> Judgement:
    judgement = judge_review(
        review.record or {},
        review.hypothesis_id,
        review_id=review.stem,
        manifest=found.manifest,
        manifest_fault=found.fault,
        constraints_declared=declared,
        core=core,
        policy=policy,
    )
    judgement = replace(judgement, stem=review.stem)
    if review.record is None:
        unread = (Breach("E-RECORD", review.fault or "cannot be read"),)
        return replace(judgement, breaches=unread, schema_valid=False)
    named = review.record.get("id")
    if review_id_parts(review.stem) is None:
        misnamed = Breach("E-NAME", f"the file {review.file} is not named after a review id")
    elif isinstance(named, str) and named != review.stem:
        misnamed = Breach("E-NAME", f"the file {review.file} holds the review {named}", "/id")
    else:
        return judgement
    return replace(judgement, breaches=(*judgement.breaches, misnamed))


def _is_hypothesis(text: str) -> bool:
    return review_id_parts(f"{text}.R-01") is not None


def _readable_hypothesis(
    run: Folder, hypothesis_id: str, places: Mapping[str, tuple[Place, ...]]
) -> Mapping[str, Any] | None:
    # A judgement needs no hypothesis file; one that cannot be read is among the run's problems.
    for place in places.get(hypothesis_id, ()):
        with contextlib.suppress(DocumentError):
            return read_hypothesis(run, place, hypothesis_id)
    return None


def run_problems(run: Folder, core: tuple[str, ...] = ()) -> tuple[Problem, ...]:
    """What is wrong with a run beside its reviews, that there are none included."""
    found = []
    if not find_reviews(run):
        found.append(
            Problem("no review was found, so nothing was checked", remedy="Name a run with reviews/")
        )
    cited = _cited(run) if core else frozenset()
    for text in core:
        if citation_key(text) not in cited:
            found.append(
                Problem(
                    f"--core {shorten(text, 60)} is in no manifest of the run",
                    remedy="Write it as the manifest does",
                )
            )
    return (*found, *disorder(run))


def _cited(run: Folder) -> frozenset[CitationKey]:
    reviewed = sorted({review.hypothesis_id for review in find_reviews(run)})
    manifests = (find_manifest(run, one).manifest for one in reviewed if _is_hypothesis(one))
    return frozenset(key for manifest in manifests if manifest for key in manifest.statuses)
