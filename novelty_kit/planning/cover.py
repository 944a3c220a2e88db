"""The fewest lookups that answer every need: exact where that is quick, otherwise greedy with a bound.

A need is a set of lookups any one of which answers it (a minimum hitting set). Pure: no graph, no network, no clock.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

__all__ = ["Cover", "fewest"]

Need = frozenset[int]

_MOST_STEPS: Final = 20_000
"""Steps of the exact search, for each part that hangs together; then the greedy answer stands."""
_MOST_NEEDS: Final = 400
"""Needs of such a part beyond which the exact search is not tried."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Lookups that answer every need.

    Attributes
    ----------
    chosen : tuple of int
        Sorted.
    at_least : int
        No answer has fewer.
    """

    chosen: tuple[int, ...]
    at_least: int

    @property
    def is_least(self) -> bool:
        """Whether no answer with fewer lookups exists."""
        return len(self.chosen) == self.at_least


def fewest(needs: Iterable[Collection[int]]) -> Cover:
    """The fewest lookups such that each need holds one of them.

    Parameters
    ----------
    needs : iterable of collections of int
        None of them empty.

    Returns
    -------
    Cover
        The least where every part that hangs together is small or simple; else greedy, redundant ones taken out.
        ``at_least`` then counts needs that share no lookup.
    """
    chosen: set[int] = set()
    at_least = 0
    for part in _parts({frozenset(need) for need in needs}):
        greedy, low = _greedy(part), len(_apart(part))
        if len(greedy) > low and len(part) <= _MOST_NEEDS:
            found = _Search(part, greedy).run()
            if found is not None:
                greedy, low = found, len(found)
        chosen |= greedy
        at_least += low
    return Cover(tuple(sorted(chosen)), at_least)


def _ordered(needs: Iterable[Need]) -> list[Need]:
    return sorted(needs, key=lambda need: (len(need), sorted(need)))


def _parts(needs: set[Need]) -> list[list[Need]]:
    """Needs that hang together by a shared lookup; of two, one inside the other, only the inner one."""
    least = _without_wider(needs)
    above: dict[int, int] = {}

    def root(lookup: int) -> int:
        while above.setdefault(lookup, lookup) != lookup:
            above[lookup] = above[above[lookup]]
            lookup = above[lookup]
        return lookup

    for need in least:
        first, *others = sorted(need)
        for other in others:
            above[root(other)] = root(first)
        root(first)
    parts: dict[int, list[Need]] = defaultdict(list)
    for need in _ordered(least):
        parts[root(min(need))].append(need)
    return [parts[name] for name in sorted(parts, key=lambda name: min(min(need) for need in parts[name]))]


def _without_wider(needs: set[Need]) -> list[Need]:
    """A need that holds another one wholly is answered with it."""
    often = Counter(lookup for need in needs for lookup in need)
    kept: list[Need] = []
    # Each stands under its rarest lookup alone, so that a lookup which thousands share is no long list.
    under: dict[int, list[Need]] = defaultdict(list)
    for need in _ordered(needs):
        if not any(inner <= need for lookup in need for inner in under[lookup]):
            under[min(need, key=lambda lookup: (often[lookup], lookup))].append(need)
            kept.append(need)
    return kept


def _greedy(needs: Sequence[Need]) -> set[int]:
    """The lookup that answers most open needs, again and again; then without those that were not needed."""
    answers: dict[int, set[int]] = defaultdict(set)
    for place, need in enumerate(needs):
        for lookup in need:
            answers[lookup].add(place)
    left = {lookup: set(places) for lookup, places in answers.items()}
    # What a lookup still answers only shrinks: one that has since lost some is put back with what is left.
    heap = [(-len(places), lookup) for lookup, places in left.items()]
    heapify(heap)
    chosen: list[int] = []
    while heap:
        size, best = heappop(heap)
        if -size > len(left[best]) > 0:
            heappush(heap, (-len(left[best]), best))
        elif left[best]:
            chosen.append(best)
            for place in list(left[best]):
                for lookup in needs[place]:
                    left[lookup].discard(place)
    hits = Counter(place for lookup in chosen for place in answers[lookup])
    kept = set(chosen)
    for lookup in chosen:
        if all(hits[place] > 1 for place in answers[lookup]):
            kept.discard(lookup)
            hits.subtract(answers[lookup])
    return kept


def _apart(needs: Sequence[Need]) -> list[Need]:
    """Needs that share no lookup: each asks for one of its own."""
    taken: set[int] = set()
    apart = []
    for need in _ordered(needs):
        if taken.isdisjoint(need):
            apart.append(need)
            taken |= need
    return apart


class _Search:
    """Depth-first search for fewer lookups than are known to do; gives up after so many steps."""

    def __init__(self, needs: Sequence[Need], known: set[int]) -> None:
        self._needs = needs
        self._best = set(known)
        self._steps = 0

    def run(self) -> set[int] | None:
        """The least, or None where the search was given up."""
        self._go(list(self._needs), set(), frozenset())
        return self._best if self._steps <= _MOST_STEPS else None

    def _go(self, left: list[Need], chosen: set[int], banned: Need) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return
        if not left:
            if len(chosen) < len(self._best):
                self._best = set(chosen)
            return
        open_ways = [need - banned for need in left]
        if not all(open_ways) or len(chosen) + len(_apart(open_ways)) >= len(self._best):
            return
        need = min(open_ways, key=lambda need: (len(need), sorted(need)))
        counts = Counter(lookup for ways in open_ways for lookup in ways)
        passed_by = set(banned)
        for lookup in sorted(need, key=lambda lookup: (-counts[lookup], lookup)):
            self._go([n for n in left if lookup not in n], {*chosen, lookup}, frozenset(passed_by))
            passed_by.add(lookup)  # the branches after it do without
