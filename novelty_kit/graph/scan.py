"""One pass over the log's bytes: every line checked, every byte hashed, every event findable again.

Reads the log, writes nothing. Faults are collected, not raised. No network. No clock.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from novelty_kit.errors import LogError, Problem
from novelty_kit.graph.lines import Fault, Line, check_line
from novelty_kit.graph.log import BLOCK, Plain, block_hashes, hash_of, log_lines
from novelty_kit.graph.suspects import suspicious_lines

__all__ = [
    "MAX_LISTED",
    "Scan",
    "first_seqs",
    "line_of",
    "place_of",
    "problems_at",
    "problems_of",
    "scan_plain",
]

MAX_LISTED = 100
MAX_NAMES = 1000
_BOM = b"\xef\xbb\xbf"
Chunks = Sequence[tuple[int, int]]
Check = Literal["nothing", "types", "exactly"]


@dataclass(slots=True)
class Scan:
    """What one pass over the bytes found.

    Attributes
    ----------
    n_lines, n_bytes : int
    blocks : list of bytes
        sha256 of each 16 MiB block.
    chunks : list of (int, int)
        The seq and offset at which every chunk of some MiB begins, to find a line again.
    faults : list of (int, Fault)
        The first hundred faults, by seq.
    n_faults, n_bad_lines : int
        All of them.
    bad : list of int
        Every bad line that was found, in the order in which it was.
    unknown : Counter of str
        ``table.column``, ``table.*`` and ``(field)`` that the format does not know, with how often.
    crlf, bom : bool
        Whether such line ends, or a byte-order mark, were met.
    n_marks : int
        How many bytes are line ends of either kind, or the byte-order mark.
    heads : list of int
        How long the first line of each chunk is, blanks around it left out.
    torn : int or None
        Byte offset of a torn last line.
    """

    n_lines: int = 0
    n_bytes: int = 0
    blocks: list[bytes] = field(default_factory=list)
    chunks: list[tuple[int, int]] = field(default_factory=list)
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    n_faults: int = 0
    n_bad_lines: int = 0
    bad: list[int] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    crlf: bool = False
    bom: bool = False
    n_marks: int = 0
    heads: list[int] = field(default_factory=list)
    torn: int | None = None

    @property
    def sha256(self) -> str:
        """The log's hash."""
        return hash_of(self.blocks)

    def has_room(self, seq: int) -> bool:
        """Whether faults of that line would be among the first hundred found so far."""
        return len(self.faults) < MAX_LISTED or seq < self.faults[-1][0]

    def add_unknown(self, names: Iterable[str]) -> None:
        """Count what the format does not know; of very many names only the first are kept apart."""
        for name in names:
            self.unknown[name if name in self.unknown or len(self.unknown) < MAX_NAMES else "(others)"] += 1

    def add_bad(self, seq: int, faults: Sequence[Fault]) -> None:
        """Note a bad line; the first hundred faults are kept, whichever order they come in."""
        self.bad.append(seq)
        self.n_bad_lines += 1
        self.n_faults += len(faults)
        if self.has_room(seq):
            self.faults += [(seq, fault) for fault in faults]
            self.faults.sort(key=lambda found: found[0])
            del self.faults[MAX_LISTED:]


def scan_plain(plain: Plain, *, check: Check = "types") -> Scan:
    """Check and hash every byte of the log once.

    Parameters
    ----------
    plain : Plain
    check : str
        How closely the lines are looked at: not at all, but for a last one without its newline; that each is an
        event with columns of the right types; or exactly, values too, which takes ten times as long.

    Returns
    -------
    Scan
    """
    scan = Scan(n_bytes=plain.n_bytes)
    hasher, room, n_hashed = hashlib.sha256(), BLOCK, 0
    for offset, run in log_lines(plain):
        scan.chunks.append((scan.n_lines + 1, offset))
        view = memoryview(run)
        n_hashed += len(view)
        while len(view) >= room:
            hasher.update(view[:room])
            scan.blocks.append(hasher.digest())
            view, hasher, room = view[room:], hashlib.sha256(), BLOCK
        hasher.update(view)
        room -= len(view)
        if offset == 0 and run.startswith(_BOM):
            scan.bom, run = True, run[len(_BOM) :]
            scan.n_marks += len(_BOM)
        scan.heads.append(len(run.partition(b"\n")[0].strip()))
        if not run:
            continue
        _check_run(scan, run, check, n_bytes=plain.n_bytes)
    if room < BLOCK:
        scan.blocks.append(hasher.digest())
    if n_hashed != plain.n_bytes:  # a line too long to be an event came cut
        scan.blocks = block_hashes(plain.path, plain.n_bytes)
    return scan


def _check_run(scan: Scan, run: bytes, check: Check, *, n_bytes: int) -> None:
    n_returns = run.count(b"\r\n") if b"\r" in run else 0  # a single byte is found missing much faster
    scan.crlf |= n_returns > 0
    end = run.rfind(b"\n") + 1
    lines, rest = run[:end], run[end:]
    for index, raw in _suspects(lines, check):
        seq = scan.n_lines + index + 1
        _take_note(scan, seq, check_line(raw, placed=scan.has_room(seq)))
    n_lines = lines.count(b"\n")
    scan.n_lines += n_lines
    scan.n_marks += n_lines + n_returns
    if rest:
        found = check_line(rest, placed=scan.has_room(scan.n_lines + 1))
        if found.is_torn:
            scan.torn = n_bytes - len(rest)
        else:
            scan.n_lines += 1
            _take_note(scan, scan.n_lines, found)


def _suspects(lines: bytes, check: Check) -> Iterator[tuple[int, bytes]]:
    """Which lines of a run to look at closely."""
    if not lines or check == "nothing":
        return
    suspicious = suspicious_lines(lines) if check == "types" else range(lines.count(b"\n"))
    split = lines.split(b"\n") if suspicious else []
    for index in suspicious:
        yield index, split[index]


def _take_note(scan: Scan, seq: int, line: Line) -> None:
    scan.add_unknown(line.unknown)
    if line.faults:
        scan.add_bad(seq, line.faults)


def place_of(plain: Plain, chunks: Chunks, seq: int) -> tuple[str, int, bytes]:
    """The file, the line in that file and the bytes of the event `seq`.

    Raises
    ------
    LogError
        The log has no such event.
    """
    number, line, _, raw = _find(plain, chunks, seq)
    return plain.names[number], line, raw


def lines_at(plain: Plain, chunks: Chunks, seqs: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """The lines of some events, in one pass, a byte-order mark at the very start left out.

    Parameters
    ----------
    plain : Plain
    chunks : sequence of (int, int)
    seqs : iterable of int
        Ascending; the next is asked for when the line before is taken.
    """
    wanted = iter(seqs)
    seq = next(wanted, None)
    if seq is None:
        return
    first, start = [chunk for chunk in chunks if chunk[0] <= seq][-1]
    for offset, run in log_lines(plain, start):
        n_lines = run.count(b"\n") + (not run.endswith(b"\n"))
        if seq < first + n_lines:
            lines = (run.removeprefix(_BOM) if offset == 0 else run).split(b"\n")
            while seq is not None and seq < first + n_lines:
                yield seq, lines[seq - first]
                seq = next(wanted, None)
            if seq is None:
                return
        first += n_lines


def _find(plain: Plain, chunks: Chunks, seq: int) -> tuple[int, int, int, bytes]:
    """The file's number, the line in it, the line's offset in it, and its bytes."""
    starts = [chunk for chunk in chunks if chunk[0] <= seq]
    if seq >= 1 and starts:
        first, offset = starts[-1]
        for at, run in log_lines(plain, offset):
            lines = run.split(b"\n")
            if seq - first < len(lines) and (lines[seq - first] or seq - first < len(lines) - 1):
                here = at + sum(len(line) + 1 for line in lines[: seq - first])
                number = plain.file_at(here)
                start = plain.starts[number]
                return number, seq - first_seqs(plain, chunks)[number] + 1, here - start, lines[seq - first]
            first += len(lines) - 1
    raise LogError(f"the log has no event {seq}", path=plain.names[0])


def first_seqs(plain: Plain, chunks: Chunks) -> tuple[int, ...]:
    """The seq of the first line of each file."""
    firsts = []
    with Path(plain.path).open("rb") as stream:
        for start in plain.starts:
            seq, offset = next((chunk for chunk in reversed(chunks) if chunk[1] <= start), (1, 0))
            stream.seek(offset)
            firsts.append(seq + stream.read(start - offset).count(b"\n"))
    return tuple(firsts)


def line_of(firsts: Sequence[int], seq: int) -> tuple[int, int]:
    """The number of the file that holds an event, and the line in it."""
    number = max(i for i, first in enumerate(firsts) if first <= seq)
    return number, seq - firsts[number] + 1


def problems_at(plain: Plain, chunks: Chunks, seq: int, faults: Sequence[Fault]) -> list[Problem]:
    """The faults of one line as problems with the file's own line number."""
    number, line, offset, _ = _find(plain, chunks, seq)
    problems = []
    for fault in faults:
        at = f" at byte offset {offset + fault.column - 1} of the file" if fault.is_offset else ""
        problems.append(Problem(fault.what + at, plain.names[number], line, fault.column, None, fault.remedy))
    return problems


def problems_of(plain: Plain, scan: Scan) -> list[Problem]:
    """The scan's faults as problems."""
    found = (problems_at(plain, scan.chunks, seq, [fault]) for seq, fault in scan.faults)
    return [problem for problems in found for problem in problems]
