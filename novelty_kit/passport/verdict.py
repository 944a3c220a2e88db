"""Verdicts on alignment rows: the closed set, its order, and the two derivation rules that override a row.

Rules 1 and 2 are decided from the entry alone and never from what a sentence seems to mean. Reads nothing.
No network. No clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from novelty_kit.passport.finding import shown
from novelty_kit.passport.pointer import Target

__all__ = ["SEVERITY_OF", "Verdict", "denied_by", "nothing_ran", "worst"]


class Verdict(StrEnum):
    """What an experiment says of a claim, from the best to the worst."""

    ALIGNED = "ALIGNED"
    PROVENANCE_INSUFFICIENT = "PROVENANCE_INSUFFICIENT"
    OVERSTATED = "OVERSTATED"
    NOT_SUPPORTED_BY_PROVENANCE = "NOT_SUPPORTED_BY_PROVENANCE"


SEVERITY_OF: Final[Mapping[Verdict, str]] = {
    Verdict.ALIGNED: "clean",
    Verdict.PROVENANCE_INSUFFICIENT: "note",
    Verdict.OVERSTATED: "fail",
    Verdict.NOT_SUPPORTED_BY_PROVENANCE: "fail",
}

_ORDER: Final = tuple(Verdict)
_WORD_ENDS: Final = r"(?<!\w){}(?!\w)"


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of some verdicts, at least one."""
    return max(verdicts, key=_ORDER.index)


def nothing_ran(entry: Mapping[str, Any]) -> bool:
    """Rule 1: every planned unit of the entry says that it did not run."""
    units = entry.get("planned_vs_executed")
    return (
        isinstance(units, list)
        and bool(units)
        and all(isinstance(unit, dict) and unit.get("executed") is False for unit in units)
    )


def denied_by(entry: Mapping[str, Any], target: Target) -> tuple[int, str] | None:
    """Rule 2, by an explicit link only: the negative result that names the pointed-at result.

    Returns
    -------
    (int, str) or None
        Place in ``negative_results`` and the link in words: the metric as a whole word of the description
        (letter case aside), or the same file where the pointer names no metric. None where nothing links.
    """
    negatives = entry.get("negative_results")
    word = _metric_word(target.metric)
    for place, negative in enumerate(negatives if isinstance(negatives, list) else ()):
        if not isinstance(negative, dict):
            continue
        description = negative.get("description")
        if word is not None and isinstance(description, str) and word.search(" ".join(description.split())):
            return place, f"its description names the metric {shown(target.metric)}"
        same_file = target.file is not None and negative.get("result_file") == target.file
        if same_file and not target.names_metric:
            return place, f"it rests on the same file {shown(target.file)}"
    return None


def _metric_word(metric: str | None) -> re.Pattern[str] | None:
    words = " ".join(metric.split()) if metric is not None else ""
    return re.compile(_WORD_ENDS.format(re.escape(words)), re.IGNORECASE) if words else None
