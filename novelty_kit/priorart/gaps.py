"""What may stand between two words of a quote where the text has something else between them.

White space is one space, quotation marks and dashes have one glyph each, soft hyphens and zero-width
characters are nothing. A hyphen before a line end may be part of the word or not; everything else must be
the same on both sides, signs above all. No network. No clock.
"""

from __future__ import annotations

import re
from functools import lru_cache

from novelty_kit.priorart.normal import is_unspaced

__all__ = ["HANGING", "even_gap", "may_equal"]

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")
_DOUBLE = str.maketrans(
    dict.fromkeys("“”„‟«»″〝〞〟❝❞『』「」＂", '"') | dict.fromkeys("‘’‚‛‹›′`´ʼ＇❛❜", "'")
)
_DASHES = re.compile("[-\u2010-\u2015\u2212\u2e3a\u2e3b\u2043\ufe58\ufe63\uff0d]+")
_SPACES = re.compile(r"\s+")
_DOTS = re.compile(r"\.\s?\.\s?\.|⋯")
_SPACE_BEFORE = re.compile(r"\s+(?=[,.;:!?%)\]}»])")
_SPACE_AFTER = re.compile(r"(?<=[(\[{«])\s+")
_GUILLEMET_SPACE = re.compile(r"(?<=«)\s+|\s+(?=»)")
_NEW_LINE = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029]")
_HYPHEN_BREAK = re.compile("[-\u2010\u00ac]\\s+")
# Words that follow a hanging hyphen ("pre- and post-").
HANGING = frozenset({"and", "or", "to", "nor", "und", "oder", "et", "ou", "bis"})


def even_gap(gap: str) -> str:
    """What stands between two words with invisible characters out and one glyph for each kind of mark."""
    if gap == " " or not gap:
        return gap
    bare = _GUILLEMET_SPACE.sub("", _INVISIBLE.sub("", gap)).translate(_DOUBLE).replace("''", '"')
    bare = _DOTS.sub("...", _DASHES.sub("-", bare))
    return _SPACES.sub(" ", bare)


def _tight(gap: str) -> str:
    """An evened gap without the space that layout puts beside a mark (not for use between two digits)."""
    return _SPACE_AFTER.sub("", _SPACE_BEFORE.sub("", gap))


@lru_cache(maxsize=4096)
def _readings(gap: str | None, left: bool, right: bool, unspaced: bool, next_word: str) -> frozenset[str]:
    """All that one gap may stand for, between a digit or not and a digit or not; None: inside a word."""
    digits, letters = left and right, not left and not right
    if gap is None:
        return frozenset({""})
    even = even_gap(gap)
    if even == "":
        return frozenset({""})
    readings = {even if digits else _tight(even)}
    if even == " " and unspaced:
        readings.add("")
    if _HYPHEN_BREAK.fullmatch(gap):
        broken = _NEW_LINE.search(gap) is not None
        if letters and (broken or next_word.casefold() not in HANGING):
            readings |= {"", "-", "- "}
        elif broken:
            readings |= {"-", "- "}
    elif _NEW_LINE.search(gap) and even == "- ":
        readings.add("-")
    if letters and even in (" - ", "- ", " -"):
        readings.add("-")
    if letters and even == "-":
        readings.add(" - ")
    if not (left and even[0] in "\"'"):
        # Directly behind a number the marks are feet and inches.
        readings |= {reading.replace('"', "'") for reading in readings}
    return frozenset(readings)


def may_equal(ours: str | None, theirs: str | None, left: str, right: str) -> bool:
    """Whether two gaps between the words `left` and `right` may stand for the same; None: no gap."""
    if ours == theirs:
        return True
    unspaced = is_unspaced(left[-1]) and is_unspaced(right)
    hanging = right if right.casefold() in HANGING else ""
    shape = (left[-1].isnumeric(), right[0].isnumeric(), unspaced, hanging)
    return not _readings(ours, *shape).isdisjoint(_readings(theirs, *shape))
