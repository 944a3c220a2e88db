-- Every id of the log gets a whole number, by its normal form; many spellings may share one.
-- Source: novelty reference, section 2.
-- Reads: spelled, respelled (spelling, lom_id), malformed (spelling), macro mark_of.
-- Makes: identifier (id_no, lom_id), spelling_no (mark, id_no).

CREATE TABLE identifier AS
SELECT (spelled.rowid + 1)::INTEGER AS id_no, spelled.spelling AS lom_id
FROM spelled
ANTI JOIN respelled ON respelled.spelling = spelled.spelling
ANTI JOIN malformed ON malformed.spelling = spelled.spelling
UNION ALL
SELECT ((SELECT count(*) FROM spelled) + row_number() OVER ())::INTEGER, new.lom_id
FROM (
    SELECT DISTINCT respelled.lom_id
    FROM respelled
    ANTI JOIN spelled ON spelled.spelling = respelled.lom_id
) AS new;

CREATE OR REPLACE TEMP TABLE spelling_no AS
SELECT mark_of(identifier.lom_id) AS mark, identifier.id_no FROM identifier
UNION ALL
SELECT mark_of(respelled.spelling), identifier.id_no
FROM respelled
INNER JOIN identifier ON identifier.lom_id = respelled.lom_id;
