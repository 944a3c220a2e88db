"""The SQL that turns the log's lines into typed rows, and tells which lines an exact check must look at.

Made from `tables`, so that a column is described once. The proof that a line is sound needs no second parser: where a
line is exactly as long as the shortest that says what was read from it, nothing else can stand in it, be it an unknown
or repeated field, a blank or a value of another type. A line without that proof is doubted, not refused:
`lines.check_line` decides. Statements only; nothing is read or written here.
"""

from __future__ import annotations

from novelty_kit.graph.strict_json import MAX_LINE
from novelty_kit.graph.tables import NAMES, PLURALS, TABLES, Column, Table
from novelty_kit.keys import NORMAL_FORM

__all__ = ["CHECKED", "DOUBTED", "SOUND", "line_statements", "macros", "raw_statement"]

SOUND, DOUBTED, CHECKED = 0, 1, 2
"""Of a line: proven sound; to be looked at; to be checked exactly, whatever a fast check says."""

_EDGE = NAMES["citation_edge"]
_NOTES = ("actor", "task", "note")
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-]{_CLOCK})"
# NUL, which no text may hold, and U+001F, which the loader uses as a mark of its own.
_MARKS = r"\\u00(00|1[fF])"
# The reader takes a comma before a closing bracket, which is no JSON.
_LENIENT = r",[ \t\r\n]*[]}]"

# What proves itself a string by its value is read as text. Of all else the JSON tells whether it is one: a number, say,
# would read the same and be two quotes shorter.
_READ_AS = {"id": "VARCHAR", "time": "VARCHAR", "enum": "VARCHAR"}


def macros() -> list[str]:
    """What the statements below say more than once."""
    return [
        # The cast alone would take blanks, signs, zone names and a point for digits here and there.
        f"""
        CREATE OR REPLACE TEMP MACRO is_time(text) AS
        text IS NULL OR (regexp_full_match(text, '{_TIME}') AND TRY_CAST(upper(text) AS TIMESTAMPTZ) IS NOT NULL)
        """,
        # Blanks between tokens, and escapes that need not be, are undone where a line is longer than it must be.
        f"""
        CREATE OR REPLACE TEMP MACRO doubt_of(line, fits, length) AS
        CASE
            WHEN fits AND strlen(line) = length AND length <= {MAX_LINE} AND NOT contains(line, '\\u00') THEN {SOUND}
            WHEN fits AND strlen(json(line)) = length AND strlen(line) <= {MAX_LINE}
                AND NOT regexp_matches(line, '{_LENIENT}|{_MARKS}') THEN {SOUND}
            WHEN len(list_distinct(json_keys(line))) < len(json_keys(line))
                OR len(list_distinct(json_keys(line, '$.row'))) < len(json_keys(line, '$.row')) THEN {CHECKED}
            ELSE {DOUBTED}
        END::UTINYINT
        """,
        # A key that a paper holds is spelled scheme:id. What is no normal form so is kept apart by U+001F, which no id
        # holds.
        """
        CREATE OR REPLACE TEMP MACRO key_spelling(scheme, bare, normal) AS
        scheme || CASE WHEN regexp_full_match(scheme || ':' || bare, normal) THEN ':' ELSE chr(31) END || bare
        """,
    ]


def raw_statement() -> str:
    """Make ``raw``: one row a line, in order, so that rowid + 1 is its seq.

    An edge is read wholly; of other tables the line is kept, and doubted here for its time only. Reads the file of the
    parameter ``path``. No join may stand in it, nor what is planned as one, such as a long IN list: the order of the
    lines would be lost.
    """
    fields = [(column.name, _READ_AS.get(column.kind, "JSON")) for column in _EDGE.columns]
    fields += [(short, "VARCHAR") for short, _ in _EDGE.aliases]
    is_other = " OR ".join(f"one.table_name = '{table.name}'" for table in TABLES if table is not _EDGE)
    plurals = " ".join(f"WHEN '{plural}' THEN '{name}'" for plural, name in PLURALS.items())
    return f"""
    CREATE OR REPLACE TEMP TABLE raw AS
    SELECT
        read.table_name,
        read.gone,
        read.ts,
        coalesce(read.edge.citing_lom_id, read.edge.src) AS citing_lom_id,
        coalesce(read.edge.cited_lom_id, read.edge.dst) AS cited_lom_id,
        read.edge.source->>'$' AS source,
        read.edge.context->>'$' AS context,
        CASE WHEN read.is_edge THEN NULL ELSE read.line END AS record,
        strlen(read.line)::INTEGER AS size,
        CASE
            WHEN NOT read.is_timely THEN {CHECKED}
            WHEN read.is_other THEN {SOUND}
            ELSE doubt_of(read.line, read.fits, read.length)
        END AS doubt
    FROM (
        SELECT
            one.*,
            coalesce(one.table_name = '{_EDGE.name}', FALSE) AS is_edge,
            coalesce({is_other}, FALSE) AS is_other,
            coalesce(one.table_name = '{_EDGE.name}' AND one.fits_an_edge, FALSE) AS fits
        FROM (
            SELECT
                parsed.line,
                CASE e."table" {plurals} ELSE e."table" END AS table_name,
                e.op = 'delete' AS gone,
                TRY_CAST(upper(e.ts) AS TIMESTAMPTZ) AS ts,
                is_time(e.ts) AS is_timely,
                e."row" AS edge,
                {_fits(_EDGE)} AS fits_an_edge,
                {_length(_EDGE)} AS length
            FROM (
                SELECT every.json AS line, from_json(every.json, '{_spec(fields)}') AS e
                FROM read_ndjson_objects($path, compression = 'uncompressed') AS every
            ) AS parsed
        ) AS one
    ) AS read
    """  # noqa: S608 - made of our own names


def line_statements() -> list[str]:
    """Make ``<table>_line`` of each table but that of the edges: seq, gone, its columns as ``r``, doubt, ``keys``.

    ``keys`` are those of the row where it may have more of them than values; NULL where it has not. A paper's keys have
    their scheme before them.
    """
    return [_line_statement(table) for table in TABLES if table is not _EDGE]


def _line_statement(table: Table) -> str:
    fields = [(column.name, _READ_AS.get(column.kind, "JSON")) for column in table.columns]
    values = ", ".join(f"{column.name} := {_value(column)}" for column in table.columns)
    return f"""
    CREATE OR REPLACE TEMP TABLE {table.name}_line AS
    SELECT
        read.seq,
        read.gone,
        struct_pack({values}) AS r,
        read.doubt,
        CASE WHEN read.doubt > {SOUND} THEN json_keys(read.line, '$.row') END AS keys
    FROM (
        SELECT one.seq, one.gone, one.line, one.row, doubt_of(one.line, one.fits, one.length) AS doubt
        FROM (
            SELECT
                parsed.seq,
                parsed.gone,
                parsed.line,
                e."row" AS row,
                {_fits(table)} AS fits,
                {_length(table)} AS length
            FROM (
                SELECT
                    raw.rowid + 1 AS seq,
                    raw.gone,
                    raw.record AS line,
                    from_json(raw.record, '{_spec(fields)}') AS e
                FROM raw
                WHERE raw.table_name = '{table.name}'
            ) AS parsed
        ) AS one
    ) AS read
    """  # noqa: S608 - made of our own names


def _spec(row: list[tuple[str, str]]) -> str:
    """What is read of a line, as ``from_json`` takes it."""
    top = [("op", "VARCHAR"), ("table", "VARCHAR"), ("ts", "VARCHAR"), *((name, "JSON") for name in _NOTES)]
    named = [", ".join(f'"{name}": "{kind}"' for name, kind in fields) for fields in (top, row)]
    return f'{{{named[0]}, "row": {{{named[1]}}}}}'


def _length(table: Table) -> str:
    """How many bytes the shortest line takes that says what was read."""
    frame = len('{"op":"","table":"","row":{}}') - 1  # the first column has no comma before it
    sizes = [str(frame), "strlen(e.op)", 'strlen(e."table")', "coalesce(8 + strlen(e.ts), 0)"]
    sizes += [f"coalesce({4 + len(name)} + strlen(e.{name}), 0)" for name in _NOTES]
    for column in table.columns:
        around = len(column.name) + (6 if column.kind in _READ_AS else 4)
        sizes.append(f'coalesce({around} + strlen(e."row".{column.name}), 0)')
    return " + ".join(sizes)


def _fits(table: Table) -> str:
    """Whether all that was read of a line is of its type, and the key there."""
    facts = ["e.op IN ('upsert', 'delete')"]
    facts += [f"coalesce(starts_with(e.{name}::VARCHAR, '\"'), TRUE)" for name in _NOTES]
    facts += [f'e."row".{name} IS NOT NULL' for name in table.key]
    facts += [f"coalesce({fact}, TRUE)" for column in table.columns if (fact := _fact(column))]
    return f"coalesce({' AND '.join(facts)}, FALSE)"


def _fact(column: Column) -> str:
    """What must be true of a column's value, if there is one; empty where that is looked at elsewhere."""
    value = f'e."row".{column.name}'
    match column.kind:
        case "id":  # nothing but a string has a normal form
            return ""
        case "time":
            return f"is_time({value})"
        case "enum":
            return f"{value} IN ({', '.join(repr(one) for one in column.values)})"
        case "flag":
            return f"{value}::VARCHAR IN ('true', 'false')"
        case "count" | "integer":  # shorter than the largest allowed
            sign = "-?" if column.kind == "integer" else ""
            return f"regexp_full_match({value}::VARCHAR, '{sign}[0-9]{{1,15}}')"
    return f"starts_with({value}::VARCHAR, '\"')"


def _value(column: Column) -> str:
    value = f"read.row.{column.name}"
    match column.kind:
        case "id" | "time" | "enum":
            return value
        case "flag":
            return f"TRY_CAST({value}::VARCHAR AS BOOLEAN)"
        case "count" | "integer":
            return f"TRY_CAST({value}::VARCHAR AS BIGINT)"
    if column.scheme is not None:
        return f"key_spelling('{column.scheme}', {value}->>'$', {_quoted(NORMAL_FORM[column.scheme])})"
    return f"{value}->>'$'"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
