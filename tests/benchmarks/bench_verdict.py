"""Verdicts for many candidates: the product's SQL beside a loop over dicts, one over networkx, and polars.

The graph is open and the candidates are read; from there to one row a candidate, text ids looked up included. All
engines must give the same rows, or the program ends with 1. For the product and polars the step from records to
tables, a Python loop in both, is told apart from the rules.

    python tests/benchmarks/bench_verdict.py --events 5000000 --candidates 100000 --references 30
        [--hubs] [--uncovered 50000] [--repeat 3] [--steps] [--without networkx] [FOLDER]
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from frames import Batch, Frames, batch_of
from loops import COLUMNS, DictLoop, NetworkxLoop
from measure import Took, median, print_table, say, timed, times
from plain_graph import last_rows, plain_graph
from synthetic_candidates import make_candidates
from synthetic_log import World, add_shape, shape_of, write_log

from novelty_kit.graph import Graph, open_graph
from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.judge import judge_frame, rule_statements
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.rows import FRAME
from novelty_kit.verdict.tables import load_candidate_tables

Rows = list[tuple[Any, ...]]


def rules_apart(graph: Graph, candidates: Sequence[Candidate]) -> tuple[pa.Table, Took, dict[str, Took]]:
    """The product's own steps one by one: its frame, what the tables took, what each rule's part took."""
    steps: dict[str, Took] = {}
    with graph.connection as con:
        _, loading = timed(lambda: load_candidate_tables(con, candidates, Policy(), 0, tells_coverage=False))
        for table, statement in rule_statements(in_full=False):
            _, steps[table] = timed(lambda: con.execute(statement))  # noqa: B023 - called at once
        frame, steps["(frame)"] = timed(lambda: con.sql(FRAME).to_arrow_table())
    return frame, loading, steps


def total(steps: Sequence[Took]) -> Took:
    """One after the other."""
    return Took(sum(step.wall_s for step in steps), sum(step.cpu_s for step in steps))


def rows_of(frame: Any) -> Rows:
    """The rows of a frame, whoever made it."""
    table = frame if isinstance(frame, pa.Table) else frame.to_arrow()
    return list(zip(*(table.column(name).to_pylist() for name in COLUMNS), strict=True))


def differences(told: dict[str, Rows]) -> list[str]:
    """Where an engine says otherwise than the product."""
    found = []
    (_, mine), *others = told.items()
    for name, rows in others:
        if len(rows) != len(mine):
            found.append(f"{name}: {len(rows)} rows, the product {len(mine)}")
        for row, expected in zip(rows, mine, strict=False):
            if row != expected:
                unlike = [
                    f"{c} {a!r}, not {b!r}" for c, a, b in zip(COLUMNS, row, expected, strict=True) if a != b
                ]
                found.append(f"{expected[0]}: {name} says {'; '.join(unlike)}")
    return found


def run(options: argparse.Namespace) -> int:
    """All engines, interleaved."""
    shape = shape_of(options)
    began = time.perf_counter()
    path = write_log(shape, options.folder)
    world = World(shape)
    candidates = make_candidates(world, options.candidates, options.references)
    say(f"{path.name} and {len(candidates):,} candidates: {time.perf_counter() - began:.0f} s")
    os.environ.setdefault("NOVELTY_CACHE", tempfile.mkdtemp(prefix="novelty-bench-"))
    graph = open_graph(path)
    plain = plain_graph(last_rows(path))
    del world
    frames, loop = Frames(plain), DictLoop(plain)
    judge_frame(graph, candidates[:10], Policy())  # what is imported late is imported now
    frames.judge(batch_of(candidates[:10]))
    engines: dict[str, Callable[[], Any]] = {
        "novelty_kit": lambda: judge_frame(graph, candidates, Policy()),
        "polars": lambda: frames.judge(batch_of(candidates)),
        "dict loop": lambda: loop.judge(candidates),
    }
    if "networkx" not in options.without:
        network = NetworkxLoop(plain)
        engines["networkx loop"] = lambda: network.judge(candidates)
    batch: Batch = batch_of(candidates)
    gc.collect()
    gc.freeze()  # or the collector walks one engine's graph while another is timed
    say(f"all graphs made: {time.perf_counter() - began:.0f} s")

    runs: dict[str, list[Took]] = {}
    told: dict[str, Rows] = {}
    steps: dict[str, list[Took]] = {}
    for _ in range(options.repeat):
        for name, judge in engines.items():
            result, took = timed(judge)
            runs.setdefault(name, []).append(took)
            told[name] = result if isinstance(result, list) else rows_of(result)
            if (wrong := differences(told)) != []:
                print(f"{len(wrong)} differences", *wrong[:20], sep="\n")
                return 1
        frame, loading, apart = rules_apart(graph, candidates)
        runs.setdefault("novelty_kit, records to tables", []).append(loading)
        runs.setdefault("novelty_kit, rules", []).append(total(list(apart.values())))
        for table, step in apart.items():
            steps.setdefault(table, []).append(step)
        ruled, took = timed(lambda: frames.judge(batch))
        runs.setdefault("polars, rules", []).append(took)
        told_apart = {"novelty_kit": told["novelty_kit"], "polars, rules": rows_of(ruled)}
        if differences(told_apart) or rows_of_frame_differ(frame, told["novelty_kit"]):
            print("the rules alone say otherwise")
            return 1
    print_results(options, told["novelty_kit"], runs, steps)
    return 0


def rows_of_frame_differ(frame: pa.Table, rows: Rows) -> bool:
    """Whether the rules' frame, which has numbers for labels, is not that of the whole."""
    names = COLUMNS[1:]
    return list(zip(*(frame.column(name).to_pylist() for name in names), strict=True)) != [
        row[1:] for row in rows
    ]


def print_results(
    options: argparse.Namespace, rows: Rows, runs: dict[str, list[Took]], steps: dict[str, list[Took]]
) -> None:
    """The table of times with their ratios."""
    shape = shape_of(options)
    print(f"{shape.name}, {options.candidates:,} candidates with about {options.references} references, "
          f"medians of {options.repeat}; all engines agree")  # fmt: skip
    decided = Counter((row[4], row[2], row[3]) for row in rows)
    print(
        "; ".join(
            f"rule {rule} {status}/{word}: {n:,}" for (rule, status, word), n in sorted(decided.items())
        )
    )
    middle = {name: median(held) for name, held in runs.items()}
    lines = []
    for name, took in middle.items():
        mine = middle["novelty_kit, rules" if name == "polars, rules" else "novelty_kit"]
        lines.append(
            [
                name, f"{took.wall_s:.3f}", f"{took.cpu_s:.3f}", f"{options.candidates / took.wall_s:,.0f}",
                times(took.wall_s, mine.wall_s), times(mine.wall_s, took.wall_s), times(mine.cpu_s, took.cpu_s),
            ]
        )  # fmt: skip
    print_table(
        ["batch", "wall s", "cpu s", "candidates/s", "other/ours", "ours/other", "ours/other cpu"], lines
    )
    mine, rules = middle["novelty_kit"], middle["novelty_kit, rules"]
    loops = [name for name in ("dict loop", "networkx loop") if name in middle]
    beside = ", ".join(f"{name} {times(middle[name].wall_s, rules.wall_s)}" for name in loops)
    print(f"as multiples of the rules alone: {beside}")
    for name, most, of, to in (
        ("networkx loop at least 25 times", 25.0, middle.get("networkx loop"), mine),
        ("dict loop at least 7 times", 7.0, middle["dict loop"], mine),
        ("at most 1.3 times polars", 1 / 1.3, middle["polars"], mine),
        ("at most 1.3 times polars, rules", 1 / 1.3, middle["polars, rules"], rules),
    ):
        if of is not None:
            print(
                f"{'met' if of.wall_s / to.wall_s >= most else 'MISSED'}: {name} ({times(of.wall_s, to.wall_s)})"
            )
    if options.steps:
        ranked = sorted(
            ((median(held), table) for table, held in steps.items()), key=lambda pair: -pair[0].cpu_s
        )
        print_table(["table", "wall ms", "cpu ms"], [
            [table, f"{took.wall_s * 1000:.1f}", f"{took.cpu_s * 1000:.1f}"] for took, table in ranked
        ])  # fmt: skip


def main() -> int:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_shape(parser)
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--references", type=int, default=30, help="about so many for each candidate")
    parser.add_argument("--repeat", type=int, default=3, help="interleaved runs; the medians are told")
    parser.add_argument("--steps", action="store_true", help="tell what each part of the rules took")
    parser.add_argument("--without", nargs="*", default=(), choices=["networkx"], help="leave an engine out")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
