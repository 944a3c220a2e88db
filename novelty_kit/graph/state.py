"""The state of the graph at one seq, as tables: made from the event tables by ``state.sql``.

Also how every connection is set, and what is kept of a scan beside the tables. Reads and writes one database
connection. No network. No clock.
"""

from __future__ import annotations

import json
import os
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

from novelty_kit.graph.engine import connect as open_database
from novelty_kit.graph.log import hash_of
from novelty_kit.graph.sql import sql_parts

if TYPE_CHECKING:
    import duckdb

    from novelty_kit.graph.scan import Scan

__all__ = ["Meta", "build_state", "connect"]


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

    def to_scan(self) -> Scan:
        """As the scan that it was."""
        from collections import Counter

        from novelty_kit.graph.scan import Scan

        return Scan(
            n_lines=self.n_lines,
            n_bytes=self.n_bytes,
            blocks=list(self.blocks),
            chunks=list(self.chunks),
            unknown=Counter(self.unknown),
            crlf=self.crlf,
            bom=self.bom,
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


def connect(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """A connection that takes nothing from outside but what we name: UTC, no names from Python, no bar.

    What does not fit the memory goes to a folder of its own among the temporary ones, made only then.
    """
    spill = os.path.join(_temporary_folder(), f"novelty-spill-{os.getpid()}-{os.urandom(8).hex()}")
    con = open_database(
        path,
        config={
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "TimeZone": "UTC",
            "threads": str(os.cpu_count() or 1),
            "temp_directory": spill,
        },
    )
    weakref.finalize(con, _remove, spill)
    con.execute("SET enable_progress_bar = false")  # it would be printed among the results
    return con


def _temporary_folder() -> str:
    """As the standard library finds it, which takes a while to import."""
    named = os.environ.get("TMPDIR", "/tmp")
    if os.path.isabs(named) and os.path.isdir(named) and os.access(named, os.W_OK | os.X_OK):
        return named
    from tempfile import gettempdir

    return gettempdir()


def _remove(folder: str) -> None:
    if os.path.isdir(folder):
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)


def build_state(con: duckdb.DuckDBPyConnection, as_of: int, *, temporary: bool) -> None:
    """Make the state tables of one seq from the event tables."""
    con.execute("SET VARIABLE as_of = $seq", {"seq": as_of})
    kind = "TEMP TABLE" if temporary else "TABLE"
    for name, select in sql_parts(__package__, "state.sql"):
        con.execute(f"CREATE {kind} {name} AS {select}")
