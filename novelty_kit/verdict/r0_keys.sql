-- Rule 0, keys: what has nothing to be compared by is incomparable; what is known by an S2 or OpenAlex id
-- alone, and matches nothing, must be looked up first.
-- Source: novelty reference, section 5, rule 0.
-- Reads: candidate, candidate_key, subject, key_match, left_out, same_statement.

-- table: incomparable
-- columns: candidate_no, why.
SELECT
    candidate.candidate_no,
    CASE
        WHEN candidate.kind = 'paper' AND subject.n_keys = 0 THEN 'no_key'
        WHEN candidate.kind = 'paper' THEN 'left_out_matches_several'
        WHEN coalesce(candidate.statement_key, '') = '' THEN 'no_statement'
        WHEN NOT subject.has_about AND subject.n_keys = 0 THEN 'about_no_paper'
        WHEN NOT subject.has_about AND subject.n_matched > 1 THEN 'about_several_papers'
        WHEN stray.candidate_no IS NOT NULL THEN 'key_of_another_paper'
        ELSE 'claim_id_not_about_subject'
    END AS why
FROM candidate
INNER JOIN subject ON subject.candidate_no = candidate.candidate_no
LEFT JOIN (
    SELECT DISTINCT key_match.candidate_no
    FROM key_match
    INNER JOIN subject AS own ON own.candidate_no = key_match.candidate_no
    WHERE key_match.node_no <> own.node_no
) AS stray ON stray.candidate_no = candidate.candidate_no
LEFT JOIN (
    SELECT DISTINCT left_out.candidate_no FROM left_out
) AS named ON named.candidate_no = candidate.candidate_no
WHERE CASE
    WHEN candidate.kind = 'paper' THEN subject.n_keys = 0 OR (candidate.leave_out AND subject.n_matched > 1)
    ELSE coalesce(candidate.statement_key, '') = ''
        OR (NOT subject.has_about AND (subject.n_keys = 0 OR subject.n_matched > 1))
        OR stray.candidate_no IS NOT NULL
        OR (candidate.claim_id IS NOT NULL AND named.candidate_no IS NULL)
END;

-- table: unresolved
-- columns: candidate_no of each that must be looked up before it can be judged.
SELECT candidate.candidate_no
FROM candidate
INNER JOIN subject ON subject.candidate_no = candidate.candidate_no
ANTI JOIN incomparable ON incomparable.candidate_no = candidate.candidate_no
ANTI JOIN key_match ON key_match.candidate_no = candidate.candidate_no
ANTI JOIN same_statement ON same_statement.candidate_no = candidate.candidate_no AND NOT same_statement.is_left_out
ANTI JOIN (
    SELECT key.candidate_no FROM candidate_key AS key WHERE NOT key.needs_lookup
) AS resolved ON resolved.candidate_no = candidate.candidate_no
WHERE NOT subject.about_is_paper AND NOT candidate.about_resolved;
