"""ClinicalTrials.gov: asking for a registered trial by its number, and its JSON as a record.

A trial has a brief and an official title; either may be cited. Asked only to check citations. Asks only
through the client that it is given. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import about, decoded, no_such_lookup
from novelty_kit.ingest.record import Answer, Skipped, Work, clean_text
from novelty_kit.ingest.reply import Failed

__all__ = ["SOURCE", "fetch_work", "read_work"]

SOURCE: Final = "clinicaltrials"

_FIELDS: Final = "NCTId,BriefTitle,OfficialTitle,Acronym"


def fetch_work(client: Client, lom_id: str) -> Work | Failed:
    """Ask for one trial; the answer must be about it."""
    scheme, _, body = lom_id.partition(":")
    if scheme != "nct":
        return no_such_lookup(lom_id, SOURCE)
    reply = client.ask(f"/studies/{body}", {"fields": _FIELDS})
    if isinstance(reply, Failed):
        return reply
    value = decoded(reply)
    return value if isinstance(value, Failed) else about(lom_id, read_work(value, answer=reply.answer), reply)


def read_work(record: object, *, answer: Answer | None = None) -> Work | Skipped:
    """Read one trial."""
    protocol = record.get("protocolSection") if isinstance(record, Mapping) else None
    facts = protocol.get("identificationModule") if isinstance(protocol, Mapping) else None
    number = facts.get("nctId") if isinstance(facts, Mapping) else None
    if not isinstance(facts, Mapping) or not isinstance(number, str):
        return Skipped("not_a_work", "the answer holds no trial")
    titles = [
        text
        for text in (clean_text(facts.get(name)) for name in ("officialTitle", "briefTitle", "acronym"))
        if text is not None
    ]
    return Work(
        source=SOURCE,
        ids={"nct": number},
        title=titles[0] if titles else None,
        states_references=False,
        answer=answer,
        other_titles=tuple(titles[1:]),
    )
