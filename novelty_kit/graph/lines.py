"""What a line of the event log must be: a fast check of whole blocks, an exact one of single lines.

The fast check only says which lines need a closer look; every fault that a person reads comes from the
exact check, so both give the same answer. Reads bytes, writes nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from novelty_kit.errors import KeyFormatError
from novelty_kit.graph.dates import is_date, is_time
from novelty_kit.graph.tables import NAMES, PLURALS, TABLES, Column, Table, nearly
from novelty_kit.keys import normalise
from novelty_kit.output import shorten

if TYPE_CHECKING:
    import msgspec

__all__ = ["MAX_LINE", "Fault", "Line", "check_line", "suspicious_lines"]

MAX_LINE = 15 * 2**20  # bytes; the reader below takes objects of at most 16 MiB

_TOP = ("op", "table", "row", "ts", "actor", "task", "note")
_MAX_COUNT = 2**53


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a line: what, at which byte column (from 1), and what to do."""

    what: str
    column: int = 1
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line as read: the event (None where there is none), its faults, and what it holds beyond the known."""

    event: dict[str, Any] | None
    faults: tuple[Fault, ...] = ()
    unknown: tuple[str, ...] = ()


class _Twice(ValueError):
    """A key stands twice in one object."""


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _column_of(raw: bytes, name: str, *, last: bool = False) -> int:
    """The byte column (from 1) where the key `name` stands in the line, or 1."""
    pattern = re.compile(re.escape(json.dumps(name).encode()) + rb"\s*:")
    places = [found.start() for found in pattern.finditer(raw)]
    return 1 + (places[-1 if last else 0] if places else 0)


def _shown(value: Any) -> str:
    try:
        return shorten(json.dumps(value, ensure_ascii=False), 60)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__


def _value_fault(column: Column, value: Any, *, upsert: bool) -> str | None:
    if value is None:
        return f"column '{column.name}' must not be null" if column.required and upsert else None
    expected: str
    if column.kind in ("flag", "count", "integer"):
        if column.kind == "flag":
            fine, expected = isinstance(value, bool), "true, false or null"
        else:
            fine = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_COUNT
            expected = "a whole number"
            if column.kind == "count":
                fine, expected = fine and value >= 0, "a whole number that is not negative"
        return None if fine else f"column '{column.name}' must be {expected}, got {_shown(value)}"
    if not isinstance(value, str):
        return f"column '{column.name}' must be a string, got {_shown(value)}"
    if column.kind == "enum" and value not in column.values:
        return f"column '{column.name}' must be one of {', '.join(column.values)}, got {_shown(value)}"
    if column.kind == "time" and not is_time(value):
        return f"column '{column.name}' must be a time such as 2026-09-03T00:00:00Z, got {_shown(value)}"
    if column.kind == "date" and not is_date(value):
        return f"column '{column.name}' must be a year, month or day that exists, got {_shown(value)}"
    if column.kind in ("id", "bare_id"):
        try:
            normalise(value, column.scheme)
        except KeyFormatError as error:
            return f"column '{column.name}': {error}"
    elif column.required and not value:
        return f"column '{column.name}' must not be empty"
    return None


def _row_faults(
    raw: bytes, table: Table, row: dict[str, Any], *, upsert: bool
) -> tuple[list[Fault], list[str]]:
    faults, unknown = [], []
    names = tuple(column.name for column in table.columns)
    aliases = dict(table.aliases)
    present = {}
    for name, value in row.items():
        known = aliases.get(name, name)
        if known not in names:
            meant = nearly(name, names)
            if meant:
                remedy = f"Did you mean '{meant}'?"
                faults.append(
                    Fault(
                        f"table '{table.name}' has no column '{shorten(name, 60)}'",
                        _column_of(raw, name),
                        remedy,
                    )
                )
            else:
                unknown.append(f"{table.name}.{name}")
        elif known in present:
            faults.append(Fault(f"column '{known}' is given twice, once as '{name}'", _column_of(raw, name)))
        else:
            present[known] = (name, value)
    for column in table.columns:
        in_key = column.name in table.key
        if column.name not in present:
            if in_key or (upsert and column.required):
                faults.append(
                    Fault(f"table '{table.name}' needs the column '{column.name}'", _column_of(raw, "row"))
                )
            continue
        name, value = present[column.name]
        if upsert or in_key:
            what = _value_fault(column, value, upsert=True)
            if what:
                faults.append(Fault(what, _column_of(raw, name, last=True)))
    status = present.get("status", ("", None))[1]
    if (
        table.name == "references_checked"
        and upsert
        and status == "ok"
        and present.get("n_refs", ("", None))[1] is None
    ):
        faults.append(
            Fault("column 'n_refs' must be a whole number where status is ok", _column_of(raw, "row"))
        )
    return faults, unknown


def _parse(raw: bytes) -> tuple[Any, Fault | None]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, Fault(
            f"no valid UTF-8 at byte offset {error.start} of the line (0x{raw[error.start]:02x})",
            error.start + 1,
            "Write the log as UTF-8",
        )
    if not text.strip():
        return None, Fault("a blank line", 1, "Every line must hold one event; remove it")
    if "\x00" in text:
        return None, Fault("a NUL byte", raw.index(b"\x00") + 1, "Text holds no NUL; the file may be damaged")
    try:
        value = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except _Twice as error:
        name = str(error)
        return None, Fault(
            f"the key '{shorten(name, 60)}' stands twice in one object", _column_of(raw, name, last=True)
        )
    except json.JSONDecodeError as error:
        column = len(text[: error.pos].encode("utf-8")) + 1
        return None, Fault(f"no JSON: {error.msg}", column, "Every line must be one JSON object")
    except RecursionError:
        return None, Fault("nested too deep to be an event", 1, "An event is an object with a flat row")
    except ValueError as error:
        return None, Fault(f"no JSON: {error}", 1, "NaN, Infinity and endless numbers are no JSON")
    return value, None


def check_line(raw: bytes) -> Line:
    """Check one line exactly.

    Parameters
    ----------
    raw : bytes
        The line without its newline; one final carriage return is tolerated.

    Returns
    -------
    Line
        All faults found in the line, not only the first.
    """
    raw = raw.removesuffix(b"\r")
    if len(raw) > MAX_LINE:
        return Line(
            None, (Fault(f"the line is longer than {MAX_LINE // 2**20} MiB", 1, "No event is that long"),)
        )
    event, fault = _parse(raw)
    if fault:
        return Line(None, (fault,))
    if not isinstance(event, dict):
        return Line(None, (Fault(f"an event must be a JSON object, got {_shown(event)}"),))
    try:
        plain = json.dumps(event, ensure_ascii=False)
        plain.encode("utf-8")
    except UnicodeEncodeError:
        return Line(None, (Fault("half a surrogate pair (\\ud800 to \\udfff) is no character"),))
    if "\\u0000" in plain and "\x00" in "".join(_strings(event)):
        return Line(
            None, (Fault("a NUL character (\\u0000)", raw.find(b"\\u0000") + 1, "Text holds no NUL"),)
        )
    faults: list[Fault] = []
    unknown: list[str] = []
    op = event.get("op")
    if op not in ("upsert", "delete"):
        faults.append(Fault(f"'op' must be upsert or delete, got {_shown(op)}", _column_of(raw, "op")))
    for name in ("ts", "actor", "task", "note"):
        value = event.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            faults.append(Fault(f"'{name}' must be a string, got {_shown(value)}", _column_of(raw, name)))
        elif name == "ts" and not is_time(value):
            what = f"'ts' must be a time such as 2026-09-03T00:00:00Z, got {_shown(value)}"
            faults.append(Fault(what, _column_of(raw, name)))
    name, row = event.get("table"), event.get("row")
    unknown += [f"({key})" for key in event if key not in _TOP]
    if not isinstance(row, dict):
        faults.append(Fault(f"'row' must be an object, got {_shown(row)}", _column_of(raw, "row")))
    if not isinstance(name, str):
        faults.append(Fault(f"'table' must be a string, got {_shown(name)}", _column_of(raw, "table")))
    elif (singular := PLURALS.get(name, name)) in NAMES:
        if isinstance(row, dict):
            row_faults, extra = _row_faults(raw, NAMES[singular], row, upsert=op != "delete")
            faults += row_faults
            unknown += extra
    elif meant := nearly(name, (*NAMES, *PLURALS)):
        remedy = f"Did you mean '{meant}'?"
        faults.append(Fault(f"no table is named '{shorten(name, 60)}'", _column_of(raw, "table"), remedy))
    else:
        unknown.append(f"{name}.*")
    return Line(None if faults else event, tuple(faults), tuple(unknown))


def _strings(value: Any) -> list[str]:
    """Every string in a parsed value, keys included, without recursion."""
    found, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            stack += [*item, *item.values()]
        elif isinstance(item, list):
            stack += item
    return found


def _annotation(column: Column, *, in_key: bool) -> Any:
    kinds: dict[str, Any] = {"flag": bool, "count": int, "integer": int}
    kind = kinds.get(column.kind, str)
    if column.kind == "enum":
        kind = Literal[column.values]
    return kind if in_key else kind | None


def _decoder(*, aliased: bool) -> msgspec.json.Decoder[Any]:
    """One tagged union of all tables; with `aliased`, edges are spelled with their short names."""
    import msgspec

    tops: list[Any] = []
    optional = [(name, str | None, None) for name in ("ts", "actor", "task", "note")]
    for table in TABLES:
        spelled = {known: short for short, known in table.aliases} if aliased else {}
        fields: list[Any] = [
            (spelled.get(c.name, c.name), _annotation(c, in_key=True))
            if c.name in table.key
            else (c.name, _annotation(c, in_key=False), None)
            for c in table.columns
        ]
        row = msgspec.defstruct(f"{table.name}_row", fields, forbid_unknown_fields=True, gc=False)
        for tag in (table.name, *(plural for plural, name in PLURALS.items() if name == table.name)):
            top: list[Any] = [("op", Literal["upsert", "delete"]), ("row", row), *optional]
            tops.append(
                msgspec.defstruct(tag, top, tag_field="table", tag=tag, forbid_unknown_fields=True, gc=False)
            )
    union: Any = tops[0]
    for top_type in tops[1:]:
        union = union | top_type
    return msgspec.json.Decoder(union)


@cache
def _decoders() -> tuple[msgspec.json.Decoder[Any], ...]:
    return _decoder(aliased=False), _decoder(aliased=True)


def suspicious_lines(block: bytes) -> list[int]:
    """Which lines of a block need the exact check.

    Parameters
    ----------
    block : bytes
        Whole lines, each with its newline.

    Returns
    -------
    list of int
        Indices from 0 of the lines that are no event of a known table with known columns of the right JSON
        type. Values (ids, dates, times) and keys that stand twice are looked at by the loader.
    """
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    n_lines = block.count(b"\n")
    framed = block.startswith(b"{") and block.endswith(b"}\n") and block.count(b"}\n{") == n_lines - 1
    if framed and b"\\u0000" not in block:
        for decoder in _decoders():
            try:
                if len(decoder.decode_lines(block)) == n_lines:
                    return []
            except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
                continue
    suspects = []
    for index, line in enumerate(block.split(b"\n")[:-1]):
        if not line.startswith(b"{") or len(line) > MAX_LINE or b"\\u0000" in line or not _decodes(line):
            suspects.append(index)
    return suspects


def _decodes(line: bytes) -> bool:
    for decoder in _decoders():
        try:
            decoder.decode(line)
        except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
            continue
        return True
    return False
