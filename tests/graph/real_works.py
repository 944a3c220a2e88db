"""What the records of the real graph say by themselves: sets of ids in plain Python, no engine.

A work's neighbours are the works on its list and those whose list holds it; both only count where they were
ingested. A list that is empty says nothing; a work beside whose list nobody stands is covered by nothing.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

TOMBSTONE = "W4285719527"  # where a catalogue points for works that it deleted
_MARGIN = 3


def last_part(url: str) -> str:
    return url.rpartition("/")[2]


@dataclass(frozen=True)
class Expected:
    """What the rules give for one work that is judged as if it were new."""

    verdict: str
    shared: frozenset[str]
    n_stubs: int
    n_gaps: int


class RealWorks:
    """The records by their catalogue id."""

    def __init__(self, path: Path) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.by_id = {last_part(record["id"]): record for record in records}
        self.listed = {
            work: [last_part(url) for url in record["referenced_works"]]
            for work, record in self.by_id.items()
        }

    @cached_property
    def cited(self) -> dict[str, frozenset[str]]:
        """What each work cites: its list without itself and without the tombstone."""
        return {work: frozenset(listed) - {work, TOMBSTONE} for work, listed in self.listed.items()}

    @cached_property
    def citing(self) -> dict[str, set[str]]:
        """Who cites an id."""
        found = defaultdict(set)
        for work, cited in self.cited.items():
            for other in cited:
                found[other].add(work)
        return found

    @cached_property
    def uncovered(self) -> set[str]:
        """Works without a list that no work with a list cites."""
        return {work for work, listed in self.listed.items() if not listed and not self.citing.get(work)}

    def year(self, work: str) -> int:
        return int(self.by_id[work]["publication_year"])

    def expected(self, work: str, *, around_only: bool) -> Expected:
        """The verdict by sets of ids; `around_only`: only the work itself has to be covered."""
        neighbours = self.cited[work] | self.citing.get(work, set())
        shared = frozenset(neighbours & self.by_id.keys())
        if shared:
            return Expected("neighborhood", shared, len(neighbours - shared), 0)
        could_cite = {other for other in self.uncovered if self.year(other) + _MARGIN >= self.year(work)}
        gaps = (set() if around_only else could_cite - {work}) | ({work} & self.uncovered)
        return Expected("unknown" if gaps else "novel", shared, len(neighbours), len(gaps))
