"""The engine beside the twin: opening a log made in a test, and what of a result the twin tells too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twin_log import event_key

from novelty_kit.graph import Graph, open_graph
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy

Row = dict[str, Any]

# What the twin does not tell: the lines behind a decision, the log's name and hash, the labels.
UNTOLD = {"evidence", "graph", "spec_version", "candidate_id", "advisories", "incomparable_because"}
# Of the advisories the twin tells these.
ADVISED = {"several_matches", "incomplete_list", "holdout_is_subject"}


def write_log(folder: Path, events: Sequence[Row], name: str = "events.jsonl") -> Path:
    """The events as a file, one a line."""
    path = folder / name
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


def graph_of(folder: Path, events: Sequence[Row], name: str = "events.jsonl") -> Graph:
    """A graph in memory, made of those events."""
    return open_graph(write_log(folder, events, name), cached=False)


def results_of(
    graph: Graph, candidates: Sequence[Row], policy: Row | None = None, max_listed: int = 100
) -> list[Row]:
    """The engine's results, in the twin's words."""
    verdicts = judge(graph, [read_candidate(c) for c in candidates], Policy.of(policy), max_listed)
    return [in_twin_form(verdict.to_dict()) for verdict in verdicts]


def in_twin_form(result: Row) -> Row:
    """A result without what the twin does not tell."""
    told = {name: value for name, value in result.items() if name not in UNTOLD}
    told["advisory_codes"] = sorted({a["code"] for a in result["advisories"]} & ADVISED)
    told["ingest_errors_blocking"] = [
        {name: error[name] for name in ("scheme", "lookup", "http_status")}
        for error in result["ingest_errors_blocking"]
    ]
    return told


def in_frame(result: Row) -> Row:
    """What a row of the frame says of a result (the twin's has no label)."""
    overlap, slices = result["citation_overlap"], result["verdict_by_slice"]
    return {
        **{name: result[name] for name in ("candidate_id", "lom_id", "status", "verdict") if name in result},
        "rule": result["decided_by"]["rule"],
        "n_in_sample": overlap["in_sample"]["n_shared"],
        "n_holdout": overlap["holdout"]["n_shared"],
        "n_stub": result["stub_overlap"]["n_shared"],
        "in_sample": slices["in_sample"],
        "holdout": slices["holdout"],
        "coverage_gap_total": result["coverage_gap_total"],
        "nothing_compared": result["nothing_compared"],
    }


def unlike(told: Row, expected: Row) -> list[str]:
    """The fields in which two results differ, with both values."""
    return [
        f"{name}: engine {told.get(name)!r}, twin {expected.get(name)!r}"
        for name in sorted({*told, *expected})
        if told.get(name) != expected.get(name)
    ]


def one_history(logs: Sequence[Sequence[Row]]) -> tuple[list[Row], list[int]]:
    """Several logs as one: after each, everything in it is deleted; and the seq at which each stands."""
    events: list[Row] = []
    ends = []
    for log in logs:
        events += log
        ends.append(len(events))
        keys = {event_key(event): event for event in log}
        events += [{"op": "delete", "table": e["table"], "row": key_of(e)} for e in keys.values()]
    return events, ends


def key_of(event: Row) -> Row:
    """The part of an event's row that names it."""
    aliases = {"src", "dst", "citing_lom_id", "cited_lom_id"}
    own = {
        "paper": {"lom_id"}, "claim": {"claim_id"}, "citation_edge": aliases, "references_checked": {"lom_id"},
        "ingest_error": {"scheme", "lookup"}, "same_work": {"lom_id", "same_as_lom_id"},
    }  # fmt: skip
    table = event["table"] if event["table"] in own else event["table"].removesuffix("s")
    return {column: value for column, value in event["row"].items() if column in own[table]}
