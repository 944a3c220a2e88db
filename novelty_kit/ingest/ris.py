"""RIS: reference lists of databases and reference managers. No network. No clock. Nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.ingest.bibliography import Entry
from novelty_kit.ingest.record import Skipped

__all__ = ["read_ris"]

_BEGIN: Final = re.compile(r"^TY {0,2}-", re.MULTILINE)
_END: Final = re.compile(r"^ER {0,2}-", re.MULTILINE)


def read_ris(raw: bytes, path: str) -> Iterator[Entry | Skipped]:
    """Every record, in the file's order.

    Raises
    ------
    DocumentError
        It is no RIS, or a record of it would be lost.
    """
    import rispy
    from rispy.parser import ParseError

    text = re.sub("\r\n?", "\n", raw.decode("utf-8-sig", "replace"))
    begins = [text.count("\n", 0, found.start()) + 1 for found in _BEGIN.finditer(text)]
    try:
        records = rispy.loads(text, skip_unknown_tags=False)
    except (ParseError, OSError, ValueError, KeyError, IndexError) as error:
        raise DocumentError(
            f"this is no RIS: {error}", path=path, remedy="Records run from TY to ER"
        ) from error
    n_ends = len(_END.findall(text))
    if not len(records) == len(begins) == n_ends:
        raise DocumentError(
            f"{len(begins)} records begin, {n_ends} end, and {len(records)} could be read",
            path=path,
            remedy="Every record begins with TY and ends with ER",
        )
    for number, (record, line) in enumerate(zip(records, begins, strict=True), start=1):
        yield _entry(number, line, record)


def _entry(number: int, line: int, record: dict[str, Any]) -> Entry:
    urls = record.get("urls", record.get("url", []))
    return Entry(
        name=str(record.get("id", number)),
        line=line,
        title=_first(record, "title", "primary_title", "translated_title", "short_title"),
        authors=tuple(str(name) for name in record.get("authors", record.get("first_authors", []))),
        dates=tuple(str(record[name]) for name in ("date", "publication_year", "year") if record.get(name)),
        named={
            "doi": tuple(str(record[name]) for name in ("doi",) if record.get(name)),
            "arxiv": (),
            "pmid": (),
        },
        addresses=tuple(str(url) for url in (urls if isinstance(urls, list) else [urls])),
        abstract=_first(record, "abstract", "notes_abstract"),
    )


def _first(record: dict[str, Any], *names: str) -> str | None:
    return next((str(record[name]) for name in names if record.get(name)), None)
