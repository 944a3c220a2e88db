"""The log's facts as spans, made once for a log: where each held, from which event to which.

Makes the tables of the ``span_*.sql`` files beside the log's cache, in a database of their own. Anything odd about a
kept index (damage, another version, another log, another numbering of ids) makes it made anew; it can never change a
result.
No network. No clock.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb

from novelty_kit.changes.grow import SPAN_FILES, grow_spans, span_parts
from novelty_kit.errors import OutputError
from novelty_kit.graph import Graph
from novelty_kit.graph.cache import build_folder, code_hash, discard, keep, quoted, read_label
from novelty_kit.graph.log import BLOCK
from novelty_kit.graph.state import Meta
from novelty_kit.graph.tail import can_extend

__all__ = ["CATALOG", "index_of", "make_spans"]

CATALOG = "spans"
_one_at_a_time = threading.Lock()
# What later parts are made from and nobody asks for.
_PASSING = (
    "paper_span", "free_span", "raw_edge", "edge_piece", "cites_span", "node_step", "coverer_span", "cover_step",
)  # fmt: skip


def make_spans(con: duckdb.DuckDBPyConnection, catalog: str = CATALOG) -> None:
    """Make all tables of spans in a catalog from the event tables of the catalog ``log``."""
    con.execute(f"SET search_path = '{catalog}.main,log.main'")
    for name, select in span_parts():
        con.execute(f"CREATE TABLE {catalog}.main.{name} AS {select}")
    for name in _PASSING:
        con.execute(f"DROP TABLE {catalog}.main.{name}")


def index_of(graph: Graph) -> duckdb.DuckDBPyConnection:
    """A cursor of its own that sees the log's tables and its spans; the spans are made where there are none."""
    con = graph._con.cursor()
    with _one_at_a_time:
        there = con.execute(
            "SELECT count(*) FROM duckdb_databases() WHERE database_name = $name", {"name": CATALOG}
        ).fetchone()
        if not there or not there[0]:
            _attach(con, graph)
    con.execute(f"SET search_path = '{CATALOG}.main,log.main'")
    return con


def _attach(con: duckdb.DuckDBPyConnection, graph: Graph) -> None:
    """Attach the kept index, or make one: beside the cache where the log has one, else in memory."""
    try:
        row = con.execute("SELECT path FROM duckdb_databases() WHERE database_name = 'log'").fetchone()
        if (
            row is None
            or not row[0]
            or not _attach_kept(con, Path(row[0]).with_suffix(".spans.duckdb"), graph)
        ):
            con.execute(f"ATTACH ':memory:' AS {CATALOG}")
            make_spans(con)
    except (
        BaseException
    ):  # whoever is interrupted asks again, and half an index would be taken for a whole one
        _detach(con)
        raise


def _attach_kept(con: duckdb.DuckDBPyConnection, path: Path, graph: Graph) -> bool:
    """Attach the index beside the cache, made or brought up to the log; False where none can be kept there."""
    about = _about(con, graph)
    if _attach_if_fresh(con, path, about):
        return True
    try:
        with build_folder(path.parent) as folder:
            fresh = folder / "spans.duckdb"
            if not _extend(con, path, fresh, graph, about):
                con.execute(f"ATTACH '{quoted(fresh)}' AS {CATALOG}")
                make_spans(con)
            con.execute(
                f"CREATE OR REPLACE TABLE {CATALOG}.main.about AS SELECT $about AS about",
                {"about": json.dumps(about)},
            )
            _detach(con)
            keep(fresh, path)
        return _attach_if_fresh(con, path, about)
    except (OSError, OutputError, duckdb.Error):
        _detach(con)  # no room, or another process at it: an index in memory serves this one as well
        return False


def _detach(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("SET search_path = 'log.main'")
    con.execute(f"DETACH DATABASE IF EXISTS {CATALOG}")


def _about(con: duckdb.DuckDBPyConnection, graph: Graph) -> dict[str, Any]:
    """What an index must be made of: this log, these numbers of its ids, this code."""
    row = con.execute("SELECT coalesce(max(id_no), 0) FROM log.identifier").fetchone()
    n_ids = 0 if row is None else int(row[0])
    return {
        "code": _code_hash(),
        "duckdb": duckdb.__version__,
        "meta": graph.meta.to_json(),
        "n_ids": n_ids,
        "numbering": _numbering(con, n_ids),
    }


def _numbering(con: duckdb.DuckDBPyConnection, n_ids: int) -> str:
    """What tells one numbering of the first ids from another."""
    row = con.execute(
        "SELECT bit_xor(hash(id_no, lom_id))::VARCHAR FROM log.identifier WHERE id_no <= $n", {"n": n_ids}
    ).fetchone()
    return str(row and row[0])


def _extend(
    con: duckdb.DuckDBPyConnection, path: Path, fresh: Path, graph: Graph, about: dict[str, Any]
) -> bool:
    """Attach a copy of the kept index, brought up to the log, where the log has only grown since; else False."""
    try:
        read_label(path)
        shutil.copyfile(path, fresh)
        con.execute(f"ATTACH '{quoted(fresh)}' AS {CATALOG}")
        row = con.execute("SELECT about FROM spans.main.about").fetchone()
        held = json.loads("{}" if row is None else row[0])
        old, n_ids = Meta.from_json(held["meta"]), held["n_ids"]
        full = old.n_bytes // BLOCK
        if (
            all(held[name] == about[name] for name in ("code", "duckdb"))
            and held["numbering"] == _numbering(con, n_ids)
            and old.blocks[:full] == graph.meta.blocks[:full]
            and can_extend(graph._source.plain(), old.to_scan())
        ):
            with con.cursor() as own:  # whose temporary tables go with it
                grow_spans(own, old.n_lines)
            return True
    except (OSError, duckdb.Error, ValueError, KeyError, TypeError):
        pass  # none there, damaged or older: it is made anew
    _detach(con)
    discard(fresh)
    return False


@cache
def _code_hash() -> str:
    """Of all that an index is made by: what loads the log, and what makes spans of it."""
    hasher = hashlib.sha256(code_hash().encode())
    for name in (*SPAN_FILES, "index.py", "grow.py"):
        hasher.update(resources.files(__package__).joinpath(name).read_bytes())
    return hasher.hexdigest()


def _attach_if_fresh(con: duckdb.DuckDBPyConnection, path: Path, about: dict[str, Any]) -> bool:
    """Attach and believe the file if all it says fits, else leave nothing attached."""
    try:
        read_label(path)
        con.execute(f"ATTACH '{quoted(path)}' AS {CATALOG} (READ_ONLY)")
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
