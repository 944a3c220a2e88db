"""A least set of edits that still does it: delta debugging over whatever can be left out.

Knows nothing of logs: elements and a question about sets of them. Nothing is read or written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

__all__ = ["is_needed_alone", "least"]

Element = TypeVar("Element", bound=Hashable)
Question = Callable[[frozenset[Element]], bool]

# Up to so many elements every smaller set is asked about too, since a question may be answered no between two yes.
_ALL_SUBSETS = 5


def least(elements: Sequence[Element], holds: Question[Element]) -> tuple[Element, ...]:
    """A set for which the question holds and, without any one of its elements, does not.

    Parameters
    ----------
    elements : sequence
        All of them; for the whole set the question must hold, and for the empty one not.
    holds : callable
        Asked about frozensets. It need not be monotone.

    Returns
    -------
    tuple
        In the order of `elements`. Of at most five elements no subset at all does it.
    """
    kept = tuple(elements)
    while True:
        kept = _without_needless(kept, holds)
        smaller = _smaller_one(kept, holds)
        if smaller is None:
            return kept
        kept = smaller


def _without_needless(kept: tuple[Element, ...], holds: Question[Element]) -> tuple[Element, ...]:
    """Leave out runs, then ever smaller ones, until not a single element can be."""
    n_parts = min(2, len(kept))
    while len(kept) > 1:
        size = -(-len(kept) // n_parts)
        parts = [kept[start : start + size] for start in range(0, len(kept), size)]
        fits = next((part for part in parts if n_parts == 2 and holds(frozenset(part))), None)
        if fits is not None:
            kept, n_parts = fits, min(2, len(fits))
            continue
        for part in parts:
            rest = tuple(element for element in kept if element not in set(part))
            if rest and holds(frozenset(rest)):
                kept, n_parts = rest, max(n_parts - 1, 2)
                break
        else:
            if size == 1:
                return kept
            n_parts = min(len(kept), n_parts * 2)
    return kept


def _smaller_one(kept: tuple[Element, ...], holds: Question[Element]) -> tuple[Element, ...] | None:
    """A subset that does it, two elements or more smaller; None where there is none, or too many to ask about."""
    if len(kept) > _ALL_SUBSETS:
        return None
    for size in range(1, len(kept) - 1):
        for some in itertools.combinations(kept, size):
            if holds(frozenset(some)):
                return some
    return None


def is_needed_alone(elements: Sequence[Element], found: Sequence[Element], holds: Question[Element]) -> bool:
    """Whether each element of a least set is one without which not even all the others do it."""
    whole = frozenset(elements)
    return not any(holds(whole - {element}) for element in found)
