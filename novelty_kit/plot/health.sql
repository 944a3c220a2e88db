-- What the pictures of a log's health count. One SELECT per picture, each run by itself.
-- Source: novelty reference, section 3. Reads: node, covering, edge, paper_now.

-- table: degrees
-- columns: side (lists: works that a compared node cites; cited: that cite a compared node; stub: that cite
--   another id), degree, n (nodes).
WITH compared AS (
    SELECT node.node_no
    FROM node
    WHERE node.is_read OR node.n_claims > 0
)

SELECT told.side, told.degree, count(*) AS n
FROM (
    SELECT 'lists' AS side, compared.node_no, count(edge.cited_no) AS degree
    FROM compared
    LEFT JOIN edge ON edge.citing_no = compared.node_no
    GROUP BY compared.node_no
    UNION ALL
    SELECT 'cited', compared.node_no, count(edge.citing_no)
    FROM compared
    LEFT JOIN edge ON edge.cited_no = compared.node_no
    GROUP BY compared.node_no
    UNION ALL
    SELECT 'stub', edge.cited_no, count(*)
    FROM edge
    ANTI JOIN compared ON compared.node_no = edge.cited_no
    GROUP BY edge.cited_no
) AS told
GROUP BY told.side, told.degree
ORDER BY told.side, told.degree;

-- table: years
-- columns: year (NULL: undated), is_covered, n (compared nodes).
SELECT
    year(node.date_to) AS year,
    node.covered_out OR covering.node_no IS NOT NULL AS is_covered,
    count(*) AS n
FROM node
LEFT JOIN covering ON covering.node_no = node.node_no
WHERE node.is_read OR node.n_claims > 0
GROUP BY ALL
ORDER BY year, is_covered
