"""Files of records: JSON, JSON lines and their compressed forms, read one record at a time.

A file of a million works takes the memory of one: lines are read singly, only a file that is one JSON
document is read whole. Each record comes with its place; what cannot be read is named with its line, never
dropped. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, cast

from novelty_kit.errors import DocumentError
from novelty_kit.ingest.record import Skipped

__all__ = ["Record", "open_bytes", "read_json", "read_records"]

_BLANK: Final = b" \t\r\n\xef\xbb\xbf"
_MAX_DOCUMENT: Final = 1 << 29
_MAX_LINE: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file.

    Attributes
    ----------
    value : object
        The decoded JSON.
    where : str
        ``file:line``, or ``file`` with a JSON pointer.
    sha256 : str
        Hash of its line, or of the whole file.
    """

    value: object
    where: str
    sha256: str


@contextlib.contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a plain, gzip or zstd file for reading its bytes.

    Raises
    ------
    DocumentError
        It is missing, unreadable, or its compression is damaged.
    """
    try:
        with path.open("rb") as raw:
            magic = raw.read(4)
            raw.seek(0)
            if magic[:2] == b"\x1f\x8b":
                with gzip.open(raw, "rb") as stream:
                    yield cast(BinaryIO, stream)
            elif magic == b"\x28\xb5\x2f\xfd":
                import pyarrow

                with (
                    pyarrow.CompressedInputStream(raw, "zstd") as packed,
                    io.BufferedReader(packed) as unpacked,
                ):
                    yield cast(BinaryIO, unpacked)
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DocumentError(
            f"the compressed file is damaged or cut off: {error}", path=str(path), remedy="Get the file again"
        ) from error
    except OSError as error:
        raise DocumentError(
            f"cannot read: {error.strerror or error}",
            path=str(path),
            remedy="Name a file that exists and is readable",
        ) from error


def read_json(raw: bytes) -> Any:
    """Decode JSON strictly: no NaN, no name twice in one object, no nesting beyond reason.

    Raises
    ------
    ValueError
        It is not such JSON; the message says why.
    """
    try:
        return json.loads(raw, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(
            f"the name {next(n for n in names if names.count(n) > 1)!r} stands twice in one object"
        )
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def read_records(path: Path, envelope: tuple[str, ...]) -> Iterator[Record | Skipped]:
    """Each record of a file of JSON lines, of a JSON list, of an answer that wraps a list, or of one object.

    Parameters
    ----------
    path : Path
        Plain or compressed.
    envelope : tuple of str
        The names under which the provider's answers hold their list, outermost first: ``("results",)``.

    Yields
    ------
    Record or Skipped
        Skipped for a line that is no JSON, with its place.

    Raises
    ------
    DocumentError
        The file cannot be read, or is neither JSON nor JSON lines.
    """
    with open_bytes(path) as stream:
        n_blank, first = 0, stream.readline(_MAX_LINE)
        while first and not first.strip(_BLANK):
            n_blank, first = n_blank + 1, stream.readline(_MAX_LINE)
        second = stream.readline(_MAX_LINE)
        if _is_document(first, second):
            yield from _document(first + second, stream, path, envelope)
            return
        for number, raw in enumerate((first, second), start=1 + n_blank):
            yield from _line(raw, path, number, envelope)
        for number, raw in enumerate(iter(lambda: stream.readline(_MAX_LINE), b""), start=3 + n_blank):
            yield from _line(raw, path, number, envelope)


def _is_document(first: bytes, second: bytes) -> bool:
    """Whether the file is one document over several lines and not a record a line."""
    if _decodes(first):
        return False
    return first.strip(_BLANK) == b"[" or not _decodes(second)


def _decodes(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.strip(_BLANK)), dict | list)
    except (ValueError, RecursionError):
        return False


def _line(raw: bytes, path: Path, number: int, envelope: tuple[str, ...]) -> Iterator[Record | Skipped]:
    text = raw.strip(_BLANK)
    if not text:
        return
    where = f"{path.name}:{number}"
    if len(raw) >= _MAX_LINE:
        raise DocumentError(f"a line is longer than {_MAX_LINE} bytes", path=str(path), line=number)
    try:
        value = read_json(text)
    except ValueError as error:
        yield Skipped("not_json", f"this line is no JSON: {error}", where)
        return
    yield from _members(value, where, hashlib.sha256(text).hexdigest(), envelope)


def _document(
    begun: bytes, stream: BinaryIO, path: Path, envelope: tuple[str, ...]
) -> Iterator[Record | Skipped]:
    raw = begun + stream.read(_MAX_DOCUMENT)
    if len(raw) >= _MAX_DOCUMENT:
        raise DocumentError(
            f"one JSON document of more than {_MAX_DOCUMENT} bytes",
            path=str(path),
            remedy="Turn it into JSON lines, one record a line",
        )
    try:
        value = read_json(raw.strip(_BLANK))
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"this is no JSON: {error.msg}",
            path=str(path),
            line=error.lineno,
            column=error.colno,
            remedy="Expected records as JSON or JSON lines, plain, gzip or zstd",
        ) from error
    except ValueError as error:
        raise DocumentError(f"this is no JSON: {error}", path=str(path)) from error
    yield from _members(value, path.name, hashlib.sha256(raw).hexdigest(), envelope)


def _members(value: object, where: str, sha256: str, envelope: tuple[str, ...]) -> Iterator[Record]:
    inner = value
    for name in envelope:
        inner = inner.get(name) if isinstance(inner, dict) else None
    members = inner if isinstance(inner, list) else value if isinstance(value, list) else None
    if members is None:
        yield Record(value, where, sha256)
        return
    for number, member in enumerate(members):
        yield Record(
            member, f"{where} /{'/'.join((*envelope, str(number))) if inner is members else number}", sha256
        )
