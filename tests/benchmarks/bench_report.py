"""How long a hundred reports take: ``novelty report`` with two workers beside papermill's API, one after the other.

Both run the same notebook on the same candidates of the demo; the rival is ``papermill.execute_notebook`` with
its defaults and a kernel of its own for each. Interleaved in one run, in blocks: a machine that is busy meanwhile is
busy for both. Before any time is printed, the records that both made are compared.

    python tests/benchmarks/bench_report.py [--reports 100] [--rival 10] [--blocks 5] [FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import print_table, say, times

from novelty_kit.demo import demo_file, notebook_folder
from novelty_kit.report.batch import TEMPLATE, render_batch
from novelty_kit.report.sources import Given, load_given
from novelty_kit.report.workers import default_jobs
from novelty_kit.verdict.policy import Policy

MIME = "application/vnd.novelty-kit.report+json"
GOAL = 4.0


def candidates(folder: Path, n: int) -> Path:
    """A file of so many candidates: those of the demo that name no document, over and over, each with its own id."""
    lines = [json.loads(line) for line in demo_file("candidates.jsonl").read_text("utf-8").splitlines()]
    rows = [{**lines[at % len(lines)], "id": f"bench-{at:04}"} for at in range(n)]
    path = folder / f"candidates-{n}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def ours(given: Sequence[Given], log: str, folder: Path, jobs: int) -> list[dict[str, Any]]:
    """The records of a batch, pages and notebooks written beside them."""
    made = render_batch(given, lambda: (log,), folder, Policy(), named_log=True, jobs=jobs)
    return [json.loads((folder / f"{one.slug}.json").read_text("utf-8")) for one in made.outcomes]


def rival(given: Sequence[Given], log: str, folder: Path) -> list[dict[str, Any]]:
    """The records of the same notebook, run by papermill one after the other; no page is made."""
    import papermill

    from novelty_kit.report.candidate_form import candidate_form

    found = []
    for number, one in enumerate(given):
        assert one.candidate is not None
        parameters = {
            "candidate": candidate_form(one.candidate), "graph_files": [log], "as_of": None,
            "policy": Policy().to_dict(), "folder": None,
        }  # fmt: skip
        notebook = papermill.execute_notebook(
            str(notebook_folder() / TEMPLATE), str(folder / f"{number}.ipynb"), parameters, kernel_name="python3",
            progress_bar=False,
        )  # fmt: skip
        (cell,) = (cell for cell in notebook.cells if "record" in cell.metadata.get("tags", []))
        found.append(json.loads(json.dumps(cell.outputs[0]["data"][MIME])))
    return found


def same(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether two records say the same; only a batch knows the template that its page is made with."""
    made_from = {name: value for name, value in mine["made_from"].items() if name != "template_sha256"}
    return {**mine, "made_from": made_from} == theirs


def main() -> int:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reports", type=int, default=100)
    parser.add_argument("--rival", type=int, default=10, help="how many papermill makes in all")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=min(2, default_jobs()))
    parser.add_argument("folder", nargs="?")
    options = parser.parse_args()
    # The rival starts its kernels as commands, which find the package as this process does.
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    with tempfile.TemporaryDirectory() as own:
        folder = Path(options.folder or own)
        given = load_given(str(candidates(folder, options.reports)))
        log = str(demo_file("events.jsonl"))
        took = {"ours": [0.0, 0], "papermill": [0.0, 0]}
        ratios = []
        for block in range(options.blocks):
            mine = given[block * len(given) // options.blocks : (block + 1) * len(given) // options.blocks]
            theirs = mine[: max(1, options.rival // options.blocks)]
            out = folder / f"block-{block}"
            out.mkdir(exist_ok=True)
            began = time.perf_counter()
            records = ours(mine, log, out, options.jobs)
            middle = time.perf_counter()
            other = rival(theirs, log, out)
            end = time.perf_counter()
            for number, (one, two) in enumerate(zip(records, other, strict=False)):
                if not same(one, two):
                    raise SystemExit(f"block {block}, report {number}: the records differ")
            each = (middle - began) / len(mine), (end - middle) / len(theirs)
            ratios.append(each[1] / each[0])
            say(f"block {block}: {each[0]:.3f} s and {each[1]:.3f} s a report, {ratios[-1]:.2f} times")
            for name, seconds, n in (
                ("ours", middle - began, len(mine)),
                ("papermill", end - middle, len(theirs)),
            ):
                took[name][0] += seconds
                took[name][1] += n
    mean = {name: seconds / n for name, (seconds, n) in took.items()}
    print(f"all records agree; {options.jobs} workers, {options.blocks} blocks")
    print_table(["way", "reports", "s a report", "papermill / this"], [
        [name, str(took[name][1]), f"{mean[name]:.3f}", times(mean["papermill"], mean[name])] for name in took
    ])  # fmt: skip
    ratio = mean["papermill"] / mean["ours"]
    print(
        f"{'met' if ratio >= GOAL else 'MISSED'}: at least {GOAL:.0f} times papermill one by one: {ratio:.2f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
