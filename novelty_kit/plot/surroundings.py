"""What stands around a candidate in the graph: the facts that the neighbourhood's picture and table show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from novelty_kit.graph.sql import read_sql
from novelty_kit.output import shorten

if TYPE_CHECKING:
    import duckdb

    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.record import Verdict

__all__ = [
    "MOST_SHOWN",
    "Group",
    "Neighbour",
    "Paper",
    "Surroundings",
    "gather_papers",
    "gather_surroundings",
]

GroupName = Literal["holdout", "in_sample", "other", "stub"]

# So many nodes of each group are drawn and listed; the counts are always of all.
MOST_SHOWN: dict[GroupName, int] = {"holdout": 14, "in_sample": 14, "other": 6, "stub": 8}
_MOST_ENDS = 3
_MOST_TITLE = 300


@dataclass(frozen=True, slots=True)
class Paper:
    """What the graph knows of one id."""

    lom_id: str
    title: str | None
    publication_date: str | None
    read: bool
    n_claims: int

    def to_dict(self) -> dict[str, Any]:
        """As in records; long titles are cut."""
        title = None if self.title is None else shorten(self.title, _MOST_TITLE)
        return {
            "title": title,
            "publication_date": self.publication_date,
            "read": self.read,
            "n_claims": self.n_claims,
        }


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node that the candidate touches.

    Attributes
    ----------
    lom_id : str
    how : tuple of str
        ``cites`` (the candidate cites it), ``is_cited`` (it cites the candidate), ``listed`` (in the candidate's
        own list of references).
    ends : tuple of str
        Claim-bearing nodes that it leads to, for a claim candidate; the first few.
    n_ends : int
        How many there are in all.
    """

    lom_id: str
    how: tuple[str, ...]
    ends: tuple[str, ...] = ()
    n_ends: int = 0

    def to_dict(self) -> dict[str, Any]:
        """As in records."""
        return {"lom_id": self.lom_id, "how": list(self.how), "ends": list(self.ends), "n_ends": self.n_ends}


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours that count alike; `nodes` are the first of `n`."""

    name: GroupName
    n: int
    nodes: tuple[Neighbour, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in records."""
        return {"name": self.name, "n": self.n, "nodes": [node.to_dict() for node in self.nodes]}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The neighbours of a candidate by what they count for."""

    groups: tuple[Group, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in records."""
        return {"groups": [group.to_dict() for group in self.groups]}

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that is shown, sorted."""
        nodes = [node for group in self.groups for node in group.nodes]
        return tuple(sorted({node.lom_id for node in nodes} | {end for node in nodes for end in node.ends}))


def gather_papers(con: duckdb.DuckDBPyConnection, ids: Iterable[str]) -> dict[str, Paper]:
    """What the graph knows of some ids; an id that it never met is not in the answer."""
    query = read_sql(__package__, "papers.sql")
    return {row[0]: Paper(*row) for row in con.execute(query, {"ids": sorted(set(ids))}).fetchall()}


def gather_surroundings(
    con: duckdb.DuckDBPyConnection, candidate: Candidate, verdict: Verdict
) -> Surroundings:
    """The neighbours of a judged candidate.

    Parameters
    ----------
    con : DuckDBPyConnection
        ``graph.connection`` of the graph that the verdict is of.
    candidate : Candidate
    verdict : Verdict
    """
    listed: dict[GroupName, tuple[int, tuple[str, ...]]] = {
        "holdout": (verdict.holdout.n_shared, verdict.holdout.shared_lom_ids),
        "in_sample": (verdict.in_sample.n_shared, verdict.in_sample.shared_lom_ids),
        "stub": (verdict.stub_overlap.n_shared, verdict.stub_overlap.shared_lom_ids),
    }
    shown = {name: ids[: MOST_SHOWN[name]] for name, (_, ids) in listed.items()}
    query = read_sql(__package__, "neighbourhood.sql")
    asked = candidate.kind == "claim" and verdict.status != "incomparable"
    rows = con.execute(
        query,
        {
            "subject": verdict.lom_id,
            "own": [*candidate.keys, *([candidate.about_lom_id] if candidate.about_lom_id else [])],
            "listed": list(candidate.references or ()),
            "wanted": [lom_id for ids in shown.values() for lom_id in ids],
            "counted": sorted({*verdict.two_hop, *(lom_id for _, ids in listed.values() for lom_id in ids)}),
            "others": asked,
            "most": sum(MOST_SHOWN.values()),
        },
    ).fetchall()
    how = {
        row[0]: tuple(
            word for word, holds in zip(("cites", "is_cited", "listed"), row[1:4], strict=True) if holds
        )
        for row in rows
    }

    def node(lom_id: str) -> Neighbour:
        ends = verdict.two_hop.get(lom_id, ())
        # An id that the log never met can only be in the candidate's own list.
        return Neighbour(lom_id, how.get(lom_id, ("listed",)), tuple(ends[:_MOST_ENDS]), len(ends))

    others = [row[0] for row in rows if row[4]][: MOST_SHOWN["other"]]
    n_others = next((int(row[5]) for row in rows), 0)
    groups = [
        Group(name, listed[name][0], tuple(node(i) for i in shown[name])) for name in ("holdout", "in_sample")
    ]
    groups.append(Group("other", n_others, tuple(node(i) for i in others)))
    groups.append(Group("stub", listed["stub"][0], tuple(node(i) for i in shown["stub"])))
    return Surroundings(tuple(groups))
