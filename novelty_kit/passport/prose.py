"""What a manuscript's prose shows: heuristics over sentences, each hit with its line.

Reads a Markdown draft. Two questions only: does a Results sentence tell an outcome of one's own without a
citation marker, and does the Results, Discussion or Limitations prose surface what an entry discloses. Both
are word matching, marked as such wherever they are shown, and no reason to pass anything. No network. No
clock.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from novelty_kit.passport.read import read_bytes, read_text
from novelty_kit.passport.words import STOP

__all__ = ["MAX_MANUSCRIPT_BYTES", "Manuscript", "Sentence", "own_outcomes", "read_manuscript", "surfaced_at"]

MAX_MANUSCRIPT_BYTES: Final = 4 * 1024 * 1024

# Share of a disclosure's content words that a sentence, with the next one, has to hold.
SHARE: Final = 0.6

_SECTIONS: Final = (
    ("results", re.compile(r"\b(?:results?|findings|experiments?|evaluation|outcomes?)\b", re.I)),
    ("discussion", re.compile(r"\bdiscussion\b", re.I)),
    ("limitations", re.compile(r"\b(?:limitations?|threats to validity|caveats)\b", re.I)),
)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_COMMENT = re.compile(r"<!--(?!\s*ref:)[\s\S]*?(?:-->|\Z)")
_MARKER = re.compile(r"<!--\s*ref:[^<>\n]{0,300}-->")
_END = re.compile(r"[.!?]+[\"'”’)\]]{0,3}(?:\s{0,3}<!--\s{0,3}ref:[^<>\n]{0,300}-->){0,20}(?=\s|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|resp|approx|fig|figs|eq|sec|no|dr|prof|ca)|\b[A-Z])\.$", re.I
)
_BLOCK_START = re.compile(r" {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+|\s*\|")

_FIRST_PERSON = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Oo]urs|I|[Mm]y|[Tt]h(?:is|e present) (?:study|experiment|trial|work))\b"
)
_REPORTING = re.compile(
    r"\b(?:found|find|observe[ds]?|show(?:ed|s|n)?|demonstrate[ds]?|measure[ds]?|record(?:ed|s)?|report(?:ed|s)?|"
    r"obtain(?:ed|s)?|see|saw|confirm(?:ed|s)?)\b",
    re.I,
)
_EFFECT = re.compile(
    r"\b(?:raised|increased|improved|reduced|decreased|lowered|rose|fell|dropped|gained|outperform(?:s|ed)|"
    r"achieve[ds]|reache[ds]|yielded|exceeded|surpass(?:es|ed)|doubled|halved|differed|"
    r"did not (?:differ|change|improve|increase|decrease)|accelerated|slowed|beat)\b",
    re.I,
)
_LITERATURE = re.compile(
    r"\b(?:stud(?:y|ies)|papers?|articles?|records?|publications?|reviews?|literature|authors?|searches|databases?|"
    r"sources?|references?|et al)\b",
    re.I,
)
_OWN_WORK = re.compile(r"\b(?:this|our|present) (?:study|paper|work)\b", re.I)
_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a manuscript.

    Attributes
    ----------
    text : str
    line : int
        1-based line on which it starts.
    sections : frozenset of str
        ``results``, ``discussion``, ``limitations``: what the headings above it say.
    """

    text: str
    line: int
    sections: frozenset[str]


@dataclass(frozen=True)
class Manuscript:
    """A draft as sentences, in order."""

    name: str
    sentences: tuple[Sentence, ...]

    @classmethod
    def from_text(cls, text: str, name: str = "<text>") -> Manuscript:
        """Split a Markdown text; code, comments and front matter are left out, citation markers kept."""
        return cls(name, tuple(_sentences(text)))

    @cached_property
    def windows(self) -> tuple[tuple[Sentence, frozenset[str]], ...]:
        """Content words of the sentences of the three kinds of section, then of each with its successor."""
        inside = [sentence for sentence in self.sentences if sentence.sections]
        own = [content_words(sentence.text) for sentence in inside]
        pairs = zip(zip(inside, own, strict=True), zip(inside[1:], own[1:], strict=True), strict=False)
        joined = [(a, words | more) for (a, words), (b, more) in pairs if a.sections == b.sections]
        return (*zip(inside, own, strict=True), *joined)

    @cached_property
    def places_of(self) -> dict[str, list[int]]:
        """Content word to the places in :attr:`windows` that hold it."""
        places: dict[str, list[int]] = {}
        for place, (_, words) in enumerate(self.windows):
            for word in words:
                places.setdefault(word, []).append(place)
        return places


def read_manuscript(path: str | os.PathLike[str]) -> Manuscript:
    """Read a Markdown draft.

    Raises
    ------
    DocumentError
        The file is missing, larger than 4 MB, or not UTF-8.
    """
    name = os.fspath(path)
    return Manuscript.from_text(read_text(read_bytes(name, MAX_MANUSCRIPT_BYTES), name), name)


def own_outcomes(manuscript: Manuscript) -> Iterator[Sentence]:
    """Results sentences that tell an outcome and carry no ``<!--ref:…-->`` marker; a heuristic.

    An effect in the past tense, or the first person with a verb of reporting. A sentence about studies,
    papers or records is one about the literature, unless it says "this study".
    """
    for sentence in manuscript.sentences:
        if "results" not in sentence.sections or _MARKER.search(sentence.text):
            continue
        told = _EFFECT.search(sentence.text) or (
            _FIRST_PERSON.search(sentence.text) and _REPORTING.search(sentence.text)
        )
        if told and (_OWN_WORK.search(sentence.text) or not _LITERATURE.search(sentence.text)):
            yield sentence


def surfaced_at(description: str, manuscript: Manuscript) -> Sentence | None:
    """The first Results, Discussion or Limitations sentence that shows a disclosure; a heuristic.

    A sentence shows it when it holds at least 60 % of the description's content words, and two of them
    where there are two; where no sentence does, two that follow each other in one section may.
    """
    wanted = content_words(description)
    counts: dict[int, int] = {}
    for word in wanted:
        for place in manuscript.places_of.get(word, ()):
            counts[place] = counts.get(place, 0) + 1
    needed = max(min(2, len(wanted)), SHARE * len(wanted))
    hits = [place for place, n in counts.items() if n >= needed]
    return manuscript.windows[min(hits)][0] if hits else None


def content_words(text: str) -> frozenset[str]:
    """Words that carry meaning, in lower case, common endings cut."""
    return frozenset(
        _stem(word) for word in map(str.casefold, _WORD.findall(text)) if word not in STOP and len(word) > 1
    )


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _sentences(text: str) -> Iterator[Sentence]:
    # Only line feeds end lines: a line separator inside a sentence does not move the count.
    lines = _COMMENT.sub(_blank, text).replace("\r\n", "\n").split("\n")
    stack: list[tuple[int, frozenset[str]]] = []
    block: list[str] = []
    first, fence = 0, ""

    def flush() -> Iterator[Sentence]:
        sections = stack[-1][1] if stack else frozenset()
        yield from _split("\n".join(block), first, sections)
        block.clear()

    start = _front_matter(lines)
    for number, line in enumerate(lines[start:], start + 1):
        if mark := _FENCE.match(line):
            yield from flush()
            fence = "" if fence == mark[1] else fence or mark[1]
        elif fence:
            continue
        elif heading := _HEADING.match(line):
            yield from flush()
            _enter(stack, len(heading[1]), heading[2])
        elif len(block) == 1 and (underline := _UNDERLINE.match(line)):
            _enter(stack, 1 if underline[1][0] == "=" else 2, block[0])
            block.clear()
        elif not line.strip():
            yield from flush()
        else:
            if _BLOCK_START.match(line):
                yield from flush()
            if not block:
                first = number
            block.append(line)
    yield from flush()


def _front_matter(lines: list[str]) -> int:
    if lines and lines[0].strip() == "---" and "---" in lines[1:200]:
        return lines.index("---", 1) + 1
    return 0


def _enter(stack: list[tuple[int, frozenset[str]]], level: int, title: str) -> None:
    """Open a section: it inherits what its parent is, unless its own title says what it is."""
    while stack and stack[-1][0] >= level:
        stack.pop()
    own = frozenset(name for name, pattern in _SECTIONS if pattern.search(title))
    stack.append((level, own or (stack[-1][1] if stack else frozenset())))


def _split(block: str, first: int, sections: frozenset[str]) -> Iterator[Sentence]:
    start, counted, line = 0, 0, first
    ends = [match.end() for match in _END.finditer(block)]
    for end in [*ends, len(block)]:
        if end < len(block) and _ABBREVIATION.search(block, max(start, end - 12), end):
            continue
        piece = block[start:end]
        if text := " ".join(piece.split()):
            begin = start + len(piece) - len(piece.lstrip())
            line += block.count("\n", counted, begin)
            counted = begin
            yield Sentence(text, line, sections)
        start = end
