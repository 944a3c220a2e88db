"""A plan, once its lookups are answered, makes decidable what it says, with as few lookups as any."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from engine import graph_of, write_log
from jsonschema import Draft202012Validator
from random_graphs import generate, policies
from twin import judge as twin_judge
from twin_log import read_log

import novelty_kit as nk
from novelty_kit.errors import CandidateError
from novelty_kit.ingest.id_list import read_plan
from novelty_kit.planning import Plan
from novelty_kit.schemas import schema_of

Row = dict[str, Any]
SEEDS = range(int(os.environ.get("NOVELTY_PLAN_SEEDS", "7")))


def up(table: str, **row: Any) -> Row:
    return {"op": "upsert", "table": table, "row": row}


def paper(n: int, **row: Any) -> Row:
    return up("paper", lom_id=f"doi:10.1234/{n}", publication_date="2020", **row)


def cites(citing: int, cited: int) -> Row:
    return up("citation_edge", citing_lom_id=f"doi:10.1234/{citing}", cited_lom_id=f"doi:10.1234/{cited}")


def checked(lom_id: str, n_refs: int | None = 7, status: str = "ok", **row: Any) -> Row:
    return up("references_checked", lom_id=lom_id, n_refs=n_refs, status=status, **row)


def candidate(n: int | str, **fields: Any) -> Row:
    key = {"doi": f"10.1234/{n}"} if isinstance(n, int) else {"openalex": n}
    stated = {"references_checked": {"status": "ok", "n_refs": 3, "source": "demo"}}
    return {"kind": "paper", "keys": key, "id": f"c{n}", **stated, **fields}


def answered(planned: Plan) -> list[Row]:
    return [checked(lom_id, source=batch.source) for batch in planned.batches for lom_id in batch.ids]


def asked(planned: Plan) -> list[list[str]]:
    return [[batch.source, *batch.ids] for batch in planned.batches]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_plan_unlocks_is_decided_when_its_calls_are_answered(tmp_path: Path, seed: int) -> None:
    events, records = generate(seed, 12)
    policy = policies(seed)[seed % 3]
    planned = nk.plan(graph_of(tmp_path, events), records, policy=policy)
    status = {r["id"]: twin_judge(read_log(events), r, policy)["status"] for r in records}
    waiting = {name for name, told in status.items() if told in ("insufficient_edges", "lookup_failed")}
    unlocked = [name for batch in planned.batches for name in batch.unlocks]
    # A list recorded as empty may be found not to be, when it is fetched for another candidate.
    lasting = {one.candidate_id for one in planned.undecidable if one.code != "empty_list"}
    undecidable = {one.candidate_id for one in planned.undecidable}
    assert sorted(unlocked) == sorted(set(unlocked))
    assert set(unlocked) | undecidable == {name for name, told in status.items() if told != "ok"}
    assert set(planned.decided) == {name for name, told in status.items() if told == "ok"}
    so_far, done = list(events), set()
    for batch in planned.batches:
        so_far += [checked(lom_id, source=batch.source) for lom_id in batch.ids]
        done |= set(batch.unlocks)
        log = read_log(so_far)
        for record in records:
            if record["id"] in done & waiting and status[record["id"]] == "insufficient_edges":
                assert twin_judge(log, record, policy)["status"] == "ok", (seed, record["id"])
    for record in records:
        if record["id"] in lasting & waiting:
            assert twin_judge(read_log(so_far), record, policy)["status"] != "ok"


@pytest.mark.parametrize("seed", SEEDS)
def test_no_plan_has_fewer_lookups(tmp_path: Path, seed: int) -> None:
    """Against every smaller set of lookups, judged by the plain second engine."""
    events, records = generate(seed, 6)
    policy = policies(seed)[seed % 3]
    log = read_log(events)
    graph = graph_of(tmp_path, events)
    gated = [r for r in records if twin_judge(log, r, policy)["status"] == "insufficient_edges"]
    planned = nk.plan(graph, gated, policy=policy)
    unlocked = [r for r in gated if any(r["id"] in batch.unlocks for batch in planned.batches)]
    nodes = {
        row["lom_id"] for event in events if (row := event["row"]).get("lom_id") and event["table"] == "paper"
    }
    nodes |= {lom_id for r in gated for lom_id in twin_judge(log, r, policy)["coverage_gap"]}
    assert planned.at_least == planned.n_lookups
    if planned.n_lookups > 4:
        return
    for lookups in itertools.combinations(sorted(nodes), max(planned.n_lookups - 1, 0)):
        then = read_log([*events, *map(checked, lookups)])
        assert not unlocked or any(twin_judge(then, r, policy)["status"] != "ok" for r in unlocked), lookups


def test_one_list_that_cites_the_others_is_enough(tmp_path: Path) -> None:
    events = [paper(1), paper(2), paper(3), cites(1, 2), cites(1, 3)]
    planned = nk.plan(graph_of(tmp_path, events), candidate(9))
    assert asked(planned) == [["openalex", "doi:10.1234/1"]]
    strict = nk.plan(graph_of(tmp_path, events), candidate(9), policy={"in_edge_coverage": "reject"})
    assert asked(strict) == [["openalex", "doi:10.1234/1", "doi:10.1234/2", "doi:10.1234/3"]]


def test_a_candidate_s_own_list_covers_others_and_not_its_own_neighbours(tmp_path: Path) -> None:
    events = [paper(1), paper(2, read=False), paper(3), cites(1, 3), checked("doi:10.1234/8"), paper(8)]
    mine = {"kind": "paper", "keys": {"doi": "10.1234/1"}, "leave_out": True, "id": "mine"}
    other = candidate(9)
    for records, ids in (([other], ["doi:10.1234/1"]), ([other, mine], ["doi:10.1234/1"])):
        planned = nk.plan(graph_of(tmp_path, events), records)
        assert [lom_id for batch in planned.batches for lom_id in batch.ids] == ids
    assert "mine" in planned.decided  # it touches paper 3


def test_a_subject_with_an_empty_list_waits_for_one_that_cites_it(tmp_path: Path) -> None:
    claims = [
        up("claim", claim_id="k", about_lom_id="doi:10.1234/5", statement="s"),
        checked("doi:10.1234/5"),
        checked("doi:10.1234/1", 0),
    ]
    claim = {"kind": "claim", "statement": "new", "about_lom_id": "doi:10.1234/1", "id": "c"}
    alone = nk.plan(graph_of(tmp_path, claims), claim)
    assert [one.code for one in alone.undecidable] == ["empty_list"]
    assert alone.batches == ()
    cited = nk.plan(graph_of(tmp_path, [*claims, paper(2), cites(2, 1)]), claim)
    assert asked(cited) == [["openalex", "doi:10.1234/2"]]


def test_a_service_that_failed_is_asked_last_and_one_that_has_no_such_work_never(tmp_path: Path) -> None:
    failed = [paper(1), checked("doi:10.1234/1", None, "failed", source="openalex")]
    assert asked(nk.plan(graph_of(tmp_path, failed), candidate(9))) == [["s2", "doi:10.1234/1"]]
    lookups = [
        up("ingest_error", scheme=source, lookup="doi:10.1234/1", http_status=404)
        for source in ("openalex", "s2", "crossref")
    ]
    gone = nk.plan(graph_of(tmp_path, [*failed, *lookups]), candidate(9))
    assert [(one.code, one.lom_ids) for one in gone.undecidable] == [("nobody_to_ask", ("doi:10.1234/1",))]


def test_an_unresolved_candidate_is_looked_up_with_its_gap(tmp_path: Path) -> None:
    events = [paper(1)]
    planned = nk.plan(graph_of(tmp_path, events), candidate("W77"))
    assert sorted(lom_id for batch in planned.batches for lom_id in batch.ids) == [
        "doi:10.1234/1",
        "openalex:W77",
    ]
    assert planned.judge_with_leave_out == ("cW77",)
    error = up("ingest_error", scheme="openalex", lookup="W77", http_status=404)
    none = nk.plan(graph_of(tmp_path, [*events, error]), candidate("W77"))
    assert [one.code for one in none.undecidable] == ["no_such_work"]


def test_an_empty_log_and_a_skipped_line_leave_nothing_to_look_up(tmp_path: Path) -> None:
    assert nk.plan(graph_of(tmp_path, []), candidate(9)).undecidable[0].code == "nothing_compared"
    log = write_log(tmp_path, [paper(1), checked("doi:10.1234/1")])
    log.write_text(log.read_text() + "no json\n")
    skipped = nk.open_graph(log, cached=False, skip_bad_lines=True)
    assert nk.plan(skipped, candidate(9)).undecidable[0].code == "skipped_lines"


def test_the_calls_are_full_and_the_first_unlocks_most(tmp_path: Path) -> None:
    """130 old papers block an old candidate too; 20 new ones block the nine new candidates alone."""
    events = [up("paper", lom_id=f"doi:10.1234/{n}", publication_date="2001") for n in range(130)]
    events += [up("paper", lom_id=f"doi:10.1234/{n}", publication_date="2020") for n in range(130, 150)]
    new = [candidate(n, publication_date="2020") for n in range(900, 909)]
    planned = nk.plan(graph_of(tmp_path, events), [candidate(800, publication_date="2001"), *new])
    assert [len(batch.ids) for batch in planned.batches] == [50, 50, 50]
    assert [len(batch.unlocks) for batch in planned.batches] == [9, 0, 1]
    assert planned.batches[0].unlocks == tuple(f"c{n}" for n in range(900, 909))


def test_the_command_writes_what_ingest_plan_reads_and_the_same_every_time(tmp_path: Path) -> None:
    events, records = generate(3, 12)
    log = write_log(tmp_path, events)
    (tmp_path / "many.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    told = set()
    for seed in ("1", "2"):
        out = tmp_path / "plan.json"
        command = [
            sys.executable,
            "-m",
            "novelty_kit",
            "plan",
            "many.jsonl",
            "--graph",
            str(log),
            "--out",
            str(out),
        ]
        env = {**os.environ, "PYTHONHASHSEED": seed, "NOVELTY_CACHE": str(tmp_path / "cache")}
        env["PYTHONPATH"] = os.pathsep.join(
            [str(Path(nk.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        )
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        told.add((done.stdout, out.read_text("utf-8")))
        assert read_plan(out) == [
            (b["source"], b["ids"]) for b in json.loads(out.read_text("utf-8"))["batches"]
        ]
    assert len(told) == 1
    Draft202012Validator(schema_of("plan")).validate(json.loads(out.read_text("utf-8")))
    assert "(the fewest)" in done.stdout


def test_a_malformed_candidate_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CandidateError):
        nk.plan(graph_of(tmp_path, []), {"kind": "paper", "keys": {"doi": "nonsense"}})


def test_a_long_name_leaves_room_for_the_reason(tmp_path: Path) -> None:
    events = [paper(1), checked("doi:10.1234/1")]
    planned = nk.plan(
        graph_of(tmp_path, events),
        {"id": "n" * 900, "kind": "paper", "keys": {"openalex": "W1", "doi": "10.1234/1"}, "leave_out": True},
    )
    told = [line for line in planned.lines() if "stays unknown" in line]
    assert all(one.why in line for one, line in zip(planned.undecidable, told, strict=True))
    assert told
