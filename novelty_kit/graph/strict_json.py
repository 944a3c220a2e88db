"""One line as JSON, strictly: what a lenient parser lets pass is a fault here.

Invalid UTF-8, NUL, keys that stand twice (however they are spelled), NaN, endless numbers, halves of
surrogate pairs, deep nesting. Reads bytes, writes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from novelty_kit.graph.places import Places, deep_place, odd_place
from novelty_kit.output import shorten

__all__ = ["MAX_LINE", "Fault", "parse_line"]

MAX_LINE = 15 * 2**20  # bytes; the loader takes objects of at most 16 MiB
MAX_DEPTH = 200
MAX_DIGITS = 300


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a line.

    Attributes
    ----------
    what : str
    column : int
        Byte column, from 1.
    remedy : str, optional
    parses : bool
        Whether the line is JSON all the same; a last line that is not was cut by a torn write.
    is_offset : bool
        The place matters as a byte offset of the file too (text that is no UTF-8, a NUL).
    """

    what: str
    column: int = 1
    remedy: str | None = None
    parses: bool = True
    is_offset: bool = False


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_int=_whole)


def parse_line(raw: bytes) -> tuple[Any, Fault | None]:
    """The line's JSON value, or why it has none.

    Parameters
    ----------
    raw : bytes
        The line without its end.

    Returns
    -------
    value, Fault or None
    """
    if len(raw) > MAX_LINE:
        what = f"the line is longer than {MAX_LINE // 2**20} MiB"
        return None, Fault(what, MAX_LINE + 1, "No event is that long")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"no valid UTF-8 (0x{raw[error.start]:02x})"
        return None, Fault(what, error.start + 1, "Write the log as UTF-8", parses=False, is_offset=True)
    if not text.strip():
        return None, Fault("a blank line", 1, "Every line must hold one event; remove it", parses=False)
    if "\x00" in text:
        remedy = "Text holds no NUL; the file may be damaged"
        return None, Fault("a NUL byte", raw.index(b"\x00") + 1, remedy, parses=False, is_offset=True)
    if text.startswith("\ufeff"):
        remedy = "Only the very start of a log may hold one; remove the bytes EF BB BF"
        return None, Fault("a byte-order mark in the middle of the log", 1, remedy)
    deep = deep_place(raw, MAX_DEPTH)
    if deep:
        remedy = "An event is an object with a flat row"
        return None, Fault("nested too deep to be an event", deep, remedy, parses=False)
    try:
        value = _DECODER.decode(text)
    except _TwiceError as error:
        what = f"the key '{shorten(str(error), 60)}' stands twice in one object"
        return None, Fault(what, Places(raw).twin(), "Keep one of the two", parses=_is_whole(text))
    except json.JSONDecodeError as error:
        column = len(text[: error.pos].encode("utf-8")) + 1
        what = f"no JSON: {error.msg.removesuffix(' at')}"
        return None, Fault(what, column, "Every line must be one JSON object", parses=False)
    except ValueError as error:
        remedy = "NaN, Infinity and endless numbers are no JSON"
        return None, Fault(f"no JSON: {error}", odd_place(raw, MAX_DIGITS), remedy, parses=_is_whole(text))
    return value, _text_fault(raw, value)


def _is_whole(text: str) -> bool:
    """Whether a line with a fault that stopped the strict parser is a whole JSON value all the same."""
    try:
        json.loads(text, parse_int=len)
    except ValueError:
        return False
    return True


def _text_fault(raw: bytes, value: Any) -> Fault | None:
    """Escapes that stand for no character, or for NUL, in any string or key of the line."""
    if b"\\u" not in raw:
        return None
    for text in _strings(value):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            what = "half a surrogate pair (\\ud800 to \\udfff) is no character"
            return Fault(what, odd_place(raw, MAX_DIGITS), "Write both halves, or the character itself")
        if "\x00" in text:
            return Fault("a NUL character (\\u0000)", odd_place(raw, MAX_DIGITS), "Text holds no NUL")
    return None


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
