"""`novelty history`, `diff` and `whatif`: what they print, write and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT, Novelty

DEMO = ROOT / "data" / "demo"
LOG = DEMO / "events.jsonl"
CLAIM = ("--graph", LOG)


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    lines = (DEMO / "candidates.jsonl").read_text("utf-8").splitlines()
    path = tmp_path / "claim.jsonl"
    path.write_text(next(line for line in lines if "w08-climate-claim" in line) + "\n", encoding="utf-8")
    return path


def test_history_gives_a_line_a_change_from_the_empty_log_on(
    novelty: Novelty, claim: Path, tmp_path: Path
) -> None:
    done = novelty("history", claim, *CLAIM, "--jsonl")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert lines[0]["seq"] == 0
    assert lines[0]["event"] is lines[0]["before"] is None
    assert [line["verdict"] for line in lines[-2:]] == ["novel", "neighborhood"]
    assert list(lines[0])[:8] == [
        "candidate_id",
        "seq",
        "status",
        "verdict",
        "rule",
        "event",
        "before",
        "after",
    ]
    assert novelty("history", claim, *CLAIM, "--out", tmp_path / "h.jsonl").out == ""
    assert [json.loads(line) for line in (tmp_path / "h.jsonl").read_text("utf-8").splitlines()] == lines
    assert json.loads(novelty("history", claim, *CLAIM, "--json").out) == lines
    text = novelty("history", claim, *CLAIM).out
    assert f"event {lines[-1]['seq']}: neighborhood, rule 2 citation_overlap" in text
    early = novelty("history", claim, *CLAIM, "--jsonl", "--as-of", lines[-1]["seq"] - 1).out.splitlines()
    assert [json.loads(line) for line in early] == lines[:-1]


def test_diff_exits_1_where_a_verdict_differs(novelty: Novelty, claim: Path) -> None:
    last = json.loads(novelty("history", claim, *CLAIM, "--jsonl").out.splitlines()[-1])["seq"]
    done = novelty("diff", claim, *CLAIM, "--from", last - 1, "--to", last, "--json")
    told = json.loads(done.out)["differences"][0]
    assert done.code == 1
    assert [event["seq"] for event in told["events"]] == [last]
    assert told["before"]["verdict"] == "novel"
    assert told["several"] is False
    same = novelty("diff", claim, *CLAIM, "--from", last, "--to", last)
    assert (same.code, "nothing is otherwise" in same.out) == (0, True)
    assert novelty("diff", claim, *CLAIM, "--from", last - 1, "--to", last, "--exit-zero").code == 0


def test_whatif_shows_both_results_and_leaves_the_log(novelty: Novelty, claim: Path, tmp_path: Path) -> None:
    before = LOG.read_bytes()
    last = json.loads(novelty("history", claim, *CLAIM, "--jsonl").out.splitlines()[-1])["seq"]
    done = novelty("whatif", claim, *CLAIM, "--as-of", last, "--remove", last, "--json")
    told = json.loads(done.out)
    assert (done.code, told["before"]["verdict"], told["after"]["verdict"]) == (0, "neighborhood", "novel")
    extra = tmp_path / "more.jsonl"
    event = {"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:2001.00001"}}
    extra.write_text(json.dumps({**event, "op": "put"}) + "\n", "utf-8")
    bad = novelty("whatif", claim, *CLAIM, "--add", extra)
    assert (bad.code, bad.err.count("\n")) == (2, 1)
    extra.write_text(json.dumps(event) + "\n", "utf-8")
    unread = novelty(
        "whatif", claim, *CLAIM, "--as-of", last - 1, "--add", extra, "--checked", "arxiv:2001.00001=3"
    )
    assert (unread.code, "suppose: upsert paper" in unread.out) == (0, True)
    assert LOG.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("history", "arxiv:2608.13940", "--json", "--jsonl"), "exclude each other"),
        (("history", "arxiv:2608.13940", "--out", "h.csv"), "needs a suffix"),
        (("history", "arxiv:2608.13940", "--as-of", "10000"), "the log has 281 events"),
        (("history", "nonsense"), "neither a file nor an id"),
        (("diff", "arxiv:2608.13940"), "the two points are one"),
        (("diff", "arxiv:2608.13940", "--from", "yesterday"), "neither a seq nor a time"),
        (("diff", "arxiv:2608.13940", "--policy-to", "gate_scope=all"), "gate_scope"),
        (("whatif", "arxiv:2608.13940", "--add", "no-such-file"), "neither an event nor a file"),
        (("whatif", "arxiv:2608.13940", "--add", "/dev/zero"), "is larger than 64 MiB"),
        (("whatif", "arxiv:2608.13940", "--add", '{"op": "upsert"}'), "is no event"),
        (("whatif", "arxiv:2608.13940", "--remove", "999"), "999 is no event"),
        (("whatif", "arxiv:2608.13940", "--checked", "arxiv:2001.00001"), "takes ID=N"),
        (("whatif", "arxiv:2608.13940", "--hold", "W"), "hold:"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_error_and_exit_2(
    novelty: Novelty, arguments: tuple[str, ...], says: str
) -> None:
    done = novelty(*arguments, "--graph", LOG)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") <= 3
