"""What a report depends on: the log at one event, the candidate, the policy, the rules, the form of the page."""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit import __version__
from novelty_kit.report.candidate_form import candidate_sha256
from novelty_kit.report.documents import documents_sha256
from novelty_kit.verdict.record import SPEC_VERSION

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy

__all__ = ["made_from", "template_sha256"]


def made_from(
    graph: Graph,
    candidate: Candidate,
    policy: Policy,
    folder: str | None = None,
    known: MutableMapping[Path, str] | None = None,
) -> dict[str, Any]:
    """What a report's facts depend on; where it is the same, the facts are the same.

    Parameters
    ----------
    graph : Graph
    candidate : Candidate
    policy : Policy
    folder, known
        As in :func:`novelty_kit.report.documents.documents_sha256`.
    """
    return {
        "log_sha256": graph.sha256,
        "as_of_seq": graph.as_of_seq,
        "candidate_sha256": candidate_sha256(candidate),
        "documents_sha256": documents_sha256(candidate, folder, known),
        "policy": policy.to_dict(),
        "novelty_kit": __version__,
        "spec_version": SPEC_VERSION,
    }


def template_sha256(notebook: str) -> str:
    """What a report's form depends on: the cells of the notebook at that path, and the templates of the page."""
    from novelty_kit.report.page import page_sha256
    from novelty_kit.report.run import source_sha256

    return hashlib.sha256(f"{source_sha256(notebook)} {page_sha256()}".encode()).hexdigest()
