"""Files of a provider's records as items for the log.

Streams: a snapshot of a million works needs the memory of a few hundred. Each record ends as a work, or as a
:class:`~novelty_kit.ingest.record.Skipped` with its place and reason. No network. No clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from csv import DictReader
from dataclasses import replace
from pathlib import Path

from novelty_kit.errors import DocumentError
from novelty_kit.ingest import arxiv, crossref, openalex, s2
from novelty_kit.ingest.events import Event, same_work_event
from novelty_kit.ingest.files import open_bytes, read_records
from novelty_kit.ingest.record import Answer, SameWork, Skipped, Work

__all__ = ["arxiv_items", "crossref_items", "openalex_items", "s2_items"]


def openalex_items(
    paths: Sequence[Path], *, checked_ts: str | None = None
) -> Iterator[Work | Event | Skipped]:
    """Works and merged ids of OpenAlex files: works, lists, JSON lines, snapshot parts, ``merged_ids`` CSV.

    Parameters
    ----------
    paths : sequence of Path
        The files, in order.
    checked_ts : str, optional
        When OpenAlex gave these answers (RFC 3339); a file alone does not say it.
    """
    for path in paths:
        if ".csv" in path.suffixes:
            yield from _merged_ids(path)
        else:
            yield from _items([path], openalex.SOURCE, ("results",), _openalex_work, checked_ts)


def _openalex_work(value: object, answer: Answer) -> Work | Skipped:
    return openalex.read_work(value, answer=answer)


def _merged_ids(path: Path) -> Iterator[Event | Skipped]:
    with open_bytes(path) as stream:
        lines = (raw.decode("utf-8", "replace") for raw in stream)
        rows = DictReader(lines)
        if not {"id", "merge_into_id"} <= set(rows.fieldnames or ()):
            raise DocumentError(
                "a CSV file without the columns id and merge_into_id",
                path=str(path),
                line=1,
                remedy="Only OpenAlex's merged_ids files are read as CSV",
            )
        for number, row in enumerate(rows, start=2):
            pair = openalex.read_merged_id(row)
            if isinstance(pair, Skipped):
                yield replace(pair, where=f"{path.name}:{number}")
            else:
                yield same_work_event(SameWork(*pair, "merged"), openalex.SOURCE)


def crossref_items(paths: Sequence[Path], *, checked_ts: str | None = None) -> Iterator[Work | Skipped]:
    """Works of Crossref files: answers, lists of items, single works, JSON lines of them."""
    yield from _items(paths, crossref.SOURCE, ("message", "items"), _crossref_work, checked_ts)


def _crossref_work(value: object, answer: Answer) -> Work | Skipped:
    inner = value.get("message", value) if isinstance(value, dict) else value
    return crossref.read_work(inner, answer=answer)


def s2_items(paths: Sequence[Path], *, checked_ts: str | None = None) -> Iterator[Work | Skipped]:
    """Papers of Semantic Scholar files: single papers, batches, pages of a search, JSON lines of them."""
    yield from _items(paths, s2.SOURCE, ("data",), _s2_paper, checked_ts)


def _s2_paper(value: object, answer: Answer) -> Work | Skipped:
    return s2.read_work(value, answer=answer)


def _items(
    paths: Sequence[Path],
    source: str,
    envelope: tuple[str, ...],
    read: Callable[[object, Answer], Work | Skipped],
    checked_ts: str | None,
) -> Iterator[Work | Skipped]:
    for path in paths:
        for record in read_records(path, envelope):
            if isinstance(record, Skipped):
                yield record
                continue
            answer = Answer(source, record.sha256, file=path.name, ts=checked_ts)
            work = read(record.value, answer)
            yield replace(work, where=record.where) if isinstance(work, Skipped) else work


def arxiv_items(paths: Sequence[Path], *, checked_ts: str | None = None) -> Iterator[Work | Skipped]:
    """Preprints of arXiv's Atom feeds."""
    for path in paths:
        with open_bytes(path) as stream:
            raw = stream.read()
        answer = Answer(arxiv.SOURCE, hashlib.sha256(raw).hexdigest(), file=path.name, ts=checked_ts)
        try:
            entries = arxiv.read_feed(raw, answer=answer)
        except ValueError as error:
            raise DocumentError(
                str(error), path=str(path), remedy="Expected an Atom feed of arXiv's API"
            ) from error
        for number, entry in enumerate(entries, start=1):
            where = f"{path.name} entry {number}"
            yield replace(entry, where=where) if isinstance(entry, Skipped) else entry
