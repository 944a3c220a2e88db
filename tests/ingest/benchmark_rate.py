"""How fast works are ingested when the service answers in 5 ms, and what of it is our own cost.

Run by hand: ``python tests/ingest/benchmark_rate.py [WORKS]``. Fifty works a question, as configured and
without any limit of ours; then one work a question without a limit (a tenth of the works).
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from dataclasses import replace
from multiprocessing import Process, Queue
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from loopback_server import Asked, Loopback, Told

from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.ask import Services, ask_for
from novelty_kit.ingest.client import Client
from novelty_kit.ingest.limits import load_limits
from novelty_kit.ingest.run import ingest_items

N_REFERENCES = 30


def a_work(number: int) -> dict[str, Any]:
    cites = [f"https://openalex.org/W{10_000_000 + number * 7 + k}" for k in range(N_REFERENCES)]
    words = {f"word{k}": [k] for k in range(150)}
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1234/w{number}",
        "title": f"A work with the number {number}",
        "publication_date": "2019-01-02",
        "referenced_works": cites,
        "referenced_works_count": N_REFERENCES,
        "abstract_inverted_index": words,
    }


def answer(asked: Asked) -> Told:
    numbers = [int(n) for n in re.findall(r"W(\d+)", unquote(asked.path).partition("&")[0])]
    if asked.path.startswith("/works/"):
        return Told(json.dumps(a_work(numbers[0])).encode(), after_s=0.005)
    return Told(json.dumps({"meta": {}, "results": [a_work(n) for n in numbers]}).encode(), after_s=0.005)


def serve(address: Queue[str]) -> None:
    server = Loopback()
    server.answer = answer
    address.put(server.url)
    time.sleep(3600)


def measure(url: str, n_works: int, batch: int, requests_per_s: float) -> None:
    def client(limits: Any, sort: Any, environ: Any) -> Client:
        given = replace(limits, batch=batch, requests_per_s=requests_per_s)
        return Client(given, sort=sort, environ=environ)

    ids = [f"openalex:W{n}" for n in range(1, n_works + 1)]
    with tempfile.TemporaryDirectory() as folder, Appender(Path(folder) / "events.jsonl") as appender:
        services = Services(environ={"NOVELTY_OPENALEX_URL": url}, client=client)
        began, cpu = time.perf_counter(), time.process_time()
        with services:
            appender.expect(ids)
            summary = ingest_items(ask_for(services, "openalex", ids), appender, events_a_time=500)
        took, own = time.perf_counter() - began, time.process_time() - cpu
    assert summary.references == {"ok": n_works}
    asked = -(-n_works // batch)
    print(
        f"{batch:3} works a question, at most {requests_per_s:g} questions/s: {n_works / took:6.0f} works/s,"
        f" {asked / took:5.1f} questions/s, own cost {1000 * own / n_works:.2f} ms a work"
    )


if __name__ == "__main__":
    n_works = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    queue: Queue[str] = Queue()
    process = Process(target=serve, args=(queue,), daemon=True)
    process.start()
    address = queue.get()
    configured = load_limits("openalex").requests_per_s
    measure(address, n_works, 50, configured)
    measure(address, n_works, 50, 1e9)
    measure(address, n_works // 10, 1, 1e9)
    process.terminate()
