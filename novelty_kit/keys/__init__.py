"""One normal form for every identifier (novelty reference, section 2).

A node's name is ``scheme:id``. Everything that takes an id takes any common form of it and keeps only
the normal one. What has no normal form is refused, never repaired, completed or guessed: an arXiv number
that lost a zero stays an error. Every function here is total (an answer or :class:`KeyFormatError`),
idempotent, and linear in the length of the text. No network. No clock. Nothing is written.

One scheme, one place: :mod:`~novelty_kit.keys.arxiv`, :mod:`~novelty_kit.keys.doi`, and
:mod:`~novelty_kit.keys.catalogues` for the ids that OpenAlex, PubMed and Semantic Scholar give out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import arxiv, catalogues, doi
from novelty_kit.keys.text import BLANKS, decoded, refuse, refuse_unseen, unclosed, unopened

__all__ = ["NORMAL_FORM", "SCHEMES", "Key", "normalise", "parse_key"]

SCHEMES: Final = ("arxiv", "doi", "openalex", "pmid", "s2")
"""The schemes, in the order in which a subject is named after its keys."""

NORMAL_FORM: Final[dict[str, str]] = {
    "arxiv": f"arxiv:{arxiv.NORMAL}",
    "doi": f"doi:{doi.NORMAL}",
    "openalex": f"openalex:{catalogues.OPENALEX_NORMAL}",
    "pmid": f"pmid:{catalogues.PMID_NORMAL}",
    "s2": f"s2:{catalogues.S2_NORMAL}",
}
"""For each scheme a regular expression whose full matches are ids in normal form, prefix included.

Without look-around or back-references, so that RE2 engines (DuckDB, Arrow) take it. What it matches is its
own normal form. What it does not match need not be wrong: a DOI with letters beyond ASCII, for one, goes
the slow way through :func:`normalise`.
"""

_IS_NORMAL = re.compile("|".join(NORMAL_FORM.values()))
# The same ids bare, or behind the addresses that catalogues write: most of what is ever read.
_IS_COMMON = re.compile(
    rf"(?:(?:arxiv:|https?://arxiv\.org/abs/)?(?P<arxiv>{arxiv.NORMAL})"
    rf"|(?:doi:|https?://(?:dx\.)?doi\.org/)?(?P<doi>{doi.NORMAL})"
    rf"|(?:openalex:|https?://openalex\.org/)?(?P<openalex>{catalogues.OPENALEX_NORMAL})"
    rf"|(?:pmid:|https?://pubmed\.ncbi\.nlm\.nih\.gov/)(?P<pmid>{catalogues.PMID_NORMAL})"
    rf"|(?:s2:)?(?P<s2>{catalogues.S2_NORMAL}))"
)
_WEB = r"(?:https?://)?(?:www\.)?"
_GAP = f"(?:[{BLANKS}]*:|[{BLANKS}])[{BLANKS}]*"
# How each scheme announces itself: a label, an address, or a label before an address. The id follows.
_ANNOUNCED: Final = {
    scheme: f"(?:{label})?{_WEB}{address}|{label}"
    for scheme, label, address in (
        ("arxiv", f"arxiv{_GAP}", arxiv.ADDRESS),
        ("doi", f"info:doi/|doi{_GAP}", doi.ADDRESS),
        ("openalex", "openalex:", catalogues.OPENALEX_ADDRESS),
        ("pmid", f"pmid{_GAP}", catalogues.PMID_ADDRESS),
        ("s2", "s2:", catalogues.S2_ADDRESS),
    )
}
# How an id without a label looks, right or wrong, so that a wrong one is refused in its scheme's words.
_LOOKS_LIKE: Final = {
    "doi": doi.SHAPE,
    "openalex": r"(?:w[0-9]+|[acfgipst][1-9][0-9]{4,})\Z",
    "s2": r"[0-9a-f]{40}\Z|corpusid:",
    "arxiv": arxiv.SHAPE,
}


@cache
def _found(shape: str) -> re.Pattern[str]:
    """Compiled when it is first asked for: most ids are common, and most starts need none of these."""
    return re.compile(shape, re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Key:
    """One identifier in normal form.

    Attributes
    ----------
    scheme : str
        One of :data:`SCHEMES`.
    id : str
        The id in that scheme's normal form, without the prefix.
    version : str or None
        For arXiv the version that was written (``"v3"``); it is no part of the identity.
    """

    scheme: str
    id: str
    version: str | None = None

    @property
    def lom_id(self) -> str:
        """The node's name, ``scheme:id``."""
        return f"{self.scheme}:{self.id}"

    def __str__(self) -> str:
        return self.lom_id


def parse_key(text: str, scheme: str | None = None) -> Key:
    """Read an identifier in any common form.

    Parameters
    ----------
    text : str
        The id: bare, labelled (``arXiv:``, ``doi:``, ``PMID:``), as an address, or already normal.
    scheme : str, optional
        The scheme that it must be of. Without it the label, the address or the shape says so; bare digits
        are then refused, since they fit more than one scheme.

    Returns
    -------
    Key
        Its scheme is `scheme`, except that a DOI of arXiv's own (``10.48550/arxiv.…``) is the arXiv id.

    Raises
    ------
    KeyFormatError
        The text has no normal form. It says what was found, what was expected and, where a number lost a
        zero on its way, that it did.
    """
    text = _as_text(text)
    if scheme is not None and scheme not in SCHEMES:
        raise KeyFormatError(
            f"unknown id scheme {scheme!r:.80}", remedy=f"Expected one of {', '.join(SCHEMES)}"
        )
    common = _IS_COMMON.fullmatch(text)
    if common and common.lastgroup and scheme in (None, common.lastgroup):
        return Key(common.lastgroup, common[common.lastgroup])
    refuse_unseen(text, text, scheme)
    labelled, is_address, body = _split_label(unopened(text))
    if labelled is None:
        return _read(scheme or _scheme_by_shape(body, text), body, is_address, text)
    if scheme not in (None, labelled) and (scheme, labelled) != ("arxiv", "doi"):
        refuse(text, f"is labelled {labelled} where the scheme is {scheme}", scheme)
    key = _read(labelled, body, is_address, text)
    if scheme == "arxiv" and key.scheme != "arxiv":
        refuse(text, "is a DOI, and not one of arXiv's", "arxiv")
    return key


def normalise(text: str, scheme: str | None = None) -> str:
    """Give the normal form ``scheme:id`` of an identifier; applying it twice changes nothing more.

    Parameters, errors and accepted forms are those of :func:`parse_key`.
    """
    if scheme is None and type(text) is str and _IS_NORMAL.fullmatch(text):
        return text
    return parse_key(text, scheme).lom_id


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    # A whole number of thousands of digits cannot even be shown.
    is_short = value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**18)
    shown = f"{type(value).__name__} {value!r}" if is_short else type(value).__name__
    raise KeyFormatError(
        f"an id is a string, but {shown} was given",
        remedy="Write it in quotes: a number loses its zeros (2408.06290 becomes 2408.0629)",
    )


def _split_label(body: str) -> tuple[str | None, bool, str]:
    """Give the scheme that the text names, whether an address names it, and what follows."""
    for scheme, announced in _ANNOUNCED.items():
        label = _found(announced).match(body)
        if label:
            rest = unopened(body[label.end() :])
            # A node's name may carry any form of the id: "openalex:https://openalex.org/W1", "pmid:PMID:7".
            again = _found(announced).match(rest)
            rest = unopened(rest[again.end() :]) if again else rest
            return scheme, "/" in label.group() or (again is not None and "/" in again.group()), rest
    return None, False, body


def _scheme_by_shape(body: str, text: str) -> str:
    bare = unclosed(body)
    for scheme, shape in _LOOKS_LIKE.items():
        if _found(shape).match(bare):
            return scheme
    if bare.isascii() and bare.isdigit():
        refuse(text, "is a bare number, and numbers are ids in several schemes", None)
    refuse(text, "has the form of no known id", None)


def _read(scheme: str, body: str, is_address: bool, text: str) -> Key:
    if scheme == "doi" or (scheme == "arxiv" and body.startswith("10.")):
        name = doi.read_doi(body, text)
        if name.startswith(doi.ARXIV_PREFIX):
            return Key("arxiv", *arxiv.read_arxiv(name[len(doi.ARXIV_PREFIX) :], text))
        if scheme == "arxiv":
            refuse(text, "is a DOI, and not one of arXiv's", "arxiv")
        return Key("doi", name)
    body = unclosed(body)
    if is_address:
        body = decoded(re.split("[?#]", body, maxsplit=1)[0], text, scheme).rstrip("/")
    if scheme == "arxiv":
        return Key("arxiv", *arxiv.read_arxiv(body, text))
    if scheme == "openalex":
        return Key("openalex", catalogues.read_openalex(body, text))
    if scheme == "pmid":
        return Key("pmid", catalogues.read_pmid(body, text))
    return Key("s2", catalogues.read_s2(body, text))
