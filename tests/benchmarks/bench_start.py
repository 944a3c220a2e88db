"""How long the command takes to start: ``--help`` and a check of the demo beside a bare Python.

Whole processes, interleaved; medians of wall time and of the processor time that the kernel counted. Also tells
which heavy packages ``--help`` imports: none may be.

    python tests/benchmarks/bench_start.py [--repeat 15]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from measure import Took, median, print_table, times

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "duckdb",
    "pandas",
    "matplotlib",
    "pyarrow",
    "networkx",
    "numpy",
    "ipywidgets",
    "nbformat",
    "jinja2",
    "msgspec",
)
PROGRAM = [sys.executable, "-m", "novelty_kit"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "novelty --help": [*PROGRAM, "--help"],
    "novelty check": [*PROGRAM, "check", "data/demo/candidates.jsonl", "--exit-zero"],
}
BOUNDS = {"novelty --help": 5.0, "novelty check": 20.0}


def environment() -> dict[str, str]:
    """That of a user: compiled modules are kept, the package is found as this process finds it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(ROOT), kept.get("PYTHONPATH", "")])}


def run_once(command: list[str]) -> Took:
    """One whole process."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}\n{told.decode()}")
    return Took(wall, usage.ru_utime + usage.ru_stime)


def imported(command: list[str]) -> set[str]:
    """The top-level packages that a Python command imports."""
    traced = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(traced, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def main() -> int:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    for command in COMMANDS.values():  # compiles modules, makes the demo's cache
        run_once(command)
    runs: dict[str, list[Took]] = {name: [] for name in COMMANDS}
    for _ in range(options.repeat):
        for name, command in COMMANDS.items():
            runs[name].append(run_once(command))
    middle = {name: median(held) for name, held in runs.items()}
    bare = middle["python -c pass"]
    print(f"medians of {options.repeat}")
    print_table(["command", "wall ms", "cpu ms", "wall / bare", "cpu / bare"], [
        [name, f"{took.wall_s * 1e3:.1f}", f"{took.cpu_s * 1e3:.1f}", times(took.wall_s, bare.wall_s),
         times(took.cpu_s, bare.cpu_s)]
        for name, took in middle.items()
    ])  # fmt: skip
    for name, bound in BOUNDS.items():
        ratio = middle[name].wall_s / bare.wall_s
        print(f"{'met' if ratio <= bound else 'MISSED'}: {name}, at most {bound:.0f} times bare: {ratio:.2f}")
    heavy = sorted(imported(COMMANDS["novelty --help"]) & set(HEAVY))
    print(
        f"{'MISSED' if heavy else 'met'}: --help imports no heavy package{': ' + ' '.join(heavy) if heavy else ''}"
    )
    return 1 if heavy else 0


if __name__ == "__main__":
    sys.exit(main())
