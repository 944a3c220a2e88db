-- What the rules say of each candidate at each of its moments, and what is still to be asked of the whole graph.
-- Source: novelty reference, sections 5 (rules), 6 (coverage) and 7 (history).
-- Reads: the tables that the rules made, moment, left_out, special.

-- table: special_count
-- columns: by how much the nodes that a candidate sees otherwise change the counts over all nodes.
SELECT
    special.candidate_no,
    CAST(sum(special.is_compared::INTEGER - 1) AS BIGINT) AS n,
    CAST(sum(special.is_covered::INTEGER - special.t_covered::INTEGER) AS BIGINT) AS n_covered,
    CAST(sum(special.is_covered_in::INTEGER - special.t_covered_in::INTEGER) AS BIGINT) AS n_covered_in,
    CAST(sum((special.is_needed AND NOT special.is_covered)::INTEGER
        - (special.t_needed AND NOT special.t_covered)::INTEGER) AS BIGINT) AS n_open
FROM special
GROUP BY special.candidate_no;

-- table: told
-- columns: one row a moment, in order. rule 4 is where rules 0 to 2 do not decide.
SELECT
    moment.candidate_no,
    moment.seq,
    decided.rule,
    decided.is_incomparable,
    decided.n_in,
    decided.n_out,
    coalesce(stub.n, 0) AS n_stub,
    coverage.kind AS subject_kind,
    decided.kind = 'claim' AS is_claim,
    gate.cites_subject_from,
    gate.cites_via_from,
    coalesce(fixed.n, 0) AS n_fixed,
    coalesce(fixed.n_covered, 0) AS n_covered,
    coalesce(fixed.n_covered_in, 0) AS n_covered_in,
    coalesce(fixed.n_open, 0) AS n_open,
    coalesce(mine.n, 0) AS n_left_out,
    subject.node_no - moment.moment_no * 4294967296 AS subject_no
FROM moment
INNER JOIN decided ON decided.candidate_no = moment.moment_no
INNER JOIN subject ON subject.candidate_no = moment.moment_no
INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = moment.moment_no
INNER JOIN gate ON gate.candidate_no = moment.moment_no
LEFT JOIN special_count AS fixed ON fixed.candidate_no = moment.moment_no
LEFT JOIN (
    SELECT stub_overlap.candidate_no, count(*) AS n FROM stub_overlap GROUP BY stub_overlap.candidate_no
) AS stub ON stub.candidate_no = moment.moment_no
LEFT JOIN (
    SELECT left_out.candidate_no, count(*) AS n FROM left_out GROUP BY left_out.candidate_no
) AS mine ON mine.candidate_no = moment.moment_no;
