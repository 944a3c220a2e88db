"""The index of a batch: a table of all candidates that sorts and filters without a network.

A pure function of the outcomes. It counts verdicts, statuses and the outcomes of audits each for itself; nothing
is added up across them, and the order says nothing about worth.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from novelty_kit import __version__
from novelty_kit.report.audit_words import AUDIT_LABELS
from novelty_kit.report.outcome import Outcome
from novelty_kit.report.page import own_file
from novelty_kit.report.parts import environment

__all__ = ["render_index"]

_VERDICTS = ("duplicate", "neighborhood", "novel", "unknown", "error")
_STATUSES = ("ok", "lookup_failed", "insufficient_edges", "incomparable", "error")
_UNREAD = "cannot be read"


def render_index(outcomes: Sequence[Outcome]) -> str:
    """The table of all candidates, in their order."""
    script = own_file("index.js")
    digest = base64.b64encode(hashlib.sha256(str(script).encode("utf-8")).digest()).decode("ascii")
    named = {label for outcome in outcomes for label in outcome.audits}
    audits = [label for label in AUDIT_LABELS if label in named]
    shown: dict[str, Any] = {
        "rows": [_row(outcome, audits) for outcome in outcomes],
        "audits": audits,
        "verdicts": _counts((_verdict(outcome) for outcome in outcomes), _VERDICTS),
        "statuses": _counts((outcome.status for outcome in outcomes), _STATUSES),
        "unread": sum(_UNREAD in outcome.audits.values() for outcome in outcomes),
        "log": next((outcome.log for outcome in outcomes if outcome.log is not None), None),
        "logs": len({repr(outcome.log) for outcome in outcomes if outcome.log is not None}),
        "version": __version__, "style": own_file("style.css"), "script": script,
        "script_hash": f"sha256-{digest}",
    }  # fmt: skip
    return environment().get_template("index.html.j2").render(shown) + "\n"


def _verdict(outcome: Outcome) -> str:
    return outcome.verdict if outcome.verdict is not None else "error"


def _counts(names: Iterable[str], order: Sequence[str]) -> list[tuple[str, int]]:
    """Each name that occurs and how often: those of the order first, others by name."""
    found = Counter(names)
    return [(name, found[name]) for name in [*order, *sorted(set(found) - set(order))] if found[name]]


def _row(outcome: Outcome, audits: Sequence[str]) -> dict[str, Any]:
    shared = "–"
    if outcome.n_shared is not None:
        in_sample, holdout = outcome.n_shared
        shared = f"{in_sample} in-sample" + ("" if holdout is None else f", {holdout} holdout")
    return {
        "slug": outcome.slug,
        "candidate_id": outcome.candidate_id,
        "words": outcome.error if outcome.error is not None else outcome.words,
        "verdict": _verdict(outcome),
        "status": outcome.status,
        "shared": shared,
        "n_shared": -1 if outcome.n_shared is None else sum(n or 0 for n in outcome.n_shared),
        "gap": outcome.gap,
        "audits": [outcome.audits.get(label) for label in audits],
    }
