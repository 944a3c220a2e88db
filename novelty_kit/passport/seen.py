"""What the checks of the gate hand on: a reason, its place, and the claims that it bears on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from novelty_kit.passport.finding import Path, pointer_of
from novelty_kit.passport.outcome import Reason

__all__ = ["Pair", "Seen", "fail", "info", "note"]

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Seen:
    """A reason before its line is known.

    ``path`` is where in the passport it stands; ``pairs`` are the claims whose ``way`` (the citation or the
    experiment path) it touches.
    """

    reason: Reason
    path: Path
    pairs: tuple[Pair, ...] = ()
    way: Literal["citation", "experiment"] = "experiment"


def fail(check: str, code: str, path: Path, message: str, **more: Any) -> Seen:
    """A reason that fails the gate."""
    return _seen("fail", check, code, path, message, more)


def note(check: str, code: str, path: Path, message: str, **more: Any) -> Seen:
    """A reason that lets the gate pass with notes."""
    return _seen("note", check, code, path, message, more)


def info(check: str, code: str, path: Path, message: str, **more: Any) -> Seen:
    """A reason that changes no outcome."""
    return _seen("info", check, code, path, message, more)


def _seen(
    severity: Literal["fail", "note", "info"],
    check: str,
    code: str,
    path: Path,
    message: str,
    more: dict[str, Any],
) -> Seen:
    own = {key: more.pop(key) for key in ("line", "heuristic", "in_manuscript") if key in more}
    return Seen(Reason(check, severity, code, pointer_of(path), message, **own), path, **more)
