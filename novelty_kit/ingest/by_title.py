"""Entries without an id, looked up by their title, accepted only where nothing speaks against it.

One strict title matcher decides; authors and years, where both sides state them, may only veto. Several works
that fit are none. Asks through clients only. Nothing is written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from novelty_kit.ingest.ask import PROVIDERS, Services
from novelty_kit.ingest.record import Skipped, Work
from novelty_kit.ingest.reply import Failed
from novelty_kit.titles import match_titles, title_words

__all__ = ["fits", "resolve_by_title"]

# A preprint precedes its journal by years, hardly by more.
_YEARS_APART: Final = 3
# A shorter title is shared by strangers; it needs authors to go with it.
_MIN_WORDS, _MIN_LETTERS = 4, 20


def fits(entry: Work, found: Work) -> bool:
    """Whether a found work is the one that an entry means."""
    if entry.title is None or found.title is None:
        return False
    if match_titles(entry.title, found.title).status != "verified":
        return False
    years = [int(work.publication_date[:4]) for work in (entry, found) if work.publication_date]
    if len(years) == 2 and abs(years[0] - years[1]) > _YEARS_APART:
        return False
    if entry.authors and found.authors:
        return bool(_names(entry.authors) & _names(found.authors))
    words = title_words(entry.title)
    return len(words) >= _MIN_WORDS and sum(map(len, words)) >= _MIN_LETTERS


def _names(authors: Iterable[str]) -> set[str]:
    """The parts of people's names that are more than initials, without accents and case."""
    text = unicodedata.normalize("NFKD", " ".join(authors)).casefold()
    letters = "".join(c if c.isalpha() else " " for c in text if not unicodedata.combining(c))
    return {part for part in letters.split() if len(part) > 1} - {
        "van",
        "von",
        "der",
        "den",
        "de",
        "la",
        "others",
    }


def resolve_by_title(
    services: Services, source: str, items: Iterable[Work | Skipped], *, corroborate: bool = True
) -> Iterator[Work | Skipped]:
    """Pass works through, and look up by title what was skipped for want of an id.

    Parameters
    ----------
    services : Services
        The clients.
    source : str
        Which service to ask.
    items : iterable of Work or Skipped
        The entries of a bibliography.
    corroborate : bool, optional
        Whether a second source is asked about empty reference lists.

    Yields
    ------
    Work or Skipped
        The service's record where exactly one fits; otherwise the entry, with what came of it.
    """
    stopped: Failed | None = None
    for item in items:
        entry = item.entry if isinstance(item, Skipped) else None
        if isinstance(item, Work) or entry is None or entry.title is None:
            yield item
            continue
        if stopped is not None:
            yield replace(
                item, code="not_asked", why=f"{item.why}; {source} was asked no more: {stopped.message}"
            )
            continue
        found = PROVIDERS[source].search_works(services.client(source), entry.title)
        if isinstance(found, Failed):
            stopped = found if found.stops_run else None
            yield replace(item, code=str(found.failure), why=f"{item.why}; {source}: {found.message}")
            continue
        fitting = {work.lom_ids[0]: work for work in found if fits(entry, work)}
        if len(fitting) == 1:
            work = fitting.popitem()[1]
            yield services.corroborated(work) if corroborate else work
        elif fitting:
            named = ", ".join(sorted(fitting))
            yield replace(item, code="several_matches", why=f"{item.why}; {source} knows {named}")
        else:
            yield replace(
                item, code="no_match", why=f"{item.why}; none of {len(found)} works at {source} fits"
            )
