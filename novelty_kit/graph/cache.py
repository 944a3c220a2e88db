"""The database beside the log: a copy that is rebuilt whenever it is not provably the log's.

Lives in ``$NOVELTY_CACHE``, else in the user's cache folder; never in a repository. It holds the event
tables and the state at the head. Anything odd about it (damage, another version, another log) makes it
rebuilt silently; it can never change a result. No network. No clock.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import LogError, OutputError
from novelty_kit.graph.engine import Error, __version__
from novelty_kit.graph.log import BLOCK, Plain, block_hashes, is_stream
from novelty_kit.graph.seal import check_seals, seal_path
from novelty_kit.graph.state import Meta, build_state, connect
from novelty_kit.output import write_whole

if TYPE_CHECKING:
    import duckdb

__all__ = [
    "FORMAT", "attach", "build_folder", "cache_folder", "code_hash", "discard", "keep", "limit_memory", "quoted",
    "read_label", "stamp",
]  # fmt: skip

FORMAT = 5
_LEAST_MEMORY = 600_000_000  # bytes; a build finishes with so little, whatever the log's size


def cache_folder() -> Path:
    """``$NOVELTY_CACHE``, else ``novelty_kit`` in the user's cache folder."""
    named = os.environ.get("NOVELTY_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    # A relative one is to be ignored, as its specification says.
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "novelty_kit"


def stamp(name: str | Path) -> list[int]:
    """What the file system says of a file: size, mtime, ctime, inode."""
    found = Path(name).stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _edges_hash(plain: Plain, n_bytes: int) -> str:
    """Hash of the first and the last block of the first `n_bytes` of the log."""
    hasher = hashlib.sha256()
    with Path(plain.path).open("rb") as stream:
        hasher.update(stream.read(min(BLOCK, n_bytes)))
        if n_bytes > BLOCK:
            stream.seek(n_bytes - min(BLOCK, n_bytes))
            hasher.update(stream.read(min(BLOCK, n_bytes)))
    return hasher.hexdigest()


def _file_of(names: tuple[str, ...]) -> Path:
    whole = "\0".join(str(Path(name).resolve()) for name in names)
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()
    return cache_folder() / f"{digest[:32]}.duckdb"


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
        Read and compare every block of the log, and every byte of the cache, before the cache is believed.

    Returns
    -------
    Meta

    Raises
    ------
    LogError
        The log is damaged.
    DamageError
        The log is not what its seal says.
    """
    if not cached or any(map(is_stream, plain.names)):
        return _in_memory(con, plain)
    try:
        path = _file_of(plain.names)
    except RuntimeError:  # nobody's home can be named
        return _in_memory(con, plain)
    about = _about(plain)
    meta = _attach_if_fresh(con, path, plain, about, verify=verify)
    if meta is not None:
        return meta
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path.parent)
        with build_folder(path.parent) as folder:
            fresh = folder / "log.duckdb"
            if not _extend(path, fresh, plain, about, verify=verify):
                _build(fresh, plain, about)
            keep(fresh, path, sha256=_sha256_of(fresh))
        meta = _attach_if_fresh(con, path, plain, about, verify=False)
        if meta is not None:
            return meta
    except (OSError, OutputError, Error):
        pass  # no folder, no room, another process at it: the cache is a convenience, the log is the source
    return _in_memory(con, plain)


def _in_memory(con: duckdb.DuckDBPyConnection, plain: Plain) -> Meta:
    from novelty_kit.graph.load import load_events

    con.execute("ATTACH ':memory:' AS log")
    con.execute("USE log")
    scan = load_events(con, plain)
    check_seals(plain, tuple(scan.blocks))
    build_state(con, scan.n_lines, temporary=False)
    return Meta.of(scan)


def _about(plain: Plain) -> dict[str, Any]:
    """What must be equal for a cached database to be the log's, but for the content itself."""
    seals = [seal_path(name) for name in plain.names]
    return {
        "format": FORMAT,
        "duckdb": __version__,
        "code": code_hash(),
        "stamps": [stamp(name) for name in plain.names],
        "seals": [stamp(seal) if os.path.exists(seal) else None for seal in seals],
    }


@cache
def code_hash() -> str:
    """Of all that a database is made by: nobody has to remember that a change makes the old ones worthless."""
    hasher = hashlib.sha256(unicodedata.unidata_version.encode())
    package = Path(__file__).parent.parent
    for room in ("graph", "keys", "titles"):
        for file in sorted((package / room).iterdir()):
            if file.suffix in (".py", ".sql"):
                hasher.update(file.read_bytes())
    return hasher.hexdigest()


def limit_memory(con: duckdb.DuckDBPyConnection, plain: Plain) -> None:
    """Let a build take as much memory as the log is large: more makes it no faster, the rest goes to the disk."""
    con.execute(f"SET memory_limit = '{max(_LEAST_MEMORY, plain.n_bytes)} bytes'")


def _build(path: Path, plain: Plain, about: dict[str, Any]) -> None:
    from novelty_kit.graph.load import load_events

    with contextlib.closing(connect(str(path))) as con:
        limit_memory(con, plain)
        scan = load_events(con, plain)
        check_seals(plain, tuple(scan.blocks))
        build_state(con, scan.n_lines, temporary=False)
        held = {**about, "edges": _edges_hash(plain, scan.n_bytes)}
        con.execute(
            "CREATE TABLE about AS SELECT $about AS about, $meta AS meta",
            {"about": json.dumps(held), "meta": Meta.of(scan).to_json()},
        )


def _extend(path: Path, fresh: Path, plain: Plain, about: dict[str, Any], *, verify: bool) -> bool:
    """Make the database from the cached one, where the log has only grown; False where that cannot be shown."""
    from shutil import copyfile

    from novelty_kit.graph.tail import can_extend, extend

    try:
        with contextlib.closing(connect()) as con:
            read_label(path)
            copyfile(path, fresh)
            con.execute(f"ATTACH '{quoted(fresh)}' AS log")
            row = con.execute("SELECT about, meta FROM log.about").fetchone() or ("", "")
            held, meta = json.loads(row[0]), Meta.from_json(row[1])
            full = meta.n_bytes // BLOCK * BLOCK
            if (
                held["format"] == about["format"]
                and held["duckdb"] == about["duckdb"]
                and held["code"] == about["code"]
                and len(held["stamps"]) == len(about["stamps"])
                and held["stamps"][:-1] == about["stamps"][:-1]
                and can_extend(plain, meta.to_scan())
                and held["edges"] == _edges_hash(plain, meta.n_bytes)
                and (not verify or list(meta.blocks)[: full // BLOCK] == block_hashes(plain.path, full))
            ):
                scan = extend(con, plain, meta.to_scan())
                check_seals(plain, tuple(scan.blocks))
                held = {**about, "edges": _edges_hash(plain, scan.n_bytes)}
                con.execute(
                    "UPDATE log.about SET about = $about, meta = $meta",
                    {"about": json.dumps(held), "meta": Meta.of(scan).to_json()},
                )
                con.execute("USE memory")
                con.execute("DETACH log")
                return True
    except (OSError, Error, ValueError, KeyError, TypeError, LogError):
        pass  # none there, damaged or older; a fault in the tail is told by the whole load, with its line
    discard(fresh)
    return False


def discard(fresh: Path) -> None:
    """Remove a database that did not come to be what it should."""
    fresh.unlink(missing_ok=True)
    Path(f"{fresh}.wal").unlink(missing_ok=True)


def quoted(path: Path) -> str:
    """A file's name as ATTACH takes it: between quotes, and never as a parameter."""
    return str(path).replace("'", "''")


def _attach_if_fresh(
    con: duckdb.DuckDBPyConnection, path: Path, plain: Plain, about: dict[str, Any], *, verify: bool
) -> Meta | None:
    """Attach and believe the file if all it says fits the log, else leave nothing attached."""
    try:
        label = read_label(path)
        if verify and label["sha256"] != _sha256_of(path):
            return None
        con.execute(f"ATTACH '{quoted(path)}' AS log (READ_ONLY)")
    except (OSError, Error, ValueError, KeyError, TypeError):
        return None  # none there, unreadable, damaged or foreign
    try:
        row = con.execute("SELECT about, meta FROM log.about").fetchone() or ("", "")
        held, meta = json.loads(row[0]), Meta.from_json(row[1])
        edges, seals = held.pop("edges"), held.pop("seals")
        if (
            held == {name: value for name, value in about.items() if name != "seals"}
            and meta.n_bytes == plain.n_bytes
            and edges == _edges_hash(plain, plain.n_bytes)
            and (not verify or list(meta.blocks) == block_hashes(plain.path, plain.n_bytes))
        ):
            if verify or seals != about["seals"]:
                check_seals(plain, meta.blocks)
            con.execute("USE log")
            return meta
    except (Error, ValueError, KeyError, TypeError):
        pass  # damaged or older
    con.execute("DETACH log")
    return None


def _label_of(path: Path) -> Path:
    """The file beside a kept database that says what its bytes are."""
    return path.with_suffix(".json")


def keep(fresh: Path, path: Path, **more: str) -> None:
    """Move a finished database to its place, with the label by which alone it is believed."""
    fresh.replace(path)
    try:
        write_whole(_label_of(path), json.dumps({"stamp": stamp(path), **more}))
    except OutputError:
        path.unlink(missing_ok=True)  # nobody would believe it
        raise


def read_label(path: Path) -> dict[str, Any]:
    """The label of a kept database.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError
        There is none, it is damaged, or the database is not the one that was kept.
    """
    label: dict[str, Any] = json.loads(_label_of(path).read_text("utf-8"))
    # Any write to the file moves its ctime, which no program can set back.
    if label["stamp"] != stamp(path):
        raise ValueError("not the file that was kept")
    return label


def _sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def build_folder(parent: Path) -> Iterator[Path]:
    """A folder to build in, locked for as long as its builder lives."""
    from tempfile import TemporaryDirectory  # a start from the cache needs none

    with (
        TemporaryDirectory(dir=parent, prefix="build-", ignore_cleanup_errors=True) as name,
        (Path(name) / "lock").open("w") as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def _sweep(parent: Path) -> None:
    """Remove what builders that were killed left behind: folders whose lock nobody holds."""
    from shutil import rmtree

    for folder in sorted(parent.glob("build-*")):
        with contextlib.suppress(OSError), (folder / "lock").open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            rmtree(folder, ignore_errors=True)
