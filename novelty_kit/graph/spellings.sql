-- Every spelling of an id that stands in the log, each once.
-- Source: novelty reference, section 2 (identifiers).
-- Reads: raw and the *_line tables of `reading`.
-- Makes: spelled. What a row that deletes says beyond its key counts for nothing.

CREATE OR REPLACE TEMP TABLE spelled AS
SELECT DISTINCT every.spelling
FROM (
    SELECT raw.citing_lom_id AS spelling FROM raw WHERE raw.table_name = 'citation_edge'
    UNION ALL
    SELECT raw.cited_lom_id FROM raw WHERE raw.table_name = 'citation_edge'
    UNION ALL
    SELECT line.r.lom_id FROM paper_line AS line
    UNION ALL
    SELECT line.r.doi FROM paper_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.arxiv FROM paper_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.openalex FROM paper_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.s2_paper_id FROM paper_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.pmid FROM paper_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.about_lom_id FROM claim_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.lom_id FROM references_checked_line AS line
    UNION ALL
    SELECT line.r.lom_id FROM ingest_error_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.lom_id FROM same_work_line AS line
    UNION ALL
    SELECT line.r.same_as_lom_id FROM same_work_line AS line
) AS every
WHERE every.spelling IS NOT NULL;
