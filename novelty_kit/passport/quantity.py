"""Numbers in sentences: value, stated precision and unit, as far as a text gives them.

Reads a text. Years, counts behind n =, p-values and numbers of figures and tables are left out. No network.
No clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from novelty_kit.passport.words import COUNTED, UNITS

__all__ = ["Quantity", "quantities", "quantity_of", "same_unit"]

_NUMBER = re.compile(
    r"(?<![\w.,])([+-]?(?:\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?|\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})"
    r"(?:[eE][+-]?\d{1,3})?)(?![\d.]*\d)"
    r"(?:\s?(%)|\s?(percent|per cent|percentage points?|points?)\b|"
    r"\s?([A-Za-zµμ°Ω][A-Za-z0-9µμ/·^²³-]{0,15}))?",
    re.IGNORECASE,
)

# What before a number says that it is no measurement.
_NOT_MEASURED = re.compile(
    r"(?:\b[npPkKN]\s*[=<>≤≥]|±|\+/-|\b(?:table|figure|fig\.?|section|sec\.?|equation|eq\.?|appendix|version|"
    r"chapter|page|step|stage|bay|phase))\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a text states it.

    Attributes
    ----------
    value : Decimal
    half_step : Decimal
        Half a unit of the last stated place: what rounding may hide.
    unit : str
        As written; ``%`` for percent and per cent; empty where none is stated.
    start, end : int
        Where it stands in the text.
    """

    value: Decimal
    half_step: Decimal
    unit: str
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text that may be measurements, in order."""
    plain = text.replace("\N{MINUS SIGN}", "-")
    found = []
    for match in _NUMBER.finditer(plain):
        if _NOT_MEASURED.search(plain, max(0, match.start() - 24), match.start()):
            continue
        written = match[1].replace(",", "")
        word = match[4] or ""
        unit = "%" if match[2] else _unit(match[3], word)
        if word.casefold() in COUNTED or (not unit and re.fullmatch(r"(?:19|20)\d\d", written)):
            continue
        value = Decimal(written)
        exponent = value.as_tuple().exponent
        step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        found.append(Quantity(value, step / 2, unit, match.start(1), match.end() if unit else match.end(1)))
    return found


def _unit(words: str | None, word: str) -> str:
    if words:
        return "points" if "point" in words.lower() else "%"
    parts = [part for part in re.split(r"[/·^²³0-9-]+", word) if part]
    return word if parts and all(part in UNITS for part in parts) else ""


def quantity_of(value: Any) -> Quantity | None:
    """The one number that a declared value states; None for booleans, lists, texts with none or several."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        number = Decimal(str(value))
        return Quantity(number, Decimal(0), "", 0, 0) if number.is_finite() else None
    if isinstance(value, str):
        stated = quantities(value)
        return stated[0] if len(stated) == 1 else None
    return None


def same_unit(claimed: str, reported: str, metric: str) -> bool:
    """Whether two units agree: equal, unstated in the claim, or the one that the metric's name ends in."""
    if claimed == reported or not claimed:
        return True
    tail = re.split(r"[_\s.-]+", metric)[-1] if metric else ""
    return not reported and tail.casefold() in (
        {"pct", "percent", "%"} if claimed == "%" else {claimed.casefold()}
    )
