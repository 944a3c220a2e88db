-- Rule 2, citation overlap: the candidate touches what is read or claim-bearing, so it has a neighborhood.
-- Source: novelty reference, section 5, rule 2.
-- Reads: policy (one row), candidate, reference, id_number, further, itself, seen, bears_no_more, incomparable,
--        unresolved, exact_match; claim_link.

-- table: touched
-- columns: every other end of an edge at the candidate, and what its own list cites, each once, with what it is for this
--   candidate: 0 a stub, 1 read, 2 claim-bearing, 3 both.
SELECT
    near.candidate_no,
    near.node_no,
    CASE WHEN lost.node_no IS NULL THEN near.standing ELSE near.standing - 2 END AS standing
FROM (
    SELECT listed.candidate_no, listed.node_no, listed.standing
    FROM (
        SELECT reference.candidate_no, reference.node_no, reference.standing
        FROM reference
        WHERE reference.id_no = reference.node_no
        UNION ALL
        SELECT reference.candidate_no, number.id_no, 0
        FROM reference
        INNER JOIN id_number AS number ON number.lom_id = reference.lom_id
    ) AS listed
    ANTI JOIN itself ON itself.candidate_no = listed.candidate_no AND itself.node_no = listed.node_no
    UNION ALL
    SELECT further.candidate_no, further.node_no, further.standing FROM further
) AS near
LEFT JOIN bears_no_more AS lost ON lost.candidate_no = near.candidate_no AND lost.node_no = near.node_no;

-- table: two_hop
-- columns: a read neighbour of a claim candidate, and each claim-bearing end that it leads to.
SELECT touched.candidate_no, touched.node_no, link.end_no, held.node_no IS NOT NULL AS end_is_seen
FROM touched
INNER JOIN candidate ON candidate.candidate_no = touched.candidate_no AND candidate.kind = 'claim'
INNER JOIN claim_link AS link ON link.node_no = touched.node_no
ANTI JOIN incomparable ON incomparable.candidate_no = touched.candidate_no
ANTI JOIN itself ON itself.candidate_no = touched.candidate_no AND itself.node_no = link.end_no
ANTI JOIN bears_no_more AS lost ON lost.candidate_no = touched.candidate_no AND lost.node_no = link.end_no
LEFT JOIN (SELECT DISTINCT seen.candidate_no, seen.node_no FROM seen) AS held
    ON held.candidate_no = touched.candidate_no AND held.node_no = link.end_no
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
SEMI JOIN seen ON seen.candidate_no = overlap.candidate_no AND seen.node_no = overlap.node_no
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

-- table: so_far
-- columns: what rules 0 to 2 say of each candidate: whether it is incomparable, must be looked up, is matched; how many
--   nodes count in each slice, and how many are stubs; and whether rule 3 is asked: where all that is left open, if only
--   for one slice, or where the result tells the coverage all the same.
SELECT
    told.candidate_no, told.kind, told.holdout_given, told.is_incomparable, told.is_unresolved, told.is_match, told.n_in,
    told.n_out, told.n_stub,
    policy.tells_coverage OR (
        NOT told.is_incomparable AND NOT told.is_unresolved AND NOT told.is_match
        AND (told.n_in = 0 OR (told.holdout_given AND told.n_out = 0))
    ) AS is_open
FROM (
    SELECT
        candidate.candidate_no,
        candidate.kind,
        candidate.holdout_given,
        incomparable.candidate_no IS NOT NULL AS is_incomparable,
        unresolved.candidate_no IS NOT NULL AS is_unresolved,
        exact_match.candidate_no IS NOT NULL AS is_match,
        CASE WHEN candidate.holdout_given THEN coalesce(used.n, 0) ELSE coalesce(every.n, 0) END AS n_in,
        CASE WHEN candidate.holdout_given THEN coalesce(every.n, 0) - coalesce(used.n, 0) ELSE 0 END AS n_out,
        coalesce(stub.n, 0) AS n_stub
    FROM candidate
    LEFT JOIN incomparable ON incomparable.candidate_no = candidate.candidate_no
    LEFT JOIN unresolved ON unresolved.candidate_no = candidate.candidate_no
    LEFT JOIN exact_match ON exact_match.candidate_no = candidate.candidate_no
    LEFT JOIN (
        SELECT overlap.candidate_no, count(*) AS n FROM overlap GROUP BY overlap.candidate_no
    ) AS every ON every.candidate_no = candidate.candidate_no
    LEFT JOIN (
        SELECT in_sample.candidate_no, count(*) AS n FROM in_sample GROUP BY in_sample.candidate_no
    ) AS used ON used.candidate_no = candidate.candidate_no
    LEFT JOIN (
        SELECT stub_overlap.candidate_no, count(*) AS n FROM stub_overlap GROUP BY stub_overlap.candidate_no
    ) AS stub ON stub.candidate_no = candidate.candidate_no
) AS told
CROSS JOIN policy;
