"""Passports from files: one, many, or a folder; YAML or JSON by the suffix, strictly.

Reads the named files and nothing else; executes nothing, fetches nothing. What cannot be read is one
error with file, line and remedy, and nothing is repaired. No network. No clock.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.passport.json_source import parse_json
from novelty_kit.passport.record import Passport
from novelty_kit.passport.yaml_source import parse_yaml

__all__ = ["MAX_JSON_BYTES", "MAX_YAML_BYTES", "passport_files", "read_bytes", "read_passport", "read_text"]

MAX_JSON_BYTES: Final = 256_000_000

# YAML is parsed some twenty times slower than JSON, and by the pure-Python parser slower again.
MAX_YAML_BYTES: Final = 32_000_000
MAX_SLOW_YAML_BYTES: Final = 2_000_000

_SUFFIXES: Final = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
_MARKS: Final = (
    (b"\xef\xbb\xbf", "UTF-8 with a byte order mark"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def read_passport(path: str | os.PathLike[str]) -> Passport:
    """Read one passport.

    Parameters
    ----------
    path : path
        A ``.json``, ``.yaml`` or ``.yml`` file, or ``-`` for standard input (JSON where the first sign is
        a brace or a bracket, YAML otherwise).

    Returns
    -------
    Passport
        Its ``check()`` and ``gate()`` say what is wrong with it; reading says only whether it can be read.

    Raises
    ------
    DocumentError
        The file is missing, too large, not UTF-8, no JSON or YAML, or holds what a passport cannot:
        duplicate keys, NaN, tags, several documents, nesting or aliases without measure.
    """
    name = os.fspath(path)
    if name == "-":
        data = sys.stdin.buffer.read(MAX_JSON_BYTES + 1)
        kind = "json" if data.lstrip(b" \t\r\n")[:1] in (b"{", b"[") else "yaml"
        return parse_passport(data, "<stdin>", kind)
    kind = _SUFFIXES.get(Path(name).suffix.lower(), "")
    if not kind:
        raise DocumentError(
            "the suffix does not say what the file is", path=name, remedy="Name it .json, .yaml or .yml"
        )
    return parse_passport(read_bytes(name, MAX_JSON_BYTES), name, kind)


def parse_passport(data: bytes, name: str, kind: str) -> Passport:
    """A passport from bytes; `kind` is ``json`` or ``yaml``."""
    limit = MAX_JSON_BYTES if kind == "json" else _yaml_limit()
    if len(data) > limit:
        raise DocumentError(
            f"the file has {len(data) / 1e6:.0f} MB, {kind.upper()} is read up to {limit / 1e6:.0f} MB",
            path=name,
            remedy="Write it as JSON, or split it" if kind == "yaml" else "Split it",
        )
    text = read_text(data, name)
    if kind == "json":
        return Passport(parse_json(text, name), name, text=text)
    value, lines = parse_yaml(text, name)
    return Passport(value, name, yaml_lines=lines)


def _yaml_limit() -> int:
    import yaml

    return MAX_YAML_BYTES if hasattr(yaml, "CSafeLoader") else MAX_SLOW_YAML_BYTES


def read_bytes(name: str, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes."""
    try:
        info = Path(name).stat()
        if stat.S_ISDIR(info.st_mode):
            raise DocumentError("is a folder", path=name, remedy="Name a file")
        if not stat.S_ISREG(info.st_mode):
            raise DocumentError(
                "is no regular file", path=name, remedy="Name a file on disk, or - for standard input"
            )
        if info.st_size > limit:
            raise DocumentError(
                f"the file has {info.st_size / 1e6:.0f} MB, the limit is {limit / 1e6:.0f} MB",
                path=name,
                remedy="Split it",
            )
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is no file name"
        raise DocumentError(f"cannot read: {reason}", path=name, remedy="Check the path") from error


def read_text(data: bytes, name: str) -> str:
    """UTF-8 text without a byte order mark; CRLF line ends stay as they are."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise DocumentError(f"the file is {encoding}", path=name, line=1, remedy="Save it as plain UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        raise DocumentError(
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            path=name,
            line=data.count(b"\n", 0, error.start) + 1,
            column=error.start - start + 1,
            remedy="Save the file as UTF-8",
        ) from None


def passport_files(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that a list of files and folders stands for.

    A folder stands for the ``.json``, ``.yaml`` and ``.yml`` files directly in it, by name.

    Raises
    ------
    InputError
        A folder without such a file, or no path at all.
    """
    files: list[str] = []
    for given in paths:
        path = os.fspath(given)
        if path == "-" or not Path(path).is_dir():
            files.append(path)
            continue
        try:
            members = list(Path(path).iterdir())
        except OSError as error:
            raise InputError(f"cannot list: {error.strerror}", path=path, remedy="Name its files") from error
        inside = sorted(str(p) for p in members if p.suffix.lower() in _SUFFIXES and p.is_file())
        if not inside:
            raise InputError(
                "the folder holds no passport", path=path, remedy="Files are .json, .yaml or .yml"
            )
        files += inside
    if not files:
        raise InputError("no passport is named", remedy="Name files or a folder")
    return files
