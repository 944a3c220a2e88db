-- What a person reads: the tables of the log by their names, ids as text, with the seq of each row.
-- Source: novelty reference, section 1. Reads the *_now tables and identifier.

CREATE TEMP VIEW paper AS
SELECT
    own.lom_id,
    coalesce('10.48550/' || replace(CASE WHEN starts_with(doi.lom_id, 'arxiv:') THEN doi.lom_id END, ':', '.'),
        substr(doi.lom_id, 5)) AS doi,
    substr(arxiv.lom_id, 7) AS arxiv,
    substr(openalex.lom_id, 10) AS openalex,
    substr(s2.lom_id, 4) AS s2_paper_id,
    substr(pmid.lom_id, 6) AS pmid,
    paper.title,
    paper.abstract,
    paper.publication_date,
    paper.read,
    paper.source,
    paper.seq
FROM paper_now AS paper
INNER JOIN identifier AS own ON own.id_no = paper.id_no
LEFT JOIN identifier AS doi ON doi.id_no = paper.doi_no
LEFT JOIN identifier AS arxiv ON arxiv.id_no = paper.arxiv_no
LEFT JOIN identifier AS openalex ON openalex.id_no = paper.openalex_no
LEFT JOIN identifier AS s2 ON s2.id_no = paper.s2_no
LEFT JOIN identifier AS pmid ON pmid.id_no = paper.pmid_no;

CREATE TEMP VIEW claim AS
SELECT claim.claim_id, about.lom_id AS about_lom_id, claim.statement, claim.status, claim.source, claim.seq
FROM claim_now AS claim
LEFT JOIN identifier AS about ON about.id_no = claim.about_no;

CREATE TEMP VIEW citation_edge AS
SELECT citing.lom_id AS citing_lom_id, cited.lom_id AS cited_lom_id, event.source, event.context, edge.seq
FROM citation_edge_now AS edge
INNER JOIN citation_edge_event AS event ON event.seq = edge.seq
INNER JOIN identifier AS citing ON citing.id_no = edge.citing_no
INNER JOIN identifier AS cited ON cited.id_no = edge.cited_no;

CREATE TEMP VIEW references_checked AS
SELECT own.lom_id, row.source, row.checked_ts, row.n_refs, row.status, row.reason, row.seq
FROM references_checked_now AS row
INNER JOIN identifier AS own ON own.id_no = row.id_no;

CREATE TEMP VIEW ingest_error AS
SELECT row.scheme, row.lookup, about.lom_id, row.http_status, row.message, row.ts, row.seq
FROM ingest_error_now AS row
LEFT JOIN identifier AS about ON about.id_no = row.id_no;

CREATE TEMP VIEW same_work AS
SELECT own.lom_id, other.lom_id AS same_as_lom_id, row.relation, row.source, row.seq
FROM same_work_now AS row
INNER JOIN identifier AS own ON own.id_no = row.id_no
INNER JOIN identifier AS other ON other.id_no = row.same_no;
