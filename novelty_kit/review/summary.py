"""What the reviews say of one hypothesis: the review part of a candidate's report.

A function of an open run that changes nothing. The mean review score is given with its spread and its
number of reviews; it sorts reviews for attention and enters no verdict. No network. No clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from novelty_kit.review.axes import LoadedReview, latest_axes, load_reviews, review_means
from novelty_kit.review.check import check_reviews
from novelty_kit.review.composite import AXIS_OF
from novelty_kit.review.contents import find_manifest
from novelty_kit.review.folder import Folder
from novelty_kit.review.judgement import Judgement
from novelty_kit.review.rubric import rubric
from novelty_kit.review.store import require_hypothesis_id

if TYPE_CHECKING:
    from novelty_kit.review.view import RunView

__all__ = ["summary"]

SHOWN_WITH_MEAN: Final = "A mean over few reviews; it orders reviews for attention and enters no verdict"


def summary(run: RunView, hypothesis_id: str) -> dict[str, Any]:
    """What the reviews say of one hypothesis, for its candidate's report.

    Returns
    -------
    dict
        ``hypothesis_id``; ``status``: ``reviewed``, ``quarantined``, ``quarantine_due`` or
        ``not_reviewed``; ``triggers`` with their sentences; ``outage``; ``advice``; ``citations``: the
        five counts, or None without a manifest; ``phantoms`` and ``needs_human``: ids; ``cap``: rule and
        ``max_correctness``, or None where unknown; ``mean``: ``mean``, ``sd``, ``lowest``, ``highest``,
        ``n`` and a note, or None; ``axes``: score and source of goal, constraint and novelty;
        ``reviews``: id, type, reviewer, scores, capped correctness, verdict, criticisms, warnings and
        errors of each, in order. All of it is JSON; texts are as the reviewers wrote them.
    """
    require_hypothesis_id(hypothesis_id)
    with Folder.open(run.path) as folder:
        own = load_reviews(folder, hypothesis_id)
        found = find_manifest(folder, hypothesis_id)
        checked = check_reviews(folder, policy=run.policy, hypothesis_id=hypothesis_id)
    judgements = {one.stem: one for one in checked}
    triggers = {code for one in judgements.values() for code in one.triggers}
    mean = review_means(own).get(hypothesis_id)
    axes = latest_axes(own, run.policy).get(hypothesis_id, {})
    first = next(iter(judgements.values()), None)
    return {
        "hypothesis_id": hypothesis_id,
        "status": _status(hypothesis_id in run.quarantined(), bool(triggers), bool(own)),
        "triggers": [
            {"code": code, "says": says} for code, says in rubric().triggers.items() if code in triggers
        ],
        "outage": any(one.ruling.outage for one in judgements.values()),
        "advice": list(dict.fromkeys(text for one in judgements.values() for text in one.advice)),
        "citations": found.manifest.counts.to_dict() if found.manifest else None,
        "manifest_fault": found.fault,
        "phantoms": [one.id for one in found.manifest.with_status("phantom")] if found.manifest else [],
        "needs_human": list(first.needs_human) if first else [],
        "cap": {"rule": first.ruling.cap_rule, "max_correctness": first.ruling.max_correctness}
        if first and first.cap_known
        else None,
        "mean": {
            "mean": mean.mean,
            "sd": mean.sd,
            "lowest": mean.lowest,
            "highest": mean.highest,
            "n": mean.n,
            "note": SHOWN_WITH_MEAN,
        }
        if mean
        else None,
        "axes": {
            name: {"score": axes[name].score, "review_id": axes[name].review_id} if name in axes else None
            for name in AXIS_OF
        },
        "reviews": [_part(review, judgements[review.stored.stem]) for review in own],
    }


def _status(quarantined: bool, due: bool, reviewed: bool) -> str:
    if quarantined:
        return "quarantined"
    if due:
        return "quarantine_due"
    return "reviewed" if reviewed else "not_reviewed"


def _part(review: LoadedReview, judgement: Judgement) -> dict[str, Any]:
    record = review.stored.record or {}
    given = review.scores.get("correctness")
    most = judgement.ruling.max_correctness
    criticisms = record.get("key_criticisms")
    return {
        "review_id": judgement.review_id,
        "review_type": judgement.review_type,
        "reviewer": judgement.reviewer,
        "scores": dict(review.scores),
        "capped_correctness": min(given, most) if given is not None and judgement.cap_known else None,
        "verdict": record.get("verdict") if isinstance(record.get("verdict"), str) else None,
        "key_criticisms": [str(one) for one in criticisms] if isinstance(criticisms, list) else [],
        "warnings": [{"code": code, "says": rubric().says(code)} for code in judgement.warnings],
        "errors": [breach.to_dict() for breach in judgement.breaches],
    }
