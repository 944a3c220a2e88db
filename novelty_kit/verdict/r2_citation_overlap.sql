-- Rule 2, citation overlap: the candidate touches what is read or claim-bearing, so it has a neighborhood.
-- Source: novelty reference, section 5, rule 2.
-- Reads: candidate, neighbour, itself, seen, bears_no_more, incomparable; claim_link.

-- table: held
-- columns: the nodes that the candidate's authors used.
SELECT DISTINCT seen.candidate_no, seen.node_no
FROM seen
WHERE seen.node_no IS NOT NULL;

-- table: touched
-- columns: each neighbour with what it is for this candidate: 0 a stub, 1 read, 2 claim-bearing, 3 both.
SELECT
    neighbour.candidate_no,
    neighbour.node_no,
    CASE WHEN lost.node_no IS NULL THEN neighbour.standing ELSE neighbour.standing - 2 END AS standing
FROM neighbour
LEFT JOIN bears_no_more AS lost
    ON lost.candidate_no = neighbour.candidate_no AND lost.node_no = neighbour.node_no;

-- table: two_hop
-- columns: a read neighbour of a claim candidate, and each claim-bearing end that it leads to.
SELECT touched.candidate_no, touched.node_no, link.end_no, held.node_no IS NOT NULL AS end_is_seen
FROM touched
INNER JOIN candidate ON candidate.candidate_no = touched.candidate_no AND candidate.kind = 'claim'
INNER JOIN claim_link AS link ON link.node_no = touched.node_no
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
ANTI JOIN itself ON itself.candidate_no = touched.candidate_no AND itself.node_no = link.end_no
ANTI JOIN bears_no_more AS lost ON lost.candidate_no = touched.candidate_no AND lost.node_no = link.end_no
LEFT JOIN held ON held.candidate_no = touched.candidate_no AND held.node_no = link.end_no
WHERE touched.standing = 1;

-- table: overlap
-- columns: the nodes that count; for a claim, one that bears none counts only through two hops.
SELECT touched.candidate_no, touched.node_no
FROM touched
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
ANTI JOIN candidate AS claim
    ON claim.candidate_no = touched.candidate_no AND claim.kind = 'claim' AND touched.standing = 1
WHERE touched.standing >= 1
UNION ALL
SELECT DISTINCT two_hop.candidate_no, two_hop.node_no
FROM two_hop;

-- table: in_sample
-- columns: of these, what counts through what the candidate's authors used: the node, or every end that it leads to.
SELECT overlap.candidate_no, overlap.node_no
FROM overlap
SEMI JOIN held ON held.candidate_no = overlap.candidate_no AND held.node_no = overlap.node_no
UNION
SELECT two_hop.candidate_no, two_hop.node_no
FROM two_hop
GROUP BY two_hop.candidate_no, two_hop.node_no
HAVING bool_and(two_hop.end_is_seen);

-- table: stub_overlap
-- columns: neighbours that are neither read nor claim-bearing; they count for nothing.
SELECT touched.candidate_no, touched.node_no
FROM touched
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
WHERE touched.standing = 0;
