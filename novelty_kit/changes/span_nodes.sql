-- Nodes as spans of the log: what is at each, whether it is read, claim-bearing, its list known.
-- Source: novelty reference, sections 2 (nodes) and 3 (read, claim-bearing, covered).
-- Reads: paper_fact, edge_span, claim_about_span, checked_span.

-- table: cites_span
-- columns: a node whose list was ever recorded as empty, while some edge shows it citing.
SELECT run.node_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (
            PARTITION BY marked.node_no ORDER BY marked.from_seq, marked.to_seq ROWS UNBOUNDED PRECEDING
        ) AS run_no
    FROM (
        SELECT
            edge.citing_no AS node_no, edge.from_seq, edge.to_seq,
            CASE
                WHEN edge.from_seq <= max(edge.to_seq) OVER (
                    PARTITION BY edge.citing_no ORDER BY edge.from_seq, edge.to_seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) THEN 0
                ELSE 1
            END AS starts
        FROM edge_span AS edge
        SEMI JOIN checked_span AS zero
            ON zero.node_no = edge.citing_no AND zero.status = 'ok' AND zero.n_refs = 0
    ) AS marked
) AS run
GROUP BY run.node_no, run.run_no;

-- table: node_step
-- columns: after each event at a node: how many rows, claims, ok rows, ok rows above 0, failed rows; citing or not.
SELECT
    step.node_no,
    step.seq AS from_seq,
    lead(step.seq, 1, 9223372036854775807) OVER so_far AS to_seq,
    sum(step.n_rows) OVER so_far AS n_rows,
    sum(step.n_claims) OVER so_far AS n_claims,
    sum(step.n_ok) OVER so_far AS n_ok,
    sum(step.n_above) OVER so_far AS n_above,
    sum(step.n_failed) OVER so_far AS n_failed,
    sum(step.n_cites) OVER so_far AS n_cites
FROM (
    SELECT
        moved.node_no, moved.seq,
        sum(moved.n_rows) AS n_rows, sum(moved.n_claims) AS n_claims, sum(moved.n_ok) AS n_ok,
        sum(moved.n_above) AS n_above, sum(moved.n_failed) AS n_failed, sum(moved.n_cites) AS n_cites
    FROM (
        SELECT fact.id_no AS node_no, fact.from_seq AS seq, 1 AS n_rows, 0 AS n_claims, 0 AS n_ok, 0 AS n_above,
            0 AS n_failed, 0 AS n_cites
        FROM paper_fact AS fact
        UNION ALL
        SELECT fact.id_no, fact.to_seq, -1, 0, 0, 0, 0, 0 FROM paper_fact AS fact
        UNION ALL
        SELECT claim.node_no, claim.from_seq, 0, 1, 0, 0, 0, 0 FROM claim_about_span AS claim
        UNION ALL
        SELECT claim.node_no, claim.to_seq, 0, -1, 0, 0, 0, 0 FROM claim_about_span AS claim
        UNION ALL
        SELECT row.node_no, row.from_seq, 0, 0, (row.status = 'ok')::INTEGER,
            (row.status = 'ok' AND row.n_refs > 0)::INTEGER, (row.status = 'failed')::INTEGER, 0
        FROM checked_span AS row
        UNION ALL
        SELECT row.node_no, row.to_seq, 0, 0, -(row.status = 'ok')::INTEGER,
            -(row.status = 'ok' AND row.n_refs > 0)::INTEGER, -(row.status = 'failed')::INTEGER, 0
        FROM checked_span AS row
        UNION ALL
        SELECT cites.node_no, cites.from_seq, 0, 0, 0, 0, 0, 1 FROM cites_span AS cites
        UNION ALL
        SELECT cites.node_no, cites.to_seq, 0, 0, 0, 0, 0, -1 FROM cites_span AS cites
    ) AS moved
    WHERE moved.seq < 9223372036854775807
    GROUP BY moved.node_no, moved.seq
) AS step
WINDOW so_far AS (PARTITION BY step.node_no ORDER BY step.seq);

-- table: node_span
-- columns: those of the state's node, without its name.
SELECT
    step.node_no,
    step.from_seq,
    step.to_seq,
    paper.id_no IS NOT NULL AS has_row,
    coalesce(paper.is_read, FALSE) AS is_read,
    CAST(step.n_claims AS BIGINT) AS n_claims,
    TRY_CAST(rpad(paper.publication_date, 10, '-01') AS DATE) AS date_from,
    CASE length(paper.publication_date)
        WHEN 4 THEN make_date(paper.publication_date::INTEGER, 12, 31)
        WHEN 7 THEN last_day((paper.publication_date || '-01')::DATE)
        WHEN 10 THEN paper.publication_date::DATE
    END AS date_to,
    step.n_failed > 0 AS has_failed,
    step.n_ok > 0 AND step.n_above = 0 AND step.n_cites > 0 AS contradicted,
    step.n_ok > 0 AND (step.n_above > 0 OR step.n_cites = 0) AS covered_out
FROM node_step AS step
LEFT JOIN paper_fact AS paper
    ON paper.id_no = step.node_no AND paper.from_seq <= step.from_seq AND paper.to_seq > step.from_seq
WHERE step.n_rows > 0 OR step.n_claims > 0 OR step.n_ok > 0 OR step.n_failed > 0;

-- table: flag_span
-- columns: a node while it is read or claim-bearing, and while neither of the two changes.
SELECT run.node_no, run.is_read, run.is_bearing, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.is_read, marked.is_bearing, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            node.node_no, node.is_read, node.n_claims > 0 AS is_bearing, node.from_seq, node.to_seq,
            CASE
                WHEN lag(node.to_seq) OVER in_order = node.from_seq
                    AND lag(node.is_read) OVER in_order = node.is_read
                    AND lag(node.n_claims > 0) OVER in_order = (node.n_claims > 0)
                    THEN 0
                ELSE 1
            END AS starts
        FROM node_span AS node
        WHERE node.is_read OR node.n_claims > 0
        WINDOW in_order AS (PARTITION BY node.node_no ORDER BY node.from_seq)
    ) AS marked
) AS run
GROUP BY run.node_no, run.is_read, run.is_bearing, run.run_no;
