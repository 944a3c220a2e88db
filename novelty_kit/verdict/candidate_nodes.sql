-- The candidate as a node: its subject, what is itself, what it touches, what its authors used.
-- Source: novelty reference, section 2 (the subject) and 4 (candidate).
-- Reads: candidate, named, reference, id_number, own_id, key_match; owner, owned, edge, node.

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
