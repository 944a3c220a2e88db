-- How the counts of coverage.sql go along a log, looked at after some of its events.
-- Source: novelty reference, section 3 (covered) and section 5, rule 3 (the order of the reasons).
-- Reads: node_span, cover_span; parameter seqs. Returns seq, kind, n: how many nodes of a kind more there are than
--   at the seq before.
SELECT point.seq, moved.kind, CAST(sum(moved.sign) AS BIGINT) AS n
FROM (
    SELECT
        bound.seq,
        bound.sign,
        CASE
            WHEN node.covered_out THEN 'out'
            WHEN cover.n_citing > 0 THEN 'in'
            WHEN node.contradicted THEN 'contradicted'
            WHEN node.has_failed THEN 'failed'
            ELSE 'unchecked'
        END AS kind
    FROM node_span AS node
    INNER JOIN cover_span AS cover
        ON cover.node_no = node.node_no AND cover.from_seq < node.to_seq AND node.from_seq < cover.to_seq
    CROSS JOIN LATERAL (
        SELECT greatest(node.from_seq, cover.from_seq) AS seq, 1 AS sign
        UNION ALL
        SELECT least(node.to_seq, cover.to_seq), -1
    ) AS bound
    WHERE node.is_read OR node.n_claims > 0
) AS moved
INNER JOIN (
    SELECT given.seq, lag(given.seq, 1, -1) OVER (ORDER BY given.seq) AS after_seq
    FROM (SELECT unnest($seqs::BIGINT[]) AS seq) AS given
) AS point ON point.after_seq < moved.seq AND moved.seq <= point.seq
GROUP BY point.seq, moved.kind
HAVING sum(moved.sign) <> 0
ORDER BY point.seq, moved.kind
