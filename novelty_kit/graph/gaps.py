"""Which unread reference lists keep verdicts from being `novel`, and which would help most.

Reads a graph; writes nothing. No network. No clock.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import InputError
from novelty_kit.graph.sql import read_sql

if TYPE_CHECKING:
    from novelty_kit.graph.graph import Graph

__all__ = ["Gap", "graph_gaps"]


@dataclass(frozen=True, slots=True)
class Gap:
    """An uncovered node.

    Attributes
    ----------
    lom_id : str
    title : str or None
    publication_date : str or None
        As the log has it; without one it could cite anything.
    read : bool
    n_claims : int
    reason : str
        ``contradicted``, ``failed`` or ``unchecked``.
    n_blocked : int
        Other read or claim-bearing nodes that it could cite by its date: none of them can be novel.
    n_covered : int
        Uncovered nodes, itself included, that would be covered if its list were known.
    """

    lom_id: str
    title: str | None
    publication_date: str | None
    read: bool
    n_claims: int
    reason: str
    n_blocked: int
    n_covered: int

    def to_dict(self) -> dict[str, Any]:
        """As plain values, in the order of the attributes."""
        return asdict(self)


def graph_gaps(graph: Graph, *, date_margin_years: int = 3) -> list[Gap]:
    """The uncovered nodes that block `novel`, what would help most first.

    Parameters
    ----------
    graph : Graph
    date_margin_years : int
        The policy of that name.

    Returns
    -------
    list of Gap
        Sorted by how many nodes knowing the list would cover, then by how many it blocks (most first), then
        by id. Empty where every read or claim-bearing node is covered.
    """
    if not 0 <= date_margin_years <= 9999:
        raise InputError(
            f"date_margin_years {date_margin_years} is no number of years", remedy="Give 0 to 9999"
        )
    with graph.connection as con:
        rows = con.execute(read_sql(__package__, "gaps.sql"), {"margin": date_margin_years}).fetchall()
    return [Gap(*row) for row in rows]
