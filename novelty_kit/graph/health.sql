-- What a person asks of a log's health. One SELECT per question, each run by itself.
-- Source: novelty reference, sections 1 to 3. Reads: the state tables.

-- table: lists
-- columns: state (out, in, contradicted, failed, unchecked), source and reason of the last row about it, n.
SELECT
    told.state,
    last.source,
    last.reason,
    count(*) AS n
FROM (
    SELECT
        node.node_no,
        CASE
            WHEN node.covered_out THEN 'out'
            WHEN covering.node_no IS NOT NULL THEN 'in'
            WHEN node.contradicted THEN 'contradicted'
            WHEN node.has_failed THEN 'failed'
            ELSE 'unchecked'
        END AS state
    FROM node
    LEFT JOIN covering ON covering.node_no = node.node_no
    WHERE node.is_read OR node.n_claims > 0
) AS told
LEFT JOIN (
    SELECT
        row.node_no,
        arg_max_null(full_row.source, row.seq) AS source,
        arg_max_null(row.reason, row.seq) AS reason
    FROM checked AS row
    INNER JOIN references_checked_now AS full_row ON full_row.seq = row.seq
    GROUP BY row.node_no
) AS last ON last.node_no = told.node_no
GROUP BY told.state, last.source, last.reason
ORDER BY n DESC, told.state, last.source, last.reason;

-- table: failures
-- columns: scheme (the service that was asked), http_status, n (lookups), lookup (the last), seq (its line).
SELECT
    failed.scheme,
    failed.http_status,
    count(*) AS n,
    arg_max(failed.lookup, failed.seq) AS lookup,
    max(failed.seq) AS seq
FROM ingest_error_now AS failed
GROUP BY failed.scheme, failed.http_status
ORDER BY n DESC, failed.scheme, failed.http_status;

-- table: same_work
-- columns: code, what, seq, why: what a source says to be one work.
SELECT
    'same_work' AS code,
    own.lom_id AS what,
    same.seq,
    coalesce(same.source, 'a source') || ' says that it is one work with ' || other.lom_id || coalesce(' (' || same.relation || ')', '')
        AS why
FROM same_work_now AS same
INNER JOIN identifier AS own ON own.id_no = same.id_no
INNER JOIN identifier AS other ON other.id_no = same.same_no
