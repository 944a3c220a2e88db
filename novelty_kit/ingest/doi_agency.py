"""doi.org: which registration agency gave a DOI out, or that nobody did.

Crossref and DataCite know their own DOIs only; a dozen other agencies give DOIs out. Only doi.org can say
that a DOI does not exist. Asked only to check citations. Asks only through the client that it is given.
Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from novelty_kit.errors import KeyFormatError
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import decoded, no_such_lookup, not_by_status
from novelty_kit.ingest.record import clean_text
from novelty_kit.ingest.reply import Failed, Failure
from novelty_kit.keys import normalise

__all__ = ["SOURCE", "fetch_agency"]

SOURCE: Final = "doi"

_DOES_NOT_EXIST: Final = frozenset({"doi does not exist", "invalid doi"})


def fetch_agency(client: Client, lom_id: str) -> str | Failed:
    """Ask who gave a DOI out; "does not exist" is the one definite no, anything else unclear a failure."""
    if not lom_id.startswith("doi:"):
        return no_such_lookup(lom_id, SOURCE)
    reply = client.ask("/doiRA/" + quote(lom_id.removeprefix("doi:"), safe="/"))
    if isinstance(reply, Failed):
        return not_by_status(reply)
    body = decoded(reply)
    if isinstance(body, Failed):
        return body
    entry = body[0] if isinstance(body, list) and len(body) == 1 else None
    if not isinstance(entry, Mapping) or not _is(lom_id, entry.get("DOI")):
        return Failed(Failure.UNREADABLE, "the answer is not about this DOI", reply.status, reply.answer)
    agency, said = clean_text(entry.get("RA")), clean_text(entry.get("status"))
    if agency is not None and said is None:
        return agency
    if said is not None and said.strip().casefold() in _DOES_NOT_EXIST:
        return Failed(Failure.NOT_FOUND, said, reply.status, reply.answer)
    return Failed(Failure.UNREADABLE, f"the answer says {said!r:.80}", reply.status, reply.answer)


def _is(lom_id: str, doi: object) -> bool:
    try:
        return isinstance(doi, str) and normalise(doi, "doi") == lom_id
    except KeyFormatError:
        return False
