"""Candidates from files and frames: JSON, JSON Lines, Parquet, CSV (novelty reference, section 4).

Reads one file; writes nothing. Malformed candidates are all listed before anything is judged.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import CandidateError, Problem
from novelty_kit.output import shorten
from novelty_kit.verdict.candidate import KEY_FIELDS, Candidate, read_candidate
from novelty_kit.verdict.candidate_json import Found, Given, json_records, parse_json

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Found", "Given", "candidates_of", "load_candidates", "load_records", "read_candidates"]

_LISTS = ("holdout_lom_ids", "references")
_MAX_BYTES = 512 * 2**20
_BOM = "\ufeff"


def _text(path: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_MAX_BYTES + 1) if path == "-" else _bytes(path)
    except FileNotFoundError:
        remedy = "Give a file of candidates, or an id such as arxiv:2408.06292"
        raise CandidateError("no such file", path=path, remedy=remedy) from None
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
    _refuse_folder(path)
    with Path(path).open("rb") as stream:
        return stream.read(_MAX_BYTES + 1)


def _refuse_folder(path: str) -> None:
    if Path(path).is_dir():
        raise CandidateError("is a directory, not a file of candidates", path=path)


def _csv_records(text: str, path: str) -> Iterator[Found]:
    import csv

    before = csv.field_size_limit(_MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if len(set(header)) != len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise CandidateError(
                f"the column '{shorten(twice, 60)}' stands twice in the header", path=path, line=1
            )
        line = reader.line_num + 1
        for row in reader:
            yield _csv_record(header, row, path, line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise CandidateError(f"no CSV: {error}", path=path, line=reader.line_num) from None
    finally:
        csv.field_size_limit(before)


def _csv_record(header: list[str], row: list[str], path: str, line: int) -> Found:
    if not row:
        return Problem("a blank line", path, line, None, None, "Give one candidate a line")
    if len(row) != len(header):
        return Problem(f"{len(row)} cells under {len(header)} columns", path, line)
    try:
        return Given(_from_cells(dict(zip(header, row, strict=True)), path, line), line)
    except CandidateError as error:
        return error.problem


def _from_cells(cells: Mapping[str, str], path: str, line: int) -> dict[str, Any]:
    """An empty cell is an absent field; lists stand as JSON or split by semicolons."""
    record: dict[str, Any] = {}
    for name, cell in cells.items():
        text = cell.strip()
        if not text:
            continue
        if name.removeprefix("keys.") in KEY_FIELDS:
            _put_key(record, name.removeprefix("keys."), text, path, line)
        elif name in _LISTS:
            listed = _json_cell(name, text, path, line) if text.startswith("[") else text.split(";")
            record[name] = [item.strip() for item in listed if item.strip()] if text[0] != "[" else listed
        elif name == "keys":
            for scheme, value in _object(name, text, path, line).items():
                _put_key(record, scheme, value, path, line)
        elif name == "references_checked":
            record[name] = _object(name, text, path, line)
        elif name == "leave_out" and text.lower() in ("true", "false"):
            record[name] = text.lower() == "true"
        else:
            record[name] = cell
    return record


def _put_key(record: dict[str, Any], scheme: str, value: Any, path: str | None, line: int | None) -> None:
    keys = record.setdefault("keys", {})
    if value is not None and keys.get(scheme, value) != value:
        raise CandidateError(
            "two columns give this key two values", path=path, line=line, pointer=f"/keys/{scheme}"
        )
    keys.setdefault(scheme, value)


def _json_cell(name: str, text: str, path: str, line: int) -> Any:
    try:
        return parse_json(text, path, line)
    except CandidateError as error:
        raise CandidateError(error.problem.what, path=path, line=line, pointer=f"/{name}") from None


def _object(name: str, text: str, path: str, line: int) -> dict[str, Any]:
    value = _json_cell(name, text, path, line)
    if not isinstance(value, dict):
        raise CandidateError("must be a JSON object", path=path, line=line, pointer=f"/{name}")
    return value


def _parquet_records(path: str) -> Iterator[Found]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    _refuse_folder(path)
    try:
        rows = pq.ParquetFile(path).read().to_pylist()
    except FileNotFoundError:
        raise CandidateError("no such file", path=path) from None
    except (OSError, ValueError, pa.ArrowException) as error:
        raise CandidateError(f"no Parquet: {str(error).splitlines()[0]}", path=path) from None
    for number, row in enumerate(rows, 1):
        try:
            yield Given(_without_nulls(row, path, number), number)
        except CandidateError as error:
            yield error.problem


def _without_nulls(
    row: Mapping[str, Any], path: str | None = None, line: int | None = None
) -> dict[str, Any]:
    """A null in a column is an absent field; keys may stand in columns of their own."""
    record: dict[str, Any] = {}
    for name, value in row.items():
        if value is None:
            continue
        if name.removeprefix("keys.") in KEY_FIELDS:
            _put_key(record, name.removeprefix("keys."), value, path, line)
        elif name == "keys" and isinstance(value, Mapping):
            for scheme, key in value.items():
                _put_key(record, scheme, key, path, line)
        elif name == "references_checked" and isinstance(value, Mapping):
            record[name] = {key: item for key, item in value.items() if item is not None}
        else:
            record[name] = value
    return record


def read_candidates(
    records: Iterable[Found], path: str | None = None, *, skip_bad: bool = False
) -> tuple[list[Candidate], list[Problem]]:
    """Check many records; all problems are collected.

    Parameters
    ----------
    records : iterable of Given or Problem
        Records with their places; a problem is a record that could not be read at all.
    path : str, optional
        For the problems.
    skip_bad : bool
        Give the good candidates beside the problems instead of an error.

    Raises
    ------
    CandidateError
        A record is malformed, or two candidates have one ``id``; with `skip_bad` only if none is left.
    """
    found: list[Candidate] = []
    problems: list[Problem] = []
    first_at: dict[str, int | None] = {}
    for given in records:
        if isinstance(given, Problem):
            problems.append(given)
            continue
        try:
            candidate = read_candidate(given.record, path=path, line=given.line, at=given.pointer)
        except CandidateError as error:
            problems += error.problems or (error.problem,)
            continue
        label = candidate.label
        if label is not None and label in first_at:
            line = first_at[label]
            what = f"the id '{shorten(label, 60)}' stands twice" + (f", first in line {line}" if line else "")
            remedy = "Give each candidate an id of its own"
            problems.append(Problem(what, path, given.line, None, f"{given.pointer}/id", remedy))
            continue
        if label is not None:
            first_at[label] = given.line
        found.append(candidate)
    if problems and (not skip_bad or not found):
        first = problems[0]
        raise CandidateError(
            first.what,
            path=first.path,
            line=first.line,
            column=first.column,
            pointer=first.pointer,
            remedy=first.remedy,
            problems=problems if len(problems) > 1 else (),
            n_problems=len(problems),
        )
    return found, problems


def load_candidates(path: str, *, skip_bad: bool = False) -> tuple[list[Candidate], list[Problem]]:
    """Load a file of candidates by its suffix: .json, .jsonl, .parquet or .csv; ``-`` is JSON on stdin.

    Returns
    -------
    candidates, problems
        Problems are empty unless `skip_bad`.

    Raises
    ------
    CandidateError
        The file cannot be read, is empty, or holds malformed candidates; all of them are listed.
    """
    return read_candidates(load_records(path), path, skip_bad=skip_bad)


def load_records(path: str) -> list[Found]:
    """The records of a file before they are checked: each with its place, or the reason why there is none.

    Raises
    ------
    CandidateError
        The file cannot be read, or holds nothing.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        records = list(_parquet_records(path))
    elif suffix == ".csv":
        records = list(_csv_records(_text(path), path))
    else:
        records = list(json_records(_text(path), path))
    if not records:
        raise CandidateError("holds no candidate", path=path, remedy="Give one candidate a line")
    return records


def candidates_of(given: Any) -> list[Candidate]:
    """Candidates from a path, a frame, or an iterable of records."""
    if isinstance(given, str | Path):
        return load_candidates(str(given))[0]
    if hasattr(given, "to_dict") and hasattr(given, "columns"):
        frame: pd.DataFrame = given
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        given = [_without_nulls({str(name): _plain(value) for name, value in row.items()}) for row in rows]
    return read_candidates(Given(record, None, f"/{number}") for number, record in enumerate(given))[0]


def _plain(value: Any) -> Any:
    """A cell of a frame without its array types."""
    return value.tolist() if hasattr(value, "tolist") else value
