"""When two statements are the same statement (novelty reference, section 5, rule 1)."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["statement_key"]

# The Unicode property White_Space, written out: str.split() also takes U+001C to U+001F, which have it not.
_WHITE_SPACE = re.compile("[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def statement_key(statement: str) -> str:
    """NFC, then white space runs to one blank, trimmed, lower case; '' for nothing but white space.

    Nothing else is folded: a full stop, a hyphen or another word makes another statement.
    """
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", statement)).strip(" ").lower()
