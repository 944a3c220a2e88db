"""Does a quote say enough to prove anything? Not a title, an address, stop words or a scrap.

At least six words or thirty characters, twelve in a script without spaces, counted without what is only an
address; not stop words alone; and, where the quote runs on from the title, enough of it beyond the title.
"""

from __future__ import annotations

import re

from novelty_kit.priorart.gaps import even_gap
from novelty_kit.priorart.normal import WordMap, is_unspaced, map_words
from novelty_kit.priorart.quote import find_quote, split_ellipsis

__all__ = ["MIN_CHARACTERS", "MIN_UNSPACED", "MIN_WORDS", "is_title_only", "why_too_short"]

MIN_WORDS = 6
MIN_CHARACTERS = 30
MIN_UNSPACED = 12

_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\b(?:doi|arxiv|pmid|pmcid)\s*:\s*\S+|\b10\.\d{4,9}/\S+", re.IGNORECASE
)
_STOP = re.compile(
    "a|an|the|and|or|but|nor|so|yet|of|in|on|at|to|for|from|by|with|as|into|onto|over|under|between|about|is|are"
    "|was|were|be|been|being|am|do|does|did|has|have|had|can|could|may|might|shall|should|will|would|must|it|its"
    "|this|that|these|those|there|here|they|them|their|he|she|his|her|we|us|our|you|your|i|my|one|who|whom"
    "|which|what|when|where|how|why|if|than|then|such|also|not|no|all|any|some|each|more|most|other|very|only"
)


def why_too_short(quote: str) -> str:
    """Why a quote proves nothing whatever the text; empty when it says enough."""
    bare = _ADDRESS.sub(" ", quote)
    words = map_words(bare)
    if not len(words):
        return "it is only an address" if bare != quote else "it has no word"
    return _too_short(words)


def _too_short(words: WordMap) -> str:
    listed = [words.word(index) for index in range(len(words))]
    unspaced = sum(len(word) for word in listed if is_unspaced(word))
    spaced = [word for word in listed if not is_unspaced(word)]
    n_characters = sum(map(len, listed)) + sum(
        len(even_gap(words.gap(index))) for index in range(1, len(words))
    )
    if unspaced >= MIN_UNSPACED:
        return ""
    if len(spaced) < MIN_WORDS and n_characters < MIN_CHARACTERS:
        asked = f"{MIN_WORDS} words or {MIN_CHARACTERS} characters"
        return f"it has {len(spaced)} words and {n_characters} characters; {asked} are asked"
    if not unspaced and all(_STOP.fullmatch(word.casefold()) or word.isnumeric() for word in spaced):
        return "it has only stop words and numbers"
    if len({word.casefold() for word in listed}) * 3 <= len(listed):
        return "it repeats the same word"
    return ""


def is_title_only(quote: str, title: str, text: str, spans: tuple[tuple[int, int], ...]) -> bool:
    """Whether a quote lies in the title, or says too little beyond the title at the head of the text.

    Parameters
    ----------
    quote, title, text : str
        The quotation, the title of the work, its stored text.
    spans : tuple of (int, int)
        Where the quote's parts stand in the text; empty when it was not found.
    """
    if not title.strip():
        return False
    words = map_words(title)
    if len(words) and all(find_quote(part, words).spans for part in split_ellipsis(quote) or [quote]):
        return True
    if not spans or not text.startswith(title) or spans[0][0] >= len(title):
        return False
    beyond = " ".join(text[max(start, len(title)) : end] for start, end in spans if end > len(title))
    return why_too_short(beyond) != ""
