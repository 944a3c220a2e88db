-- Several logs at once, each the same log with some of its events: their events, and what the gate counts in each.
-- Source: novelty reference, section 7 (diff).
-- Reads: taken (set_no, seq), the *_event tables of the log as every_*; candidate tables of `world.sql`; the rules'.
--        Every number is that of the log plus 4294967296 times the set's, and so are claims and statements.

-- table: paper_event
SELECT
    taken.set_no * 4294967296 + event.seq AS seq, event.gone, taken.set_no * 4294967296 + event.id_no AS id_no,
    taken.set_no * 4294967296 + event.doi_no AS doi_no, taken.set_no * 4294967296 + event.arxiv_no AS arxiv_no,
    taken.set_no * 4294967296 + event.openalex_no AS openalex_no, taken.set_no * 4294967296 + event.s2_no AS s2_no,
    taken.set_no * 4294967296 + event.pmid_no AS pmid_no, NULL::VARCHAR AS title, NULL::UBIGINT AS title_hash,
    NULL::VARCHAR AS abstract, event.publication_date, event.read, NULL::VARCHAR AS source, event.has_doi,
    event.has_arxiv, event.has_openalex, event.has_s2, event.has_pmid, FALSE AS has_title, FALSE AS has_abstract,
    event.has_publication_date, event.has_read, FALSE AS has_source
FROM taken
INNER JOIN every_paper_event AS event ON event.seq = taken.seq;

-- table: claim_event
SELECT
    taken.set_no * 4294967296 + event.seq AS seq, event.gone, taken.set_no || ' ' || event.claim_id AS claim_id,
    taken.set_no * 4294967296 + event.about_no AS about_no, NULL::VARCHAR AS statement,
    CASE WHEN event.statement_key = '' THEN '' ELSE taken.set_no || ' ' || event.statement_key END AS statement_key,
    NULL::VARCHAR AS status, NULL::VARCHAR AS source
FROM taken
INNER JOIN every_claim_event AS event ON event.seq = taken.seq;

-- table: citation_edge_event
SELECT
    taken.set_no * 4294967296 + event.seq AS seq, event.gone,
    taken.set_no * 4294967296 + event.citing_no AS citing_no, taken.set_no * 4294967296 + event.cited_no AS cited_no
FROM taken
INNER JOIN every_citation_edge_event AS event ON event.seq = taken.seq;

-- table: references_checked_event
SELECT
    taken.set_no * 4294967296 + event.seq AS seq, event.gone, taken.set_no * 4294967296 + event.id_no AS id_no,
    NULL::VARCHAR AS source, NULL::VARCHAR AS checked_ts, event.n_refs, event.status, NULL::VARCHAR AS reason
FROM taken
INNER JOIN every_references_checked_event AS event ON event.seq = taken.seq;

-- table: ingest_error_event
SELECT event.seq, event.gone, event.scheme, event.lookup, event.lookup_key, event.id_no, event.http_status,
    event.message, event.ts
FROM log.ingest_error_event AS event
LIMIT 0;

-- table: same_work_event
SELECT event.seq, event.gone, event.id_no, event.same_no, event.relation, event.source
FROM log.same_work_event AS event
LIMIT 0;

-- table: identifier
SELECT one.set_no * 4294967296 + every.id_no AS id_no, every.lom_id
FROM (SELECT DISTINCT taken.set_no FROM taken) AS one
CROSS JOIN named_identifier AS every;

-- table: gated
-- columns: each set in which the candidate may not be called novel, as the gate of one log says it.
SELECT held.candidate_no, held.n_gap, held.nothing_compared
FROM (
    SELECT
        coverage.candidate_no,
        coalesce(fixed.n_open, 0) + coalesce(total.n_open, 0) + (coverage.kind = 'none')::INTEGER AS n_gap,
        CASE
            WHEN candidate.kind = 'paper' THEN coalesce(total.n, 0) + coalesce(fixed.n, 0) = 0
            ELSE coalesce(claims.n, 0) = coalesce(mine.n, 0)
        END AS nothing_compared
    FROM subject_coverage AS coverage
    INNER JOIN candidate ON candidate.candidate_no = coverage.candidate_no
    LEFT JOIN special_count AS fixed ON fixed.candidate_no = coverage.candidate_no
    LEFT JOIN (
        SELECT
            gate.candidate_no,
            count(*) AS n,
            count(*) FILTER (
                NOT policy.near_only AND unlisted.node_no IS NOT NULL AND NOT unlisted.covered_in
                AND (reach.reaches >= gate.cites_subject_from
                    OR (node.standing >= 2 AND coalesce(reach.reaches >= gate.cites_via_from, FALSE)))
            ) AS n_open
        FROM gate
        CROSS JOIN policy
        INNER JOIN node ON node.node_no // 4294967296 = gate.candidate_no AND node.standing > 0
        INNER JOIN reach ON reach.date_to IS NOT DISTINCT FROM node.date_to
        LEFT JOIN unlisted ON unlisted.node_no = node.node_no
        GROUP BY gate.candidate_no
    ) AS total ON total.candidate_no = coverage.candidate_no
    LEFT JOIN (
        SELECT claim.seq // 4294967296 AS candidate_no, count(*) AS n
        FROM claim_now AS claim
        GROUP BY claim.seq // 4294967296
    ) AS claims ON claims.candidate_no = coverage.candidate_no
    LEFT JOIN (
        SELECT left_out.candidate_no, count(*) AS n FROM left_out GROUP BY left_out.candidate_no
    ) AS mine ON mine.candidate_no = coverage.candidate_no
) AS held
WHERE held.n_gap > 0 OR held.nothing_compared;
