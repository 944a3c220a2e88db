"""The log as plain Python sees it: the last row of each key as a dict, and from these a graph of sets.

What the other engines of the benchmarks start from, so that the product's own tables are checked too. Knows as
much of the novelty reference as the made-up logs need: every id is in normal form, the policy is the default.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

Row = dict[str, Any]
KEYS: dict[str, tuple[str, ...]] = {
    "paper": ("lom_id",),
    "claim": ("claim_id",),
    "citation_edge": ("citing_lom_id", "cited_lom_id"),
    "references_checked": ("lom_id",),
    "ingest_error": ("scheme", "lookup"),
}
KEY_COLUMNS = {"arxiv": "arxiv", "doi": "doi", "openalex": "openalex", "pmid": "pmid", "s2_paper_id": "s2"}
MARGIN_YEARS = 3
FIRST_DAY = 1_01_01


def last_rows(path: Path) -> dict[str, dict[Any, Row]]:
    """The current rows of each table, by key."""
    tables: dict[str, dict[Any, Row]] = {name: {} for name in KEYS}
    papers, edges = tables["paper"], tables["citation_edge"]
    with path.open("rb") as lines:
        for line in lines:
            event = orjson.loads(line)
            row, name = event["row"], event["table"]
            if name == "citation_edge":
                rows, key = edges, (row["citing_lom_id"], row["cited_lom_id"])
            else:
                columns = KEYS[name]
                rows, key = (
                    tables[name],
                    row[columns[0]] if len(columns) == 1 else tuple(row[c] for c in columns),
                )
            if event["op"] == "delete":
                rows.pop(key, None)
            elif name == "paper":
                papers[key] = {**papers[key], **row} if key in papers else row
            else:
                rows[key] = row
    return tables


@dataclass(frozen=True)
class Known:
    """What the coverage rows of a node say."""

    n_ok: int
    most_refs: int | None


@dataclass(frozen=True)
class PlainGraph:
    """Nodes by their lom_id, in dicts and sets.

    ``owners``: for each id that papers own, these papers, the least first. ``read`` and ``bearing``: the nodes
    that count. ``cites``, ``cited_by``: the other ends of edges. ``known``: coverage rows by node.
    ``covered_out``, ``covered_in``, ``lone``: how nodes are covered; ``lone`` has for a covering paper the nodes
    that only it covers. ``first_day``: of papers with a date. ``reaches``: the last day on which a compared node
    could cite. Days are whole numbers, such as 20260928.
    """

    owners: dict[str, list[str]]
    read: set[str]
    bearing: set[str]
    cites: dict[str, set[str]]
    cited_by: dict[str, set[str]]
    known: dict[str, Known]
    covered_out: set[str]
    covered_in: set[str]
    lone: dict[str, list[str]]
    first_day: dict[str, int]
    reaches: dict[str, int]

    @property
    def compared(self) -> set[str]:
        """The nodes that count."""
        return self.read | self.bearing

    def means(self, lom_id: str) -> str:
        """The one paper that an id means: the one whose lom_id it is, else the least."""
        owners = self.owners[lom_id]
        return lom_id if lom_id in owners else owners[0]

    def speaks_for(self, lom_id: str) -> str | None:
        """The one node that a held-out id or a coverage row speaks for."""
        owners = self.owners.get(lom_id)
        if owners is None or lom_id in owners:
            return lom_id
        return owners[0] if len(owners) == 1 else None


def plain_graph(tables: dict[str, dict[Any, Row]]) -> PlainGraph:
    """The graph of the current rows."""
    papers = tables["paper"]
    owners: dict[str, list[str]] = {}
    for lom_id in sorted(papers):
        row = papers[lom_id]
        ids = {lom_id} | {f"{s}:{row[c]}" for c, s in KEY_COLUMNS.items() if row.get(c) is not None}
        for each in ids:
            owners.setdefault(each, []).append(lom_id)
    read = {lom_id for lom_id, row in papers.items() if row.get("read") is not False}
    bearing = {node for row in tables["claim"].values() for node in _touched(owners, row["about_lom_id"])}
    cites: dict[str, set[str]] = {}
    cited_by: dict[str, set[str]] = {}
    for citing_id, cited_id in tables["citation_edge"]:
        if citing_id != cited_id:
            for citing in _touched(owners, citing_id):
                for cited in _touched(owners, cited_id):
                    if citing != cited:
                        cites.setdefault(citing, set()).add(cited)
                        cited_by.setdefault(cited, set()).add(citing)
    graph = PlainGraph(owners, read, bearing, cites, cited_by, {}, set(), set(), {}, {}, {})
    _cover(graph, tables["references_checked"])
    _date(graph, papers)
    return graph


def _touched(owners: dict[str, list[str]], lom_id: str | None) -> list[str]:
    return [] if lom_id is None else owners.get(lom_id, [lom_id])


def _cover(graph: PlainGraph, rows: dict[str, Row]) -> None:
    by_node: dict[str, list[Row]] = {}
    for lom_id, row in rows.items():
        node = graph.speaks_for(lom_id)
        if node is not None:
            by_node.setdefault(node, []).append(row)
    for node, held in by_node.items():
        counts = [row["n_refs"] for row in held if row["status"] == "ok"]
        known = Known(len(counts), max(counts, default=None))
        graph.known[node] = known
        if counts and not (known.most_refs == 0 and node in graph.cites):
            graph.covered_out.add(node)
    for node in graph.read | graph.bearing:
        if node not in graph.covered_out:
            covering = [n for n in graph.cited_by.get(node, ()) if n in graph.read and n in graph.covered_out]
            if covering:
                graph.covered_in.add(node)
            if len(covering) == 1:
                graph.lone.setdefault(covering[0], []).append(node)


def _date(graph: PlainGraph, papers: dict[str, Row]) -> None:
    for node, row in papers.items():
        if row.get("publication_date") is not None:
            graph.first_day[node] = first_day(row["publication_date"])
    for node in graph.read | graph.bearing:
        date = papers.get(node, {}).get("publication_date")
        graph.reaches[node] = 9999_12_31 if date is None else last_day(date, MARGIN_YEARS)


def first_day(date: str) -> int:
    """The first day of a date."""
    year, month, day = [*(int(part) for part in date.split("-")), 1, 1][:3]
    return year * 10000 + month * 100 + day


def last_day(date: str, more_years: int) -> int:
    """The last day of a date, some years later; 29 February is 1 March where there is none."""
    parts = [int(part) for part in date.split("-")]
    year, month = parts[0], parts[1] if len(parts) > 1 else 12
    day = parts[2] if len(parts) > 2 else calendar.monthrange(year, month)[1]
    year += more_years
    if (month, day) == (2, 29) and not calendar.isleap(year):
        month, day = 3, 1
    return year * 10000 + month * 100 + day
