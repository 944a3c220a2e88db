"""DOIs: ``10.NNNN/suffix``, ASCII letters in lower case.

A DOI may hold nearly anything, so only what running text glues to its end is cut off; forms with brackets
and semicolons (SICI) stay whole. Neither Unicode forms nor HTML entities are touched. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Final

from novelty_kit.keys.text import BLANKS, QUOTES, decoded, refuse, unopened

# Any registrant of 4 to 9 digits but 48550, which is arXiv's: its DOIs are arXiv ids.
_REGISTRANT = (
    "(?:[0-9]{4}|[0-35-9][0-9]{4}|4[0-79][0-9]{3}|48[0-46-9][0-9]{2}|485[0-46-9][0-9]|4855[1-9]|[0-9]{6,9})"
)
# Printing ASCII without capitals and without the percent sign; then without parentheses too.
_CHAR, _FLAT = r"[!-$&-@\[-~]", r"[!-$&'*-@\[-~]"
# A last character that is never cut off.
_LAST = r"[!#$&(*+/0-9<=?@\[\\^_a-z{|~\-]"

NORMAL: Final = rf"10\.{_REGISTRANT}(?:\.[0-9]+)*/{_CHAR}*(?:{_LAST}|\({_FLAT}*\))"
SHAPE: Final = r"10\.[0-9]{4,9}(?:\.[0-9]+)*(?:/|%2f)"
ADDRESS: Final = r"(?:dx\.)?doi\.org/"
ARXIV_PREFIX: Final = "10.48550/arxiv."

_PREFIX = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/")
_BLANK = re.compile(f"[{BLANKS}]")
_TRAILING = frozenset(BLANKS + QUOTES + ".,;:")
_OPENER = {")": "(", "]": "[", "}": "{", ">": "<"}


def read_doi(body: str, text: str) -> str:
    """Give the DOI's normal form; `text` is what an error quotes."""
    body = unopened(decoded(body, text, "doi"))
    # The case of other letters than ASCII's is significant in a DOI.
    body = body.lower() if body.isascii() else body.encode().lower().decode()
    if body and not body[-1].isalnum():
        body = _without_tail(body)
    prefix = _PREFIX.match(body)
    if not prefix:
        refuse(text, "is no DOI", "doi")
    if prefix.end() == len(body):
        refuse(text, "is a DOI without a suffix", "doi")
    if _BLANK.search(body):
        refuse(text, "is a DOI with a blank inside", "doi")
    return body


def _without_tail(doi: str) -> str:
    """Cut punctuation, quotes, citation marks like ``[27]`` and brackets that nothing opened off the end."""
    depth = dict.fromkeys(_OPENER.values(), 0)
    unopened_at = set()
    for at, char in enumerate(doi):
        if char in depth:
            depth[char] += 1
        elif char in _OPENER:
            if depth[_OPENER[char]]:
                depth[_OPENER[char]] -= 1
            else:
                unopened_at.add(at)
    end = len(doi)
    # What follows "co;2-" is a SICI's check character, and may be a punctuation mark.
    while end and not doi.startswith("co;2-", max(0, end - 6), end - 1):
        if doi[end - 1] in _TRAILING or end - 1 in unopened_at:
            end -= 1
        elif (mark := _citation_mark(doi, end)) < end:
            end = mark
        else:
            break
    return doi[:end]


def _citation_mark(doi: str, end: int) -> int:
    """Where the mark of one to four digits in square brackets begins that ends at `end`, or `end`."""
    start = doi.rfind("[", max(0, end - 6), end)
    digits = doi[start + 1 : end - 1]
    is_mark = start >= 0 and doi[end - 1] == "]" and digits.isascii() and digits.isdigit()
    return start if is_mark else end
