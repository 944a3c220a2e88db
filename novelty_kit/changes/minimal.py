"""A least set of edits that still does it: delta debugging over whatever can be left out.

Knows nothing of logs: elements and a question about several sets of them at once. Nothing is read or written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

__all__ = ["is_needed_alone", "least"]

Element = TypeVar("Element", bound=Hashable)
# Gives the number of the first of some sets for which it holds, or None.
First = Callable[[Sequence[frozenset[Element]]], int | None]

# Up to so many elements every smaller set is asked about too, since a question may be answered no between two yes.
_ALL_SUBSETS = 5


def least(elements: Sequence[Element], first: First[Element]) -> tuple[Element, ...]:
    """A set for which the question holds and, without any one of its elements, does not.

    Parameters
    ----------
    elements : sequence
        All of them; for the whole set the question must hold, and for the empty one not.
    first : callable
        Asked about lists of frozensets: which is the first for which it holds. It need not be monotone.

    Returns
    -------
    tuple
        In the order of `elements`. Of at most five elements no subset at all does it.
    """
    kept = tuple(elements)
    while True:
        kept = _without_needless(kept, first)
        smaller = _smaller_one(kept, first)
        if smaller is None:
            return kept
        kept = smaller


def _without_needless(kept: tuple[Element, ...], first: First[Element]) -> tuple[Element, ...]:
    """Leave out runs, then ever smaller ones, until not a single element can be."""
    n_parts = min(16, len(kept))
    while len(kept) > 1:
        size = -(-len(kept) // n_parts)
        parts = [kept[start : start + size] for start in range(0, len(kept), size)]
        rests = [tuple(itertools.chain(*parts[:n], *parts[n + 1 :])) for n in range(len(parts))]
        tries = [some for some in [*(parts if size > 1 else ()), *rests] if some]
        found = first([frozenset(some) for some in tries])
        if found is not None:
            kept = tries[found]
            n_parts = min(16, len(kept)) if len(kept) <= size else max(min(n_parts - 1, len(kept)), 2)
        elif size == 1:
            return kept
        else:
            n_parts = min(len(kept), n_parts * 4)
    return kept


def _smaller_one(kept: tuple[Element, ...], first: First[Element]) -> tuple[Element, ...] | None:
    """A subset that does it, two elements or more smaller; None where there is none, or too many to ask about."""
    if not 2 < len(kept) <= _ALL_SUBSETS:
        return None
    tries = [some for size in range(1, len(kept) - 1) for some in itertools.combinations(kept, size)]
    found = first([frozenset(some) for some in tries])
    return None if found is None else tries[found]


def is_needed_alone(elements: Sequence[Element], found: Sequence[Element], first: First[Element]) -> bool:
    """Whether each element of a least set is one without which not even all the others do it."""
    whole = frozenset(elements)
    return first([whole - {element} for element in found]) is None
