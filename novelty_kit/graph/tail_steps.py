"""What a new tail of the log touches: for each state table, which rows are made anew, and from what.

The order matters: a later step reads what earlier ones left. Statements only; ``tail.py`` runs them. ``new_*`` are the
tail's events, ``log`` is the database that is brought up to date.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BEFORE", "STEPS", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """How one state table is refreshed.

    ``affected`` selects what is made anew; ``inputs`` are the narrower inputs, by the name they stand before;
    ``gone`` and ``kept`` say which rows of the table, and which of the fresh ones, belong to what is affected.
    """

    table: str
    affected: str
    inputs: tuple[tuple[str, str], ...]
    gone: str
    kept: str = "TRUE"


STEPS = (
    Step(
        "paper_now",
        "SELECT DISTINCT id_no FROM new_paper",
        (("paper_event", "SELECT * FROM log.paper_event WHERE id_no IN (FROM affected)"),),
        "id_no IN (FROM affected)",
    ),
    Step(
        "claim_now",
        "SELECT DISTINCT claim_id FROM new_claim",
        (("claim_event", "SELECT * FROM log.claim_event WHERE claim_id IN (FROM affected)"),),
        "claim_id IN (FROM affected)",
    ),
    Step(
        "citation_edge_now",
        "SELECT DISTINCT citing_no, cited_no FROM new_citation_edge",
        (
            (
                "citation_edge_event",
                "SELECT event.* FROM log.citation_edge_event AS event SEMI JOIN affected USING (citing_no, cited_no)",
            ),
        ),
        "(citing_no, cited_no) IN (SELECT (citing_no, cited_no) FROM affected)",
    ),
    Step(
        "references_checked_now",
        "SELECT DISTINCT id_no FROM new_references_checked",
        (
            (
                "references_checked_event",
                "SELECT * FROM log.references_checked_event WHERE id_no IN (FROM affected)",
            ),
        ),
        "id_no IN (FROM affected)",
    ),
    Step(
        "ingest_error_now",
        "SELECT DISTINCT scheme, lookup_key FROM new_ingest_error",
        (
            (
                "ingest_error_event",
                "SELECT event.* FROM log.ingest_error_event AS event SEMI JOIN affected USING (scheme, lookup_key)",
            ),
        ),
        "(scheme, lookup_key) IN (SELECT (scheme, lookup_key) FROM affected)",
    ),
    Step(
        "same_work_now",
        "SELECT DISTINCT id_no, same_no FROM new_same_work",
        (
            (
                "same_work_event",
                "SELECT event.* FROM log.same_work_event AS event SEMI JOIN affected USING (id_no, same_no)",
            ),
        ),
        "(id_no, same_no) IN (SELECT (id_no, same_no) FROM affected)",
    ),
    Step(
        "owner",
        "SELECT DISTINCT id_no FROM new_paper",
        (("paper_now", "SELECT * FROM log.paper_now WHERE id_no IN (FROM affected)"),),
        "node_no IN (FROM affected)",
    ),
    Step(
        "owned",
        "SELECT DISTINCT id_no FROM moved_id",
        (("owner", "SELECT * FROM log.owner WHERE id_no IN (FROM affected)"),),
        "id_no IN (FROM affected)",
    ),
    Step(
        "edge",
        "SELECT node_no FROM moved_node",
        (
            (
                "citation_edge_now",
                """
                WITH spelled AS (
                    SELECT node_no AS id_no FROM affected
                    UNION SELECT owner.id_no FROM log.owner WHERE owner.node_no IN (FROM affected)
                )
                SELECT * FROM log.citation_edge_now
                WHERE citing_no IN (FROM spelled) OR cited_no IN (FROM spelled)
                """,
            ),
        ),
        "citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
        "citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
    ),
    Step(
        "claim_about",
        """
        SELECT claim_id FROM new_claim
        UNION SELECT claim_id FROM log.claim_now WHERE about_no IN (SELECT id_no FROM moved_id)
        """,
        (("claim_now", "SELECT * FROM log.claim_now WHERE claim_id IN (FROM affected)"),),
        "claim_id IN (FROM affected)",
    ),
    Step(
        "checked",
        "SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id",
        (
            (
                "references_checked_now",
                "SELECT * FROM log.references_checked_now WHERE id_no IN (FROM affected)",
            ),
        ),
        "id_no IN (FROM affected)",
    ),
    Step(
        "node",
        "SELECT node_no FROM changed_node",
        (
            ("paper_now", "SELECT * FROM log.paper_now WHERE id_no IN (FROM affected)"),
            ("claim_about", "SELECT * FROM log.claim_about WHERE node_no IN (FROM affected)"),
            ("checked", "SELECT * FROM log.checked WHERE node_no IN (FROM affected)"),
            ("edge", "SELECT * FROM log.edge WHERE citing_no IN (FROM affected)"),
        ),
        "node_no IN (FROM affected)",
    ),
    Step(
        "covering",
        "SELECT node_no FROM changed_target",
        (("edge", "SELECT * FROM log.edge WHERE cited_no IN (FROM affected)"),),
        "node_no IN (FROM affected)",
    ),
    Step(
        "claim_link",
        "SELECT node_no FROM changed_node",
        (
            (
                "edge",
                "SELECT * FROM log.edge WHERE citing_no IN (FROM affected) OR cited_no IN (FROM affected)",
            ),
        ),
        "node_no IN (FROM affected) OR end_no IN (FROM affected)",
    ),
    Step(
        "id_node",
        """
        SELECT id_no FROM renumbered
        UNION SELECT id_no FROM moved_id
        UNION SELECT node_no FROM changed_node
        UNION SELECT owner.id_no FROM log.owner WHERE owner.node_no IN (FROM changed_node)
        """,
        (("identifier", "SELECT * FROM log.identifier WHERE id_no IN (FROM affected)"),),
        "id_no IN (FROM affected)",
    ),
)

# What is remembered of the state before a step, and what follows from it after; keyed by the step's table.
BEFORE = {
    "owner": (
        "CREATE TEMP TABLE old_owner AS "
        "SELECT * FROM log.owner WHERE node_no IN (SELECT id_no FROM new_paper)",
    ),
    "owned": (
        """
        CREATE TEMP TABLE moved_id AS
        SELECT id_no FROM old_owner
        UNION SELECT id_no FROM log.owner WHERE node_no IN (SELECT id_no FROM new_paper)
        """,
    ),
    "edge": (
        """
        CREATE TEMP TABLE moved_node AS
        WITH named AS (
            SELECT id_no FROM moved_id
            UNION SELECT citing_no FROM new_citation_edge UNION SELECT cited_no FROM new_citation_edge
        )
        SELECT id_no AS node_no FROM named
        UNION SELECT node_no FROM old_owner
        UNION SELECT owner.node_no FROM log.owner WHERE owner.id_no IN (FROM named)
        """,
        """
        CREATE TEMP TABLE old_target AS
        SELECT DISTINCT cited_no AS node_no FROM log.edge WHERE citing_no IN (FROM moved_node)
        """,
    ),
    "claim_about": (
        """
        CREATE TEMP TABLE old_bearing AS
        SELECT node_no FROM log.claim_about WHERE claim_id IN (
            SELECT claim_id FROM new_claim
            UNION SELECT claim_id FROM log.claim_now WHERE about_no IN (SELECT id_no FROM moved_id)
        )
        """,
    ),
    "checked": (
        """
        CREATE TEMP TABLE old_checked AS
        SELECT node_no FROM log.checked
        WHERE id_no IN (SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id)
        """,
    ),
    "node": (
        """
        CREATE TEMP TABLE changed_node AS
        SELECT node_no FROM moved_node
        UNION SELECT id_no FROM new_paper
        UNION SELECT node_no FROM old_bearing
        UNION SELECT node_no FROM old_checked
        UNION SELECT node_no FROM log.claim_about
            WHERE claim_id IN (SELECT claim_id FROM new_claim)
            OR node_no IN (SELECT node_no FROM moved_node)
        UNION SELECT node_no FROM log.checked
            WHERE id_no IN (SELECT id_no FROM new_references_checked UNION SELECT id_no FROM moved_id)
        """,
        """
        CREATE TEMP TABLE old_coverer AS
        SELECT node_no FROM log.node WHERE is_read AND covered_out AND node_no IN (FROM changed_node)
        """,
    ),
    "covering": (
        """
        CREATE TEMP TABLE changed_target AS
        WITH coverer AS (
            SELECT node_no FROM log.node WHERE is_read AND covered_out AND node_no IN (FROM changed_node)
        ),
        turned AS (
            (FROM coverer EXCEPT FROM old_coverer) UNION (FROM old_coverer EXCEPT FROM coverer)
            UNION SELECT node_no FROM moved_node
        )
        SELECT node_no FROM moved_node
        UNION SELECT node_no FROM old_target
        UNION SELECT cited_no FROM log.edge WHERE citing_no IN (FROM turned)
        """,
    ),
}
