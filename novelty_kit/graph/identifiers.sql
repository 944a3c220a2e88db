-- Every id of the log gets a whole number, by its normal form; many spellings may share one.
-- Source: novelty reference, section 2.
-- Reads: spelled, respelled (spelling, lom_id), malformed (spelling).
-- Makes: identifier (id_no, lom_id), spelling_no (spelling, id_no).

CREATE TABLE identifier AS
SELECT row_number() OVER ()::INTEGER AS id_no, normal.lom_id
FROM (
    SELECT spelled.spelling AS lom_id
    FROM spelled
    ANTI JOIN respelled ON respelled.spelling = spelled.spelling
    ANTI JOIN malformed ON malformed.spelling = spelled.spelling
    UNION
    SELECT respelled.lom_id FROM respelled
) AS normal;

CREATE TEMP TABLE spelling_no AS
SELECT identifier.lom_id AS spelling, identifier.id_no FROM identifier
UNION
SELECT respelled.spelling, identifier.id_no
FROM respelled
INNER JOIN identifier ON identifier.lom_id = respelled.lom_id;
