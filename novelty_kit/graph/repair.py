"""Mending the one damage that a crash leaves: a last line that was not written to its end.

Cuts the torn bytes off the log and keeps them in a file beside it. Touches no whole line. No network.
No clock.
"""

from __future__ import annotations

import os
from pathlib import Path

from novelty_kit.errors import LogError
from novelty_kit.graph.lines import MAX_LINE, check_line
from novelty_kit.graph.log import COMPRESSED, is_stream, plain_log
from novelty_kit.output import write_whole

__all__ = ["repair_log"]

_STEP = 4 * 2**20


def repair_log(name: str) -> Path | None:
    """Cut a torn last line off and keep its bytes in a ``.torn`` file beside the log.

    Parameters
    ----------
    name : str
        A plain log file.

    Returns
    -------
    Path or None
        The file that holds the torn bytes; None where nothing was torn.

    Raises
    ------
    LogError
        The log is compressed, or no plain file, or its tail is too long to be a line that was cut.
    OutputError
        The torn bytes could not be kept; the log is untouched.
    """
    if is_stream(name) or name.endswith(COMPRESSED):
        raise LogError("only a plain log can be repaired in place", path=name, remedy="Unpack it first")
    with plain_log((name,)):
        start = _after_last_newline(name)
        with Path(name).open("rb") as stream:
            stream.seek(start)
            tail = stream.read(MAX_LINE + 1)
    if len(tail) > MAX_LINE:
        remedy = "This is no cut event; look at it with tail -c"
        raise LogError(f"the bytes from offset {start} on are no line", path=name, remedy=remedy)
    if not tail or not check_line(tail).is_torn:
        return None
    real = os.path.realpath(name)
    kept, number = Path(f"{real}.torn"), 1
    while os.path.lexists(kept):
        number += 1
        kept = Path(f"{real}.torn.{number}")
    write_whole(kept, tail)
    try:
        with Path(name).open("r+b") as stream:
            stream.truncate(start)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise LogError(f"cannot be repaired: {error.strerror or error}", path=name) from error
    return kept


def _after_last_newline(name: str) -> int:
    """Offset just after the last newline, looking back from the end; 0 where there is none."""
    with Path(name).open("rb") as stream:
        at = stream.seek(0, os.SEEK_END)
        while at > 0:
            step = min(_STEP, at)
            at -= step
            stream.seek(at)
            cut = stream.read(step).rfind(b"\n")
            if cut >= 0:
                return at + cut + 1
    return 0
