"""Times beside each other: wall and processor time, medians of interleaved runs, ratios of one run."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Took:
    """What a run took, in seconds; ``cpu_s`` is of all threads."""

    wall_s: float
    cpu_s: float


def timed(work: Callable[[], Any]) -> tuple[Any, Took]:
    """The result, and what it took. What stood before is not looked at by the garbage collector."""
    gc.collect()
    gc.freeze()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Took(time.perf_counter() - wall, time.process_time() - cpu)


def median(runs: Sequence[Took]) -> Took:
    """The middle of several runs, wall and processor time each."""
    return Took(statistics.median(r.wall_s for r in runs), statistics.median(r.cpu_s for r in runs))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown, with columns that stand under each other."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, ["-" * width for width in widths], *rows]:
        cells = [
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        print("| " + " | ".join(cells) + " |")


def times(of: float, to: float) -> str:
    """How often one stands in the other."""
    return f"{of / to:.2f}" if to > 0 else "-"


def say(text: str) -> None:
    """A word about what is going on, apart from the results."""
    print(text, file=sys.stderr, flush=True)
