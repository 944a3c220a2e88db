-- The candidates' ids as nodes of the graph: what each names, what it is itself, what it touches.
-- Source: novelty reference, section 2 (one node, many ids; the subject) and 4 (candidate).
-- Reads: candidate, candidate_id, candidate_key, candidate_reference, candidate_seen; identifier, owner, owned, edge, claim_now, claim_about.

-- table: id_number
-- columns: every id that a candidate names, with its number; ids the graph does not know get negative ones.
SELECT
    named.named_no,
    named.lom_id,
    coalesce(identifier.id_no, -1 - named.named_no) AS id_no
FROM candidate_id AS named
LEFT JOIN identifier ON identifier.lom_id = named.lom_id;

-- table: key_match
-- columns: each paper that a key of the candidate names; means_no is the one that this key means.
SELECT key.candidate_no, key.key_order, number.lom_id, number.id_no, owner.node_no, owned.means_no
FROM candidate_key AS key
INNER JOIN id_number AS number ON number.named_no = key.named_no
INNER JOIN owner ON owner.id_no = number.id_no
INNER JOIN owned ON owned.id_no = number.id_no;

-- table: subject
-- columns: the candidate's node, whether it is an ingested paper, how many papers its keys match.
WITH first_match AS (
    SELECT key_match.candidate_no, arg_min(key_match.means_no, (key_match.key_order, key_match.lom_id)) AS node_no,
        count(DISTINCT key_match.node_no) AS n_matched
    FROM key_match
    GROUP BY key_match.candidate_no
),

first_key AS (
    SELECT key.candidate_no, arg_min(number.id_no, (key.key_order, number.lom_id)) AS id_no, count(*) AS n_keys
    FROM candidate_key AS key
    INNER JOIN id_number AS number ON number.named_no = key.named_no
    GROUP BY key.candidate_no
)

SELECT
    candidate.candidate_no,
    coalesce(about_owned.means_no, about.id_no, first_match.node_no, first_key.id_no) AS node_no,
    about.id_no IS NOT NULL AS has_about,
    about_owned.id_no IS NOT NULL AS about_is_paper,
    coalesce(first_match.n_matched, 0) AS n_matched,
    coalesce(first_key.n_keys, 0) AS n_keys
FROM candidate
LEFT JOIN id_number AS about ON about.named_no = candidate.about_named_no
LEFT JOIN owned AS about_owned ON about_owned.id_no = about.id_no
LEFT JOIN first_match ON first_match.candidate_no = candidate.candidate_no
LEFT JOIN first_key ON first_key.candidate_no = candidate.candidate_no;

-- table: itself
-- columns: the nodes that are the candidate's own: its subject, and its ids that no paper owns.
SELECT subject.candidate_no, subject.node_no
FROM subject
WHERE subject.node_no IS NOT NULL
UNION
SELECT own.candidate_no, number.id_no
FROM (
    SELECT key.candidate_no, key.named_no FROM candidate_key AS key
    UNION
    SELECT candidate.candidate_no, candidate.about_named_no FROM candidate WHERE candidate.about_named_no IS NOT NULL
) AS own
INNER JOIN id_number AS number ON number.named_no = own.named_no
ANTI JOIN owned ON owned.id_no = number.id_no;

-- table: reference
-- columns: the nodes that the candidate's own list cites, itself left away; two ids of one node stand twice.
SELECT reference.candidate_no, coalesce(owner.node_no, number.id_no) AS node_no
FROM candidate_reference AS reference
INNER JOIN id_number AS number ON number.named_no = reference.named_no
LEFT JOIN owner ON owner.id_no = number.id_no
ANTI JOIN itself
    ON itself.candidate_no = reference.candidate_no AND itself.node_no = coalesce(owner.node_no, number.id_no);

-- table: own_edge
-- columns: the log's edges at the candidate's own nodes: the other end, and whether the candidate cites it.
SELECT at_node.candidate_no, at_node.node_no, bool_or(at_node.cites) AS cites, bool_or(NOT at_node.cites) AS is_cited
FROM (
    SELECT itself.candidate_no, edge.cited_no AS node_no, TRUE AS cites
    FROM itself
    INNER JOIN edge ON edge.citing_no = itself.node_no
    UNION ALL
    SELECT itself.candidate_no, edge.citing_no, FALSE
    FROM itself
    INNER JOIN edge ON edge.cited_no = itself.node_no
) AS at_node
ANTI JOIN itself AS own ON own.candidate_no = at_node.candidate_no AND own.node_no = at_node.node_no
GROUP BY at_node.candidate_no, at_node.node_no;

-- table: neighbour
-- columns: every other end of an edge at the candidate, and what its own list cites.
SELECT own_edge.candidate_no, own_edge.node_no FROM own_edge
UNION
SELECT reference.candidate_no, reference.node_no FROM reference;

-- table: seen
-- columns: a held-out id, the node it speaks for (NULL: nobody).
SELECT
    seen.candidate_no,
    number.lom_id,
    number.id_no,
    CASE WHEN owned.id_no IS NULL THEN number.id_no ELSE owned.speaks_for_no END AS node_no
FROM candidate_seen AS seen
INNER JOIN id_number AS number ON number.named_no = seen.named_no
LEFT JOIN owned ON owned.id_no = number.id_no;

-- table: left_out
-- columns: the claims that a claim candidate under leave_out stands for.
SELECT DISTINCT candidate.candidate_no, claim.seq
FROM candidate
INNER JOIN itself ON itself.candidate_no = candidate.candidate_no
INNER JOIN claim_about ON claim_about.node_no = itself.node_no
INNER JOIN claim_now AS claim ON claim.seq = claim_about.seq
WHERE candidate.kind = 'claim'
    AND candidate.leave_out
    AND CASE
        WHEN candidate.claim_id IS NOT NULL THEN claim.claim_id = candidate.claim_id
        ELSE claim.statement_key = candidate.statement_key
    END;

-- table: bears_no_more
-- columns: nodes whose only claims are left out: they bear none for this candidate.
SELECT left_out.candidate_no, claim_about.node_no
FROM left_out
INNER JOIN claim_about ON claim_about.seq = left_out.seq
INNER JOIN node ON node.node_no = claim_about.node_no
GROUP BY left_out.candidate_no, claim_about.node_no
HAVING count(*) = max(node.n_claims);

-- table: same_statement
-- columns: each claim with an equal statement, and whether it is the one left out.
SELECT candidate.candidate_no, claim.seq, claim.claim_id, left_out.seq IS NOT NULL AS is_left_out
FROM candidate
INNER JOIN claim_now AS claim ON claim.statement_key = candidate.statement_key
LEFT JOIN left_out ON left_out.candidate_no = candidate.candidate_no AND left_out.seq = claim.seq
WHERE candidate.kind = 'claim' AND candidate.statement_key <> '';
