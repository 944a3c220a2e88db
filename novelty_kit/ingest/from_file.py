"""Files of a provider's records into the log, with a count of everything that was met on the way.

Streams: a snapshot of a million works needs the memory of a few hundred. Nothing is dropped silently: each
record ends as rows or as a :class:`~novelty_kit.ingest.record.Skipped` with its place and reason.
No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from csv import DictReader
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.ingest import openalex
from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.events import Event, same_work_event
from novelty_kit.ingest.files import open_bytes, read_records
from novelty_kit.ingest.record import Answer, SameWork, Skipped, Work

__all__ = ["Summary", "ingest_items", "openalex_items"]

_EVENTS_A_TIME: Final = 20_000
_LISTED: Final = 100


@dataclass(slots=True)
class Summary:
    """What came of an ingestion.

    Attributes
    ----------
    asked, answered : int
        Records or ids asked for, and those that gave a work or a row.
    failed : Counter
        Records and ids that gave none, by code.
    skipped : list of Skipped
        The first hundred of them, for a person.
    references : Counter
        Reference lists: ``ok``, or the reason why a list is not known.
    notes : Counter
        Oddities by code: how many works had them.
    rows : Counter
        Events added, by table.
    n_events : int
        Events added.
    """

    asked: int = 0
    answered: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    references: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    n_events: int = 0

    def saw(self, item: Work | Event | Skipped) -> None:
        """Count one item."""
        self.asked += 1
        if isinstance(item, Skipped):
            self.failed[item.code] += 1
            if len(self.skipped) < _LISTED:
                self.skipped.append(item)
            return
        self.answered += 1
        if isinstance(item, Work):
            self.notes.update(set(item.notes))
            if item.states_references:
                fault = item.references.fault if item.references is not None else "not_stated"
                self.references["ok" if fault is None else str(fault)] += 1

    def to_dict(self) -> dict[str, Any]:
        """The summary as one JSON object, counters sorted by name."""
        return {
            "asked": self.asked,
            "answered": self.answered,
            "failed": dict(sorted(self.failed.items())),
            "references": dict(sorted(self.references.items())),
            "notes": dict(sorted(self.notes.items())),
            "rows": dict(sorted(self.rows.items())),
            "n_events": self.n_events,
            "skipped": [{"where": s.where, "code": s.code, "why": s.why} for s in self.skipped],
        }


def ingest_items(
    items: Iterable[Work | Event | Skipped],
    appender: Appender,
    *,
    seen: Callable[[int], object] = lambda n: None,
) -> Summary:
    """Append what the items say, a few thousand events at a time.

    Parameters
    ----------
    items : iterable of Work, Event or Skipped
        Taken lazily.
    appender : Appender
        The log.
    seen : callable, optional
        Called with the number of items so far after every batch (a progress bar).

    Returns
    -------
    Summary
    """
    summary = Summary()
    batch: list[Work | Event] = []
    size = 0
    for item in items:
        summary.saw(item)
        if isinstance(item, Skipped):
            continue
        batch.append(item)
        size += 2 + (len(item.references.entries) if isinstance(item, Work) and item.references else 0)
        if size >= _EVENTS_A_TIME:
            summary.n_events += appender.add(batch)
            batch, size = [], 0
            seen(summary.asked)
    if batch:
        summary.n_events += appender.add(batch)
    seen(summary.asked)
    summary.rows = appender.rows
    return summary


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
            continue
        for record in read_records(path, ("results",)):
            if isinstance(record, Skipped):
                yield record
                continue
            answer = Answer(openalex.SOURCE, record.sha256, file=path.name, ts=checked_ts)
            work = openalex.read_work(record.value, answer=answer)
            yield replace(work, where=record.where) if isinstance(work, Skipped) else work


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
