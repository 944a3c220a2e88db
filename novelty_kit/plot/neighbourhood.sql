-- The nodes that a candidate touches, and how: those that were asked for by name, and how many there are in all.
-- Source: novelty reference, section 2 (one node, many ids) and section 3 (neighbours).
-- Reads: identifier, owner, owned, edge, node; parameters subject (id), own, listed, wanted, counted (ids), others, most.
-- Returns lom_id, cites (the candidate cites it), is_cited (it cites the candidate), listed (in the candidate's own
--   list), is_other (read, claims nothing and leads to nothing claimed), n_others; wanted rows and the first others.
WITH itself AS (
    SELECT identifier.id_no AS node_no
    FROM identifier
    WHERE identifier.lom_id = $subject
    UNION
    SELECT identifier.id_no
    FROM identifier
    SEMI JOIN (SELECT unnest($own::VARCHAR[]) AS lom_id) AS named ON named.lom_id = identifier.lom_id
    ANTI JOIN owned ON owned.id_no = identifier.id_no
),

link AS (
    SELECT edge.cited_no AS node_no, TRUE AS cites, FALSE AS is_cited, FALSE AS listed
    FROM edge
    SEMI JOIN itself ON itself.node_no = edge.citing_no
    UNION ALL
    SELECT edge.citing_no, FALSE, TRUE, FALSE
    FROM edge
    SEMI JOIN itself ON itself.node_no = edge.cited_no
    UNION ALL
    SELECT coalesce(owner.node_no, identifier.id_no), FALSE, FALSE, TRUE
    FROM (SELECT unnest($listed::VARCHAR[]) AS lom_id) AS reference
    INNER JOIN identifier ON identifier.lom_id = reference.lom_id
    LEFT JOIN owner ON owner.id_no = identifier.id_no
),

touched AS (
    SELECT link.node_no, bool_or(link.cites) AS cites, bool_or(link.is_cited) AS is_cited, bool_or(link.listed) AS listed
    FROM link
    ANTI JOIN itself ON itself.node_no = link.node_no
    GROUP BY link.node_no
)

SELECT
    told.lom_id,
    told.cites,
    told.is_cited,
    told.listed,
    told.is_other,
    count(*) FILTER (told.is_other) OVER () AS n_others
FROM (
    SELECT
        identifier.lom_id,
        touched.cites,
        touched.is_cited,
        touched.listed,
        wanted.lom_id IS NOT NULL AS is_wanted,
        $others AND node.is_read AND node.n_claims = 0 AND counted.lom_id IS NULL AS is_other
    FROM touched
    INNER JOIN identifier ON identifier.id_no = touched.node_no
    LEFT JOIN node ON node.node_no = touched.node_no
    LEFT JOIN (SELECT unnest($wanted::VARCHAR[]) AS lom_id) AS wanted ON wanted.lom_id = identifier.lom_id
    LEFT JOIN (SELECT unnest($counted::VARCHAR[]) AS lom_id) AS counted ON counted.lom_id = identifier.lom_id
) AS told
WHERE told.is_wanted OR told.is_other
ORDER BY told.is_wanted DESC, told.lom_id
LIMIT $most
