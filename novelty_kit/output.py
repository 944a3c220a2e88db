"""How results leave: terminal-safe text, canonical JSON, whole files.

Reads nothing. Text from data may hold markup, terminal escapes and direction marks: it passes through
here before a person sees it. A file is written whole or not at all. No network. No clock.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from novelty_kit.errors import OutputError

__all__ = ["canonical_json", "for_terminal", "shorten", "write_whole"]

# Characters that act on a terminal or reorder the text around them, though they show nothing.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def for_terminal(text: str) -> str:
    """Show control, format and direction characters as ``\\x1b``-like escapes, on one line."""
    if text.isascii() and text.isprintable():
        return text
    import unicodedata  # nearly all text is plain

    return "".join(
        c if unicodedata.category(c) not in _HIDDEN else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def shorten(text: str, width: int = 120) -> str:
    """Cut to at most `width` code points, the last one an ellipsis where something was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def canonical_json(value: Any, *, indent: int | None = None) -> str:
    """JSON with NaN refused and non-ASCII kept; key order is the caller's (records have a fixed one)."""
    import json

    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # Lone surrogates cannot be written as UTF-8; escape everything in that rare case.
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent, separators=separators)
    return text


def write_whole(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.

    Raises
    ------
    OutputError
        The folder is missing, read-only or full; the old file, if any, is untouched.
    """
    import tempfile  # it costs a start that writes nothing
    from pathlib import Path

    target = Path(path)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    temporary: str | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part"
        )
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, target)
        temporary = None
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}",
            path=str(path),
            remedy="Choose a folder that exists, is writable and has room (--out)",
        ) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
