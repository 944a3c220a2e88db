-- The state of the graph at one seq: current rows, nodes with many ids, coverage. One SELECT per table.
-- Source: novelty reference, sections 1 (current rows), 2 (one node, many ids), 3 (read, claim-bearing, covered).
-- Reads: the *_event tables, identifier, variable as_of. Each part below becomes the table named above it.
-- Numbers ending in _no are identifier.id_no; a node's number is that of its lom_id.

-- table: paper_now
-- columns: id_no, seq of the last event, the current value of each column (patched), seqs kept by paper_event.
WITH live AS (
    SELECT event.*
    FROM paper_event AS event
    LEFT JOIN (
        SELECT death.id_no, max(death.seq) AS seq
        FROM paper_event AS death
        WHERE death.gone AND death.seq <= getvariable('as_of')
        GROUP BY death.id_no
    ) AS died ON died.id_no = event.id_no
    WHERE NOT event.gone AND event.seq <= getvariable('as_of') AND event.seq > coalesce(died.seq, 0)
),

often AS (
    SELECT live.id_no
    FROM live
    GROUP BY live.id_no
    HAVING count(*) > 1
)

SELECT
    live.id_no, live.seq, live.doi_no, live.arxiv_no, live.openalex_no, live.s2_no, live.pmid_no,
    live.title, live.title_hash, live.abstract, live.publication_date, live.read, live.source
FROM live
ANTI JOIN often ON often.id_no = live.id_no
UNION ALL
SELECT
    live.id_no,
    max(live.seq) AS seq,
    arg_max_null(live.doi_no, live.seq) FILTER (live.has_doi) AS doi_no,
    arg_max_null(live.arxiv_no, live.seq) FILTER (live.has_arxiv) AS arxiv_no,
    arg_max_null(live.openalex_no, live.seq) FILTER (live.has_openalex) AS openalex_no,
    arg_max_null(live.s2_no, live.seq) FILTER (live.has_s2) AS s2_no,
    arg_max_null(live.pmid_no, live.seq) FILTER (live.has_pmid) AS pmid_no,
    arg_max_null(live.title, live.seq) FILTER (live.has_title) AS title,
    arg_max_null(live.title_hash, live.seq) FILTER (live.has_title) AS title_hash,
    arg_max_null(live.abstract, live.seq) FILTER (live.has_abstract) AS abstract,
    arg_max_null(live.publication_date, live.seq) FILTER (live.has_publication_date) AS publication_date,
    arg_max_null(live.read, live.seq) FILTER (live.has_read) AS read,
    arg_max_null(live.source, live.seq) FILTER (live.has_source) AS source
FROM live
SEMI JOIN often ON often.id_no = live.id_no
GROUP BY live.id_no;

-- table: claim_now
-- columns: those of the log, about_no, statement_key, seq.
SELECT
    event.seq, event.claim_id, event.about_no, event.statement, event.statement_key, event.status, event.source
FROM claim_event AS event
SEMI JOIN (
    SELECT max(every.seq) AS seq
    FROM claim_event AS every
    WHERE every.seq <= getvariable('as_of')
    GROUP BY every.claim_id
) AS last ON last.seq = event.seq
WHERE NOT event.gone;

-- table: citation_edge_now
-- columns: the edge as it is keyed in the log, seq of its last upsert.
SELECT edge.citing_no, edge.cited_no, edge.seq
FROM (
    SELECT event.citing_no, event.cited_no, max(event.seq) AS seq, arg_max(event.gone, event.seq) AS gone
    FROM citation_edge_event AS event
    WHERE event.seq <= getvariable('as_of')
    GROUP BY event.citing_no, event.cited_no
) AS edge
WHERE NOT edge.gone;

-- table: references_checked_now
SELECT
    event.seq, event.id_no, event.source, event.checked_ts, event.n_refs, event.status, event.reason
FROM references_checked_event AS event
SEMI JOIN (
    SELECT max(every.seq) AS seq
    FROM references_checked_event AS every
    WHERE every.seq <= getvariable('as_of')
    GROUP BY every.id_no
) AS last ON last.seq = event.seq
WHERE NOT event.gone;

-- table: ingest_error_now
SELECT
    event.seq, event.scheme, event.lookup, event.lookup_key, event.id_no, event.http_status, event.message, event.ts
FROM ingest_error_event AS event
SEMI JOIN (
    SELECT max(every.seq) AS seq
    FROM ingest_error_event AS every
    WHERE every.seq <= getvariable('as_of')
    GROUP BY every.scheme, every.lookup_key
) AS last ON last.seq = event.seq
WHERE NOT event.gone;

-- table: same_work_now
SELECT event.seq, event.id_no, event.same_no, event.relation, event.source
FROM same_work_event AS event
SEMI JOIN (
    SELECT max(every.seq) AS seq
    FROM same_work_event AS every
    WHERE every.seq <= getvariable('as_of')
    GROUP BY every.id_no, every.same_no
) AS last ON last.seq = event.seq
WHERE NOT event.gone;

-- table: owner
-- columns: an id, and a paper that it names: its own lom_id or one of its keys.
SELECT paper.id_no, paper.id_no AS node_no FROM paper_now AS paper
UNION
SELECT paper.doi_no, paper.id_no FROM paper_now AS paper WHERE paper.doi_no IS NOT NULL
UNION
SELECT paper.arxiv_no, paper.id_no FROM paper_now AS paper WHERE paper.arxiv_no IS NOT NULL
UNION
SELECT paper.openalex_no, paper.id_no FROM paper_now AS paper WHERE paper.openalex_no IS NOT NULL
UNION
SELECT paper.s2_no, paper.id_no FROM paper_now AS paper WHERE paper.s2_no IS NOT NULL
UNION
SELECT paper.pmid_no, paper.id_no FROM paper_now AS paper WHERE paper.pmid_no IS NOT NULL;

-- table: owned
-- columns: an id that papers own, how many; the one it speaks for (NULL: nobody) in coverage rows and holdouts;
--   the one it means as a claim's subject or a key: the paper whose lom_id it is, else the least.
SELECT
    owner.id_no,
    count(*) AS n_owners,
    CASE
        WHEN count(*) = 1 THEN min(owner.node_no)
        WHEN bool_or(owner.node_no = owner.id_no) THEN owner.id_no
    END AS speaks_for_no,
    CASE
        WHEN bool_or(owner.node_no = owner.id_no) THEN owner.id_no
        ELSE arg_min(owner.node_no, identifier.lom_id)
    END AS means_no
FROM owner
INNER JOIN identifier ON identifier.id_no = owner.node_no
GROUP BY owner.id_no;

-- table: edge
-- columns: edges between nodes. An id of several papers touches each; equal ids and a node with itself are none.
SELECT DISTINCT
    coalesce(citing.node_no, edge.citing_no) AS citing_no,
    coalesce(cited.node_no, edge.cited_no) AS cited_no
FROM citation_edge_now AS edge
LEFT JOIN owner AS citing ON citing.id_no = edge.citing_no
LEFT JOIN owner AS cited ON cited.id_no = edge.cited_no
WHERE edge.citing_no <> edge.cited_no
    AND coalesce(citing.node_no, edge.citing_no) <> coalesce(cited.node_no, edge.cited_no);

-- table: claim_about
-- columns: a claim's seq and id, and each node that it is about.
SELECT claim.seq, claim.claim_id, coalesce(owner.node_no, claim.about_no) AS node_no
FROM claim_now AS claim
LEFT JOIN owner ON owner.id_no = claim.about_no
WHERE claim.about_no IS NOT NULL;

-- table: checked
-- columns: the coverage rows that speak for a node.
SELECT
    coalesce(owned.speaks_for_no, row.id_no) AS node_no, row.seq, row.id_no, row.n_refs, row.status, row.reason
FROM references_checked_now AS row
LEFT JOIN owned ON owned.id_no = row.id_no
WHERE owned.id_no IS NULL OR owned.speaks_for_no IS NOT NULL;

-- table: node
-- columns: every node with a row, a claim or a coverage row; any other id is a stub without flags.
--   standing: 0 a stub, 1 read, 2 claim-bearing, 3 both;
--   date_from, date_to: first and last possible day; n_ok, most_refs, has_failed: its coverage rows;
--   contradicted: its list is recorded as empty and an edge denies it; covered_out: its list is known.
WITH known AS (
    SELECT paper.id_no AS node_no FROM paper_now AS paper
    UNION
    SELECT claim.node_no FROM claim_about AS claim
    UNION
    SELECT checked.node_no FROM checked
),

bearing AS (
    SELECT claim.node_no, count(*) AS n_claims
    FROM claim_about AS claim
    GROUP BY claim.node_no
),

list AS (
    SELECT
        checked.node_no,
        count(*) FILTER (checked.status = 'ok') AS n_ok,
        max(checked.n_refs) FILTER (checked.status = 'ok') AS most_refs,
        bool_or(checked.status = 'failed') AS has_failed
    FROM checked
    GROUP BY checked.node_no
),

citing AS (
    SELECT DISTINCT edge.citing_no AS node_no
    FROM edge
    SEMI JOIN list ON list.node_no = edge.citing_no AND list.most_refs = 0
)

SELECT
    known.node_no,
    identifier.lom_id,
    paper.id_no IS NOT NULL AS has_row,
    paper.id_no IS NOT NULL AND coalesce(paper.read, TRUE) AS is_read,
    coalesce(bearing.n_claims, 0) AS n_claims,
    CASE WHEN is_read THEN 1 ELSE 0 END + CASE WHEN bearing.node_no IS NULL THEN 0 ELSE 2 END AS standing,
    TRY_CAST(rpad(paper.publication_date, 10, '-01') AS DATE) AS date_from,
    CASE length(paper.publication_date)
        WHEN 4 THEN make_date(paper.publication_date::INTEGER, 12, 31)
        WHEN 7 THEN last_day((paper.publication_date || '-01')::DATE)
        WHEN 10 THEN paper.publication_date::DATE
    END AS date_to,
    coalesce(list.n_ok, 0) AS n_ok,
    list.most_refs,
    coalesce(list.has_failed, FALSE) AS has_failed,
    citing.node_no IS NOT NULL AS contradicted,
    coalesce(list.n_ok > 0, FALSE) AND citing.node_no IS NULL AS covered_out
FROM known
INNER JOIN identifier ON identifier.id_no = known.node_no
LEFT JOIN paper_now AS paper ON paper.id_no = known.node_no
LEFT JOIN bearing ON bearing.node_no = known.node_no
LEFT JOIN list ON list.node_no = known.node_no
LEFT JOIN citing ON citing.node_no = known.node_no;

-- table: covering
-- columns: for each node that read, out-covered papers cite: how many do, and which where it is only one.
SELECT
    edge.cited_no AS node_no,
    count(*) AS n_citing,
    CASE WHEN count(*) = 1 THEN min(edge.citing_no) END AS only_citing_no
FROM edge
SEMI JOIN node ON node.node_no = edge.citing_no AND node.is_read AND node.covered_out
GROUP BY edge.cited_no;

-- table: claim_link
-- columns: a read node and a claim-bearing neighbour of it, whichever cites the other.
SELECT link.node_no, link.end_no
FROM (
    SELECT edge.citing_no AS node_no, edge.cited_no AS end_no FROM edge
    UNION
    SELECT edge.cited_no, edge.citing_no FROM edge
) AS link
SEMI JOIN node AS via ON via.node_no = link.node_no AND via.is_read
SEMI JOIN node AS claimed ON claimed.node_no = link.end_no AND claimed.n_claims > 0;

-- table: id_node
-- columns: every id of the log and what it names: its number; the node, NULL where it names several papers; and that
--   node's standing: 0 a stub, 1 read, 2 claim-bearing, 3 both.
SELECT spelled.lom_id, spelled.id_no, spelled.node_no, coalesce(node.standing, 0) AS standing
FROM (
    SELECT
        identifier.lom_id,
        identifier.id_no,
        CASE coalesce(owned.n_owners, 0) WHEN 0 THEN identifier.id_no WHEN 1 THEN owned.means_no END AS node_no
    FROM identifier
    LEFT JOIN owned ON owned.id_no = identifier.id_no
) AS spelled
LEFT JOIN node ON node.node_no = spelled.node_no;
