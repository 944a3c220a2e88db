-- The events of each log table, ids as numbers of `identifier`, with every row's seq.
-- Source: novelty reference, section 1.
-- Reads: raw, the *_line tables of events.sql, spelling_no (spelling, id_no), statement_key (statement, key),
--        lookup_key (scheme, lookup, service, key), odd_title (title, letters), variable plain_title.
-- title_hash is that of the letters a to z of titles.title_key: equal titles have it equal.
-- Makes: paper_event, claim_event, citation_edge_event, references_checked_event, ingest_error_event,
--        same_work_event. A row that deletes holds its key only.

CREATE TABLE citation_edge_event AS
SELECT
    raw.rowid + 1 AS seq,
    raw.op = 'delete' AS gone,
    citing.id_no AS citing_no,
    cited.id_no AS cited_no,
    raw.edge.source AS source,
    raw.edge.context AS context
FROM raw
INNER JOIN spelling_no AS citing ON citing.spelling = raw.edge.citing_lom_id
INNER JOIN spelling_no AS cited ON cited.spelling = raw.edge.cited_lom_id
WHERE raw.table_name = 'citation_edge';

CREATE TABLE paper_event AS
SELECT
    line.seq,
    line.gone,
    own.id_no,
    held.doi_no,
    held.arxiv_no,
    held.openalex_no,
    held.s2_no,
    held.pmid_no,
    line.r.title AS title,
    hash(CASE
        WHEN regexp_full_match(line.r.title, getvariable('plain_title'))
            THEN regexp_replace(lower(line.r.title), '[^a-z]', '', 'g')
        ELSE odd_title.letters
    END) AS title_hash,
    line.r.abstract AS abstract,
    line.r.publication_date AS publication_date,
    line.r.read AS read,
    line.r.source AS source,
    list_contains(line.present, 'doi') AS has_doi,
    list_contains(line.present, 'arxiv') AS has_arxiv,
    list_contains(line.present, 'openalex') AS has_openalex,
    list_contains(line.present, 's2_paper_id') AS has_s2,
    list_contains(line.present, 'pmid') AS has_pmid,
    list_contains(line.present, 'title') AS has_title,
    list_contains(line.present, 'abstract') AS has_abstract,
    list_contains(line.present, 'publication_date') AS has_publication_date,
    list_contains(line.present, 'read') AS has_read,
    list_contains(line.present, 'source') AS has_source
FROM paper_line AS line
INNER JOIN spelling_no AS own ON own.spelling = line.r.lom_id
LEFT JOIN odd_title ON odd_title.title = line.r.title
LEFT JOIN (
    SELECT
        key.seq,
        max(key_no.id_no) FILTER (key.column_name = 'doi') AS doi_no,
        max(key_no.id_no) FILTER (key.column_name = 'arxiv') AS arxiv_no,
        max(key_no.id_no) FILTER (key.column_name = 'openalex') AS openalex_no,
        max(key_no.id_no) FILTER (key.column_name = 's2_paper_id') AS s2_no,
        max(key_no.id_no) FILTER (key.column_name = 'pmid') AS pmid_no
    FROM paper_key AS key
    INNER JOIN spelling_no AS key_no ON key_no.spelling = key.spelling
    GROUP BY key.seq
) AS held ON held.seq = line.seq;

CREATE TABLE claim_event AS
SELECT
    line.seq,
    line.gone,
    line.r.claim_id AS claim_id,
    about.id_no AS about_no,
    line.r.statement AS statement,
    statement_key.key AS statement_key,
    line.r.status AS status,
    line.r.source AS source
FROM claim_line AS line
LEFT JOIN spelling_no AS about ON about.spelling = line.r.about_lom_id AND NOT line.gone
LEFT JOIN statement_key ON statement_key.statement = line.r.statement AND NOT line.gone;

CREATE TABLE references_checked_event AS
SELECT
    line.seq,
    line.gone,
    own.id_no,
    line.r.source AS source,
    line.r.checked_ts AS checked_ts,
    line.r.n_refs AS n_refs,
    line.r.status AS status,
    line.r.reason AS reason
FROM checked_line AS line
INNER JOIN spelling_no AS own ON own.spelling = line.r.lom_id;

CREATE TABLE ingest_error_event AS
SELECT
    line.seq,
    line.gone,
    lookup_key.service AS scheme,
    line.r.lookup AS lookup,
    lookup_key.key AS lookup_key,
    about.id_no AS id_no,
    line.r.http_status AS http_status,
    line.r.message AS message,
    line.r.ts AS ts
FROM error_line AS line
INNER JOIN lookup_key ON lookup_key.scheme = line.r.scheme AND lookup_key.lookup = line.r.lookup
LEFT JOIN spelling_no AS about ON about.spelling = line.r.lom_id AND NOT line.gone;

CREATE TABLE same_work_event AS
SELECT
    line.seq,
    line.gone,
    own.id_no,
    other.id_no AS same_no,
    line.r.relation AS relation,
    line.r.source AS source
FROM same_line AS line
INNER JOIN spelling_no AS own ON own.spelling = line.r.lom_id
INNER JOIN spelling_no AS other ON other.spelling = line.r.same_as_lom_id;
