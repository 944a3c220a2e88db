"""A log that has grown: only its new tail is read, and only the rows that it touches are made anew.

Every table of the state is refreshed by its own SELECT of ``state.sql``, run over narrower inputs: a temporary
table of the same name stands before each input and holds only the rows that matter. So there is no second
statement of the rules, and a property test holds the result to a full rebuild. Writes the database it is given.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import BLOCK, CHUNK, Plain, own_folder
from novelty_kit.graph.scan import Scan
from novelty_kit.graph.sql import sql_parts
from novelty_kit.graph.tail_steps import BEFORE, STEPS, Step

if TYPE_CHECKING:
    import duckdb

__all__ = ["can_extend", "extend"]

_BOM = b"\xef\xbb\xbf"
_EVENTS = (
    "event",
    "paper_event",
    "claim_event",
    "citation_edge_event",
    "references_checked_event",
    "ingest_error_event",
    "same_work_event",
)


def can_extend(plain: Plain, old: Scan) -> bool:
    """Whether the log is the old one with whole lines behind it, as far as its last block can tell."""
    if not 0 < old.n_bytes < plain.n_bytes or not old.blocks:
        return False
    start = (len(old.blocks) - 1) * BLOCK
    with open(plain.path, "rb") as stream:
        stream.seek(start)
        last = stream.read(old.n_bytes - start)
        new = stream.read(len(_BOM))
    return hashlib.sha256(last).digest() == old.blocks[-1] and last.endswith(b"\n") and new != _BOM


def extend(con: duckdb.DuckDBPyConnection, plain: Plain, old: Scan) -> Scan:
    """Bring the database ``log`` of a connection up to a log that has grown.

    Parameters
    ----------
    con : DuckDBPyConnection
        With the catalog ``log`` attached for writing.
    plain : Plain
        The whole log as it is now.
    old : Scan
        What was known of it when the database was made.

    Returns
    -------
    Scan
        What is known now.

    Raises
    ------
    LogError
        The tail is damaged; its line numbers count from the tail, so the caller loads the whole log then.
    """
    with _tail_of(plain, old.n_bytes) as tail:
        con.execute("ATTACH ':memory:' AS tail")
        con.execute("USE tail")
        found = load_events(con, tail)
    con.execute("USE log")
    con.execute("BEGIN")
    _append_events(con, old.n_lines)
    con.execute("SET VARIABLE as_of = $seq", {"seq": old.n_lines + found.n_lines})
    selects = dict(sql_parts(__package__, "state.sql"))
    for step in STEPS:
        for statement in BEFORE.get(step.table, ()):
            con.execute(statement)
        _refresh(con, step, selects[step.table])
    con.execute("COMMIT")
    con.execute("DETACH tail")
    return Scan(
        n_lines=old.n_lines + found.n_lines,
        n_bytes=plain.n_bytes,
        blocks=_blocks(plain, old),
        chunks=_chunks(old, found),
        unknown=Counter(old.unknown) + Counter(found.unknown),
        crlf=old.crlf or found.crlf,
        bom=old.bom,
    )


@contextmanager
def _tail_of(plain: Plain, start: int) -> Iterator[Plain]:
    """The new bytes as a log of their own."""
    with own_folder(plain.names[-1]) as folder:
        target = folder / "tail.jsonl"
        with open(plain.path, "rb") as stream, target.open("wb") as out:
            stream.seek(start)
            left = plain.n_bytes - start
            while left > 0 and (piece := stream.read(min(BLOCK, left))):
                out.write(piece)
                left -= len(piece)
        yield Plain(str(target), plain.names[-1:], (0,), plain.n_bytes - start)


def _blocks(plain: Plain, old: Scan) -> list[bytes]:
    """The hashes of all blocks; those that were full are kept."""
    full = old.n_bytes // BLOCK
    blocks, left = list(old.blocks[:full]), plain.n_bytes - full * BLOCK
    with open(plain.path, "rb") as stream:
        stream.seek(full * BLOCK)
        while left > 0 and (block := stream.read(min(BLOCK, left))):
            blocks.append(hashlib.sha256(block).digest())
            left -= len(block)
    return blocks


def _chunks(old: Scan, found: Scan) -> list[tuple[int, int]]:
    """The marks by which lines are found again, as far apart as in a log that is read at once."""
    chunks = list(old.chunks)
    for seq, offset in found.chunks:
        if not chunks or offset + old.n_bytes >= chunks[-1][1] + CHUNK:
            chunks.append((seq + old.n_lines, offset + old.n_bytes))
    return chunks


def _append_events(con: duckdb.DuckDBPyConnection, n_before: int) -> None:
    """Number the tail's ids and events on behind the log's."""
    con.execute(
        """
        INSERT INTO log.identifier
        SELECT (SELECT coalesce(max(known.id_no), 0) FROM log.identifier AS known) + row_number() OVER (), new.lom_id
        FROM tail.identifier AS new
        ANTI JOIN log.identifier AS known ON known.lom_id = new.lom_id
        """
    )
    con.execute(
        """
        CREATE TEMP TABLE renumbered AS
        SELECT new.id_no AS tail_no, known.id_no
        FROM tail.identifier AS new INNER JOIN log.identifier AS known ON known.lom_id = new.lom_id
        """
    )
    for name in _EVENTS:
        columns = [row[0] for row in con.execute(f"DESCRIBE tail.{name}").fetchall()]
        values = [_renumbered(column) for column in columns]
        fresh = f"new_{name.removesuffix('_event')}"
        select = f"SELECT {', '.join(values)} FROM tail.{name} AS new"  # noqa: S608 - our own names
        con.execute(f"CREATE TEMP TABLE {fresh} AS {select}", {"before": n_before})
        con.execute(f"INSERT INTO log.{name} SELECT * FROM {fresh}")  # noqa: S608 - our own names


def _renumbered(column: str) -> str:
    if column == "seq":
        return "new.seq + $before AS seq"
    if column.endswith("_no"):
        return f"(SELECT known.id_no FROM renumbered AS known WHERE known.tail_no = new.{column}) AS {column}"  # noqa: S608 - our own names
    return f"new.{column}"


def _refresh(con: duckdb.DuckDBPyConnection, step: Step, select: str) -> None:
    """Make one table's affected rows anew, by its own SELECT over narrower inputs."""
    con.execute(f"CREATE TEMP TABLE affected AS {step.affected}")
    for name, rows in step.inputs:
        con.execute(f"CREATE TEMP TABLE {name} AS {rows}")
    con.execute(f"CREATE TEMP TABLE fresh AS {select}")
    for name, _ in step.inputs:
        con.execute(f"DROP TABLE temp.{name}")
    con.execute(f"DELETE FROM log.{step.table} WHERE {step.gone}")  # noqa: S608 - statements of tail_steps
    con.execute(f"INSERT INTO log.{step.table} SELECT * FROM fresh WHERE {step.kept}")  # noqa: S608 - the same
    con.execute("DROP TABLE temp.fresh")
    con.execute("DROP TABLE temp.affected")
