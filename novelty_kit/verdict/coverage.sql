-- What is covered: the compared nodes whose lists are not known, and the subject's own list.
-- Source: novelty reference, section 3 (covered, dates).
-- Reads: policy (one row), candidate, subject, itself, own_edge, touched, further, so_far; node, covering, checked.

-- table: reach
-- columns: for each last possible day of compared nodes (read or claim-bearing): how many there are, how many of them bear
--   a claim, and the last day on which they could cite.
SELECT
    known.date_to,
    known.n,
    known.n_bearing,
    CASE
        WHEN policy.margin_years IS NULL OR known.date_to IS NULL THEN DATE '9999-12-31'
        WHEN year(known.date_to) + policy.margin_years > 9999 THEN DATE '9999-12-31'
        WHEN month(known.date_to) = 2 AND day(known.date_to) = 29
            AND day(known.date_to + to_years(policy.margin_years)) = 28
            THEN CAST(known.date_to + to_years(policy.margin_years) + to_days(1) AS DATE)
        ELSE CAST(known.date_to + to_years(policy.margin_years) AS DATE)
    END AS reaches
FROM (
    SELECT node.date_to, count(*) AS n, count(*) FILTER (node.standing >= 2) AS n_bearing
    FROM node
    WHERE node.standing > 0
    GROUP BY node.date_to
) AS known
CROSS JOIN policy;

-- table: unlisted
-- columns: the compared nodes whose own list is not known, why, and whether a citation covers them all the same.
SELECT
    node.node_no,
    node.lom_id,
    node.standing >= 2 AS is_bearing,
    policy.accepts_in AND coalesce(covering.n_citing, 0) > 0 AS covered_in,
    covering.only_citing_no,
    CASE
        WHEN node.contradicted THEN 'contradicted'
        WHEN node.has_failed THEN 'failed'
        ELSE 'unchecked'
    END AS reason,
    reach.reaches
FROM node
CROSS JOIN policy
INNER JOIN reach ON reach.date_to IS NOT DISTINCT FROM node.date_to
LEFT JOIN covering ON covering.node_no = node.node_no
WHERE node.standing > 0 AND NOT node.covered_out;

-- table: subject_list
-- columns: of each candidate of which rule 3 is asked, what is known of the subject's own list: rows of the log at any of
--   its ids, else what it states.
WITH logged AS (
    SELECT
        itself.candidate_no,
        count(*) FILTER (checked.status = 'ok') AS n_ok,
        max(checked.n_refs) FILTER (checked.status = 'ok') AS n_refs,
        bool_or(checked.status = 'failed') AS has_failed
    FROM itself
    INNER JOIN checked ON checked.node_no = itself.node_no
    GROUP BY itself.candidate_no
)

SELECT
    subject.candidate_no,
    subject.node_no,
    coalesce(node.date_from, candidate.date_from) AS date_from,
    CASE
        WHEN logged.candidate_no IS NOT NULL THEN logged.n_refs
        WHEN NOT coalesce(node.has_row, FALSE) AND candidate.stated_ok THEN candidate.stated_n_refs
    END AS n_refs,
    CASE
        WHEN logged.candidate_no IS NOT NULL THEN logged.n_ok > 0
        ELSE NOT coalesce(node.has_row, FALSE) AND coalesce(candidate.stated_ok, FALSE)
    END AS is_known,
    CASE
        WHEN logged.candidate_no IS NOT NULL THEN logged.has_failed
        ELSE NOT coalesce(node.has_row, FALSE) AND coalesce(NOT candidate.stated_ok, FALSE)
    END AS has_failed
FROM subject
INNER JOIN so_far ON so_far.candidate_no = subject.candidate_no AND so_far.is_open
INNER JOIN candidate ON candidate.candidate_no = subject.candidate_no
LEFT JOIN node ON node.node_no = subject.node_no
LEFT JOIN logged ON logged.candidate_no = subject.candidate_no;

-- table: subject_coverage
-- columns: the subject, which kind covers it (out, in, none), whether that suffices, and why not.
WITH empty AS (
    SELECT known.candidate_no
    FROM subject_list AS known
    WHERE known.is_known AND known.n_refs = 0
)

SELECT
    list.candidate_no,
    list.node_no,
    list.date_from,
    list.n_refs,
    CASE
        WHEN list.is_known AND NOT list.contradicted AND (NOT list.has_zero OR policy.zero_covers) THEN 'out'
        WHEN citing.candidate_no IS NOT NULL AND policy.accepts_in THEN 'in'
        ELSE 'none'
    END AS kind,
    CASE
        WHEN list.contradicted THEN 'contradicted'
        WHEN list.has_zero THEN 'checked_zero'
        WHEN list.has_failed THEN 'failed'
        ELSE 'unchecked'
    END AS reason
FROM (
    SELECT
        known.candidate_no, known.node_no, known.date_from, known.n_refs, known.is_known, known.has_failed,
        known.is_known AND known.n_refs = 0 AS has_zero,
        cited.candidate_no IS NOT NULL AS contradicted
    FROM subject_list AS known
    LEFT JOIN (
        SELECT touched.candidate_no
        FROM touched
        SEMI JOIN empty ON empty.candidate_no = touched.candidate_no
        ANTI JOIN further AS shown
            ON shown.candidate_no = touched.candidate_no AND shown.node_no = touched.node_no AND NOT shown.is_listed
        UNION
        SELECT own_edge.candidate_no
        FROM own_edge
        SEMI JOIN empty ON empty.candidate_no = own_edge.candidate_no
        WHERE own_edge.cites
    ) AS cited ON cited.candidate_no = known.candidate_no
) AS list
CROSS JOIN policy
LEFT JOIN (
    SELECT DISTINCT own_edge.candidate_no
    FROM own_edge
    SEMI JOIN node ON node.node_no = own_edge.node_no AND node.is_read AND node.covered_out
    WHERE own_edge.is_cited
) AS citing ON citing.candidate_no = list.candidate_no;
