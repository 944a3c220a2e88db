-- The read or claim-bearing nodes whose unread lists keep others from being called novel.
-- Source: novelty reference, section 3 (covered, dates) and 5, rule 3, under the default policies.
-- Reads: the state tables; $margin, the years by which a citing work may be dated before the cited one.
-- Columns: lom_id, title, publication_date, read, n_claims, reason (as in a result's coverage_gap_reasons),
--   n_blocked: other read or claim-bearing nodes that it could cite, and so keeps from being novel;
--   n_covered: uncovered ones, itself included, that would be covered were its list known (the works that it is
--   known to cite count by their in-edge, if it is read).

WITH compared AS (
    SELECT
        node.node_no,
        node.lom_id,
        node.is_read,
        node.n_claims,
        node.date_from,
        node.covered_out OR coalesce(covering.n_citing, 0) > 0 AS is_covered,
        CASE
            WHEN node.contradicted THEN 'contradicted'
            WHEN node.has_failed THEN 'failed'
            ELSE 'unchecked'
        END AS reason,
        CASE
            WHEN node.date_to IS NULL THEN DATE '9999-12-31'
            WHEN month(node.date_to) = 2 AND day(node.date_to) = 29
                AND day(node.date_to + to_years($margin)) = 28
                THEN CAST(node.date_to + to_years($margin) + to_days(1) AS DATE)
            ELSE CAST(node.date_to + to_years($margin) AS DATE)
        END AS reaches
    FROM node
    LEFT JOIN covering ON covering.node_no = node.node_no
    WHERE node.is_read OR node.n_claims > 0
),

dated AS (
    SELECT
        step.day,
        sum(step.n) OVER (ORDER BY step.day) AS n_before
    FROM (
        SELECT coalesce(compared.date_from, DATE '0001-01-01') AS day, count(*) AS n
        FROM compared
        GROUP BY ALL
    ) AS step
),

helped AS (
    SELECT edge.citing_no AS node_no, count(*) AS n
    FROM edge
    SEMI JOIN compared AS open ON open.node_no = edge.cited_no AND NOT open.is_covered
    GROUP BY edge.citing_no
)

SELECT
    compared.lom_id,
    paper.title,
    paper.publication_date,
    compared.is_read AS read,
    compared.n_claims,
    compared.reason,
    dated.n_before - (coalesce(compared.date_from, DATE '0001-01-01') <= compared.reaches)::INTEGER AS n_blocked,
    1 + CASE WHEN compared.is_read THEN coalesce(helped.n, 0) ELSE 0 END AS n_covered
FROM compared
ASOF INNER JOIN dated ON dated.day <= compared.reaches
LEFT JOIN helped ON helped.node_no = compared.node_no
LEFT JOIN paper_now AS paper ON paper.id_no = compared.node_no
WHERE NOT compared.is_covered
ORDER BY n_covered DESC, n_blocked DESC, compared.lom_id
