"""What may stand around an id, what may not stand in it, and how one is refused.

Reads and writes nothing. Never repairs an id. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from novelty_kit.errors import KeyFormatError

EXPECTED: Final = {
    "arxiv": "Expected an arXiv id such as 2408.06292 or hep-th/9901001",
    "doi": "Expected a DOI such as 10.1126/science.aac4716",
    "openalex": "Expected an OpenAlex work such as W2741809807",
    "pmid": "Expected a PubMed number such as pmid:34265844",
    "s2": "Expected 40 hexadecimal digits, or CorpusId: and a number",
}

# Written out: the Unicode tables of two Python versions differ, and ids must not.
BLANKS: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
QUOTES: Final = "\"'`\u00b4\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a"
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")


def refuse(text: str, why: str, scheme: str | None) -> NoReturn:
    """Raise the error that quotes the text, says what is wrong with it and what was expected."""
    shown = repr(text if len(text) <= 80 else text[:79] + "…")
    remedy = (
        EXPECTED[scheme] if scheme else f"Name its scheme, one of {', '.join(EXPECTED)}, as in pmid:34265844"
    )
    raise KeyFormatError(f"{shown} {why}", remedy=remedy)


def refuse_unseen(body: str, text: str, scheme: str | None) -> None:
    """Refuse control, direction and zero-width characters: two ids that look alike must be alike."""
    unseen = _UNSEEN.search(body)
    if unseen:
        refuse(text, f"holds the invisible character U+{ord(unseen.group()):04X}", scheme)


def unopened(body: str) -> str:
    """Without the blanks, quotes and angle brackets before an id."""
    return body.lstrip(BLANKS + QUOTES + "<")


def unclosed(body: str) -> str:
    """Without the blanks, quotes and closing angle brackets after an id."""
    return body.rstrip(BLANKS + QUOTES + ">")


def decoded(body: str, text: str, scheme: str) -> str:
    """Undo percent-encoding once; what is still encoded then has no normal form."""
    if "%" not in body:
        return body
    try:
        plain = _ENCODED.sub(lambda pair: bytes.fromhex(pair[1].decode("ascii")), body.encode()).decode()
    except UnicodeDecodeError:
        refuse(text, "is percent-encoded, but not as UTF-8", scheme)
    if _ENCODED.search(plain.encode()):
        refuse(text, "is percent-encoded twice", scheme)
    refuse_unseen(plain, text, scheme)
    return plain
