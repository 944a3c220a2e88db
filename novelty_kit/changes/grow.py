"""An index of spans brought up to a log that has grown: only what the new events touch is made anew.

Every table is refreshed by its own SELECT of the ``span_*.sql`` files over narrower inputs: a temporary table of the
same name stands before each input and holds only the rows that matter. So there is no second statement of what a span
is, and a test holds the result to a whole rebuild. Writes the database it is given.
"""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from novelty_kit.graph.sql import sql_parts

__all__ = ["SPAN_FILES", "grow_spans", "span_parts"]

SPAN_FILES = ("span_papers.sql", "span_rows.sql", "span_nodes.sql", "span_cover.sql")


def span_parts() -> list[tuple[str, str]]:
    """All tables of spans with their SELECTs, in the order in which they build on each other."""
    return [part for name in SPAN_FILES for part in sql_parts(__package__, name)]


class _Grower:
    """Runs parts of the ``span_*.sql`` files over narrower inputs in one cursor."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self._selects = dict(span_parts())

    def keep(self, name: str, select: str) -> None:
        """A temporary table of our own."""
        self._con.execute(f"CREATE TEMP TABLE {name} AS {select}")

    def make(self, table: str, inputs: Mapping[str, str] | None = None) -> None:
        """One part as a temporary table, over narrower inputs, which are gone afterwards."""
        for name, rows in (inputs or {}).items():
            self._con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {rows}")
        self._con.execute(f"CREATE TEMP TABLE fresh AS {self._selects[table]}")
        for name in inputs or {}:
            self._con.execute(f"DROP TABLE temp.{name}")
        self._con.execute(f"DROP TABLE IF EXISTS temp.{table}")
        self._con.execute(f"ALTER TABLE temp.fresh RENAME TO {table}")

    def put(self, table: str, affected: str) -> None:
        """The affected rows of a table as they stand in the temporary one, which is gone afterwards."""
        self._con.execute(f"DELETE FROM spans.main.{table} WHERE {affected}")  # noqa: S608 - our own text
        self._con.execute(f"INSERT INTO spans.main.{table} SELECT * FROM temp.{table} WHERE {affected}")  # noqa: S608 - our own text
        self._con.execute(f"DROP TABLE temp.{table}")


def grow_spans(con: duckdb.DuckDBPyConnection, n_before: int) -> None:
    """Bring the catalog ``spans``, made of the first `n_before` events, up to the catalog ``log``."""
    con.execute("SET search_path = 'spans.main,log.main'")
    con.execute("SET VARIABLE n_before = $n", {"n": n_before})
    grower = _Grower(con)
    _papers_and_ids(grower)
    _edges(grower)
    _claims_and_rows(grower)
    _nodes(grower)
    _cover(grower)
    for table in ("open_step", "count_step"):
        grower.make(table)
        grower.put(table, "TRUE")


def _papers_and_ids(grower: _Grower) -> None:
    grower.keep("new_paper", "SELECT DISTINCT id_no FROM paper_event WHERE seq > getvariable('n_before')")
    grower.make(
        "paper_span", {"paper_event": "SELECT * FROM log.paper_event WHERE id_no IN (FROM new_paper)"}
    )
    grower.make("paper_fact")
    grower.put("paper_fact", "id_no IN (FROM new_paper)")
    grower.keep(
        "moved_id",
        """
        SELECT id_no FROM spans.main.owner_span WHERE node_no IN (FROM new_paper)
        UNION SELECT id_no FROM paper_span
        UNION SELECT doi_no FROM paper_span WHERE doi_no IS NOT NULL
        UNION SELECT arxiv_no FROM paper_span WHERE arxiv_no IS NOT NULL
        UNION SELECT openalex_no FROM paper_span WHERE openalex_no IS NOT NULL
        UNION SELECT s2_no FROM paper_span WHERE s2_no IS NOT NULL
        UNION SELECT pmid_no FROM paper_span WHERE pmid_no IS NOT NULL
        UNION SELECT known.id_no FROM log.identifier AS known
        ANTI JOIN spans.main.place_span AS place ON place.id_no = known.id_no
        """,
    )
    grower.make("owner_span")
    grower.put("owner_span", "node_no IN (FROM new_paper)")
    own = "SELECT * FROM spans.main.{} WHERE id_no IN (FROM moved_id)"
    grower.make("owned_span", {"owner_span": own.format("owner_span")})
    grower.put("owned_span", "id_no IN (FROM moved_id)")
    grower.make(
        "free_span",
        {
            "owned_span": own.format("owned_span"),
            "identifier": "SELECT * FROM log.identifier WHERE id_no IN (FROM moved_id)",
        },
    )
    grower.keep("old_place", own.format("place_span"))
    grower.make("place_span", {"owner_span": own.format("owner_span")})
    grower.put("place_span", "id_no IN (FROM moved_id)")


def _edges(grower: _Grower) -> None:
    """All edges of each node that cites in a new event, or by or to an id that moved."""
    grower.keep(
        "every_place",
        "SELECT id_no, node_no FROM old_place UNION SELECT id_no, node_no FROM spans.main.place_span",
    )
    grower.keep(
        "citing_node",
        """
        SELECT DISTINCT place.node_no FROM every_place AS place
        WHERE place.id_no IN (
            SELECT event.citing_no FROM log.citation_edge_event AS event
            WHERE event.seq > getvariable('n_before')
                OR event.citing_no IN (FROM moved_id) OR event.cited_no IN (FROM moved_id)
        )
        """,
    )
    grower.keep("old_edge", "SELECT * FROM spans.main.edge_span WHERE citing_no IN (FROM citing_node)")
    spelled = "SELECT id_no FROM every_place WHERE node_no IN (FROM citing_node)"
    grower.make(
        "raw_edge",
        {"citation_edge_event": f"SELECT * FROM log.citation_edge_event WHERE citing_no IN ({spelled})"},  # noqa: S608 - our own text
    )
    grower.make("edge_piece")
    grower.make("edge_span")
    grower.put("edge_span", "citing_no IN (FROM citing_node)")


def _claims_and_rows(grower: _Grower) -> None:
    grower.keep(
        "new_claim",
        """
        SELECT claim_id FROM log.claim_event WHERE seq > getvariable('n_before')
        UNION SELECT claim_id FROM log.claim_event WHERE about_no IN (FROM moved_id)
        """,
    )
    grower.keep(
        "old_claim", "SELECT node_no FROM spans.main.claim_about_span WHERE claim_id IN (FROM new_claim)"
    )
    grower.make(
        "claim_span", {"claim_event": "SELECT * FROM log.claim_event WHERE claim_id IN (FROM new_claim)"}
    )
    grower.put("claim_span", "claim_id IN (FROM new_claim)")
    grower.make(
        "claim_about_span",
        {"claim_span": "SELECT * FROM spans.main.claim_span WHERE claim_id IN (FROM new_claim)"},
    )
    grower.put("claim_about_span", "claim_id IN (FROM new_claim)")
    grower.keep(
        "new_row",
        """
        SELECT id_no FROM log.references_checked_event WHERE seq > getvariable('n_before') UNION FROM moved_id
        """,
    )
    grower.keep("old_row", "SELECT node_no FROM spans.main.checked_span WHERE id_no IN (FROM new_row)")
    owned = "SELECT * FROM spans.main.owned_span WHERE id_no IN (FROM new_row)"
    grower.make(
        "free_span",
        {"owned_span": owned, "identifier": "SELECT * FROM log.identifier WHERE id_no IN (FROM new_row)"},
    )
    rows = "SELECT * FROM log.references_checked_event WHERE id_no IN (FROM new_row)"
    grower.make("checked_span", {"references_checked_event": rows, "owned_span": owned})
    grower.put("checked_span", "id_no IN (FROM new_row)")


def _nodes(grower: _Grower) -> None:
    grower.keep(
        "new_node",
        """
        FROM new_paper UNION FROM old_claim UNION FROM old_row UNION FROM citing_node
        UNION SELECT node_no FROM spans.main.claim_about_span WHERE claim_id IN (FROM new_claim)
        UNION SELECT node_no FROM spans.main.checked_span WHERE id_no IN (FROM new_row)
        """,
    )
    of = "SELECT * FROM spans.main.{} WHERE {} IN (FROM new_node)"
    checked = of.format("checked_span", "node_no")
    grower.make("cites_span", {"edge_span": of.format("edge_span", "citing_no"), "checked_span": checked})
    fact = of.format("paper_fact", "id_no")
    claims = of.format("claim_about_span", "node_no")
    grower.make("node_step", {"paper_fact": fact, "claim_about_span": claims, "checked_span": checked})
    grower.make("node_span", {"paper_fact": fact})
    grower.put("node_span", "node_no IN (FROM new_node)")
    grower.make("flag_span", {"node_span": of.format("node_span", "node_no")})
    grower.put("flag_span", "node_no IN (FROM new_node)")


def _cover(grower: _Grower) -> None:
    """Whoever is, or was, cited by a node that changed, and every node that changed."""
    grower.keep(
        "new_target",
        """
        FROM new_node UNION SELECT cited_no FROM old_edge
        UNION SELECT cited_no FROM spans.main.edge_span WHERE citing_no IN (FROM new_node)
        """,
    )
    edges = "SELECT * FROM spans.main.edge_span WHERE cited_no IN (FROM new_target)"
    citing = f"SELECT citing_no FROM ({edges})"  # noqa: S608 - our own text
    grower.make(
        "coverer_span",
        {"node_span": f"SELECT * FROM spans.main.node_span WHERE node_no IN ({citing})"},  # noqa: S608 - our own text
    )
    grower.make(
        "cover_step",
        {
            "edge_span": edges,
            "flag_span": "SELECT * FROM spans.main.flag_span WHERE node_no IN (FROM new_target)",
        },
    )
    grower.make("cover_span")
    grower.put("cover_span", "node_no IN (FROM new_target)")
