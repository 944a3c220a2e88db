"""A bibliography as what one paper cites: as its reference list in the log, or as a candidate's references.

No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from novelty_kit.ingest.record import Reference, References, Skipped, Work

__all__ = ["candidate_of", "cited_by"]

# The order in which a cited work is best named, and a candidate's key is called.
_BEST_FIRST: Final = ("arxiv", "doi", "openalex", "pmid", "s2")
_KEY_NAMES: Final = {"s2": "s2_paperId"}


def _lom_ids(work: Work) -> tuple[str, ...]:
    return tuple(f"{scheme}:{work.ids[scheme]}" for scheme in _BEST_FIRST if scheme in work.ids)


def cited_by(lom_id: str, items: Iterable[Work | Skipped], source: str) -> Work:
    """The paper `lom_id` with these entries as its list; entries without an id count and have no edge."""
    entries: list[Reference] = []
    seen: set[str] = set()
    answer = None
    n_listed = 0
    for item in items:
        n_listed += 1
        work = item.entry if isinstance(item, Skipped) else item
        names = () if work is None else _lom_ids(work)
        answer = answer or (work.answer if work is not None else None)
        if lom_id not in names and not seen.intersection(names):
            entries.append(Reference(names, None if work is None else work.title))
        seen.update(names)
    scheme, _, body = lom_id.partition(":")
    listed = References(tuple(entries), n_stated=n_listed, n_listed=n_listed)
    return Work(source, {scheme: body}, references=listed, asked=lom_id, answer=answer)


def candidate_of(lom_id: str, items: Iterable[Work | Skipped]) -> dict[str, Any]:
    """A candidate record for the paper `lom_id` with the ids of these entries as its references."""
    references: dict[str, None] = {}
    for item in items:
        if isinstance(item, Work):
            references.setdefault(_lom_ids(item)[0])
    scheme, _, body = lom_id.partition(":")
    references.pop(lom_id, None)
    keys = {_KEY_NAMES.get(scheme, scheme): body}
    return {"candidate": {"kind": "paper", "keys": keys, "references": list(references)}}
