-- The claims that a claim candidate stands for, and those with its words.
-- Source: novelty reference, section 4 (leave_out) and 5, rule 1 (equal statements).
-- Reads: candidate, itself; claim_about, claim_now, node.

-- table: left_out
-- columns: the claims that a claim candidate under leave_out stands for.
SELECT DISTINCT candidate.candidate_no, claim.seq
FROM candidate
INNER JOIN itself ON itself.candidate_no = candidate.candidate_no
INNER JOIN claim_about ON claim_about.node_no = itself.node_no
INNER JOIN claim_now AS claim ON claim.seq = claim_about.seq
WHERE candidate.kind = 'claim'
    AND candidate.leave_out
    AND CASE
        WHEN candidate.claim_id IS NOT NULL THEN claim.claim_id = candidate.claim_id
        ELSE claim.statement_key = candidate.statement_key
    END;

-- table: bears_no_more
-- columns: nodes whose only claims are left out: they bear none for this candidate.
SELECT left_out.candidate_no, claim_about.node_no
FROM left_out
INNER JOIN claim_about ON claim_about.seq = left_out.seq
INNER JOIN node ON node.node_no = claim_about.node_no
GROUP BY left_out.candidate_no, claim_about.node_no
HAVING count(*) = max(node.n_claims);

-- table: same_statement
-- columns: each claim with an equal statement, and whether it is the one left out.
SELECT candidate.candidate_no, claim.seq, claim.claim_id, left_out.seq IS NOT NULL AS is_left_out
FROM candidate
INNER JOIN claim_now AS claim ON claim.statement_key = candidate.statement_key
LEFT JOIN left_out ON left_out.candidate_no = candidate.candidate_no AND left_out.seq = claim.seq
WHERE candidate.kind = 'claim' AND candidate.statement_key <> '';
