"""One text as words with the way back: what layout may change is evened out, offsets stay the original's.

Reads a string. Every word keeps its place in the string as it was handed in, so that a match can be shown
as a slice of the original. Digits are never merged: a superscript, a fraction or a circled number stays
what it is, although NFKC would turn it into plain digits. Time is linear. No network. No clock.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

__all__ = ["WordMap", "is_unspaced", "map_words", "nfkc"]

# Scripts written without spaces: every character is a word of its own, and a line break inside means nothing.
_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Spacing characters that still compose with the one before: Hangul vowels and finals, some Indic vowel signs.
_JOINS_BACK = (
    "\u1160-\u11ff\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf"
    "\u102e\u1b35\uff9e\uff9f"
)
_NON_ASCII = re.compile("[^\x00-\x7f]+")
_PLAIN_WORD = re.compile(r"[^\W_]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
# NFKC would read these as letters or digits that say something else.
_KEPT_TAGS = ("<super>", "<fraction>", "<circle>")
_KEPT = frozenset("№")


@lru_cache(maxsize=1)
def _marks() -> str:
    """The combining marks of Unicode as the inside of a character class."""
    spans: list[str] = []
    start = previous = -2
    for point in [*range(0x300, 0x10000), *range(0x10000, 0x1F000), *range(0xE0100, 0xE01F0)]:
        if not unicodedata.category(chr(point)).startswith("M"):
            continue
        if point != previous + 1:
            if start >= 0:
                spans.append(f"{chr(start)}-{chr(previous)}")
            start = point
        previous = point
    spans.append(f"{chr(start)}-{chr(previous)}")
    return "".join(spans)


@lru_cache(maxsize=1)
def _mark() -> re.Pattern[str]:
    return re.compile(f"[{_marks()}]")


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}][{_marks()}]*|(?:(?![{_UNSPACED}])[^\\W_]|[{_marks()}])+")


@lru_cache(maxsize=1)
def _cluster() -> re.Pattern[str]:
    return re.compile(f"[\\s\\S][{_marks()}{_JOINS_BACK}]*")


def is_unspaced(text: str) -> bool:
    """Whether the text's first character belongs to a script that is written without spaces."""
    return bool(text) and _IS_UNSPACED.match(text) is not None


def _keeps(cluster: str, before: str, after: str) -> bool:
    first = cluster[0]
    if first in _KEPT:
        return True
    tag = unicodedata.decomposition(first).split(" ", 1)[0]
    if tag == "<sub>" and first.isnumeric():
        # CO₂ is CO2, but the digits of a base or an index must not run into a number.
        return not before.isalpha() or after.isnumeric()
    return tag in _KEPT_TAGS and first.isnumeric()


def nfkc(text: str) -> tuple[str, list[tuple[int, int, int, int]]]:
    """Normalise to NFKC, numbers kept apart, with the changes as ``(start, end, source_start, source_end)``.

    Between two changes both texts run in step.
    """
    if text.isascii():
        return text, []
    pieces: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    done = at = 0
    for run in _NON_ASCII.finditer(text):
        start = max(run.start() - 1, done)
        part = text[start : run.end()]
        if unicodedata.is_normalized("NFKC", part):
            continue
        for cluster in _cluster().finditer(part):
            raw, begin = cluster.group(), start + cluster.start()
            end = start + cluster.end()
            if raw.isascii() or _keeps(raw, text[begin - 1 : begin], text[end : end + 1]):
                continue
            even = unicodedata.normalize("NFKC", raw)
            if even == raw:
                continue
            pieces += (text[done:begin], even)
            at += begin - done
            changes.append((at, at + len(even), begin, end))
            at += len(even)
            done = end
    pieces.append(text[done:])
    return "".join(pieces), changes


@dataclass(frozen=True, slots=True)
class WordMap:
    """A text as its words, with what stands between them and where each stands in the original.

    Attributes
    ----------
    source : str
        The text as it was handed in.
    even : str
        The same in NFKC; `starts` and `ends` are offsets into it.
    starts, ends : array of int
        Where each word begins and ends in `even`.
    skeleton : str
        All words in folded case, nothing between them.
    cuts : array of int
        Where each word begins in the skeleton, and at last the skeleton's length.
    changes : list of tuple
        Where `even` and `source` differ in length.
    """

    source: str
    even: str
    starts: array[int]
    ends: array[int]
    skeleton: str
    cuts: array[int]
    changes: list[tuple[int, int, int, int]]

    def __len__(self) -> int:
        return len(self.starts)

    def word(self, index: int) -> str:
        """The word as written, in NFKC."""
        return self.even[self.starts[index] : self.ends[index]]

    def gap(self, index: int) -> str:
        """What stands before word `index`; with the number of words: what stands after the last."""
        start = self.ends[index - 1] if index else 0
        return self.even[start : self.starts[index]] if index < len(self.starts) else self.even[start:]

    def source_start(self, index: int) -> int:
        """Offset of the word's first character in the source."""
        return self._back(self.starts[index], end=False)

    def source_end(self, index: int) -> int:
        """Offset behind the word's last character in the source."""
        return self._back(self.ends[index], end=True)

    def words_inside(self, start: int, end: int) -> tuple[int, int]:
        """The words that lie wholly in the source's slice, as a half-open range of indices."""
        everything = range(len(self.starts))
        first = bisect_left(everything, start, key=self.source_start)
        return first, max(bisect_right(everything, end, key=self.source_end), first)

    def _back(self, offset: int, *, end: bool) -> int:
        place = bisect_right(self.changes, (offset - 1 if end else offset, 1 << 62, 0, 0)) - 1
        if place < 0:
            return offset
        _, even_end, start, stop = self.changes[place]
        if offset < even_end or (end and offset == even_end):
            return stop if end else start
        return stop + offset - even_end


def map_words(text: str) -> WordMap:
    """Split a text into words, in one pass."""
    even, changes = nfkc(text)
    plain = even.isascii() or not (_IS_UNSPACED.search(even) or _mark().search(even))
    spans = [match.span() for match in (_PLAIN_WORD if plain else _word()).finditer(even)]
    folded = even.casefold()
    if len(folded) == len(even):
        words = [folded[start:end] for start, end in spans]
    else:
        words = [even[start:end].casefold() for start, end in spans]
    starts = array("q", [start for start, _ in spans])
    ends = array("q", [end for _, end in spans])
    cuts = array("q", accumulate(map(len, words), initial=0))
    return WordMap(text, even, starts, ends, "".join(words), cuts, changes)
