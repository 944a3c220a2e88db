-- How many read or claim-bearing nodes have a known reference list, by kind.
-- Source: novelty reference, section 3 (covered) and section 5, rule 3 (the order of the reasons; checked_zero is said of a candidate alone).
-- Reads: node, covering. Returns kind, n.
SELECT told.kind, count(*) AS n
FROM (
    SELECT
        CASE
            WHEN node.covered_out THEN 'out'
            WHEN covering.node_no IS NOT NULL THEN 'in'
            WHEN node.contradicted THEN 'contradicted'
            WHEN node.has_failed THEN 'failed'
            ELSE 'unchecked'
        END AS kind
    FROM node
    LEFT JOIN covering ON covering.node_no = node.node_no
    WHERE node.is_read OR node.n_claims > 0
) AS told
GROUP BY told.kind
ORDER BY told.kind
