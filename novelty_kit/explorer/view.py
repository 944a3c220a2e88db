"""What is looked at: a candidate, an event of the log, a policy, and facts that are supposed. Pure.

Each function gives a new view; nothing is read but the view and, for a step, a history.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from novelty_kit.errors import InputError, NoveltyKitError
from novelty_kit.graph.strict_json import parse_line
from novelty_kit.keys import normalise, parse_key
from novelty_kit.output import shorten
from novelty_kit.report.candidate_form import candidate_form
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.candidate_json import parse_json
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    from novelty_kit.changes import History
    from novelty_kit.graph import Graph

__all__ = [
    "Supposed", "View", "at", "call_of", "held", "read_pasted", "read_supposed", "step", "supposing", "switched",
    "toggled", "view_of",
]  # fmt: skip

_SEQ = re.compile(r"[0-9]{1,18}")
_CHECKED = re.compile(r"(\S+)\s*=\s*([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Supposed:
    """Facts that are supposed beside the log, as :func:`novelty_kit.what_if` takes them.

    Attributes
    ----------
    add : tuple of str
        Events as lines of the log.
    remove : tuple of int
    hold, read : tuple of str
    checked : tuple of (str, int)
    """

    add: tuple[str, ...] = ()
    remove: tuple[int, ...] = ()
    hold: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    checked: tuple[tuple[str, int], ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def arguments(self) -> dict[str, Any]:
        """As keyword arguments; what is not supposed is left out."""
        told: dict[str, Any] = {}
        if self.add:
            told["add"] = [json.loads(line) for line in self.add]
        for name in ("remove", "hold", "read"):
            if getattr(self, name):
                told[name] = list(getattr(self, name))
        if self.checked:
            told["checked"] = dict(self.checked)
        return told


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at.

    Attributes
    ----------
    candidate : Candidate
        With the held-out ids as they are toggled.
    seq : int
        The event of the log as of which it is judged.
    policy : Policy
    supposed : Supposed
    first_seen : tuple of str or None
        The held-out ids that the candidate came with; None is not stated.
    """

    candidate: Candidate
    seq: int
    policy: Policy = field(default_factory=Policy)
    supposed: Supposed = Supposed()
    first_seen: tuple[str, ...] | None = None


def view_of(
    graph: Graph,
    candidate: Candidate | Mapping[str, Any],
    policy: Policy | Mapping[str, Any] | None = None,
) -> View:
    """The view that one begins with: the candidate as the graph is."""
    one = read_candidate(candidate)
    return View(one, graph.as_of_seq, Policy.of(policy), Supposed(), one.seen)


def read_pasted(text: str) -> Candidate:
    """A candidate from what somebody pasted: its JSON record, or an id (an ingested work is judged as if new).

    Raises
    ------
    InputError
        Nothing was pasted.
    KeyFormatError
        It is no id.
    CandidateError
        It is no JSON that can be believed, or with every problem of a record.
    """
    pasted = text.strip()
    if not pasted:
        raise InputError(
            "nothing was pasted", remedy="Paste an id such as arxiv:2408.06292, or a candidate's JSON"
        )
    if not pasted.startswith("{"):
        key = parse_key(pasted)
        return Candidate("paper", (f"{key.scheme}:{key.id}",), leave_out=True)
    return read_candidate(parse_json(pasted, "what was pasted", None))


def at(view: View, seq: int, last: int) -> View:
    """The same as of another event, from the empty log (0) to the last one."""
    return replace(view, seq=min(max(seq, 0), last))


def step(view: View, history: History, towards: Literal["previous", "next"]) -> View:
    """The same as of the previous or next event that changed something; where there is none, the same view."""
    seqs = [change.seq for change in history.of(0)]
    before, after = [seq for seq in seqs if seq < view.seq], [seq for seq in seqs if seq > view.seq]
    if towards == "previous":
        return replace(view, seq=before[-1]) if before else view
    return replace(view, seq=after[0]) if after else view


def toggled(view: View, lom_id: str) -> View:
    """The same with a node held out, or no longer.

    The last one taken back leaves the candidate as it came: with an empty list, or with none stated.
    """
    name = normalise(lom_id)
    seen = set(view.candidate.seen or ())
    seen ^= {name}
    none_stated = not seen and view.first_seen is None
    return replace(view, candidate=replace(view.candidate, seen=None if none_stated else tuple(sorted(seen))))


def held(view: View, lom_id: str, is_held: bool) -> View:
    """The same with a node held out, or not."""
    return view if (normalise(lom_id) in (view.candidate.seen or ())) == is_held else toggled(view, lom_id)


def switched(view: View, name: str, value: Any) -> View:
    """The same under another policy."""
    return replace(view, policy=Policy.of({**view.policy.to_dict(), name: value}))


def supposing(view: View, text: str) -> View:
    """The same with the facts of a text supposed; see :func:`read_supposed`."""
    return replace(view, supposed=read_supposed(text))


def read_supposed(text: str) -> Supposed:
    """Facts, one a line.

    ``hold ID`` (the authors used it), ``read ID``, ``checked ID = N`` (its list is known and has N references),
    ``remove SEQ`` (that event is not there), or an event as a line of the log. Blank lines say nothing.

    Raises
    ------
    InputError
        Naming the line.
    """
    add: list[str] = []
    remove: set[int] = set()
    named: dict[str, set[str]] = {"hold": set(), "read": set()}
    checked: dict[str, int] = {}
    # Not splitlines: a line of the log may hold characters that end a line elsewhere.
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            if not line:
                continue
            if line.startswith("{"):
                add.append(_event(line))
            elif word in named:
                named[word].add(normalise(rest))
            elif word == "remove" and _SEQ.fullmatch(rest):
                remove.add(int(rest))
            elif word == "checked" and (found := _CHECKED.fullmatch(rest)):
                lom_id, n = normalise(found[1]), int(found[2])
                if checked.setdefault(lom_id, n) != n:
                    raise InputError(f"checked {shorten(lom_id, 60)} stands there twice")
            else:
                what = f"'{shorten(line, 60)}' is no fact"
                raise InputError(
                    what, remedy="Write hold ID, read ID, checked ID = N, remove SEQ, or an event"
                )
        except NoveltyKitError as error:
            raise InputError(f"line {number}: {error.problem.what}", remedy=error.problem.remedy) from None
    return Supposed(
        tuple(add),
        tuple(sorted(remove)),
        tuple(sorted(named["hold"])),
        tuple(sorted(named["read"])),
        tuple(sorted(checked.items())),
    )


def _event(line: str) -> str:
    """A line that is JSON as strict as a log's; whether it is an event is said where it is supposed."""
    _, fault = parse_line(line.encode("utf-8", "surrogatepass"))
    if fault is not None:
        raise InputError(f"the event: {fault.what}", remedy=fault.remedy)
    return line


def call_of(view: View, names: tuple[str, ...], last: int) -> str:
    """The lines of Python that give what is looked at.

    Parameters
    ----------
    view : View
    names : tuple of str
        The log's files.
    last : int
        Number of events in the log.
    """
    default = Policy().to_dict()
    policy = {name: value for name, value in view.policy.to_dict().items() if value != default[name]}
    files = ", ".join(map(repr, names))
    moment = "" if view.seq == last else f".as_of({view.seq})"
    arguments = [repr(candidate_form(view.candidate))]
    arguments += [f"{name}={value!r}" for name, value in view.supposed.arguments().items()]
    arguments += [f"policy={policy!r}"] if policy else []
    name = "what_if" if view.supposed else "check"
    return (
        "import novelty_kit as nk\n\n"
        f"graph = nk.open_graph({files}){moment}\n"
        f"nk.{name}(graph, {', '.join(arguments)})"
    )
