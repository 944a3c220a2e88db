-- Lines that hold an id without a normal form.
-- Source: novelty reference, section 2. What a row that deletes says beyond its key is not looked at here.
-- Reads: raw, the *_line tables, malformed (spelling). Returns: seq, doubt (2: to be checked exactly).

SELECT held.seq, 2 AS doubt
FROM (
    SELECT raw.rowid + 1 AS seq, unnest([raw.citing_lom_id, raw.cited_lom_id]) AS spelling
    FROM raw
    UNION ALL
    SELECT
        line.seq,
        unnest([line.r.lom_id, line.r.doi, line.r.arxiv, line.r.openalex, line.r.s2_paper_id, line.r.pmid])
    FROM paper_line AS line
    UNION ALL
    SELECT line.seq, line.r.about_lom_id FROM claim_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.seq, line.r.lom_id FROM references_checked_line AS line
    UNION ALL
    SELECT line.seq, line.r.lom_id FROM ingest_error_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.seq, unnest([line.r.lom_id, line.r.same_as_lom_id]) FROM same_work_line AS line
) AS held
SEMI JOIN malformed ON malformed.spelling = held.spelling;
