-- Rule 4, novel: nothing matched, nothing overlaps, and every list that could hide a path is known. Relative to
-- this graph at this seq, in the words of its statements, and nothing more.
-- Source: novelty reference, section 5, rule 4, and section 6 (verdict_by_slice).
-- Reads: policy (one row), so_far, gated.

-- table: decided
-- columns: what each rule says of each candidate, the slices, and the first rule that decides.
WITH told AS (
    SELECT
        so_far.candidate_no,
        so_far.kind,
        so_far.holdout_given,
        so_far.is_incomparable,
        so_far.is_unresolved,
        so_far.is_match,
        gated.candidate_no IS NOT NULL OR policy.n_skipped > 0 AS is_gated,
        so_far.n_in,
        so_far.n_out,
        so_far.n_stub,
        policy.in_sample_goes_on AND so_far.holdout_given AS in_sample_goes_on
    FROM so_far
    CROSS JOIN policy
    LEFT JOIN gated ON gated.candidate_no = so_far.candidate_no
)

SELECT
    told.candidate_no,
    told.kind,
    told.n_in,
    told.n_out,
    told.n_stub,
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
