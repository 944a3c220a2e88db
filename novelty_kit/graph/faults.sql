-- Lines that need a check of their own: what was read of them proves nothing, or a value may be no date or count.
-- Source: novelty reference, section 1. Every line returned is looked at by lines.check_line, which decides.
-- Reads: raw, the *_line tables, macro is_time.
-- Returns: seq, doubt (1: a fast check may clear it, 2: an exact one); a line may stand there more than once.

SELECT raw.rowid + 1 AS seq, raw.doubt FROM raw WHERE raw.doubt > 0
UNION ALL
-- what a delete says beyond its key is not kept, but must be right
SELECT raw.rowid + 1, 2
FROM raw
WHERE raw.gone AND raw.record IS NOT NULL AND len(json_keys(raw.record, '$.row')) > 1
UNION ALL
SELECT line.seq, line.doubt FROM paper_line AS line WHERE line.doubt > 0
UNION ALL
SELECT line.seq, 2
FROM paper_line AS line
WHERE NOT line.gone AND line.r.publication_date IS NOT NULL
    AND (NOT regexp_full_match(line.r.publication_date, '[0-9]{4}(-[0-9]{2}){0,2}')
        OR TRY_CAST(rpad(line.r.publication_date, 10, '-01') AS DATE) IS NULL
        OR line.r.publication_date < '0001')
UNION ALL
SELECT line.seq, line.doubt FROM claim_line AS line WHERE line.doubt > 0
UNION ALL
SELECT line.seq, 2 FROM claim_line AS line WHERE line.r.claim_id = ''
UNION ALL
SELECT line.seq, line.doubt FROM references_checked_line AS line WHERE line.doubt > 0
UNION ALL
SELECT line.seq, 2
FROM references_checked_line AS line
WHERE (line.doubt > 0 AND NOT is_time(line.r.checked_ts))
    OR (NOT line.gone AND (line.r.status IS NULL OR (line.r.status = 'ok' AND line.r.n_refs IS NULL)))
UNION ALL
SELECT line.seq, line.doubt FROM ingest_error_line AS line WHERE line.doubt > 0
UNION ALL
SELECT line.seq, 2
FROM ingest_error_line AS line
WHERE (line.doubt > 0 AND NOT is_time(line.r.ts)) OR line.r.scheme = '' OR line.r.lookup = ''
UNION ALL
SELECT line.seq, line.doubt FROM same_work_line AS line WHERE line.doubt > 0;
