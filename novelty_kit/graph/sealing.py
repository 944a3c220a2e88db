"""Sealing a log: it is checked wholly first, so that no fault is sealed in.

Reads the log, writes its seal; touches nothing else. No network. No clock.
"""

from __future__ import annotations

import os

from novelty_kit.errors import InputError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import is_stream, plain_log
from novelty_kit.graph.seal import Seal, check_seals, line_sums, refuse_open_end, seal_path
from novelty_kit.graph.state import connect
from novelty_kit.output import write_whole

__all__ = ["seal_log"]


def seal_log(name: str | os.PathLike[str], *, anew: bool = False) -> Seal:
    """Check one log file wholly and write its seal.

    Parameters
    ----------
    name : path
        The file; a compressed one is sealed by its unpacked lines.
    anew : bool
        Ignore the seal that stands. Without it a log that its seal refuses is an error.

    Raises
    ------
    LogError
        The log is damaged, or its last line has no end.
    DamageError
        The log is not what its seal says.
    OutputError
        The seal could not be written.
    """
    name = os.fspath(name)
    if is_stream(name):
        raise InputError("only a file can be sealed", path=name)
    with plain_log((name,)) as plain:
        with connect() as con:
            scan = load_events(con, plain)
        if not anew:
            check_seals(plain, tuple(scan.blocks))
        refuse_open_end(plain, scan.n_lines)
        seal = Seal(scan.n_lines, plain.n_bytes, tuple(scan.blocks), line_sums(plain, 0, plain.n_bytes))
    write_whole(seal_path(name), seal.to_json() + "\n")
    return seal
