-- Rule 3, coverage gate: while an unread list could hide a path, nothing may be called novel.
-- Source: novelty reference, section 5, rule 3.
-- Reads: candidate, coverage_count, subject_coverage, left_out; claim_now.

-- table: gated
-- columns: each candidate that may not be called novel, with the size of its gap and whether nothing was compared.
SELECT held.candidate_no, held.n_gap, held.nothing_compared
FROM (
    SELECT
        total.candidate_no,
        total.n_open + (coverage.kind = 'none')::INTEGER AS n_gap,
        CASE
            WHEN candidate.kind = 'paper' THEN total.n_compared = 0
            ELSE claims.n = coalesce(mine.n, 0)
        END AS nothing_compared
    FROM coverage_count AS total
    INNER JOIN candidate ON candidate.candidate_no = total.candidate_no
    INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = total.candidate_no
    CROSS JOIN (SELECT count(*) AS n FROM claim_now) AS claims
    LEFT JOIN (
        SELECT left_out.candidate_no, count(*) AS n FROM left_out GROUP BY left_out.candidate_no
    ) AS mine ON mine.candidate_no = total.candidate_no
) AS held
WHERE held.n_gap > 0 OR held.nothing_compared;
