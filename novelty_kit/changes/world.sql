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
    moment.moment_no * 4294967296 + asked.about_named_no AS about_named_no, asked.about_resolved, asked.holdout_given,
    asked.date_from, asked.stated_ok, asked.stated_n_refs
FROM moment
INNER JOIN asked ON asked.candidate_no = moment.candidate_no;

-- table: candidate_key
SELECT
    moment.moment_no AS candidate_no, key.key_order, moment.moment_no * 4294967296 + key.named_no AS named_no,
    key.needs_lookup
FROM moment
INNER JOIN asked_key AS key ON key.candidate_no = moment.candidate_no;

-- table: candidate_reference
SELECT moment.moment_no AS candidate_no, moment.moment_no * 4294967296 + cited.named_no AS named_no
FROM moment
INNER JOIN asked_reference AS cited ON cited.candidate_no = moment.candidate_no;

-- table: candidate_seen
SELECT moment.moment_no AS candidate_no, moment.moment_no * 4294967296 + seen.named_no AS named_no
FROM moment
INNER JOIN asked_seen AS seen ON seen.candidate_no = moment.candidate_no;

-- table: id_number
SELECT
    moment.moment_no * 4294967296 + named.named_no AS named_no,
    number.lom_id,
    moment.moment_no * 4294967296 + number.id_no AS id_no
FROM moment
INNER JOIN (
    SELECT key.candidate_no, key.named_no FROM asked_key AS key
    UNION
    SELECT cited.candidate_no, cited.named_no FROM asked_reference AS cited
    UNION
    SELECT seen.candidate_no, seen.named_no FROM asked_seen AS seen
    UNION
    SELECT asked.candidate_no, asked.about_named_no FROM asked WHERE asked.about_named_no IS NOT NULL
) AS named ON named.candidate_no = moment.candidate_no
INNER JOIN asked_number AS number ON number.named_no = named.named_no;

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
    node.n_claims, node.date_from, node.date_to, node.has_failed, node.contradicted, node.covered_out
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
