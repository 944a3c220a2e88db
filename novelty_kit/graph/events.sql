-- From the raw scan of the log to one table of events per log table, ids as whole numbers.
-- Source: novelty reference, section 1 (log) and 2 (identifiers).
-- Reads: raw (one row a line, rowid + 1 is its seq), variable normal_form.
-- Makes: event, spelled, and after the spellings are numbered, the *_event tables of events_by_table.sql.

CREATE TABLE event AS
SELECT
    raw.rowid + 1 AS seq,
    raw.table_name,
    raw.op = 'delete' AS gone,
    raw.at AS ts
FROM raw
WHERE raw.op IS NOT NULL;

CREATE TEMP TABLE paper_line AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    from_json(raw.record, '{"lom_id": "VARCHAR", "doi": "VARCHAR", "arxiv": "VARCHAR", "openalex": "VARCHAR",
        "s2_paper_id": "VARCHAR", "pmid": "VARCHAR", "title": "VARCHAR", "abstract": "VARCHAR",
        "publication_date": "VARCHAR", "read": "BOOLEAN", "source": "VARCHAR"}') AS r,
    json_keys(raw.record) AS present
FROM raw
WHERE raw.table_name = 'paper';

CREATE TEMP TABLE claim_line AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    from_json(raw.record, '{"claim_id": "VARCHAR", "about_lom_id": "VARCHAR", "statement": "VARCHAR",
        "status": "VARCHAR", "source": "VARCHAR"}') AS r
FROM raw
WHERE raw.table_name = 'claim';

CREATE TEMP TABLE checked_line AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    from_json(raw.record, '{"lom_id": "VARCHAR", "source": "VARCHAR", "checked_ts": "VARCHAR",
        "n_refs": "BIGINT", "status": "VARCHAR", "reason": "VARCHAR"}') AS r
FROM raw
WHERE raw.table_name = 'references_checked';

CREATE TEMP TABLE error_line AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    from_json(raw.record, '{"scheme": "VARCHAR", "lookup": "VARCHAR", "lom_id": "VARCHAR",
        "http_status": "BIGINT", "message": "VARCHAR", "ts": "VARCHAR"}') AS r
FROM raw
WHERE raw.table_name = 'ingest_error';

CREATE TEMP TABLE same_line AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    from_json(raw.record, '{"lom_id": "VARCHAR", "same_as_lom_id": "VARCHAR", "relation": "VARCHAR",
        "source": "VARCHAR"}') AS r
FROM raw
WHERE raw.table_name = 'same_work';

-- A key of a paper is spelled scheme:id; where that is no normal form, scheme and text are kept apart by
-- U+001F, which no id holds.
CREATE TEMP TABLE paper_key AS
SELECT
    line.seq,
    held.column_name,
    CASE
        WHEN regexp_full_match(held.scheme || ':' || held.bare, getvariable('normal_form'))
            THEN held.scheme || ':' || held.bare
        ELSE held.scheme || chr(31) || held.bare
    END AS spelling
FROM paper_line AS line,
    LATERAL (
        VALUES
            ('doi', 'doi', line.r.doi), ('arxiv', 'arxiv', line.r.arxiv), ('openalex', 'openalex', line.r.openalex),
            ('s2_paper_id', 's2', line.r.s2_paper_id), ('pmid', 'pmid', line.r.pmid)
    ) AS held (column_name, scheme, bare)
WHERE held.bare IS NOT NULL AND NOT line.gone;

CREATE TEMP TABLE spelled AS
SELECT DISTINCT every.spelling
FROM (
    SELECT raw.edge.citing_lom_id AS spelling FROM raw WHERE raw.table_name = 'citation_edge'
    UNION ALL
    SELECT raw.edge.cited_lom_id FROM raw WHERE raw.table_name = 'citation_edge'
    UNION ALL
    SELECT line.r.lom_id FROM paper_line AS line
    UNION ALL
    SELECT key.spelling FROM paper_key AS key
    UNION ALL
    SELECT line.r.about_lom_id FROM claim_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.lom_id FROM checked_line AS line
    UNION ALL
    SELECT line.r.lom_id FROM error_line AS line WHERE NOT line.gone
    UNION ALL
    SELECT line.r.lom_id FROM same_line AS line
    UNION ALL
    SELECT line.r.same_as_lom_id FROM same_line AS line
) AS every
WHERE every.spelling IS NOT NULL;
