"""The proof of one quote: stored, intact, found by this claim's search, substantial, and there word for word.

Reads the text store. The result is one of a closed set; only `verified-span` carries a verdict, and even that
says nothing about what the passage means. No network. No clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from novelty_kit.errors import DamageError, DocumentError, InputError
from novelty_kit.priorart.normal import WordMap, map_words
from novelty_kit.priorart.quote import Span, find_quote, split_ellipsis
from novelty_kit.priorart.references import ReferenceList
from novelty_kit.priorart.searchlog import Candidate
from novelty_kit.priorart.store import TextStore, sha256_of
from novelty_kit.priorart.substance import is_title_only, why_too_short
from novelty_kit.priorart.verdicts import GivenQuote

__all__ = ["Proof", "Prover", "QuoteResult"]


class QuoteResult(StrEnum):
    """What the check of one quote found, in the order in which it looks."""

    NO_QUOTE = "no-quote"
    NOT_IN_LOG = "source-not-in-log"
    STORE_MISSING = "store-missing"
    HASH_MISMATCH = "hash-mismatch"
    CITED = "source-cited"
    NOT_EARLIER = "source-not-earlier"
    TOO_SHORT = "too-short"
    TITLE_ONLY = "title-only"
    OWN_TEXT = "own-text"
    NOT_FOUND = "not-found"
    VERIFIED = "verified-span"


@dataclass(frozen=True, slots=True)
class Proof:
    """One quote and what became of it.

    Attributes
    ----------
    quote : GivenQuote
        As given.
    result : QuoteResult
        What the check found.
    detail : str
        In words; empty for a verified span.
    spans : tuple of Span
        All places in the stored text; only for a verified span.
    more : bool
        Whether there are places beyond those listed.
    passage : str
        The slice of the stored text at the first place.
    candidate : Candidate or None
        The work it is from, when the log knows it.
    """

    quote: GivenQuote
    result: QuoteResult
    detail: str = ""
    spans: tuple[Span, ...] = ()
    more: bool = False
    passage: str = ""
    candidate: Candidate | None = None

    @property
    def verified(self) -> bool:
        """Whether the quote stands in the stored text, and may be used."""
        return self.result is QuoteResult.VERIFIED

    def to_dict(self) -> dict[str, Any]:
        """The proof as it stands in a record's details."""
        row: dict[str, Any] = self.quote.to_dict() | {"result": str(self.result), "detail": self.detail}
        if self.verified:
            row["spans"] = [
                {"start": s.start, "end": s.end, "parts": [list(part) for part in s.parts], "case": _case(s)}
                for s in self.spans
            ]
            row["more_spans"] = self.more
            row["passage"] = self.passage
        if self.candidate is not None:
            row["candidate"] = self.candidate.to_dict()
        return row


def _case(span: Span) -> str:
    return "kept" if span.case_kept else "folded"


class Prover:
    """Proves quotes against one store; each stored text is read and hashed once.

    Parameters
    ----------
    store : TextStore
        Where the fetched texts are.
    own_texts : iterable of str
        The artifact's text, or what is known of it; a quote from it proves nothing.
    references : ReferenceList, optional
        What the artifact cites.
    artifact_date : str, optional
        ISO date; a source must be older where both dates are known.
    """

    def __init__(
        self,
        store: TextStore,
        own_texts: Iterable[str] = (),
        references: ReferenceList | None = None,
        artifact_date: str | None = None,
    ) -> None:
        self._store = store
        self._own = [map_words(text) for text in own_texts]
        self._own_sha256 = {sha256_of(words.source) for words in self._own}
        self._references = references or ReferenceList(())
        self._date = artifact_date
        self._texts: dict[str, WordMap | tuple[QuoteResult, str]] = {}

    def prove(self, quote: GivenQuote, candidates: Sequence[Candidate]) -> Proof:
        """Check one quote for one claim.

        Parameters
        ----------
        quote : GivenQuote
            The quotation.
        candidates : sequence of Candidate
            What the logged searches for this claim found.
        """
        sources = [candidate for candidate in candidates if candidate.text_sha256 == quote.text_sha256]
        candidate = sources[0] if sources else None
        for result, detail in self._faults(quote, sources):
            return Proof(quote, result, detail, candidate=candidate)
        words = self._words(quote.text_sha256)
        if isinstance(words, tuple):
            return Proof(quote, *words, candidate=candidate)
        if any(is_title_only(quote.text, source.title, words.source, ()) for source in sources):
            return Proof(quote, QuoteResult.TITLE_ONLY, "it quotes only the title", candidate=candidate)
        if self._is_own(quote):
            detail = "the same words stand in the artifact itself"
            return Proof(quote, QuoteResult.OWN_TEXT, detail, candidate=candidate)
        found = find_quote(quote.text, words, quote.start, quote.end)
        if not found.spans:
            return Proof(quote, QuoteResult.NOT_FOUND, found.why, candidate=candidate)
        parts = found.spans[0].parts
        if any(is_title_only(quote.text, source.title, words.source, parts) for source in sources):
            detail = "it says too little beyond the title"
            return Proof(quote, QuoteResult.TITLE_ONLY, detail, candidate=candidate)
        first = found.spans[0]
        passage = words.source[first.start : first.end]
        return Proof(quote, QuoteResult.VERIFIED, "", found.spans, found.more, passage, candidate)

    def text(self, text_sha256: str) -> str:
        """The stored text, for a person to read.

        Raises
        ------
        DocumentError
            It is missing from the store, or altered.
        """
        words = self._words(text_sha256)
        if isinstance(words, tuple):
            raise DocumentError(f"the text {text_sha256} cannot be shown: {words[0]}, {words[1]}")
        return words.source

    def _faults(self, quote: GivenQuote, sources: Sequence[Candidate]) -> Iterable[tuple[QuoteResult, str]]:
        """All that can be said without reading the passage, the weightiest first."""
        if not sources:
            yield QuoteResult.NOT_IN_LOG, "no logged search for this claim found this text"
            return
        words = self._words(quote.text_sha256)
        if isinstance(words, tuple):
            yield words
            return
        cited = [source for source in sources if self._references.cites(source)]
        if cited:
            yield QuoteResult.CITED, "the artifact's own reference list has this work"
        later = [source for source in sources if _not_earlier(source.date, self._date)]
        if later:
            yield QuoteResult.NOT_EARLIER, f"it is dated {later[0].date}, the artifact {self._date}"
        thin = why_too_short(quote.text)
        if thin:
            yield QuoteResult.TOO_SHORT, thin

    def _words(self, text_sha256: str) -> WordMap | tuple[QuoteResult, str]:
        if text_sha256 not in self._texts:
            try:
                self._texts[text_sha256] = map_words(self._store.text(text_sha256))
            except DamageError as error:
                self._texts[text_sha256] = QuoteResult.HASH_MISMATCH, error.problem.what
            except InputError as error:
                self._texts[text_sha256] = QuoteResult.STORE_MISSING, error.problem.what
        return self._texts[text_sha256]

    def _is_own(self, quote: GivenQuote) -> bool:
        if quote.text_sha256 in self._own_sha256:
            return True
        parts = split_ellipsis(quote.text) or [quote.text]
        return any(all(find_quote(part, own).spans for part in parts) for own in self._own)


_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ].*)?", re.DOTALL | re.ASCII)


def _not_earlier(source: str | None, artifact: str | None) -> bool:
    """Whether a source is known not to be older; dates of unequal precision compare as far as both go."""
    ours, theirs = _DATE.fullmatch(artifact or ""), _DATE.fullmatch(source or "")
    if ours is None or theirs is None:
        return False
    pairs = [(t, o) for t, o in zip(theirs.groups(), ours.groups(), strict=True) if t and o]
    later, earlier = [t for t, _ in pairs], [o for _, o in pairs]
    return later > earlier or (later == earlier and len(pairs) == 3)
