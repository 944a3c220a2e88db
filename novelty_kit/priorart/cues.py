"""What a sentence is to the extractor: a claim of newness, something else that is listed, or plain.

The words are in ``cues.toml``; here are the few rules on whose newness is spoken of. What has no cue there is
found by nobody but a person: that is the extractor's blind spot. No network. No clock.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

__all__ = [
    "Cue",
    "Reading",
    "cue_of",
    "load_cues",
    "read_sentence",
    "reason_of",
    "search_target",
    "takes_up_verb",
]


class Reading(StrEnum):
    """What a sentence is."""

    CLAIM = "claim"
    CITED = "cited"
    SIGNIFICANCE = "significance"
    UNASSERTED = "unasserted"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that assert newness.

    Attributes
    ----------
    name : str
        What to call them.
    pattern : re.Pattern
        Where they stand.
    needs_own : bool
        Whether they count in the author's own voice only.
    finding : bool
        Whether telling a finding is voice enough.
    """

    name: str
    pattern: re.Pattern[str]
    needs_own: bool
    finding: bool


@dataclass(frozen=True, slots=True)
class _Cues:
    """The file, compiled."""

    reasons: dict[str, str]
    own: re.Pattern[str]
    passive: re.Pattern[str]
    finding: re.Pattern[str]
    others: re.Pattern[str]
    citation: re.Pattern[str]
    withheld: re.Pattern[str]
    hedged: re.Pattern[str]
    significance: re.Pattern[str]
    frame: re.Pattern[str]
    takes_up: re.Pattern[str]
    cues: tuple[Cue, ...]


@lru_cache(maxsize=1)
def load_cues() -> _Cues:
    """Read and compile ``cues.toml``."""
    table: dict[str, Any] = tomllib.loads(files(__package__).joinpath("cues.toml").read_text("utf-8"))
    words: dict[str, str] = table["words"]

    def joined(patterns: list[str]) -> re.Pattern[str]:
        text = "|".join(f"(?:{pattern})" for pattern in patterns)
        # A word list may name another one.
        for _ in range(2):
            for name, listed in words.items():
                text = text.replace(f"{{{name}}}", listed)
        return re.compile(text, re.IGNORECASE)

    voice = table["voice"]
    cues = tuple(
        Cue(row["name"], joined(row["patterns"]), row.get("needs_own", True), row.get("finding", False))
        for row in table["cue"]
    )
    return _Cues(
        reasons=table["readings"],
        own=joined(voice["own"]),
        passive=joined(voice["passive"]),
        finding=joined(voice["finding"]),
        others=joined(voice["others"]),
        citation=joined(voice["citation"]),
        withheld=joined(table["withheld"]["patterns"]),
        hedged=joined(table["hedged"]["patterns"]),
        significance=joined(table["significance"]["patterns"]),
        frame=joined(table["frame"]["patterns"]),
        takes_up=joined(
            [r"(?:also |then |further |to )?(?:{verb}|show|prove|demonstrate|give|report|describe)\b"]
        ),
        cues=cues,
    )


def reason_of(reading: Reading) -> str:
    """Why a sentence of this reading is inadmissible."""
    return load_cues().reasons[str(reading)]


# The headings of a structured abstract stand in the sentence.
_LABEL = re.compile(r"^[A-Z]{4,}(?:[ ,/]+(?:AND |OF )?[A-Z]{4,})*:?\s+(?=[A-Z])")


def cue_of(text: str, *, own_voice: bool = False) -> str | None:
    """The words by which the text asserts newness of its author's work; None when there are none."""
    table = load_cues()
    bare = _LABEL.sub("", text)
    own = own_voice or table.own.search(bare) is not None
    found = own or table.finding.search(bare) is not None
    for cue in table.cues:
        match = cue.pattern.search(bare)
        if match is None:
            continue
        if own or not cue.needs_own or (cue.finding and found) or table.passive.search(_clause(bare, match)):
            return match.group()
    return None


def _clause(text: str, match: re.Match[str]) -> str:
    """The part between semicolons that holds a match."""
    start, end = text.rfind(";", 0, match.start()) + 1, text.find(";", match.end())
    return text[start : end if end >= 0 else len(text)]


_WE = re.compile(r"\b(?:we|our|ours)\b|^this is\b", re.IGNORECASE)
_NEWNESS = re.compile(r"\b(?:novel|novelty|new|first|prior work|unprecedented)\b", re.IGNORECASE)


def read_sentence(text: str, raw: str) -> Reading:
    """What a sentence is; `raw` is the same with its markup, where citations may hide."""
    table = load_cues()
    cue = cue_of(text)
    cites = table.citation.search(text) is not None or table.citation.search(raw) is not None
    if cue is None:
        if cites:
            return Reading.CITED
        if _NEWNESS.search(text) and table.withheld.search(text):
            return Reading.UNASSERTED
        return Reading.SIGNIFICANCE if table.significance.search(text) else Reading.PLAIN
    if table.withheld.search(text):
        return Reading.UNASSERTED
    if (cites or table.others.search(text)) and not _WE.search(text):
        return Reading.CITED
    if table.hedged.search(text) and not cue_of(table.hedged.sub(" ", text)):
        return Reading.SIGNIFICANCE
    return Reading.CLAIM


def search_target(text: str) -> str:
    """The query for a claim: its words without what frames it."""
    words = load_cues().frame.sub(" ", text)
    bare = " ".join(re.sub(r"[^\w\s.,%'’/+-]", " ", words).split()).strip(" ,.;:-'’")
    return bare if len(bare.split()) >= 2 else " ".join(text.split())


def takes_up_verb(part: str) -> bool:
    """Whether a part of a sentence goes on with a verb whose subject stood before."""
    return load_cues().takes_up.match(part) is not None
