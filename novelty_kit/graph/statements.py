"""When two statements are the same statement (novelty reference, section 5, rule 1)."""

from __future__ import annotations

import unicodedata

__all__ = ["statement_key"]


def statement_key(statement: str) -> str:
    """NFC, then white space runs to one blank, trimmed, lower case; '' for nothing but white space.

    Nothing else is folded: a full stop, a hyphen or another word makes another statement.
    """
    return " ".join(unicodedata.normalize("NFC", statement).split()).lower()
