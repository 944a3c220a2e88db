-- What the log holds about one node as of a moment: its rows, and the lines that made them.
-- Source: novelty reference, section 1 (rows) and section 2 (one node, many ids).
-- Reads: identifier, owner, paper_now, claim_now, citation_edge_now, references_checked_now, ingest_error_now,
--   same_work_now; parameters lom_id, most. Returns seq, table_name, told (what the row says of the node).
WITH own AS (
    SELECT identifier.id_no
    FROM identifier
    WHERE identifier.lom_id = $lom_id
    UNION
    SELECT owner.id_no
    FROM owner
    INNER JOIN identifier ON identifier.id_no = owner.node_no AND identifier.lom_id = $lom_id
),

line AS (
    SELECT paper.seq, 'paper' AS table_name, 1 AS place, coalesce(paper.title, '(no title)') AS told
    FROM paper_now AS paper
    INNER JOIN own ON own.id_no = paper.id_no
    UNION ALL
    SELECT claim.seq, 'claim', 2, claim.claim_id || ': ' || coalesce(claim.statement, '(no statement)')
    FROM claim_now AS claim
    INNER JOIN own ON own.id_no = claim.about_no
    UNION ALL
    SELECT row.seq, 'references_checked', 3, row.status || coalesce(', ' || row.n_refs || ' references', '')
        || coalesce(', ' || row.reason, '') || coalesce(', by ' || row.source, '')
    FROM references_checked_now AS row
    INNER JOIN own ON own.id_no = row.id_no
    UNION ALL
    SELECT error.seq, 'ingest_error', 4, coalesce(CAST(error.http_status AS VARCHAR), 'no answer')
        || coalesce(': ' || error.message, '')
    FROM ingest_error_now AS error
    INNER JOIN own ON own.id_no = error.id_no
    UNION ALL
    SELECT row.seq, 'same_work', 5, row.relation || ' ' || other.lom_id
    FROM same_work_now AS row
    INNER JOIN own ON own.id_no = row.id_no
    INNER JOIN identifier AS other ON other.id_no = row.same_no
    UNION ALL
    SELECT edge.seq, 'citation_edge', 6, 'cites ' || other.lom_id
    FROM citation_edge_now AS edge
    INNER JOIN own ON own.id_no = edge.citing_no
    INNER JOIN identifier AS other ON other.id_no = edge.cited_no
    UNION ALL
    SELECT edge.seq, 'citation_edge', 7, 'is cited by ' || other.lom_id
    FROM citation_edge_now AS edge
    INNER JOIN own ON own.id_no = edge.cited_no
    INNER JOIN identifier AS other ON other.id_no = edge.citing_no
)

SELECT line.seq, line.table_name, line.told, count(*) OVER () AS n
FROM line
ORDER BY line.place, line.seq
LIMIT $most
