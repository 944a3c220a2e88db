-- What the graph knows of some ids: the papers that they name.
-- Source: novelty reference, section 1 (paper) and section 3 (read, claim-bearing).
-- Reads: identifier, paper_now, node; parameter ids. Returns lom_id, title, publication_date, is_read, n_claims.
SELECT
    identifier.lom_id,
    paper.title,
    paper.publication_date,
    coalesce(node.is_read, FALSE) AS is_read,
    coalesce(node.n_claims, 0) AS n_claims
FROM identifier
SEMI JOIN (SELECT unnest($ids::VARCHAR[]) AS lom_id) AS asked ON asked.lom_id = identifier.lom_id
LEFT JOIN paper_now AS paper ON paper.id_no = identifier.id_no
LEFT JOIN node ON node.node_no = identifier.id_no
ORDER BY identifier.lom_id
