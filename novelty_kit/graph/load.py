"""From the bytes of the log to event tables in DuckDB, fail-closed.

One thread hashes every byte while DuckDB reads the same bytes and proves lines sound; ids and dates are then looked at
as sets, and every line with a doubt is checked exactly. A fault anywhere is an error that names file, line and column.
No network. No clock.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from novelty_kit.errors import KeyFormatError, LogError, Problem
from novelty_kit.graph.engine import Error
from novelty_kit.graph.lines import check_line
from novelty_kit.graph.log import CHUNK, Plain, log_lines, mending, own_folder, room_for
from novelty_kit.graph.reading import DOUBTED, line_statements, macros, raw_statement
from novelty_kit.graph.scan import Scan, lines_at, problems_of, scan_plain
from novelty_kit.graph.sql import read_sql, run_sql
from novelty_kit.graph.statements import PLAIN_STATEMENT, PLAIN_TITLE, statement_key, title_letters
from novelty_kit.graph.suspects import suspicious_lines
from novelty_kit.graph.tables import TABLES
from novelty_kit.keys import NORMAL_FORM, normalise

if TYPE_CHECKING:
    import duckdb

__all__ = ["load_events"]

_MADE_OF = (*(f"{table.name}_line" for table in TABLES if table.name != "citation_edge"), "raw", "spelled")
_TEMPORARY = (*_MADE_OF, "respelled", "malformed", "spelling_no", "statement_key", "odd_title", "lookup_key")
_AT_ONCE = 10_000


def load_events(con: duckdb.DuckDBPyConnection, plain: Plain, *, faulty: Scan | None = None) -> Scan:
    """Load the log into the connection's current schema as event tables.

    Parameters
    ----------
    con : DuckDBPyConnection
        Writes ``identifier``, ``event`` and one ``*_event`` table per log table there.
    plain : Plain
    faulty : Scan, optional
        Takes the lines with faulty values, which are loaded all the same then; the caller takes them out.

    Returns
    -------
    Scan
        Lines, hash and everything that was met and is no fault.

    Raises
    ------
    LogError
        The log is damaged; holds up to a hundred problems and how many there are.
    """
    con.execute("SET VARIABLE normal_form = $form", {"form": "|".join(NORMAL_FORM.values())})
    con.execute("SET VARIABLE plain_title = $form", {"form": PLAIN_TITLE})
    con.execute("SET VARIABLE plain_statement = $form", {"form": PLAIN_STATEMENT})
    for statement in macros():
        con.execute(statement)
    scan = _read_and_hash(con, plain)
    for statement in line_statements():
        con.execute(statement)
    run_sql(con, __package__, "spellings.sql")
    _normalise_spellings(con)
    _define_mark(con)
    _look_at_suspects(con, plain, scan, faulty)
    con.execute("BEGIN")
    run_sql(con, __package__, "identifiers.sql")
    _register_keys(con)
    run_sql(con, __package__, "events.sql")
    con.execute("COMMIT")
    for name in _TEMPORARY:
        con.execute(f"DROP TABLE {name}")
    return scan


def _read_and_hash(con: duckdb.DuckDBPyConnection, plain: Plain) -> Scan:
    """Hash the bytes in a thread while DuckDB reads them; a line that it cannot read speaks first.

    DuckDB reads the file to its end, which may lie beyond the log's where somebody appends meanwhile: what it
    reads there is left out, and where it stops there, the log's own bytes are read alone.
    """
    found: list[Scan] = []
    failed: list[BaseException] = []

    def hash_bytes() -> None:
        try:
            found.append(scan_plain(plain, check="nothing"))
        except BaseException as error:  # noqa: BLE001 - handed over to the caller's thread
            failed.append(error)

    hasher = threading.Thread(target=hash_bytes, name="hash-log")
    hasher.start()
    refused: Error | None = None
    try:
        con.execute(raw_statement(), {"path": plain.path})
    except Error as error:
        refused = error
    finally:
        hasher.join()
    if failed:
        raise failed[0]
    scan = found[0]
    if scan.torn is not None:
        _refuse_faults(plain, scan_plain(plain))
    if refused is not None:
        _refuse_faults(plain, scan_plain(plain, check="exactly"))
        _read_alone(con, plain)
    con.execute("DELETE FROM raw WHERE rowid >= $n", {"n": scan.n_lines})  # where the log grew meanwhile
    read = con.execute("SELECT count(*), coalesce(sum(size), 0) FROM raw").fetchone()
    # Otherwise there are blanks around an event, or nothing but blanks in a line.
    if read != (scan.n_lines, plain.n_bytes - scan.n_marks):
        _refuse_faults(plain, scan_plain(plain))
    _refuse_other_order(con, plain, scan)
    return scan


def _refuse_other_order(con: duckdb.DuckDBPyConnection, plain: Plain, scan: Scan) -> None:
    """That rows stand as lines do is the reader's habit, not its promise: hold a line of every chunk against it."""
    firsts = [seq for seq, _ in scan.chunks if seq <= scan.n_lines]
    looked_at = "SELECT size FROM raw WHERE rowid IN (SELECT unnest($rows::BIGINT[])) ORDER BY rowid"
    sizes = [size for (size,) in con.execute(looked_at, {"rows": [seq - 1 for seq in firsts]}).fetchall()]
    n_rows = con.execute("SELECT count(*) FROM raw").fetchall()[0][0]
    if n_rows != scan.n_lines or sizes != scan.heads[: len(firsts)]:
        raise LogError(
            "its lines were not read in the order in which they stand",
            path=plain.names[0],
            remedy="Run it again; if that is no help, report it with the version of duckdb",
        )


def _read_alone(con: duckdb.DuckDBPyConnection, plain: Plain) -> None:
    """Scan a copy of the log's bytes of this moment: nobody appends to that."""
    with own_folder(plain.names[0]) as folder:
        copy = folder / "log.jsonl"
        with room_for(plain.names[0]), copy.open("wb") as out:
            for _, run in log_lines(plain):
                out.write(run)
        try:
            con.execute(raw_statement(), {"path": str(copy)})
        except Error as error:
            raise LogError(f"cannot be loaded: {str(error).splitlines()[0]}", path=plain.names[0]) from error


def _refuse_faults(plain: Plain, scan: Scan) -> None:
    name = plain.names[-1]
    if scan.n_bad_lines:
        raise bad_lines(plain, problems_of(plain, scan), scan.n_bad_lines)
    if scan.torn is not None:
        offset = scan.torn - plain.starts[-1]
        raise LogError(
            f"the last line is torn at byte offset {offset}",
            path=name,
            remedy=f"To go on, {mending(name)}",
        )


def bad_lines(plain: Plain, problems: list[Problem], n_bad: int) -> LogError:
    """The error for a log with bad lines."""
    first, log = problems[0], " ".join(plain.names)
    more = f"; {n_bad} bad lines in all, listed by: novelty graph validate {log}" if n_bad > 1 else ""
    remedy = f"{first.remedy or 'Mend the line, or go on without it with --skip-bad-lines'}{more}"
    return LogError(
        first.what,
        path=first.path,
        line=first.line,
        column=first.column,
        remedy=remedy,
        problems=problems if len(problems) > 1 else (),
        n_problems=n_bad,
    )


def _normalise_spellings(con: duckdb.DuckDBPyConnection) -> None:
    """Find the normal form of every spelling that is none, or that it has none."""
    odd = con.execute(
        "SELECT spelling FROM spelled WHERE NOT regexp_full_match(spelling, getvariable('normal_form')) ORDER BY ALL"
    ).fetchall()
    spelled, normal, malformed = [], [], []
    for (spelling,) in odd:
        scheme, mark, bare = spelling.partition("\x1f")
        try:
            normal.append(normalise(bare, scheme) if mark else normalise(spelling))
            spelled.append(spelling)
        except KeyFormatError:
            malformed.append(spelling)
    _make(con, "respelled", spelling=spelled, lom_id=normal)
    _make(con, "malformed", spelling=malformed)


def _define_mark(con: duckdb.DuckDBPyConnection) -> None:
    """What ids are joined by: their hash, which is faster than the text, as long as no two share one."""
    # NULL has a hash too
    every = "SELECT spelling FROM spelled UNION ALL SELECT NULL"
    same = con.execute(f"SELECT count(DISTINCT hash(spelling)) < count(*) FROM ({every})").fetchone()  # noqa: S608
    mark = "spelling" if same is not None and same[0] else "hash(spelling)"
    con.execute(f"CREATE OR REPLACE TEMP MACRO mark_of(spelling) AS {mark}")


def _look_at_suspects(con: duckdb.DuckDBPyConnection, plain: Plain, scan: Scan, faulty: Scan | None) -> None:
    """Check exactly what no proof clears; take note of what is unknown to the format, refuse what is wrong."""
    found = Scan() if faulty is None else faulty
    for_seqs, for_doubts = itertools.tee(_suspects(con))  # in step, since there may be as many as lines
    lines = lines_at(plain, scan.chunks, (seq for seq, _ in for_seqs))
    for seq, raw in _not_cleared(
        (seq, raw, doubt) for (seq, raw), (_, doubt) in zip(lines, for_doubts, strict=True)
    ):
        line = check_line(raw, placed=found.has_room(seq))
        scan.add_unknown(line.unknown)
        if line.faults:
            found.add_bad(seq, line.faults)
    if faulty is None and found.bad:
        found.chunks = scan.chunks
        raise bad_lines(plain, problems_of(plain, found), found.n_bad_lines)


def _suspects(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int]]:
    """The seq and the doubt of each line to look at, ascending."""
    anywhere = con.execute("SELECT count(*) > 0 FROM malformed").fetchone() == (True,)
    names = ("faults.sql", "malformed.sql") if anywhere else ("faults.sql",)
    each = " UNION ALL ".join(read_sql(__package__, name).rstrip("; \n") for name in names)
    con.execute(f"SELECT seq, max(doubt) FROM ({each}) AS one GROUP BY seq ORDER BY seq")  # noqa: S608 - our own files
    while some := con.fetchmany(_AT_ONCE):
        yield from some


def _not_cleared(lines: Iterable[tuple[int, bytes, int]]) -> Iterator[tuple[int, bytes]]:
    """The lines but for those whose doubt a fast check of many at once clears; in no order."""
    doubted: list[tuple[int, bytes]] = []
    size = 0
    for seq, raw, doubt in lines:
        if doubt != DOUBTED:
            yield seq, raw
            continue
        doubted.append((seq, raw))
        size += len(raw)
        if size > CHUNK:
            yield from _suspicious(doubted)
            doubted, size = [], 0
    yield from _suspicious(doubted)


def _suspicious(doubted: list[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    block = b"".join(raw + b"\n" for _, raw in doubted)
    return (doubted[index] for index in suspicious_lines(block)) if doubted else iter(())


def _register_keys(con: duckdb.DuckDBPyConnection) -> None:
    """Statement keys and lookup keys are computed here, once, by the functions that candidates use too."""
    said = con.execute(
        """
        SELECT DISTINCT r.statement FROM claim_line
        WHERE NOT regexp_full_match(r.statement, getvariable('plain_statement')) ORDER BY ALL
        """
    )
    statements = [statement for (statement,) in said.fetchall()]
    _make(
        con, "statement_key", statement=statements, key=[statement_key(statement) for statement in statements]
    )
    odd = con.execute(
        """
        SELECT DISTINCT r.title FROM paper_line
        WHERE r.title IS NOT NULL AND NOT regexp_full_match(r.title, getvariable('plain_title')) ORDER BY ALL
        """
    )
    titles = [title for (title,) in odd.fetchall()]
    _make(con, "odd_title", title=titles, letters=[title_letters(title) for title in titles])
    asked = con.execute("SELECT DISTINCT r.scheme, r.lookup FROM ingest_error_line ORDER BY ALL").fetchall()
    _make(
        con,
        "lookup_key",
        scheme=[scheme for scheme, _ in asked],
        lookup=[lookup for _, lookup in asked],
        service=[scheme.strip().lower() for scheme, _ in asked],
        key=[lookup_key(scheme, lookup) for scheme, lookup in asked],
    )


def _make(con: duckdb.DuckDBPyConnection, name: str, **columns: list[str]) -> None:
    """A temporary table of text columns; the values travel as one parameter a column."""
    listed = ", ".join(f"unnest(${column}::VARCHAR[]) AS {column}" for column in columns)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {listed}", columns)


def lookup_key(scheme: str, lookup: str) -> str:
    """What a lookup asked for, in normal form where it is an id of any kind, else the text itself."""
    for hint in (None, scheme if scheme in NORMAL_FORM else None):
        try:
            return normalise(lookup, hint)
        except KeyFormatError:
            continue
    return lookup.strip()
