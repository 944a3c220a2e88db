"""The history of many candidates: the product's spans beside a replay in plain Python.

The replay goes through the log once, event by event, keeps the graph in dicts, and judges a candidate again at each
event that names its subject or a neighbour and at each coverage event. It is run for a sample of the candidates and
extrapolated from them, since it would take an hour for all. What it finds must be what the history says of that event,
or the program ends with 1 (a change between two of its events, as a new unread paper makes it, it sees at the next).
The product is timed with its index built in that time, and again with the index kept; then how the cost grows with
events, candidates and the candidates' degree.

    python tests/benchmarks/bench_history.py --events 1000000 --candidates 1000 [--sample 3] [--grow] [FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from measure import Took, print_table, say, timed, times
from replay_history import Replayed, replay
from synthetic_candidates import make_candidates
from synthetic_log import Shape, World, write_log

from novelty_kit import Graph, history, open_graph
from novelty_kit.changes.index import index_of
from novelty_kit.verdict.candidate import Candidate

Changes = list[tuple[int, str, str, int]]


def fresh_graph(path: Path) -> Graph:
    """The log opened from its cache, without any index of spans."""
    for kept in Path(os.environ["NOVELTY_CACHE"]).glob("*.spans.*"):
        kept.unlink()
    return open_graph(path)


def changes_of(told: Any) -> list[Changes]:
    """Seq, status, verdict and rule of each change, candidate by candidate."""
    return [
        [(c.seq, c.status, c.verdict, c.rule) for c in told.of(no)] for no in range(len(told.candidate_ids))
    ]


def sample_of(candidates: Sequence[Candidate], n: int) -> list[int]:
    """Candidates from all over the list."""
    return list(range(0, len(candidates), max(len(candidates) // n, 1)))[:n]


def run(options: argparse.Namespace) -> int:
    """Time the product and the replay in one run, compare, tell."""
    os.environ["NOVELTY_CACHE"] = tempfile.mkdtemp(prefix="novelty-bench-")
    shape = Shape(options.events, seed=options.seed)
    path = write_log(shape, options.folder)
    world = World(shape)
    candidates = make_candidates(world, options.candidates, options.references)
    open_graph(path)
    history(open_graph(path).as_of(0), candidates[:1])  # what is imported late is imported now
    say("ready")
    cold, cold_took = timed(lambda: history(fresh_graph(path), candidates))
    graph = open_graph(path)
    index_of(graph).close()
    warm: list[Took] = []
    one: list[Took] = []
    for _ in range(options.repeat):
        many, took = timed(lambda: history(graph, candidates))
        warm.append(took)
        _, took = timed(lambda: history(graph, candidates[:1]))
        one.append(took)
        if changes_of(many) != changes_of(cold):
            print("the kept index gives other changes")
            return 1
    mine = changes_of(cold)
    chosen = sample_of(candidates, options.sample)
    replays: list[tuple[Took, Replayed]] = []
    for no in chosen:
        found, took = timed(lambda: replay(path, candidates[no]))  # noqa: B023 - called at once
        say(
            f"replay of candidate {no}: {took.wall_s:.1f} s, judged {found.n_judged:,} times, {len(found.changes) - 1} changes"
        )
        for seq, decision in found.changes:
            now = cold.at(seq, no)
            if (now.status, now.verdict, now.rule) != decision:
                print(
                    f"candidate {no}, event {seq}: replay {decision}, product {now.status} {now.verdict} {now.rule}"
                )
                return 1
        if len(found.changes) > len(mine[no]):
            print(
                f"candidate {no}: the replay finds {len(found.changes)} changes, the product {len(mine[no])}"
            )
            return 1
        replays.append((took, found))
    print_results(options, path, candidates, mine, cold_took, best(warm), best(one), replays)
    if options.grow:
        print_growth(options)
    return 0


def best(runs: Sequence[Took]) -> Took:
    """The least of several, wall and processor time each: on a busy machine the others wait."""
    return Took(min(r.wall_s for r in runs), min(r.cpu_s for r in runs))


def print_results(
    options: argparse.Namespace, path: Path, candidates: Sequence[Candidate], mine: list[Changes], cold: Took,
    warm: Took, one: Took, replays: Sequence[tuple[Took, Replayed]],
) -> None:  # fmt: skip
    """The times, and what is asked of them."""
    n, n_sample = len(candidates), len(replays)
    reading = sum(found.reading_s for _, found in replays) / n_sample
    judging = sum(found.judging_s for _, found in replays) / n_sample
    whole = reading + judging * n
    print(f"{path.name}, {n:,} candidates, {sum(map(len, mine)) - n:,} changes; "
          f"{n_sample} candidates replayed, all equal")  # fmt: skip
    print(f"replay: {reading:.1f} s to go through the log once, {judging:.2f} s of judging a candidate, "
          f"so {whole:,.0f} s for {n:,} (extrapolated; processor time)")  # fmt: skip
    print_table(["history", "wall s", "cpu s"], [
        [f"{n:,} candidates, index built", f"{cold.wall_s:.2f}", f"{cold.cpu_s:.2f}"],
        [f"{n:,} candidates, index kept", f"{warm.wall_s:.2f}", f"{warm.cpu_s:.2f}"],
        ["1 candidate, index kept", f"{one.wall_s:.2f}", f"{one.cpu_s:.2f}"],
    ])  # fmt: skip
    for words, ratio, met in (
        (
            "replay / history with the index built, at least 50 (cpu)",
            whole / cold.cpu_s,
            whole / cold.cpu_s >= 50,
        ),
        (
            f"{n:,} candidates / 1, index kept, at most 5 (cpu)",
            warm.cpu_s / one.cpu_s,
            warm.cpu_s / one.cpu_s <= 5,
        ),
    ):
        print(f"{'met' if met else 'MISSED'}: {words}: {ratio:.2f} ")
    print(
        f"by the clock: replay / built {times(whole, cold.wall_s)}, {n:,} / 1 {times(warm.wall_s, one.wall_s)}"
    )


def grown(options: argparse.Namespace) -> Iterator[list[str]]:
    """Rows of the growth table: events, candidates, references; times of building and of asking."""
    steps = [(options.events // 10, options.candidates, options.references),
             (options.events // 3, options.candidates, options.references)]  # fmt: skip
    steps += [(options.events // 3, n, options.references) for n in (1, options.candidates * 10)]
    steps += [(options.events // 3, options.candidates, n) for n in (3, 300)]
    for n_events, n, n_references in steps:
        shape = Shape(n_events, seed=options.seed)
        path = write_log(shape, options.folder)
        candidates = make_candidates(World(shape), n, n_references)
        open_graph(path)
        graph = fresh_graph(path)
        _, built = timed(lambda: index_of(graph).close())  # noqa: B023 - called at once
        told, took = timed(lambda: history(graph, candidates))  # noqa: B023 - called at once
        yield [f"{n_events:,}", f"{n:,}", f"{n_references:,}", f"{built.cpu_s:.2f}", f"{took.cpu_s:.2f}",
               f"{took.wall_s:.2f}", f"{len(told.changes):,}"]  # fmt: skip


def print_growth(options: argparse.Namespace) -> None:
    """How cost grows."""
    heads = ["events", "candidates", "references", "index, cpu s", "history, cpu s", "wall s", "changes"]
    print_table(heads, list(grown(options)))


def main() -> int:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--candidates", type=int, default=1_000)
    parser.add_argument("--references", type=int, default=30, help="about so many for each candidate")
    parser.add_argument("--sample", type=int, default=3, help="candidates that are replayed")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grow", action="store_true", help="tell how the cost grows")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(tempfile.gettempdir()) / "novelty-benchmarks"
    )
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
