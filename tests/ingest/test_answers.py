"""Each recorded answer, through the real client, ends as the rows that are true."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback_server import Clock, Told, loopback, services

from novelty_kit.graph.lines import check_line
from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.ask import answered_before, ask_for
from novelty_kit.ingest.limits import SOURCES
from novelty_kit.ingest.run import Summary, ingest_items
from novelty_kit.keys import normalise

TESTS = Path(__file__).parent.parent
RECORDED = TESTS / "recorded"
CASES = yaml.safe_load((TESTS / "cases/ingest/answers.yaml").read_text("utf-8"))
INDEX = yaml.safe_load((RECORDED / "index.yaml").read_text("utf-8"))


def recorded(name: str) -> Told:
    known = INDEX.get(name, {})
    return Told((RECORDED / name).read_bytes(), known.get("status", 200), known.get("headers", {}))


def run_case(case: dict[str, Any], log: Path, clock: Clock) -> tuple[Summary, dict[str, list[str]]]:
    with ExitStack() as stack:
        servers = {
            source: stack.enter_context(loopback()) for source in ("openalex", "crossref", "s2", "arxiv")
        }
        for source, names in case["serve"].items():
            servers[source].script = [recorded(name) for name in names]
        asking = stack.enter_context(services(servers, clock))
        appender = stack.enter_context(Appender(log))
        summary = ingest_items(
            ask_for(asking, case["source"], [normalise(text) for text in case["ask"]]), appender
        )
        assert not any(server.script for server in servers.values()), "some answers were not asked for"
        return summary, {source: [asked.path for asked in server.asked] for source, server in servers.items()}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any], log: Path) -> None:
    clock = Clock()
    summary, asked = run_case(case, log, clock)
    found: dict[str, list[dict[str, Any]]] = {}
    for line in log.read_bytes().splitlines() if log.exists() else ():
        checked = check_line(line)
        assert (checked.faults, checked.unknown) == ((), ()), line
        event = json.loads(line)
        found.setdefault(event["table"], []).append(event["row"])
    assert found.keys() == case["expect"].keys()
    for table, expected in case["expect"].items():
        assert len(found[table]) == len(expected), found[table]
        for row, wanted in zip(found[table], expected, strict=True):
            assert {name: row.get(name) for name in wanted} == {
                k: str(v) if k == "publication_date" else v for k, v in wanted.items()
            }
    assert dict(summary.failed) == case.get("failed", {})
    if "slept" in case:
        assert [wait for wait in clock.slept if wait > 0.1] == case["slept"]
    for source, paths in case.get("asked", {}).items():
        assert [path.split("?select=")[0].split("&per_page=")[0] for path in asked[source]] == paths


def test_every_recorded_answer_is_used_by_a_case() -> None:
    used = {name for case in CASES for names in case["serve"].values() for name in names}
    kept = {f"{path.parent.name}/{path.name}" for source in SOURCES for path in (RECORDED / source).iterdir()}
    assert kept == used
    assert set(INDEX) <= kept


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_same_answers_twice_add_no_event(case: dict[str, Any], log: Path) -> None:
    run_case(case, log, Clock())
    before = log.read_bytes() if log.exists() else b""
    run_case(case, log, Clock())
    assert (log.read_bytes() if log.exists() else b"") == before


def test_a_failed_recheck_leaves_the_list_that_was_read(
    log: Path, rows: Callable[..., list[dict[str, Any]]]
) -> None:
    by_name = {case["name"]: case for case in CASES}
    run_case(by_name["a work with its list"], log, Clock())
    failing = [c for c in CASES if c["source"] == "openalex" and c["ask"] == ["W100"] and c.get("failed")]
    assert len(failing) >= 3
    for case in failing:
        run_case(case, log, Clock())
    assert [(r["status"], r["n_refs"]) for r in rows(log, "references_checked")] == [("ok", 3)]
    assert rows(log, "ingest_error") != []


def test_a_resumed_run_asks_again_only_for_what_may_have_passed(log: Path) -> None:
    ends = {
        "a work with its list": True,
        "a list cut short of its stated count": True,
        "a 404 in HTML is not found": True,
        "a spent budget stops the run at once and keeps what was learned": False,
        "Semantic Scholar's 429 without Retry-After ends as a failed lookup": False,
    }
    by_name = {case["name"]: case for case in CASES}
    for name, answered in ends.items():
        case = by_name[name]
        run_case(case, log, Clock())
        with Appender(log) as appender:
            appender.refresh()
            assert answered_before(appender.known, case["source"], normalise(case["ask"][-1])) is answered, (
                name
            )
