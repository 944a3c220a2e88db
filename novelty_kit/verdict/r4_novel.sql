-- Rule 4, novel: nothing matched, nothing overlaps, and every list that could hide a path is known. Relative to
-- this graph at this seq, in the words of its statements, and nothing more.
-- Source: novelty reference, section 5, rule 4, and section 6 (verdict_by_slice).
-- Reads: policy (one row), candidate, incomparable, unresolved, exact_match, shared, gated.

-- table: decided
-- columns: what each rule says of each candidate, the slices, and the first rule that decides.
WITH told AS (
    SELECT
        candidate.candidate_no,
        candidate.kind,
        candidate.holdout_given,
        incomparable.candidate_no IS NOT NULL AS is_incomparable,
        unresolved.candidate_no IS NOT NULL AS is_unresolved,
        exact_match.candidate_no IS NOT NULL AS is_match,
        gated.candidate_no IS NOT NULL OR policy.n_skipped > 0 AS is_gated,
        shared.n_in,
        shared.n_out,
        policy.in_sample_goes_on AND candidate.holdout_given AS in_sample_goes_on
    FROM candidate
    CROSS JOIN policy
    INNER JOIN shared ON shared.candidate_no = candidate.candidate_no
    LEFT JOIN incomparable ON incomparable.candidate_no = candidate.candidate_no
    LEFT JOIN unresolved ON unresolved.candidate_no = candidate.candidate_no
    LEFT JOIN exact_match ON exact_match.candidate_no = candidate.candidate_no
    LEFT JOIN gated ON gated.candidate_no = candidate.candidate_no
)

SELECT
    told.candidate_no,
    told.kind,
    told.n_in,
    told.n_out,
    CASE
        WHEN told.is_incomparable OR told.is_unresolved THEN 0
        WHEN told.is_match THEN 1
        WHEN told.n_out > 0 OR (told.n_in > 0 AND NOT told.in_sample_goes_on) THEN 2
        WHEN told.is_gated THEN 3
        ELSE 4
    END AS rule,
    told.is_incomparable,
    CASE
        WHEN told.is_incomparable OR told.is_unresolved THEN 'unknown'
        WHEN told.is_match THEN 'duplicate'
        WHEN told.n_in > 0 THEN 'neighborhood'
        WHEN told.is_gated THEN 'unknown'
        ELSE 'novel'
    END AS in_sample,
    CASE
        WHEN NOT told.holdout_given THEN NULL
        WHEN told.is_incomparable OR told.is_unresolved THEN 'unknown'
        WHEN told.is_match THEN 'duplicate'
        WHEN told.n_out > 0 THEN 'neighborhood'
        WHEN told.is_gated THEN 'unknown'
        ELSE 'novel'
    END AS holdout
FROM told;
