-- The ids that the candidates name, as numbers.
-- Source: novelty reference, section 4 (candidate).
-- Reads: asked, asked_key, asked_reference, asked_seen (the candidates as they were given); identifier.

-- table: asked_number
-- columns: every id that a candidate names; ids the log does not know get negative numbers.
SELECT named.lom_id, coalesce(identifier.id_no, -row_number() OVER (ORDER BY named.lom_id)) AS id_no
FROM (
    SELECT key.lom_id FROM asked_key AS key
    UNION
    SELECT cited.lom_id FROM asked_reference AS cited
    UNION
    SELECT seen.lom_id FROM asked_seen AS seen
    UNION
    SELECT asked.about_lom_id FROM asked WHERE asked.about_lom_id IS NOT NULL
) AS named
LEFT JOIN identifier ON identifier.lom_id = named.lom_id;
