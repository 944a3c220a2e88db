"""Appending loses nothing and adds nothing twice."""

from __future__ import annotations

import json
import multiprocessing
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from novelty_kit.errors import LogError, OutputError
from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.events import Event, failure_events
from novelty_kit.ingest.record import Reference, References, SameWork, Work

Rows = Callable[..., list[dict[str, Any]]]


def a_work(number: int, cites: tuple[int, ...] = (), **more: Any) -> Work:
    entries = tuple(Reference((f"openalex:W{n}",)) for n in cites)
    listed = References(entries, n_stated=len(cites), n_listed=len(cites))
    return Work(**{"source": "openalex", "ids": {"openalex": f"W{number}"}, "references": listed, **more})


def add(log: Path, *items: Work | Event) -> int:
    with Appender(log) as appender:
        return appender.add(items)


def test_the_same_answer_twice_adds_no_event(log: Path) -> None:
    works = [a_work(1, (2, 3), title="T"), a_work(2, ())]
    assert add(log, *works) == 6
    before = log.read_bytes()
    assert add(log, *works) == 0
    assert add(log, *works, *works) == 0
    assert log.read_bytes() == before


def test_a_longer_list_adds_only_what_is_new(log: Path, rows: Rows) -> None:
    add(log, a_work(1, (2, 3)))
    assert add(log, a_work(1, (2, 3, 4))) == 2
    assert [r["cited_lom_id"] for r in rows(log, "citation_edge")] == [
        "openalex:W2",
        "openalex:W3",
        "openalex:W4",
    ]
    assert [r["n_refs"] for r in rows(log, "references_checked")] == [2, 3]


@pytest.mark.parametrize(
    "recheck",
    [
        a_work(1, ()),
        a_work(1, (), references=None),
        a_work(1, (), references=References((), n_stated=0, n_listed=0, corroborated_zero=True)),
        a_work(1, (), references=References((), n_stated=40, n_listed=0)),
    ],
    ids=["empty", "not stated", "zero, corroborated", "cut short"],
)
def test_a_failed_or_empty_recheck_never_replaces_a_list_that_was_read(
    log: Path, rows: Rows, recheck: Work
) -> None:
    add(log, a_work(1, (2,)))
    assert add(log, recheck) == 0
    assert [(r["status"], r["n_refs"]) for r in rows(log, "references_checked")] == [("ok", 1)]


def test_a_read_list_replaces_a_failed_check(log: Path, rows: Rows) -> None:
    add(log, a_work(1, ()))
    add(log, a_work(1, (2,)))
    assert [r["status"] for r in rows(log, "references_checked")] == ["failed", "ok"]


def test_two_sources_do_not_take_turns(log: Path, rows: Rows) -> None:
    first = a_work(1, (2, 3), title="One", ids={"openalex": "W1", "doi": "10.1000/x"})
    cites = References((Reference(("doi:10.1000/y",)),), n_stated=1, n_listed=1)
    second = Work(
        "crossref", {"doi": "10.1000/x"}, title="Another", publication_date="2020", references=cites
    )
    add(log, first)
    assert add(log, second) == 2
    assert rows(log, "paper")[-1] == {"lom_id": "openalex:W1", "publication_date": "2020"}
    assert rows(log, "citation_edge")[-1]["citing_lom_id"] == "openalex:W1"
    assert add(log, first, second, first, second) == 0


def test_the_same_source_corrects_what_it_said(log: Path, rows: Rows) -> None:
    add(log, a_work(1, (2,), title="Old"))
    add(log, a_work(1, (2,), title="New"))
    assert rows(log, "paper")[-1] == {"lom_id": "openalex:W1", "title": "New"}


def test_an_answer_speaks_of_the_paper_that_owns_its_id(log: Path, rows: Rows) -> None:
    row = {"lom_id": "arxiv:2608.13940", "openalex": "W7203633772"}
    log.write_text(json.dumps({"op": "upsert", "table": "paper", "row": row}) + "\n", "utf-8")
    add(log, a_work(7203633772, (2,)))
    assert rows(log, "references_checked")[0]["lom_id"] == "arxiv:2608.13940"
    assert rows(log, "citation_edge")[0]["citing_lom_id"] == "arxiv:2608.13940"


def test_two_works_on_one_doi_stay_two_papers_that_are_called_one_work(log: Path, rows: Rows) -> None:
    for number in (1, 2):
        add(log, a_work(number, (number + 10,), ids={"openalex": f"W{number}", "doi": "10.1007/b98886"}))
    assert [r["lom_id"] for r in rows(log, "paper")] == ["openalex:W1", "openalex:W2"]
    assert [r["lom_id"] for r in rows(log, "references_checked")] == ["openalex:W1", "openalex:W2"]
    assert [(r["lom_id"], r["same_as_lom_id"], r["relation"]) for r in rows(log, "same_work")] == [
        ("openalex:W2", "openalex:W1", "same_record")
    ]


def test_a_merged_id_keeps_the_paper_that_was_asked_for_and_both_ids(log: Path, rows: Rows) -> None:
    add(log, a_work(1, (), title="T"))
    merged = a_work(
        9, (2,), asked="openalex:W1", relations=(SameWork("openalex:W1", "openalex:W9", "merged"),)
    )
    add(log, merged)
    assert rows(log, "paper")[-1] == {"lom_id": "openalex:W1", "openalex": "W9"}
    assert rows(log, "same_work")[0]["relation"] == "merged"
    assert rows(log, "references_checked")[-1] == {
        "lom_id": "openalex:W1",
        "source": "openalex",
        "n_refs": 1,
        "status": "ok",
    }


def test_an_unread_stub_joins_the_ids_of_a_cited_work_and_is_read_once_it_is_ingested(
    log: Path, rows: Rows
) -> None:
    cites = References(
        (Reference(("arxiv:1706.03762", "s2:" + "a" * 40), title="T"),), n_stated=1, n_listed=1
    )
    add(log, Work("s2", {"s2": "b" * 40}, references=cites))
    assert rows(log, "paper")[-1]["read"] is False
    assert rows(log, "citation_edge")[0]["cited_lom_id"] == "arxiv:1706.03762"
    add(log, Work("arxiv", {"arxiv": "1706.03762"}, title="Attention", states_references=False))
    assert rows(log, "paper")[-1] == {
        "lom_id": "arxiv:1706.03762",
        "title": "Attention",
        "read": True,
        "source": "arxiv",
    }
    assert add(log, Work("s2", {"s2": "b" * 40}, references=cites)) == 0


def test_a_cited_work_under_several_ids_reaches_every_paper_that_owns_one(log: Path, rows: Rows) -> None:
    add(
        log,
        a_work(1, ids={"openalex": "W1", "doi": "10.1000/x"}),
        a_work(2, ids={"openalex": "W2", "arxiv": "1706.03762"}),
    )
    cites = References((Reference(("arxiv:1706.03762", "doi:10.1000/x")),), n_stated=1, n_listed=1)
    add(log, Work("s2", {"s2": "b" * 40}, references=cites))
    assert [r["cited_lom_id"] for r in rows(log, "citation_edge")] == ["arxiv:1706.03762", "doi:10.1000/x"]


def test_a_failure_is_written_once_and_taken_back_by_an_answer(log: Path, rows: Rows) -> None:
    failure = list(
        failure_events(
            "openalex", "openalex:W1", http_status=429, message="m", reason="http_429", answer=None
        )
    )
    assert add(log, *failure) == 2
    assert add(log, *failure) == 0
    add(log, a_work(1, (2,), asked="openalex:W1"))
    last = json.loads(log.read_bytes().splitlines()[-1])
    assert (last["op"], last["table"]) == ("delete", "ingest_error")
    assert add(log, a_work(1, (2,), asked="openalex:W1")) == 0


def test_a_failure_under_a_key_of_a_paper_leaves_the_papers_list(log: Path, rows: Rows) -> None:
    add(
        log,
        a_work(1, (2,), ids={"openalex": "W1", "doi": "10.1000/x"}),
        a_work(2, (), ids={"openalex": "W2", "doi": "10.1000/y"}),
    )
    for doi in ("10.1000/x", "10.1000/y"):
        add(
            log,
            *failure_events("crossref", f"doi:{doi}", http_status=500, message="m", reason="r", answer=None),
        )
    assert [r["lom_id"] for r in rows(log, "references_checked")] == ["openalex:W1", "openalex:W2"]
    assert [r["lookup"] for r in rows(log, "ingest_error")] == ["doi:10.1000/x", "doi:10.1000/y"]


def test_a_log_has_one_lock_whatever_links_lead_to_it(tmp_path: Path, log: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/link.jsonl").symlink_to(log)
    add(tmp_path / "elsewhere/link.jsonl", a_work(1, (2,)))
    assert add(log, a_work(1, (2,))) == 0
    assert sorted(path.name for path in tmp_path.rglob("*.lock")) == ["events.jsonl.lock"]


def test_a_torn_tail_is_refused_with_the_byte_and_the_remedy(log: Path) -> None:
    add(log, a_work(1, (2,)))
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"op":"ups')
    with pytest.raises(LogError, match=r"torn line at byte \d+.*graph repair") as caught:
        add(log, a_work(2, (3,)))
    assert caught.value.problem.line == 4
    assert log.read_bytes() == whole + b'{"op":"ups'


def test_a_last_line_that_lacks_only_its_newline_is_completed(log: Path) -> None:
    add(log, a_work(1, (2,)))
    log.write_bytes(log.read_bytes()[:-1])
    assert add(log, a_work(1, (2,))) == 0
    add(log, a_work(2, (3,)))
    assert len([json.loads(line) for line in log.read_bytes().splitlines()]) == 6


@pytest.mark.parametrize(
    "bad", [b"\n", b"[]\n", b'{"op":"upsert"}\n', b'{"op":"x","table":"paper","row":{}}\n']
)
def test_a_bad_line_is_refused_with_its_number(log: Path, bad: bytes) -> None:
    add(log, a_work(1, (2,)))
    log.write_bytes(log.read_bytes() + bad + log.read_bytes())
    with pytest.raises(LogError) as caught:
        add(log, a_work(2))
    assert caught.value.problem.line == 4


def test_a_compressed_log_is_read_before_and_never_appended_to(tmp_path: Path, log: Path) -> None:
    import gzip

    add(log, a_work(1, (2,)))
    old = tmp_path / "old.jsonl.gz"
    old.write_bytes(gzip.compress(log.read_bytes()))
    with Appender(tmp_path / "new.jsonl", earlier=[old]) as appender:
        assert appender.add([a_work(1, (2,)), a_work(2, (3,))]) == 3
    with pytest.raises(LogError, match="compressed"):
        Appender(old)


def test_a_dry_run_gives_the_lines_and_touches_nothing(tmp_path: Path) -> None:
    lines: list[bytes] = []
    with Appender(tmp_path / "no/events.jsonl", dry_run=lines.append) as appender:
        assert appender.add([a_work(1, (2,))]) == 3
        assert appender.add([a_work(1, (2,))]) == 0
    assert len(lines) == 3
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_was_replaced_is_read_again(tmp_path: Path, log: Path) -> None:
    with Appender(log) as appender:
        appender.add([a_work(1, (2,))])
        log.rename(tmp_path / "away")
        assert appender.add([a_work(1, (2,))]) == 3


def test_what_another_writer_added_is_known(log: Path) -> None:
    with Appender(log) as one, Appender(log) as two:
        one.add([a_work(1, (2,))])
        assert two.add([a_work(1, (2,)), a_work(2, (3,))]) == 3
        assert one.add([a_work(2, (3,))]) == 0


def a_clean_context() -> multiprocessing.context.ForkServerContext:
    """Processes that are forked from one without threads, whatever tests have run in this one."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["novelty_kit.ingest.append", "pytest"])
    return context


def _writer(log: Path, first: int, n: int) -> None:
    with Appender(log) as appender:
        for number in range(first, first + n):
            appender.add([a_work(number, (number + 1, number + 2))])


def test_two_writers_at_once_lose_nothing(log: Path) -> None:
    forked = a_clean_context()
    writers = [forked.Process(target=_writer, args=(log, first, 40)) for first in (1, 1, 1000)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    lines = log.read_bytes().splitlines()
    assert len(lines) == len(set(lines)) == 80 * 4
    assert add(log, *(a_work(n, (n + 1, n + 2)) for n in [*range(1, 41), *range(1000, 1040)])) == 0


def _checked_without_its_edges(whole: list[dict[str, Any]]) -> list[str]:
    edges: dict[str, int] = {}
    wrong = []
    for event in whole:
        row = event["row"]
        if event["table"] == "citation_edge":
            edges[row["citing_lom_id"]] = edges.get(row["citing_lom_id"], 0) + 1
        if event["table"] == "references_checked" and row["n_refs"] != edges.get(row["lom_id"], 0):
            wrong.append(row["lom_id"])
    return wrong


def test_killed_at_any_moment_the_log_holds_whole_lines_and_at_most_a_torn_tail(tmp_path: Path) -> None:
    forked = a_clean_context()
    more_bytes = random.Random(7)
    n_works = 0
    for run in range(10):
        log = tmp_path / f"{run}.jsonl"
        seen, events = 0, []
        for attempt in range(20):
            writer = forked.Process(target=_writer, args=(log, 1 + 100 * attempt, 100))
            writer.start()
            enough = seen + more_bytes.randrange(2000)
            while writer.is_alive() and not (log.exists() and log.stat().st_size >= enough):
                time.sleep(0.0002)
            writer.kill()
            writer.join()
            raw = log.read_bytes() if log.exists() else b""
            *lines, tail = raw[seen:].split(b"\n")
            events += [json.loads(line) for line in lines]
            seen = len(raw) - len(tail)
            log.write_bytes(raw[:seen])
        assert _checked_without_its_edges(events) == []
        n_works += sum(event["table"] == "references_checked" for event in events)
    assert n_works > 50


def test_cut_at_any_byte_a_log_never_says_more_than_stands_there(log: Path) -> None:
    add(log, a_work(1, (2, 3), title="é\u2028x"), a_work(4, (5,)))
    whole = log.read_bytes()
    for size in range(len(whole)):
        *lines, tail = whole[:size].split(b"\n")
        assert _checked_without_its_edges([json.loads(line) for line in lines]) == []
        log.write_bytes(whole[:size])
        try:
            add(log, a_work(9))
        except LogError:
            assert tail
            assert log.read_bytes() == whole[:size]
        else:
            assert log.read_bytes().startswith(whole[:size])
            assert all(json.loads(line) for line in log.read_bytes().splitlines())


def test_a_full_disk_takes_back_what_was_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    log = tmp_path / "events.jsonl"
    add(log, a_work(1, (2,)))
    before = log.read_bytes()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Appender(log) as appender:
        appender.refresh()
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
            with pytest.raises(OutputError, match="Nothing was added"):
                appender.add([a_work(2, (3, 4, 5))])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert log.read_bytes() == before
        assert appender.add([a_work(2, (3, 4, 5))]) == 5


def expect(log: Path, *lom_ids: str) -> int:
    with Appender(log) as appender:
        return appender.expect(lom_ids)


def current_papers(log: Path) -> dict[str, dict[str, Any]]:
    """The paper rows of a log: patched, and gone where they were deleted."""
    papers: dict[str, dict[str, Any]] = {}
    for event in map(json.loads, log.read_bytes().splitlines()):
        lom_id = event["row"].get("lom_id")
        if event["table"] == "paper" and event["op"] == "delete":
            papers.pop(lom_id, None)
        elif event["table"] == "paper":
            papers[lom_id] = {**papers.get(lom_id, {}), **event["row"]}
    return papers


def test_what_will_be_asked_for_is_a_paper_once_and_says_nothing_else(log: Path) -> None:
    assert expect(log, "openalex:W1", "doi:10.1000/x", "openalex:W1") == 2
    assert expect(log, "doi:10.1000/x", "openalex:W1") == 0
    assert current_papers(log) == {n: {"lom_id": n} for n in ("openalex:W1", "doi:10.1000/x")}


def test_an_answer_fills_the_paper_that_was_asked_for(log: Path) -> None:
    expect(log, "openalex:W1")
    work = a_work(1, (2,), title="T", asked="openalex:W1")
    assert add(log, work) == 3
    assert add(log, work) == 0
    assert current_papers(log)["openalex:W1"] == {
        "lom_id": "openalex:W1",
        "openalex": "W1",
        "title": "T",
        "read": True,
        "source": "openalex",
    }


def test_a_paper_that_has_the_id_as_a_key_is_not_asked_for_twice(log: Path) -> None:
    add(log, a_work(1, (2,), ids={"openalex": "W1", "doi": "10.1000/x"}))
    assert expect(log, "doi:10.1000/x", "openalex:W1") == 0


def test_a_stub_that_is_asked_for_is_a_stub_no_more(log: Path) -> None:
    cites = References((Reference(("arxiv:1706.03762", "doi:10.1000/x"), title="T"),), n_stated=1, n_listed=1)
    add(log, Work("s2", {"s2": "b" * 40}, references=cites))
    assert expect(log, "doi:10.1000/x") == 1
    assert current_papers(log)["arxiv:1706.03762"]["read"] is None
    assert expect(log, "doi:10.1000/x") == 0
    add(log, Work("arxiv", {"arxiv": "1706.03762"}, title="Attention", states_references=False))
    assert current_papers(log)["arxiv:1706.03762"]["read"] is True


def test_a_paper_that_was_only_asked_for_gives_way_to_the_one_that_has_its_id(log: Path, rows: Rows) -> None:
    add(log, a_work(1, (2,), title="T"))
    expect(log, "doi:10.1000/x")
    answer = a_work(1, (2,), title="T", ids={"openalex": "W1", "doi": "10.1000/x"}, asked="doi:10.1000/x")
    add(log, answer)
    assert set(current_papers(log)) == {"openalex:W1"}
    assert current_papers(log)["openalex:W1"]["doi"] == "10.1000/x"
    assert rows(log, "same_work") == []
    assert add(log, answer) == 0


def test_one_work_asked_for_under_two_ids_is_one_paper_in_the_end(log: Path) -> None:
    expect(log, "doi:10.1000/x", "openalex:W1")
    ids = {"openalex": "W1", "doi": "10.1000/x"}
    for asked in ("doi:10.1000/x", "openalex:W1", "doi:10.1000/x"):
        add(log, a_work(1, (2,), title="T", ids=ids, asked=asked))
    assert set(current_papers(log)) == {"doi:10.1000/x"}


def test_a_merged_id_that_was_asked_for_stays_a_paper_beside_the_one_it_went_into(log: Path) -> None:
    add(log, a_work(9, (2,), title="T"))
    expect(log, "openalex:W1")
    merged = (SameWork("openalex:W1", "openalex:W9", "merged"),)
    add(log, a_work(9, (2,), title="T", asked="openalex:W1", relations=merged))
    assert set(current_papers(log)) == {"openalex:W1", "openalex:W9"}
    assert current_papers(log)["openalex:W1"]["openalex"] == "W9"


def test_a_row_by_hand_that_says_something_never_gives_way(log: Path) -> None:
    row = {"lom_id": "doi:10.1000/x", "title": "By hand"}
    log.write_text(json.dumps({"op": "upsert", "table": "paper", "row": row}) + "\n", "utf-8")
    add(log, a_work(1, (2,), title="T", ids={"openalex": "W1", "doi": "10.1000/x"}, asked="openalex:W1"))
    assert current_papers(log)["doi:10.1000/x"]["title"] == "By hand"
