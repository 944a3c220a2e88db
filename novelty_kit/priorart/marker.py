"""The marker that the existing tools take for a quotation, minus the markers that deny themselves.

A weak sign: it shows that somebody wrote like one who quotes. Upstream accepts any double quotation mark and
the words fetched, source: and quote: anywhere; here an inch mark, an empty quotation, "nothing was fetched"
and a bare address do not count.
"""

from __future__ import annotations

import re

__all__ = ["has_marker"]

_QUOTATION = re.compile(r'"([^"]*)"')
_FETCHED = re.compile(r"\bfetched\b")
_DENIED = re.compile(
    r"\b(?:no|not|nothing|never|none|without|cannot|couldn't|wasn't|isn't)\b(?:\W+\w+){0,3}\W+fetched\b"
    r"|\bfetched\b.{0,40}\b(?:no|not a|without a?)\s*(?:quot\w+|passage|text)\b",
    re.DOTALL,
)
_TAG = re.compile(r"\b(?:source|quote):(.*)", re.DOTALL)
_EMPTY = re.compile(r"https?://\S+|\b(?:pending|none|tbd|todo|n/a|unknown|missing)\b")


def has_marker(evidence: str | None) -> bool:
    """Whether the evidence bears a marker."""
    if not evidence:
        return False
    if any(re.search(r"\w", inside) for inside in _QUOTATION.findall(evidence)):
        return True
    folded = evidence.lower()
    if _FETCHED.search(folded) and not _DENIED.search(folded):
        return True
    tag = _TAG.search(folded)
    return tag is not None and re.search(r"\w", _EMPTY.sub("", tag[1])) is not None
