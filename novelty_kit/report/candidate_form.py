"""A checked candidate written back in the form of the novelty reference, section 4: one form, whatever the file was."""

from __future__ import annotations

import hashlib
from typing import Any

from novelty_kit.output import canonical_json
from novelty_kit.verdict.candidate import Candidate

__all__ = ["candidate_form", "candidate_sha256"]

_FIELD_OF_SCHEME = {"s2": "s2_paperId"}
_AS_IS = (
    "statement", "about_lom_id", "claim_id", "title", "publication_date", "passport", "manuscript", "review_run",
    "hypothesis_id", "priorart",
)  # fmt: skip


def candidate_form(candidate: Candidate) -> dict[str, Any]:
    """The candidate as JSON-able builtins; reading it again gives the same candidate (but for its log's name).

    Absent fields stay absent, an empty list stays an empty list.
    """
    form: dict[str, Any] = {} if candidate.label is None else {"id": candidate.label}
    form["kind"] = candidate.kind
    if candidate.keys:
        form["keys"] = _keys(candidate.keys)
    for name in _AS_IS:
        value = getattr(candidate, name)
        if value is not None:
            form[name] = value
    if candidate.leave_out:
        form["leave_out"] = True
    # The border's name for what the authors used; inside it is `seen`.
    if candidate.seen is not None:
        form["holdout_lom_ids"] = list(candidate.seen)
    if candidate.references is not None:
        form["references"] = list(candidate.references)
    if candidate.checked is not None:
        stated = candidate.checked
        row = {
            "status": stated.status,
            "n_refs": stated.n_refs,
            "source": stated.source,
            "checked_ts": stated.checked_ts,
        }
        form["references_checked"] = {
            **row,
            **({"reason": stated.reason} if stated.reason is not None else {}),
        }
    return form


def _keys(lom_ids: tuple[str, ...]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for lom_id in lom_ids:
        scheme, _, bare = lom_id.partition(":")
        if scheme in keys:  # only an arXiv id can stand twice: the second was given as a DOI
            keys["doi"] = f"10.48550/arxiv.{bare}"
        else:
            keys[_FIELD_OF_SCHEME.get(scheme, scheme)] = bare
    return keys


def candidate_sha256(candidate: Candidate) -> str:
    """Hash of the candidate in that form."""
    return hashlib.sha256(canonical_json(candidate_form(candidate)).encode("utf-8")).hexdigest()
