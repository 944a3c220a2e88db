-- Lines whose values need the exact check: they parse, but a value may be no id, date, time or count.
-- Source: novelty reference, section 1. Every line returned is looked at by lines.check_line, which decides.
-- Reads: raw, the *_line tables, malformed (spelling). Returns: seq, one row a line, ascending.

SELECT DISTINCT suspect.seq
FROM (
    SELECT raw.rowid + 1 AS seq
    FROM raw
    WHERE raw.twice
        OR (raw.ts IS NOT NULL AND raw.at IS NULL)
        -- the cast alone would take blanks, signs, zone names and a point for digits here and there
        OR (raw.ts IS NOT NULL AND NOT regexp_full_match(raw.ts, getvariable('time_form')))
        -- what a delete says beyond its key is not kept, but must be right
        OR (raw.op = 'delete' AND raw.record IS NOT NULL AND len(json_keys(raw.record)) > 1)
    UNION ALL
    SELECT raw.rowid + 1
    FROM raw
    SEMI JOIN malformed ON malformed.spelling = raw.edge.citing_lom_id
    UNION ALL
    SELECT raw.rowid + 1
    FROM raw
    SEMI JOIN malformed ON malformed.spelling = raw.edge.cited_lom_id
    UNION ALL
    SELECT line.seq
    FROM paper_line AS line
    WHERE line.r.lom_id IN (SELECT malformed.spelling FROM malformed)
        OR (NOT line.gone AND line.r.publication_date IS NOT NULL
            AND (NOT regexp_full_match(line.r.publication_date, '[0-9]{4}(-[0-9]{2}){0,2}')
                OR TRY_CAST(rpad(line.r.publication_date, 10, '-01') AS DATE) IS NULL
                OR line.r.publication_date < '0001'))
    UNION ALL
    SELECT key.seq
    FROM paper_key AS key
    WHERE key.spelling IN (SELECT malformed.spelling FROM malformed)
    UNION ALL
    SELECT line.seq
    FROM claim_line AS line
    WHERE line.r.claim_id = ''
        OR (NOT line.gone AND line.r.about_lom_id IN (SELECT malformed.spelling FROM malformed))
    UNION ALL
    SELECT line.seq
    FROM checked_line AS line
    WHERE line.r.lom_id IN (SELECT malformed.spelling FROM malformed)
        OR (NOT line.gone
            AND (line.r.status IS NULL OR line.r.n_refs < 0 OR line.r.n_refs > 9007199254740992
                OR (line.r.status = 'ok' AND line.r.n_refs IS NULL)
                OR (line.r.checked_ts IS NOT NULL
                    AND (TRY_CAST(upper(line.r.checked_ts) AS TIMESTAMPTZ) IS NULL
                        OR NOT regexp_full_match(line.r.checked_ts, getvariable('time_form'))))))
    UNION ALL
    SELECT line.seq
    FROM error_line AS line
    WHERE line.r.scheme = '' OR line.r.lookup = ''
        OR (NOT line.gone
            AND (line.r.lom_id IN (SELECT malformed.spelling FROM malformed)
                OR abs(line.r.http_status) > 9007199254740992
                OR (line.r.ts IS NOT NULL
                    AND (TRY_CAST(upper(line.r.ts) AS TIMESTAMPTZ) IS NULL
                        OR NOT regexp_full_match(line.r.ts, getvariable('time_form'))))))
    UNION ALL
    SELECT line.seq
    FROM same_line AS line
    WHERE line.r.lom_id IN (SELECT malformed.spelling FROM malformed)
        OR line.r.same_as_lom_id IN (SELECT malformed.spelling FROM malformed)
) AS suspect
ORDER BY suspect.seq;
