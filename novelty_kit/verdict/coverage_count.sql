-- How many compared nodes could hide a path from each candidate, and how many of them are covered.
-- Source: novelty reference, section 5, rule 3, and section 3 (dates).
-- Reads: policy (one row), candidate, itself, touched, bears_no_more, reach, unlisted, subject_coverage; node. Nodes
--        are counted by sorted dates; only the few that are special to a candidate are looked at one by one.

-- table: gate
-- columns: from which day on a node could cite the subject; for a claim also its earliest read neighbour.
SELECT
    coverage.candidate_no,
    candidate.kind,
    coalesce(coverage.date_from, DATE '0001-01-01') AS cites_subject_from,
    CASE WHEN candidate.kind = 'claim' THEN via.cites_via_from END AS cites_via_from
FROM subject_coverage AS coverage
INNER JOIN candidate ON candidate.candidate_no = coverage.candidate_no
LEFT JOIN (
    SELECT touched.candidate_no, min(coalesce(node.date_from, DATE '0001-01-01')) AS cites_via_from
    FROM touched
    SEMI JOIN candidate AS claim ON claim.candidate_no = touched.candidate_no AND claim.kind = 'claim'
    INNER JOIN node ON node.node_no = touched.node_no
    WHERE touched.standing IN (1, 3)
    GROUP BY touched.candidate_no
) AS via ON via.candidate_no = coverage.candidate_no;

-- table: tally
-- columns: for each day asked for: how many compared nodes reach it, claim-bearing ones too, and of each how
--   many are uncovered.
SELECT step.day, step.n, step.n_bearing, step.n_open, step.n_bearing_open
FROM (
    SELECT
        event.day,
        event.is_asked,
        sum(event.n) OVER after_day AS n,
        sum(event.n_bearing) OVER after_day AS n_bearing,
        sum(event.n_open) OVER after_day AS n_open,
        sum(event.n_bearing_open) OVER after_day AS n_bearing_open
    FROM (
        SELECT reach.reaches AS day, FALSE AS is_asked, reach.n, reach.n_bearing, 0 AS n_open, 0 AS n_bearing_open
        FROM reach
        UNION ALL
        SELECT unlisted.reaches, FALSE, 0, 0, count(*), count(*) FILTER (unlisted.is_bearing)
        FROM unlisted
        WHERE NOT unlisted.covered_in
        GROUP BY unlisted.reaches
        UNION ALL
        SELECT asked.day, TRUE, 0, 0, 0, 0
        FROM (
            SELECT gate.cites_subject_from AS day FROM gate
            UNION
            SELECT gate.cites_via_from FROM gate WHERE gate.cites_via_from IS NOT NULL
        ) AS asked
    ) AS event
    WINDOW after_day AS (ORDER BY event.day DESC, event.is_asked ROWS UNBOUNDED PRECEDING)
) AS step
WHERE step.is_asked;

-- table: met
-- columns: the nodes that a candidate may see otherwise than the tally does: its own (is_own), those whose only claims it
--   stands for (is_lost), those that it touches (is_near), and those that nobody but itself covers.
SELECT
    near.candidate_no,
    near.node_no,
    bool_or(near.is_own) AS is_own,
    bool_or(near.is_lost) AS is_lost,
    bool_or(near.is_near) AS is_near
FROM (
    SELECT itself.candidate_no, itself.node_no, TRUE AS is_own, FALSE AS is_lost, FALSE AS is_near FROM itself
    UNION ALL
    SELECT lost.candidate_no, lost.node_no, FALSE, TRUE, FALSE FROM bears_no_more AS lost
    UNION ALL
    SELECT touched.candidate_no, touched.node_no, FALSE, FALSE, TRUE
    FROM touched
    SEMI JOIN candidate AS claim ON claim.candidate_no = touched.candidate_no AND claim.kind = 'claim'
    WHERE touched.standing IN (1, 3)
    UNION ALL
    SELECT touched.candidate_no, touched.node_no, FALSE, FALSE, TRUE
    FROM touched
    CROSS JOIN policy
    WHERE policy.near_only
    UNION ALL
    SELECT itself.candidate_no, sole.node_no, FALSE, FALSE, FALSE
    FROM itself
    INNER JOIN unlisted AS sole ON sole.only_citing_no = itself.node_no AND sole.covered_in
) AS near
SEMI JOIN gate ON gate.candidate_no = near.candidate_no
GROUP BY near.candidate_no, near.node_no;

-- table: special
-- columns: compared nodes that this candidate sees otherwise than the tally does: as the tally counts them
--   (t_), and as they are (is_).
WITH seen_as AS (
    SELECT
        gate.candidate_no,
        gate.kind,
        node.lom_id,
        unlisted.reason,
        node.covered_out,
        coalesce(unlisted.covered_in, FALSE) AS covered_in,
        coalesce(unlisted.covered_in, FALSE) AND own.node_no IS NULL AS still_in,
        node.standing >= 2 AS is_bearing,
        node.standing >= 2 AND NOT met.is_lost AS still_bearing,
        NOT met.is_own AND (node.is_read OR NOT met.is_lost) AS is_compared,
        met.is_near,
        reach.reaches >= gate.cites_subject_from AS cites_subject,
        coalesce(reach.reaches >= gate.cites_via_from, FALSE) AS cites_via
    FROM met
    INNER JOIN gate ON gate.candidate_no = met.candidate_no
    INNER JOIN node ON node.node_no = met.node_no AND node.standing > 0
    LEFT JOIN reach ON reach.date_to IS NOT DISTINCT FROM node.date_to
    LEFT JOIN unlisted ON unlisted.node_no = met.node_no
    LEFT JOIN itself AS own ON own.candidate_no = met.candidate_no AND own.node_no = unlisted.only_citing_no
)

SELECT
    seen_as.candidate_no,
    seen_as.lom_id,
    seen_as.reason,
    seen_as.covered_out OR seen_as.covered_in AS t_covered,
    seen_as.covered_in AS t_covered_in,
    NOT policy.near_only AND (seen_as.cites_subject OR (seen_as.is_bearing AND seen_as.cites_via)) AS t_needed,
    seen_as.is_compared,
    seen_as.is_compared AND (seen_as.covered_out OR seen_as.still_in) AS is_covered,
    seen_as.is_compared AND seen_as.still_in AS is_covered_in,
    seen_as.is_compared AND CASE
        WHEN policy.near_only THEN seen_as.is_near
        ELSE seen_as.cites_subject
            OR (seen_as.kind = 'claim' AND (seen_as.is_near OR (seen_as.still_bearing AND seen_as.cites_via)))
    END AS is_needed
FROM seen_as
CROSS JOIN policy;

-- table: coverage_count
-- columns: per candidate the counts over its compared nodes, and how many of the needed ones are uncovered.
WITH whole AS (
    SELECT known.n, known.n - open.n + open.n_in AS n_covered, open.n_in AS n_covered_in
    FROM (SELECT coalesce(sum(reach.n), 0) AS n FROM reach) AS known
    CROSS JOIN (SELECT count(*) AS n, count(*) FILTER (unlisted.covered_in) AS n_in FROM unlisted) AS open
),

fixed AS (
    SELECT
        special.candidate_no,
        sum(special.is_compared::INTEGER - 1) AS n,
        sum(special.is_covered::INTEGER - special.t_covered::INTEGER) AS n_covered,
        sum(special.is_covered_in::INTEGER - special.t_covered_in::INTEGER) AS n_covered_in,
        sum(special.is_needed::INTEGER - special.t_needed::INTEGER) AS n_needed,
        sum((special.is_needed AND NOT special.is_covered)::INTEGER
            - (special.t_needed AND NOT special.t_covered)::INTEGER) AS n_open
    FROM special
    GROUP BY special.candidate_no
)

SELECT
    gate.candidate_no,
    CAST(whole.n + coalesce(fixed.n, 0) AS BIGINT) AS n_compared,
    CAST(whole.n_covered + coalesce(fixed.n_covered, 0) AS BIGINT) AS n_covered,
    CAST(whole.n_covered_in + coalesce(fixed.n_covered_in, 0) AS BIGINT) AS n_covered_in,
    CAST(coalesce(fixed.n_needed, 0) + CASE WHEN policy.near_only THEN 0 ELSE
        at_subject.n + greatest(coalesce(at_via.n_bearing, 0) - at_subject.n_bearing, 0) END AS BIGINT) AS n_needed,
    CAST(coalesce(fixed.n_open, 0) + CASE WHEN policy.near_only THEN 0 ELSE at_subject.n_open
        + greatest(coalesce(at_via.n_bearing_open, 0) - at_subject.n_bearing_open, 0) END AS BIGINT) AS n_open
FROM gate
CROSS JOIN policy
CROSS JOIN whole
INNER JOIN tally AS at_subject ON at_subject.day = gate.cites_subject_from
LEFT JOIN tally AS at_via ON at_via.day = gate.cites_via_from
LEFT JOIN fixed ON fixed.candidate_no = gate.candidate_no;
