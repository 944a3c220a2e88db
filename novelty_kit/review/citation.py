"""What a citation names: the normal form by which citations are counted and compared.

An arXiv id, a bare or labelled PubMed number, a PMCID, a trial number, an OpenAlex work and any DOI are
ids; what has none of these forms is a title. Two writings of one id are one citation. No network. No
clock. Nothing is written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import parse_key

__all__ = ["CitationKey", "CitationScheme", "citation_key"]

CitationScheme = Literal["arxiv", "doi", "openalex", "pmid", "pmcid", "nct", "s2", "malformed", "title"]

_PMCID: Final = re.compile(r"(?:PMCID[:\s]*)?PMC([0-9]+)", re.ASCII | re.IGNORECASE)
_NCT: Final = re.compile(r"(?:NCT[:\s]*)?NCT([0-9]{8})", re.ASCII | re.IGNORECASE)
_BARE_PMID: Final = re.compile(r"[0-9]{1,8}", re.ASCII)
# A label that announces an id: what follows it is a wrong id, not a title.
_LABELLED: Final = re.compile(
    r"(?:arxiv|doi|pmid|pmcid|openalex|s2|corpusid)\s*:|https?://(?:dx\.|www\.)?doi\.org/|10\.[0-9]{4,9}/",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class CitationKey:
    """A citation's identity.

    Attributes
    ----------
    scheme : str
        ``malformed`` for what is labelled as an id and has no normal form, ``title`` for a title.
    id : str
        The id in normal form without its prefix; for a title its text, folded.
    """

    scheme: CitationScheme
    id: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.id}"

    @property
    def is_id(self) -> bool:
        """Whether a service can be asked for it by id."""
        return self.scheme not in ("malformed", "title")


def citation_key(text: str) -> CitationKey:
    """Give the identity of a citation as it is written in a record, a manifest or a list; never fails."""
    bare = text.strip()
    if found := _PMCID.fullmatch(bare):
        return CitationKey("pmcid", f"PMC{found[1].lstrip('0') or '0'}")
    if found := _NCT.fullmatch(bare):
        return CitationKey("nct", f"NCT{found[1]}")
    try:
        if _BARE_PMID.fullmatch(bare):
            return CitationKey("pmid", parse_key(bare, "pmid").id)
        key = parse_key(bare)
    except KeyFormatError:
        folded = " ".join(unicodedata.normalize("NFKC", bare).casefold().split())
        return CitationKey("malformed" if _LABELLED.match(bare) else "title", folded)
    for scheme in _SCHEMES:
        if key.scheme == scheme:
            return CitationKey(scheme, key.id)
    raise KeyFormatError(f"the id scheme {key.scheme!r} is not known to the citation check")


_SCHEMES: Final[tuple[CitationScheme, ...]] = ("arxiv", "doi", "openalex", "pmid", "s2")
