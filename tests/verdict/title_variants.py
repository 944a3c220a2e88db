"""The same title as another service writes it: each kind gives one or more spellings, the same every time."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator

from novelty_kit.titles import main_title, title_key

_CURLY = str.maketrans({"'": "\u2019", '"': "\u201d", "-": "\u2010"})


def case(title: str) -> Iterator[str]:
    """Capitals, small letters, capitals at the head of words; not where that would spoil markup."""
    if re.search(r"[&<\\]", title):
        return
    yield title.upper()
    yield title.lower()
    yield title.title()


def markup(title: str) -> Iterator[str]:
    """A word in italics, the tail of a word in small capitals, the whole in a title element."""
    words = title.split(" ")
    longest = max(range(len(words)), key=lambda at: (len(words[at]), -at))
    if re.search("[<&]", words[longest]):
        return
    word = words[longest]
    for changed in (f"<i>{word}</i>", f"{word[:1]}<scp>{word[1:]}</scp>", f"<jats:bold>{word}</jats:bold>"):
        yield " ".join([*words[:longest], changed, *words[longest + 1 :]])
    yield f"<jats:title>{title}</jats:title>"


def entities(title: str) -> Iterator[str]:
    """Signs and letters beyond ASCII as entities, once and twice."""
    plain = html.unescape(title)
    if "<" in plain:
        return
    once = html.escape(plain).replace("-", "&#8208;")
    once = "".join(char if char.isascii() else f"&#{ord(char)};" for char in once)
    yield once
    yield once.replace("&", "&amp;")


def typography(title: str) -> Iterator[str]:
    """Curly quotes and real hyphens, hard and thin blanks, ligatures, letters taken apart, a soft hyphen."""
    if "<" in title or "&" in title:
        return
    yield title.translate(_CURLY)
    yield title.replace(" ", "\u00a0")
    yield title.replace(" ", "\u2009")
    yield title.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("fl", "\ufb02")
    yield unicodedata.normalize("NFD", title)
    yield re.sub(r"(\w{4})(?=[a-z]{3})", "\\1\u00ad", title, count=1)


def punctuation(title: str) -> Iterator[str]:
    """A full stop at the end or none, a colon that became a dash or a blank, a line break."""
    yield title.rstrip(".") + "."
    yield title.rstrip(".")
    yield re.sub(r"(?<=[A-Za-z]): ", " \u2014 ", title)
    yield re.sub(r"(?<=[A-Za-z]): ", " ", title)
    yield title.replace(" ", "\n  ", 1)


def subtitle_dropped(title: str) -> Iterator[str]:
    """What stands before the subtitle."""
    if title_key(main_title(title)) != title_key(title):
        yield main_title(title)


KINDS: tuple[Callable[[str], Iterator[str]], ...] = (
    case, markup, entities, typography, punctuation, subtitle_dropped,
)  # fmt: skip


def variants(kind: Callable[[str], Iterator[str]], title: str) -> list[str]:
    """The spellings of one kind that differ from the title."""
    return sorted(set(kind(title)) - {title})
