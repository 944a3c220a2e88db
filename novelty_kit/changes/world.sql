-- The graph around each candidate at each of its moments, as the state tables that the rules read.
-- Source: novelty reference, sections 1 to 3 (the state) and 7 (history).
-- Reads: moment, own_ever, near_ever, edge_ever, claim_ever, gate_ever, link_ever; asked, asked_key, asked_reference,
--        asked_seen, asked_number; the spans. A moment stands for a candidate of its own: every number is that of the
--        log plus 4294967296 times the moment's, and so is every statement, so that no two moments meet.

-- table: candidate
SELECT
    moment.moment_no AS candidate_no, asked.kind, asked.leave_out,
    CASE WHEN asked.statement_key = '' THEN '' ELSE moment.moment_no || ' ' || asked.statement_key END AS statement_key,
    asked.claim_id,
    asked.about_lom_id, asked.about_resolved, asked.holdout_given,
    asked.date_from, asked.stated_ok, asked.stated_n_refs
FROM moment
INNER JOIN asked ON asked.candidate_no = moment.candidate_no;

-- table: candidate_key
SELECT moment.moment_no AS candidate_no, key.key_order, key.lom_id, key.needs_lookup
FROM moment
INNER JOIN asked_key AS key ON key.candidate_no = moment.candidate_no;

-- table: named
-- columns: as candidate_ids.sql has it; every id has a number here.
SELECT
    moment.moment_no AS candidate_no, said.used_as, said.key_order, said.lom_id,
    moment.moment_no * 4294967296 + number.id_no AS id_no
FROM moment
INNER JOIN (
    SELECT key.candidate_no, 'key' AS used_as, key.key_order, key.lom_id FROM asked_key AS key
    UNION ALL
    SELECT asked.candidate_no, 'about', NULL, asked.about_lom_id FROM asked
    UNION ALL
    SELECT seen.candidate_no, 'seen', NULL, seen.lom_id FROM asked_seen AS seen
) AS said ON said.candidate_no = moment.candidate_no
INNER JOIN asked_number AS number ON number.lom_id = said.lom_id;

-- table: id_number
-- columns: no id is without a number.
SELECT number.id_no, number.lom_id FROM asked_number AS number LIMIT 0;

-- table: owner
SELECT
    moment.moment_no * 4294967296 + owner.id_no AS id_no, moment.moment_no * 4294967296 + owner.node_no AS node_no
FROM moment
INNER JOIN named_id AS named ON named.candidate_no = moment.candidate_no
INNER JOIN owner_span AS owner
    ON owner.id_no = named.id_no AND owner.from_seq <= moment.seq AND moment.seq < owner.to_seq;

-- table: owned
SELECT
    moment.moment_no * 4294967296 + owned.id_no AS id_no, owned.n_owners,
    moment.moment_no * 4294967296 + owned.speaks_for_no AS speaks_for_no,
    moment.moment_no * 4294967296 + owned.means_no AS means_no
FROM moment
INNER JOIN named_id AS named ON named.candidate_no = moment.candidate_no
INNER JOIN owned_span AS owned
    ON owned.id_no = named.id_no AND owned.from_seq <= moment.seq AND moment.seq < owned.to_seq;

-- table: edge
SELECT DISTINCT
    moment.moment_no * 4294967296 + CASE WHEN edge.cites THEN edge.own_no ELSE edge.node_no END AS citing_no,
    moment.moment_no * 4294967296 + CASE WHEN edge.cites THEN edge.node_no ELSE edge.own_no END AS cited_no
FROM moment
INNER JOIN edge_ever AS edge
    ON edge.candidate_no = moment.candidate_no AND edge.from_seq <= moment.seq AND moment.seq < edge.to_seq;

-- table: claim_now
SELECT DISTINCT
    moment.moment_no * 4294967296 + claim.seq AS seq, claim.claim_id,
    CASE WHEN claim.statement_key = '' THEN '' ELSE moment.moment_no || ' ' || claim.statement_key END AS statement_key
FROM moment
INNER JOIN claim_ever AS near ON near.candidate_no = moment.candidate_no
INNER JOIN claim_span AS claim
    ON claim.seq = near.seq AND claim.from_seq <= moment.seq AND moment.seq < claim.to_seq;

-- table: claim_about
SELECT DISTINCT
    moment.moment_no * 4294967296 + claim.seq AS seq, claim.claim_id,
    moment.moment_no * 4294967296 + claim.node_no AS node_no
FROM moment
INNER JOIN claim_ever AS near ON near.candidate_no = moment.candidate_no AND NOT near.is_equal
INNER JOIN claim_about_span AS claim
    ON claim.seq = near.seq AND claim.from_seq <= moment.seq AND moment.seq < claim.to_seq;

-- table: node
SELECT
    moment.moment_no * 4294967296 + node.node_no AS node_no, NULL::VARCHAR AS lom_id, node.has_row, node.is_read,
    node.n_claims,
    CASE WHEN node.is_read THEN 1 ELSE 0 END + CASE WHEN node.n_claims > 0 THEN 2 ELSE 0 END AS standing, node.date_from, node.date_to, node.has_failed, node.contradicted, node.covered_out
FROM moment
INNER JOIN (
    SELECT near.candidate_no, near.node_no FROM near_ever AS near
    UNION
    SELECT gate.candidate_no, gate.node_no FROM gate_ever AS gate
) AS near ON near.candidate_no = moment.candidate_no
INNER JOIN node_span AS node
    ON node.node_no = near.node_no AND node.from_seq <= moment.seq AND moment.seq < node.to_seq;

-- table: covering
SELECT
    moment.moment_no * 4294967296 + cover.node_no AS node_no, cover.n_citing,
    moment.moment_no * 4294967296 + cover.only_citing_no AS only_citing_no
FROM moment
INNER JOIN gate_ever AS gate ON gate.candidate_no = moment.candidate_no
INNER JOIN cover_span AS cover
    ON cover.node_no = gate.node_no AND cover.from_seq <= moment.seq AND moment.seq < cover.to_seq
WHERE cover.n_citing > 0;

-- table: claim_link
SELECT DISTINCT
    moment.moment_no * 4294967296 + link.node_no AS node_no, moment.moment_no * 4294967296 + link.end_no AS end_no
FROM moment
INNER JOIN link_ever AS link
    ON link.candidate_no = moment.candidate_no AND link.from_seq <= moment.seq AND moment.seq < link.to_seq;

-- table: checked
SELECT DISTINCT
    moment.moment_no * 4294967296 + row.node_no AS node_no, moment.moment_no * 4294967296 + row.id_no AS id_no,
    row.n_refs, row.status
FROM moment
INNER JOIN own_ever AS own ON own.candidate_no = moment.candidate_no
INNER JOIN checked_span AS row
    ON row.node_no = own.node_no AND row.from_seq <= moment.seq AND moment.seq < row.to_seq;

-- table: reference
-- columns: as candidate_ids.sql has it; every id has a number here.
SELECT listed.candidate_no, listed.id_no, listed.node_no, coalesce(node.standing, 0) AS standing, NULL::VARCHAR AS lom_id
FROM (
    SELECT
        moment.moment_no AS candidate_no,
        moment.moment_no * 4294967296 + number.id_no AS id_no,
        CASE coalesce(owned.n_owners, 0)
            WHEN 0 THEN moment.moment_no * 4294967296 + number.id_no
            WHEN 1 THEN owned.means_no
        END AS node_no
    FROM moment
    INNER JOIN asked_reference AS cited ON cited.candidate_no = moment.candidate_no
    INNER JOIN asked_number AS number ON number.lom_id = cited.lom_id
    LEFT JOIN owned ON owned.id_no = moment.moment_no * 4294967296 + number.id_no
) AS listed
LEFT JOIN node ON node.node_no = listed.node_no;
