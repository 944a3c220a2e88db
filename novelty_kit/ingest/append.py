"""Appending to the log: whole lines, one lock, fsync; two writers lose nothing, a crash tears only the tail.

Reads the log up to its end (after the first time only what grew), asks :mod:`novelty_kit.ingest.news` what
is new, writes that in one go and waits until it is on disk. A damaged log is refused, never mended here.
The lock is a file beside the log that is never removed. No network. No clock.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from novelty_kit.errors import LogError, OutputError
from novelty_kit.ingest.events import Event
from novelty_kit.ingest.files import open_bytes
from novelty_kit.ingest.known import Known
from novelty_kit.ingest.news import news_of_events, news_of_expected, news_of_work
from novelty_kit.ingest.record import Work
from novelty_kit.lock import locked

__all__ = ["Appender"]

_FINGERPRINT: Final = 4096


class Appender:
    """Adds answers to a log.

    Parameters
    ----------
    log : Path
        The file to append to; made where it is missing.
    earlier : sequence of Path, optional
        Files of the same log that come before it; they are only read, and may be compressed.
    dry_run : callable, optional
        Takes each line instead of the file; nothing is written then and no lock is taken.
    keep_seal : callable, optional
        Called with the log's path, under the lock, after every append.

    Attributes
    ----------
    rows : Counter
        Events added so far, by table.
    known : Known
        What the log said when it was last read.
    """

    def __init__(
        self,
        log: Path,
        *,
        earlier: Sequence[Path] = (),
        dry_run: Callable[[bytes], object] | None = None,
        keep_seal: Callable[[Path], object] | None = None,
    ) -> None:
        if log.suffix in (".gz", ".zst"):
            raise LogError(
                "a compressed log cannot be appended to",
                path=str(log),
                remedy="Name a plain file after it: --graph old.jsonl.gz --graph new.jsonl",
            )
        self.log = log
        self.earlier = tuple(earlier)
        self.rows: Counter[str] = Counter()
        self.known = Known()
        self._dry_run = dry_run
        self._keep_seal = keep_seal
        self._started = False
        self._end = 0
        self._inode = -1
        self._last = b""
        self._unended = False

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *exc: object) -> None:
        self.known.close()

    def refresh(self) -> None:
        """Read what the log says now, without adding anything.

        Raises
        ------
        LogError
            The log is damaged or ends in a torn line.
        """
        if self._dry_run is None:
            with locked(self.log), self._opened() as stream:
                self._catch_up(stream)
        elif not self._started:
            with (self.log if self.log.exists() else Path(os.devnull)).open("rb") as stream:
                self._catch_up(stream)

    def expect(self, lom_ids: Iterable[str]) -> int:
        """Write down what will be asked for, before it is asked; the number of lines added.

        Whatever becomes of the run, each of these is a paper of the log whose list is not known yet.

        Raises
        ------
        LogError, OutputError
            As in :meth:`add`.
        """
        return self._append(lambda: news_of_expected(lom_ids, self.known))

    def add(self, items: Iterable[Work | Event]) -> int:
        """Append what is new in these records and rows; the number of lines added.

        Raises
        ------
        LogError
            The log is damaged or ends in a torn line; nothing was appended.
        OutputError
            The disk is full or the file cannot be written; what was begun is taken back.
        """
        return self._append(lambda: self._news(items))

    def _append(self, news: Callable[[], Iterable[Event]]) -> int:
        if self._dry_run is not None:
            self.refresh()
            lines = self._counted(news())
            for line in lines:
                self._dry_run(line)
            return len(lines)
        with locked(self.log), self._opened() as stream:
            self._catch_up(stream)
            lines = self._counted(news())
            if lines:
                self._write(stream, lines)
                if self._keep_seal is not None:
                    self._keep_seal(self.log)
        return len(lines)

    def _counted(self, events: Iterable[Event]) -> list[bytes]:
        lines: list[bytes] = []
        for event in events:
            self.rows[event.table] += 1
            lines.append(event.line())
        return lines

    def _news(self, items: Iterable[Work | Event]) -> Iterator[Event]:
        for item in items:
            yield from news_of_work(item, self.known) if isinstance(item, Work) else self._alone(item)

    def _alone(self, event: Event) -> Iterator[Event]:
        for fresh in news_of_events((event,), self.known):
            self.known.apply(fresh.op, fresh.table, fresh.row)
            yield fresh

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        try:
            made = not self.log.exists()
            handle = os.open(self.log, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            if made:
                _sync_folder(self.log.parent)
        except OSError as error:
            raise _unwritable(self.log, error) from error
        with os.fdopen(handle, "r+b", buffering=0) as stream:
            yield stream

    def _catch_up(self, stream: BinaryIO) -> None:
        """Bring `known` up to the log's end; from the start where the log is another one than before."""
        status = os.fstat(stream.fileno())
        if not self._started or status.st_ino != self._inode or not self._grown(stream, status.st_size):
            self._begin(status.st_ino)
        stream.seek(self._end)
        for raw in _lines(stream):
            if not raw.endswith(b"\n"):
                self._unended = self._whole(raw)
            self.known.read_line(raw, str(self.log))
            self._moved(raw)

    def _begin(self, inode: int) -> None:
        self.known.close()
        self.known = Known()
        self._started, self._inode, self._end, self._last, self._unended = True, inode, 0, b"", False
        for path in self.earlier:
            with open_bytes(path) as stream:
                for raw in stream:
                    self.known.read_line(raw, str(path))
            self.known.n_lines = 0

    def _grown(self, stream: BinaryIO, size: int) -> bool:
        """Whether the log is the one that was read, with at most more at its end."""
        if size < self._end:
            return False
        stream.seek(self._end - len(self._last))
        return stream.read(len(self._last)) == self._last

    def _moved(self, raw: bytes) -> None:
        self._end += len(raw)
        self._last = raw[-_FINGERPRINT:]

    def _whole(self, raw: bytes) -> bool:
        """A last line that lacks only its newline is whole; one that does not parse is torn."""
        try:
            json.loads(raw)
        except ValueError:
            raise LogError(
                f"the log ends in a torn line at byte {self._end}",
                path=str(self.log),
                line=self.known.n_lines + 1,
                remedy="Nothing was appended. Run `novelty graph repair` on it first",
            ) from None
        return True

    def _write(self, stream: BinaryIO, lines: Sequence[bytes]) -> None:
        data = (b"\n" if self._unended else b"") + b"".join(lines)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(stream.fileno(), rest) :]
            os.fsync(stream.fileno())
        except OSError as error:
            self._started = False
            with contextlib.suppress(OSError):
                os.ftruncate(stream.fileno(), self._end)
                os.fsync(stream.fileno())
            raise _unwritable(self.log, error) from error
        self._unended = False
        self._moved(data)
        self.known.n_lines += len(lines)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines from here on, split at line feeds alone."""
    rest = b""
    while block := stream.read(1 << 20):
        parts = (rest + block).split(b"\n")
        rest = parts.pop()
        for part in parts:
            yield part + b"\n"
    if rest:
        yield rest


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(log: Path, error: OSError) -> OutputError:
    return OutputError(
        f"cannot append: {error.strerror or error}",
        path=str(log),
        remedy="Nothing was added. Choose a log in a folder that exists, is writable and has room (--graph)",
    )
