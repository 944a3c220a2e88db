"""Lookups grouped into calls, in the order in which they unlock most: pure, over numbers.

No graph. No network. No clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Call", "bit_set", "group_calls", "members"]

_MOST_WEIGHED: Final = 60
"""So many calls are weighed against each other; more stay in the order in which they were filled."""


@dataclass(frozen=True, slots=True)
class Call:
    """Lookups that go together, and the candidates that are unlocked by them and those before."""

    kind: Hashable
    lookups: tuple[int, ...]
    unlocks: tuple[int, ...]


def bit_set(flags: npt.ArrayLike) -> int:
    """The numbers at which a flag is set, as a bit set."""
    import numpy as np

    return int.from_bytes(np.packbits(np.asarray(flags, dtype=bool), bitorder="little").tobytes(), "little")


def members(mask: int) -> np.ndarray:
    """The numbers in a bit set, ascending."""
    import numpy as np

    raw = np.frombuffer(mask.to_bytes(mask.bit_length() // 8 + 1, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(raw, bitorder="little"))


def group_calls(
    kinds: Mapping[int, Hashable], sizes: Mapping[Hashable, int], wants: Mapping[int, list[int]]
) -> list[Call]:
    """Group lookups into calls, most unlocked first.

    Parameters
    ----------
    kinds : mapping of int to hashable
        Each lookup and the kind of call that it goes into.
    sizes : mapping
        How many lookups a call of each kind takes.
    wants : mapping of int to list of int
        Sets of lookups that candidates wait for, as bit sets (none is 0), each with its candidates.

    Returns
    -------
    list of Call
        As few calls of each kind as its lookups need. Each next call is the one that unlocks most candidates;
        where none unlocks any, the one nearest to it.
    """
    lots: list[tuple[Hashable, list[int]]] = []
    filling: dict[Hashable, int] = {}  # the lot of each kind that is not full yet
    place_of: dict[int, int] = {}
    for lookup in _in_order(wants):
        kind = kinds[lookup]
        if kind not in filling or len(lots[filling[kind]][1]) == sizes[kind]:
            filling[kind] = len(lots)
            lots.append((kind, []))
        place_of[lookup] = filling[kind]
        lots[filling[kind]][1].append(lookup)
    waiting: Counter[frozenset[int]] = Counter()
    needed = {}
    for want, candidates in wants.items():
        needed[want] = frozenset(place_of[lookup] for lookup in members(want).tolist())
        waiting[needed[want]] += len(candidates)
    order = _weighed(len(lots), waiting) if len(lots) <= _MOST_WEIGHED else list(range(len(lots)))
    turn = {place: no for no, place in enumerate(order)}
    unlocked: dict[int, list[int]] = {}
    for want, candidates in wants.items():
        unlocked.setdefault(max(turn[place] for place in needed[want]), []).extend(candidates)
    return [
        Call(lots[place][0], tuple(sorted(lots[place][1])), tuple(sorted(unlocked.get(no, ()))))
        for no, place in enumerate(order)
    ]


def _in_order(wants: Mapping[int, list[int]]) -> list[int]:
    """Every lookup once: those of who waits for the fewest first, then what the next one wants on top."""
    order: list[int] = []
    done = 0
    for want in sorted(wants, key=lambda want: (want.bit_count(), -len(wants[want]), want)):
        order += members(want & ~done).tolist()
        done |= want
    return order


def _weighed(n_calls: int, waiting: Mapping[frozenset[int], int]) -> list[int]:
    """Calls one after the other, each the best at its turn."""
    open_sets = dict(waiting)
    left, order = set(range(n_calls)), list[int]()
    while left:
        gain = dict.fromkeys(left, 0)
        nearest = dict.fromkeys(left, n_calls + 1)
        for needed, n in open_sets.items():
            for place in needed:
                gain[place] += n if len(needed) == 1 else 0
                nearest[place] = min(nearest[place], len(needed))
        best = min(left, key=lambda place: (-gain[place], nearest[place], place))
        left.discard(best)
        order.append(best)
        narrowed: Counter[frozenset[int]] = Counter()
        for needed, n in open_sets.items():
            if needed != {best}:
                narrowed[needed - {best}] += n
        open_sets = dict(narrowed)
    return order
