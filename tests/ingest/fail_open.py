"""The fail-open rate: faults in what services answer and in the log, and who becomes `novel` by them.

Run by hand: ``NOVELTY_TEST_DATA=… python tests/ingest/fail_open.py [FAULTS]`` (10,000 unless told). In each run
one or two faults are put into the ingestion of a small world of real works, through a loopback server and the real
client; then the world's fifty candidates are judged. A candidate that is `novel` then, and is not without the
faults, failed open.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from fail_open_world import (
    World,
    arxiv_entry,
    crossref_record,
    made_up_records,
    make_world,
    openalex_record,
    s2_record,
    sha,
)
from loopback_server import Asked, Clock, Loopback, Told, loopback, services

from novelty_kit.errors import DamageError, LogError
from novelty_kit.graph import open_graph
from novelty_kit.graph.repair import repair_log
from novelty_kit.graph.seal import extend_seal
from novelty_kit.graph.sealing import seal_log
from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.ask import ask_for
from novelty_kit.ingest.run import ingest_items
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge_frame
from novelty_kit.verdict.policy import Policy

# Faults of a whole answer, of one record in it, of its list, and of the log.
ANSWERS = (
    "too_fast_429", "budget_429", "not_found_404", "error_500", "timeout", "cut_body", "error_200",
    "empty_feed", "stops_early", "redirected_away",
)  # fmt: skip
RECORDS = ("null_element", "wrong_id", "merged_id", "other_work")
LISTS = ("emptied_list", "zeroed_list", "cut_list", "null_reference", "no_list")
LOGS = ("torn_line", "lost_line")
Verdicts = dict[str, list[str]]
SERVICES = ("openalex", "crossref", "s2", "arxiv")
_LIST_OF = {
    "openalex": ("referenced_works", "referenced_works_count"),
    "s2": ("references", "referenceCount"),
    "crossref": ("reference", "reference-count"),
}
_OTHER = {"openalex": "W9", "s2": "", "crossref": "10.5555/other."}
STRICT = "in_edge_coverage=reject"
POLICIES = {"default": Policy(), STRICT: Policy(in_edge_coverage="reject")}


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong: what, where (a service and a work), and whether it passes on the second try."""

    kind: str
    source: str = ""
    work: str = ""
    passes: bool = False
    where: float = 0.0


@dataclass
class Tally:
    """What came of all runs."""

    n_faults: int = 0
    n_runs: int = 0
    n_judged: int = 0
    n_refused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    baseline: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    opened: dict[str, list[tuple[int, str, tuple[Fault, ...]]]] = field(
        default_factory=lambda: {name: [] for name in POLICIES}
    )

    def failed_open(self) -> dict[str, int]:
        """How many verdicts, by policy."""
        return {policy: len(opened) for policy, opened in self.opened.items()}


class Servers:
    """Four services that tell the truth about a world, but for some faults."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.by_source: dict[str, Loopback] = {}
        for source in SERVICES:
            server = self._stack.enter_context(loopback())
            server.answer = getattr(self, f"_{source}")
            self.by_source[source] = server

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def tell(self, world: World, faults: tuple[Fault, ...]) -> None:
        self.world, self.faults, self.used = world, faults, Counter[Fault]()
        self.work_of = {f"10.5555/{w.lower()}": w for w in world.works}
        for work in world.works:
            self.work_of |= {work: work, sha(work): work, world.doi(work): work}
            self.work_of |= {f"W9{work[1:]}": work}
        self.work_of |= {number: work for work, number in world.arxiv.items()}
        for server in self.by_source.values():
            server.asked.clear()

    def _now(self, source: str, works: list[str | None], kinds: tuple[str, ...]) -> Fault | None:
        for fault in self.faults:
            if fault.kind in kinds and fault.source == source and fault.work in works:
                if fault.passes and self.used[fault]:
                    continue
                self.used[fault] += 1
                return fault
        return None

    def _answer(self, source: str, names: list[str], single: bool) -> Told:
        works = [self.work_of.get(name) for name in names]
        fault = self._now(source, works, ANSWERS)
        kind = fault.kind if fault else ""
        if kind in _WHOLE:
            return _WHOLE[kind]
        records = [self._record(source, name, w) for name, w in zip(names, works, strict=True)]
        if fault and kind == "empty_feed":
            records = [None] * len(records) if source == "s2" else []
        if fault and kind == "stops_early":
            records = records[: len(records) // 2]
        told = _wrapped(source, records, single)
        return (
            Told(told.body, told.status, told.headers, cut=len(told.body) // 2)
            if kind == "cut_body"
            else told
        )

    def _record(self, source: str, name: str, work: str | None) -> Any:
        if work is None:
            return None
        fault = self._now(source, [work], (*RECORDS, *LISTS))
        kind = fault.kind if fault else ""
        if kind == "null_element":
            return None
        if kind == "other_work":
            others = [
                w for w in self.world.works if w != work and (source != "arxiv" or w in self.world.arxiv)
            ]
            work = others[hash_of(work) % len(others)] if others else work
        if source == "arxiv":
            number = "2002.09999" if kind in ("wrong_id", "merged_id") else self.world.arxiv[work]
            return arxiv_entry(self.world, work, number)
        make = {"openalex": openalex_record, "s2": s2_record, "crossref": crossref_record}[source]
        record = make(self.world, work)
        moved = name.startswith("W9") and name != work
        if kind in ("wrong_id", "merged_id") or moved:
            record = _renamed(source, record, work, keeps_doi=moved or kind == "merged_id")
        if kind in LISTS:
            _spoil_list(source, record, kind)
        return record

    def _openalex(self, asked: Asked) -> Told:
        parts = urlsplit(asked.path)
        if parts.path == "/works":
            names = parse_qs(parts.query)["filter"][0].partition(":")[2].split("|")
            names = [n.lower() if n.startswith("10.") else n for n in names]
            merged = [f.work for f in self.faults if f.kind == "merged_id" and f.source == "openalex"]
            return self._answer("openalex", [n for n in names if self.work_of.get(n) not in merged], False)
        name = unquote(parts.path.removeprefix("/works/")).removeprefix("https://doi.org/")
        name = name.lower() if name.startswith("10.") else name
        work = self.work_of.get(name.removeprefix("10.48550/arxiv."))
        for fault in self.faults:
            if fault.kind == "merged_id" and fault.source == "openalex" and work == fault.work == name:
                return Told(b"moved", 301, {"Location": f"/works/W9{work[1:]}"})
        return self._answer("openalex", [name], True)

    def _s2(self, asked: Asked) -> Told:
        if asked.verb == "POST":
            names = [name.removeprefix("DOI:") for name in json.loads(asked.body)["ids"]]
            return self._answer("s2", names, False)
        name = unquote(urlsplit(asked.path).path.rpartition("/paper/")[2])
        return self._answer("s2", [re.sub("^(DOI|ARXIV):", "", name)], True)

    def _crossref(self, asked: Asked) -> Told:
        parts = urlsplit(asked.path)
        if parts.path == "/works":
            names = [part.removeprefix("doi:") for part in parse_qs(parts.query)["filter"][0].split(",")]
            return self._answer("crossref", names, False)
        return self._answer("crossref", [unquote(parts.path.removeprefix("/works/")).lower()], True)

    def _arxiv(self, asked: Asked) -> Told:
        names = parse_qs(urlsplit(asked.path).query)["id_list"][0].split(",")
        return self._answer("arxiv", names, False)


_WHOLE = {
    "too_fast_429": Told(b'{"error":"Rate limit exceeded"}', 429, {"Retry-After": "2"}),
    "budget_429": Told(
        b'{"error":"Rate limit exceeded","message":"Insufficient credits","creditsRemaining":0}',
        429,
        {"Retry-After": "57539", "X-RateLimit-Remaining": "0"},
    ),
    "not_found_404": Told(b"<!doctype html><title>404</title>", 404, {"Content-Type": "text/html"}),
    "error_500": Told(b"<html>", 500),
    "timeout": Told(b"{}", after_s=0.5),
    "error_200": Told(b'{"error":"Internal error","message":"try again"}'),
    "redirected_away": Told(b"", 302, {"Location": "http://localhost:1/works/W1"}),
}


def hash_of(text: str) -> int:
    return int(sha(text)[:8], 16)


def _wrapped(source: str, records: list[Any], single: bool) -> Told:
    if source == "arxiv":
        entries = "".join(record for record in records if record is not None)
        return Told(f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'.encode())
    if single:
        record = records[0] if records else {}
        if record is None and source == "s2":
            return Told(b'{"error":"Paper not found"}', 404)
        value = record
        if source == "crossref":
            value = {"status": "ok", "message": record}
    else:
        wrap = {
            "openalex": lambda r: {"results": r},
            "crossref": lambda r: {"status": "ok", "message": {"items": r}},
        }
        value = wrap[source](records) if source in wrap else records
    return Told(json.dumps(value).encode())


def _renamed(source: str, record: dict[str, Any], work: str, *, keeps_doi: bool) -> dict[str, Any]:
    if source == "openalex":
        new = f"https://openalex.org/W9{work[1:]}"
        return {**record, "id": new, "ids": {}, **({} if keeps_doi else {"doi": None, "locations": []})}
    if source == "s2":
        doi = record["externalIds"]["DOI"] if keeps_doi else "10.5555/other"
        return {**record, "paperId": sha("other" + work), "externalIds": {"DOI": doi}}
    return {**record, "DOI": f"10.5555/other.{work.lower()}"}


def _spoil_list(source: str, record: dict[str, Any], kind: str) -> None:
    listed, count = _LIST_OF[source]
    if kind == "no_list":
        del record[listed]
    elif kind == "null_reference":
        record[listed] = [None, *record[listed][1:]]
    else:
        record[listed] = record[listed][: len(record[listed]) // 2 if kind == "cut_list" else 0]
        if kind == "zeroed_list":
            record[count] = 0


def possible_faults(world: World) -> list[Fault]:
    """Every single fault of a world."""
    found = []
    for work in world.works:
        found += [Fault(kind, world.source, work) for kind in (*ANSWERS, *RECORDS, *LISTS)]
        found += [
            Fault(kind, world.source, work, passes=True) for kind in ("too_fast_429", "error_500", "cut_body")
        ]
        if work in world.arxiv:
            found += [Fault(kind, "arxiv", work) for kind in (*ANSWERS, *RECORDS)]
        if not world.cites(work):
            # The second source of an empty list; two sources that agree on none are believed.
            found += [Fault(k, "crossref", work) for k in (*ANSWERS, *RECORDS, "no_list", "emptied_list")]
        elif world.source == "openalex":
            found += [Fault(k, "crossref", work) for k in ANSWERS]
    return found


def ingest(
    world: World, faults: tuple[Fault, ...], servers: Servers, log: Path, *, expects: bool = True
) -> None:
    """The world's works into a log, as the command does it."""
    servers.tell(world, faults)
    log.write_text("".join(json.dumps(event) + "\n" for event in world.prefix), "utf-8")
    slow = any(fault.kind == "timeout" for fault in faults)
    sealed = any(fault.kind == "lost_line" for fault in faults)
    if sealed:
        seal_log(log)
    keep = {"keep_seal": extend_seal} if sealed else {}
    limits = {"tries": 2, "batch": 8, "timeout_s": 0.25 if slow else 30.0}
    with services(servers.by_source, Clock(), **limits) as asking, Appender(log, **keep) as appender:  # type: ignore[arg-type]
        for source, ids in world.asked_ids():
            if expects:
                appender.expect(ids)
            ingest_items(ask_for(asking, source, ids), appender, events_a_time=1500)


def spoil_log(world: World, faults: tuple[Fault, ...], log: Path) -> bool:
    """Put the faults of a log into it; whether there are any."""
    hurt = [fault for fault in faults if fault.kind in LOGS]
    for fault in hurt:
        lines = log.read_bytes().split(b"\n")[:-1]
        first = len(world.prefix) + 1
        number = first + int(fault.where * (len(lines) - first))
        if fault.kind == "lost_line":
            log.write_bytes(b"".join(line + b"\n" for i, line in enumerate(lines) if i != number))
        else:
            torn = lines[number][: 1 + int(fault.where * (len(lines[number]) - 1))]
            log.write_bytes(b"".join(line + b"\n" for line in lines[:number]) + torn)
    return bool(hurt)


def judged(world: World, log: Path, truth: Verdicts | None) -> Verdicts:
    """Verdicts of the candidates by policy.

    What is novel where in-edges cover nobody is novel by default too. So once no verdict has failed open by
    default, none has in the strict way, where both call the same candidates novel without a fault.
    """
    candidates = [read_candidate(record) for record in world.candidates]
    graph = open_graph(log, cached=False)

    def verdicts(policy: str) -> list[str]:
        found: list[str] = judge_frame(graph, candidates, POLICIES[policy]).column("verdict").to_pylist()
        return found

    default = verdicts("default")
    if truth is not None and novel(truth["default"]) == novel(truth[STRICT]) >= novel(default):
        return {"default": default, STRICT: []}
    return {"default": default, STRICT: verdicts(STRICT)}


def novel(verdicts: list[str]) -> set[int]:
    """The numbers of those that are."""
    return {number for number, verdict in enumerate(verdicts) if verdict == "novel"}


def faults_of(world: World, seed: int, n_runs: int) -> Iterator[tuple[Fault, ...]]:
    """One or two faults for each run."""
    chance = random.Random(f"faults {seed}")
    single = possible_faults(world)
    for _ in range(n_runs):
        chosen = chance.sample(single, 2)
        if chance.random() < 0.15:
            chosen[1] = Fault(chance.choice(LOGS), where=chance.random())
        yield tuple(chosen if chance.random() < 0.85 else chosen[1:])


def one_run(
    world: World,
    faults: tuple[Fault, ...],
    servers: Servers,
    folder: Path,
    tally: Tally,
    truth: Verdicts | None = None,
    *,
    expects: bool = True,
) -> Verdicts | None:
    """Ingest with these faults and judge; None where the log was refused, as it must be then."""
    log = folder / "events.jsonl"
    for left in folder.iterdir():
        left.unlink()
    ingest(world, faults, servers, log, expects=expects)
    if spoil_log(world, faults, log):
        lost = any(fault.kind == "lost_line" for fault in faults)
        try:
            open_graph(log, cached=False)
        except (LogError, DamageError):
            tally.n_refused += 1
        else:
            assert not lost, "a sealed log lost a line unseen"
        if lost:
            return None
        with contextlib.suppress(LogError):
            repair_log(str(log))
    return judged(world, log, truth)


def measure(
    records: list[dict[str, Any]],
    n_faults: int,
    runs_a_world: int,
    *,
    first: int = 0,
    expects: bool = True,
    say: Callable[[str], object] = lambda text: None,
) -> Tally:
    """Worlds by their seeds, from `first` on, until so many faults were put in."""
    tally, seed = Tally(), first
    with Servers() as servers, tempfile.TemporaryDirectory() as name:
        while tally.n_faults < n_faults:
            world = make_world(records, seed)
            truth = one_run(world, (), servers, Path(name), tally)
            assert truth is not None
            if not novel(truth["default"]):
                # Some list of it is open without our doing: nothing could fail open there.
                seed += 1
                continue
            tally.baseline.update(truth["default"])
            for faults in faults_of(world, seed, runs_a_world):
                found = one_run(world, faults, servers, Path(name), tally, truth, expects=expects)
                tally.n_runs += 1
                tally.n_faults += len(faults)
                tally.kinds.update(fault.kind for fault in faults)
                for policy, verdicts in (found or {}).items():
                    if policy == "default":
                        tally.n_judged += len(verdicts)
                        tally.verdicts.update(verdicts)
                    tally.opened[policy] += [
                        (seed, world.candidates[number]["id"], faults)
                        for number in sorted(novel(verdicts) - novel(truth[policy]))
                    ]
                if tally.n_faults >= n_faults:
                    break
            for one in tally.opened[STRICT]:
                say(f"failed open: {one}")
            say(f"world {seed} ({world.source}): {tally.n_faults} faults, {tally.failed_open()}")
            seed += 1
    return tally


def real_records(data: str) -> list[dict[str, Any]]:
    """The works of the real graph."""
    raw = gzip.decompress((Path(data) / "graphs/openalex_refchecker/works.jsonl.gz").read_bytes())
    return [json.loads(line) for line in raw.splitlines()]


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    data = os.environ.get("NOVELTY_TEST_DATA")
    began = time.perf_counter()
    tally = measure(
        real_records(data) if data else made_up_records(0),
        n,
        120,
        first=seed,
        say=lambda t: print(t, flush=True),
    )
    print(f"{tally.n_faults} faults in {tally.n_runs} runs, {time.perf_counter() - began:.0f} s")
    print(f"{tally.n_judged} verdicts; the log was refused {tally.n_refused} times")
    print("kinds:", dict(sorted(tally.kinds.items())))
    print("without faults:", dict(sorted(tally.baseline.items())))
    print("with faults:", dict(sorted(tally.verdicts.items())))
    for policy, opened in tally.opened.items():
        print(f"failed open, {policy}: {len(opened)}")
        for seed, candidate, faults in opened[:20]:
            print("  ", seed, candidate, faults)
