"""Declared results against the real result files: JSON, CSV and Parquet, inside one folder only.

Reads regular files whose real path lies inside the folder; no link leads out of it, nothing is fetched or
executed. A file that is missing is one fact, a file that says otherwise another. No network. No clock.
"""

from __future__ import annotations

import csv
import io
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.finding import Path as Place
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.json_source import parse_json
from novelty_kit.passport.pointer import resolve_pointer
from novelty_kit.passport.quantity import quantities, quantity_of
from novelty_kit.passport.read import read_bytes, read_text

__all__ = ["MAX_RESULT_BYTES", "Issue", "ResultFolder", "check_results"]

MAX_RESULT_BYTES: Final = 64 * 1024 * 1024

Kind = Literal["missing", "outside", "unreadable", "no_metric", "differs"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One declared result that its file does not bear out.

    ``missing`` is a file that is not there, ``outside`` a name that leads out of the folder, ``no_metric``
    a file without the metric, ``differs`` a file that holds another value.
    """

    kind: Kind
    finding: Finding


@dataclass(frozen=True, slots=True)
class _Fault:
    kind: Kind
    what: str
    expected: str


class ResultFolder:
    """The result files of one folder, each read once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.root = os.path.realpath(folder)
        if not Path(self.root).is_dir():
            raise InputError("the folder of results is no folder", path=os.fspath(folder), remedy="Name it with --results")
        self._files: dict[str, Any] = {}

    def values(self, file: str, metric: str | None) -> tuple[Any, ...] | _Fault:
        """The values of a metric in a file, or what stands in the way; all content where no metric is named."""
        if file not in self._files:
            self._files[file] = self._open(file)
        content = self._files[file]
        if isinstance(content, _Fault) or metric is None:
            return content if isinstance(content, _Fault) else ()
        values = _table_values(content, metric) if isinstance(content, _Table) else _json_values(content, metric)
        if values is None:
            return _Fault("no_metric", f"{shown(file)} holds no {shown(metric)}", "the metric, as key or as column")
        return values

    def _open(self, file: str) -> Any:
        outside = _Fault("outside", f"{shown(file)} is no file inside the folder of results", "a relative path in it")
        if not file or "\0" in file or "\\" in file or "://" in file or file.startswith(("/", "~")):
            return outside
        real = os.path.realpath(os.path.join(self.root, file))
        try:
            if os.path.commonpath([self.root, real]) != self.root:
                return outside
            mode = os.stat(real).st_mode
        except (OSError, ValueError):
            return _Fault("missing", f"{shown(file)} is not in the folder of results", "the file")
        if not stat.S_ISREG(mode):
            return _Fault("unreadable", f"{shown(file)} is no regular file", "a file")
        try:
            return _load(real)
        except DocumentError as error:
            return _Fault("unreadable", f"{shown(file)} cannot be read: {error.problem.what}", "JSON, CSV or Parquet")


@dataclass(frozen=True, slots=True)
class _Table:
    columns: dict[str, tuple[Any, ...]]


def _load(path: str) -> Any:
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        return _parquet(path)
    if suffix not in (".json", ".csv", ".tsv"):
        raise DocumentError(f"the suffix {shown(suffix)} is not one that results have", path=path)
    text = read_text(read_bytes(path, MAX_RESULT_BYTES), path)
    return parse_json(text, path) if suffix == ".json" else _csv(text, path, "\t" if suffix == ".tsv" else ",")


def _csv(text: str, path: str, delimiter: str) -> _Table:
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
    return _Table(dict(zip(header, columns, strict=True)))


def _parquet(path: str) -> _Table:
    import pyarrow as pa
    from pyarrow import parquet

    if os.path.getsize(path) > MAX_RESULT_BYTES:
        raise DocumentError("the file is larger than 64 MB", path=path)
    try:
        table = parquet.read_table(path)
        return _Table({name: tuple(table.column(name).to_pylist()) for name in table.column_names})
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise DocumentError(f"no Parquet: {type(error).__name__}", path=path) from error


def _table_values(table: _Table, metric: str) -> tuple[Any, ...] | None:
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


def check_results(index: PassportIndex, folder: str | os.PathLike[str]) -> Iterator[Issue]:
    """Every declared result that its real file does not bear out.

    Looks at the units that ran and name a file, at the files of negative results, and at pointers of
    alignment rows that name a file which no unit declares. A file with several values of a metric is held
    against the declared value only where none of them, nor their mean, is it.

    Raises
    ------
    InputError
        The folder does not exist.
    """
    files = ResultFolder(folder)
    for entry in index.rows("experiment_provenance"):
        for unit in entry.within("planned_vs_executed"):
            file = unit.text("result_file")
            if file is not None and unit.get("executed") is not False:
                yield from _unit_issues(files, unit.value, file, unit.path)
        for negative in entry.within("negative_results"):
            if (file := negative.text("result_file")) is not None:
                yield from _fault_issues(files.values(file, None), negative.at("result_file"))
    for row in index.rows("experiment_alignment_results"):
        pointer, entries = row.text("result_pointer"), index.experiments.get(row.text("experiment_id") or "", ())
        if pointer is None or any(resolve_pointer(pointer, entry.value).exists for entry in entries):
            continue
        file, mark, metric = pointer.rpartition("#")
        if mark and file:
            yield from _fault_issues(files.values(file, metric or None), row.at("result_pointer"))


def _fault_issues(values: tuple[Any, ...] | _Fault, path: Place) -> Iterator[Issue]:
    if isinstance(values, _Fault):
        yield Issue(values.kind, found("result", path, values.what, values.expected))


def _unit_issues(files: ResultFolder, unit: Any, file: str, path: Place) -> Iterator[Issue]:
    metric = unit.get("metric")
    values = files.values(file, metric if isinstance(metric, str) else None)
    if isinstance(values, _Fault):
        yield from _fault_issues(values, (*path, "result_file" if values.kind != "no_metric" else "metric"))
        return
    declared = unit.get("value")
    if isinstance(metric, str) and declared is not None and not _borne_out(declared, values):
        what = shown(values[0]) if len(values) == 1 else f"{len(values)} values, none of them it"
        finding = found(
            "result", (*path, "value"), f"declared {shown(declared)}, {shown(file)} holds {what}", "the value of the file"
        )
        yield Issue("differs", finding)


def _borne_out(declared: Any, values: Sequence[Any]) -> bool:
    """Whether a declared value is what the file holds, rounding as far as it is stated allowed."""
    if any(declared == value and type(declared) is type(value) for value in values):
        return True
    wanted = _stated(declared)
    if wanted is None:
        return any(str(declared) == str(value) for value in values)
    number, half_step = wanted
    held = [quantity.value for value in values if (quantity := quantity_of(_plain(value))) is not None]
    if len(held) > 1:
        held.append(sum(held, Decimal(0)) / len(held))
    return any(abs(number - value) <= half_step for value in held)


def _stated(declared: Any) -> tuple[Decimal, Decimal] | None:
    """A declared number with half a unit of its last stated place."""
    if isinstance(declared, bool):
        return None
    if isinstance(declared, (int, float)):
        number = Decimal(str(declared))
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int):
            return None
        return number, (Decimal(1).scaleb(exponent) / 2 if exponent < 0 else Decimal(0))
    if isinstance(declared, str):
        stated = quantities(declared)
        return (stated[0].value, stated[0].half_step) if len(stated) == 1 else None
    return None


def _plain(value: Any) -> Any:
    """Cells of a table are texts; a text that is nothing but a number counts as that number."""
    return value if isinstance(value, (int, float, str)) else None
