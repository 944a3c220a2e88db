"""Faults put into the rules' SQL on purpose, and running the engine with one of them.

``mutants.yaml`` lists them: the file, the part, what is replaced by what, and the case that tells. Each thread
has a fault of its own, so that several can be tried at once.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.graph import state
from novelty_kit.graph.sql import sql_parts
from novelty_kit.verdict import evidence, judge

LISTED = Path(__file__).parent.parent / "cases" / "mutants.yaml"
PACKAGES = {"state.sql": "novelty_kit.graph"}


@dataclass(frozen=True)
class Mutant:
    """One fault.

    Attributes
    ----------
    file, part : str
        The SQL file and the table that it makes there.
    old, new : str
        The text that is replaced, blanks between words being all alike, and what stands there instead.
    why : str
        What goes wrong.
    caught_by : str
        The case that tells, ``file: name``, or ``random SEED``.
    """

    file: str
    part: str
    old: str
    new: str
    why: str
    caught_by: str = ""

    @property
    def package(self) -> str:
        """The package that holds the file."""
        return PACKAGES.get(self.file, "novelty_kit.verdict")

    def text(self) -> str:
        """The part with its fault; LookupError where the text does not stand there once."""
        select = plain(dict(sql_parts(self.package, self.file))[self.part])
        old, new = " ".join(self.old.split()), " ".join(self.new.split())
        if select.count(old) != 1:
            raise LookupError(f"{self.file}, {self.part}: it stands there {select.count(old)} times: {old}")
        return select.replace(old, new)


def plain(select: str) -> str:
    """SQL without its comments, every white space one blank."""
    return " ".join(re.sub("--[^\n]*", "", select).split())


def listed_mutants() -> list[Mutant]:
    """The faults of ``mutants.yaml``."""
    rows: list[dict[str, Any]] = yaml.safe_load(LISTED.read_text("utf-8"))
    return [Mutant(**row) for row in rows]


_at_work = threading.local()


@contextlib.contextmanager
def at_work(mutant: Mutant | None) -> Iterator[None]:
    """In this thread, the engine runs with this fault."""
    _at_work.mutant = mutant
    try:
        yield
    finally:
        _at_work.mutant = None


def _parts(package: str, name: str) -> list[tuple[str, str]]:
    mutant: Mutant | None = getattr(_at_work, "mutant", None)
    parts = sql_parts(package, name)
    if mutant is None or name != mutant.file:
        return parts
    return [(table, mutant.text() if table == mutant.part else select) for table, select in parts]


def let_in(patch: pytest.MonkeyPatch) -> None:
    """Make the engine read its SQL through the fault at work."""
    patch.setattr(state, "sql_parts", _parts)
    patch.setattr(evidence, "sql_parts", _parts)
    patch.setattr(judge, "rule_tables", evidence.rule_tables)
