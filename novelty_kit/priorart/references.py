"""What the artifact cites: keys, addresses or titles, compared with a found work.

Prior art is looked for among works that are *not* cited; a quote from a cited one belongs to the check of the
citations. Two works are the same here when a key agrees, or a title of at least four words to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from novelty_kit.errors import DocumentError
from novelty_kit.priorart.normal import map_words
from novelty_kit.priorart.searchlog import Candidate

__all__ = ["ReferenceList", "read_references"]

_ARXIV = re.compile(
    r"(?:arxiv[:./]|arxiv\.org/(?:abs|pdf)/)\s*([a-z.-]+/\d{7}|\d{4}\.\d{4,5})", re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]+")
_OTHER = re.compile(
    r"(?:^|[\s/])(openalex|s2|pmid|pmcid|mag|acl|isbn)\s*:\s*([\w.-]+)|openalex\.org/(?:works/)?([wW]\d+)"
)
_MIN_TITLE_WORDS = 4


def _keys(text: str) -> set[str]:
    """Every key that a reference, an address or a lom_id names."""
    found = {f"arxiv:{key.casefold()}" for key in _ARXIV.findall(text)}
    for doi in _DOI.findall(text):
        plain = doi.rstrip(".,;)").casefold()
        arxiv = re.fullmatch(r"10\.48550/arxiv\.(.+)", plain)
        found.add(f"arxiv:{arxiv[1]}" if arxiv else f"doi:{plain}")
    for scheme, key, openalex in _OTHER.findall(text):
        found.add(f"openalex:{openalex.casefold()}" if openalex else f"{scheme.casefold()}:{key.casefold()}")
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
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DocumentError(f"cannot read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise DocumentError("not UTF-8", path=path, remedy="Save it as UTF-8") from error
    lines = (line.strip() for line in re.split(r"\r?\n", text))
    return tuple(line for line in lines if line and not line.startswith("#"))
