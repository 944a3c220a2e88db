"""What a line of the event log must be, checked exactly.

Every fault of a line that a person reads is worded here; the fast check of whole blocks (`suspects`) and the
loader only say which lines to look at, so all three give the same answer. Reads bytes, writes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from novelty_kit.errors import KeyFormatError
from novelty_kit.graph.dates import is_date, is_time
from novelty_kit.graph.places import Places
from novelty_kit.graph.strict_json import MAX_LINE, Fault, parse_line
from novelty_kit.graph.tables import NAMES, PLURALS, Column, Table, nearly
from novelty_kit.keys import normalise
from novelty_kit.output import shorten

__all__ = ["MAX_COUNT", "MAX_LINE", "Fault", "Line", "check_line"]

MAX_COUNT = 2**53

_TOP = ("op", "table", "row", "ts", "actor", "task", "note")


@dataclass(frozen=True, slots=True)
class Line:
    """A line as read.

    Attributes
    ----------
    event : dict or None
        None where the line has a fault.
    faults : tuple of Fault
        All of them.
    unknown : tuple of str
        What it holds beyond the known: ``table.column``, ``table.*``, ``(field)``.
    """

    event: dict[str, Any] | None
    faults: tuple[Fault, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def is_torn(self) -> bool:
        """Whether it does not parse, as what a torn write leaves at the end of a log does not."""
        return any(not fault.parses for fault in self.faults)


def _shown(value: Any) -> str:
    return shorten(json.dumps(value, ensure_ascii=False), 60)


def _held(record: dict[str, Any], name: str) -> str:
    return _shown(record[name]) if name in record else "nothing"


def _value_fault(column: Column, value: Any, *, needed: bool) -> str | None:
    if value is None:
        return f"column '{column.name}' must not be null" if needed else None
    expected: str
    if column.kind in ("flag", "count", "integer"):
        if column.kind == "flag":
            fine, expected = isinstance(value, bool), "true, false or null"
        else:
            fine = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_COUNT
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
    places: Places, table: Table, row: dict[str, Any], *, upsert: bool
) -> tuple[list[Fault], list[str]]:
    faults, unknown = [], []
    names = tuple(column.name for column in table.columns)
    aliases = dict(table.aliases)
    present: dict[str, tuple[str, Any]] = {}
    for name, value in row.items():
        known = aliases.get(name, name)
        if known not in names:
            meant = nearly(name, names)
            if meant:
                what = f"table '{table.name}' has no column '{shorten(name, 60)}'"
                faults.append(Fault(what, places.of("row", name), f"Did you mean '{meant}'?"))
            else:
                unknown.append(f"{table.name}.{shorten(name, 60)}")
        elif known in present:
            what = f"column '{known}' is given twice, as '{present[known][0]}' and as '{name}'"
            faults.append(Fault(what, places.of("row", name)))
        else:
            present[known] = (name, value)
    for column in table.columns:
        in_key = column.name in table.key
        if column.name not in present:
            if in_key or (upsert and column.required):
                what = f"table '{table.name}' needs the column '{column.name}'"
                faults.append(Fault(what, places.of("row")))
            continue
        name, value = present[column.name]
        fault = _value_fault(column, value, needed=in_key or (upsert and column.required))
        if fault:
            faults.append(Fault(fault, places.of("row", name)))
    status, n_refs = (present.get(name, ("", None))[1] for name in ("status", "n_refs"))
    if table.name == "references_checked" and upsert and status == "ok" and n_refs is None:
        faults.append(Fault("column 'n_refs' must be a whole number where status is ok", places.of("row")))
    return faults, unknown


def check_line(raw: bytes, *, placed: bool = True) -> Line:
    """Check one line exactly.

    Parameters
    ----------
    raw : bytes
        The line without its newline; one final carriage return is tolerated.
    placed : bool
        Say in which column each fault stands; False where only the number of faults is wanted.

    Returns
    -------
    Line
        All faults found in the line, not only the first.
    """
    raw = raw.removesuffix(b"\r")
    event, fault = parse_line(raw)
    if fault:
        return Line(None, (fault,))
    if not isinstance(event, dict):
        return Line(None, (Fault(f"an event must be a JSON object, got {_shown(event)}"),))
    places = Places(raw if placed else b"")
    faults = _top_faults(places, event)
    unknown = [f"({shorten(key, 60)})" for key in event if key not in _TOP]
    name, row = event.get("table"), event.get("row")
    if not isinstance(row, dict):
        faults.append(Fault(f"'row' must be an object, got {_held(event, 'row')}", places.of("row")))
    if not isinstance(name, str) or not name:
        what = f"'table' must be the name of a table, got {_held(event, 'table')}"
        faults.append(Fault(what, places.of("table")))
    elif (singular := PLURALS.get(name, name)) in NAMES:
        if isinstance(row, dict):
            row_faults, extra = _row_faults(places, NAMES[singular], row, upsert=event.get("op") != "delete")
            faults += row_faults
            unknown += extra
    elif meant := nearly(name, (*NAMES, *PLURALS)):
        what = f"no table is named '{shorten(name, 60)}'"
        faults.append(Fault(what, places.of("table"), f"Did you mean '{meant}'?"))
    else:
        unknown.append(f"{shorten(name, 60)}.*")
    return Line(None if faults else event, tuple(faults), tuple(unknown))


def _top_faults(places: Places, event: dict[str, Any]) -> list[Fault]:
    faults = []
    op = event.get("op")
    if op not in ("upsert", "delete"):
        faults.append(Fault(f"'op' must be upsert or delete, got {_held(event, 'op')}", places.of("op")))
    for name in ("ts", "actor", "task", "note"):
        value = event.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            faults.append(Fault(f"'{name}' must be a string, got {_shown(value)}", places.of(name)))
        elif name == "ts" and not is_time(value):
            what = f"'ts' must be a time such as 2026-09-03T00:00:00Z, got {_shown(value)}"
            faults.append(Fault(what, places.of(name)))
    return faults
