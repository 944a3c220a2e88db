"""Result files: JSON, CSV, TSV and Parquet, and the values of a metric in them.

Reads the one file it is given; strict about duplicate keys, headers and row lengths. No network. No clock.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.passport.json_source import parse_json
from novelty_kit.passport.read import read_bytes, read_text

__all__ = ["MAX_RESULT_BYTES", "RESULT_SUFFIXES", "load_result", "metric_values"]

MAX_RESULT_BYTES: Final = 64 * 1024 * 1024

RESULT_SUFFIXES: Final = (".json", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True, slots=True)
class Table:
    """A table's columns by name."""

    columns: dict[str, tuple[Any, ...]]


def load_result(path: str) -> Any:
    """The content of a file with one of the known suffixes: JSON as it is, a table by columns."""
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        return _parquet(path)
    text = read_text(read_bytes(path, MAX_RESULT_BYTES), path)
    return (
        parse_json(text, path) if suffix == ".json" else _csv(text, path, "\t" if suffix == ".tsv" else ",")
    )


def _csv(text: str, path: str, delimiter: str) -> Table:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        rows = [row for row in reader if row]
    except csv.Error as error:
        raise DocumentError(f"no CSV: {error}", path=path, line=reader.line_num) from None
    if not header or len(set(header)) < len(header):
        raise DocumentError("the CSV has no header, or one name twice", path=path, line=1)
    if any(len(row) != len(header) for row in rows):
        raise DocumentError("a CSV row has another length than the header", path=path)
    columns = zip(*rows, strict=True) if rows else (() for _ in header)
    return Table(dict(zip(header, columns, strict=True)))


def _parquet(path: str) -> Table:
    import pyarrow as pa
    from pyarrow import parquet

    if Path(path).stat().st_size > MAX_RESULT_BYTES:
        raise DocumentError("the file is larger than 64 MB", path=path)
    try:
        table = parquet.read_table(path)
        return Table({name: tuple(table.column(name).to_pylist()) for name in table.column_names})
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise DocumentError(f"no Parquet: {type(error).__name__}", path=path) from error


def _table_values(table: Table, metric: str) -> tuple[Any, ...] | None:
    """A column of that name; else, in a table of metric and value, the values of its rows."""
    if metric in table.columns:
        return table.columns[metric]
    names, values = table.columns.get("metric"), table.columns.get("value")
    if names is None or values is None:
        return None
    picked = tuple(value for name, value in zip(names, values, strict=True) if name == metric)
    return picked or None


def _json_values(content: Any, metric: str) -> tuple[Any, ...] | None:
    """The member of that name: at the top, by dots, by a JSON Pointer, or in every record of a list."""
    if isinstance(content, list):
        if content and all(isinstance(record, dict) and metric in record for record in content):
            return tuple(record[metric] for record in content)
        return None
    parts = (
        [part.replace("~1", "/").replace("~0", "~") for part in metric[1:].split("/")]
        if metric.startswith("/")
        else [metric]
    )
    for way in (parts, metric.split(".")):
        value: Any = content
        for part in way:
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part[:9]) < len(value):
                value = value[int(part[:9])]
            else:
                break
        else:
            return (value,)
    return None


def metric_values(content: Any, metric: str) -> tuple[Any, ...] | None:
    """The values of a metric in a loaded file, in order; None where the file has no such metric."""
    return _table_values(content, metric) if isinstance(content, Table) else _json_values(content, metric)
