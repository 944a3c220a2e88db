"""Going on without bad lines: the others keep their numbers, and the bad ones are named.

Reads the log; writes a temporary copy of it in which a bad line says nothing. Nothing of this is cached: what
was left out may be mended at any time. No network. No clock.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from novelty_kit.errors import LogError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import Plain, log_lines, own_folder, room_for
from novelty_kit.graph.scan import Scan, scan_plain
from novelty_kit.graph.seal import check_seals
from novelty_kit.graph.state import Meta, build_state
from novelty_kit.graph.tables import NAMES

if TYPE_CHECKING:
    import duckdb

__all__ = ["attach_without_bad_lines", "load_without_bad_lines"]

# What stands in a bad line's place: an event of a table that nothing reads, taken out again after the load.
_NOTHING = b'{"op":"upsert","table":"(left out)","row":{}}'


def attach_without_bad_lines(con: duckdb.DuckDBPyConnection, plain: Plain) -> tuple[Meta, tuple[int, ...]]:
    """Attach the log as the catalog ``log``, in memory, without its bad lines.

    Parameters
    ----------
    con : DuckDBPyConnection
        An in-memory connection.
    plain : Plain

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
    scan = load_without_bad_lines(con, plain)
    n_lines = scan.n_lines + (scan.torn is not None)
    skipped = (*sorted(scan.bad), *([n_lines] if scan.torn is not None else []))
    return replace(Meta.of(scan), n_lines=n_lines), skipped


def load_without_bad_lines(con: duckdb.DuckDBPyConnection, plain: Plain) -> Scan:
    """As :func:`attach_without_bad_lines`; the scan holds every bad line and the first hundred faults."""
    scan = scan_plain(plain)
    check_seals(plain, tuple(scan.blocks))
    con.execute("ATTACH ':memory:' AS log")
    con.execute("USE log")
    with own_folder(plain.names[0]) as folder:
        try:
            load_events(con, _without(plain, scan, folder / "log.jsonl"), faulty=scan)
        except LogError:
            # The reader refuses what the fast check takes; then every line is checked exactly.
            scan = scan_plain(plain, check="exactly")
            load_events(con, _without(plain, scan, folder / "log.jsonl"), faulty=scan)
    n_lines = scan.n_lines + (scan.torn is not None)
    bad = [*scan.bad, *([n_lines] if scan.torn is not None else [])]
    for name in ("event", *(f"{table}_event" for table in NAMES)):
        delete = f"DELETE FROM {name} WHERE seq IN (SELECT unnest($seqs::BIGINT[]))"  # noqa: S608 - our own names
        con.execute(delete, {"seqs": bad})
    build_state(con, n_lines, temporary=False)
    return scan


def _without(plain: Plain, scan: Scan, path: Path) -> Plain:
    """A copy of the log in which the bad lines say nothing."""
    skipped = frozenset((*scan.bad, *([scan.n_lines + 1] if scan.torn is not None else [])))
    seq, size = 0, 0
    with room_for(plain.names[0]), path.open("wb") as out:
        for offset, run in log_lines(plain):
            run = run.removeprefix(b"\xef\xbb\xbf") if offset == 0 else run
            if not run:
                continue
            lines = run.removesuffix(b"\n").split(b"\n")
            for number, line in enumerate(lines, seq + 1):
                size += out.write((_NOTHING if number in skipped else line) + b"\n")
            seq += len(lines)
    return Plain(str(path), plain.names, (0,) * len(plain.names), size)
