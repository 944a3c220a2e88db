-- The events of each log table, ids as numbers of `identifier`, with every row's seq.
-- Source: novelty reference, section 1.
-- Reads: raw and the *_line tables of `reading`, spelling_no (mark, id_no), statement_key (statement, key),
--        lookup_key (scheme, lookup, service, key), odd_title (title, letters), macro mark_of, variables plain_title
--        and plain_statement.
-- title_hash is that of the letters a to z of titles.title_key: equal titles have it equal.
-- Makes: event (one row a line), paper_event, claim_event, citation_edge_event, references_checked_event, ingest_error_event,
--        same_work_event. A row that deletes holds its key only.

CREATE TABLE event AS
SELECT raw.rowid + 1 AS seq, raw.table_name, raw.gone, raw.ts
FROM raw
WHERE raw.gone IS NOT NULL;

CREATE TABLE citation_edge_event AS
SELECT
    raw.rowid + 1 AS seq,
    raw.gone,
    citing.id_no AS citing_no,
    cited.id_no AS cited_no,
    raw.source,
    raw.context
FROM raw
INNER JOIN spelling_no AS citing ON citing.mark = mark_of(raw.citing_lom_id)
INNER JOIN spelling_no AS cited ON cited.mark = mark_of(raw.cited_lom_id)
WHERE raw.table_name = 'citation_edge';

CREATE TABLE paper_event AS
SELECT
    line.seq,
    line.gone,
    own.id_no,
    doi.id_no AS doi_no,
    arxiv.id_no AS arxiv_no,
    openalex.id_no AS openalex_no,
    s2.id_no AS s2_no,
    pmid.id_no AS pmid_no,
    line.r.title AS title,
    hash(CASE
        WHEN regexp_full_match(line.r.title, getvariable('plain_title'))
            THEN regexp_replace(lower(line.r.title), '[^a-z]+', '', 'g')
        ELSE odd_title.letters
    END) AS title_hash,
    line.r.abstract AS abstract,
    line.r.publication_date AS publication_date,
    line.r.read AS read,
    line.r.source AS source,
    coalesce(list_contains(line.keys, 'doi'), line.r.doi IS NOT NULL) AS has_doi,
    coalesce(list_contains(line.keys, 'arxiv'), line.r.arxiv IS NOT NULL) AS has_arxiv,
    coalesce(list_contains(line.keys, 'openalex'), line.r.openalex IS NOT NULL) AS has_openalex,
    coalesce(list_contains(line.keys, 's2_paper_id'), line.r.s2_paper_id IS NOT NULL) AS has_s2,
    coalesce(list_contains(line.keys, 'pmid'), line.r.pmid IS NOT NULL) AS has_pmid,
    coalesce(list_contains(line.keys, 'title'), line.r.title IS NOT NULL) AS has_title,
    coalesce(list_contains(line.keys, 'abstract'), line.r.abstract IS NOT NULL) AS has_abstract,
    coalesce(list_contains(line.keys, 'publication_date'), line.r.publication_date IS NOT NULL) AS has_publication_date,
    coalesce(list_contains(line.keys, 'read'), line.r.read IS NOT NULL) AS has_read,
    coalesce(list_contains(line.keys, 'source'), line.r.source IS NOT NULL) AS has_source
FROM paper_line AS line
INNER JOIN spelling_no AS own ON own.mark = mark_of(line.r.lom_id)
LEFT JOIN odd_title ON odd_title.title = line.r.title
LEFT JOIN spelling_no AS doi ON doi.mark = mark_of(line.r.doi) AND NOT line.gone
LEFT JOIN spelling_no AS arxiv ON arxiv.mark = mark_of(line.r.arxiv) AND NOT line.gone
LEFT JOIN spelling_no AS openalex ON openalex.mark = mark_of(line.r.openalex) AND NOT line.gone
LEFT JOIN spelling_no AS s2 ON s2.mark = mark_of(line.r.s2_paper_id) AND NOT line.gone
LEFT JOIN spelling_no AS pmid ON pmid.mark = mark_of(line.r.pmid) AND NOT line.gone;

CREATE TABLE claim_event AS
SELECT
    line.seq,
    line.gone,
    line.r.claim_id AS claim_id,
    about.id_no AS about_no,
    line.r.statement AS statement,
    CASE
        WHEN line.gone THEN NULL
        WHEN regexp_full_match(line.r.statement, getvariable('plain_statement')) THEN lower(line.r.statement)
        ELSE statement_key.key
    END AS statement_key,
    line.r.status AS status,
    line.r.source AS source
FROM claim_line AS line
LEFT JOIN spelling_no AS about ON about.mark = mark_of(line.r.about_lom_id) AND NOT line.gone
LEFT JOIN statement_key ON statement_key.statement = line.r.statement;

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
FROM references_checked_line AS line
INNER JOIN spelling_no AS own ON own.mark = mark_of(line.r.lom_id);

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
FROM ingest_error_line AS line
INNER JOIN lookup_key ON lookup_key.scheme = line.r.scheme AND lookup_key.lookup = line.r.lookup
LEFT JOIN spelling_no AS about ON about.mark = mark_of(line.r.lom_id) AND NOT line.gone;

CREATE TABLE same_work_event AS
SELECT
    line.seq,
    line.gone,
    own.id_no,
    other.id_no AS same_no,
    line.r.relation AS relation,
    line.r.source AS source
FROM same_work_line AS line
INNER JOIN spelling_no AS own ON own.mark = mark_of(line.r.lom_id)
INNER JOIN spelling_no AS other ON other.mark = mark_of(line.r.same_as_lom_id);
