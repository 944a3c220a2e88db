-- Edges, claims and coverage rows as spans of the log, at the nodes that their ids named meanwhile.
-- Source: novelty reference, sections 1 (current rows) and 2 (one node, many ids).
-- Reads: citation_edge_event, claim_event, references_checked_event of the log; place_span, owned_span, free_span.

-- table: raw_edge
-- columns: a row of citation_edge as long as it stands.
WITH single AS (
    SELECT event.citing_no, event.cited_no, min(event.seq) AS seq, count(*) AS n, bool_or(event.gone) AS gone
    FROM citation_edge_event AS event
    GROUP BY event.citing_no, event.cited_no
)

SELECT single.citing_no, single.cited_no, single.seq AS from_seq, 9223372036854775807 AS to_seq
FROM single
WHERE single.n = 1 AND NOT single.gone AND single.citing_no <> single.cited_no
UNION ALL
SELECT run.citing_no, run.cited_no, run.seq, run.to_seq
FROM (
    SELECT
        turn.citing_no, turn.cited_no, turn.seq, turn.gone,
        lead(turn.seq, 1, 9223372036854775807) OVER (PARTITION BY turn.citing_no, turn.cited_no ORDER BY turn.seq) AS to_seq
    FROM (
        SELECT
            event.citing_no, event.cited_no, event.seq, event.gone,
            lag(event.gone, 1, TRUE) OVER (PARTITION BY event.citing_no, event.cited_no ORDER BY event.seq) AS was_gone
        FROM citation_edge_event AS event
        SEMI JOIN single
            ON single.citing_no = event.citing_no AND single.cited_no = event.cited_no AND single.n > 1
    ) AS turn
    WHERE turn.gone <> turn.was_gone AND turn.citing_no <> turn.cited_no
) AS run
WHERE NOT run.gone;

-- table: edge_piece
-- columns: an edge between two nodes by one row of the log, while both ids name these nodes.
SELECT
    citing.node_no AS citing_no,
    cited.node_no AS cited_no,
    greatest(edge.from_seq, citing.from_seq, cited.from_seq) AS from_seq,
    least(edge.to_seq, citing.to_seq, cited.to_seq) AS to_seq
FROM raw_edge AS edge
INNER JOIN place_span AS citing ON citing.id_no = edge.citing_no
INNER JOIN place_span AS cited ON cited.id_no = edge.cited_no
WHERE citing.node_no <> cited.node_no
    AND greatest(edge.from_seq, citing.from_seq, cited.from_seq) < least(edge.to_seq, citing.to_seq, cited.to_seq);

-- table: edge_span
-- columns: an edge between two nodes, as long as any row of the log says so.
WITH often AS (
    SELECT piece.citing_no, piece.cited_no FROM edge_piece AS piece GROUP BY piece.citing_no, piece.cited_no HAVING count(*) > 1
)

SELECT piece.citing_no, piece.cited_no, piece.from_seq, piece.to_seq
FROM edge_piece AS piece
ANTI JOIN often ON often.citing_no = piece.citing_no AND often.cited_no = piece.cited_no
UNION ALL
SELECT run.citing_no, run.cited_no, min(run.from_seq), max(run.to_seq)
FROM (
    SELECT
        marked.citing_no, marked.cited_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (
            PARTITION BY marked.citing_no, marked.cited_no ORDER BY marked.from_seq, marked.to_seq
            ROWS UNBOUNDED PRECEDING
        ) AS run_no
    FROM (
        SELECT
            piece.citing_no, piece.cited_no, piece.from_seq, piece.to_seq,
            CASE
                WHEN piece.from_seq <= max(piece.to_seq) OVER (
                    PARTITION BY piece.citing_no, piece.cited_no ORDER BY piece.from_seq, piece.to_seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) THEN 0
                ELSE 1
            END AS starts
        FROM edge_piece AS piece
        SEMI JOIN often ON often.citing_no = piece.citing_no AND often.cited_no = piece.cited_no
    ) AS marked
) AS run
GROUP BY run.citing_no, run.cited_no, run.run_no;

-- table: claim_span
-- columns: a claim as long as it says the same about the same; seq names it, its first event.
SELECT run.claim_id, run.about_no, run.statement_key, min(run.seq) AS seq, min(run.seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        turn.claim_id, turn.about_no, turn.statement_key, turn.seq, turn.gone, turn.to_seq,
        sum(turn.starts) OVER (PARTITION BY turn.claim_id ORDER BY turn.seq) AS run_no
    FROM (
        SELECT
            event.claim_id, event.about_no, event.statement_key, event.seq, event.gone,
            lead(event.seq, 1, 9223372036854775807) OVER in_order AS to_seq,
            CASE
                WHEN lag(event.gone) OVER in_order IS NOT DISTINCT FROM event.gone
                    AND lag(event.about_no) OVER in_order IS NOT DISTINCT FROM event.about_no
                    AND lag(event.statement_key) OVER in_order IS NOT DISTINCT FROM event.statement_key
                    THEN 0
                ELSE 1
            END AS starts
        FROM claim_event AS event
        WINDOW in_order AS (PARTITION BY event.claim_id ORDER BY event.seq)
    ) AS turn
) AS run
WHERE NOT run.gone
GROUP BY run.claim_id, run.about_no, run.statement_key, run.run_no;

-- table: claim_about_span
-- columns: a claim and a node that it is about.
SELECT
    claim.seq, claim.claim_id, place.node_no,
    greatest(claim.from_seq, place.from_seq) AS from_seq, least(claim.to_seq, place.to_seq) AS to_seq
FROM claim_span AS claim
INNER JOIN place_span AS place
    ON place.id_no = claim.about_no AND place.from_seq < claim.to_seq AND claim.from_seq < place.to_seq;

-- table: checked_span
-- columns: a coverage row and the node that it speaks for.
WITH row_span AS (
    SELECT run.id_no, run.n_refs, run.status, min(run.seq) AS from_seq, max(run.to_seq) AS to_seq
    FROM (
        SELECT
            turn.id_no, turn.n_refs, turn.status, turn.seq, turn.gone, turn.to_seq,
            sum(turn.starts) OVER (PARTITION BY turn.id_no ORDER BY turn.seq) AS run_no
        FROM (
            SELECT
                event.id_no, event.n_refs, event.status, event.seq, event.gone,
                lead(event.seq, 1, 9223372036854775807) OVER in_order AS to_seq,
                CASE
                    WHEN lag(event.gone) OVER in_order IS NOT DISTINCT FROM event.gone
                        AND lag(event.n_refs) OVER in_order IS NOT DISTINCT FROM event.n_refs
                        AND lag(event.status) OVER in_order IS NOT DISTINCT FROM event.status
                        THEN 0
                    ELSE 1
                END AS starts
            FROM references_checked_event AS event
            WINDOW in_order AS (PARTITION BY event.id_no ORDER BY event.seq)
        ) AS turn
    ) AS run
    WHERE NOT run.gone
    GROUP BY run.id_no, run.n_refs, run.status, run.run_no
),

speaks AS (
    SELECT owned.id_no, owned.speaks_for_no AS node_no, owned.from_seq, owned.to_seq
    FROM owned_span AS owned
    WHERE owned.speaks_for_no IS NOT NULL
    UNION ALL
    SELECT free.id_no, free.id_no, free.from_seq, free.to_seq FROM free_span AS free
)

SELECT
    speaks.node_no, row_span.id_no, row_span.n_refs, row_span.status,
    greatest(row_span.from_seq, speaks.from_seq) AS from_seq, least(row_span.to_seq, speaks.to_seq) AS to_seq
FROM row_span
INNER JOIN speaks
    ON speaks.id_no = row_span.id_no AND speaks.from_seq < row_span.to_seq AND row_span.from_seq < speaks.to_seq;
