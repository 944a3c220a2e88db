"""From the bytes of the log to event tables in DuckDB, fail-closed.

One thread checks and hashes every byte while DuckDB scans the same bytes in parallel; then the values are
looked at as sets (ids, dates, times, keys that stand twice). A fault anywhere is an error that names file,
line and column. No network. No clock.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from novelty_kit.errors import KeyFormatError, LogError, Problem
from novelty_kit.graph.engine import Error
from novelty_kit.graph.lines import check_line
from novelty_kit.graph.log import Plain, log_lines, mending, own_folder, room_for
from novelty_kit.graph.scan import Scan, lines_at, problems_of, scan_plain
from novelty_kit.graph.sql import read_sql, run_sql
from novelty_kit.graph.statements import PLAIN_TITLE, statement_key, title_letters
from novelty_kit.keys import NORMAL_FORM, normalise

if TYPE_CHECKING:
    import duckdb

__all__ = ["load_events"]

# One scan for all tables, so that rowid is the line's place. An edge's keys are counted only where its text is
# long enough to hold one twice: the bare form has 38 bytes around its two ids, 12 and 13 more with a source and a
# context, and the shortest key that stands twice adds 9, more than any usual spacing does. The reader refuses
# a field that stands twice only where the field is read: `unnoted` is there to have all of them read.
_RAW = """
CREATE TEMP TABLE raw AS
SELECT
    one.op,
    one.table_name,
    one.ts,
    one.unnoted,
    TRY_CAST(upper(one.ts) AS TIMESTAMPTZ) AS at,
    CASE WHEN one.table_name = 'citation_edge' THEN struct_pack(
        citing_lom_id := coalesce(one.edge.citing_lom_id, one.record->>'src'),
        cited_lom_id := coalesce(one.edge.cited_lom_id, one.record->>'dst'),
        source := one.edge.source,
        context := one.edge.context
    ) END AS edge,
    CASE WHEN one.table_name <> 'citation_edge' THEN one.record END AS record,
    CASE
        WHEN strlen(one.record) < 47 + strlen(one.edge.citing_lom_id) + strlen(one.edge.cited_lom_id)
            + coalesce(12 + strlen(one.edge.source), 0) + coalesce(13 + strlen(one.edge.context), 0)
            THEN FALSE
        ELSE len(list_distinct(json_keys(one.record))) <> len(json_keys(one.record))
    END AS twice
FROM (
    SELECT
        scanned.op,
        scanned.ts,
        scanned.unnoted,
        scanned.record,
        scanned.table_name,
        CASE WHEN scanned.table_name = 'citation_edge' THEN from_json(scanned.record,
            '{"citing_lom_id": "VARCHAR", "cited_lom_id": "VARCHAR", "source": "VARCHAR", "context": "VARCHAR"}')
        END AS edge
    FROM (
        SELECT
            event.op,
            event.ts,
            event.actor IS NULL AND event.task IS NULL AND event.note IS NULL AS unnoted,
            event."row" AS record,
            CASE event."table"
                WHEN 'papers' THEN 'paper'
                WHEN 'claims' THEN 'claim'
                WHEN 'citation_edges' THEN 'citation_edge'
                WHEN 'references_checkeds' THEN 'references_checked'
                WHEN 'ingest_errors' THEN 'ingest_error'
                WHEN 'same_works' THEN 'same_work'
                ELSE event."table"
            END AS table_name
        FROM read_json(
            $path,
            columns = {op: 'VARCHAR', "table": 'VARCHAR', "row": 'JSON', ts: 'VARCHAR',
                actor: 'VARCHAR', task: 'VARCHAR', note: 'VARCHAR'},
            format = 'newline_delimited', compression = 'uncompressed'
        ) AS event
    ) AS scanned
) AS one
"""

_TEMPORARY = (
    *("paper_line", "claim_line", "checked_line", "error_line", "same_line", "paper_key", "spelled", "raw"),
    *("respelled", "malformed", "statement_key", "odd_title", "lookup_key", "spelling_no"),
)
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_TIME_FORM = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-]{_CLOCK})"


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
    scan = _scan_both(con, plain)
    con.execute("BEGIN")
    con.execute("SET VARIABLE normal_form = $form", {"form": "|".join(NORMAL_FORM.values())})
    con.execute("SET VARIABLE plain_title = $form", {"form": PLAIN_TITLE})
    con.execute("SET VARIABLE time_form = $form", {"form": _TIME_FORM})
    run_sql(con, __package__, "events.sql")
    _number_spellings(con)
    _look_at_values(con, plain, scan, faulty)
    _register_keys(con)
    run_sql(con, __package__, "events_by_table.sql")
    con.execute("COMMIT")
    for name in _TEMPORARY:
        con.execute(f"DROP TABLE {name}")
    return scan


def _scan_both(con: duckdb.DuckDBPyConnection, plain: Plain) -> Scan:
    """Check the bytes in a thread while DuckDB scans them; a fault of the bytes speaks first.

    DuckDB reads the file to its end, which may lie beyond the log's where somebody appends meanwhile: what it
    reads there is left out, and where it stops there, the log's own bytes are read alone.
    """
    found: list[Scan] = []
    failed: list[BaseException] = []

    def check() -> None:
        try:
            found.append(scan_plain(plain))
        except BaseException as error:  # noqa: BLE001 - handed over to the caller's thread
            failed.append(error)

    checker = threading.Thread(target=check, name="check-log")
    checker.start()
    refused: Error | None = None
    try:
        con.execute(_RAW, {"path": plain.path})
    except Error as error:
        refused = error
    finally:
        checker.join()
    if failed:
        raise failed[0]
    scan = found[0]
    _refuse_faults(plain, scan)
    if refused is not None:
        _refuse_faults(plain, scan_plain(plain, exact=True))
        _scan_alone(con, plain)
    counted = con.execute("SELECT count(*) FROM raw").fetchone()
    if counted is not None and counted[0] != scan.n_lines:  # the log grew meanwhile
        con.execute("DELETE FROM raw WHERE rowid >= $n", {"n": scan.n_lines})
    return scan


def _scan_alone(con: duckdb.DuckDBPyConnection, plain: Plain) -> None:
    """Scan a copy of the log's bytes of this moment: nobody appends to that."""
    with own_folder(plain.names[0]) as folder:
        copy = folder / "log.jsonl"
        with room_for(plain.names[0]), copy.open("wb") as out:
            for _, run in log_lines(plain):
                out.write(run)
        try:
            con.execute(_RAW, {"path": str(copy)})
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


def _number_spellings(con: duckdb.DuckDBPyConnection) -> None:
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
    run_sql(con, __package__, "identifiers.sql")


def _look_at_values(con: duckdb.DuckDBPyConnection, plain: Plain, scan: Scan, faulty: Scan | None) -> None:
    suspects = [seq for (seq,) in con.execute(read_sql(__package__, "faults.sql").rstrip("; \n")).fetchall()]
    found = Scan() if faulty is None else faulty
    for seq, raw in lines_at(plain, scan.chunks, suspects):
        faults = check_line(raw, placed=found.has_room(seq)).faults
        if faults:
            found.add_bad(seq, faults)
    if faulty is None and found.bad:
        found.chunks = scan.chunks
        raise bad_lines(plain, problems_of(plain, found), found.n_bad_lines)


def _register_keys(con: duckdb.DuckDBPyConnection) -> None:
    """Statement keys and lookup keys are computed here, once, by the functions that candidates use too."""
    said = con.execute(
        "SELECT DISTINCT r.statement FROM claim_line WHERE r.statement IS NOT NULL ORDER BY ALL"
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
    asked = con.execute("SELECT DISTINCT r.scheme, r.lookup FROM error_line ORDER BY ALL").fetchall()
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
    con.execute(f"CREATE TEMP TABLE {name} AS SELECT {listed}", columns)


def lookup_key(scheme: str, lookup: str) -> str:
    """What a lookup asked for, in normal form where it is an id of any kind, else the text itself."""
    for hint in (None, scheme if scheme in NORMAL_FORM else None):
        try:
            return normalise(lookup, hint)
        except KeyFormatError:
            continue
    return lookup.strip()
