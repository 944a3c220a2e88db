"""Does this quote stand in that text? Word for word, digit for digit, layout aside.

Reads two strings. What may differ: white space, the glyph of a quotation mark or a dash, letter case (which
is recorded), ligatures and other compatibility forms, soft and line-end hyphens, and a marked ellipsis that
leaves words out. What may not: any word, digit, sign, negation or the order. A quote may not begin or end
inside a word, a number or a hyphenated compound, nor begin right behind the negation that governs it.
Work is bounded by the length of both texts. No network. No clock.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from novelty_kit.priorart.edges import why_cut, why_elided
from novelty_kit.priorart.gaps import even_gap, may_equal
from novelty_kit.priorart.normal import WordMap, map_words

__all__ = ["MAX_LISTED", "Found", "Span", "find_quote", "split_ellipsis"]

MAX_LISTED = 1000
#: Characters of the original that one ellipsis may leave out.
WINDOW = 1000
#: How many gaps a search may read for each word of both texts before it gives up as too repetitive.
_BUDGET = 2
_MAX_HITS = 20_000

_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:…|⋯|\.\s?\.\s?\.)\s*\]|\(\s*(?:…|⋯|\.\s?\.\s?\.)\s*\)|…|⋯|\.\s?\.\s?\.)\s*"
)


@dataclass(frozen=True, slots=True)
class Span:
    """One place where a quote stands: offsets into the text as stored, and those of its parts."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]
    case_kept: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands, or in words why it does not.

    Attributes
    ----------
    spans : tuple of Span
        In order of the text; at most `MAX_LISTED`. Empty: not found.
    more : bool
        Whether there are places beyond the listed ones.
    why : str
        Why there is none, in words; empty when there is one.
    """

    spans: tuple[Span, ...]
    more: bool = False
    why: str = ""


#: The first and the last word of a match.
Hit = tuple[int, int]


class _Repetitive(Exception):
    """The text repeats itself so much that placing the quote would not be linear."""


def split_ellipsis(quote: str) -> list[str]:
    """The parts between marked ellipses; an ellipsis at either end marks nothing."""
    return [part for part in _ELLIPSIS.split(quote) if part.strip()]


def _matches_at(text: WordMap, quote: WordMap, first: int) -> tuple[int, int]:
    """The last word of a match that begins at word `first`, or -1, and how many gaps were read."""
    base = text.cuts[first]
    t, q, read = first + 1, 1, 0
    t_cut, q_cut = text.cuts[t] - base, quote.cuts[q]
    total = quote.cuts[-1]
    while t_cut < total or q_cut < total:
        read += 1
        at = min(t_cut, q_cut)
        ours = text.gap(t) if t_cut == at else None
        theirs = quote.gap(q) if q_cut == at else None
        if ours != theirs:
            side = text if ours is not None else quote
            index = t if ours is not None else q
            if not may_equal(ours, theirs, side.word(index - 1), side.word(index)):
                return -1, read
        if t_cut == at:
            t += 1
            t_cut = text.cuts[t] - base
        if q_cut == at:
            q += 1
            q_cut = quote.cuts[q]
    return (t - 1 if t_cut == total else -1), read


def _hits(text: WordMap, quote: WordMap, budget: list[int], within: range) -> Iterator[Hit]:
    """First and last word of every place inside a range of words where the words of the quote stand."""
    low, high = text.cuts[within.start], text.cuts[within.stop]
    at = text.skeleton.find(quote.skeleton, low, high)
    while at >= 0:
        first = bisect_left(text.cuts, at)
        budget[0] -= 1
        if first < len(text) and text.cuts[first] == at:
            last, read = _matches_at(text, quote, first)
            budget[0] -= read
            if last >= 0:
                yield first, last
            first += 1
        if budget[0] < 0:
            raise _Repetitive
        if first >= within.stop:
            return
        at = text.skeleton.find(quote.skeleton, text.cuts[first], high)


def _case_kept(text: WordMap, first: int, last: int, quote: WordMap) -> bool:
    ours = "".join(text.word(i) for i in range(first, last + 1))
    return ours == "".join(quote.word(i) for i in range(len(quote)))


def _part_hits(text: WordMap, part: WordMap, budget: list[int], within: range) -> tuple[list[Hit], str]:
    good: list[Hit] = []
    why = ""
    for first, last in _hits(text, part, budget, within):
        refused = why_cut(text, first, last, part)
        if refused:
            why = why or f"the words stand at offset {text.source_start(first)}, but {refused}"
        else:
            good.append((first, last))
        if len(good) > _MAX_HITS:
            break
    return good, why


def _chain(text: WordMap, levels: list[list[Hit]]) -> tuple[list[list[Hit]], str]:
    """One chain for each place of the first part from which the others follow, each inside the window."""
    why = ""
    chains = [[hit] for hit in levels[-1]]
    for level in reversed(levels[:-1]):
        ahead = [text.source_start(chain[0][0]) for chain in chains]
        longer: list[list[Hit]] = []
        for hit in level:
            end = text.source_end(hit[1])
            place = bisect_left(ahead, end)
            if place == len(ahead) or ahead[place] - end > WINDOW:
                continue
            refused = why_elided(text, hit[1], chains[place][0][0])
            if refused:
                why = why or refused
            else:
                longer.append([hit, *chains[place]])
        chains = longer
    return chains, why or f"its parts do not follow each other within {WINDOW} characters each"


def _widen(text: WordMap, last: int, quote: WordMap) -> int:
    """The end of the span in the source, with the closing marks that the quote has too."""
    end = text.source_end(last)
    for mark in quote.gap(len(quote)):
        if end < len(text.source) and not mark.isspace() and even_gap(text.source[end]) == even_gap(mark):
            end += 1
        else:
            break
    return end


def find_quote(quote: str, text: WordMap, start: int | None = None, end: int | None = None) -> Found:
    """Find where a quote stands in a text.

    Parameters
    ----------
    quote : str
        The quotation; ``…``, ``...``, ``[...]`` and the like mark what it leaves out.
    text : WordMap
        The text, from :func:`novelty_kit.priorart.normal.map_words`.
    start, end : int, optional
        Where it is said to stand, as offsets into the text; then only that place counts.

    Returns
    -------
    Found
        All places, or why there is none.
    """
    if start is None or end is None:
        return _find(quote, text, range(len(text)))
    if 0 <= start < end <= len(text.source):
        first, stop = text.words_inside(start, end)
        found = _find(quote, text, range(first, stop))
        there = tuple(span for span in found.spans if _fills(text.source, span, start, end))
        if there:
            return Found(there)
    elsewhere = _find(quote, text, range(len(text)))
    if not elsewhere.spans:
        return elsewhere
    at = ", ".join(str(span.start) for span in elsewhere.spans[:3])
    return Found((), why=f"the slice [{start}, {end}) reads otherwise; the words stand at offset {at}")


def _find(quote: str, text: WordMap, within: range) -> Found:
    budget = [_BUDGET * (len(text) + len(quote)) + 10_000]
    whole = map_words(quote)
    if not len(whole):
        return Found((), why="it has no word")
    try:
        hits, why = _part_hits(text, whole, budget, within)
        if hits:
            return _listed(text, [[hit] for hit in hits], [whole])
        pieces = split_ellipsis(quote)
        if len(pieces) < 2:
            return Found((), why=why or "no such words")
        parts = [map_words(piece) for piece in pieces]
        if any(len(part) < 2 or len(part.skeleton) < 4 for part in parts):
            return Found((), why="an ellipsis leaves a part of fewer than two words")
        levels = []
        for number, part in enumerate(parts):
            level, why = _part_hits(text, part, budget, within)
            if not level:
                return Found((), why=why or f"part {number + 1} of {len(parts)} does not occur")
            levels.append(level)
    except _Repetitive:
        return Found((), why="the text repeats itself too often to place it; quote a longer or rarer passage")
    chains, why = _chain(text, levels)
    if not chains:
        return Found((), why=why)
    return _listed(text, chains, parts)


def _listed(text: WordMap, chains: list[list[Hit]], parts: list[WordMap]) -> Found:
    spans = tuple(
        Span(
            text.source_start(chain[0][0]),
            _widen(text, chain[-1][1], parts[-1]),
            tuple((text.source_start(first), text.source_end(last)) for first, last in chain),
            all(
                _case_kept(text, first, last, part) for (first, last), part in zip(chain, parts, strict=True)
            ),
        )
        for chain in chains[:MAX_LISTED]
    )
    return Found(spans, more=len(chains) > MAX_LISTED)


def _fills(source: str, span: Span, start: int, end: int) -> bool:
    """Whether a stated slice is the span, give or take marks and spaces at its ends."""
    rest = source[start : span.start] + source[span.parts[-1][1] : end]
    return start <= span.start and span.parts[-1][1] <= end and not any(c.isalnum() for c in rest)
