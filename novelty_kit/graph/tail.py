"""A log that has grown: only its new tail is read, and only the rows that it touches are made anew.

Every table of the state is refreshed by its own SELECT of ``state.sql``, run over narrower inputs: a temporary
table of the same name stands before each input and holds only the rows that matter. So there is no second
statement of the rules, and a property test holds the result to a full rebuild. Writes the database it is given.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import BLOCK, Plain
from novelty_kit.graph.scan import Scan
from novelty_kit.graph.sql import sql_parts

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


@dataclass(frozen=True, slots=True)
class _Step:
    """How one state table is refreshed.

    ``affected`` selects what is made anew; ``inputs`` are the narrower inputs, by the name they stand before;
    ``gone`` and ``kept`` say which rows of the table, and which of the fresh ones, belong to what is affected.
    """

    table: str
    affected: str
    inputs: tuple[tuple[str, str], ...]
    gone: str
    kept: str = "TRUE"


_STEPS = (
    _Step(
        "paper_now",
        "SELECT DISTINCT id_no FROM new_paper",
        (("paper_event", "SELECT * FROM log.paper_event WHERE id_no IN (FROM affected)"),),
        "id_no IN (FROM affected)",
    ),
    _Step(
        "claim_now",
        "SELECT DISTINCT claim_id FROM new_claim",
        (("claim_event", "SELECT * FROM log.claim_event WHERE claim_id IN (FROM affected)"),),
        "claim_id IN (FROM affected)",
    ),
    _Step(
        "citation_edge_now",
        "SELECT DISTINCT citing_no, cited_no FROM new_citation_edge",
        (
            (
                "citation_edge_event",
                "SELECT event.* FROM log.citation_edge_event AS event SEMI JOIN affected USING (citing_no, cited_no)",
            ),
        ),
        "(citing_no, cited_no) IN (SELECT (citing_no, cited_no) FROM affected)",
    ),
    _Step(
        "references_checked_now",
        "SELECT DISTINCT id_no FROM new_references_checked",
        (
            (
                "references_checked_event",
                "SELECT * FROM log.references_checked_event WHERE id_no IN (FROM affected)",
            ),
        ),
        "id_no IN (FROM affected)",
    ),
    _Step(
        "ingest_error_now",
        "SELECT DISTINCT scheme, lookup_key FROM new_ingest_error",
        (
            (
                "ingest_error_event",
                "SELECT event.* FROM log.ingest_error_event AS event SEMI JOIN affected USING (scheme, lookup_key)",
            ),
        ),
        "(scheme, lookup_key) IN (SELECT (scheme, lookup_key) FROM affected)",
    ),
    _Step(
        "same_work_now",
        "SELECT DISTINCT id_no, same_no FROM new_same_work",
        (
            (
                "same_work_event",
                "SELECT event.* FROM log.same_work_event AS event SEMI JOIN affected USING (id_no, same_no)",
            ),
        ),
        "(id_no, same_no) IN (SELECT (id_no, same_no) FROM affected)",
    ),
    _Step(
        "owner",
        "SELECT DISTINCT id_no FROM new_paper",
        (("paper_now", "SELECT * FROM log.paper_now WHERE id_no IN (FROM affected)"),),
        "node_no IN (FROM affected)",
    ),
    _Step(
        "owned",
        "SELECT DISTINCT id_no FROM moved_id",
        (("owner", "SELECT * FROM log.owner WHERE id_no IN (FROM affected)"),),
        "id_no IN (FROM affected)",
    ),
    _Step(
        "edge",
        "SELECT node_no FROM moved_node",
        (
            (
                "citation_edge_now",
                """
                WITH spelled AS (
                    SELECT node_no AS id_no FROM affected
                    UNION SELECT owner.id_no FROM log.owner WHERE owner.node_no IN (FROM affected)
                )
                SELECT * FROM log.citation_edge_now
                WHERE citing_no IN (FROM spelled) OR cited_no IN (FROM spelled)
                """,
            ),
        ),
        "citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
        "citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
    ),
    _Step(
        "claim_about",
        """
        SELECT claim_id FROM new_claim
        UNION SELECT claim_id FROM log.claim_now WHERE about_no IN (SELECT id_no FROM moved_id)
        """,
        (("claim_now", "SELECT * FROM log.claim_now WHERE claim_id IN (FROM affected)"),),
        "claim_id IN (FROM affected)",
    ),
    _Step(
        "checked",
        "SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id",
        (
            (
                "references_checked_now",
                "SELECT * FROM log.references_checked_now WHERE id_no IN (FROM affected)",
            ),
        ),
        "id_no IN (FROM affected)",
    ),
    _Step(
        "node",
        "SELECT node_no FROM changed_node",
        (
            ("paper_now", "SELECT * FROM log.paper_now WHERE id_no IN (FROM affected)"),
            ("claim_about", "SELECT * FROM log.claim_about WHERE node_no IN (FROM affected)"),
            ("checked", "SELECT * FROM log.checked WHERE node_no IN (FROM affected)"),
            ("edge", "SELECT * FROM log.edge WHERE citing_no IN (FROM affected)"),
        ),
        "node_no IN (FROM affected)",
    ),
    _Step(
        "covering",
        "SELECT node_no FROM changed_target",
        (("edge", "SELECT * FROM log.edge WHERE cited_no IN (FROM affected)"),),
        "node_no IN (FROM affected)",
    ),
    _Step(
        "claim_link",
        "SELECT node_no FROM changed_node",
        (
            (
                "edge",
                "SELECT * FROM log.edge WHERE citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
            ),
        ),
        "node_no IN (FROM affected) OR end_no IN (FROM affected)",
    ),
)

# What is remembered of the state before a step, and what follows from it after; keyed by the step's table.
_BEFORE = {
    "owner": (
        "CREATE TEMP TABLE old_owner AS "
        "SELECT * FROM log.owner WHERE node_no IN (SELECT id_no FROM new_paper)",
    ),
    "owned": (
        """
        CREATE TEMP TABLE moved_id AS
        SELECT id_no FROM old_owner
        UNION SELECT id_no FROM log.owner WHERE node_no IN (SELECT id_no FROM new_paper)
        """,
    ),
    "edge": (
        """
        CREATE TEMP TABLE moved_node AS
        WITH named AS (
            SELECT id_no FROM moved_id
            UNION SELECT citing_no FROM new_citation_edge UNION SELECT cited_no FROM new_citation_edge
        )
        SELECT id_no AS node_no FROM named
        UNION SELECT node_no FROM old_owner
        UNION SELECT owner.node_no FROM log.owner WHERE owner.id_no IN (FROM named)
        """,
        """
        CREATE TEMP TABLE old_target AS
        SELECT DISTINCT cited_no AS node_no FROM log.edge WHERE citing_no IN (FROM moved_node)
        """,
    ),
    "claim_about": (
        """
        CREATE TEMP TABLE old_bearing AS
        SELECT node_no FROM log.claim_about WHERE claim_id IN (
            SELECT claim_id FROM new_claim
            UNION SELECT claim_id FROM log.claim_now WHERE about_no IN (SELECT id_no FROM moved_id)
        )
        """,
    ),
    "checked": (
        """
        CREATE TEMP TABLE old_checked AS
        SELECT node_no FROM log.checked
        WHERE id_no IN (SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id)
        """,
    ),
    "node": (
        """
        CREATE TEMP TABLE changed_node AS
        SELECT node_no FROM moved_node
        UNION SELECT id_no FROM new_paper
        UNION SELECT node_no FROM old_bearing
        UNION SELECT node_no FROM old_checked
        UNION SELECT node_no FROM log.claim_about
            WHERE claim_id IN (SELECT claim_id FROM new_claim)
            OR node_no IN (SELECT node_no FROM moved_node)
        UNION SELECT node_no FROM log.checked
            WHERE id_no IN (SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id)
        """,
        """
        CREATE TEMP TABLE old_coverer AS
        SELECT node_no FROM log.node WHERE is_read AND covered_out AND node_no IN (FROM changed_node)
        """,
    ),
    "covering": (
        """
        CREATE TEMP TABLE changed_target AS
        WITH coverer AS (
            SELECT node_no FROM log.node WHERE is_read AND covered_out AND node_no IN (FROM changed_node)
        ),
        turned AS (
            (FROM coverer EXCEPT FROM old_coverer) UNION (FROM old_coverer EXCEPT FROM coverer)
            UNION SELECT node_no FROM moved_node
        )
        SELECT node_no FROM moved_node
        UNION SELECT node_no FROM old_target
        UNION SELECT cited_no FROM log.edge WHERE citing_no IN (FROM turned)
        """,
    ),
}


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
    for step in _STEPS:
        for statement in _BEFORE.get(step.table, ()):
            con.execute(statement)
        _refresh(con, step, selects[step.table])
    con.execute("COMMIT")
    con.execute("DETACH tail")
    return Scan(
        n_lines=old.n_lines + found.n_lines,
        n_bytes=plain.n_bytes,
        blocks=_blocks(plain, old),
        chunks=[*old.chunks, *((seq + old.n_lines, offset + old.n_bytes) for seq, offset in found.chunks)],
        unknown=Counter(old.unknown) + Counter(found.unknown),
        crlf=old.crlf or found.crlf,
        bom=old.bom,
    )


@contextmanager
def _tail_of(plain: Plain, start: int) -> Iterator[Plain]:
    """The new bytes as a log of their own."""
    with tempfile.TemporaryDirectory(prefix="novelty-") as folder:
        target = Path(folder) / "tail.jsonl"
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
        con.execute(
            f"CREATE TEMP TABLE new_{name.removesuffix('_event')} AS "  # noqa: S608 - our own names
            f"SELECT {', '.join(values)} FROM tail.{name} AS new",
            {"before": n_before},
        )
        con.execute(f"INSERT INTO log.{name} SELECT * FROM new_{name.removesuffix('_event')}")  # noqa: S608 - ours


def _renumbered(column: str) -> str:
    if column == "seq":
        return "new.seq + $before AS seq"
    if column.endswith("_no"):
        return f"(SELECT known.id_no FROM renumbered AS known WHERE known.tail_no = new.{column}) AS {column}"
    return f"new.{column}"


def _refresh(con: duckdb.DuckDBPyConnection, step: _Step, select: str) -> None:
    """Make one table's affected rows anew, by its own SELECT over narrower inputs."""
    con.execute(f"CREATE TEMP TABLE affected AS {step.affected}")
    for name, rows in step.inputs:
        con.execute(f"CREATE TEMP TABLE {name} AS {rows}")
    con.execute(f"CREATE TEMP TABLE fresh AS {select}")
    for name, _ in step.inputs:
        con.execute(f"DROP TABLE temp.{name}")
    con.execute(f"DELETE FROM log.{step.table} WHERE {step.gone}")
    con.execute(f"INSERT INTO log.{step.table} SELECT * FROM fresh WHERE {step.kept}")
    con.execute("DROP TABLE temp.fresh")
    con.execute("DROP TABLE temp.affected")
