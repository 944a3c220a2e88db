"""What this room gives: changes along a log, differences between two results, and a thought beside the fact.

Records only; wording for people is in ``show``. Nothing is read or written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import InputError
from novelty_kit.output import for_terminal, shorten
from novelty_kit.verdict.record import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Change", "Difference", "Differing", "Facts", "History", "WhatIf", "facts_of"]

Facts = dict[str, Any]


def facts_of(verdict: Verdict) -> Facts:
    """What matters of a result beside another: what was decided, and the counts behind it."""
    return {
        "status": verdict.status,
        "verdict": verdict.verdict,
        "rule": verdict.rule,
        "n_in_sample": verdict.in_sample.n_shared,
        "n_holdout": verdict.holdout.n_shared,
        "n_stub": verdict.stub_overlap.n_shared,
        "coverage_gap_total": verdict.coverage_gap_total,
        "nothing_compared": verdict.nothing_compared,
        "coverage": {
            name: verdict.coverage[name] for name in ("subject", "n_compared", "n_covered", "n_covered_in")
        },
    }


@dataclass(frozen=True, slots=True)
class Change:
    """One moment at which a candidate's status, verdict or deciding rule became another.

    Attributes
    ----------
    candidate_id : str or None
        Its ``id``, else its lom_id at the end of the history; None where nothing can be named.
    seq : int
        The event that did it; 0 is the empty log, with which every history begins.
    status, verdict, rule
        From this event on.
    event : dict or None
        The line of the log as it stands there; None at seq 0.
    place : dict or None
        ``file`` and ``line`` of that event.
    before : dict or None
        The result at ``seq - 1``: ``status``, ``verdict``, ``rule``, ``n_in_sample``, ``n_holdout``, ``n_stub``
        (nodes), ``coverage_gap_total`` (nodes; 0 where another rule decided), ``nothing_compared``, ``coverage``
        (``subject``, ``n_compared``, ``n_covered``, ``n_covered_in``). None at seq 0.
    after : dict
        The same at ``seq``.
    """

    candidate_id: str | None
    seq: int
    status: str
    verdict: str
    rule: int
    event: dict[str, Any] | None
    place: dict[str, Any] | None
    before: Facts | None
    after: Facts

    def to_dict(self) -> dict[str, Any]:
        """As one line of ``novelty history --jsonl``."""
        return {
            "candidate_id": self.candidate_id,
            "seq": self.seq,
            "status": self.status,
            "verdict": self.verdict,
            "rule": self.rule,
            "event": self.event,
            "before": self.before,
            "after": self.after,
            "place": self.place,
        }


@dataclass(frozen=True)
class History:
    """Every change of one or more candidates, in the candidates' order and then along the log.

    Attributes
    ----------
    changes : tuple of Change
    candidate_ids : tuple of (str or None)
        One a candidate, in the order in which they were given.
    n_changes : tuple of int
        How many of ``changes`` are each candidate's.
    graph : dict
        ``files``, ``as_of_seq`` (the last event that was looked at), ``sha256`` of the whole log.
    policy : dict
        As in results.
    """

    changes: tuple[Change, ...]
    candidate_ids: tuple[str | None, ...]
    n_changes: tuple[int, ...]
    graph: dict[str, Any]
    policy: dict[str, Any]

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def of(self, candidate: int | str) -> tuple[Change, ...]:
        """The changes of one candidate, by its number in the order given (from 0), or by its id.

        Raises
        ------
        InputError
            There is no such candidate, or there are several.
        """
        if isinstance(candidate, str):
            n = self.candidate_ids.count(candidate)
            if n != 1:
                who = "no candidate" if n == 0 else f"{n} candidates"
                what = f"{who} of this history {'is' if n == 0 else 'are'} '{shorten(candidate, 60)}'"
                raise InputError(what, remedy="Name one by its number, from 0" if n else None)
            candidate = self.candidate_ids.index(candidate)
        elif not 0 <= candidate < len(self.n_changes):
            what = f"this history has {len(self.n_changes)} candidates, none of them is number {candidate}"
            raise InputError(what, remedy="Numbers begin with 0")
        start = sum(self.n_changes[:candidate])
        return self.changes[start : start + self.n_changes[candidate]]

    def at(self, seq: int, candidate: int | str = 0) -> Change:
        """The change that is in force at an event: the last one not after it."""
        if not 0 <= seq <= self.graph["as_of_seq"]:
            what = f"this history goes from event 0 to {self.graph['as_of_seq']}, not to {seq}"
            raise InputError(what, remedy="Give a seq of that range")
        return [change for change in self.of(candidate) if change.seq <= seq][-1]

    def to_dicts(self) -> list[dict[str, Any]]:
        """As ``novelty history --jsonl`` writes it, one object a change."""
        return [change.to_dict() for change in self.changes]

    def frame(self) -> pd.DataFrame:
        """One row a change.

        Returns
        -------
        DataFrame
            ``candidate_id`` (string; NA where nothing can be named), ``seq`` (int, the event), ``status``,
            ``verdict``, ``rule`` (int), ``table``, ``op`` (string, of the event; NA at seq 0), ``verdict_before``,
            ``rule_before`` (NA at seq 0), ``n_in_sample``, ``n_holdout``, ``n_stub``, ``coverage_gap_total`` (int,
            nodes, after the event).
        """
        import pandas as pd
        import pyarrow as pa

        rows = [
            {
                "candidate_id": change.candidate_id,
                "seq": change.seq,
                "status": change.status,
                "verdict": change.verdict,
                "rule": change.rule,
                "table": None if change.event is None else str(change.event["table"]),
                "op": None if change.event is None else str(change.event["op"]),
                "verdict_before": None if change.before is None else change.before["verdict"],
                "rule_before": None if change.before is None else change.before["rule"],
                **{name: change.after[name] for name in _COUNTS},
            }
            for change in self.changes
        ]
        text, whole = pa.string(), pa.int64()
        kinds = {name: text if name in _TEXTS else whole for name in _COLUMNS}
        table = pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))
        found: pd.DataFrame = table.to_pandas(types_mapper=pd.ArrowDtype)
        return found

    def __repr__(self) -> str:
        n = len(self.candidate_ids)
        who = "1 candidate" if n == 1 else f"{n} candidates"
        return f"<History of {who}: {len(self.changes) - n} changes up to event {self.graph['as_of_seq']}>"

    def _repr_html_(self) -> str:
        from novelty_kit.changes.show import history_html

        return history_html(self)


_COUNTS = ("n_in_sample", "n_holdout", "n_stub", "coverage_gap_total")
_TEXTS = ("candidate_id", "status", "verdict", "table", "op", "verdict_before")
_COLUMNS = (
    "candidate_id", "seq", "status", "verdict", "rule", "table", "op", "verdict_before", "rule_before", *_COUNTS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Differing:
    """One candidate at two points.

    Attributes
    ----------
    candidate_id : str or None
    before, after : Verdict
        The whole results.
    about : str
        What the events account for: ``decision`` (status, verdict or rule), else ``overlap``, else ``coverage``;
        empty where the results are alike.
    events : tuple of dict
        Without any one of these the change does not happen, and with them alone it does: ``seq``, ``effect``
        (``added``, or ``removed`` where the second point lacks the event), ``event``, ``place`` (``file``,
        ``line``), ``log`` (``first`` or ``second``).
    policies : tuple of str
        The switches that belong to the same set.
    several : bool
        Whether another set of events does it too, without one of these.
    """

    candidate_id: str | None
    before: Verdict
    after: Verdict
    about: str = ""
    events: tuple[dict[str, Any], ...] = ()
    policies: tuple[str, ...] = ()
    several: bool = False

    @property
    def verdict_differs(self) -> bool:
        """Whether the two verdicts are two."""
        return self.before.verdict != self.after.verdict

    def to_dict(self) -> dict[str, Any]:
        """As an object of ``novelty diff --json``."""
        return {
            "candidate_id": self.candidate_id,
            "verdict_differs": self.verdict_differs,
            "before": facts_of(self.before),
            "after": facts_of(self.after),
            "overlap": {
                name: _moved(
                    getattr(self.before, name).shared_lom_ids, getattr(self.after, name).shared_lom_ids
                )
                for name in ("in_sample", "holdout", "stub_overlap")
            },
            "coverage_gap": _moved(self.before.coverage_gap, self.after.coverage_gap),
            "about": self.about,
            "events": list(self.events),
            "policies": list(self.policies),
            "several": self.several,
        }


def _moved(before: tuple[str, ...], after: tuple[str, ...]) -> dict[str, list[str]]:
    """What a sorted list of ids gained and lost."""
    old, new = set(before), set(after)
    return {"gained": [i for i in after if i not in old], "lost": [i for i in before if i not in new]}


@dataclass(frozen=True, slots=True)
class Difference:
    """Candidates at two points: of one log, of two logs, or under two policies.

    Attributes
    ----------
    items : tuple of Differing
        One a candidate, in the order in which they were given.
    a, b : dict
        The two points: ``files``, ``as_of_seq``, ``sha256``, ``policy``.
    """

    items: tuple[Differing, ...]
    a: dict[str, Any] = field(default_factory=dict)
    b: dict[str, Any] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Whether the verdict of any candidate differs."""
        return any(item.verdict_differs for item in self.items)

    @property
    def _only(self) -> Differing:
        if len(self.items) != 1:
            raise InputError(
                f"there are {len(self.items)} candidates", remedy="Look at .items, one a candidate"
            )
        return self.items[0]

    @property
    def before(self) -> Verdict:
        """The only candidate's result at the first point."""
        return self._only.before

    @property
    def after(self) -> Verdict:
        """The only candidate's result at the second point."""
        return self._only.after

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """The events that account for the only candidate's change."""
        return self._only.events

    @property
    def several(self) -> bool:
        """Whether another set of events accounts for the only candidate's change too."""
        return self._only.several

    def to_dict(self) -> dict[str, Any]:
        """As ``novelty diff --json`` writes it."""
        return {"a": self.a, "b": self.b, "differences": [item.to_dict() for item in self.items]}

    def __repr__(self) -> str:
        n = sum(item.verdict_differs for item in self.items)
        return f"<Difference: {n} of {len(self.items)} verdicts differ>"

    def _repr_html_(self) -> str:
        from novelty_kit.changes.show import difference_html

        return difference_html(self)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A candidate as it is, and as it would be with some facts otherwise; the log is as it was.

    Attributes
    ----------
    before, after : Verdict
        ``after.graph`` names under ``what_if`` what was supposed.
    difference : Differing
        What is otherwise.
    supposed : dict
        ``add`` (events), ``remove`` (seqs), ``hold`` (ids), ``policy`` (switches): all in normal form.
    """

    before: Verdict
    after: Verdict
    difference: Differing
    supposed: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """As ``novelty whatif --json`` writes it."""
        return {
            "candidate_id": self.before.candidate_id,
            "supposed": self.supposed,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "difference": self.difference.to_dict(),
        }

    def __repr__(self) -> str:
        name = for_terminal(shorten(self.before.candidate_id or "(no id)", 60))
        return f"<WhatIf {name}: {self.before.verdict} -> {self.after.verdict}>"

    def _repr_html_(self) -> str:
        from novelty_kit.changes.show import what_if_html

        return what_if_html(self)
