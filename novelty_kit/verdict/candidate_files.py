"""Candidates from files and frames: JSON, JSON Lines, Parquet, CSV (novelty reference, section 4).

Reads one file; writes nothing. Malformed candidates are all listed before anything is judged.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from novelty_kit.errors import CandidateError, Problem
from novelty_kit.verdict.candidate import KEY_FIELDS, Candidate, read_candidate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["load_candidates", "read_candidates"]

_LISTS = ("holdout_lom_ids", "references")
_MAX_BYTES = 512 * 2**20
_BOM = "\ufeff"


class _Twice(ValueError):
    pass


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(f"the key '{next(n for n in names if names.count(n) > 1)}' stands twice in one object")
    return record


def _no_constant(name: str) -> NoReturn:
    raise _Twice(f"{name} is not JSON")


def _parse(text: str, path: str, line: int | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise CandidateError(f"no JSON: {error.msg}", path=path, line=at, column=error.colno) from None
    except RecursionError:
        raise CandidateError("nested too deep to be a candidate", path=path, line=line) from None
    except ValueError as error:
        raise CandidateError(str(error), path=path, line=line) from None


def _text(path: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_MAX_BYTES + 1) if path == "-" else _bytes(path)
    except FileNotFoundError:
        raise CandidateError(
            "no such file", path=path, remedy="Give a file of candidates, or an id such as arxiv:2408.06292"
        ) from None
    except OSError as error:
        raise CandidateError(f"cannot be read: {error.strerror or error}", path=path) from error
    if len(raw) > _MAX_BYTES:
        raise CandidateError(
            f"is larger than {_MAX_BYTES // 2**20} MiB", path=path, remedy="Split it, or give Parquet"
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise CandidateError(f"no valid UTF-8 at byte offset {error.start}", path=path, line=line) from None
    if "\x00" in text:
        raise CandidateError("holds a NUL byte", path=path, line=text[: text.index("\x00")].count("\n") + 1)
    return text.removeprefix(_BOM)


def _bytes(path: str) -> bytes:
    if Path(path).is_dir():
        raise CandidateError("is a directory, not a file of candidates", path=path)
    with open(path, "rb") as stream:
        return stream.read(_MAX_BYTES + 1)


def _json_records(text: str, path: str) -> Iterator[tuple[int | None, Any]]:
    """One document (an object or an array), or one object a line."""
    head = text.lstrip()[:1]
    lines = text.split("\n")
    if head == "[":
        for record in _parse(text, path, None):
            yield None, record
        return
    if head == "{" and not _is_whole(lines[0]):
        yield 1, _parse(text, path, None)
        return
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, _parse(line, path, number)
        elif number < len(lines):
            raise CandidateError("a blank line", path=path, line=number, remedy="Give one candidate a line")


def _is_whole(line: str) -> bool:
    """Whether the first line is a JSON value of its own, so that the file is JSON Lines."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _csv_records(text: str, path: str) -> Iterator[tuple[int | None, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if len(set(header)) != len(header):
            raise CandidateError("a column stands twice in the header", path=path, line=1)
        for row in reader:
            if len(row) != len(header):
                what = f"{len(row)} cells under {len(header)} columns"
                raise CandidateError(what, path=path, line=reader.line_num)
            yield reader.line_num, _from_cells(dict(zip(header, row, strict=True)), path, reader.line_num)
    except csv.Error as error:
        raise CandidateError(f"no CSV: {error}", path=path, line=reader.line_num) from None


def _from_cells(cells: Mapping[str, str], path: str, line: int) -> dict[str, Any]:
    """An empty cell is an absent field; lists stand as JSON or split by semicolons."""
    record: dict[str, Any] = {}
    for name, cell in cells.items():
        text = cell.strip()
        if not text:
            continue
        short = name.removeprefix("keys.")
        if short in KEY_FIELDS:
            record.setdefault("keys", {})[short] = text
        elif name in _LISTS:
            listed = _parse(text, path, line) if text.startswith("[") else text.split(";")
            record[name] = [item.strip() if isinstance(item, str) else item for item in listed if item != ""]
        elif name in ("keys", "references_checked"):
            record[name] = {**record.get(name, {}), **_object(text, path, line)}
        elif name == "leave_out" and text.lower() in ("true", "false"):
            record[name] = text.lower() == "true"
        else:
            record[name] = cell
    return record


def _object(text: str, path: str, line: int) -> dict[str, Any]:
    value = _parse(text, path, line)
    if not isinstance(value, dict):
        raise CandidateError("must be a JSON object", path=path, line=line)
    return value


def _parquet_records(path: str) -> Iterator[tuple[int | None, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except FileNotFoundError:
        raise CandidateError("no such file", path=path) from None
    except (OSError, pa.ArrowException) as error:
        raise CandidateError(f"no Parquet: {str(error).splitlines()[0]}", path=path) from None
    for number, row in enumerate(table.to_pylist(), 1):
        yield number, _without_nulls(row)


def _without_nulls(row: Mapping[str, Any]) -> dict[str, Any]:
    """A null in a column is an absent field; keys may stand in columns of their own."""
    record: dict[str, Any] = {}
    for name, value in row.items():
        short = name.removeprefix("keys.")
        if value is None:
            continue
        if short in KEY_FIELDS:
            record.setdefault("keys", {})[short] = value
        elif name == "keys" and isinstance(value, Mapping):
            record.setdefault("keys", {}).update(value)
        elif name == "references_checked" and isinstance(value, Mapping):
            record[name] = {key: item for key, item in value.items() if item is not None}
        else:
            record[name] = value
    return record


def read_candidates(
    records: Iterable[tuple[int | None, Any]], path: str | None = None, *, skip_bad: bool = False
) -> tuple[list[Candidate], list[Problem]]:
    """Check many records; all problems are collected.

    Parameters
    ----------
    records : iterable of (line or None, record)
    path : str, optional
        For the problems.
    skip_bad : bool
        Give the good candidates beside the problems instead of an error.

    Raises
    ------
    CandidateError
        A record is malformed, or two candidates have one ``id``.
    """
    found: list[Candidate] = []
    problems: list[Problem] = []
    lines: dict[str, int | None] = {}
    for line, record in records:
        try:
            candidate = read_candidate(record, path=path, line=line)
        except CandidateError as error:
            problems += error.problems or (error.problem,)
            continue
        if candidate.label is not None and candidate.label in lines:
            first = lines[candidate.label]
            what = f"the id '{candidate.label}' stands twice" + (f", first in line {first}" if first else "")
            problems.append(Problem(what, path, line, None, "/id", "Give each candidate an id of its own"))
            continue
        if candidate.label is not None:
            lines[candidate.label] = line
        found.append(candidate)
    if problems and not skip_bad:
        first_problem = problems[0]
        raise CandidateError(
            first_problem.what,
            path=path,
            line=first_problem.line,
            pointer=first_problem.pointer,
            remedy=first_problem.remedy,
            problems=problems if len(problems) > 1 else (),
            n_problems=len(problems),
        )
    return found, problems


def load_candidates(path: str, *, skip_bad: bool = False) -> tuple[list[Candidate], list[Problem]]:
    """Load a file of candidates by its suffix: .json, .jsonl, .parquet, .csv; ``-`` is JSON on standard input.

    Returns
    -------
    candidates, problems
        Problems are empty unless `skip_bad`.

    Raises
    ------
    CandidateError
        The file cannot be read, is empty, or holds malformed candidates; all of them are listed.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        records = list(_parquet_records(path))
    elif suffix == ".csv":
        records = list(_csv_records(_text(path), path))
    else:
        records = list(_json_records(_text(path), path))
    if not records:
        raise CandidateError("holds no candidate", path=path, remedy="Give one candidate a line")
    return read_candidates(records, path, skip_bad=skip_bad)


def candidates_of(given: Any) -> list[Candidate]:
    """Candidates from a path, a frame, or an iterable of records."""
    if isinstance(given, str | Path):
        return load_candidates(str(given))[0]
    if hasattr(given, "to_dict") and hasattr(given, "columns"):
        frame: pd.DataFrame = given
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        given = [_without_nulls({str(name): _plain(value) for name, value in row.items()}) for row in rows]
    return read_candidates((number, record) for number, record in enumerate(given, 1))[0]


def _plain(value: Any) -> Any:
    """A cell of a frame without its array types."""
    return value.tolist() if hasattr(value, "tolist") else value
