"""The log as files: which bytes there are, in which order, what they hash to.

Reads the log's files; writes only a temporary plain copy where the log is compressed, split or piped.
 A database is never the source: it is rebuilt from what stands here. No network. No clock.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import weakref
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from novelty_kit.errors import LogError

__all__ = [
    "BLOCK",
    "CHUNK",
    "COMPRESSED",
    "LogSource",
    "Plain",
    "block_hashes",
    "hash_of",
    "is_stream",
    "log_lines",
    "plain_log",
]

BLOCK = 16 * 2**20
COMPRESSED = (".gz", ".zst")
CHUNK = 4 * 2**20
_ENDLESS = 2**30  # bytes of one line of a stream, after which it is no use to unpack more
_DAMAGED = "The compressed file is cut or damaged; fetch it again"


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

    def file_at(self, offset: int) -> int:
        """The number of the file that holds a byte of the run."""
        return max(number for number, start in enumerate(self.starts) if start <= offset)


def hash_of(blocks: Iterable[bytes]) -> str:
    """sha256 over the sha256 of the 16 MiB blocks: growing costs only the tail."""
    return hashlib.sha256(b"".join(blocks)).hexdigest()


def block_hashes(path: str, n_bytes: int, start: int = 0) -> list[bytes]:
    """sha256 of every 16 MiB block of `n_bytes` bytes from `start`."""
    found, left = [], n_bytes
    with Path(path).open("rb") as stream:
        stream.seek(start)
        while left > 0 and (block := stream.read(min(BLOCK, left))):
            found.append(hashlib.sha256(block).digest())
            left -= len(block)
    return found


def is_stream(name: str) -> bool:
    """Whether a file of the log can be read only once: standard input, a pipe, a device."""
    there = os.path.exists(name)  # unlike Path.exists, false and no error where a name cannot be one
    return name == "-" or (there and not os.path.isfile(name) and not os.path.isdir(name))


def _is_fifo(name: str) -> bool:
    """Whether opening and closing it would take something from it."""
    return name == "-" or (is_stream(name) and stat.S_ISFIFO(os.stat(name).st_mode))


def _open_plain(name: str) -> IO[bytes]:
    """Open one file of the log for reading plain bytes, whatever its compression."""
    if name == "-":
        if sys.stdin is None:
            raise LogError("there is no standard input", path=name)
        return sys.stdin.buffer
    try:
        found = os.stat(name)
        if stat.S_ISDIR(found.st_mode):
            raise LogError("is a directory, not a log", path=name, remedy="Name the .jsonl file in it")
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode) or name == os.devnull):
            raise LogError("is a device, not a log", path=name, remedy="Name a file, or a pipe")
        if name.endswith(COMPRESSED) and found.st_size == 0 and stat.S_ISREG(found.st_mode):
            raise LogError("is no compressed file, it has no bytes", path=name, remedy=_DAMAGED)
        if name.endswith(".gz"):
            import gzip

            return gzip.open(name, "rb")  # type: ignore[return-value]
        if name.endswith(".zst"):
            import pyarrow as pa

            return pa.CompressedInputStream(pa.OSFile(name, "rb"), "zstd")  # type: ignore[no-any-return]
        return Path(name).open("rb")
    except FileNotFoundError:
        raise LogError("no such file", path=name, remedy="Give the event log with --graph FILE") from None
    except (OSError, ValueError) as error:
        raise LogError(f"cannot be read: {_reason(error)}", path=name) from error


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _pieces(name: str, stream: IO[bytes]) -> Iterator[bytes]:
    open_end = 0
    try:
        while piece := stream.read(CHUNK):
            cut = piece.rfind(b"\n")
            open_end = open_end + len(piece) if cut < 0 else len(piece) - cut - 1
            if open_end > _ENDLESS:
                raise LogError("holds a line without end", path=name, remedy="Name an event log")
            yield piece
    except (OSError, EOFError, zlib.error) as error:
        remedy = _DAMAGED if name.endswith(COMPRESSED) else None
        raise LogError(f"cannot be read: {_reason(error)}", path=name, remedy=remedy) from error


@contextlib.contextmanager
def plain_log(names: tuple[str, ...], *, torn_middle: bool = False) -> Iterator[Plain]:
    """The log as one plain file: itself, or a temporary copy while the context lasts.

    Parameters
    ----------
    names : tuple of str
        The log's files in order; ``.gz`` and ``.zst`` are unpacked, ``-`` is standard input.
    torn_middle : bool
        Let a file before the last end torn: its last line is a bad line then.

    Raises
    ------
    LogError
        A file is missing, a directory, unreadable or damaged, or one before the last ends torn.
    """
    if not names:
        raise LogError("no log was named", remedy="Give the event log with --graph FILE")
    if names.count("-") > 1:
        raise LogError("standard input is named twice", path="-", remedy="Name it once")
    for name in names:
        if not _is_fifo(name):
            _open_plain(name).close()
    if len(names) == 1 and not is_stream(names[0]) and not names[0].endswith(COMPRESSED):
        with own_folder(names[0]) as folder:
            link = folder / "log.jsonl"  # a name that no pattern matching can misread
            link.symlink_to(Path(names[0]).resolve())
            yield Plain(str(link), names, (0,), Path(names[0]).stat().st_size)
        return
    with own_folder(names[0]) as folder:
        target = folder / "log.jsonl"
        starts: list[int] = []
        size, last = 0, b"\n"
        with room_for(names[0]), target.open("wb") as out:
            for number, name in enumerate(names):
                if last != b"\n":
                    if not torn_middle:
                        _refuse_torn_middle(target, out, names[number - 1], starts[-1])
                    size += out.write(b"\n")
                    last = b"\n"
                starts.append(size)
                stream = _open_plain(name)
                with contextlib.nullcontext() if name == "-" else stream:
                    for piece in _pieces(name, stream):
                        size += out.write(piece)
                        last = piece[-1:]
        yield Plain(str(target), names, tuple(starts), size)


@contextlib.contextmanager
def own_folder(name: str) -> Iterator[Path]:
    """A temporary folder for what is made of the log `name`."""
    import tempfile  # a start from the cache needs none

    try:
        made = tempfile.TemporaryDirectory(prefix="novelty-")
    except OSError as error:
        remedy = "Name a folder that can be written in TMPDIR"
        raise LogError(
            f"no temporary folder can be made: {_reason(error)}", path=name, remedy=remedy
        ) from error
    with made as folder:
        yield Path(folder)


@contextlib.contextmanager
def room_for(name: str) -> Iterator[None]:
    """Turn what goes wrong in writing a copy of the log `name` into words."""
    try:
        yield
    except OSError as error:
        remedy = "Make room, or name another folder in TMPDIR"
        raise LogError(
            f"no room for a copy of the log: {_reason(error)}", path=name, remedy=remedy
        ) from error


def _refuse_torn_middle(copy: Path, out: IO[bytes], name: str, start: int) -> None:
    """A file before the last may lack its final newline, but its last line must be whole."""
    from novelty_kit.graph.lines import MAX_LINE, check_line

    out.flush()
    with copy.open("rb") as stream:
        stream.seek(max(start, stream.seek(0, os.SEEK_END) - MAX_LINE - 2))
        tail = stream.read().rpartition(b"\n")[2]
    if check_line(tail).is_torn:
        remedy = f"Only the last file of a log may end torn: {mending(name)}"
        raise LogError("the last line is torn", path=name, remedy=remedy)


def mending(name: str) -> str:
    """How a torn file is mended, in words."""
    if name == "-":
        return "mend it where it comes from, with novelty graph repair"
    if name.endswith(COMPRESSED):
        return f"unpack {name}, then run novelty graph repair on it"
    return f"run novelty graph repair {name}"


def log_lines(plain: Plain, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Runs of whole lines from offset `start`, as (offset, bytes); the last may lack its newline.

    A line that is too long to be an event comes alone and cut, so that none can fill the memory; the next run
    then begins after all of it.
    """
    from novelty_kit.graph.strict_json import MAX_LINE

    most = MAX_LINE + 1
    with Path(plain.path).open("rb") as stream:
        stream.seek(start)
        offset, left, rest, dropped = start, plain.n_bytes - start, b"", 0
        while left > 0 and (piece := stream.read(min(CHUNK, left))):
            left -= len(piece)
            if dropped:
                first = piece.find(b"\n") + 1
                if not first:
                    dropped += len(piece)
                    continue
                yield offset, rest + b"\n"
                offset += len(rest) + dropped + first
                rest, dropped, piece = b"", 0, piece[first:]
            cut = piece.rfind(b"\n") + 1
            if cut:
                run = rest + piece[:cut]
                yield offset, run
                offset += len(run)
                rest = b""
            rest += piece[cut:]
            if len(rest) > most:
                dropped += len(rest) - most
                rest = rest[:most]
        if rest:
            yield offset, rest


class LogSource:
    """The log's bytes for as long as a graph needs them; opened when first asked for.

    A stream is read once, its copy kept; of a file nothing is kept but the name, until a line is asked for.
    """

    def __init__(self, names: tuple[str, ...], *, torn_middle: bool = False) -> None:
        self._names = names
        self._torn_middle = torn_middle
        self._stack = contextlib.ExitStack()
        self._plain: Plain | None = None
        weakref.finalize(self, self._stack.close)

    def plain(self) -> Plain:
        """The log as one plain file."""
        if self._plain is None:
            self._plain = self._stack.enter_context(plain_log(self._names, torn_middle=self._torn_middle))
        return self._plain

    def release(self) -> None:
        """Let go of a copy that can be made again."""
        if not any(map(is_stream, self._names)):
            self._stack.close()
            self._plain = None
