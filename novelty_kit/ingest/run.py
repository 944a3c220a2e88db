"""From items to the log, with a count of everything that was met on the way.

An item is a work, a row, a record that gave no work, or a lookup that gave no answer. Each ends as rows, or
in the summary with its reason: nothing is dropped silently, and only a few thousand events are in memory.
Writes through the appender only. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from novelty_kit.ingest.append import Appender
from novelty_kit.ingest.events import Event, failure_events
from novelty_kit.ingest.record import Skipped, Work
from novelty_kit.ingest.reply import Failed, Failure

__all__ = ["Item", "Missed", "Summary", "ingest_items"]

EVENTS_A_TIME: Final = 20_000
"""How many events are gathered before they are written."""
_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class Missed:
    """A lookup that gave no answer.

    Attributes
    ----------
    source : str
        The service.
    lom_id : str
        The id.
    failed : Failed or None
        What happened; None where the run was stopped before it was asked.
    states_references : bool
        Whether the service would have stated references.
    """

    source: str
    lom_id: str
    failed: Failed | None
    states_references: bool = True

    def events(self) -> Iterator[Event]:
        """The rows that say so; none for what was not asked."""
        if self.failed is None or self.failed.failure is Failure.NO_SUCH_LOOKUP:
            return
        for event in failure_events(
            self.source,
            self.lom_id,
            http_status=self.failed.http_status,
            message=self.failed.message,
            reason=str(self.failed.failure),
            answer=self.failed.answer,
            ts=self.failed.ts,
        ):
            if self.states_references or event.table != "references_checked":
                yield event


Item = Work | Event | Skipped | Missed


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

    def saw(self, item: Item) -> None:
        """Count one item."""
        self.asked += 1
        if isinstance(item, Missed):
            code = "not_asked" if item.failed is None else str(item.failed.failure)
            why = "the run was stopped before" if item.failed is None else item.failed.message
            item = Skipped(code, why, f"{item.source} {item.lom_id}")
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

    @property
    def n_missed(self) -> int:
        """How much of what was asked for could not be learned: answers and reference lists."""
        lists = sum(n for reason, n in self.references.items() if reason != "ok")
        return sum(self.failed.values()) + lists

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
    items: Iterable[Item],
    appender: Appender,
    *,
    events_a_time: int = EVENTS_A_TIME,
    seen: Callable[[int], object] = lambda n: None,
) -> Summary:
    """Append what the items say, some thousand events at a time.

    Parameters
    ----------
    items : iterable of Work, Event, Skipped or Missed
        Taken lazily.
    appender : Appender
        The log.
    events_a_time : int, optional
        How many events are gathered before they are written.
    seen : callable, optional
        Called with the number of items so far (a progress bar).

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
        batch.extend(item.events() if isinstance(item, Missed) else (item,))
        size += 2 + (len(item.references.entries) if isinstance(item, Work) and item.references else 0)
        if size >= events_a_time:
            summary.n_events += appender.add(batch)
            batch, size = [], 0
            seen(summary.asked)
    if batch:
        summary.n_events += appender.add(batch)
    seen(summary.asked)
    summary.rows = appender.rows
    return summary
