"""Blocks of prose as sentences, and sentences as parts that each say one thing. No network. No clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from novelty_kit.priorart.layout import GONE

__all__ = ["LONGEST", "sentence_spans"]

#: What runs on for more characters without a stop is a table or a list, and is cut.
LONGEST = 1200

_END = re.compile(rf"[.!?]+[{GONE}\"'”’)\]]*(?=[\s{GONE}]|$)")
_ABBREVIATION = re.compile(
    rf"(?:^|[\s(\[{GONE}])(?:e\.g|i\.e|cf|vs|et al|etc|figs?|eqs?|sec|refs?|tab|vol|pp?|approx|ca|dr"
    r"|prof|mr|mrs|ms|st|resp|w\.r\.t|viz|al|ch|ed|eds|[A-Z])\.$",
    re.IGNORECASE,
)
_NEXT = re.compile(rf"[\s{GONE}\"'“‘(\[]*")


def sentence_spans(prose: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a block begins and ends, without the space around it."""
    start = 0
    for end in _END.finditer(prose):
        if prose[end.start()] == "." and not _ends(prose, start, end.start(), end.end()):
            continue
        yield from _pieces(prose, start, end.end())
        start = end.end()
    yield from _pieces(prose, start, len(prose))


def _pieces(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, or, where it is too long to be one, pieces of it."""
    while end - start > LONGEST:
        cut = prose.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = cut if cut > 0 else start + LONGEST
        yield from _trimmed(prose, start, cut)
        start = cut
    yield from _trimmed(prose, start, end)


def _ends(prose: str, start: int, stop: int, after: int) -> bool:
    """Whether the full stop at `stop` ends a sentence."""
    if _ABBREVIATION.search(prose[max(start, stop - 12) : stop + 1]):
        return False
    following = _NEXT.match(prose, after)
    at = following.end() if following else after
    # A sentence does not go on in lower case, unless the next one begins with a formula or a name like iOS.
    return at >= len(prose) or not prose[at].islower()


def _trimmed(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and (prose[start].isspace() or prose[start] == GONE):
        start += 1
    while end > start and (prose[end - 1].isspace() or prose[end - 1] == GONE):
        end -= 1
    if start < end:
        yield start, end
