"""Going on without bad lines: the others keep their numbers, and the bad ones are named.

Reads the log; writes a temporary copy of it in which a bad line says nothing. Nothing of this is cached: what
was left out may be mended at any time. No network. No clock.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb

from novelty_kit.errors import LogError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import Plain, log_lines, own_folder
from novelty_kit.graph.scan import Scan, scan_plain
from novelty_kit.graph.seal import check_seals
from novelty_kit.graph.state import Meta, build_state
from novelty_kit.graph.tables import NAMES

__all__ = ["attach_without_bad_lines"]

# What stands in a bad line's place: an event of a table that nothing reads, taken out again after the load.
_NOTHING = b'{"op":"upsert","table":"(left out)","row":{}}'


def attach_without_bad_lines(
    con: duckdb.DuckDBPyConnection, plain: Plain, scan: Scan | None = None
) -> tuple[Meta, tuple[int, ...]]:
    """Attach the log as the catalog ``log``, in memory, without its bad lines.

    Parameters
    ----------
    con : DuckDBPyConnection
        An in-memory connection.
    plain : Plain
    scan : Scan, optional
        Of a pass over it, where there is one already; takes the faults of values too.

    Returns
    -------
    Meta
        Of the whole log, bad lines counted: hash, number of lines, places.
    tuple of int
        The seq of every bad line, a torn last one included.

    Raises
    ------
    DamageError
        The log is not what its seal says; leaving lines out does not mend that.
    """
    scan = scan or scan_plain(plain)
    check_seals(plain, tuple(scan.blocks))
    n_lines = scan.n_lines + (scan.torn is not None)
    torn = (n_lines,) if scan.torn is not None else ()
    con.execute("ATTACH ':memory:' AS log")
    con.execute("USE log")
    with own_folder(plain.names[0]) as folder:
        readable = _without(plain, frozenset((*scan.bad, *torn)), folder / "log.jsonl")
        load_events(con, readable, faulty=scan)
    skipped = (*sorted(scan.bad), *torn)
    for name in ("event", *(f"{table}_event" for table in NAMES)):
        delete = f"DELETE FROM {name} WHERE seq IN (SELECT unnest($seqs::BIGINT[]))"  # noqa: S608 - our own names
        con.execute(delete, {"seqs": list(skipped)})
    build_state(con, n_lines, temporary=False)
    return replace(Meta.of(scan), n_lines=n_lines), skipped


def _without(plain: Plain, skipped: frozenset[int], path: Path) -> Plain:
    """A copy of the log in which the bad lines say nothing."""
    seq, size = 0, 0
    try:
        with path.open("wb") as out:
            for offset, run in log_lines(plain):
                run = run.removeprefix(b"\xef\xbb\xbf") if offset == 0 else run
                if not run:
                    continue
                lines = run.removesuffix(b"\n").split(b"\n")
                for number, line in enumerate(lines, seq + 1):
                    size += out.write((_NOTHING if number in skipped else line) + b"\n")
                seq += len(lines)
    except OSError as error:
        remedy = "Make room, or name another folder in TMPDIR"
        what = f"no room for a copy: {error.strerror or error}"
        raise LogError(what, path=plain.names[0], remedy=remedy) from error
    return Plain(str(path), plain.names, (0,) * len(plain.names), size)
