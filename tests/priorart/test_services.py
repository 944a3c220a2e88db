"""Services as sources of a search, over real sockets on the loopback: every way to end is a state in the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases_of import claim_list
from loopback_server import Loopback, Told

from novelty_kit.cli.priorart_services import SERVICES, service_source
from novelty_kit.ingest.ask import Services
from novelty_kit.priorart.search import search_claims
from novelty_kit.priorart.searchlog import Search, SourceState
from novelty_kit.priorart.store import TextStore

ARXIV = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<opensearch:totalResults>{total}</opensearch:totalResults>
<entry><id>http://arxiv.org/abs/2001.00001v2</id><title>Merging  sketches</title>
<summary>We merge two spectral sketches in one pass.</summary><published>2020-01-01T00:00:00Z</published>
</entry></feed>"""
OPENALEX = {
    "meta": {"count": 1},
    "results": [
        {
            "id": "https://openalex.org/W100",
            "title": "Merging sketches",
            "publication_date": "2020-01-01",
            "abstract_inverted_index": {"We": [0], "merge": [1], "sketches.": [2]},
        }
    ],
}
CROSSREF = {
    "status": "ok",
    "message": {
        "total-results": 2,
        "items": [{"DOI": "10.5555/A.b", "title": ["Merging sketches"]}, {"title": ["x"]}],
    },
}
BODIES: dict[str, bytes] = {
    "arxiv": ARXIV.format(total=1).encode(),
    "openalex": json.dumps(OPENALEX).encode(),
    "crossref": json.dumps(CROSSREF).encode(),
}
FIRST = {"arxiv": "arxiv:2001.00001", "openalex": "openalex:W100", "crossref": "doi:10.5555/a.b"}


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


def searched(
    server: Loopback, name: str, tmp_path: Path, n_claims: int = 1, *, limit: int = 5, key: str = "secret-key"
) -> tuple[Search, ...]:
    environ: dict[str, str] = {
        f"NOVELTY_{name.upper()}_URL": server.url,
        "OPENALEX_API_KEY": key,
        "NOVELTY_CACHE": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }

    def client(limits: Any, sort: Any, environ: Any) -> Any:
        from novelty_kit.ingest.client import Client

        fast = replace(limits, requests_per_s=1000.0, shared_pace=False, wait_s=0.0)
        return Client(fast, sort=sort, environ=environ)

    claims = claim_list(*(f"We merge spectral sketches {n}." for n in range(n_claims)))
    with Services(environ=environ, client=client) as services:
        source = service_source(services, name, environ)
        return search_claims(claims, [source], TextStore(tmp_path / "store"), limit=limit).searches


@pytest.mark.parametrize("name", SERVICES)
def test_an_answer_is_a_completed_search_and_its_bytes_are_stored(
    server: Loopback, name: str, tmp_path: Path
) -> None:
    server.script = [Told(BODIES[name], headers={"content-type": "text/x"})]
    (search,) = searched(server, name, tmp_path)
    assert (search.state, search.source, search.limit) == (SourceState.COMPLETED, name, 5)
    assert search.searched_at is not None
    assert [work.id for work in search.candidates] == [FIRST[name]]
    store = TextStore(tmp_path / "store")
    (row,) = store.rows(search.candidates[0].text_sha256)
    assert (store.folder / "raw" / row.raw_sha256).read_bytes() == BODIES[name]
    assert (row.media_type, row.extractor) == ("text/x", SERVICES[name].extractor[0])
    assert store.text(search.candidates[0].text_sha256).startswith("Merging")
    assert "merge" in server.asked[0].path
    assert "secret-key" not in json.dumps(search.to_dict())


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    ("told", "status"),
    [
        (Told(b"busy", 503), 503),
        (Told(b"Rate exceeded.", 429), 429),
        (Told(b"no", 404), 404),
        (Told(b"{}"), 200),
        (Told(b"<html>"), 200),
        (Told(b'{"results": 5, "message": []}'), 200),
        (Told(b"\xff\xfe"), 200),
        (Told(b""), 200),
    ],
    ids=["503", "429", "404", "empty object", "page", "other json", "bytes", "nothing"],
)
def test_whatever_is_no_answer_is_a_failed_search_with_its_status(
    server: Loopback, name: str, told: Told, status: int, tmp_path: Path
) -> None:
    server.answer = lambda asked: told
    (search,) = searched(server, name, tmp_path)
    assert search.state is SourceState.FAILED
    assert search.http_status == status
    assert search.reason
    assert search.candidates == ()


def test_a_service_that_is_not_there_is_a_failed_search(tmp_path: Path) -> None:
    gone = Loopback()
    gone.close()
    (search,) = searched(gone, "crossref", tmp_path)
    assert search.state is SourceState.FAILED


def test_a_service_without_its_key_is_not_asked(server: Loopback, tmp_path: Path) -> None:
    (search,) = searched(server, "openalex", tmp_path, key=" ")
    assert search.state is SourceState.KEY_ABSENT
    assert "OPENALEX_API_KEY" in (search.reason or "")
    assert server.asked == []


def test_a_service_that_says_stop_is_asked_no_more(server: Loopback, tmp_path: Path) -> None:
    server.answer = lambda asked: Told(b'{"error": "key"}', 401)
    found = searched(server, "openalex", tmp_path, 3)
    assert [search.state for search in found] == [SourceState.FAILED] * 3
    assert len(server.asked) == 1
    assert (found[2].reason or "").startswith("not asked again")


def test_fewer_works_than_were_asked_for_and_are_there_is_a_page_limit(
    server: Loopback, tmp_path: Path
) -> None:
    server.script = [Told(ARXIV.format(total=900).encode())]
    (search,) = searched(server, "arxiv", tmp_path)
    assert search.state is SourceState.PAGE_LIMIT
    assert search.reason == "it sent 1 works of 900"
    assert len(search.candidates) == 1
    assert not search.completed


def test_an_empty_but_completed_answer_is_a_completed_search(server: Loopback, tmp_path: Path) -> None:
    server.script = [Told(json.dumps({"meta": {"count": 0}, "results": []}).encode())]
    (search,) = searched(server, "openalex", tmp_path)
    assert search.completed
    assert search.candidates == ()
