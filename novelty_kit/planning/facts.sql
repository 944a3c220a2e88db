-- What a plan must know of the candidates that no rule could decide: the gaps, and which lookups close them.
-- Source: novelty reference, section 5, rules 0 and 3, section 3 (covered) and section 7 (plan).
-- Reads: what the rules left (decided, subject, itself, own_edge, gate, subject_coverage, gated, unlisted, special,
--   incomparable, unresolved, id_number), node, edge, identifier, owner, owned, references_checked_now,
--   ingest_error_now; wanted (lom_ids, made between the parts).

-- table: candidate_fact
-- columns: candidate_no, its deciding rule, its node, how the subject is covered, from when a node could cite it.
SELECT
    decided.candidate_no,
    decided.rule,
    coalesce(identifier.lom_id, number.lom_id) AS lom_id,
    coverage.kind AS subject_kind,
    coverage.reason AS subject_reason,
    coalesce(gated.nothing_compared, FALSE) AS nothing_compared,
    gate.cites_subject_from,
    gate.cites_via_from,
    incomparable.why
FROM decided
INNER JOIN subject ON subject.candidate_no = decided.candidate_no
INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = decided.candidate_no
INNER JOIN gate ON gate.candidate_no = decided.candidate_no
LEFT JOIN identifier ON identifier.id_no = subject.node_no
LEFT JOIN id_number AS number ON number.id_no = subject.node_no
LEFT JOIN gated ON gated.candidate_no = decided.candidate_no
LEFT JOIN incomparable ON incomparable.candidate_no = decided.candidate_no
ORDER BY decided.candidate_no;

-- table: open_node
-- columns: the uncovered compared nodes, those that could cite the latest subjects first.
SELECT unlisted.lom_id, unlisted.is_bearing, unlisted.reaches
FROM unlisted
WHERE NOT unlisted.covered_in
ORDER BY unlisted.reaches DESC, unlisted.lom_id;

-- table: special_node
-- columns: nodes that a candidate sees otherwise: whether the tally counts them as a gap, and whether they are one.
SELECT special.candidate_no, special.lom_id, special.is_needed AND NOT special.is_covered AS is_gap
FROM special
INNER JOIN decided ON decided.candidate_no = special.candidate_no AND decided.rule = 3
WHERE (special.t_needed AND NOT special.t_covered) <> (special.is_needed AND NOT special.is_covered)
ORDER BY special.candidate_no, special.lom_id;

-- table: own_id
-- columns: the candidate's own nodes, by their ids.
SELECT itself.candidate_no, coalesce(identifier.lom_id, number.lom_id) AS lom_id
FROM itself
INNER JOIN decided ON decided.candidate_no = itself.candidate_no AND decided.rule IN (0, 3)
LEFT JOIN identifier ON identifier.id_no = itself.node_no
LEFT JOIN id_number AS number ON number.id_no = itself.node_no
ORDER BY itself.candidate_no, lom_id;

-- table: subject_citing
-- columns: read papers of unknown lists that are known to cite the candidate: to know one covers the subject.
SELECT own_edge.candidate_no, node.lom_id
FROM own_edge
INNER JOIN decided ON decided.candidate_no = own_edge.candidate_no AND decided.rule IN (0, 3)
INNER JOIN node ON node.node_no = own_edge.node_no
WHERE own_edge.is_cited AND node.is_read AND NOT node.covered_out
ORDER BY own_edge.candidate_no, node.lom_id;

-- table: citing
-- columns: of the wanted nodes, read papers of unknown lists that are known to cite them.
SELECT cited.lom_id AS cited_lom_id, node.lom_id AS citing_lom_id
FROM wanted
INNER JOIN identifier AS cited ON cited.lom_id = wanted.lom_id
INNER JOIN edge ON edge.cited_no = cited.id_no
INNER JOIN node ON node.node_no = edge.citing_no
WHERE node.is_read AND NOT node.covered_out
ORDER BY cited.lom_id, node.lom_id;

-- table: spoken_id
-- columns: of the wanted nodes, the ids at which a coverage row speaks for them.
SELECT named.lom_id, identifier.lom_id AS id
FROM wanted
INNER JOIN identifier AS named ON named.lom_id = wanted.lom_id
INNER JOIN owned ON owned.speaks_for_no = named.id_no
INNER JOIN identifier ON identifier.id_no = owned.id_no
ORDER BY named.lom_id, identifier.lom_id;

-- table: tried
-- columns: the ids of which a service did not give the list, or gave an empty one that an edge denies; and the
--   answer's status where it was an error.
SELECT row.source AS source, identifier.lom_id AS lom_id, CAST(NULL AS INTEGER) AS http_status
FROM references_checked_now AS row
INNER JOIN identifier ON identifier.id_no = row.id_no
WHERE row.source IS NOT NULL AND (row.status = 'failed' OR row.n_refs = 0)
UNION
SELECT error.scheme, error.lookup_key, error.http_status
FROM ingest_error_now AS error
WHERE error.lookup_key IS NOT NULL
