"""Abstracts as plain text, out of the forms in which services give them. Pure. No network. No clock."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Final

from novelty_kit.ingest.record import clean_text

__all__ = ["rebuild_abstract", "without_tags"]

_MAX_ABSTRACT_WORDS: Final = 50_000
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>")


def rebuild_abstract(index: object) -> str | None:
    """Put an inverted index (word to positions) back into running text; None where it is none."""
    if not isinstance(index, Mapping):
        return None
    words: list[tuple[int, str]] = []
    for word, positions in index.items():
        if not isinstance(positions, list):
            return None
        for position in positions:
            if not isinstance(position, int) or isinstance(position, bool) or position < 0:
                return None
            words.append((position, word))
        if len(words) > _MAX_ABSTRACT_WORDS:
            return None
    return clean_text(" ".join(word for _, word in sorted(words)))


def without_tags(markup: object) -> str | None:
    """An abstract is JATS there; the log holds plain text."""
    text = clean_text(markup)
    return None if text is None else clean_text(" ".join(html.unescape(_TAG.sub(" ", text)).split()))
