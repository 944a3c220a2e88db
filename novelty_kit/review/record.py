"""One JSON record: read strictly, written the way every tool of the run layout writes it.

Reading refuses what other readers let through in silence: a key given twice, NaN and Infinity, numbers
beyond a double, half a surrogate pair, a record that is no object. Writing sorts the keys, indents by two,
escapes ``<``, ``>`` and ``&`` and ends with a line feed. No network. No clock.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from novelty_kit.errors import DocumentError
from novelty_kit.output import shorten

__all__ = ["MAX_BYTES", "as_record", "parse_record", "record_bytes"]

MAX_BYTES: Final = 50 * 1024 * 1024
"""A record larger than this is refused unread."""

_MAX_DEPTH: Final = 100
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
# Escaped so that a record can be pasted into a page; the other tools do the same, byte for byte.
_ESCAPED: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


class _Refused(ValueError):
    """Why a value is refused, raised inside the JSON parser."""

    def __init__(self, why: str, key: str | None = None) -> None:
        super().__init__(why)
        self.key = key


def parse_record(raw: bytes, path: str) -> dict[str, Any]:
    """Read one JSON object.

    Parameters
    ----------
    raw : bytes
        The file's content.
    path : str
        The file, as the error should name it.

    Raises
    ------
    DocumentError
        The bytes are no UTF-8, no JSON, or no single object; with line and column where they are known.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DocumentError("is not UTF-8", path=path, line=line, remedy="Save it as UTF-8") from error
    if text.startswith("\ufeff"):
        raise DocumentError(
            "begins with a byte order mark",
            path=path,
            line=1,
            column=1,
            remedy="Save it as UTF-8 without one",
        )
    try:
        record = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
    except _Refused as refusal:
        again = None if refusal.key is None else _second_line_of(text, refusal.key)
        raise DocumentError(str(refusal), path=path, line=again, remedy="Correct the record") from refusal
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"is not JSON: {error.msg}",
            path=path,
            line=error.lineno,
            column=error.colno,
            remedy="Correct the record",
        ) from error
    except RecursionError:
        raise DocumentError("is nested too deeply", path=path, remedy="Correct the record") from None
    if not isinstance(record, dict):
        raise DocumentError("holds no JSON object", path=path, line=1, remedy="Give one record, in braces")
    _refuse_depth(record, path)
    try:
        # UTF-8 itself holds no surrogates; only an escape can bring half a pair in.
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise DocumentError(
            "holds half a surrogate pair", path=path, remedy="Write the character itself, or both halves"
        ) from None
    return record


def as_record(value: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A record made in memory, as it would be read from a file.

    Raises
    ------
    DocumentError
        It holds something that JSON cannot say, or that :func:`parse_record` refuses.
    """
    try:
        text = json.dumps(dict(value), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(
            f"cannot be written as JSON: {shorten(str(error), 80)}", path=path, remedy="Correct the record"
        ) from error
    return parse_record(text.encode("ascii"), path)


def record_bytes(record: dict[str, Any]) -> bytes:
    """Write a record as the other tools do: sorted keys, two blanks, ``<>&`` escaped, a final line feed."""
    text = json.dumps(_plain(record), ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True)
    return (text.translate(_ESCAPED) + "\n").encode("utf-8")


def _plain(value: Any) -> Any:
    """4.0 is written as 4, as every JSON writer but Python's does."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _Refused(f"the key {shorten(key, 60)!r} is given twice", key)
        made[key] = value
    return made


def _second_line_of(text: str, key: str) -> int | None:
    """The line of the key's second writing; None where the two lie in different objects or are escaped."""
    found = [match.start() for match in re.finditer(re.escape(json.dumps(key)) + r"[ \t\r\n]*:", text)]
    return text.count("\n", 0, found[1]) + 1 if len(found) == 2 else None


def _refuse_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Refused(f"the number {shorten(digits, 40)} is too large")
    return value


def _integer(digits: str) -> int:
    if len(digits) > 300:
        raise _Refused(f"the number {shorten(digits, 40)} is too large")
    return int(digits)


def _refuse_depth(record: dict[str, Any], path: str) -> None:
    level: list[Any] = [record]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise DocumentError("is nested too deeply", path=path, remedy="Correct the record")
