"""From a title as services write it to plain text, and from plain text to comparable words.

Titles arrive with HTML, JATS and MathML tags, entities (sometimes escaped twice), LaTeX, ligatures, line
breaks spelled as a backslash and an n. Nothing here decides whether two titles are one: what is dropped is
only what does not tell two works apart. Digits keep their groups, points, signs and exponents. Every step
is linear in the length of the text. Reads and writes nothing. No network. No clock.
"""

from __future__ import annotations

import html
import re
import unicodedata

from novelty_kit.titles.lexicon import LATEX_SILENT, LATEX_WORD, LETTER, SIGN

__all__ = ["plain_text", "title_words"]

_ELEMENTS = (
    "a|b|big|br|div|em|font|h[1-6]|i|img|inf|italic|bold|li|math|p|roman|sc|scp|small|span|strong|sub|sup|td|tt|u|ul"
    "|underline|monospace|overline|styled-content|named-content|inline-formula|inline-graphic|alternatives|tex-math"
    "|title|subtitle|xref|ext-link|sans-serif|semantics|annotation|none|m(?:frac|i|n|o|s|over|under|underover|row"
    "|space|sqrt|root|style|sub|sup|subsup|table|td|text|tr|padded|phantom|fenced|multiscripts|prescripts)"
)
# Only known elements with well-formed attributes: "p < 0.05 and q > 3" is no tag.
_TAG = (
    rf"</?(?:jats:|mml:|m:|xhtml:)?(?:{_ELEMENTS})"
    r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"'=]+))*\s*/?>"
)
_TAGS = re.compile(rf"(?:{_TAG})+|<!\[CDATA\[|\]\]>", re.IGNORECASE)
_BREAKING = re.compile(r"<(?:br|p|div|title|subtitle|li|td)[\s/>]", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MARKUP = re.compile(r"[&<\\{}$_^~\x00-\x08\x0e-\x1f\x7f]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# Signs that show nothing, soft hyphens and joiners, and the letter-like marks of a trade name.
_SILENT = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u2122\u00ae\u00a9]")

_LATEX_COMMAND = re.compile(r"\\(?:n(?![a-z])|([A-Za-z]+)|([\"'`^~=.\-])|(.)|\Z)", re.DOTALL)
_POWER = re.compile(r"(?<=\d)\}*\$*\^\{?(?=\d)")
_SHIFT_IN_NUMBER = re.compile(r"(?<=\d)[{}$_]+(?=\d)")
_SHIFT = re.compile(r"[{}$_]|(?<!\d)\^|\^(?!\d)")

_SUPERSCRIPT = re.compile("(?<=[0-9])(?=[\u2070\u00b9\u00b2\u00b3\u2074-\u2079])")
_SHARP = re.compile("(?<=[a-z])#")
_DIGIT = re.compile(r"[\d\u2070\u00b9\u00b2\u00b3\u2074-\u2079]")
_THOUSANDS = re.compile(r"(?<=\d)[,'\u2019\u2009\u202f](?=\d{3}(?!\d))")
_POINT = re.compile(r"(?<=\d)[.\u00b7](?=\d)")
_EXPONENT = re.compile(r"(?<=\d)\^(?=\d)")
_MINUS = re.compile(r"(?<![^\s(\[,;])[-\u2212\u2013](?=\d)")
_ARROW = re.compile(r"-+>|=>|<-+")
_CANNOT = re.compile(r"\bcan(?:['\u2019]t|not)\b")
_NOT = re.compile(r"n['\u2019]t\b")
# Marks, while the rest is cut away, of a sign, a point and an exponent that belong to a number.
_KEPT_IN_NUMBER = str.maketrans({"\x02": ".", "\x03": "^"})
_FOLDED = str.maketrans({**{sign: f" {word} " for sign, word in SIGN.items()}, "\x01": " minus ", **LETTER})
_ACCENTS = re.compile("(?<=[a-z\u00df-\u024f\u0370-\u03ff])[\u0300-\u036f]+")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_APART = re.compile("[^a-z0-9\x02\x03]+")


def plain_text(title: str) -> str:
    """Give the title without tags, entities and LaTeX, on one line, its letters and punctuation kept."""
    if title.isascii() and not _MARKUP.search(title):
        return " ".join(title.split())
    text = title
    for _ in range(2):
        # Twice: "&amp;lt;i&amp;gt;" is what some services send.
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text
    if "<" in text:
        text = _TAGS.sub(_tag_gap, _without_doubled_math(text))
    if "\\" in text:
        text = _LATEX_COMMAND.sub(_latex_plain, _POWER.sub("^", text))
    text = _SHIFT.sub("", _SHIFT_IN_NUMBER.sub(" ", _POWER.sub("^", text))).replace("~", " ")
    return " ".join(_CONTROL.sub(" ", _SILENT.sub("", text)).split())


def title_words(title: str) -> tuple[str, ...]:
    """Give the words that identify a title: folded in case, accents, ligatures, dashes and quotes.

    Signs that tell works apart are spelled (``C++`` gives ``c``, ``plus``, ``plus``), Greek letters too, and
    contracted negations are written out.
    """
    text = plain_text(title)
    if _DIGIT.search(text):
        text = _EXPONENT.sub("\x03", _SUPERSCRIPT.sub("\x03", _POINT.sub("\x02", _THOUSANDS.sub("", text))))
        text = _MINUS.sub("\x01", text)
    if ">" in text or "<" in text:
        text = _ARROW.sub(" ", text)
    if text.isascii():
        text = _spelled(text.lower()).translate(_FOLDED)
        return tuple(_APART.sub(" ", text).translate(_KEPT_IN_NUMBER).split())
    for _ in range(2):
        # Decomposing may make capitals and folding may make composed letters.
        text = unicodedata.normalize("NFKD", text).casefold()
    text = _ACCENTS.sub("", unicodedata.normalize("NFKD", _spelled(text))).translate(_FOLDED)
    return tuple(_letters_and_digits(text).translate(_KEPT_IN_NUMBER).split())


def _spelled(text: str) -> str:
    """Write contracted negations out, and the sign in C#."""
    if "n't" in text or "n\u2019t" in text or "cannot" in text:
        text = _NOT.sub(" not", _CANNOT.sub("can not", text))
    return _SHARP.sub(" sharp ", text) if "#" in text else text


def _tag_gap(run: re.Match[str]) -> str:
    """Inline tags leave nothing, breaking ones a blank; digits on both sides must not become one number."""
    before, after = run.string[max(0, run.start() - 1) : run.start()], run.string[run.end() : run.end() + 1]
    if before.isdigit() and after.isdigit():
        return "^" if run[0][:5].lower().endswith("<sup>") else " "
    return " " if _BREAKING.search(run[0]) else ""


def _without_doubled_math(text: str) -> str:
    """Where a formula stands as MathML too, drop its LaTeX twin and MathML's annotations."""
    if "math>" not in text:
        return text
    for name in ("tex-math", "annotation"):
        kept, start = [], 0
        while (opened := text.find(f"<{name}", start)) >= 0 and (
            closed := text.find(f"</{name}>", opened)
        ) >= 0:
            kept.append(text[start:opened])
            start = closed + len(name) + 3
        text = "".join([*kept, text[start:]])
    return text


def _latex_plain(command: re.Match[str]) -> str:
    word, accent, char = command.groups()
    if word:
        return "" if word in LATEX_SILENT else LATEX_WORD.get(word, word)
    if accent:
        return ""
    return char if char and char in "&%$#" else " "


def _letters_and_digits(text: str) -> str:
    """Keep any script's letters with the marks that belong to them, and digits as ASCII; blank the rest."""
    text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    kept, inside = [], False
    for char in text:
        inside = char.isalnum() or char in "\x02\x03" or (inside and unicodedata.category(char)[0] == "M")
        kept.append(char if inside else " ")
    return unicodedata.normalize("NFC", "".join(kept))
