"""The deterministic judge: it compares numbers and nothing else, and never says ALIGNED from silence.

Reads a claim and an entry. Where words would have to be understood it cannot tell, and says so. No network.
No clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, Literal

from novelty_kit.passport.finding import shown
from novelty_kit.passport.judge import JudgedClaim, Judgement
from novelty_kit.passport.pointer import Target
from novelty_kit.passport.quantity import Quantity, quantities, quantity_of, same_unit
from novelty_kit.passport.verdict import Verdict, denied_by, nothing_ran
from novelty_kit.passport.words import DOWN, HIGHER_IS_BETTER, LOWER_IS_BETTER, UNIT_TAILS, UP

__all__ = ["NumberJudge"]

_BEFORE_DELTA = re.compile(
    r"\bby\s+(?:about|around|approximately|nearly|almost|up to|at least|over|~)?\s*$", re.I
)
_AFTER_DELTA = re.compile(r"\s*(?:-?fold\b|times\b|x\b|×|percentage points?\b|points?\b)", re.I)
_AT_LEAST = re.compile(
    r"(?:\b(?:at least|more than|greater than|above|over|exceed(?:s|ed|ing)?)|>=?|≥)\s*$", re.I
)
_AT_MOST = re.compile(r"(?:\b(?:at most|less than|fewer than|below|under)|<=?|≤)\s*$", re.I)
_TURNED = re.compile(r"\s*(?:(?:mean|average|in|of|the)\s+){0,3}", re.I)
_HEDGED = re.compile(
    r"n't\b|\b(?:not|no|never|neither|nor|fail(?:s|ed)? to|would|could|may|might|should)\b", re.I
)
_LONGEST_TEXT: Final = 2000
_LONGEST_METRIC: Final = 200
_TELLING_PARTS: Final = 3
_BETWEEN = re.compile(
    r"[\s:=(~≈<>≥≤]*(?:(?:of|was|is|were|are|to|at|reaches|reached|hit|than|least|most|more|less|greater|fewer|only|"
    r"above|over|below|under|up|about|around|approximately|nearly|almost|score|value|rate|equals?|equal)[\s:=(~≈<>≥≤]+)*",
    re.I,
)


class NumberJudge:
    """The deterministic judge: rules 1, 2 and 5, and whether the claim's number is the reported one.

    OVERSTATED only where the claim names the pointed-at metric and gives a number that is better than the
    reported one by more than its stated precision; ALIGNED only where it gives the reported number, or a
    bound that the reported number keeps; NOT_SUPPORTED_BY_PROVENANCE where the pointer names nothing or a
    unit that did not run; PROVENANCE_INSUFFICIENT wherever it cannot tell.
    """

    name: Final = "numbers-v1"

    def __call__(self, claim: JudgedClaim, entry: Mapping[str, Any], /) -> Judgement:
        """Judge one claim against one entry; the worse of the row's text and the manifest's text counts."""
        first = self._judge(claim.text, claim.target, entry)
        if not claim.manifest_text or claim.manifest_text == claim.text:
            return first
        second = self._judge(claim.manifest_text, claim.target, entry)
        order = tuple(Verdict)
        return second if order.index(second.verdict) > order.index(first.verdict) else first

    def _judge(self, text: str, target: Target, entry: Mapping[str, Any]) -> Judgement:
        verdict, why = self._decide(text, target, entry)
        return Judgement(verdict, why, self.name)

    def _decide(self, text: str, target: Target, entry: Mapping[str, Any]) -> tuple[Verdict, str]:
        if nothing_ran(entry):
            return Verdict.NOT_SUPPORTED_BY_PROVENANCE, "no planned unit ran"
        if (link := denied_by(entry, target)) is not None:
            return Verdict.NOT_SUPPORTED_BY_PROVENANCE, f"negative result {link[0]} denies it: {link[1]}"
        if not target.exists:
            return Verdict.NOT_SUPPORTED_BY_PROVENANCE, "the result pointer names nothing in the entry"
        if target.executed is False:
            return Verdict.NOT_SUPPORTED_BY_PROVENANCE, "the pointed-at unit did not run"
        insufficient = Verdict.PROVENANCE_INSUFFICIENT
        if not target.has_value:
            return insufficient, "the entry declares no value there"
        if not target.metric:
            return insufficient, "the pointed-at result names no metric"
        reported = quantity_of(target.value)
        if reported is None:
            return insufficient, f"the declared value {shown(target.value)} is no single number"
        claimed, why = _claimed(text, target.metric, _planned_words(entry, target))
        if claimed is None:
            return insufficient, why
        readings = _readings(reported, claimed, target.metric)
        if not readings:
            return insufficient, f"the units differ: {shown(claimed.unit)} against {shown(reported.unit)}"
        return _agreed([_compare(text, target.metric, claimed, reading) for reading in readings])


def _planned_words(entry: Mapping[str, Any], target: Target) -> frozenset[str]:
    """The words of the pointed-at unit's plan: they may stand inside the metric's name in prose."""
    units = entry.get("planned_vs_executed")
    unit = units[target.unit] if isinstance(units, list) and target.unit is not None else None
    planned = unit.get("planned") if isinstance(unit, dict) else None
    return frozenset(
        re.findall(r"[a-z0-9]+", planned[:_LONGEST_TEXT].casefold()) if isinstance(planned, str) else ()
    )


def _parts(metric: str) -> list[str]:
    """The parts of a metric's name: what stands between its separators; none where it is overlong."""
    return (
        [part for part in re.split(r"[^A-Za-z0-9]+", metric) if part]
        if len(metric) <= _LONGEST_METRIC
        else []
    )


def _holds_every_part(text: str, parts: list[str]) -> bool:
    """Whether a sentence has every part of a name of three parts or more, in any order.

    Two common words may meet by chance; the whole of ``missed_link_rate_at_three_years`` does not.
    """
    words = {word.casefold() for word in re.findall(r"[A-Za-z0-9]+", text)}
    telling = parts[:-1] if parts and parts[-1].casefold() in UNIT_TAILS else parts
    return len(telling) >= _TELLING_PARTS and words.issuperset(part.casefold() for part in telling)


def _mentions(text: str, parts: list[str], planned: frozenset[str]) -> list[tuple[int, int]]:
    """Where a sentence names a metric: any separators, letter case aside, a unit at the name's end left out.

    Up to two words may stand between the parts of the name where the plan of the unit has them too: a
    plan for "mean fruit mass" makes "mean fruit mass" a name of ``mean_mass_g``.
    """
    names = [parts] if parts else []
    if len(parts) > 1 and parts[-1].casefold() in UNIT_TAILS:
        names.append(parts[:-1])
    gap = r"[\s_./-]{1,3}(?:[A-Za-z0-9]{1,30}\s{1,3}){0,2}?"
    spans = []
    for name in names:
        known = planned | {part.casefold() for part in name}
        for join in (r"[\s_./-]{0,3}", gap):
            pattern = rf"(?<![A-Za-z0-9]){join.join(map(re.escape, name))}(?![A-Za-z0-9])"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                words = re.findall(r"[a-z0-9]+", match[0].casefold())
                if join != gap or known.issuperset(words):
                    spans.append(match.span())
    return spans


def _claimed(text: str, metric: str, planned: frozenset[str]) -> tuple[Quantity | None, str]:
    """The number that a sentence gives for a metric, or why none can be told."""
    if len(text) > _LONGEST_TEXT:
        return None, "the claim is longer than a claim may be"
    if _HEDGED.search(text):
        return None, "the claim negates or hedges; a person must read it"
    parts = _parts(metric)
    mentions = _mentions(text, parts, planned)
    if not mentions and not _holds_every_part(text, parts):
        return None, f"the claim does not name the metric {shown(metric)}"
    numbers = [
        number
        for number in quantities(text)
        if not any(start <= number.start < end for start, end in mentions)
        and text[number.start : number.end] not in parts
    ]
    if not numbers:
        return None, "the claim gives no number"
    attached = [q for q in numbers if any(_attached(text, mention, q) for mention in mentions)]
    candidates = attached or numbers
    if len({(q.value, q.unit) for q in candidates}) > 1:
        return None, "the claim gives several numbers"
    chosen = candidates[0]
    if (
        _BEFORE_DELTA.search(text, 0, chosen.start)
        or _AFTER_DELTA.match(text, chosen.end)
        or chosen.unit == "points"
    ):
        return None, "the claim gives a difference, not a value"
    return chosen, ""


def _attached(text: str, mention: tuple[int, int], number: Quantity) -> bool:
    """Whether nothing but words of reporting stands between a metric and a number."""
    start, end = mention
    if end <= number.start:
        return _BETWEEN.fullmatch(text, end, number.start) is not None
    return _TURNED.fullmatch(text, number.end, start) is not None


def _readings(reported: Quantity, claimed: Quantity, metric: str) -> list[Decimal]:
    """The reported number in the claim's unit: as it stands, and as percent of a fraction where that fits."""
    is_fraction = not reported.unit and 0 <= reported.value <= 1
    if not same_unit(claimed.unit, reported.unit, metric) and not (claimed.unit == "%" and is_fraction):
        return []
    readings = [reported.value]
    if is_fraction and (claimed.unit == "%" or (not claimed.unit and claimed.value > 1)):
        readings.append(reported.value * 100)
    if reported.unit == "%" and not claimed.unit:
        readings.append(reported.value / 100)
    return readings


def _agreed(answers: list[tuple[Verdict, str]]) -> tuple[Verdict, str]:
    """What all readings say; the reading that fits where one does; else that it is open."""
    fitting = [answer for answer in answers if answer[0] is Verdict.ALIGNED]
    if fitting:
        return fitting[0]
    if len({verdict for verdict, _ in answers}) == 1:
        return answers[-1]
    return (
        Verdict.PROVENANCE_INSUFFICIENT,
        "whether the reported number is a fraction or a percentage is open",
    )


def _direction(text: str, metric: str) -> Literal["up", "down", "open"]:
    """Which way is better: by the metric's name, else by the claim's words; open where they disagree."""
    parts = {part.casefold() for part in re.split(r"[^A-Za-z0-9]+", metric)}
    words = {word.casefold() for word in re.findall(r"[A-Za-z]+", text)}
    up, down = bool(parts & HIGHER_IS_BETTER), bool(parts & LOWER_IS_BETTER)
    says_up, says_down = bool(words & UP), bool(words & DOWN)
    if up == down:
        up, down = says_up, says_down
    elif (up and says_down and not says_up) or (down and says_up and not says_down):
        return "open"
    return "open" if up == down else "up" if up else "down"


def _compare(text: str, metric: str, claimed: Quantity, reported: Decimal) -> tuple[Verdict, str]:
    figures = f"claimed {claimed.value}{claimed.unit}, reported {reported}"
    before = text[: claimed.start]
    surplus = claimed.value - reported
    if abs(surplus) <= claimed.half_step:
        return Verdict.ALIGNED, f"the reported number within its stated precision: {figures}"
    if (_AT_LEAST.search(before) and surplus < 0) or (_AT_MOST.search(before) and surplus > 0):
        return Verdict.ALIGNED, f"the reported number keeps the bound: {figures}"
    direction = _direction(text, metric)
    if direction == "open":
        return Verdict.PROVENANCE_INSUFFICIENT, f"the numbers differ and which is better is open: {figures}"
    if (surplus > 0) == (direction == "up"):
        return Verdict.OVERSTATED, f"the claim's number is better than the reported one: {figures}"
    return Verdict.PROVENANCE_INSUFFICIENT, f"the claim's number is not the reported one: {figures}"
