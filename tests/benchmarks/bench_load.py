"""Loading a log: the product's fail-closed load beside the same load unchecked, pandas, and a loop with orjson.

Each variant runs in a process of its own, interleaved with the others; its peak memory is that process's. All must
come to the same rows of each table and the same edges, or the program ends with 1. ``load`` is the event tables
alone, ``open`` with the state of the graph and the cache written; then the cache is opened again, and once more
after a thousand lines were appended.

    python tests/benchmarks/bench_load.py --events 5000000 [--repeat 3] [--only NAME ...] [FOLDER]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measure import print_table, say, times

TABLES = ("paper", "claim", "citation_edge", "references_checked", "ingest_error")
APPENDED = 1000
MEMORY_LIMIT = "600MB"
Facts = dict[str, Any]


# ---- In a process of its own: one variant


def load(log: Path, folder: Path) -> Iterator[Facts]:
    """The event tables alone, in a fresh database file."""
    from novelty_kit.graph.cache import limit_memory
    from novelty_kit.graph.load import load_events
    from novelty_kit.graph.log import plain_log
    from novelty_kit.graph.state import build_state, connect

    with plain_log((str(log),)) as plain:
        con = connect(str(folder / "log.duckdb"))
        limit_memory(con, plain)
        yield {}
        scan = load_events(con, plain)
        yield {}
        build_state(con, scan.n_lines, temporary=False)
        yield _state_facts(con)


def load_unchecked(log: Path, folder: Path) -> Iterator[Facts]:
    """The same SQL, but nobody reads the lines, hashes them, or looks at spellings and values."""
    _leave_out_checks()
    yield from load(log, folder)


def open_fresh(log: Path, folder: Path) -> Iterator[Facts]:
    """The event tables, the state, and the cache written."""
    from novelty_kit.graph import open_graph

    os.environ["NOVELTY_CACHE"] = str(folder)
    yield {}
    graph = open_graph(log)
    yield {}
    if not list(folder.glob("*.duckdb")):
        raise SystemExit("the cache was not written")
    yield _state_facts(graph.connection)


def open_unchecked(log: Path, folder: Path) -> Iterator[Facts]:
    """As above, unchecked."""
    _leave_out_checks()
    yield from open_fresh(log, folder)


def open_limited(log: Path, folder: Path) -> Iterator[Facts]:
    """As ``open``, with little memory for the database."""
    from novelty_kit.graph import state

    connect = state.open_database

    def limited(path: str, *, config: dict[str, str]) -> Any:
        return connect(path, config={**config, "memory_limit": MEMORY_LIMIT})

    state.open_database = limited
    yield from open_fresh(log, folder)


def _leave_out_checks() -> None:
    """Take the checks out of the load: nobody hashes, proves lines sound, or looks at spellings and values."""
    from novelty_kit.graph import load as module
    from novelty_kit.graph.scan import Scan

    def read_only(con: Any, plain: Any) -> Scan:
        con.execute(module.raw_statement(), {"path": plain.path})
        n_lines = con.execute("SELECT count(*) FROM raw").fetchall()[0][0]
        return Scan(n_lines=n_lines, n_bytes=plain.n_bytes)

    def take_as_normal(con: Any) -> None:
        module._make(con, "respelled", spelling=[], lom_id=[])
        module._make(con, "malformed", spelling=[])

    module._read_and_hash = read_only
    module._normalise_spellings = take_as_normal
    module._look_at_suspects = lambda con, plain, scan, faulty: None
    macros = module.macros
    module.macros = lambda: [
        *macros(),
        "CREATE OR REPLACE TEMP MACRO is_time(text) AS TRUE",
        "CREATE OR REPLACE TEMP MACRO doubt_of(line, fits, length) AS 0::UTINYINT",
    ]


def _state_facts(con: Any) -> Facts:
    """Rows of each table, and a hash of the edges, from the product's tables."""
    from novelty_kit.graph.engine import learn_arrow

    counts = {name: con.execute(f"SELECT count(*) FROM {name}_now").fetchall()[0][0] for name in TABLES}
    learn_arrow()
    edges = con.sql(
        """
        SELECT citing.lom_id AS citing_lom_id, cited.lom_id AS cited_lom_id
        FROM citation_edge_now AS edge
        INNER JOIN identifier AS citing ON citing.id_no = edge.citing_no
        INNER JOIN identifier AS cited ON cited.id_no = edge.cited_no
        ORDER BY ALL
        """
    ).to_arrow_table()
    return {"counts": counts, "edges": _edges_hash(zip(*(c.to_pylist() for c in edges.columns), strict=True))}


def _edges_hash(edges: Any) -> str:
    hasher = hashlib.sha256()
    for citing, cited in edges:
        hasher.update(f"{citing} {cited}\n".encode())
    return hasher.hexdigest()


def pandas(log: Path, folder: Path) -> Iterator[Facts]:
    """pandas with the reader and the types of pyarrow; then the last row of each key."""
    import pandas as pd
    from plain_graph import KEYS

    yield {}
    events = pd.read_json(log, lines=True, engine="pyarrow", dtype_backend="pyarrow")
    now = {}
    for name, key in KEYS.items():
        some = events[events["table"] == name]
        rows = some["row"].struct.explode()
        rows = rows[[column for column in rows.columns if rows[column].notna().any()]].assign(op=some["op"])
        last = rows.drop_duplicates(list(key), keep="last")
        now[name] = last[last["op"] != "delete"].drop(columns="op")
    yield {}
    edges = now["citation_edge"].sort_values(["citing_lom_id", "cited_lom_id"])
    yield {
        "counts": {name: len(rows) for name, rows in now.items()},
        "edges": _edges_hash(zip(edges["citing_lom_id"], edges["cited_lom_id"], strict=True)),
    }


def orjson(log: Path, folder: Path) -> Iterator[Facts]:
    """A loop over the lines, each read by orjson, to dicts of the last rows."""
    from plain_graph import last_rows

    yield {}
    now = last_rows(log)
    yield {}
    yield {
        "counts": {name: len(rows) for name, rows in now.items()},
        "edges": _edges_hash(sorted(now["citation_edge"])),
    }


VARIANTS: dict[str, Callable[[Path, Path], Iterator[Facts]]] = {
    "load": load,
    "load unchecked": load_unchecked,
    "open": open_fresh,
    "open unchecked": open_unchecked,
    f"open, {MEMORY_LIMIT}": open_limited,
    "pandas": pandas,
    "orjson loop": orjson,
    "reopen": open_fresh,
    "reopen grown": open_fresh,
}


def run_variant(name: str, log: Path, folder: Path) -> Facts:
    """One variant in this process: prepared up to its first yield, timed up to its second, then looked at."""
    steps = VARIANTS[name](log, folder)
    next(steps)
    wall, cpu = time.perf_counter(), time.process_time()
    next(steps)
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {**took, "peak": peak, **next(steps)}


# ---- All of them


def in_process(name: str, log: Path, folder: Path) -> Facts:
    """One variant in a process of its own, started from a folder where it may spill."""
    done = subprocess.run(
        [sys.executable, __file__, "--variant", name, "--log", str(log), str(folder)],
        cwd=folder, env={**os.environ, "PYTHONPATH": _python_path()}, stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"{name} failed")
    facts: Facts = json.loads(done.stdout)
    say(f"{name}: {facts['wall_s']:.2f} s, cpu {facts['cpu_s']:.2f} s, {facts['peak'] / 1e6:,.0f} MB")
    return facts


def _python_path() -> str:
    """The search path of this process; each entry absolute, since the folder changes."""
    return os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if Path(entry or ".").is_dir())


def run_round(log: Path, chosen: list[str]) -> dict[str, Facts]:
    """Every variant once. The log is copied, since it will grow."""
    found: dict[str, Facts] = {}
    with tempfile.TemporaryDirectory(prefix="novelty-bench-", dir=log.parent) as name:
        top = Path(name)
        for variant in chosen:
            if variant not in ("open", "reopen", "reopen grown"):
                folder = top / "own"
                folder.mkdir()
                found[variant] = in_process(variant, log, folder)
                shutil.rmtree(folder)
        if "open" in chosen:
            copy, cache = top / log.name, top / "cache"
            shutil.copyfile(log, copy)
            cache.mkdir()
            found["open"] = in_process("open", copy, cache)
            found["reopen"] = in_process("reopen", copy, cache)
            with copy.open("a", encoding="utf-8") as out:
                out.writelines(appended())
            found["reopen grown"] = in_process("reopen grown", copy, cache)
    return found


def appended() -> Iterator[str]:
    """New papers and edges, and edges between new and old ones."""
    for i in range(APPENDED):
        paper = f"doi:10.5555/appended.{i // 5}"
        row: Facts = {"citing_lom_id": paper, "cited_lom_id": f"doi:10.{1000 + i}/j.{i % 97}.{i}"}
        if i % 5 == 0:
            row = {"lom_id": paper, "title": "Appended", "publication_date": "2026", "read": True}
        table = "paper" if i % 5 == 0 else "citation_edge"
        yield json.dumps({"op": "upsert", "table": table, "row": row}) + "\n"


def unlike(rounds: list[dict[str, Facts]]) -> list[str]:
    """Where variants come to other rows or edges than the product."""
    found = []
    for one in rounds:
        expected = next(iter(one.values()))
        for name, facts in one.items():
            counts = dict(facts["counts"])
            if name == "reopen grown":
                counts["paper"] -= APPENDED // 5
                counts["citation_edge"] -= APPENDED * 4 // 5
            if counts != expected["counts"]:
                found.append(f"{name}: {counts}, expected {expected['counts']}")
            if name != "reopen grown" and facts["edges"] != expected["edges"]:
                found.append(f"{name}: other edges")
    return found


def print_results(log: Path, n_events: int, rounds: list[dict[str, Facts]]) -> None:
    """The table of times and memory, and what is asked of them."""
    size = log.stat().st_size
    print(
        f"{log.name}, {n_events:,} lines, {size / 1e6:,.0f} MB, medians of {len(rounds)}; all rows and edges are equal"
    )
    middle = {
        name: {
            field: statistics.median(one[name][field] for one in rounds)
            for field in ("wall_s", "cpu_s", "peak")
        }
        for name in rounds[0]
    }
    print_table(["variant", "wall s", "cpu s", "peak MB", "peak / log"], [
        [name, f"{m['wall_s']:.3f}", f"{m['cpu_s']:.3f}", f"{m['peak'] / 1e6:,.0f}", f"{m['peak'] / size:.2f}"]
        for name, m in middle.items()
    ])  # fmt: skip
    asked = (
        ("load / load unchecked, at most 1.5", "load", "load unchecked", "wall_s", 1.5, False),
        ("open / open unchecked, at most 1.5", "open", "open unchecked", "wall_s", 1.5, False),
        ("pandas / load, at least 2.2", "pandas", "load", "wall_s", 2.2, True),
        ("pandas / open, at least 2.2", "pandas", "open", "wall_s", 2.2, True),
        ("orjson loop / load, at least 2.3", "orjson loop", "load", "wall_s", 2.3, True),
        ("orjson loop / open, at least 2.3", "orjson loop", "open", "wall_s", 2.3, True),
        ("open / reopen, at least 20", "open", "reopen", "wall_s", 20.0, True),
        ("open / reopen grown, at least 6", "open", "reopen grown", "wall_s", 6.0, True),
    )
    for words, of, to, field, bound, at_least in asked:
        if of in middle and to in middle:
            ratio = middle[of][field] / middle[to][field]
            met = ratio >= bound if at_least else ratio <= bound
            cpu = times(middle[of]["cpu_s"], middle[to]["cpu_s"])
            print(f"{'met' if met else 'MISSED'}: {words}: {ratio:.2f} (cpu {cpu})")
    if "open" in middle:
        ratio = max(middle[name]["peak"] for name in ("load", "open") if name in middle) / size
        print(f"{'met' if ratio <= 1.5 else 'MISSED'}: peak memory / log, at most 1.5: {ratio:.2f}")


def run(options: argparse.Namespace) -> int:
    """Rounds of all variants, interleaved; from which the medians are told."""
    # In a process of its own too: what this one holds would count as its children's peak.
    maker = Path(__file__).with_name("synthetic_log.py")
    subprocess.run(
        [sys.executable, str(maker), "--events", str(options.events), "--seed", str(options.seed), str(options.folder)],
        stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    log = max(options.folder.glob(f"events-{options.events}-plain-0-{options.seed}-*.jsonl"))
    rounds = [run_round(log, options.only) for _ in range(options.repeat)]
    wrong = unlike(rounds)
    if wrong:
        print(*wrong, sep="\n")
        return 1
    print_results(log, options.events, rounds)
    return 0


def main() -> int:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=5_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3, help="interleaved rounds; the medians are told")
    parser.add_argument("--only", nargs="*", default=list(VARIANTS), choices=list(VARIANTS), metavar="VARIANT",
                        help=f"of: {', '.join(VARIANTS)}")  # fmt: skip
    parser.add_argument("--variant", choices=list(VARIANTS), help=argparse.SUPPRESS)
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(tempfile.gettempdir()) / "novelty-benchmarks",
                        help="where the log is kept")  # fmt: skip
    options = parser.parse_args()
    if options.variant:
        print(json.dumps(run_variant(options.variant, options.log.resolve(), options.folder.resolve())))
        return 0
    options.folder = options.folder.resolve()
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
