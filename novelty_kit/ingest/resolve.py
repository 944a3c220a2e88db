"""Looking up a candidate's ids at the time of its verdict (novelty reference, section 5, rule 0).

A candidate that is known by Semantic Scholar's or OpenAlex's ids alone has to be looked up there before the
graph can say that it does not hold it. An answer gives its other ids; no answer gives the reason, which
blocks the verdict. Asks through clients only. Nothing is written to the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.ingest.ask import PROVIDERS, Services
from novelty_kit.ingest.record import Work
from novelty_kit.ingest.reply import Failed

__all__ = ["Resolved", "resolve_keys"]

_ASKED_AT: Final = {"openalex": "openalex", "s2": "s2"}


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of looking a candidate up.

    Attributes
    ----------
    lom_ids : tuple of str
        Every id of the work in normal form, sorted; empty where no lookup was answered.
    blocking : tuple of dict
        Of failed lookups, where none was answered: ``scheme``, ``lookup``, ``http_status`` (None where there
        was no answer), ``reason``.
    """

    lom_ids: tuple[str, ...]
    blocking: tuple[dict[str, Any], ...]


def resolve_keys(services: Services, lom_ids: Sequence[str]) -> Resolved:
    """Look a candidate up by its ids, each at the service that gives it out, until one is answered.

    Parameters
    ----------
    services : Services
        The clients.
    lom_ids : sequence of str
        The candidate's ids in normal form; only ``openalex`` and ``s2`` ids need looking up.

    Returns
    -------
    Resolved
    """
    blocking = []
    for scheme in _ASKED_AT:
        for lom_id in sorted(lom_id for lom_id in lom_ids if lom_id.startswith(f"{scheme}:")):
            source = _ASKED_AT[scheme]
            answer: Work | Failed = PROVIDERS[source].fetch_work(services.client(source), lom_id)
            if isinstance(answer, Work):
                return Resolved(tuple(sorted({lom_id, *answer.lom_ids})), ())
            blocking.append(
                {
                    "scheme": source,
                    "lookup": lom_id,
                    "http_status": answer.http_status,
                    "reason": str(answer.failure),
                }
            )
    return Resolved((), tuple(blocking))
