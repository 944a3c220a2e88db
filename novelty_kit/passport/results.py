"""Declared results against the real result files: JSON, CSV and Parquet, inside one folder only.

Reads regular files whose real path lies inside the folder; no link leads out of it, nothing is fetched or
executed. A file that is missing is one fact, a file that says otherwise another. No network. No clock.
"""

from __future__ import annotations

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
from novelty_kit.passport.pointer import resolve_pointer
from novelty_kit.passport.quantity import quantities, quantity_of
from novelty_kit.passport.result_files import RESULT_SUFFIXES, load_result, metric_values

__all__ = ["MAX_RESULT_BYTES", "Issue", "ResultFolder", "check_results"]

MAX_RESULT_BYTES: Final = 64 * 1024 * 1024

Kind = Literal["missing", "unread", "outside", "unreadable", "no_metric", "differs"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One declared result that its file does not bear out.

    ``missing`` is a file that is not there and ``unread`` one in another format: neither says anything
    against the declaration. ``outside`` is a name that leads out of the folder, ``no_metric`` a file without
    the metric, ``differs`` a file that holds another value.
    """

    kind: Kind
    finding: Finding


@dataclass(frozen=True, slots=True)
class Fault:
    kind: Kind
    what: str
    expected: str


class ResultFolder:
    """The result files of one folder, each read once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        # A name with a zero byte is no folder either.
        self.root = "" if "\0" in os.fspath(folder) else os.path.realpath(folder)
        if not self.root or not Path(self.root).is_dir():
            raise InputError(
                "the folder of results is no folder", path=os.fspath(folder), remedy="Name it with --results"
            )
        self._paths: dict[str, str | Fault] = {}
        self._contents: dict[str, Any] = {}

    def locate(self, file: str) -> str | Fault:
        """The real path of a regular file inside the folder, or what stands in the way."""
        if file not in self._paths:
            self._paths[file] = self._locate(file)
        return self._paths[file]

    def _locate(self, file: str) -> str | Fault:
        outside = Fault("outside", f"{shown(file)} is no file inside the folder of results", "a path in it")
        if not file or "\0" in file or "\\" in file or "://" in file or file.startswith(("/", "~")):
            return outside
        try:
            real = os.path.realpath(Path(self.root) / file)
            if os.path.commonpath([self.root, real]) != self.root:
                return outside
            mode = Path(real).stat().st_mode
        except (OSError, ValueError):
            return Fault("missing", f"{shown(file)} is not in the folder of results", "the file")
        if not stat.S_ISREG(mode):
            return Fault("unreadable", f"{shown(file)} is no regular file", "a file")
        return real

    def values(self, file: str, metric: str) -> tuple[Any, ...] | Fault:
        """The values of a metric in a file, or what stands in the way."""
        path = self.locate(file)
        if isinstance(path, Fault):
            return path
        if file not in self._contents:
            self._contents[file] = _content(path, file)
        content = self._contents[file]
        if isinstance(content, Fault):
            return content
        values = metric_values(content, metric)
        if values is None:
            what = f"{shown(file)} holds no {shown(metric)}"
            return Fault("no_metric", what, "the metric, as key or as column")
        return values


def _content(path: str, file: str) -> Any:
    if Path(path).suffix.lower() not in RESULT_SUFFIXES:
        what = f"{shown(file)} is in a format that is not read"
        return Fault("unread", what, "one of " + ", ".join(RESULT_SUFFIXES))
    try:
        return load_result(path)
    except DocumentError as error:
        what = f"{shown(file)} cannot be read: {error.problem.what}"
        return Fault("unreadable", what, "a sound file")


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
                yield from _fault_issues(files.locate(file), negative.at("result_file"))
    for row in index.rows("experiment_alignment_results"):
        pointer, entries = (
            row.text("result_pointer"),
            index.experiments.get(row.text("experiment_id") or "", ()),
        )
        if pointer is None or any(resolve_pointer(pointer, entry.value).exists for entry in entries):
            continue
        file, mark, metric = pointer.rpartition("#")
        if mark and file:
            seen = files.values(file, metric) if metric else files.locate(file)
            yield from _fault_issues(seen, row.at("result_pointer"))


def _fault_issues(values: object, path: Place) -> Iterator[Issue]:
    if isinstance(values, Fault):
        yield Issue(values.kind, found("result", path, values.what, values.expected))


def _unit_issues(files: ResultFolder, unit: Any, file: str, path: Place) -> Iterator[Issue]:
    metric = unit.get("metric")
    if not isinstance(metric, str):
        yield from _fault_issues(files.locate(file), (*path, "result_file"))
        return
    values = files.values(file, metric)
    if isinstance(values, Fault):
        yield from _fault_issues(values, (*path, "metric" if values.kind == "no_metric" else "result_file"))
        return
    declared = unit.get("value")
    if declared is not None and not _borne_out(declared, values):
        what = shown(values[0]) if len(values) == 1 else f"{len(values)} values, none of them it"
        finding = found(
            "result",
            (*path, "value"),
            f"declared {shown(declared)}, {shown(file)} holds {what}",
            "the value of the file",
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
