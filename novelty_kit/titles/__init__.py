"""Whether two titles name one work: the one strict matcher, for citations, bibliographies and advisories.

Markup, case, punctuation, Unicode forms, white space and a dropped subtitle do not matter; a negation or a
number that differs always does. ``verified`` is never a guess: what is merely near is ``suspect`` and asks
a person, what is not near is ``mismatch``. Symmetric, and linear in the length of the titles. A title alone
never proves identity: two works do share titles such as "Deep learning". No network. No clock.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from novelty_kit.titles.lexicon import (
    NEGATING_CHARACTERS,
    NEGATIONS,
    NUMBER_WORDS,
    OTHER_WORK,
    PLAIN_NEGATIONS,
)
from novelty_kit.titles.plain import plain_text, title_words

__all__ = ["TitleMatch", "main_title", "match_titles", "title_key", "title_words"]

Reason = Literal[
    "equal",
    "subtitle_dropped",
    "negation_differs",
    "number_differs",
    "other_work",
    "short_main_title",
    "subtitle_differs",
    "words_differ",
    "no_title",
]

# A main title this long may stand for the whole; shorter ones are shared by different works too often.
MIN_MAIN_WORDS: Final = 4
MIN_MAIN_LETTERS: Final = 20
# The share of equal letter triples (Dice) from which two titles are near enough for a person to look. Low on
# purpose: a mismatch accuses, and authors reword titles between a preprint and its published record.
NEAR: Final = 0.6

# At most so many places where a subtitle may begin are tried.
_MAX_SPLITS = 4
_SUBTITLE = re.compile(
    r"(?<!\d):|:(?!\d)|："
    r"|\s[-\u2010-\u2015\u2212]{1,3}\s|\s?[\u2014\u2015]{1,2}(?=\w)|\s\|\s"
    r"|[?!](?=\s+\S)|(?<=[a-z\u00df-\u00ff)\]]{4})\.(?=\s+[A-Z\u00c0-\u00de\"'\u201c\u2018(])"
)
_NUMBER = re.compile(r"[0-9]+(?:[.^][0-9]+)*")


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """What the comparison of two titles says.

    Attributes
    ----------
    status : {"verified", "suspect", "mismatch"}
        ``verified``: one title in two spellings, or one without its subtitle. ``suspect``: near, or equal but
        for a negation, a number or a short main title; a person must look. ``mismatch``: another title.
        None of them says that a work exists.
    reason : str
        ``equal`` or ``subtitle_dropped`` (verified); ``negation_differs``, ``number_differs``, ``other_work``
        (the missing part announces a reply, an erratum, a part, a protocol …), ``short_main_title``,
        ``subtitle_differs``, ``words_differ`` or ``no_title`` (suspect); ``words_differ`` (mismatch).
    """

    status: Literal["verified", "suspect", "mismatch"]
    reason: Reason


def title_key(title: str) -> str:
    """Give the form in which equal titles are equal strings; empty where no letter or digit is left.

    Markup, case, accents, punctuation, Unicode forms and white space are gone, except that a blank stays
    between two numbers. Applying it twice changes nothing more.
    """
    return _joined(title_words(title))


def main_title(title: str) -> str:
    """Give the plain text of the title before its subtitle; the whole where none is marked.

    A subtitle begins after a colon (not one within a number), a dash between blanks, an em dash, a bar, a
    question or exclamation mark, or a full stop after a word of four or more small letters and before a
    capital; both parts must hold a letter or a digit.
    """
    plain = plain_text(title)
    return next((main for main, _, _ in _splits(plain)), plain)


def match_titles(claimed: str, found: str, *, by_id: bool = False) -> TitleMatch:
    """Compare a title as it was cited with a title as it was found; the order does not matter.

    Parameters
    ----------
    claimed, found : str
        The two titles, with whatever markup they came.
    by_id : bool, default False
        The found record is the one that the cited identifier names. The title then only has to agree with
        it, so a dropped subtitle may leave a short main title; all other rules stay.

    Returns
    -------
    TitleMatch
        Verified only where the keys are equal, or where one side lacks the other's subtitle, the main title
        has at least four words and twenty letters, and the missing part holds no negation, no number and no
        word that announces another work.
    """
    words, other_words = title_words(claimed), title_words(found)
    key, other_key = _joined(words), _joined(other_words)
    if not key or not other_key:
        return TitleMatch("suspect", "no_title")
    if key == other_key:
        same = _counted(words, PLAIN_NEGATIONS) == _counted(other_words, PLAIN_NEGATIONS)
        return TitleMatch("verified", "equal") if same else TitleMatch("suspect", "negation_differs")
    longer, shorter_key = (claimed, other_key) if len(key) > len(other_key) else (found, key)
    for _, main, subtitle in _splits(plain_text(longer)):
        if _joined(main) == shorter_key:
            return _without_subtitle(main, subtitle, by_id)
    if not _is_near(key, other_key):
        main_words, other_main = title_words(main_title(claimed)), title_words(main_title(found))
        if _joined(main_words) == _joined(other_main) and _is_distinctive(main_words):
            return TitleMatch("suspect", "subtitle_differs")
        return TitleMatch("mismatch", "words_differ")
    if _negations(words) != _negations(other_words):
        return TitleMatch("suspect", "negation_differs")
    if _numbers(words) != _numbers(other_words):
        return TitleMatch("suspect", "number_differs")
    return TitleMatch("suspect", "words_differ")


def _without_subtitle(main: tuple[str, ...], subtitle: tuple[str, ...], by_id: bool) -> TitleMatch:
    if _negations(subtitle):
        return TitleMatch("suspect", "negation_differs")
    if _numbers(subtitle):
        return TitleMatch("suspect", "number_differs")
    if not OTHER_WORK.isdisjoint(subtitle):
        return TitleMatch("suspect", "other_work")
    return (
        TitleMatch("verified", "subtitle_dropped")
        if by_id or _is_distinctive(main)
        else TitleMatch("suspect", "short_main_title")
    )


def _splits(plain: str) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each way, from the front, to part a plain title: the main title, its words, the subtitle's words."""
    for number, mark in enumerate(_SUBTITLE.finditer(plain)):
        if number == _MAX_SPLITS:
            return
        main = plain[: mark.start()].strip()
        words, subtitle = title_words(main), title_words(plain[mark.end() :])
        if words and subtitle:
            yield main, words, subtitle


def _is_distinctive(main: tuple[str, ...]) -> bool:
    return len(main) >= MIN_MAIN_WORDS and len(_joined(main)) >= MIN_MAIN_LETTERS


def _joined(words: tuple[str, ...]) -> str:
    """Without blanks: "data base" is "database"; but 1 and 23 are not 12 and 3."""
    parts = [
        f" {word}" if before[-1:].isdigit() and word[0].isdigit() else word
        for before, word in zip(("", *words), words, strict=False)
    ]
    return "".join(parts)


def _counted(words: tuple[str, ...], of: frozenset[str]) -> Counter[str]:
    return Counter(word for word in words if word in of)


def _negations(words: tuple[str, ...]) -> Counter[str]:
    marks = Counter(
        char for word in words if not word.isascii() for char in word if char in NEGATING_CHARACTERS
    )
    return _counted(words, NEGATIONS) + marks


def _numbers(words: tuple[str, ...]) -> Counter[str]:
    digits = Counter(number for word in words for number in _NUMBER.findall(word))
    return digits + _counted(words, NUMBER_WORDS)


def _is_near(key: str, other: str) -> bool:
    """Enough letters in common, or one title cut out of the other."""
    shorter, longer = sorted((key, other), key=len)
    return (len(shorter) >= MIN_MAIN_LETTERS and shorter in longer) or _likeness(key, other) >= NEAR


def _likeness(key: str, other: str) -> float:
    """Dice's measure over letter triples, each counted as often as it stands."""
    triples, others = (Counter(k[at : at + 3] for at in range(max(1, len(k) - 2))) for k in (key, other))
    return 2 * (triples & others).total() / (triples.total() + others.total())
