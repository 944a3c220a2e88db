-- For each candidate, what ever comes near it along the log, and the events at which anything about it can change.
-- Source: novelty reference, sections 2 (one node, many ids), 3 (neighbours) and 7 (history).
-- Reads: asked, asked_key, asked_reference, asked_seen, asked_number, policy (the candidates as they were given);
--        the spans; variable as_of. Between two of its moments nothing that rules 0 to 2 ask about a candidate
--        changes, nor anything that rule 3 asks about its own nodes; a test compares with every prefix.

-- table: named_id
-- columns: every id that the candidate names.
SELECT named.candidate_no, number.id_no
FROM (
    SELECT key.candidate_no, key.lom_id FROM asked_key AS key
    UNION
    SELECT cited.candidate_no, cited.lom_id FROM asked_reference AS cited
    UNION
    SELECT seen.candidate_no, seen.lom_id FROM asked_seen AS seen
    UNION
    SELECT asked.candidate_no, asked.about_lom_id FROM asked
) AS named
INNER JOIN asked_number AS number ON number.lom_id = named.lom_id;

-- table: asked_own
-- columns: the ids that are the candidate's own.
SELECT key.candidate_no, number.id_no
FROM asked_key AS key
INNER JOIN asked_number AS number ON number.lom_id = key.lom_id
UNION
SELECT asked.candidate_no, number.id_no
FROM asked
INNER JOIN asked_number AS number ON number.lom_id = asked.about_lom_id;

-- table: own_ever
-- columns: the nodes that are ever the candidate's own.
SELECT asked_own.candidate_no, asked_own.id_no AS node_no FROM asked_own
UNION
SELECT asked_own.candidate_no, place.node_no
FROM asked_own
INNER JOIN place_span AS place ON place.id_no = asked_own.id_no;

-- table: reference_place
-- columns: the nodes that the candidate's own list ever names, and while it does.
SELECT reference.candidate_no, number.id_no, place.node_no, place.from_seq, place.to_seq
FROM asked_reference AS reference
INNER JOIN asked_number AS number ON number.lom_id = reference.lom_id
INNER JOIN place_span AS place ON place.id_no = number.id_no;

-- table: edge_ever
-- columns: the log's edges that ever touch a node of the candidate.
SELECT own.candidate_no, own.node_no AS own_no, edge.cited_no AS node_no, TRUE AS cites, edge.from_seq, edge.to_seq
FROM own_ever AS own
INNER JOIN edge_span AS edge ON edge.citing_no = own.node_no
UNION ALL
SELECT own.candidate_no, own.node_no, edge.citing_no, FALSE, edge.from_seq, edge.to_seq
FROM own_ever AS own
INNER JOIN edge_span AS edge ON edge.cited_no = own.node_no;

-- table: near_ever
-- columns: the nodes that are ever a neighbour; is_wide where more than their flags matters.
SELECT near.candidate_no, near.node_no, bool_or(near.is_wide) AS is_wide
FROM (
    SELECT edge.candidate_no, edge.node_no, NOT edge.cites AS is_wide FROM edge_ever AS edge
    UNION ALL
    SELECT place.candidate_no, place.node_no, FALSE FROM reference_place AS place
    UNION ALL
    SELECT edge.candidate_no, edge.node_no, TRUE
    FROM edge_ever AS edge
    INNER JOIN asked ON asked.candidate_no = edge.candidate_no
    CROSS JOIN policy
    WHERE asked.kind = 'claim' OR policy.near_only
    UNION ALL
    SELECT place.candidate_no, place.node_no, TRUE
    FROM reference_place AS place
    INNER JOIN asked ON asked.candidate_no = place.candidate_no
    CROSS JOIN policy
    WHERE asked.kind = 'claim' OR policy.near_only
) AS near
GROUP BY near.candidate_no, near.node_no;

-- table: claim_ever
-- columns: the claims that a claim candidate ever equals, or that are ever about one of its nodes.
SELECT asked.candidate_no, claim.seq, claim.claim_id, TRUE AS is_equal, claim.from_seq, claim.to_seq
FROM asked
INNER JOIN claim_span AS claim ON claim.statement_key = asked.statement_key
WHERE asked.kind = 'claim' AND asked.statement_key <> ''
UNION ALL
SELECT own.candidate_no, claim.seq, claim.claim_id, FALSE, claim.from_seq, claim.to_seq
FROM own_ever AS own
INNER JOIN asked ON asked.candidate_no = own.candidate_no
INNER JOIN claim_about_span AS claim ON claim.node_no = own.node_no
WHERE asked.kind = 'claim' AND asked.leave_out;

-- table: gate_ever
-- columns: the nodes whose coverage a candidate may see otherwise than everybody does.
SELECT own.candidate_no, own.node_no FROM own_ever AS own
UNION
SELECT near.candidate_no, near.node_no FROM near_ever AS near WHERE near.is_wide
UNION
SELECT claim.candidate_no, about.node_no
FROM claim_ever AS claim
INNER JOIN claim_about_span AS about ON about.seq = claim.seq
WHERE NOT claim.is_equal
UNION
SELECT own.candidate_no, cover.node_no
FROM own_ever AS own
INNER JOIN cover_span AS cover ON cover.only_citing_no = own.node_no;

-- table: link_ever
-- columns: for a claim candidate, a read neighbour and a claim-bearing end that it ever leads to.
SELECT
    way.candidate_no, way.node_no, way.end_no,
    greatest(way.from_seq, via.from_seq, bearing.from_seq) AS from_seq,
    least(way.to_seq, via.to_seq, bearing.to_seq) AS to_seq
FROM (
    SELECT near.candidate_no, near.node_no, edge.cited_no AS end_no, edge.from_seq, edge.to_seq
    FROM near_ever AS near
    INNER JOIN asked ON asked.candidate_no = near.candidate_no AND asked.kind = 'claim'
    INNER JOIN edge_span AS edge ON edge.citing_no = near.node_no
    UNION ALL
    SELECT near.candidate_no, near.node_no, edge.citing_no, edge.from_seq, edge.to_seq
    FROM near_ever AS near
    INNER JOIN asked ON asked.candidate_no = near.candidate_no AND asked.kind = 'claim'
    INNER JOIN edge_span AS edge ON edge.cited_no = near.node_no
) AS way
INNER JOIN flag_span AS via ON via.node_no = way.node_no AND via.is_read
INNER JOIN flag_span AS bearing ON bearing.node_no = way.end_no AND bearing.is_bearing
WHERE greatest(way.from_seq, via.from_seq, bearing.from_seq) < least(way.to_seq, via.to_seq, bearing.to_seq);

-- table: seen_ever
-- columns: the nodes that a held-out id ever speaks for.
SELECT seen.candidate_no, number.id_no AS node_no
FROM asked_seen AS seen
INNER JOIN asked_number AS number ON number.lom_id = seen.lom_id
UNION
SELECT seen.candidate_no, place.node_no
FROM asked_seen AS seen
INNER JOIN asked_number AS number ON number.lom_id = seen.lom_id
INNER JOIN place_span AS place ON place.id_no = number.id_no;

-- table: firm_point
-- columns: the events at which rules 0 and 1 may say something else.
SELECT asked_own.candidate_no, owner.from_seq, owner.to_seq
FROM asked_own
INNER JOIN owner_span AS owner ON owner.id_no = asked_own.id_no
UNION
SELECT claim.candidate_no, claim.from_seq, claim.to_seq FROM claim_ever AS claim;

-- table: loose_point
-- columns: the events at which only rules 2 and 3 may.
SELECT place.candidate_no, place.from_seq, place.to_seq FROM reference_place AS place
UNION
SELECT seen.candidate_no, owned.from_seq, owned.to_seq
FROM asked_seen AS seen
INNER JOIN asked_number AS number ON number.lom_id = seen.lom_id
INNER JOIN owned_span AS owned ON owned.id_no = number.id_no
UNION
SELECT edge.candidate_no, edge.from_seq, edge.to_seq FROM edge_ever AS edge
UNION
SELECT near.candidate_no, flag.from_seq, flag.to_seq
FROM near_ever AS near
INNER JOIN flag_span AS flag ON flag.node_no = near.node_no
UNION
SELECT near.candidate_no, node.from_seq, node.to_seq
FROM gate_ever AS near
INNER JOIN node_span AS node ON node.node_no = near.node_no
UNION
SELECT near.candidate_no, cover.from_seq, cover.to_seq
FROM gate_ever AS near
INNER JOIN cover_span AS cover ON cover.node_no = near.node_no
UNION
SELECT own.candidate_no, row.from_seq, row.to_seq
FROM own_ever AS own
INNER JOIN checked_span AS row ON row.node_no = own.node_no
UNION
SELECT link.candidate_no, link.from_seq, link.to_seq FROM link_ever AS link;
