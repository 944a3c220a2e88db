-- Rule 2, citation overlap: the candidate touches what is read or claim-bearing, so it has a neighborhood.
-- Source: novelty reference, section 5, rule 2.
-- Reads: candidate, neighbour, itself, seen, bears_no_more, incomparable; node, claim_link.

-- table: held
-- columns: the nodes that the candidate's authors used.
SELECT DISTINCT seen.candidate_no, seen.node_no
FROM seen
WHERE seen.node_no IS NOT NULL;

-- table: touched
-- columns: each neighbour with what it is for this candidate.
SELECT
    neighbour.candidate_no,
    neighbour.node_no,
    candidate.kind = 'claim' AS is_claim,
    coalesce(node.is_read, FALSE) AS is_read,
    coalesce(node.n_claims, 0) > 0 AND lost.node_no IS NULL AS is_bearing,
    held.node_no IS NOT NULL AS is_seen
FROM neighbour
INNER JOIN candidate ON candidate.candidate_no = neighbour.candidate_no
LEFT JOIN node ON node.node_no = neighbour.node_no
LEFT JOIN bears_no_more AS lost
    ON lost.candidate_no = neighbour.candidate_no AND lost.node_no = neighbour.node_no
LEFT JOIN held ON held.candidate_no = neighbour.candidate_no AND held.node_no = neighbour.node_no;

-- table: two_hop
-- columns: a read neighbour of a claim candidate, and each claim-bearing end that it leads to.
SELECT touched.candidate_no, touched.node_no, link.end_no, held.node_no IS NOT NULL AS end_is_seen
FROM touched
INNER JOIN claim_link AS link ON link.node_no = touched.node_no
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
ANTI JOIN itself ON itself.candidate_no = touched.candidate_no AND itself.node_no = link.end_no
ANTI JOIN bears_no_more AS lost ON lost.candidate_no = touched.candidate_no AND lost.node_no = link.end_no
LEFT JOIN held ON held.candidate_no = touched.candidate_no AND held.node_no = link.end_no
WHERE touched.is_claim AND touched.is_read AND NOT touched.is_bearing;

-- table: overlap
-- columns: the nodes that count, and whether through what the candidate's authors used (in-sample).
SELECT touched.candidate_no, touched.node_no, touched.is_seen AS in_sample
FROM touched
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
WHERE touched.is_bearing OR (NOT touched.is_claim AND touched.is_read)
UNION ALL
SELECT touched.candidate_no, touched.node_no, touched.is_seen OR bool_and(two_hop.end_is_seen)
FROM touched
INNER JOIN two_hop ON two_hop.candidate_no = touched.candidate_no AND two_hop.node_no = touched.node_no
GROUP BY touched.candidate_no, touched.node_no, touched.is_seen;

-- table: stub_overlap
-- columns: neighbours that are neither read nor claim-bearing; they count for nothing.
SELECT touched.candidate_no, touched.node_no
FROM touched
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
WHERE NOT touched.is_read AND NOT touched.is_bearing;
