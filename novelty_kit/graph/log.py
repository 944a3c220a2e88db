"""The log as files: which bytes there are, in which order, what they hash to.

Reads the log's files; writes only a temporary plain copy where the log is compressed, split or mended.
A database is never the source: it is rebuilt from what stands here. No network. No clock.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from novelty_kit.errors import LogError, Problem
from novelty_kit.graph.lines import MAX_LINE, Fault, check_line, suspicious_lines
from novelty_kit.output import write_whole

__all__ = [
    "BLOCK",
    "MAX_LISTED",
    "Plain",
    "Scan",
    "hash_of",
    "log_lines",
    "plain_log",
    "repair_log",
    "scan_plain",
]

BLOCK = 16 * 2**20
MAX_LISTED = 100
_CHUNK = 4 * 2**20
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Plain:
    """A log as one run of plain bytes.

    Attributes
    ----------
    path : str
        The file to read: the log itself, or a temporary copy.
    names : tuple of str
        The log's files as the user named them, in order.
    starts : tuple of int
        The offset at which each file begins in `path`.
    n_bytes : int
        How many bytes belong to the log at this moment; later growth is not read.
    """

    path: str
    names: tuple[str, ...]
    starts: tuple[int, ...]
    n_bytes: int


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
        Every bad line, where the pass was asked for all.
    unknown : Counter of str
        ``table.column`` and ``table.*`` that the format does not know, with how often.
    crlf, bom : bool
        Whether such line ends, or a byte-order mark, were met.
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
    torn: int | None = None

    @property
    def sha256(self) -> str:
        """The log's hash."""
        return hash_of(self.blocks)


def hash_of(blocks: Iterable[bytes]) -> str:
    """sha256 over the sha256 of the 16 MiB blocks: growing costs only the tail."""
    return hashlib.sha256(b"".join(blocks)).hexdigest()


def _open_plain(name: str) -> IO[bytes]:
    """Open one file of the log for reading plain bytes, whatever its compression."""
    if name == "-":
        return sys.stdin.buffer
    try:
        mode = os.stat(name).st_mode
        if stat.S_ISDIR(mode):
            raise LogError("is a directory, not a log", path=name, remedy="Name the .jsonl file in it")
        if name.endswith(".gz"):
            return gzip.open(name, "rb")
        if name.endswith(".zst"):
            import pyarrow as pa

            return pa.CompressedInputStream(pa.OSFile(name, "rb"), "zstd")  # type: ignore[no-any-return]
        return open(name, "rb")
    except FileNotFoundError:
        raise LogError("no such file", path=name, remedy="Give the event log with --graph FILE") from None
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror or error}", path=name) from error


def _pieces(name: str, stream: IO[bytes]) -> Iterator[bytes]:
    try:
        while piece := stream.read(_CHUNK):
            yield piece
    except (OSError, EOFError) as error:
        remedy = "The compressed file is cut or damaged; fetch it again"
        raise LogError(f"cannot be read: {error}", path=name, remedy=remedy) from error


@contextlib.contextmanager
def plain_log(names: tuple[str, ...]) -> Iterator[Plain]:
    """The log as one plain file: itself, or a temporary copy while the context lasts.

    Parameters
    ----------
    names : tuple of str
        The log's files in order; ``.gz`` and ``.zst`` are unpacked, ``-`` is standard input.

    Raises
    ------
    LogError
        A file is missing, a directory, unreadable or damaged, or one before the last ends torn.
    """
    if not names:
        raise LogError("no log was named", remedy="Give the event log with --graph FILE")
    for name in names:
        with _open_plain(name) if name != "-" else contextlib.nullcontext():
            pass
    if len(names) == 1 and names[0] != "-" and not names[0].endswith((".gz", ".zst")):
        with tempfile.TemporaryDirectory(prefix="novelty-") as folder:
            link = Path(folder) / "log.jsonl"  # a name that no pattern matching can misread
            link.symlink_to(Path(names[0]).resolve())
            yield Plain(str(link), names, (0,), os.stat(names[0]).st_size)
        return
    with tempfile.TemporaryDirectory(prefix="novelty-") as folder:
        target = Path(folder) / "log.jsonl"
        starts, size, last = [], 0, b"\n"
        try:
            with target.open("wb") as out:
                for number, name in enumerate(names):
                    if last != b"\n":
                        _refuse_torn_middle(target, out, names[number - 1], starts[-1])
                        size += out.write(b"\n")
                    starts.append(size)
                    with _open_plain(name) as stream:
                        for piece in _pieces(name, stream):
                            size += out.write(piece)
                            last = piece[-1:]
        except OSError as error:
            raise LogError(f"no room to unpack the log: {error.strerror or error}", path=names[0]) from error
        yield Plain(str(target), names, tuple(starts), size)


def _refuse_torn_middle(copy: Path, out: IO[bytes], name: str, start: int) -> None:
    """A file before the last may lack its final newline, but its last line must be whole."""
    out.flush()
    with copy.open("rb") as stream:
        stream.seek(start)
        tail = stream.read()[-MAX_LINE - 1 :].rpartition(b"\n")[2]
    if check_line(tail).faults:
        remedy = f"Only the last file of a log may end torn: run novelty graph repair {name}"
        raise LogError("the last line is torn", path=name, remedy=remedy)


def log_lines(plain: Plain, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Runs of whole lines from offset `start`, as (offset, bytes); the last may lack its newline."""
    with open(plain.path, "rb") as stream:
        stream.seek(start)
        offset, left, rest = start, plain.n_bytes - start, b""
        while left > 0 and (piece := stream.read(min(_CHUNK, left))):
            left -= len(piece)
            cut = piece.rfind(b"\n") + 1
            if not cut:
                rest += piece
                if len(rest) > MAX_LINE:
                    break
                continue
            run = rest + piece[:cut]
            yield offset, run
            offset += len(run)
            rest = piece[cut:]
        if rest:
            yield offset, rest


def scan_plain(plain: Plain, *, exact: bool = False) -> Scan:
    """Check and hash every byte of the log once.

    Parameters
    ----------
    plain : Plain
    exact : bool
        Check every line exactly and keep the number of each bad one, rather than look closely only at
        lines that the fast check suspects. Values are checked only so.

    Returns
    -------
    Scan
        Faults are collected, not raised.
    """
    scan = Scan(n_bytes=plain.n_bytes)
    hasher, room = hashlib.sha256(), BLOCK
    for offset, run in log_lines(plain):
        scan.chunks.append((scan.n_lines + 1, offset))
        view = memoryview(run)
        while len(view) >= room:
            hasher.update(view[:room])
            scan.blocks.append(hasher.digest())
            view, hasher, room = view[room:], hashlib.sha256(), BLOCK
        hasher.update(view)
        room -= len(view)
        if offset == 0 and run.startswith(_BOM):
            scan.bom, run = True, run[len(_BOM) :]
        _check_run(scan, plain, offset, run, exact=exact)
    if room < BLOCK:
        scan.blocks.append(hasher.digest())
    return scan


def _check_run(scan: Scan, plain: Plain, offset: int, run: bytes, *, exact: bool) -> None:
    if b"\r\n" in run:
        scan.crlf = True
    whole = run.endswith(b"\n")
    lines = run.split(b"\n") if exact or not whole else None
    if lines is None:
        suspects = suspicious_lines(run)
        n_lines = run.count(b"\n")
        lines = run.split(b"\n") if suspects else []
    else:
        lines = lines[:-1] if whole else lines
        suspects, n_lines = list(range(len(lines))), len(lines)
    for index in suspects:
        found = check_line(lines[index])
        scan.unknown.update(found.unknown)
        seq = scan.n_lines + index + 1
        if found.faults and not whole and index == n_lines - 1 and len(lines[index]) <= MAX_LINE:
            scan.torn = offset + len(run) - len(lines[index])
            continue
        if found.faults:
            scan.n_bad_lines += 1
            scan.n_faults += len(found.faults)
            if exact:
                scan.bad.append(seq)
            room = MAX_LISTED - len(scan.faults)
            scan.faults += [(seq, fault) for fault in found.faults[: max(room, 0)]]
    scan.n_lines += n_lines - (scan.torn is not None)


def place_of(plain: Plain, chunks: list[tuple[int, int]], seq: int) -> tuple[str, int, bytes]:
    """The file, the line in that file and the bytes of the event `seq`.

    Raises
    ------
    LogError
        The log has no such event.
    """
    starts = [chunk for chunk in chunks if chunk[0] <= seq]
    if seq >= 1 and starts:
        first, offset = starts[-1]
        for at, run in log_lines(plain, offset):
            lines = run.split(b"\n")
            if seq - first < len(lines) and (lines[seq - first] or seq - first < len(lines) - 1):
                here = at + sum(len(line) + 1 for line in lines[: seq - first])
                number = max(i for i, start in enumerate(plain.starts) if start <= here)
                return plain.names[number], _line_in_file(plain, number, seq, here), lines[seq - first]
            first += len(lines) - 1
    raise LogError(f"the log has no event {seq}", path=plain.names[0])


def _line_in_file(plain: Plain, number: int, seq: int, here: int) -> int:
    if number == 0:
        return seq
    start = plain.starts[number]
    with open(plain.path, "rb") as stream:
        stream.seek(start)
        return stream.read(here - start).count(b"\n") + 1


def problems_of(plain: Plain, scan: Scan) -> list[Problem]:
    """The scan's faults as problems with the file's own line numbers."""
    problems = []
    for seq, fault in scan.faults:
        name, line, _ = place_of(plain, scan.chunks, seq)
        problems.append(Problem(fault.what, name, line, fault.column, None, fault.remedy))
    return problems


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
        The log is compressed, or no plain file.
    """
    if name == "-" or name.endswith((".gz", ".zst")):
        raise LogError("only a plain log can be repaired in place", path=name, remedy="Unpack it first")
    with plain_log((name,)) as plain:
        start, tail = plain.n_bytes, b""
        for offset, run in log_lines(plain, max(0, _last_newline(name))):
            if not run.endswith(b"\n"):
                tail = run.rpartition(b"\n")[2]
                start = offset + len(run) - len(tail)
    if not tail or not check_line(tail).faults:
        return None
    kept = Path(f"{name}.torn")
    number = 1
    while kept.exists():
        number += 1
        kept = Path(f"{name}.torn.{number}")
    write_whole(kept, tail)
    try:
        with open(name, "r+b") as stream:
            stream.truncate(start)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise LogError(f"cannot be repaired: {error.strerror or error}", path=name) from error
    return kept


def _last_newline(name: str) -> int:
    """Offset just after the last newline, looking back from the end."""
    with open(name, "rb") as stream:
        end = stream.seek(0, os.SEEK_END)
        at = end
        while at > 0:
            step = min(_CHUNK, at)
            at -= step
            stream.seek(at)
            cut = stream.read(step).rfind(b"\n")
            if cut >= 0:
                return at + cut + 1
    return 0
