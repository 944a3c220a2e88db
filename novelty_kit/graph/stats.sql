-- Counts of the log and the graph. One SELECT per question, each run by itself.
-- Source: novelty reference, sections 1 to 3. Reads: the state tables, event, any_node (nodes.sql); $as_of.

-- table: events
SELECT event.table_name, count(*) AS n_events, count(*) FILTER (event.gone) AS n_deletes
FROM event
WHERE event.seq <= $as_of
GROUP BY event.table_name
ORDER BY event.table_name;

-- table: rows
SELECT 'paper' AS table_name, count(*) AS n_rows FROM paper_now
UNION ALL
SELECT 'claim', count(*) FROM claim_now
UNION ALL
SELECT 'citation_edge', count(*) FROM citation_edge_now
UNION ALL
SELECT 'references_checked', count(*) FROM references_checked_now
UNION ALL
SELECT 'ingest_error', count(*) FROM ingest_error_now
UNION ALL
SELECT 'same_work', count(*) FROM same_work_now;

-- table: nodes
SELECT
    count(*) AS total,
    count(*) FILTER (any_node.read) AS read,
    count(*) FILTER (any_node.n_claims > 0) AS claim_bearing,
    count(*) FILTER (any_node.read OR any_node.n_claims > 0) AS compared,
    count(*) FILTER (NOT any_node.read AND any_node.n_claims = 0) AS stub,
    count(*) FILTER ((any_node.read OR any_node.n_claims > 0) AND any_node.publication_date IS NULL) AS undated
FROM any_node;

-- table: edges
SELECT
    (SELECT count(*) FROM edge) AS between_nodes,
    count(*) FILTER (known.citing_no = known.cited_no) AS self_loops,
    (SELECT count(DISTINCT cited_no) FROM edge) AS cited_nodes,
    (SELECT count(DISTINCT citing_no) FROM edge) AS citing_nodes
FROM citation_edge_now AS known;

-- table: coverage
SELECT
    count(*) FILTER (any_node.covered = 'out') AS "out",
    count(*) FILTER (any_node.covered = 'in') AS "in",
    count(*) FILTER (any_node.covered = 'none') AS "none",
    count(*) FILTER (any_node.covered = 'none' AND node.contradicted) AS contradicted,
    count(*) FILTER (any_node.covered = 'none' AND NOT node.contradicted AND node.has_failed) AS failed,
    count(*) FILTER (any_node.covered = 'none' AND NOT node.contradicted AND NOT node.has_failed) AS unchecked,
    count(*) FILTER (node.most_refs = 0 AND NOT node.contradicted) AS checked_zero
FROM any_node
INNER JOIN node ON node.node_no = any_node.node_no
WHERE any_node.read OR any_node.n_claims > 0;

-- table: times
SELECT
    strftime(min(event.ts), '%Y-%m-%dT%H:%M:%SZ') AS first,
    strftime(max(event.ts), '%Y-%m-%dT%H:%M:%SZ') AS last,
    count(*) FILTER (event.ts IS NULL) AS events_without,
    count(*) FILTER (event.ts < event.latest) AS out_of_order
FROM (
    SELECT known.ts, max(known.ts) OVER (ORDER BY known.seq ROWS UNBOUNDED PRECEDING) AS latest
    FROM event AS known
    WHERE known.seq <= $as_of
) AS event;
