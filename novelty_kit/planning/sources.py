"""Which service can be asked for the reference list of which ids, and how many ids one call takes.

A small table of its own, since no room with rules may know the one that asks; a test holds the two together.
arXiv is not in it: it states no references. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

__all__ = ["SOURCES", "Source", "ways_to_ask"]


@dataclass(frozen=True, slots=True)
class Source:
    """A service that states reference lists.

    Attributes
    ----------
    name : str
    batch : int
        Ids in one call.
    calls : tuple of tuple of str
        Schemes that can stand together in one call; what is in none of them cannot be asked for.
    """

    name: str
    batch: int
    calls: tuple[tuple[str, ...], ...]

    def call_of(self, lom_id: str) -> int | None:
        """The number of the kind of call that can hold an id; None where the service knows no such ids."""
        scheme = lom_id.partition(":")[0]
        return next((no for no, schemes in enumerate(self.calls) if scheme in schemes), None)


# In the order in which they are asked.
SOURCES: Final = (
    Source("openalex", 50, (("openalex",), ("arxiv", "doi"), ("pmid",))),
    Source("s2", 500, (("arxiv", "doi", "pmid", "s2"),)),
    Source("crossref", 20, (("doi",),)),
)


def ways_to_ask(
    lom_ids: Collection[str], failed: Collection[str] = (), gone: Collection[tuple[str, str]] = ()
) -> list[tuple[str, str, int]]:
    """How a node's reference list can be asked for, the best way first.

    Parameters
    ----------
    lom_ids : collection of str
        The ids of the node, the one that names it first.
    failed : collection of str
        Services that did not give the list before: they are asked last.
    gone : collection of tuple of str
        Services and ids of which the service said that there is no such work: never asked again.

    Returns
    -------
    list of tuple of str, str and int
        Service, id, and the kind of call. Empty where nobody can be asked.
    """
    ways = [
        (source.name in failed, place, order, source.name, lom_id, call)
        for place, source in enumerate(SOURCES)
        for order, lom_id in enumerate(lom_ids)
        if (call := source.call_of(lom_id)) is not None and (source.name, lom_id) not in gone
    ]
    return [(name, lom_id, call) for _, _, _, name, lom_id, call in sorted(ways)]
