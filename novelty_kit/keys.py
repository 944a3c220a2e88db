"""One normal form for every identifier (novelty reference, section 2).

A node's name is ``scheme:id``. Everything that takes an id takes any common form of it and keeps only
the normal one. What has no normal form is refused, never repaired, completed or guessed: an arXiv number
that lost a zero stays an error. Every function here is total (an answer or :class:`KeyFormatError`),
idempotent, and linear in the length of the text. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from novelty_kit.errors import KeyFormatError

__all__ = ["NORMAL_FORM", "SCHEMES", "Key", "normalise", "parse_key"]

SCHEMES: Final = ("arxiv", "doi", "openalex", "pmid", "s2")
"""The schemes, in the order in which a subject is named after its keys."""

_MONTH = "(?:0[1-9]|1[0-2])"
_OLD_YEAR = "(?:9[1-9]|0[0-7])"
_TIME_OF_4 = f"(?:07(?:0[4-9]|1[0-2])|(?:0[89]|1[0-4]){_MONTH})"
_TIME_OF_5 = f"(?:1[5-9]|[2-9][0-9]){_MONTH}"
_SOME_OF_4 = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_ARXIV = (
    rf"(?:{_TIME_OF_4}\.{_SOME_OF_4}|{_TIME_OF_5}\.(?:[1-9][0-9]{{4}}|0{_SOME_OF_4})"
    rf"|[a-z]+(?:-[a-z]+)?/{_OLD_YEAR}{_MONTH}[0-9]{{3}})"
)
# Any registrant of 4 to 9 digits but 48550, which is arXiv's: its DOIs are arXiv ids.
_REGISTRANT = (
    "(?:[0-9]{4}|[0-35-9][0-9]{4}|4[0-79][0-9]{3}|48[0-46-9][0-9]{2}|485[0-46-9][0-9]|4855[1-9]|[0-9]{6,9})"
)
# Printing ASCII without capitals and without the percent sign; then without parentheses too.
_DOI_CHAR, _DOI_FLAT = r"[!-$&-@\[-`{-~]", r"[!-$&'*-@\[-`{-~]"
# A last character that no clean-up takes away.
_DOI_LAST = r"[!#$&(*+/0-9<=?@\[\\^_a-z{|~\-]"

NORMAL_FORM: Final[dict[str, str]] = {
    "arxiv": f"arxiv:{_ARXIV}",
    "doi": rf"doi:10\.{_REGISTRANT}(?:\.[0-9]+)*/{_DOI_CHAR}*(?:{_DOI_LAST}|\({_DOI_FLAT}*\))",
    "openalex": "openalex:W[1-9][0-9]*",
    "pmid": "pmid:[1-9][0-9]*",
    "s2": "s2:(?:[0-9a-f]{40}|CorpusId:[1-9][0-9]*)",
}
"""For each scheme a regular expression whose full matches are ids in normal form, prefix included.

Without look-around or back-references, so that RE2 engines (DuckDB, Arrow) take it. What it matches is its
own normal form. What it does not match need not be wrong: a DOI with letters beyond ASCII, for one, goes
the slow way through :func:`normalise`.
"""

_IS_NORMAL = re.compile("|".join(NORMAL_FORM.values()))

# Written out, because the Unicode tables of two Python versions differ and ids must not.
_BLANKS = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_QUOTES = "\"'`\u00b4\u00ab\u00bb\u2018-\u201f\u2039\u203a"
_BLANK = re.compile(f"[{_BLANKS}]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_BEFORE = re.compile(f"[{_BLANKS}{_QUOTES}<]*")
_TRAILING = re.compile(rf"[{_BLANKS}{_QUOTES}.,;:]")
_WRAPPING = re.compile(f"[{_BLANKS}{_QUOTES}>]")
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")
_OPENER = {")": "(", "]": "[", "}": "{", ">": "<"}

_FLAGS = re.ASCII | re.IGNORECASE
_WEB = r"(?:https?://)?(?:www\.)?"
_AFTER_LABEL = f"(?:[{_BLANKS}]*:|[{_BLANKS}])"
_DOI_LABEL = f"(?:info:doi/|doi{_AFTER_LABEL}[{_BLANKS}]*)"
# How each scheme announces itself: a label or an address. What follows it is the id.
_ANNOUNCED: Final = {
    scheme: re.compile(pattern, _FLAGS)
    for scheme, pattern in {
        "arxiv": rf"{_WEB}(?:export\.)?arxiv\.org/(?:abs|pdf|html)/|arxiv{_AFTER_LABEL}",
        "doi": rf"{_DOI_LABEL}?(?:https?://)?(?:dx\.|www\.)?doi\.org/(?:doi:)?|{_DOI_LABEL}",
        "openalex": rf"{_WEB}(?:api\.|explore\.)?openalex\.org/(?:works/)?|openalex:",
        "pmid": rf"{_WEB}(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|pmid{_AFTER_LABEL}",
        "s2": rf"{_WEB}(?:api\.)?semanticscholar\.org/|s2:",
    }.items()
}
# How an id without a label looks, right or wrong, so that a wrong one is refused in its scheme's words.
_LOOKS_LIKE: Final = tuple(
    (scheme, re.compile(pattern, _FLAGS))
    for scheme, pattern in (
        ("doi", r"10\.[0-9]{4,9}(?:\.[0-9]+)*(?:/|%2f)"),
        ("openalex", r"[a-z][0-9]+\Z"),
        ("s2", r"[0-9a-f]{40}\Z|corpusid:"),
        ("arxiv", r"[0-9]{3,4}\.[0-9]|[a-z]+(?:-[a-z]+)?(?:\.[a-z-]+)?/[0-9]{4,7}(?![0-9])"),
    )
)
_ARXIV_PARTS = re.compile(
    r"(?:(?P<time>[0-9]{3,4})\.(?P<number>[0-9]+)"
    r"|(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2}(?:-[a-z]+)?)?/(?P<serial>[0-9]+))"
    rf"(?P<version>v[0-9]+)?(?P<again>v[0-9]+)?(?:\.pdf)?(?:[{_BLANKS}]*\[[a-z-]+(?:\.[a-z-]+)?\])?",
    _FLAGS,
)
_IS_ARXIV = re.compile(_ARXIV)
_DOI_PARTS = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/")
_ARXIV_DOI = "10.48550/arxiv."

_EXPECTED: Final = {
    "arxiv": "Expected an arXiv id such as 2408.06292 or hep-th/9901001",
    "doi": "Expected a DOI such as 10.1126/science.aac4716",
    "openalex": "Expected an OpenAlex work such as W2741809807",
    "pmid": "Expected a PubMed number such as pmid:34265844",
    "s2": "Expected 40 hexadecimal digits, or CorpusId: and a number",
}


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
    if type(text) is not str:
        text = _as_text(text)
    if scheme is not None and scheme not in SCHEMES:
        raise KeyFormatError(
            f"unknown id scheme {scheme!r:.80}", remedy=f"Expected one of {', '.join(SCHEMES)}"
        )
    if _IS_NORMAL.fullmatch(text):
        named, _, body = text.partition(":")
        if scheme is None or scheme == named:
            return Key(named, body)
    _refuse_unseen(text, text, scheme)
    body = text[_end(_BEFORE, text) :]
    label_of, label, body = _split_label(body)
    if label_of is None:
        wanted = scheme or _scheme_by_shape(body, text)
    elif scheme in (None, label_of) or (scheme == "arxiv" and label_of == "doi"):
        wanted = label_of
        # A node's name may hold any form: "openalex:https://openalex.org/W1".
        body = body[_end(_BEFORE, body) :]
        inner = _ANNOUNCED[label_of].match(body)
        if inner:
            label, body = inner.group(), body[inner.end() :]
    else:
        _refuse(text, f"is labelled {label_of} where the scheme is {scheme}", scheme)
    key = _READ[wanted](body[_end(_BEFORE, body) :], "/" in label, text)
    if scheme == "arxiv" and key.scheme != "arxiv":
        _refuse(text, "is a DOI, and not one of arXiv's", scheme)
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
    raise KeyFormatError(
        f"an id is a string, but {type(value).__name__} {value!r:.80} was given",
        remedy="Write it in quotes: a number loses its zeros (2408.06290 becomes 2408.0629)",
    )


def _refuse(text: str, why: str, scheme: str | None) -> NoReturn:
    shown = repr(text if len(text) <= 80 else text[:79] + "…")
    remedy = (
        _EXPECTED[scheme] if scheme else f"Name its scheme, one of {', '.join(SCHEMES)}, as in pmid:34265844"
    )
    raise KeyFormatError(f"{shown} {why}", remedy=remedy)


def _refuse_unseen(body: str, text: str, scheme: str | None) -> None:
    unseen = _UNSEEN.search(body)
    if unseen:
        _refuse(text, f"holds the invisible character U+{ord(unseen.group()):04X}", scheme)


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _split_label(body: str) -> tuple[str | None, str, str]:
    for scheme in SCHEMES:
        label = _ANNOUNCED[scheme].match(body)
        if label:
            return scheme, label.group(), body[label.end() :]
    return None, "", body


def _scheme_by_shape(body: str, text: str) -> str:
    bare = _inside(body)
    for scheme, shape in _LOOKS_LIKE:
        if shape.match(bare):
            return scheme
    if bare.isascii() and bare.isdigit():
        _refuse(text, "is a bare number, and numbers are ids in several schemes", None)
    _refuse(text, "has the form of no known id", None)


def _inside(body: str) -> str:
    """Without what may stand around an id at its end: blanks, quotes, a closing angle bracket."""
    end = len(body)
    while end and _WRAPPING.match(body, end - 1):
        end -= 1
    return body[:end]


def _path(body: str, from_address: bool) -> str:
    """The id in what follows a host: without query, fragment and last slash."""
    body = _inside(body)
    return re.split("[?#]", body, maxsplit=1)[0].rstrip("/") if from_address else body


def _read_arxiv(body: str, from_address: bool, text: str) -> Key:
    if body.startswith("10."):
        key = _read_doi(body, from_address, text)
        if key.scheme != "arxiv":
            _refuse(text, "is a DOI, and not one of arXiv's", "arxiv")
        return key
    body = _path(body, from_address)
    return _arxiv_key(_decoded(body, text, "arxiv") if from_address else body, text)


def _arxiv_key(body: str, text: str) -> Key:
    found = _ARXIV_PARTS.fullmatch(body)
    if not found:
        _refuse(text, "is no arXiv id", "arxiv")
    version = found["version"]
    if found["again"]:
        _refuse(text, "names two versions", "arxiv")
    if version and version[1] == "0":
        _refuse(text, "names a version below 1 or with a leading zero", "arxiv")
    if found["archive"]:
        arxiv_id = f"{found['archive'].lower()}/{found['serial']}"
    else:
        arxiv_id = f"{found['time']}.{found['number']}"
    if not _IS_ARXIV.fullmatch(arxiv_id):
        _refuse(
            text, _arxiv_fault(found["time"] or "", found["number"] or "", found["serial"] or ""), "arxiv"
        )
    return Key("arxiv", arxiv_id, version.lower() if version else None)


def _arxiv_fault(time: str, number: str, serial: str) -> str:
    """Say why something of an arXiv id's shape is none, and whether it lost a zero."""
    if serial:
        if len(serial) != 7:
            hint = f": a number that lost a zero, {serial:0>7}?" if len(serial) < 7 else ""
            return f"has {len(serial)} digits after the slash, not 7{hint}"
        if not re.match(_OLD_YEAR, serial):
            return f"is of the year {serial[:2]}, and ids with a slash are of 91 to 07"
        return f"is of month {serial[2:4]}"
    if len(time) == 3:
        return f"is a number that lost a zero: 0{time}.{number:0<4}?"
    if not re.match(_MONTH, time[2:]):
        return f"is of month {time[2:]}"
    width = 4 if re.fullmatch(_TIME_OF_4, time) else 5 if re.fullmatch(_TIME_OF_5, time) else 0
    if not width:
        return f"is of {time}, and ids with a point begin with 0704"
    if len(number) < width:
        lost = " ".join(
            f"{time}.{full}?" for full in sorted({number.ljust(width, "0"), number.rjust(width, "0")})
        )
        return f"has {len(number)} digits after the point, not {width}: a number that lost a zero, {lost}"
    if len(number) > width:
        return f"has {len(number)} digits after the point, and ids of {time} have {width}"
    return "has the number zero, and arXiv counts from 1"


def _read_doi(body: str, from_address: bool, text: str) -> Key:
    body = _decoded(body, text, "doi")
    body = body[_end(_BEFORE, body) :]
    # Only ASCII letters have no case in a DOI.
    body = body.lower() if body.isascii() else body.encode().lower().decode()
    body = _without_tail(body)
    prefix = _DOI_PARTS.match(body)
    if not prefix:
        _refuse(text, "is no DOI", "doi")
    if prefix.end() == len(body):
        _refuse(text, "is a DOI without a suffix", "doi")
    if _BLANK.search(body):
        _refuse(text, "is a DOI with a blank inside", "doi")
    if body.startswith(_ARXIV_DOI):
        return _arxiv_key(body[len(_ARXIV_DOI) :], text)
    return Key("doi", body)


def _decoded(body: str, text: str, scheme: str) -> str:
    """Undo percent-encoding once; what is encoded still has no normal form."""
    if "%" not in body:
        return body
    try:
        plain = _ENCODED.sub(lambda pair: bytes.fromhex(pair[1].decode("ascii")), body.encode()).decode()
    except UnicodeDecodeError:
        _refuse(text, "is percent-encoded, but not as UTF-8", scheme)
    if _ENCODED.search(plain.encode()):
        _refuse(text, "is percent-encoded twice", scheme)
    _refuse_unseen(plain, text, scheme)
    return plain


def _without_tail(doi: str) -> str:
    """Cut what running text glues to a DOI's end; a SICI, check character included, stays whole."""
    depth = dict.fromkeys(_OPENER.values(), 0)
    unopened = set()
    for at, char in enumerate(doi):
        if char in depth:
            depth[char] += 1
        elif char in _OPENER:
            if depth[_OPENER[char]]:
                depth[_OPENER[char]] -= 1
            else:
                unopened.add(at)
    end = len(doi)
    while end and not (end > 6 and doi.startswith("co;2-", end - 6)):
        if _TRAILING.match(doi, end - 1) or end - 1 in unopened:
            end -= 1
            continue
        mark = doi.rfind("[", max(0, end - 6), end)
        if doi[end - 1] != "]" or not (
            doi[mark + 1 : end - 1].isascii() and doi[mark + 1 : end - 1].isdigit()
        ):
            break
        end = mark
    return doi[:end]


def _read_openalex(body: str, from_address: bool, text: str) -> Key:
    body = _path(body, from_address)
    if re.fullmatch("[Ww][1-9][0-9]*", body):
        return Key("openalex", body.upper())
    if re.fullmatch("(?:[a-z]+/)?[A-VX-Za-vx-z][0-9]+", body):
        _refuse(text, "is an OpenAlex entity of another kind than a work", "openalex")
    _refuse(text, "is no OpenAlex work", "openalex")


def _read_pmid(body: str, from_address: bool, text: str) -> Key:
    digits = _path(body, from_address)
    if not (digits.isascii() and digits.isdigit()):
        _refuse(text, "is no PubMed number", "pmid")
    if not digits.strip("0"):
        _refuse(text, "is zero, and PubMed counts from 1", "pmid")
    return Key("pmid", digits.lstrip("0"))


def _read_s2(body: str, from_address: bool, text: str) -> Key:
    name = _path(body, from_address)
    if from_address:
        name = name.rpartition("/")[2]
    if re.fullmatch("[0-9A-Fa-f]{40}", name):
        return Key("s2", name.lower())
    label, colon, number = name.partition(":")
    if colon and label.lower() == "corpusid" and re.fullmatch("[1-9][0-9]*", number):
        return Key("s2", f"CorpusId:{number}")
    _refuse(text, "is no Semantic Scholar paper", "s2")


_READ: Final = {
    "arxiv": _read_arxiv,
    "doi": _read_doi,
    "openalex": _read_openalex,
    "pmid": _read_pmid,
    "s2": _read_s2,
}
