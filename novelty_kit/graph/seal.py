"""The seal beside a log: what it held when it was sealed, so that a lost line is seen.

``events.jsonl.seal.json`` holds how many lines and bytes were sealed, the sha256 of each of their 16 MiB blocks
and the CRC-32 of each line: the blocks say whether anything changed, the line sums where. Growing is legal; what
follows the sealed lines is the unsealed tail. Without a seal a loss cannot be seen, and one that is removed or
made anew protects nothing. Reads the log; writes the seal only. No network. No clock.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import zlib
from array import array
from dataclasses import dataclass
from pathlib import Path

from novelty_kit.errors import DamageError, LogError
from novelty_kit.graph.log import BLOCK, Plain, block_hashes, hash_of, is_stream, log_lines, plain_log
from novelty_kit.output import canonical_json, write_whole

__all__ = ["Seal", "check_seals", "extend_seal", "line_sums", "read_seal", "refuse_open_end", "seal_path"]

FORMAT = 1
_AGAIN = "Restore the log from a copy; where the change is meant, seal it with novelty graph seal --anew"


@dataclass(frozen=True, slots=True)
class Seal:
    """What a log held when it was sealed.

    Attributes
    ----------
    n_lines, n_bytes : int
        Of the unpacked log.
    blocks : tuple of bytes
        sha256 of each 16 MiB block, the last one short.
    sums : array of int
        CRC-32 of each line without its newline.
    """

    n_lines: int
    n_bytes: int
    blocks: tuple[bytes, ...]
    sums: array[int]

    @property
    def sha256(self) -> str:
        """The log's hash at that moment."""
        return hash_of(self.blocks)

    def to_json(self) -> str:
        """As it stands in the file."""
        return canonical_json(
            {
                "format": FORMAT,
                "lines": self.n_lines,
                "bytes": self.n_bytes,
                "sha256": self.sha256,
                "block_bytes": BLOCK,
                "blocks": [block.hex() for block in self.blocks],
                "line_crc32": base64.b64encode(_big_endian(self.sums).tobytes()).decode("ascii"),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Seal:
        """From that text; ValueError, KeyError or TypeError where it is no seal."""
        held = json.loads(text)
        packed = base64.b64decode(held["line_crc32"], validate=True)
        sums = _big_endian(array("I", packed))
        blocks = tuple(bytes.fromhex(block) for block in held["blocks"])
        seal = cls(held["lines"], held["bytes"], blocks, sums)
        n_blocks = -(-seal.n_bytes // BLOCK)
        if (held["format"], held["block_bytes"]) != (FORMAT, BLOCK):
            raise ValueError("another format")
        if (len(packed), len(seal.blocks), held["sha256"]) != (4 * seal.n_lines, n_blocks, seal.sha256):
            raise ValueError("its parts do not fit together")
        return seal


def _big_endian(sums: array[int]) -> array[int]:
    """A copy with the bytes of each sum in the order of the file, or back."""
    copied = array("I", sums)
    if sys.byteorder == "little":
        copied.byteswap()
    return copied


def seal_path(name: str) -> Path:
    """Where the seal of a log file stands: beside the file itself, whatever links lead to it."""
    return Path(f"{os.path.realpath(name)}.seal.json")


def read_seal(name: str) -> Seal | None:
    """The seal of a log file; None where it has none.

    Raises
    ------
    DamageError
        There is one, but it cannot be read.
    """
    path = seal_path(name)
    if is_stream(name) or not os.path.exists(path):  # Path.exists raises where a name is too long
        return None
    try:
        return Seal.from_json(path.read_text("utf-8"))
    except OSError as error:
        raise DamageError(f"the seal cannot be read: {error.strerror or error}", path=str(path)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        why = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        remedy = "Restore it from a copy, or seal the log with novelty graph seal --anew"
        raise DamageError(f"the seal is damaged: {why}", path=str(path), remedy=remedy) from error


def check_seals(plain: Plain, blocks: tuple[bytes, ...] | None = None) -> tuple[Seal | None, ...]:
    """Compare each file of the log with its seal, where it has one.

    Parameters
    ----------
    plain : Plain
    blocks : tuple of bytes, optional
        The block hashes of `plain`, where they are known already.

    Returns
    -------
    tuple
        For each file its seal, or None.

    Raises
    ------
    DamageError
        A sealed line is lost, changed or moved: names the first such line. Or a seal is damaged.
    """
    found = []
    ends = (*plain.starts[1:], plain.n_bytes)
    for name, start, end in zip(plain.names, plain.starts, ends, strict=True):
        seal = read_seal(name)
        found.append(seal)
        if seal is None:
            continue
        known = blocks if start == 0 else None
        if end - start < seal.n_bytes or _sealed_blocks(plain.path, start, seal, known) != seal.blocks:
            raise _difference(plain, name, start, end, seal)
    return tuple(found)


def _sealed_blocks(path: str, start: int, seal: Seal, known: tuple[bytes, ...] | None) -> tuple[bytes, ...]:
    """The block hashes that the sealed part of a file has now."""
    n_whole = seal.n_bytes // BLOCK if known is not None else 0
    rest = block_hashes(path, seal.n_bytes - n_whole * BLOCK, start + n_whole * BLOCK)
    return ((known or ())[:n_whole]) + tuple(rest)


def line_sums(plain: Plain, start: int, end: int) -> array[int]:
    """CRC-32 of each line between two offsets."""
    sums = array("I")
    part = Plain(plain.path, plain.names, plain.starts, end)
    for _, run in log_lines(part, start):
        lines = run.split(b"\n")
        sums.extend(map(zlib.crc32, lines if lines[-1] else lines[:-1]))
    return sums


def _difference(plain: Plain, name: str, start: int, end: int, seal: Seal) -> DamageError:
    """The first place at which a file is not what was sealed, in words."""
    line, what = _first_difference(seal.sums, line_sums(plain, start, end))
    return DamageError(f"{what}; {seal.n_lines} lines were sealed", path=name, line=line, remedy=_AGAIN)


def _first_difference(sealed: array[int], now: array[int]) -> tuple[int, str]:
    """The first line that is not as sealed, and what happened to it where that can be told."""
    n = len(sealed)
    odd = [i for i, (old, new) in enumerate(zip(sealed, now, strict=False)) if old != new]
    at = odd[0] if odd else min(n, len(now))
    line = at + 1
    if at == n:
        return max(n, 1), "the end of the last sealed line is changed"
    if at == len(now):
        return line, f"the sealed lines from {line} on are lost"
    twin = _index(now, sealed[at], line)
    if twin is not None and sealed[at:] == now[twin : twin + n - at]:
        return line, f"before the sealed line {line}, foreign lines stand ({twin - at})"
    if len(odd) == 1 and len(now) >= n:
        return line, f"the sealed line {line} is changed"
    if len(odd) == 2 and (sealed[at], sealed[odd[1]]) == (now[odd[1]], now[at]):
        return line, f"the sealed lines {line} and {odd[1] + 1} have changed places"
    after = _index(sealed, now[at], line)
    if after is not None and sealed[after:] == now[at : at + n - after]:
        lost = f"lines {line} to {after} are" if after > line else f"line {line} is"
        return line, f"the sealed {lost} lost"
    return line, f"the sealed line {line} is not there; from it on the log is another"


def _index(sums: array[int], one: int, start: int) -> int | None:
    try:
        return sums.index(one, start)
    except ValueError:
        return None


def extend_seal(name: str | os.PathLike[str]) -> Seal | None:
    """Seal what was appended to a sealed log; for whoever appends to it.

    Parameters
    ----------
    name : path

    Returns
    -------
    Seal or None
        The new seal; None where the log has none, which is left so.

    Raises
    ------
    LogError
        An appended line is no event, or has no end.
    DamageError
        The last sealed block is not what was sealed, or the log is shorter.
    OutputError
        The seal could not be written; the old one stands.
    """
    name = os.fspath(name)
    seal = read_seal(name)
    if seal is None:
        return None
    with plain_log((name,)) as plain:
        first = (seal.n_bytes // BLOCK) * BLOCK
        with Path(plain.path).open("rb") as stream:
            stream.seek(first)
            held = stream.read(seal.n_bytes - first)
        short = hashlib.sha256(held).digest() if held else None
        if plain.n_bytes < seal.n_bytes or (short is not None and short != seal.blocks[-1]):
            raise _difference(plain, name, 0, plain.n_bytes, seal)
        _refuse_bad_tail(plain, seal)
        refuse_open_end(plain, seal.n_lines + 1)
        blocks = seal.blocks[: first // BLOCK] + tuple(block_hashes(plain.path, plain.n_bytes - first, first))
        sums = seal.sums + line_sums(plain, seal.n_bytes, plain.n_bytes)
        grown = Seal(len(sums), plain.n_bytes, blocks, sums)
    if grown != seal:
        write_whole(seal_path(name), grown.to_json() + "\n")
    return grown


def refuse_open_end(plain: Plain, n_lines: int) -> None:
    """Refuse a log whose last line lacks its newline: a later line could grow onto it."""
    with Path(plain.path).open("rb") as stream:
        if plain.n_bytes and n_lines:
            stream.seek(plain.n_bytes - 1)
            if stream.read(1) != b"\n":
                remedy = "End it with a newline before it is sealed"
                raise LogError("the last line has no end", path=plain.names[-1], line=n_lines, remedy=remedy)


def _refuse_bad_tail(plain: Plain, seal: Seal) -> None:
    from novelty_kit.graph.lines import check_line

    line = seal.n_lines
    for _, run in log_lines(plain, seal.n_bytes):
        for raw in run.removesuffix(b"\n").split(b"\n"):
            line += 1
            faults = check_line(raw).faults
            if faults:
                fault, name = faults[0], plain.names[0]
                raise LogError(fault.what, path=name, line=line, column=fault.column, remedy=fault.remedy)
