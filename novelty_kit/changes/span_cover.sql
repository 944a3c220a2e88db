-- Who covers whom along the log, and the steps by which the counts over all nodes go.
-- Source: novelty reference, sections 3 (covered) and 5, rule 3 (the gate).
-- Reads: node_span, flag_span, edge_span, claim_span.

-- table: coverer_span
-- columns: a node while it is read and its list is known: whom it cites is covered.
SELECT run.node_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            node.node_no, node.from_seq, node.to_seq,
            CASE
                WHEN lag(node.to_seq) OVER (PARTITION BY node.node_no ORDER BY node.from_seq) = node.from_seq THEN 0
                ELSE 1
            END AS starts
        FROM node_span AS node
        WHERE node.is_read AND node.covered_out
    ) AS marked
) AS run
GROUP BY run.node_no, run.run_no;

-- table: cover_step
-- columns: after each event at a compared node: how many coverers cite it, and the sum of their numbers.
SELECT
    step.node_no,
    step.seq,
    sum(step.n) OVER so_far AS n_citing,
    sum(step.citing) OVER so_far AS citing
FROM (
    SELECT moved.node_no, moved.seq, sum(moved.n) AS n, sum(moved.citing) AS citing
    FROM (
        SELECT flag.node_no, 0 AS seq, 0 AS n, 0 AS citing FROM flag_span AS flag
        UNION ALL
        SELECT edge.cited_no, greatest(edge.from_seq, coverer.from_seq), 1, edge.citing_no
        FROM edge_span AS edge
        INNER JOIN coverer_span AS coverer
            ON coverer.node_no = edge.citing_no AND coverer.from_seq < edge.to_seq AND edge.from_seq < coverer.to_seq
        SEMI JOIN flag_span AS flag ON flag.node_no = edge.cited_no
        UNION ALL
        SELECT edge.cited_no, least(edge.to_seq, coverer.to_seq), -1, -edge.citing_no
        FROM edge_span AS edge
        INNER JOIN coverer_span AS coverer
            ON coverer.node_no = edge.citing_no AND coverer.from_seq < edge.to_seq AND edge.from_seq < coverer.to_seq
        SEMI JOIN flag_span AS flag ON flag.node_no = edge.cited_no
        WHERE least(edge.to_seq, coverer.to_seq) < 9223372036854775807
    ) AS moved
    GROUP BY moved.node_no, moved.seq
) AS step
WINDOW so_far AS (PARTITION BY step.node_no ORDER BY step.seq);

-- table: cover_span
-- columns: a compared node with how many coverers cite it (0, 1, or 2 for more), and which where it is only one.
SELECT
    turn.node_no, turn.n_citing, turn.only_citing_no,
    turn.seq AS from_seq,
    lead(turn.seq, 1, 9223372036854775807) OVER (PARTITION BY turn.node_no ORDER BY turn.seq) AS to_seq
FROM (
    SELECT
        step.node_no, step.seq, step.n_citing, step.only_citing_no,
        lag(step.n_citing, 1, -1) OVER in_order AS n_before,
        lag(step.only_citing_no) OVER in_order AS only_before
    FROM (
        SELECT
            every.node_no, every.seq,
            CAST(least(every.n_citing, 2) AS INTEGER) AS n_citing,
            CASE WHEN every.n_citing = 1 THEN CAST(every.citing AS INTEGER) END AS only_citing_no
        FROM cover_step AS every
    ) AS step
    WINDOW in_order AS (PARTITION BY step.node_no ORDER BY step.seq)
) AS turn
WHERE turn.n_citing <> turn.n_before OR turn.only_citing_no IS DISTINCT FROM turn.only_before;

-- table: open_step
-- columns: at each event, how many compared nodes of one last day begin or cease to be uncovered: n where an
--   in-edge covers, n_strict where it does not.
SELECT moved.seq, moved.last_day, moved.is_bearing, sum(moved.n) AS n, sum(moved.n_strict) AS n_strict
FROM (
    SELECT
        bound.seq, coalesce(node.date_to, DATE '9999-12-31') AS last_day, node.n_claims > 0 AS is_bearing,
        bound.sign * (cover.n_citing = 0)::INTEGER AS n, bound.sign AS n_strict
    FROM node_span AS node
    INNER JOIN cover_span AS cover
        ON cover.node_no = node.node_no AND cover.from_seq < node.to_seq AND node.from_seq < cover.to_seq
    CROSS JOIN LATERAL (
        SELECT greatest(node.from_seq, cover.from_seq) AS seq, 1 AS sign
        UNION ALL
        SELECT least(node.to_seq, cover.to_seq), -1
    ) AS bound
    WHERE (node.is_read OR node.n_claims > 0) AND NOT node.covered_out
) AS moved
WHERE moved.seq < 9223372036854775807
GROUP BY moved.seq, moved.last_day, moved.is_bearing
HAVING sum(moved.n) <> 0 OR sum(moved.n_strict) <> 0;

-- table: count_step
-- columns: at each event, how many more there are of compared nodes, covered by their own list, only by an in-edge,
--   and of claims.
SELECT
    moved.seq, sum(moved.n_compared) AS n_compared, sum(moved.n_out) AS n_out, sum(moved.n_in) AS n_in,
    sum(moved.n_claims) AS n_claims
FROM (
    SELECT
        bound.seq, bound.sign AS n_compared, bound.sign * node.covered_out::INTEGER AS n_out,
        bound.sign * (NOT node.covered_out AND cover.n_citing > 0)::INTEGER AS n_in, 0 AS n_claims
    FROM node_span AS node
    INNER JOIN cover_span AS cover
        ON cover.node_no = node.node_no AND cover.from_seq < node.to_seq AND node.from_seq < cover.to_seq
    CROSS JOIN LATERAL (
        SELECT greatest(node.from_seq, cover.from_seq) AS seq, 1 AS sign
        UNION ALL
        SELECT least(node.to_seq, cover.to_seq), -1
    ) AS bound
    WHERE node.is_read OR node.n_claims > 0
    UNION ALL
    SELECT claim.from_seq, 0, 0, 0, 1 FROM claim_span AS claim
    UNION ALL
    SELECT claim.to_seq, 0, 0, 0, -1 FROM claim_span AS claim
) AS moved
WHERE moved.seq < 9223372036854775807
GROUP BY moved.seq
HAVING sum(moved.n_compared) <> 0 OR sum(moved.n_out) <> 0 OR sum(moved.n_in) <> 0 OR sum(moved.n_claims) <> 0;
