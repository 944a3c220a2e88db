-- Every node of the graph with what a picture or a count of it needs.
-- Source: novelty reference, section 3 (a node is a paper row, an edge end, or what a claim is about) and 6.
-- Reads: the state tables. Columns: node_no, lom_id, title, publication_date, read (false for a stub), n_claims,
--        covered (out, in, none).

SELECT
    every.node_no,
    identifier.lom_id,
    paper.title,
    paper.publication_date,
    coalesce(node.is_read, FALSE) AS read,
    coalesce(node.n_claims, 0) AS n_claims,
    CASE
        WHEN node.covered_out THEN 'out'
        WHEN covering.n_citing > 0 THEN 'in'
        ELSE 'none'
    END AS covered
FROM (
    SELECT paper.id_no AS node_no FROM paper_now AS paper
    UNION
    SELECT claim.node_no FROM claim_about AS claim
    UNION
    SELECT coalesce(owner.node_no, edge.citing_no)
    FROM citation_edge_now AS edge
    LEFT JOIN owner ON owner.id_no = edge.citing_no
    UNION
    SELECT coalesce(owner.node_no, edge.cited_no)
    FROM citation_edge_now AS edge
    LEFT JOIN owner ON owner.id_no = edge.cited_no
) AS every
INNER JOIN identifier ON identifier.id_no = every.node_no
LEFT JOIN node ON node.node_no = every.node_no
LEFT JOIN covering ON covering.node_no = every.node_no
LEFT JOIN paper_now AS paper ON paper.id_no = every.node_no
