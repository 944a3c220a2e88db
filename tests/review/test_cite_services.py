"""Citations looked up through the real clients, at servers on the loopback that replay recorded answers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "ingest"))
from loopback_server import Clock, Loopback, Told, loopback, services

from novelty_kit.cli.cite_services import CitationServices, patient_services
from novelty_kit.ingest.limits import SOURCES, WITNESSES, load_limits
from novelty_kit.review.extract import CitationItem
from novelty_kit.review.verify import Verification, verify_citations

TESTS = Path(__file__).parent.parent
RECORDED = TESTS / "recorded" / "citations"
CASES = yaml.safe_load((TESTS / "cases/cite/services.yaml").read_text("utf-8"))
STATUS = yaml.safe_load((RECORDED / "index.yaml").read_text("utf-8"))
ASKED = ("crossref", "datacite", "doi", "arxiv", "europepmc", "openalex", "clinicaltrials")
ONE_OF_EACH = [
    "10.1000/x", "arXiv:2401.12345", "PMID:1", "W1", "PMC1", "NCT00000001", "A title of many words that nobody has",
]  # fmt: skip


def recorded(name: str) -> Told:
    return Told((RECORDED / name).read_bytes(), STATUS.get(name, 200))


def an_item(cited: str | list[str | None]) -> CitationItem:
    if isinstance(cited, str):
        return CitationItem(cited)
    return CitationItem(str(cited[0]), cited[1], tuple(str(one) for one in cited[2:]))


@contextmanager
def servers(*named: str) -> Iterator[dict[str, Loopback]]:
    with ExitStack() as stack:
        yield {source: stack.enter_context(loopback()) for source in named or ASKED}


def verified(items: list[CitationItem], running: Mapping[str, Loopback], clock: Clock) -> Verification:
    with services(running, clock) as asking:
        resolver = CitationServices(asking, [item.key for item in items])
        return verify_citations(items, resolver, 30)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    with servers() as running:
        for source, names in case["serve"].items():
            running[source].script = [recorded(name) for name in names]
        found = verified([an_item(one) for one in case["cite"]], running, Clock())
        left = {source: len(server.script) for source, server in running.items() if server.script}
        questions = {source: len(server.asked) for source, server in running.items() if server.asked}
    assert [[one.citation.status, one.citation.reason, list(one.asked)] for one in found.checked] == case[
        "expect"
    ], found
    assert left == {}, "some answers were not asked for"
    assert questions == {source: len(names) for source, names in case["serve"].items()}


def test_every_recorded_answer_is_used_by_a_case() -> None:
    used = {name for case in CASES for names in case["serve"].values() for name in names}
    kept = {path.name for path in RECORDED.iterdir()} - {"index.yaml"}
    assert kept == used
    assert set(STATUS) <= kept


def test_every_service_that_may_be_asked_has_its_limits() -> None:
    assert {load_limits(source).source for source in ASKED} == set(ASKED)
    assert set(ASKED) == {*SOURCES, *WITNESSES} - {"s2"}


@pytest.mark.parametrize(
    "told",
    [
        Told(b"<html>down for maintenance</html>", 503),
        Told(b"", 500),
        Told(b"too fast", 429),
        Told(b"forbidden", 403),
        Told(b"<html>please sign in</html>", 200, {"content-type": "text/html"}),
        Told(b"{}", 200),
        Told(b"[]", 200),
        Told(b"null", 200),
        Told(b'{"status": "ok", "message": null}', 200),
        Told(b"\xff\xfe", 200),
        Told(b"<feed/>", 200),
        Told(b'{"a": 1}' * 4, 200, cut=5),
        Told(b"", 302, {"location": "http://elsewhere.invalid/"}),
        Told(b"<html>no such page</html>", 404),
        Told(b"gone", 410),
    ],
    ids=lambda told: f"{told.status} {told.body[:20]!r}",
)
def test_whatever_a_broken_service_says_no_citation_is_accused(told: Told) -> None:
    with servers() as running:
        for server in running.values():
            server.answer = lambda _: told
        found = verified([CitationItem(one, "A title") for one in ONE_OF_EACH], running, Clock())
    assert {entry.status for entry in found.citations} == {"unverified"}
    assert found.exit_code == 3
    assert found.verdict == "partially-unresolved"


def test_a_service_that_failed_twice_in_a_row_is_asked_no_more() -> None:
    items = [CitationItem(f"PMID:{n}") for n in range(1, 60)]
    with servers("europepmc") as running:
        running["europepmc"].answer = lambda _: Told(b"", 503)
        found = verified(items, running, Clock())
        # Two citations, each with its retries.
        assert len(running["europepmc"].asked) == 2 * 3
    assert {entry.status for entry in found.citations} == {"unverified"}
    assert found.checked[-1].detail == "it is asked no more: HTTP 503"


def test_a_failure_between_answers_stops_nothing() -> None:
    items = [CitationItem(f"PMID:{n}") for n in (39999999, 31000001, 39999998, 31000001, 39999997)]
    zero = recorded("europepmc_count_zero.json")
    with servers("europepmc") as running:
        running["europepmc"].script = [zero, *[Told(b"", 503)] * 3, zero, zero]
        found = verified(items, running, Clock())
    assert [entry.status for entry in found.citations] == ["phantom", "unverified", "phantom", "phantom"]


def test_what_another_citation_was_told_is_never_passed_on() -> None:
    """A batch ends early; the ids that it left out are undecided and do not inherit the last *no*."""
    items = [CitationItem(f"W{n}") for n in (1, 2, 3)]
    with servers("openalex") as running:
        spent = Told(b'{"message": "Insufficient credits", "creditsRemaining": 0}', 429)
        running["openalex"].script = [
            Told(b'{"meta": {"count": 0}, "results": []}'),
            recorded("openalex_404.html"),
            recorded("openalex_certain.json"),
            spent,
        ]
        found = verified(items, running, Clock())
    assert [entry.status for entry in found.citations] == ["phantom", "unverified", "unverified"]


def test_dead_addresses_end_soon_and_accuse_nobody(tmp_path: Path) -> None:
    """Real time, the command's own clients: nothing listens on any of the ports."""
    dead = {f"NOVELTY_{source.upper()}_URL": "http://127.0.0.1:9" for source in ASKED}
    items = [CitationItem(one, "A title") for one in ONE_OF_EACH]
    began = time.monotonic()
    # The cache cannot be written either.
    (tmp_path / "file").touch()
    asking = patient_services(0.4, {**dead, "NOVELTY_CACHE": str(tmp_path / "file" / "cache")})
    resolver = CitationServices(asking, [])
    found = verify_citations(items, resolver, 3, lookup_s=0.4)
    assert time.monotonic() - began < 15
    assert {entry.status for entry in found.citations} == {"unverified"}


@pytest.mark.parametrize(
    "hang", [Told(b"{}", after_s=5), Told(b"{" * 64, stall_s=5)], ids=["silent", "stalls"]
)
def test_services_that_hang_do_not_hold_the_deadline_up(hang: Told, tmp_path: Path) -> None:
    items = [CitationItem(one, "A title") for one in ONE_OF_EACH * 9]
    items += [CitationItem(f"10.1000/{n}") for n in range(90)]
    with servers() as running:
        for server in running.values():
            server.answer = lambda _: hang
        addresses = {f"NOVELTY_{source.upper()}_URL": server.url for source, server in running.items()}
        asking = patient_services(0.3, {**addresses, "NOVELTY_CACHE": str(tmp_path)})
        began = time.monotonic()
        found = verify_citations(
            items, CitationServices(asking, [item.key for item in items]), 2.0, lookup_s=0.3
        )
        took = time.monotonic() - began
    assert took < 15, "each question by itself would take 45 s"
    assert {(entry.status, entry.reason) for entry in found.citations} <= {
        ("unverified", "timeout"),
        ("unverified", "network_error"),
    }
    assert found.exit_code == 3


def test_a_service_that_never_comes_back_costs_one_wait_and_not_one_for_each_citation(tmp_path: Path) -> None:
    """Another program holds arXiv's turn, so our question never gets out."""
    import fcntl

    held = (tmp_path / "arxiv.pace").open("w")
    fcntl.flock(held, fcntl.LOCK_EX)
    keys = [CitationItem(f"2401.{n:05d}").key for n in range(1, 40)]
    dead = {"NOVELTY_ARXIV_URL": "http://127.0.0.1:9", "NOVELTY_CACHE": str(tmp_path)}
    resolver = CitationServices(patient_services(0.2, dead), keys)
    items = [CitationItem(key.id) for key in keys]
    began = time.monotonic()
    found = verify_citations(items, resolver, 60, lookup_s=0.2)
    held.close()
    assert time.monotonic() - began < 5, "39 waits would take 8 s"
    assert {(entry.status, entry.reason) for entry in found.citations} == {("unverified", "timeout")}
    assert found.checked[-1].detail == "arxiv has not answered an earlier question"
