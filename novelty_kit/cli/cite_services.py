"""The clients of `ingest` as the resolver that citation checks ask.

The rule room does not know the network and the network room does not know citations; they meet here. Ids of
one service are asked for many at a time where it can be. A service that failed twice in a row, or that says
stop, is asked no more in this run: what is left stays undecided and is never accused. Writes nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from novelty_kit.ingest import arxiv, clinicaltrials, crossref, datacite, doi_agency, europepmc, openalex
from novelty_kit.ingest.ask import Services
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.lookup import not_by_status
from novelty_kit.ingest.record import Work
from novelty_kit.ingest.reply import MAY_PASS, Failed, Failure
from novelty_kit.review.citation import CitationKey
from novelty_kit.review.verify import Agency, Resolution
from novelty_kit.titles import match_titles

__all__ = ["CitationServices", "patient_services"]

_MANY: Final[dict[str, Callable[[Client, Sequence[str]], Iterator[tuple[str, Work | Failed]]]]] = {
    "crossref": crossref.resolve_works,
    "arxiv": arxiv.resolve_works,
    "openalex": openalex.resolve_works,
}
_ONE: Final[dict[str, Callable[[Client, str], Work | Failed]]] = {
    "datacite": datacite.fetch_work,
    "europepmc": europepmc.fetch_work,
    "clinicaltrials": clinicaltrials.fetch_work,
}
_BY_TITLE: Final[dict[str, Callable[[Client, str], list[Work] | Failed]]] = {
    "crossref": crossref.search_works,
    "europepmc": europepmc.search_works,
    "arxiv": arxiv.search_works,
}
_SCHEMES: Final = {"crossref": "doi", "arxiv": "arxiv", "openalex": "openalex"}
_PAGES: Final = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/",
    "openalex": "https://openalex.org/",
    "nct": "https://clinicaltrials.gov/study/",
}
# An HTTP 404 is any server's word. Before the *no* of a service that says it so, and is the last to be asked, is
# believed, the service must know a record that is certainly there.
_CERTAIN: Final[dict[str, tuple[str, Callable[[Client, str], Work | Failed]]]] = {
    "openalex": ("openalex:W2741809807", openalex.fetch_work),
    "clinicaltrials": ("nct:NCT00000102", clinicaltrials.fetch_work),
}
# A service that failed so often in a row is taken to be down.
_GIVES_UP_AFTER: Final = 2


def patient_services(lookup_s: float, environ: Mapping[str, str] = os.environ) -> Services:
    """Clients that give up within about `lookup_s` seconds, retries included.

    Parameters
    ----------
    lookup_s : float
        Seconds for one question.
    environ : mapping, optional
        Where keys and addresses are read from.
    """
    return Services(
        environ=environ,
        client=lambda limits, sort, env: Client(
            replace(limits, timeout_s=lookup_s / 2, total_s=lookup_s, tries=2, wait_s=lookup_s),
            sort=sort,
            environ=env,
        ),
    )


@dataclass
class _Line:
    """One service: whose turn it is, what it has said, and why it is asked no more."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    answers: dict[str, Work | Failed] = field(default_factory=dict)
    coming: Iterator[tuple[str, Work | Failed]] | None = None
    last: Failed | None = None
    n_failed: int = 0
    is_believed: bool | None = None
    is_stuck: bool = False

    def noted(self, answer: Work | str | list[Work] | Failed) -> None:
        """Count failures in a row; one failure of a batch is one."""
        if not isinstance(answer, Failed) or answer.failure not in (*MAY_PASS, Failure.BUDGET_SPENT):
            self.n_failed = 0
        elif answer is not self.last:
            self.n_failed += 1
        if isinstance(answer, Failed):
            self.last = answer
            if answer.stops_run:
                self.n_failed = _GIVES_UP_AFTER

    @property
    def down(self) -> Failed | None:
        """Why it is asked no more; None where it may be asked."""
        return self.last if self.n_failed >= _GIVES_UP_AFTER else None


class CitationServices:
    """Looks citations up (:class:`novelty_kit.review.verify.Resolver`).

    Parameters
    ----------
    services : Services
        The clients.
    keys : iterable of CitationKey
        All that will be asked for, so that ids of one service can be asked for together.
    """

    def __init__(self, services: Services, keys: Iterable[CitationKey]) -> None:
        self._services = services
        ids = tuple(dict.fromkeys(keys))
        self._together = {
            agency: [str(key) for key in ids if key.scheme == scheme] for agency, scheme in _SCHEMES.items()
        }
        self._lines: dict[str, _Line] = {}

    def resolve(self, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
        """Ask one source about one citation."""
        if agency == "title-search":
            return self._by_title(key.id, timeout_s)
        with self._turn(agency, timeout_s) as line:
            if isinstance(line, Resolution):
                return line
            if agency == "doi.org":
                return self._registered(line, str(key))
            answer = self._answer(line, agency, str(key))
            if isinstance(answer, Failed) and answer.failure is Failure.NOT_FOUND:
                answer = self._believed(line, agency, answer)
        return _failed(answer) if isinstance(answer, Failed) else _found([answer], _page(key))

    @contextmanager
    def _turn(self, agency: str, timeout_s: float) -> Iterator[_Line | Resolution]:
        """Wait for the service's line; an earlier question may still be open that nobody waits for."""
        line = self._lines.setdefault(agency, _Line())
        # Once nobody came back within a whole wait, the next ones do not wait for the same again.
        line.is_stuck = not line.turn.acquire(timeout=0 if line.is_stuck else timeout_s)
        if line.is_stuck:
            yield Resolution("timeout", detail=f"{agency} has not answered an earlier question")
            return
        try:
            down = line.down
            yield _failed(down, "it is asked no more: ") if down else line
        finally:
            line.turn.release()

    def _answer(self, line: _Line, agency: str, lom_id: str) -> Work | Failed:
        if agency in _ONE:
            answer = _ONE[agency](self._services.client(agency), lom_id)
            line.noted(answer)
            return answer
        while lom_id not in line.answers:
            if line.coming is None:
                rest = [one for one in self._together[agency] if one not in line.answers and one != lom_id]
                client = self._services.client(agency)
                line.coming = iter(_MANY[agency](client, [lom_id, *rest]))
            step = next(line.coming, None)
            if step is None:
                line.coming = None
                return line.last if line.last and line.last.stops_run else _NOT_ASKED
            asked, answer = step
            line.answers.setdefault(asked, answer)
            line.noted(answer)
            if line.down:
                return line.answers.get(lom_id, line.down)
        return line.answers[lom_id]

    def _believed(self, line: _Line, agency: str, no: Failed) -> Failed:
        """A definite *no*, or what is wrong with it."""
        if agency not in _CERTAIN:
            return no
        if line.is_believed is None:
            lom_id, fetch = _CERTAIN[agency]
            line.is_believed = isinstance(fetch(self._services.client(agency), lom_id), Work)
        if line.is_believed:
            return no
        why = f"{no.message}, and it does not know {_CERTAIN[agency][0]} either, which exists"
        return Failed(Failure.UNREADABLE, why, no.http_status, no.answer)

    def _registered(self, line: _Line, lom_id: str) -> Resolution:
        answer = doi_agency.fetch_agency(self._services.client(doi_agency.SOURCE), lom_id)
        line.noted(answer)
        if isinstance(answer, Failed):
            return _failed(answer)
        return Resolution(
            "found",
            url=f"{_PAGES['doi']}{lom_id.removeprefix('doi:')}",
            detail=f"{answer} gave it out; its record was not read",
        )

    def _by_title(self, title: str, timeout_s: float) -> Resolution:
        """Ask one service after the other until a record bears the title; a failure is no *no*."""
        hits: list[Work] = []
        for agency, search in _BY_TITLE.items():
            with self._turn(agency, timeout_s) as line:
                if isinstance(line, Resolution):
                    return line
                found = search(self._services.client(agency), title)
                line.noted(found)
            if isinstance(found, Failed):
                return _failed(not_by_status(found))
            hits += found
            if any(match_titles(title, one).status == "verified" for work in found for one in _titles(work)):
                break
        return _found(hits, None) if any(_titles(work) for work in hits) else Resolution("not_found")


_NOT_ASKED: Final = Failed(Failure.NOT_IN_ANSWER, "it was not asked")


def _titles(work: Work) -> tuple[str, ...]:
    return tuple(dict.fromkeys(title for title in (work.title, *work.other_titles) if title))


def _found(works: list[Work], page: str | None) -> Resolution:
    pairs = [(title, work.authors) for work in works for title in _titles(work)]
    if not pairs:
        return Resolution("found", authors=tuple(work.authors for work in works), url=page)
    return Resolution("found", tuple(t for t, _ in pairs), tuple(authors for _, authors in pairs), page)


def _failed(failed: Failed, before: str = "") -> Resolution:
    if failed.failure is Failure.NOT_FOUND:
        return Resolution("not_found", detail=failed.message)
    outcome = "timeout" if failed.failure is Failure.TIMEOUT else "network_error"
    return Resolution("timeout" if outcome == "timeout" else "network_error", detail=before + failed.message)


def _page(key: CitationKey) -> str | None:
    return f"{_PAGES[key.scheme]}{key.id}" if key.scheme in _PAGES else None
