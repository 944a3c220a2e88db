-- Rule 1, exact match: a key names an ingested paper, or an ingested claim says the same, so it is a duplicate.
-- Source: novelty reference, section 5, rule 1.
-- Reads: candidate, key_match, same_statement. Left-out papers and claims are found, not counted.

-- table: exact_match
-- columns: candidate_no of each duplicate.
SELECT key_match.candidate_no
FROM key_match
INNER JOIN candidate ON candidate.candidate_no = key_match.candidate_no
WHERE candidate.kind = 'paper' AND NOT candidate.leave_out
UNION
SELECT same_statement.candidate_no
FROM same_statement
WHERE NOT same_statement.is_left_out;
