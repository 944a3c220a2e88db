"""The log's facts as spans, made once for a log: where each held, from which event to which.

Makes the tables of ``spans.sql`` beside the log's cache, in a database of their own. Anything odd about a kept index
(damage, another version, another log, another numbering of ids) makes it made anew; it can never change a result.
No network. No clock.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb

from novelty_kit.errors import OutputError
from novelty_kit.graph import Graph
from novelty_kit.graph.cache import stamp
from novelty_kit.graph.sql import sql_parts
from novelty_kit.output import write_whole

__all__ = ["CATALOG", "index_of", "make_spans"]

CATALOG = "spans"
# What later parts are made from and nobody asks for.
_PASSING = (
    "paper_span", "free_span", "raw_edge", "edge_piece", "cites_span", "node_step", "coverer_span", "cover_step",
)  # fmt: skip


def make_spans(con: duckdb.DuckDBPyConnection) -> None:
    """Make all tables of spans in the catalog ``spans`` from the event tables of the catalog ``log``."""
    con.execute(f"SET search_path = '{CATALOG}.main,log.main'")
    for name, select in sql_parts(__package__, "spans.sql"):
        con.execute(f"CREATE TABLE {CATALOG}.main.{name} AS {select}")
    for name in _PASSING:
        con.execute(f"DROP TABLE {CATALOG}.main.{name}")


def index_of(graph: Graph) -> duckdb.DuckDBPyConnection:
    """A cursor of its own that sees the log's tables and its spans; the spans are made where there are none."""
    con = graph._con.cursor()
    there = con.execute(
        "SELECT count(*) FROM duckdb_databases() WHERE database_name = $name", {"name": CATALOG}
    ).fetchone()
    if not there or not there[0]:
        _attach(con, graph)
    con.execute(f"SET search_path = '{CATALOG}.main,log.main'")
    return con


def _attach(con: duckdb.DuckDBPyConnection, graph: Graph) -> None:
    """Attach the kept index, or make one: beside the cache where the log has one, else in memory."""
    row = con.execute("SELECT path FROM duckdb_databases() WHERE database_name = 'log'").fetchone()
    if row is not None and row[0]:
        path = Path(row[0]).with_suffix(".spans.duckdb")
        about = _about(con, graph)
        if _attach_if_fresh(con, path, about):
            return
        try:
            with _build_folder(path.parent) as folder:
                fresh = folder / "spans.duckdb"
                con.execute(f"ATTACH '{_quoted(fresh)}' AS {CATALOG}")
                make_spans(con)
                con.execute(
                    f"CREATE TABLE {CATALOG}.main.about AS SELECT $about AS about",
                    {"about": json.dumps(about)},
                )
                con.execute("SET search_path = 'log.main'")
                con.execute(f"DETACH {CATALOG}")
                fresh.replace(path)
                write_whole(_label_of(path), json.dumps({"stamp": stamp(path)}))
            if _attach_if_fresh(con, path, about):
                return
        except (OSError, OutputError, duckdb.Error):
            # No room, or another process at it: an index in memory serves this one as well.
            con.execute("SET search_path = 'log.main'")
            con.execute(f"DETACH DATABASE IF EXISTS {CATALOG}")
    con.execute(f"ATTACH ':memory:' AS {CATALOG}")
    make_spans(con)


def _about(con: duckdb.DuckDBPyConnection, graph: Graph) -> dict[str, Any]:
    """What an index must be made of: this log, these numbers of its ids, this code."""
    row = con.execute("SELECT bit_xor(hash(id_no, lom_id))::VARCHAR FROM log.identifier").fetchone()
    return {
        "code": _code_hash(),
        "duckdb": duckdb.__version__,
        "sha256": graph.sha256,
        "n_events": graph.n_events,
        "numbering": None if row is None else row[0],
    }


@cache
def _code_hash() -> str:
    """Of all that an index is made by."""
    hasher = hashlib.sha256()
    for room, names in (
        ("changes", ("spans.sql", "index.py")),
        ("graph", ("events_by_table.sql", "events.sql")),
    ):
        for name in names:
            hasher.update(resources.files("novelty_kit").joinpath(room, name).read_bytes())
    return hasher.hexdigest()


def _attach_if_fresh(con: duckdb.DuckDBPyConnection, path: Path, about: dict[str, Any]) -> bool:
    """Attach and believe the file if all it says fits, else leave nothing attached."""
    try:
        # Any write to the file moves its ctime, which no program can set back.
        if json.loads(_label_of(path).read_text("utf-8"))["stamp"] != stamp(path):
            return False
        con.execute(f"ATTACH '{_quoted(path)}' AS {CATALOG} (READ_ONLY)")
    except (OSError, duckdb.Error, ValueError, KeyError, TypeError):
        return False  # none there, damaged or foreign
    try:
        row = con.execute("SELECT about FROM spans.main.about").fetchone()
        if row is not None and json.loads(row[0]) == about:
            return True
    except (duckdb.Error, ValueError, TypeError):
        pass  # damaged or older
    con.execute(f"DETACH {CATALOG}")
    return False


def _label_of(path: Path) -> Path:
    return path.with_suffix(".json")


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


@contextlib.contextmanager
def _build_folder(parent: Path) -> Iterator[Path]:
    """A folder to build in, locked for as long as its builder lives, as the cache's own ones are."""
    with (
        tempfile.TemporaryDirectory(dir=parent, prefix="build-", ignore_cleanup_errors=True) as name,
        (Path(name) / "lock").open("w") as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)
