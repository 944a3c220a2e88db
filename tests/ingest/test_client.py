"""The client fails closed, in time, and tells no keys (through real sockets on the loopback)."""

from __future__ import annotations

import gzip
import itertools
import logging
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from loopback_server import Clock, Loopback, Told, loopback

from novelty_kit.errors import InputError
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.limits import SOURCES, Limits, load_limits
from novelty_kit.ingest.pace import Pace
from novelty_kit.ingest.record import Answer
from novelty_kit.ingest.reply import Failed, Failure, Reply, retry_after_s


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


def a_client(
    server: Loopback,
    clock: Clock,
    source: str = "crossref",
    environ: dict[str, str] | None = None,
    **changed: Any,
) -> Client:
    limits = replace(
        load_limits(source).at(server.url),
        **{
            "timeout_s": 10.0,
            "tries": 3,
            "wait_s": 30.0,
            "requests_per_s": 1000.0,
            "shared_pace": False,
            **changed,
        },
    )
    return Client(limits, environ=environ or {}, sleep=clock.sleep, clock=clock, now=clock.now)


def ask(client: Client, path: str = "/works/x", **more: Any) -> Reply | Failed:
    with client:
        return client.ask(path, **more)


def test_an_answer_comes_with_its_status_time_address_and_hash(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b"abc", headers={"Content-Type": "text/plain"})]
    reply = ask(a_client(server, clock), parameters={"q": "a b"})
    assert isinstance(reply, Reply)
    assert reply.body == b"abc"
    assert reply.answer.beside_row() == {
        "ts": "2026-09-03T00:00:00Z",
        "actor": "novelty ingest crossref",
        "task": f"{server.url}/works/x?q=a%20b",
        "note": "HTTP 200, sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }


@pytest.mark.parametrize(
    "told", [Told(status=500), Told(status=504, body=b"<html>"), Told(status=429), Told(b"x" * 99, cut=9)]
)
def test_what_may_pass_is_asked_again(server: Loopback, clock: Clock, told: Told) -> None:
    server.script = [told, told, Told(b"ok")]
    reply = ask(a_client(server, clock))
    assert isinstance(reply, Reply)
    assert reply.body == b"ok"
    waits = [wait for wait in clock.slept if wait > 0.1]
    assert len(waits) == 2
    assert 0.5 <= waits[0] <= 1.5
    assert 1.0 <= waits[1] <= 3.0


@pytest.mark.parametrize(
    ("told", "failure", "status"),
    [
        (Told(status=500), Failure.SERVER_ERROR, 500),
        (Told(status=429), Failure.RATE_LIMITED, 429),
        (Told(b"x" * 99, cut=9), Failure.CUT_OFF, None),
        (Told(b"x", after_s=0.6), Failure.TIMEOUT, None),
        (Told(b"x" * 99, stall_s=0.6), Failure.TIMEOUT, None),
    ],
    ids=["500", "429", "cut", "slow", "stalled"],
)
def test_what_does_not_pass_fails_after_so_many_tries(
    server: Loopback, clock: Clock, told: Told, failure: Failure, status: int | None
) -> None:
    server.script = [told] * 9
    failed = ask(a_client(server, clock, tries=2, timeout_s=0.3 if failure is Failure.TIMEOUT else 10.0))
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.http_status, failed.stops_run) == (failure, status, False)
    assert failed.ts == "2026-09-03T00:00:00Z"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (404, "not_found"),
        (410, "not_found"),
        (400, "refused"),
        (403, "refused"),
        (204, "refused"),
    ],
)
def test_what_will_not_pass_is_asked_once(server: Loopback, clock: Clock, status: int, failure: str) -> None:
    server.script = [Told(status=status)] * 2
    failed = ask(a_client(server, clock))
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.http_status, failed.answer and failed.answer.http_status) == (
        failure,
        status,
        status,
    )
    assert len(server.asked) == 1


def test_a_missing_key_stops_the_run_and_names_its_variable(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b'{"error": "Invalid or missing API key"}', status=401)]
    failed = ask(a_client(server, clock, "openalex"))
    assert isinstance(failed, Failed)
    assert failed.stops_run
    assert "OPENALEX_API_KEY" in failed.message


def test_words_in_a_body_prove_nothing(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b"models/x:generateContent 404 rate limit", status=400)]
    failed = ask(a_client(server, clock))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.REFUSED


@pytest.mark.parametrize("value", ["2", "Thu, 03 Sep 2026 00:00:02 GMT"])
def test_retry_after_is_honoured_to_the_second(server: Loopback, clock: Clock, value: str) -> None:
    server.script = [Told(status=429, headers={"Retry-After": value}), Told(b"ok")]
    assert isinstance(ask(a_client(server, clock)), Reply)
    assert [wait for wait in clock.slept if wait > 0.1] == [2.0]


def test_a_wait_beyond_the_budget_fails_at_once_and_stops_the_run(server: Loopback, clock: Clock) -> None:
    server.script = [Told(status=429, headers={"Retry-After": "54000"})]
    failed = ask(a_client(server, clock))
    assert isinstance(failed, Failed)
    assert failed.stops_run
    assert "54000 s is beyond the budget" in failed.message
    assert clock.now_s < 1001
    assert len(server.asked) == 1


def test_the_budget_of_waiting_is_one_for_the_whole_run(server: Loopback, clock: Clock) -> None:
    server.script = [Told(status=429, headers={"Retry-After": "20"}), Told(b"ok")] * 2
    with a_client(server, clock) as client:
        assert isinstance(client.ask("/a"), Reply)
        assert isinstance(client.ask("/b"), Failed)
    assert clock.now_s < 1030


def test_a_nonsense_retry_after_is_no_reason_to_stop(server: Loopback, clock: Clock) -> None:
    server.script = [Told(status=429, headers={"Retry-After": "soon"}), Told(b"ok")]
    assert isinstance(ask(a_client(server, clock)), Reply)


def test_a_redirect_on_the_same_host_is_followed_and_told(server: Loopback, clock: Clock) -> None:
    server.script = [Told(status=301, headers={"Location": "/works/y"}), Told(b"ok")]
    reply = ask(a_client(server, clock), parameters={"q": "1"})
    assert isinstance(reply, Reply)
    assert (reply.redirected, reply.path) == (True, "/works/y")
    assert server.asked[1].path == "/works/y?q=1"


@pytest.mark.parametrize(
    "target",
    [
        "http://localhost:1/works/y",
        "https://example.org/",
        "//example.org/x",
        "http://[",
        "file:///etc/passwd",
    ],
)
def test_a_redirect_to_another_host_is_not_followed(server: Loopback, clock: Clock, target: str) -> None:
    server.script = [Told(status=302, headers={"Location": target})]
    failed = ask(a_client(server, clock))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.REDIRECTED_AWAY
    assert len(server.asked) == 1


def test_redirects_without_end_are_left(server: Loopback, clock: Clock) -> None:
    server.script = [Told(status=302, headers={"Location": "/works/x"})] * 20
    failed = ask(a_client(server, clock))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.REDIRECTED_AWAY
    assert len(server.asked) == 6


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_that_is_too_large_is_left_unread(server: Loopback, clock: Clock, packed: bool) -> None:
    body = b"0" * 3_000_000
    headers = {"Content-Encoding": "gzip"} if packed else {}
    server.script = [Told(gzip.compress(body) if packed else body, headers=headers)]
    failed = ask(a_client(server, clock, max_bytes=1_000_000))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.TOO_LARGE
    assert len(server.asked) == 1


def test_a_broken_content_encoding_is_a_cut_answer(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b"this is not gzip", headers={"Content-Encoding": "gzip"})]
    failed = ask(a_client(server, clock, tries=1))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.CUT_OFF


def test_an_answer_that_drips_without_end_is_left(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b"x" * 400_000, stall_s=1.0)]
    failed = ask(a_client(server, clock, tries=1, total_s=0.2))
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.message) == (Failure.TIMEOUT, "the answer took more than 0.2 s")


@contextmanager
def raw_server(*parts: bytes, pause_s: float = 0.05) -> Iterator[str]:
    """Sends the parts of an answer again and again, the last one without end, whatever is asked."""
    listening = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve() -> None:
        with suppress(OSError):
            connection, _ = listening.accept()
            connection.recv(65536)
            for part in itertools.chain(parts, itertools.repeat(parts[-1])):
                connection.sendall(part)
                if done.wait(pause_s):
                    connection.close()
                    return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        done.set()
        listening.close()
        thread.join(2)


HEAD = b"HTTP/1.1 200 OK\r\n"
ENDLESS = {
    "header lines": (HEAD, b"X-A: b\r\n"),
    "one header": (HEAD + b"X-A: ", b"b"),
    "a status line": (b"H",) * 2,
    "a body": (HEAD + b"Content-Length: 99999\r\n\r\n", b"x"),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "a packed body that unpacks to nothing": (
        HEAD + b"Content-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n" + gzip.compress(b"")[:10],
        b"\x00\x00\x00\xff\xff",
    ),
    "silence": (b"", b""),
}


@pytest.mark.parametrize("parts", ENDLESS.values(), ids=ENDLESS)
def test_whatever_drips_without_end_is_left_in_time(clock: Clock, parts: tuple[bytes, ...]) -> None:
    began = time.monotonic()
    with raw_server(*parts) as url:
        limits = replace(
            load_limits("crossref").at(url), tries=1, timeout_s=10.0, total_s=0.3, requests_per_s=1000.0
        )
        with Client(limits, environ={}, sleep=clock.sleep, clock=clock, now=clock.now) as client:
            failed = client.ask("/x")
    assert isinstance(failed, Failed)
    assert failed.failure in (Failure.TIMEOUT, Failure.CUT_OFF)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("GZIP", gzip.compress),
        ("identity", bytes),
        ("", bytes),
    ],
)
def test_a_packed_answer_is_unpacked(
    server: Loopback, clock: Clock, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    server.script = [Told(pack(b"abc" * 99), headers={"Content-Encoding": encoding} if encoding else {})]
    reply = ask(a_client(server, clock))
    assert isinstance(reply, Reply)
    assert reply.body == b"abc" * 99


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "compress", "gzip;q=1"])
def test_an_answer_packed_otherwise_than_was_asked_is_not_unpacked(
    server: Loopback, clock: Clock, encoding: str
) -> None:
    bomb = gzip.compress(gzip.compress(b"0" * 1_000_000))
    server.script = [Told(bomb, headers={"Content-Encoding": encoding})]
    failed = ask(a_client(server, clock, tries=1))
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.http_status) == (Failure.CUT_OFF, 200)


def test_a_packed_answer_that_breaks_off_is_cut_and_never_half_read(server: Loopback, clock: Clock) -> None:
    server.script = [Told(gzip.compress(b"abc" * 9999)[:-9], headers={"Content-Encoding": "gzip"})]
    failed = ask(a_client(server, clock, tries=1))
    assert isinstance(failed, Failed)
    assert failed.failure is Failure.CUT_OFF


@pytest.mark.parametrize(
    ("value", "wait_s"),
    [
        ("-5", None),
        ("1.5", None),
        ("nan", None),
        ("\u0664", None),
        ("", None),
        ("9" * 400, float("inf")),
        ("Thu, 03 Sep 2026 00:00:07 GMT", 7.0),
        ("Thu, 03 Sep 2026 00:00:07 -0000", 7.0),
        ("Thu, 03 Sep 2026 00:00:07", 7.0),
        ("Wed, 02 Sep 2026 00:00:07 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 -2359", None),
        ("Thu, 03 Sep 99999999999 00:00:00 GMT", None),
        ("Thu, 03 Sep 2026 00:00:00 +99999999999999", None),
        ("x" * 70_000, None),
    ],
)
def test_a_retry_after_is_a_wait_or_says_nothing(clock: Clock, value: str, wait_s: float | None) -> None:
    reply = Reply(429, b"", {"retry-after": value}, Answer("crossref", "0"), "/")
    assert retry_after_s(reply, clock.now()) == wait_s


@pytest.mark.parametrize(
    ("limit", "interval"),
    [("9" * 5000, "1s"), ("1", "9" * 5000 + "s"), ("0", "1s"), ("-1", "1s"), ("1", "x")],
)
def test_a_nonsense_rate_header_changes_nothing(
    server: Loopback, clock: Clock, limit: str, interval: str
) -> None:
    headers = {"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}
    server.script = [Told(b"ok", headers=headers)] * 2
    with a_client(server, clock) as client:
        assert isinstance(client.ask("/a"), Reply)
        assert isinstance(client.ask("/b"), Reply)
    assert clock.now_s < 1001


def test_a_service_that_takes_one_question_a_day_is_asked_no_more(server: Loopback, clock: Clock) -> None:
    headers = {"x-rate-limit-limit": "1", "x-rate-limit-interval": "86400s"}
    server.script = [Told(b"ok", headers=headers)] * 2
    with a_client(server, clock) as client:
        assert isinstance(client.ask("/a"), Reply)
        failed = client.ask("/b")
    assert isinstance(failed, Failed)
    assert failed.stops_run
    assert "one question in 86400 s" in failed.message
    assert clock.now_s < 1001


def test_a_key_that_the_service_repeats_is_not_kept(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b'{"error":"invalid api_key s3cret"}', 400), Told(b'{"error":"no s3cret"}')]
    with a_client(server, clock, "openalex", {"OPENALEX_API_KEY": "s3cret"}) as client:
        said = [client.ask("/works/x"), client.ask("/works/x")]
    assert isinstance(said[1], Reply)
    assert said[1].body == b'{"error":"no (key)"}'
    assert "s3cret" not in repr(said)


def test_nobody_at_home_is_unreachable(clock: Clock) -> None:
    with loopback() as server:
        pass
    failed = ask(a_client(server, clock, tries=1))
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.http_status) == (Failure.UNREACHABLE, None)


def test_keys_reach_the_service_and_nothing_else(
    server: Loopback, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    environ = {"OPENALEX_API_KEY": "s3cret", "S2_API_KEY": "s3cret", "NOVELTY_CONTACT": "who@example.org"}
    moved = Told(status=301, headers={"Location": "/works/y?api_key=s3cret"})
    server.script = [Told(b"ok"), moved, Told(status=400), Told(b"ok"), Told(b"ok")]
    with a_client(server, clock, "openalex", environ) as client:
        said = [client.ask("/works/x", {"q": "1"}), client.ask("/works/x")]
    with a_client(server, clock, "s2", environ) as client:
        said.append(client.ask("/graph/v1/paper/x"))
    with a_client(server, clock, "crossref", environ) as client:
        said.append(client.ask("/works/x"))
    assert "api_key=s3cret" in server.asked[0].path
    assert {k.lower(): v for k, v in server.asked[3].headers.items()}["x-api-key"] == "s3cret"
    assert "mailto=who%40example.org" in server.asked[4].path
    assert server.asked[0].headers["User-Agent"] == "novelty_kit/0.1.0 (mailto:who@example.org)"
    assert "s3cret" not in server.asked[4].path
    for reply in said:
        assert "s3cret" not in repr(reply)
    assert "example.org" not in repr(said[3].answer)
    assert "HTTP Request" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_key_that_no_header_can_hold_is_refused_without_telling_it(server: Loopback, clock: Clock) -> None:
    with pytest.raises(InputError) as caught:
        a_client(server, clock, "s2", {"S2_API_KEY": "s3cr\u00e9t"})
    assert "s3cr" not in str(caught.value)


def test_questions_keep_their_distance(server: Loopback, clock: Clock) -> None:
    server.script = [Told(b"ok")] * 4
    with a_client(server, clock, requests_per_s=1 / 3) as client:
        for _ in range(4):
            client.ask("/x")
    assert clock.now_s == pytest.approx(1009.0)


def test_a_service_that_allows_less_than_the_table_is_asked_less_often(
    server: Loopback, clock: Clock
) -> None:
    allows = {"x-rate-limit-limit": "1", "x-rate-limit-interval": "2s"}
    server.script = [Told(b"ok", headers=allows)] * 3
    with a_client(server, clock) as client:
        for _ in range(3):
            client.ask("/x")
    assert clock.now_s == pytest.approx(1004.0)


def test_all_programs_of_a_user_take_turns_at_arxiv(tmp_path: Path, clock: Clock) -> None:
    paces = [Pace(3.0, shared=tmp_path / "a/arxiv.pace", sleep=clock.sleep, clock=clock) for _ in range(2)]
    for pace in (*paces, *paces):
        with pace.turn():
            pass
    assert clock.now_s == pytest.approx(1009.0)


def test_a_shared_pace_survives_a_restart_of_the_machine_and_a_damaged_file(
    tmp_path: Path, clock: Clock
) -> None:
    for left in ("99999.0\n", "nonsense", ""):
        (tmp_path / "p").write_text(left, "utf-8")
        with Pace(3.0, shared=tmp_path / "p", sleep=clock.sleep, clock=clock).turn():
            pass
    assert clock.slept == []


@pytest.mark.parametrize("source", SOURCES)
def test_the_table_of_limits_says_where_and_when_it_was_read(source: str) -> None:
    limits = load_limits(source)
    assert isinstance(limits, Limits)
    assert limits.base_url.startswith("https://")
    assert limits.read_on >= "2026"


def test_the_limits_that_services_document() -> None:
    assert load_limits("arxiv").requests_per_s <= 1 / 3
    assert load_limits("arxiv").shared_pace
    assert load_limits("s2").requests_per_s <= 1
    assert load_limits("s2").batch <= 500
    assert load_limits("openalex").requests_per_s <= 100
    assert load_limits("openalex").batch <= 50
    assert load_limits("openalex").page <= 100
    assert load_limits("openalex").url_bytes <= 4096
    with pytest.raises(InputError, match="unknown source"):
        load_limits("scopus")
