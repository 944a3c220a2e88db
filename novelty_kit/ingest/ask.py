"""Asking services for ids: answers, failures and what was not asked, as items for the log.

An empty list is put to a second source before it may count as none. A service that says stop is asked no
more. Asks through clients only. Nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol, Self

from novelty_kit.ingest import arxiv, crossref, openalex, s2
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.known import Known
from novelty_kit.ingest.limits import Limits, load_limits
from novelty_kit.ingest.record import ListFault, Work
from novelty_kit.ingest.reply import MAY_PASS, Failed, Failure, Reply, by_status
from novelty_kit.ingest.run import Missed

__all__ = ["ASKED_BY", "PROVIDERS", "Provider", "Services", "answered_before", "ask_for"]


class Provider(Protocol):
    """What the module of a provider offers."""

    def sort_answer(self, reply: Reply) -> Failure | None:
        """What failure an answer is, or None."""

    def fetch_work(self, client: Client, lom_id: str) -> Work | Failed:
        """Ask for one work."""

    def resolve_works(self, client: Client, lom_ids: Sequence[str]) -> Iterator[tuple[str, Work | Failed]]:
        """Ask for many works."""

    def search_works(self, client: Client, title: str) -> list[Work] | Failed:
        """Ask for works by title."""


PROVIDERS: Final[dict[str, Provider]] = {
    "openalex": openalex,
    "crossref": crossref,
    "s2": s2,
    "arxiv": arxiv,
}
_ADDRESS_VARIABLE: Final = "NOVELTY_{}_URL"
_STATES_NO_REFERENCES: Final = frozenset({"arxiv"})
ASKED_BY: Final[dict[str, tuple[str, ...]]] = {
    "openalex": ("openalex", "doi", "arxiv", "pmid"),
    "crossref": ("doi",),
    "s2": ("arxiv", "doi", "pmid", "s2"),
    "arxiv": ("arxiv",),
}
"""The schemes of the ids that each service can be asked for."""
_ASK_AGAIN: Final = frozenset(str(failure) for failure in (*MAY_PASS, Failure.BUDGET_SPENT))


class Services:
    """The services that a run talks to, each opened when it is first asked.

    Parameters
    ----------
    environ : mapping, optional
        Where keys are read from, and other addresses (``NOVELTY_OPENALEX_URL`` and so on).
    wait_s : float, optional
        How long the run may wait for retries, for each service; the table's own number without it.
    client : callable, optional
        Makes a client for a service's limits and its way of sorting answers.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str] = os.environ,
        wait_s: float | None = None,
        client: Callable[[Limits, Callable[[Reply], Failure | None], Mapping[str, str]], Client]
        | None = None,
    ) -> None:
        self._environ = environ
        self._wait_s = wait_s
        self._make = client or (lambda limits, sort, environ: Client(limits, sort=sort, environ=environ))
        self._clients: dict[str, Client] = {}
        self._stopped: dict[str, Failed] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for client in self._clients.values():
            client.close()

    def client(self, source: str) -> Client:
        """The client for a service."""
        if source not in self._clients:
            limits = load_limits(source)
            address = self._environ.get(_ADDRESS_VARIABLE.format(source.upper()))
            limits = limits.at(address) if address else limits
            if self._wait_s is not None:
                limits = replace(limits, wait_s=self._wait_s)
            sort = PROVIDERS[source].sort_answer if source in PROVIDERS else by_status
            self._clients[source] = self._make(limits, sort, self._environ)
        return self._clients[source]

    def corroborated(self, work: Work) -> Work:
        """Put an empty list to a second source: Crossref for a DOI, else Semantic Scholar."""
        listed = work.references
        if listed is None or listed.fault is not ListFault.ZERO_UNCORROBORATED:
            return work
        for source, lom_id in _second_sources(work):
            count = self._count(source, lom_id)
            if isinstance(count, int):
                note = f"{source} counts {count} references"
                return replace(
                    work, references=replace(listed, corroborated_zero=count == 0, second_source=note)
                )
            if not (isinstance(count, Failed) and count.failure is Failure.NOT_FOUND):
                return work
        return work

    def _count(self, source: str, lom_id: str) -> int | Failed | None:
        if source in self._stopped:
            return self._stopped[source]
        ask = crossref.fetch_reference_count if source == crossref.SOURCE else s2.fetch_reference_count
        count = ask(self.client(source), lom_id)
        if isinstance(count, Failed) and count.stops_run:
            self._stopped[source] = count
        return count


def _second_sources(work: Work) -> Iterator[tuple[str, str]]:
    if "doi" in work.ids and work.source != crossref.SOURCE:
        yield crossref.SOURCE, f"doi:{work.ids['doi']}"
    for scheme in ("arxiv", "doi", "pmid"):
        if scheme in work.ids and work.source != s2.SOURCE:
            yield s2.SOURCE, f"{scheme}:{work.ids[scheme]}"
            return


def ask_for(
    services: Services, source: str, lom_ids: Sequence[str], *, corroborate: bool = True
) -> Iterator[Work | Missed]:
    """Ask one service for works.

    Parameters
    ----------
    services : Services
        The clients.
    source : str
        Which service.
    lom_ids : sequence of str
        Ids in normal form; each is asked for once.
    corroborate : bool, optional
        Whether a second source is asked about empty lists.

    Yields
    ------
    Work or Missed
        At least one for every id, also for those that were not asked because the service said stop.
    """
    wanted = dict.fromkeys(lom_ids)
    states = source not in _STATES_NO_REFERENCES
    for lom_id, outcome in PROVIDERS[source].resolve_works(services.client(source), list(wanted)):
        wanted.pop(lom_id, None)
        if isinstance(outcome, Work):
            yield services.corroborated(outcome) if corroborate else outcome
        else:
            yield Missed(source, lom_id, outcome, states)
    for lom_id in wanted:
        yield Missed(source, lom_id, None, states)


def answered_before(known: Known, source: str, lom_id: str) -> bool:
    """Whether the log holds this service's last word on an id, so that a resumed run need not ask again."""
    failed = known.failed_lookup(source, lom_id)
    if failed is not None:
        return failed[0] in (404, 410)
    for owner in known.owners(lom_id):
        node = known.node(owner)
        if source in _STATES_NO_REFERENCES:
            if (node.paper or {}).get("source") == source:
                return True
        elif node.checked is not None and node.checked["source"] == source:
            return node.checked["status"] == "ok" or node.checked["reason"] not in _ASK_AGAIN
    return False
