"""Which lines of a block need the exact check: one pass over many lines at once.

A line that is not named here is an event of a known table with known columns of the right JSON types, and no
longer than a line may be. What types cannot say (ids, dates, times, keys that stand twice) the loader looks
at as sets. Reads bytes, writes nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from novelty_kit.graph.lines import MAX_COUNT, MAX_LINE
from novelty_kit.graph.tables import PLURALS, TABLES, Column

if TYPE_CHECKING:
    import msgspec

__all__ = ["suspicious_lines"]

# An escaped NUL, which text may not hold, and U+001F, which the loader uses as a mark of its own.
_MARKS = re.compile(rb"\\u00(?:00|1[fF])")


def _annotation(column: Column, *, in_key: bool) -> Any:
    kind: Any = str
    if column.kind == "flag":
        kind = bool
    elif column.kind in ("count", "integer"):
        least = 0 if column.kind == "count" else -MAX_COUNT
        import msgspec

        kind = Annotated[int, msgspec.Meta(ge=least, le=MAX_COUNT)]
    elif column.kind == "enum":
        kind = Literal[column.values]
    return kind if in_key else kind | None


def _decoder(*, aliased: bool) -> msgspec.json.Decoder[Any]:
    """One tagged union of all tables; with `aliased`, edges are spelled with their short names."""
    import msgspec

    tops: list[Any] = []
    optional = [(name, str | None, None) for name in ("ts", "actor", "task", "note")]
    for table in TABLES:
        spelled = {known: short for short, known in table.aliases} if aliased else {}
        fields: list[Any] = [
            (spelled.get(c.name, c.name), _annotation(c, in_key=True))
            if c.name in table.key
            else (c.name, _annotation(c, in_key=False), None)
            for c in table.columns
        ]
        row = msgspec.defstruct(f"{table.name}_row", fields, forbid_unknown_fields=True, gc=False)
        for tag in (table.name, *(plural for plural, name in PLURALS.items() if name == table.name)):
            top: list[Any] = [("op", Literal["upsert", "delete"]), ("row", row), *optional]
            tops.append(
                msgspec.defstruct(tag, top, tag_field="table", tag=tag, forbid_unknown_fields=True, gc=False)
            )
    union: Any = tops[0]
    for top_type in tops[1:]:
        union = union | top_type
    return msgspec.json.Decoder(union)


@cache
def _decoders() -> tuple[msgspec.json.Decoder[Any], ...]:
    return _decoder(aliased=False), _decoder(aliased=True)


def suspicious_lines(block: bytes) -> list[int]:
    """Which lines of a block need the exact check.

    Parameters
    ----------
    block : bytes
        Whole lines, each with its newline.

    Returns
    -------
    list of int
        Indices from 0.
    """
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    n_lines = block.count(b"\n")
    framed = block.startswith(b"{") and block.endswith(b"}\n") and block.count(b"}\n{") == n_lines - 1
    if framed and len(block) <= MAX_LINE and not _is_marked(block):
        for decoder in _decoders():
            try:
                if len(decoder.decode_lines(block)) == n_lines:
                    return []
            except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
                continue
    return [index for index, line in enumerate(block.split(b"\n")[:-1]) if not _is_plain(line)]


def _is_marked(text: bytes) -> bool:
    return b"\\u00" in text and _MARKS.search(text) is not None


def _is_plain(line: bytes) -> bool:
    if not line.startswith(b"{") or len(line) > MAX_LINE or _is_marked(line):
        return False
    for decoder in _decoders():
        try:
            decoder.decode(line)
        except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
            continue
        return True
    return False
