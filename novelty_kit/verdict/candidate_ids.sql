-- What the ids that a candidate names are in the log: a paper, a node, several, or nothing known.
-- Source: novelty reference, section 2 (one node, many ids) and 4 (candidate).
-- Reads: candidate, candidate_key, candidate_reference, candidate_seen; id_node, owner, owned.

-- table: named
-- columns: every id that a candidate names as a key, as what it is about, or as seen, with its number in the log (NULL:
--   the log does not know it).
SELECT said.candidate_no, said.used_as, said.key_order, said.lom_id, known.id_no
FROM (
    SELECT key.candidate_no, 'key' AS used_as, key.key_order, key.lom_id FROM candidate_key AS key
    UNION ALL
    SELECT candidate.candidate_no, 'about', NULL, candidate.about_lom_id
    FROM candidate
    WHERE candidate.about_lom_id IS NOT NULL
    UNION ALL
    SELECT seen.candidate_no, 'seen', NULL, seen.lom_id FROM candidate_seen AS seen
) AS said
LEFT JOIN id_node AS known ON known.lom_id = said.lom_id;

-- table: reference
-- columns: each id of the candidate's own list and what it is in the log, as id_node has it. The text only of what the
--   log does not know: this table is the large one, and every column costs.
SELECT
    listed.candidate_no,
    known.id_no,
    known.node_no,
    known.standing,
    CASE WHEN known.id_no IS NULL THEN listed.lom_id END AS lom_id
FROM candidate_reference AS listed
LEFT JOIN id_node AS known ON known.lom_id = listed.lom_id;

-- table: id_number
-- columns: the ids that the log does not know, each with a negative number.
SELECT CAST(-row_number() OVER () AS INTEGER) AS id_no, unknown.lom_id
FROM (
    SELECT reference.lom_id FROM reference WHERE reference.lom_id IS NOT NULL
    UNION
    SELECT named.lom_id FROM named WHERE named.id_no IS NULL
) AS unknown;

-- table: own_id
-- columns: the candidate's keys, and what it is about, as numbers.
SELECT named.candidate_no, named.used_as, named.key_order, named.lom_id, coalesce(named.id_no, number.id_no) AS id_no
FROM named
LEFT JOIN id_number AS number ON number.lom_id = named.lom_id
WHERE named.used_as = 'key' OR named.used_as = 'about';

-- table: key_match
-- columns: each paper that a key of the candidate names; means_no is the one that this key means.
SELECT key.candidate_no, key.key_order, key.lom_id, key.id_no, owner.node_no, owned.means_no
FROM own_id AS key
INNER JOIN owner ON owner.id_no = key.id_no
INNER JOIN owned ON owned.id_no = key.id_no
WHERE key.used_as = 'key';
