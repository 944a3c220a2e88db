"""Every exception a caller can meet, and where the fault lies.

    NoveltyKitError                 anything this package raises on purpose
    ├── InputError                  a file, an argument or a value is wrong (exit 2)
    │   ├── KeyFormatError          an identifier that has no normal form
    │   ├── LogError                the event log is damaged or is no event log
    │   ├── CandidateError          a candidate record cannot be judged as written
    │   ├── PolicyError             an unknown policy, or a value it does not take
    │   ├── DocumentError           a passport, review, claim list or bibliography that cannot be read
    │   └── NotebookError           a report template or its parameters are wrong
    ├── OutputError                 a result could not be written; nothing was half-written
    ├── LookupFailure               a service could not be asked or did not answer (exit 3)
    └── DamageError                 stored bytes are not what their hash or seal says

Findings (what a check reports) and statuses (why there is no answer) are values, never exceptions.
An error says what happened, where, and what to do; it survives pickling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

__all__ = [
    "CandidateError",
    "DamageError",
    "DocumentError",
    "InputError",
    "KeyFormatError",
    "LogError",
    "LookupFailure",
    "NotebookError",
    "NoveltyKitError",
    "OutputError",
    "PolicyError",
    "Problem",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where.

    Attributes
    ----------
    what : str
        The fault, in one sentence without a final stop.
    path : str, optional
        The file, as the user named it.
    line, column : int, optional
        1-based position; a column counts bytes of the line from 1.
    pointer : str, optional
        JSON pointer into the record.
    remedy : str, optional
        What to do about it, in one sentence.
    """

    what: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    remedy: str | None = None

    @property
    def where(self) -> str:
        """``file:line:column`` with the parts that are known, then the pointer."""
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place} {self.pointer}".strip() if self.pointer else place

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. {self.remedy}" if self.remedy else head


class NoveltyKitError(Exception):
    """Base of every error that this package raises on purpose.

    Parameters
    ----------
    what : str
        The fault, in one sentence.
    path, line, column, pointer, remedy
        As in :class:`Problem`.
    problems : sequence of Problem, optional
        All faults found, where there are several; the first ones are the listed ones.
    n_problems : int, optional
        How many there are in all, when only the first are listed.
    """

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
        remedy: str | None = None,
        problems: Sequence[Problem] = (),
        n_problems: int | None = None,
    ) -> None:
        self.problem = Problem(what, path, line, column, pointer, remedy)
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.n_problems = len(self.problems) if n_problems is None else n_problems
        super().__init__(str(self.problem))

    def __reduce__(self) -> tuple[Any, ...]:
        place = {f.name: getattr(self.problem, f.name) for f in fields(Problem) if f.name != "what"}
        return _rebuild, (type(self), self.problem.what, place, self.problems, self.n_problems)


def _rebuild(
    cls: type[NoveltyKitError], what: str, place: dict[str, Any], problems: tuple[Problem, ...], n: int
) -> NoveltyKitError:
    return cls(what, **place, problems=problems, n_problems=n)


class InputError(NoveltyKitError):
    """A file, an argument or a value is wrong."""


class KeyFormatError(InputError):
    """An identifier that has no normal form; it is never repaired or guessed."""


class LogError(InputError):
    """The event log is damaged, or is no event log."""


class CandidateError(InputError):
    """A candidate record cannot be judged as it is written."""


class PolicyError(InputError):
    """An unknown policy, or a value that it does not take."""


class DocumentError(InputError):
    """A passport, review, claim list or bibliography that cannot be read."""


class NotebookError(InputError):
    """A report template, or the parameters given to it, are wrong."""


class OutputError(NoveltyKitError):
    """A result could not be written; nothing was left half-written."""


class LookupFailure(NoveltyKitError):
    """A service could not be asked or gave no usable answer."""

    exit_code = 3


class DamageError(NoveltyKitError):
    """Stored bytes are not what their hash or seal says."""
