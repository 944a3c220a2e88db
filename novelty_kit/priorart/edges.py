"""Where a quote may be cut out of a text: not inside a word, a compound or a number, not behind a negation.

"possible" stands inside "impossible", "5 percent" inside "0.5 percent", "linear" inside "non-linear", and
"improves" behind "never": every word of such a quote occurs, and the quote says something else. No network.
"""

from __future__ import annotations

import re

from novelty_kit.priorart.gaps import HANGING, even_gap
from novelty_kit.priorart.normal import WordMap, is_unspaced

__all__ = ["why_cut", "why_elided"]

_NEGATOR = re.compile(
    "not|no|never|none|neither|nor|cannot|without|non|hardly|scarcely|barely|rarely|seldom|unable|fail|fails|failed|lacks"
    "|nothing|kein|keine|keinen|nicht|ohne|pas|sans|ne|[不未非無无没沒否莫勿]"
)
_CJK_NEGATORS_AFTER = ("ない", "なかった", "なく", "ません", "ず")
# Signs that touch the first word, or stand a space before it; the same behind the last word.
_SIGN_LEFT = re.compile(r"(?:[<>=≤≥≠≈±~]\s?|[-+^$€£¥#/_\\])+$")
_SIGN_RIGHT = re.compile(r"^(?:\s?[%‰°<>=≤≥≠≈±~]|[-+^×/#_\\])+")
_NUMBER_SPACES = frozenset("\u00a0\u2007\u2009\u202f")
_BULLET = re.compile(r"^\s*[-*•>]\s")
_SURROUNDS = re.compile(r"[\s\"'.,;:!?()\[\]{}。、，；：！？·]+")
_CLAUSE_END = re.compile("[.,;:!?。、；：！？—–()]")
#: How many words at either end of what an ellipsis leaves out may negate what stays.
_ELIDED = 3


def why_cut(text: WordMap, first: int, last: int, quote: WordMap) -> str:
    """Why the words `first` to `last` may not be cut out of the text here; empty when they may."""
    for reason in (
        _left(text, first),
        _negated(text, first),
        _right(text, last, quote),
        _signs(text, first, last, quote),
    ):
        if reason:
            return reason
    return ""


def _left(text: WordMap, first: int) -> str:
    if not first:
        return ""
    gap, word, previous = text.gap(first), text.word(first), text.word(first - 1)
    even = even_gap(gap)
    if even == "" and not (is_unspaced(word) or is_unspaced(previous)):
        return "it begins inside a word"
    if even == "'":
        return "it begins behind an apostrophe"
    hanging = even == "- " and word.casefold() in HANGING
    if even.rstrip() in ("-", "_") and not gap[:1].isspace() and not hanging:
        return "it begins inside a compound"
    if even in (".", ",") and word[0].isnumeric() and previous[-1].isnumeric():
        return "it begins inside a number"
    return "it begins inside a number" if _splits_number(text, first - 1) else ""


def _negator_at(text: WordMap, index: int) -> str:
    """The negation that a word is, or ends ("does", "n't"); empty when it is none."""
    word = text.word(index)
    if _NEGATOR.fullmatch(word.casefold()):
        return word
    ends_contraction = word.casefold() == "t" and index > 0 and even_gap(text.gap(index)) == "'"
    return f"{text.word(index - 1)}'t" if ends_contraction else ""


def _negated(text: WordMap, first: int) -> str:
    """Whether a negation directly before the words governs them; "fails to" counts as one."""
    back = first - 1
    while back >= 0 and not even_gap(text.gap(back + 1)).strip():
        negator = _negator_at(text, back)
        if negator:
            return f"it leaves out the {negator!r} before it"
        if text.word(back).casefold() != "to" or back != first - 1:
            return ""
        back -= 1
    return ""


def _splits_number(text: WordMap, left: int) -> bool:
    """Whether a space that does not break stands between the digits of one number, as in 1 204."""
    end, start = text.source_end(left), text.source_start(left + 1)
    return (
        text.source[end:start] in _NUMBER_SPACES
        and text.word(left)[-1].isnumeric()
        and len(text.word(left + 1)) >= 3
        and text.word(left + 1)[:3].isnumeric()
    )


def why_elided(text: WordMap, last: int, first: int) -> str:
    """Why an ellipsis may not stand for the words between `last` and `first`; empty when it may.

    A negation in the same clause as either neighbour belongs to that neighbour.
    """
    for ahead in range(last + 1, min(last + 1 + _ELIDED, first)):
        if _CLAUSE_END.search(text.gap(ahead)):
            break
        if negator := _negator_at(text, ahead):
            return f"the ellipsis leaves out the {negator!r} behind its part"
    for back in range(first - 1, max(first - 1 - _ELIDED, last), -1):
        if _CLAUSE_END.search(text.gap(back + 1)):
            break
        if negator := _negator_at(text, back):
            return f"the ellipsis leaves out the {negator!r} before its part"
    return ""


def _right(text: WordMap, last: int, quote: WordMap) -> str:
    if last + 1 >= len(text):
        return ""
    gap, word, following = text.gap(last + 1), text.word(last), text.word(last + 1)
    even = even_gap(gap)
    ends_alike = even_gap(quote.gap(len(quote))).rstrip() == even.rstrip()
    if even == "" and not (is_unspaced(word) or is_unspaced(following)):
        return "it ends inside a word"
    if even == "'":
        return "it ends before an apostrophe"
    if even.rstrip() in ("-", "_") and not gap[:1].isspace() and not ends_alike:
        return "it ends inside a compound"
    if even in (".", ",", ":") and word[-1].isnumeric() and following[0].isnumeric():
        return "it ends inside a number"
    if _splits_number(text, last):
        return "it ends inside a number"
    if even == "" and is_unspaced(word):
        ahead = "".join(text.word(i) for i in range(last + 1, min(last + 5, len(text))))
        if ahead.startswith(_CJK_NEGATORS_AFTER):
            return "it leaves out the negation behind it"
    return ""


def _sign(pattern: re.Pattern[str], even: str) -> str:
    match = pattern.search(even)
    return match.group().strip() if match else ""


def _signs(text: WordMap, first: int, last: int, quote: WordMap) -> str:
    """A sign at the edge of a number is part of it; any sign that the quote has must be there."""
    there, asked = even_gap(text.gap(first)), _BULLET.sub("", even_gap(quote.gap(0)))
    # "n = 5" may be quoted from the 5 on, "p < 5" and "-5" may not.
    left_out = _sign(_SIGN_LEFT, there).removesuffix(_sign(_SIGN_LEFT, asked)).strip("=/#_ ")
    if (left_out and text.word(first)[0].isnumeric()) or not _plain(there).endswith(_plain(asked)):
        return "it leaves out or adds a sign before its first word"
    there, asked = even_gap(text.gap(last + 1)), even_gap(quote.gap(len(quote)))
    # "5 %" may not be quoted without its unit, nor "C++" without its name's end; "(p" before "= 5" may.
    left_out = _sign(_SIGN_RIGHT, there).removeprefix(_sign(_SIGN_RIGHT, asked))
    if not text.word(last)[-1].isnumeric():
        left_out = left_out.strip("-%‰°<>=≤≥≠≈±~× ")
    if left_out or not _plain(there).startswith(_plain(asked)):
        return "it leaves out or adds a sign behind its last word"
    return ""


def _plain(even: str) -> str:
    """A gap without what may surround any quote: space, quotation marks, brackets, stops."""
    return _SURROUNDS.sub("", even)
