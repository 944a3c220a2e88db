"""What the artifact cites: keys, addresses or titles, compared with a found work.

Prior art is looked for among works that are *not* cited; a quote from a cited one belongs to the check of the
citations. Two works are the same here when a key agrees, or a title of at least four words to the letter.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import normalise
from novelty_kit.priorart.jsonfile import read_text
from novelty_kit.priorart.normal import map_words
from novelty_kit.priorart.searchlog import Candidate

__all__ = ["ReferenceList", "read_references"]

# What may be a key inside a longer text; whether it is one, and its normal form, the keys room says.
_MAYBE_KEY = re.compile(
    r"(?:arxiv\s*[:./]\s*|arxiv\.org/(?:abs|pdf)/)[^\s,;()\[\]]+|\b10\.\d{4,9}/[^\s\"<>{}|\\^`]+"
    r"|\b(?:openalex|s2|pmid)\s*:\s*[\w.-]+|openalex\.org/(?:works/)?w\d+",
    re.IGNORECASE,
)
_MIN_TITLE_WORDS = 4


def _keys(text: str) -> set[str]:
    """Every key that a reference, an address or a lom_id names, in normal form."""
    found = set()
    for maybe in [text, *_MAYBE_KEY.findall(text)]:
        with contextlib.suppress(KeyFormatError):
            found.add(normalise(maybe.rstrip(".,;")))
    return found


def _title(text: str) -> str:
    words = map_words(text)
    return (
        " ".join(words.word(i).casefold() for i in range(len(words)))
        if len(words) >= _MIN_TITLE_WORDS
        else ""
    )


class ReferenceList:
    """The works that the artifact cites.

    Parameters
    ----------
    entries : iterable of str
        One work each: a key, an address, a title, or a whole reference.
    """

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = tuple(entries)
        self._keys = {key for entry in self.entries for key in _keys(entry)}
        self._exact = {entry.strip().casefold() for entry in self.entries if entry.strip()}
        self._titles = {title for entry in self.entries if (title := _title(entry))}
        self._padded = [f" {title} " for title in sorted(self._titles)]

    def __len__(self) -> int:
        return len(self.entries)

    def cites(self, work: Candidate) -> bool:
        """Whether this work is among them."""
        if (_keys(work.id) | _keys(work.url)) & self._keys:
            return True
        if {work.id.casefold(), work.url.casefold()} & self._exact:
            return True
        title = _title(work.title)
        return bool(title) and any(f" {title} " in entry for entry in self._padded)


def read_references(path: str) -> tuple[str, ...]:
    """One reference a line; empty lines and lines that begin with ``#`` mean nothing.

    Raises
    ------
    DocumentError
        The file cannot be read, or is not UTF-8.
    """
    lines = (line.strip() for line in re.split(r"\r?\n", read_text(path)))
    return tuple(line for line in lines if line and not line.startswith("#"))
