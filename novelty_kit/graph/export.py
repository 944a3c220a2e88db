"""The graph for other programs: networkx, Parquet, GraphML.

Reads a graph; writes the files that are asked for, each whole or not at all, the same bytes for the same log.
Text from data is hostile: what XML has no place for is replaced. No network. No clock.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from novelty_kit.errors import InputError, OutputError
from novelty_kit.graph.sql import read_sql
from novelty_kit.graph.tables import NAMES
from novelty_kit.keys import normalise
from novelty_kit.output import shorten, write_whole

if TYPE_CHECKING:
    import duckdb
    import networkx as nx

    from novelty_kit.graph.graph import Graph

__all__ = ["export_graphml", "export_parquet", "networkx_graph"]

# name, GraphML type
_ATTRIBUTES = (
    ("title", "string"),
    ("publication_date", "string"),
    ("read", "boolean"),
    ("n_claims", "int"),
    ("covered", "string"),
)
# What XML 1.0 has no place for, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NEXT_RING = """
CREATE OR REPLACE TEMP TABLE next_ring AS
SELECT DISTINCT link.end_no AS node_no
FROM (
    SELECT edge.citing_no AS node_no, edge.cited_no AS end_no FROM edge
    UNION ALL
    SELECT edge.cited_no, edge.citing_no FROM edge
) AS link
SEMI JOIN ring ON ring.node_no = link.node_no
ANTI JOIN reached ON reached.node_no = link.end_no
"""


def _part(
    con: duckdb.DuckDBPyConnection, center: str | None, hops: int
) -> tuple[list[tuple[Any, ...]], list[tuple[str, str]]]:
    """The nodes (lom_id, attributes) and edges of the graph, or of the part around a centre, sorted."""
    con.execute(f"CREATE OR REPLACE TEMP TABLE any_node AS {read_sql(__package__, 'nodes.sql')}")
    if center is None:
        con.execute("CREATE OR REPLACE TEMP TABLE reached AS SELECT any_node.node_no FROM any_node")
    else:
        _reach(con, center, hops)
    nodes = con.execute(
        """
        SELECT node.lom_id, node.title, node.publication_date, node.read, node.n_claims, node.covered
        FROM any_node AS node
        SEMI JOIN reached ON reached.node_no = node.node_no
        ORDER BY node.lom_id
        """
    ).fetchall()
    edges = con.execute(
        """
        SELECT citing.lom_id AS citing_lom_id, cited.lom_id AS cited_lom_id
        FROM edge
        SEMI JOIN reached AS one ON one.node_no = edge.citing_no
        SEMI JOIN reached AS other ON other.node_no = edge.cited_no
        INNER JOIN identifier AS citing ON citing.id_no = edge.citing_no
        INNER JOIN identifier AS cited ON cited.id_no = edge.cited_no
        ORDER BY ALL
        """
    ).fetchall()
    return nodes, edges


def _reach(con: duckdb.DuckDBPyConnection, center: str, hops: int) -> None:
    """Fill ``reached`` ring by ring; a cycle adds no ring."""
    if isinstance(hops, bool) or not isinstance(hops, int) or hops < 0:
        raise InputError(
            f"hops {hops!r:.60} is no number of steps", remedy="Give 0 or a whole number above it"
        )
    con.execute(
        """
        CREATE OR REPLACE TEMP TABLE ring AS
        SELECT any_node.node_no
        FROM any_node
        SEMI JOIN (
            SELECT coalesce(owner.node_no, identifier.id_no) AS node_no
            FROM identifier
            LEFT JOIN owner ON owner.id_no = identifier.id_no
            WHERE identifier.lom_id = $center
        ) AS named ON named.node_no = any_node.node_no
        """,
        {"center": normalise(center)},
    )
    con.execute("CREATE OR REPLACE TEMP TABLE reached AS SELECT ring.node_no FROM ring")
    if not _size(con):
        raise InputError(
            f"'{shorten(center, 80)}' is no node of the graph", remedy="Name a work that the log speaks of"
        )
    while hops > 0 and _size(con):
        con.execute(_NEXT_RING)
        con.execute("INSERT INTO reached SELECT next_ring.node_no FROM next_ring")
        con.execute("CREATE OR REPLACE TEMP TABLE ring AS SELECT next_ring.node_no FROM next_ring")
        hops -= 1


def _size(con: duckdb.DuckDBPyConnection) -> int:
    row = con.execute("SELECT count(*) FROM ring").fetchone()
    return int(row[0]) if row else 0


def networkx_graph(con: duckdb.DuckDBPyConnection, center: str | None, hops: int) -> nx.DiGraph:
    """The graph as :meth:`Graph.to_networkx` says.

    An id that several papers own, given as the centre, starts from each of them.
    """
    import networkx as nx

    nodes, edges = _part(con, center, hops)
    found = nx.DiGraph()
    names = [name for name, _ in _ATTRIBUTES]
    found.add_nodes_from((lom_id, dict(zip(names, values, strict=True))) for lom_id, *values in nodes)
    found.add_edges_from(edges)
    return found


def export_parquet(graph: Graph, folder: str | os.PathLike[str]) -> list[Path]:
    """Write the tables of the log as they stand, one Parquet file each.

    Parameters
    ----------
    graph : Graph
    folder : path
        Made where it is missing; files of the same names in it are replaced.

    Returns
    -------
    list of Path
        The files written: ``paper.parquet`` and so on, columns as in :meth:`Graph.frame`, ids as strings.
        Each says in its metadata of which log and which event it is the state.

    Raises
    ------
    OutputError
        The folder cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = {"novelty_kit.log_sha256": graph.sha256, "novelty_kit.as_of_seq": str(graph.as_of_seq)}
    if not os.fspath(folder) or (os.path.exists(folder) and not os.path.isdir(folder)):
        raise OutputError(
            "cannot write: is no folder", path=os.fspath(folder), remedy="Name a folder with --out"
        )
    written = []
    for name in NAMES:
        table = graph.arrow(name).replace_schema_metadata(about)
        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer, compression="zstd")
        written.append(Path(folder) / f"{name}.parquet")
        write_whole(written[-1], buffer.getvalue().to_pybytes())
    return written


def export_graphml(
    graph: Graph, path: str | os.PathLike[str], *, center: str | None = None, hops: int = 1
) -> tuple[int, int]:
    """Write the graph, or the part around one node, as GraphML.

    Parameters
    ----------
    graph : Graph
    path : path
    center : str, optional
        Any accepted form of an id.
    hops : int
        How far to go from it.

    Returns
    -------
    int, int
        How many nodes and edges were written.

    Raises
    ------
    InputError
        The centre is no node of the graph.
    OutputError
        The file cannot be written; nothing was.
    """
    if not os.fspath(path):
        raise OutputError("cannot write: the file has no name", remedy="Name a .graphml file with --out")
    with graph.connection as con:
        nodes, edges = _part(con, center, hops)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    lines += [
        f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>' for name, kind in _ATTRIBUTES
    ]
    lines.append('<graph edgedefault="directed">')
    for lom_id, *values in nodes:
        lines.append(f"<node id={_quoted(lom_id)}>")
        lines += [
            f'<data key="{name}">{_text(value)}</data>'
            for (name, _), value in zip(_ATTRIBUTES, values, strict=True)
            if value is not None
        ]
        lines.append("</node>")
    lines += [f"<edge source={_quoted(citing)} target={_quoted(cited)}/>" for citing, cited in edges]
    lines += ["</graph>", "</graphml>", ""]
    write_whole(path, "\n".join(lines))
    return len(nodes), len(edges)


def _text(value: str | bool | int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = _NO_XML.sub("\ufffd", str(value))
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;")):
        text = text.replace(sign, name)
    return text


def _quoted(lom_id: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", lom_id), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
