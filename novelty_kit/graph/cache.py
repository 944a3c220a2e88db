"""The database beside the log: a copy that is rebuilt whenever it is not provably the log's.

Lives in ``$NOVELTY_CACHE``, else in the user's cache folder; never in a repository. It holds the event
tables and the state at the head. Anything odd about it (damage, another version, another log) makes it
rebuilt silently; it can never change a result. No network. No clock.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from novelty_kit.errors import LogError
from novelty_kit.graph.log import BLOCK, Plain, Scan, hash_of
from novelty_kit.graph.sql import sql_parts

__all__ = ["FORMAT", "Meta", "attach", "build_state", "cache_folder"]

FORMAT = 2


@dataclass(frozen=True, slots=True)
class Meta:
    """What a database says of the log it was made from."""

    n_lines: int
    n_bytes: int
    blocks: tuple[bytes, ...]
    chunks: tuple[tuple[int, int], ...]
    unknown: dict[str, int]
    crlf: bool
    bom: bool

    @property
    def sha256(self) -> str:
        """The log's hash."""
        return hash_of(self.blocks)

    @classmethod
    def of(cls, scan: Scan) -> Meta:
        """From a scan."""
        return cls(
            scan.n_lines,
            scan.n_bytes,
            tuple(scan.blocks),
            tuple(scan.chunks),
            dict(sorted(scan.unknown.items())),
            scan.crlf,
            scan.bom,
        )

    def to_json(self) -> str:
        """As text, for the database."""
        return json.dumps(
            {
                "n_lines": self.n_lines,
                "n_bytes": self.n_bytes,
                "blocks": [block.hex() for block in self.blocks],
                "chunks": self.chunks,
                "unknown": self.unknown,
                "crlf": self.crlf,
                "bom": self.bom,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Meta:
        """From that text."""
        held = json.loads(text)
        held["blocks"] = tuple(bytes.fromhex(block) for block in held["blocks"])
        held["chunks"] = tuple((seq, offset) for seq, offset in held["chunks"])
        return cls(**held)


def cache_folder() -> Path:
    """``$NOVELTY_CACHE``, else ``novelty_kit`` in the user's cache folder."""
    named = os.environ.get("NOVELTY_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "novelty_kit"


def build_state(con: duckdb.DuckDBPyConnection, as_of: int, *, temporary: bool) -> None:
    """Make the state tables of one seq from the event tables."""
    con.execute("SET VARIABLE as_of = $seq", {"seq": as_of})
    kind = "TEMP TABLE" if temporary else "TABLE"
    for name, select in sql_parts(__package__, "state.sql"):
        con.execute(f"CREATE {kind} {name} AS {select}")


def stamp(name: str) -> dict[str, int]:
    """What the file system says of a log file."""
    found = os.stat(name)
    return {
        "size": found.st_size,
        "mtime": found.st_mtime_ns,
        "ctime": found.st_ctime_ns,
        "inode": found.st_ino,
    }


def _edges_hash(plain: Plain, n_bytes: int) -> str:
    """Hash of the first and the last block of the first `n_bytes` of the log."""
    hasher = hashlib.sha256()
    with open(plain.path, "rb") as stream:
        hasher.update(stream.read(min(BLOCK, n_bytes)))
        if n_bytes > BLOCK:
            stream.seek(n_bytes - min(BLOCK, n_bytes))
            hasher.update(stream.read(min(BLOCK, n_bytes)))
    return hasher.hexdigest()


def _file_of(names: tuple[str, ...]) -> Path:
    whole = "\0".join(str(Path(name).resolve()) for name in names)
    return cache_folder() / f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}.duckdb"


def attach(con: duckdb.DuckDBPyConnection, plain: Plain, *, cached: bool, verify: bool) -> Meta:
    """Attach the log's database as the catalog ``log``, from the cache where it is provably the log's.

    Parameters
    ----------
    con : DuckDBPyConnection
        An in-memory connection.
    plain : Plain
    cached : bool
        False keeps everything in memory.
    verify : bool
        Read and compare every block of the log before the cache is believed.

    Returns
    -------
    Meta

    Raises
    ------
    LogError
        The log is damaged.
    """
    if not cached or "-" in plain.names:
        return _in_memory(con, plain)
    path = _file_of(plain.names)
    stamps = {name: stamp(name) for name in plain.names}
    meta = _attach_if_fresh(con, path, plain, stamps, verify=verify)
    if meta is not None:
        return meta
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix="build-") as folder:
            fresh = Path(folder) / "log.duckdb"
            _build(fresh, plain, stamps)
            os.replace(fresh, path)
        meta = _attach_if_fresh(con, path, plain, stamps, verify=False)
        if meta is not None:
            return meta
    except LogError:
        raise
    except (OSError, duckdb.Error):
        pass  # no folder, no room, another process at it: the cache is a convenience, the log is the source
    return _in_memory(con, plain)


def _in_memory(con: duckdb.DuckDBPyConnection, plain: Plain) -> Meta:
    con.execute("ATTACH ':memory:' AS log")
    con.execute("USE log")
    from novelty_kit.graph.load import load_events

    scan = load_events(con, plain)
    build_state(con, scan.n_lines, temporary=False)
    return Meta.of(scan)


def _build(path: Path, plain: Plain, stamps: dict[str, dict[str, int]]) -> None:
    from novelty_kit.graph.load import load_events

    with contextlib.closing(duckdb.connect(str(path), config=settings())) as con:
        scan = load_events(con, plain)
        build_state(con, scan.n_lines, temporary=False)
        about = {
            "format": FORMAT,
            "duckdb": duckdb.__version__,
            "stamps": stamps,
            "edges": _edges_hash(plain, scan.n_bytes),
        }
        con.execute(
            "CREATE TABLE about AS SELECT $about AS about, $meta AS meta",
            {"about": json.dumps(about, sort_keys=True), "meta": Meta.of(scan).to_json()},
        )


def settings() -> dict[str, Any]:
    """How every connection is set: nothing from outside but what we name, UTC, no names from Python."""
    return {
        "python_enable_replacements": "false",
        "autoinstall_known_extensions": "false",
        "TimeZone": "UTC",
        "threads": str(os.cpu_count() or 1),
    }


def _attach_if_fresh(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    plain: Plain,
    stamps: dict[str, dict[str, int]],
    *,
    verify: bool,
) -> Meta | None:
    """Attach and believe the file if all it says fits the log, else leave nothing attached."""
    if not path.is_file():
        return None
    try:
        con.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS log (READ_ONLY)")
        row = con.execute("SELECT about, meta FROM log.about").fetchone()
        about, meta = json.loads(row[0]), Meta.from_json(row[1])
        fits = (
            about["format"] == FORMAT
            and about["duckdb"] == duckdb.__version__
            and about["stamps"] == stamps
            and meta.n_bytes == plain.n_bytes
            and about["edges"] == _edges_hash(plain, plain.n_bytes)
            and (not verify or list(meta.blocks) == block_hashes(plain))
        )
        if fits:
            con.execute("USE log")
            return meta
    except (duckdb.Error, ValueError, KeyError, TypeError):
        pass  # damaged, foreign or older: rebuilt
    with contextlib.suppress(duckdb.Error):
        con.execute("DETACH log")
    return None


def block_hashes(plain: Plain) -> list[bytes]:
    """sha256 of every 16 MiB block."""
    found, left = [], plain.n_bytes
    with open(plain.path, "rb") as stream:
        while left > 0 and (block := stream.read(min(BLOCK, left))):
            found.append(hashlib.sha256(block).digest())
            left -= len(block)
    return found


def unknown_of(meta: Meta) -> Counter[str]:
    """Unknown tables and columns, with how often."""
    return Counter(meta.unknown)
