"""The text store: what was fetched, as bytes and as text, each named by its sha256.

Reads and writes one folder::

    raw/<sha256>                     the bytes as they came
    text/<sha256>                    the text taken from them, UTF-8
    row/<text sha256>/<sha256>.json  where a text is from; one file a row, named by its own hash

Files are written whole and never changed, so several writers need no lock. Every read hashes again: a missing
or altered file is told apart from a good one and never passes for it. No network. No clock: when something
was fetched is handed in.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from novelty_kit.errors import DamageError, InputError
from novelty_kit.output import canonical_json, write_whole

__all__ = ["GRAPH_EXTRACTOR", "StoreRow", "TextStore", "is_sha256", "sha256_of"]

#: How the text of a graph paper is made from its title and abstract; see :meth:`TextStore.add_paper`.
GRAPH_EXTRACTOR = ("title-abstract", "1")

_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_sha256(text: object) -> bool:
    """Whether this is the lower-case hexadecimal form that names files here (and so no path)."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


def sha256_of(data: bytes | str) -> str:
    """The sha256 of bytes, or of a text in UTF-8."""
    return hashlib.sha256(
        data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    ).hexdigest()


@dataclass(frozen=True, slots=True)
class StoreRow:
    """Where one text is from.

    Attributes
    ----------
    url : str
        Where it was fetched, with any key removed; for a paper of the graph its lom_id.
    fetched_at : str or None
        When, RFC 3339 in UTC; None: not recorded.
    media_type : str
        Of the raw bytes.
    extractor, extractor_version : str
        What turned the bytes into text.
    raw_sha256, text_sha256 : str
        The names of both files.
    """

    url: str
    fetched_at: str | None
    media_type: str
    extractor: str
    extractor_version: str
    raw_sha256: str
    text_sha256: str


class TextStore:
    """A folder of fetched texts.

    Parameters
    ----------
    folder : path
        Need not exist before the first text is added.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def add(
        self,
        raw: bytes,
        text: str,
        *,
        url: str,
        fetched_at: str | None,
        media_type: str,
        extractor: tuple[str, str],
    ) -> StoreRow:
        """Keep one fetched source; adding it again changes nothing.

        Raises
        ------
        OutputError
            The folder cannot be written.
        """
        row = StoreRow(url, fetched_at, media_type, *extractor, sha256_of(raw), sha256_of(text))
        line = canonical_json(asdict(row))
        self._put(self.folder / "raw" / row.raw_sha256, raw)
        self._put(self.folder / "text" / row.text_sha256, text.encode("utf-8", "surrogatepass"))
        self._put(self.folder / "row" / row.text_sha256 / f"{sha256_of(line)}.json", line.encode("utf-8"))
        return row

    def add_paper(self, url: str, title: str, abstract: str, fetched_at: str | None = None) -> StoreRow:
        """Keep a paper's title and abstract: raw is their JSON, the text both with an empty line between."""
        raw = canonical_json({"id": url, "title": title, "abstract": abstract}).encode("utf-8")
        text = f"{title}\n\n{abstract}" if abstract else title
        return self.add(
            raw,
            text,
            url=url,
            fetched_at=fetched_at,
            media_type="application/json",
            extractor=GRAPH_EXTRACTOR,
        )

    def text(self, text_sha256: str) -> str:
        """The stored text, after both its own hash and those of its sources have been computed again.

        Raises
        ------
        InputError
            Nothing is stored under this name, or the bytes it was taken from are gone.
        DamageError
            A file's bytes do not hash to its name.
        """
        if not is_sha256(text_sha256):
            raise InputError("this is no sha256", remedy="Write 64 hexadecimal digits in lower case")
        rows = list(self.rows(text_sha256))
        if not rows:
            raise InputError(f"no row names the text {text_sha256}", path=str(self.folder))
        for name in sorted({row.raw_sha256 for row in rows}):
            self._get("raw", name)
        return self._get("text", text_sha256).decode("utf-8", "surrogatepass")

    def rows(self, text_sha256: str) -> Iterator[StoreRow]:
        """Where a text is from, in the order of the rows' names; none for a text that is not stored."""
        folder = self.folder / "row" / text_sha256
        if not is_sha256(text_sha256) or not folder.is_dir():
            return
        for path in sorted(folder.glob("*.json")):
            yield self._row(path, text_sha256)

    def _row(self, path: Path, text_sha256: str) -> StoreRow:
        line = _bytes_of(path, "a row")
        if f"{sha256_of(line)}.json" != path.name:
            raise DamageError("the row's bytes do not hash to its name", path=str(path))
        try:
            row = StoreRow(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise DamageError("this is no row of a text store", path=str(path)) from error
        values = [getattr(row, field.name) for field in fields(row) if field.name != "fetched_at"]
        if not all(isinstance(value, str) for value in values) or not is_sha256(row.raw_sha256):
            raise DamageError("a row with a field of the wrong type", path=str(path))
        if row.text_sha256 != text_sha256:
            raise DamageError("the row names another text than its folder", path=str(path))
        return row

    def _get(self, kind: str, name: str) -> bytes:
        path = self.folder / kind / name
        data = _bytes_of(path, f"the stored {kind}")
        if sha256_of(data) != name:
            raise DamageError("the bytes do not hash to the name", path=str(path))
        return data

    def _put(self, path: Path, data: bytes) -> None:
        try:
            if path.is_file() and path.read_bytes() == data:
                return
        except OSError:
            pass  # Unreadable: writing says what is wrong.
        write_whole(path, data)


def _bytes_of(path: Path, what: str) -> bytes:
    """A file's bytes; a pipe or a device in its place is never waited for."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"cannot read {what}: it is no file", path=str(path))
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {what}: {error.strerror}", path=str(path)) from error
