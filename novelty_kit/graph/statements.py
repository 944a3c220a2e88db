"""When two statements are one (novelty reference, section 5, rule 1), and what titles are sieved by."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["PLAIN_STATEMENT", "PLAIN_TITLE", "statement_key", "title_letters"]

# Titles whose letters are those of their key without any markup, sign or accent to undo.
PLAIN_TITLE = r"(?:[A-Za-z0-9 ,.:;?!()\[\]\"/]|-[A-Za-z ])*"
# Statements whose key is that of their lower case letters, with nothing else to fold.
PLAIN_STATEMENT = r"[!-~]+(?: [!-~]+)*"
_OTHER = re.compile("[^a-z]+")

# The Unicode property White_Space, written out: str.split() also takes U+001C to U+001F, which have it not.
_WHITE_SPACE = re.compile("[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def statement_key(statement: str) -> str:
    """NFC, then white space runs to one blank, trimmed, lower case; '' for nothing but white space.

    Nothing else is folded: a full stop, a hyphen or another word makes another statement.
    """
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", statement)).strip(" ").lower()


def title_letters(title: str) -> str:
    """The letters a to z of a title's key: equal for equal titles, whatever their markup and signs."""
    from novelty_kit.titles import title_key

    return _OTHER.sub("", title_key(title))
