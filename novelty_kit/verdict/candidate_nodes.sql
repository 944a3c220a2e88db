-- The candidates' ids as nodes of the graph: what each names, what it is itself, what it touches.
-- Source: novelty reference, section 2 (one node, many ids; the subject) and 4 (candidate).
-- Reads: candidate, candidate_key, candidate_reference, candidate_seen; id_node, owner, owned, edge, node, claim_now,
--        claim_about.

-- table: named
-- columns: every id that a candidate names as a key, as what it is about, or as seen, with its number in the log (NULL:
--   the log does not know it).
SELECT said.candidate_no, said.used_as, said.key_order, said.lom_id, known.id_no
FROM (
    SELECT key.candidate_no, 'key' AS used_as, key.key_order, key.lom_id FROM candidate_key AS key
    UNION ALL
    SELECT candidate.candidate_no, 'about', NULL, candidate.about_lom_id
    FROM candidate
    WHERE candidate.about_lom_id IS NOT NULL
    UNION ALL
    SELECT seen.candidate_no, 'seen', NULL, seen.lom_id FROM candidate_seen AS seen
) AS said
LEFT JOIN id_node AS known ON known.lom_id = said.lom_id;

-- table: reference
-- columns: each id of the candidate's own list and what it is in the log, as id_node has it. The text only of what the
--   log does not know: this table is the large one, and every column costs.
SELECT
    listed.candidate_no,
    known.id_no,
    known.node_no,
    known.standing,
    CASE WHEN known.id_no IS NULL THEN listed.lom_id END AS lom_id
FROM candidate_reference AS listed
LEFT JOIN id_node AS known ON known.lom_id = listed.lom_id;

-- table: id_number
-- columns: the ids that the log does not know, each with a negative number.
SELECT CAST(-row_number() OVER () AS INTEGER) AS id_no, unknown.lom_id
FROM (
    SELECT reference.lom_id FROM reference WHERE reference.lom_id IS NOT NULL
    UNION
    SELECT named.lom_id FROM named WHERE named.id_no IS NULL
) AS unknown;

-- table: own_id
-- columns: the candidate's keys, and what it is about, as numbers.
SELECT named.candidate_no, named.used_as, named.key_order, named.lom_id, coalesce(named.id_no, number.id_no) AS id_no
FROM named
LEFT JOIN id_number AS number ON number.lom_id = named.lom_id
WHERE named.used_as = 'key' OR named.used_as = 'about';

-- table: key_match
-- columns: each paper that a key of the candidate names; means_no is the one that this key means.
SELECT key.candidate_no, key.key_order, key.lom_id, key.id_no, owner.node_no, owned.means_no
FROM own_id AS key
INNER JOIN owner ON owner.id_no = key.id_no
INNER JOIN owned ON owned.id_no = key.id_no
WHERE key.used_as = 'key';

-- table: subject
-- columns: the candidate's node, whether it is an ingested paper, how many papers its keys match.
WITH first_match AS (
    SELECT key_match.candidate_no, arg_min(key_match.means_no, key_match.key_order) AS node_no,
        count(DISTINCT key_match.node_no) AS n_matched
    FROM key_match
    GROUP BY key_match.candidate_no
),

first_key AS (
    SELECT key.candidate_no, arg_min(key.id_no, key.key_order) AS id_no, count(*) AS n_keys
    FROM own_id AS key
    WHERE key.used_as = 'key'
    GROUP BY key.candidate_no
),

about AS (
    SELECT own_id.candidate_no, own_id.id_no, owned.means_no
    FROM own_id
    LEFT JOIN owned ON owned.id_no = own_id.id_no
    WHERE own_id.used_as = 'about'
)

SELECT
    candidate.candidate_no,
    coalesce(about.means_no, about.id_no, first_match.node_no, first_key.id_no) AS node_no,
    about.id_no IS NOT NULL AS has_about,
    about.means_no IS NOT NULL AS about_is_paper,
    coalesce(first_match.n_matched, 0) AS n_matched,
    coalesce(first_key.n_keys, 0) AS n_keys
FROM candidate
LEFT JOIN about ON about.candidate_no = candidate.candidate_no
LEFT JOIN first_match ON first_match.candidate_no = candidate.candidate_no
LEFT JOIN first_key ON first_key.candidate_no = candidate.candidate_no;

-- table: itself
-- columns: the nodes that are the candidate's own: its subject, and its ids that no paper owns.
SELECT subject.candidate_no, subject.node_no
FROM subject
WHERE subject.node_no IS NOT NULL
UNION
SELECT own_id.candidate_no, own_id.id_no
FROM own_id
ANTI JOIN owned ON owned.id_no = own_id.id_no;

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

-- table: further
-- columns: what the candidate touches otherwise than by a node's own id in its list: by another id of it, by an id of
--   several papers, or by an edge of the log. Each node once; is_listed where its list names it too.
SELECT found.candidate_no, found.node_no, found.standing, bool_or(found.is_listed) AS is_listed
FROM (
    SELECT reference.candidate_no, reference.node_no, reference.standing, TRUE AS is_listed
    FROM reference
    WHERE reference.id_no <> reference.node_no
    UNION ALL
    SELECT reference.candidate_no, owner.node_no, coalesce(node.standing, 0), TRUE
    FROM reference
    INNER JOIN owner ON owner.id_no = reference.id_no
    LEFT JOIN node ON node.node_no = owner.node_no
    WHERE reference.node_no IS NULL
    UNION ALL
    SELECT own_edge.candidate_no, own_edge.node_no, coalesce(node.standing, 0), FALSE
    FROM own_edge
    LEFT JOIN node ON node.node_no = own_edge.node_no
) AS found
ANTI JOIN reference AS by_own_id
    ON by_own_id.candidate_no = found.candidate_no
    AND by_own_id.node_no = found.node_no
    AND by_own_id.id_no = by_own_id.node_no
ANTI JOIN itself ON itself.candidate_no = found.candidate_no AND itself.node_no = found.node_no
GROUP BY found.candidate_no, found.node_no, found.standing;

-- table: neighbour
-- columns: every other end of an edge at the candidate, and what its own list cites, each once, with its standing.
SELECT listed.candidate_no, listed.node_no, listed.standing
FROM (
    SELECT reference.candidate_no, reference.node_no, reference.standing
    FROM reference
    WHERE reference.id_no = reference.node_no
    UNION ALL
    SELECT reference.candidate_no, number.id_no, 0
    FROM reference
    INNER JOIN id_number AS number ON number.lom_id = reference.lom_id
) AS listed
ANTI JOIN itself ON itself.candidate_no = listed.candidate_no AND itself.node_no = listed.node_no
UNION ALL
SELECT further.candidate_no, further.node_no, further.standing FROM further;

-- table: seen
-- columns: a held-out id, the node it speaks for (NULL: nobody).
SELECT
    named.candidate_no,
    named.lom_id,
    coalesce(named.id_no, number.id_no) AS id_no,
    CASE WHEN owned.id_no IS NULL THEN coalesce(named.id_no, number.id_no) ELSE owned.speaks_for_no END AS node_no
FROM named
LEFT JOIN id_number AS number ON number.lom_id = named.lom_id
LEFT JOIN owned ON owned.id_no = named.id_no
WHERE named.used_as = 'seen';

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
