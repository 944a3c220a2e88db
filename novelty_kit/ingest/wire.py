"""What a hostile or broken wire may do to us, bounded: a time for the whole answer, and a size once unpacked.

A service that sends one byte a minute never runs into the timeout of a single read, and a packed body can hold a
thousand times what was sent. Nothing is written.
"""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

__all__ = ["Deadline", "PackedBadlyError", "TooLargeError", "unpacked"]

_PIECE: Final = 1 << 16
_ANY_ZLIB: Final = zlib.MAX_WBITS | 32


class PackedBadlyError(ValueError):
    """A body is packed in a way that was not asked for, or broke off."""


class TooLargeError(ValueError):
    """A body is larger than allowed, unpacked or on the wire."""


class Deadline:
    """Hangs up after so many seconds, whatever is being waited for: the connection, a header, the body.

    Parameters
    ----------
    seconds : float
        For the whole of one question and its answer.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._seconds = seconds
        self._timer: threading.Timer | None = None

    def begin(self) -> Self:
        """Start the time of one question."""
        self.passed = False
        self._timer = threading.Timer(self._seconds, self._hang_up)
        self._timer.daemon = True
        self._timer.start()
        return self

    def __enter__(self) -> Self:
        return self.begin()

    def __exit__(self, *exc: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Take note of the connection that is used (httpcore's trace extension)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = details["return_value"].get_extra_info("socket")
            if self.passed:
                self._hang_up()

    def _hang_up(self) -> None:
        self.passed = True
        if self._socket is not None:
            try:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return  # it is closed already


def unpacked(chunks: Iterable[bytes], encoding: str, max_bytes: int) -> bytes:
    """A body as it was meant, from the bytes of the wire.

    Parameters
    ----------
    chunks : iterable of bytes
        As they arrive.
    encoding : str
        The ``Content-Encoding`` header; empty where there is none.
    max_bytes : int
        The most that is taken, before and after unpacking.

    Raises
    ------
    TooLargeError
        There is more of it.
    PackedBadlyError
        It is packed otherwise than as gzip or deflate, twice, or is no such stream to its end.
    """
    encoding = encoding.strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise PackedBadlyError(f"the answer is packed as {encoding!r:.60}")
    unpack = None if encoding in ("", "identity") else zlib.decompressobj(_ANY_ZLIB)
    parts: list[bytes] = []
    n_wire = size = 0
    for chunk in chunks:
        n_wire += len(chunk)
        if n_wire > max_bytes:
            raise TooLargeError
        pieces: Iterable[bytes] = (chunk,) if unpack is None else _pieces(unpack, chunk)
        for piece in pieces:
            size += len(piece)
            if size > max_bytes:
                raise TooLargeError
            parts.append(piece)
    if unpack is not None and n_wire and not unpack.eof:
        raise PackedBadlyError("the packed answer broke off")
    return b"".join(parts)


def _pieces(unpack: Any, chunk: bytes) -> Iterable[bytes]:
    """What a chunk holds, a little at a time: one that unpacks to gigabytes is left long before."""
    rest = chunk
    while rest and not unpack.eof:
        try:
            piece = unpack.decompress(rest, _PIECE)
        except zlib.error as error:
            raise PackedBadlyError("the answer is not packed as it says") from error
        yield piece
        rest = unpack.unconsumed_tail
        if not piece and rest:
            raise PackedBadlyError("the answer is not packed as it says")
