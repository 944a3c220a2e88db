-- The moments at which each candidate is judged: the events at which anything about it can change, thinned out.
-- Source: novelty reference, section 7 (history).
-- Reads: asked, asked_own, policy; own_ever, edge_ever, reference_place, seen_ever, gate_ever, claim_ever, firm_point,
--        loose_point (near.sql); the spans; variable as_of.

-- table: settled
-- columns: while a node surely overlaps, or a key or statement surely matches, so that the gate is not asked:
--   only for candidates whose ids ever name one paper at most, and by nodes that can never be the candidate's own.
WITH plain AS (
    SELECT asked.candidate_no, asked.kind, asked.leave_out, asked.holdout_given AND policy.in_sample_goes_on AS holds
    FROM asked
    CROSS JOIN policy
    LEFT JOIN (
        SELECT asked_own.candidate_no, count(DISTINCT owner.node_no) AS n
        FROM asked_own
        INNER JOIN owner_span AS owner ON owner.id_no = asked_own.id_no
        GROUP BY asked_own.candidate_no
    ) AS named ON named.candidate_no = asked.candidate_no
    WHERE coalesce(named.n, 0) <= 1
),

touching AS (
    SELECT place.candidate_no, place.node_no, place.from_seq, place.to_seq FROM reference_place AS place
    UNION ALL
    SELECT edge.candidate_no, edge.node_no, greatest(edge.from_seq, own.from_seq), least(edge.to_seq, own.to_seq)
    FROM edge_ever AS edge
    INNER JOIN asked_own ON asked_own.candidate_no = edge.candidate_no
    INNER JOIN place_span AS own
        ON own.id_no = asked_own.id_no AND own.node_no = edge.own_no
        AND own.from_seq < edge.to_seq AND edge.from_seq < own.to_seq
),

certain AS (
    SELECT touching.candidate_no, greatest(touching.from_seq, flag.from_seq) AS from_seq,
        least(touching.to_seq, flag.to_seq) AS to_seq
    FROM touching
    INNER JOIN plain ON plain.candidate_no = touching.candidate_no
    INNER JOIN flag_span AS flag
        ON flag.node_no = touching.node_no AND flag.from_seq < touching.to_seq AND touching.from_seq < flag.to_seq
    ANTI JOIN own_ever AS own ON own.candidate_no = touching.candidate_no AND own.node_no = touching.node_no
    ANTI JOIN seen_ever AS seen
        ON plain.holds AND seen.candidate_no = touching.candidate_no AND seen.node_no = touching.node_no
    ANTI JOIN gate_ever AS lost
        ON plain.kind = 'claim' AND plain.leave_out
        AND lost.candidate_no = touching.candidate_no AND lost.node_no = touching.node_no
    WHERE flag.is_bearing OR plain.kind = 'paper'
    UNION ALL
    SELECT asked_own.candidate_no, owner.from_seq, owner.to_seq
    FROM asked_own
    INNER JOIN plain ON plain.candidate_no = asked_own.candidate_no AND plain.kind = 'paper' AND NOT plain.leave_out
    INNER JOIN owner_span AS owner ON owner.id_no = asked_own.id_no
    UNION ALL
    SELECT claim.candidate_no, claim.from_seq, claim.to_seq
    FROM claim_ever AS claim
    INNER JOIN plain ON plain.candidate_no = claim.candidate_no AND NOT plain.leave_out
    WHERE claim.is_equal
)

SELECT run.candidate_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.candidate_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (
            PARTITION BY marked.candidate_no ORDER BY marked.from_seq, marked.to_seq ROWS UNBOUNDED PRECEDING
        ) AS run_no
    FROM (
        SELECT
            certain.candidate_no, certain.from_seq, certain.to_seq,
            CASE
                WHEN certain.from_seq <= max(certain.to_seq) OVER (
                    PARTITION BY certain.candidate_no ORDER BY certain.from_seq, certain.to_seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) THEN 0
                ELSE 1
            END AS starts
        FROM certain
    ) AS marked
) AS run
GROUP BY run.candidate_no, run.run_no;

-- table: moment
-- columns: the events at which a candidate is judged, numbered: the empty log, every firm point, the loose points at
--   which it is not settled, and before each the one before it where that lies in a settled time.
WITH firm AS (
    SELECT asked.candidate_no, 0 AS seq FROM asked
    UNION
    SELECT point.candidate_no, point.from_seq FROM firm_point AS point
    UNION
    SELECT point.candidate_no, point.to_seq FROM firm_point AS point
),

loose AS (
    SELECT point.candidate_no, point.from_seq AS seq FROM loose_point AS point
    UNION
    SELECT point.candidate_no, point.to_seq FROM loose_point AS point
),

chosen AS (
    SELECT firm.candidate_no, firm.seq FROM firm WHERE firm.seq <= getvariable('as_of')
    UNION
    SELECT loose.candidate_no, loose.seq
    FROM loose
    ANTI JOIN settled
        ON settled.candidate_no = loose.candidate_no AND settled.from_seq < loose.seq AND loose.seq < settled.to_seq
    WHERE loose.seq <= getvariable('as_of')
)

SELECT row_number() OVER (ORDER BY every.candidate_no, every.seq) AS moment_no, every.candidate_no, every.seq
FROM (
    SELECT chosen.candidate_no, chosen.seq FROM chosen
    UNION
    SELECT chosen.candidate_no, chosen.seq - 1
    FROM chosen
    SEMI JOIN settled
        ON settled.candidate_no = chosen.candidate_no
        AND settled.from_seq < chosen.seq AND chosen.seq <= settled.to_seq
    WHERE chosen.seq > 0
) AS every;
