"""A server on the loopback that says what it is told: recorded answers with status, headers and faults."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from novelty_kit.ingest.ask import Services
from novelty_kit.ingest.client import Client


@dataclass(frozen=True)
class Told:
    """One answer.

    `cut` sends only so many bytes of the body it announced; `after_s` waits before it, `stall_s` in it.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    after_s: float = 0.0
    stall_s: float = 0.0


@dataclass(frozen=True)
class Asked:
    """One question as it arrived."""

    verb: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Loopback:
    """Answers from a script in order, or by a function of the question."""

    def __init__(self) -> None:
        self.script: list[Told] = []
        self.answer: Callable[[Asked], Told] | None = None
        self.asked: list[Asked] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                outer._serve(self)

            def do_POST(self) -> None:
                outer._serve(self)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

            def handle(self) -> None:
                with suppress(ConnectionError):  # the client hung up on us, as it may
                    super().handle()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True
        ).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers.get("content-length") or 0)
        asked = Asked(handler.command, handler.path, dict(handler.headers), handler.rfile.read(size))
        self.asked.append(asked)
        if self.answer is not None:
            told = self.answer(asked)
        elif self.script:
            told = self.script.pop(0)
        else:
            told = Told(b"nothing left to say", 500)
        time.sleep(told.after_s)
        try:
            handler.send_response(told.status)
            for name, value in told.headers.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "date"):
                    handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(told.body)))
            handler.end_headers()
            sent = told.body if told.cut is None else told.body[: told.cut]
            if told.stall_s:
                handler.wfile.write(sent[: len(sent) // 2])
                handler.wfile.flush()
                time.sleep(told.stall_s)
                sent = sent[len(sent) // 2 :]
            handler.wfile.write(sent)
            if told.cut is not None:
                handler.close_connection = True
        except OSError:
            handler.close_connection = True


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds

    def now(self) -> datetime:
        return datetime(2026, 9, 3, tzinfo=UTC)


@contextmanager
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    try:
        yield server
    finally:
        server.close()


def services(
    servers: Mapping[str, Loopback], clock: Clock, environ: Mapping[str, str] | None = None, **limits: Any
) -> Services:
    """Clients for loopback servers, with tiny limits and a clock that costs no time."""
    from dataclasses import replace

    addresses = {f"NOVELTY_{source.upper()}_URL": server.url for source, server in servers.items()}
    tiny = {
        "timeout_s": 10.0,
        "tries": 3,
        "wait_s": 30.0,
        "requests_per_s": 1000.0,
        "shared_pace": False,
        **limits,
    }

    def client(of: Any, sort: Any, env: Any) -> Client:
        given = replace(of, **tiny)
        return Client(given, sort=sort, environ=env, sleep=clock.sleep, clock=clock, now=clock.now)

    return Services(environ={**addresses, **(environ or {})}, client=client)
