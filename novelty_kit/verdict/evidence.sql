-- The log lines behind each decision: enough for a person to check it by hand. One part per deciding rule.
-- Source: novelty reference, section 6 (evidence).
-- Reads: decided, key_match, same_statement, two_hop, touched, itself, shown_overlap and listed_gap (what the
--        result lists), the state tables, paper_event.
-- Each evidence_* part: candidate_no, seq, table_name, key, why; only rows that stand in the log.

-- table: evidence_match
-- columns: rule 1: the paper row that holds the equal key, by the line that last set it; the equal claim.
WITH born AS (
    SELECT paper.id_no, coalesce(max(death.seq), 0) AS after_seq
    FROM paper_now AS paper
    SEMI JOIN key_match ON key_match.node_no = paper.id_no
    LEFT JOIN paper_event AS death ON death.id_no = paper.id_no AND death.gone AND death.seq < paper.seq
    GROUP BY paper.id_no
)

SELECT
    decided.candidate_no,
    coalesce(max(event.seq), max(paper.seq)) AS seq,
    'paper' AS table_name,
    own.lom_id AS key,
    split_part(key_match.lom_id, ':', 1) || ' key equal' AS why
FROM decided
INNER JOIN key_match ON key_match.candidate_no = decided.candidate_no
INNER JOIN paper_now AS paper ON paper.id_no = key_match.node_no
INNER JOIN identifier AS own ON own.id_no = paper.id_no
INNER JOIN born ON born.id_no = paper.id_no
LEFT JOIN paper_event AS event
    ON event.id_no = paper.id_no AND NOT event.gone AND event.seq <= paper.seq AND event.seq > born.after_seq
    AND key_match.id_no IN (event.doi_no, event.arxiv_no, event.openalex_no, event.s2_no, event.pmid_no)
    AND key_match.id_no IN (paper.doi_no, paper.arxiv_no, paper.openalex_no, paper.s2_no, paper.pmid_no)
WHERE decided.rule = 1 AND decided.kind = 'paper'
GROUP BY decided.candidate_no, own.lom_id, key_match.lom_id
UNION
SELECT decided.candidate_no, claim.seq, 'claim', claim.claim_id, 'statement equal'
FROM decided
INNER JOIN same_statement AS claim ON claim.candidate_no = decided.candidate_no AND NOT claim.is_left_out
WHERE decided.rule = 1 AND decided.kind = 'claim';

-- table: edge_line
-- columns: each edge row of the log that joins one of the candidate's own nodes to a node that counts.
WITH own_id AS (
    SELECT itself.candidate_no, owner.id_no, itself.node_no
    FROM itself
    INNER JOIN owner ON owner.node_no = itself.node_no
    UNION
    SELECT itself.candidate_no, itself.node_no, itself.node_no
    FROM itself
    ANTI JOIN owned ON owned.id_no = itself.node_no
),

joined AS (
    SELECT own_id.candidate_no, edge.seq, edge.cited_no AS other_no, edge.citing_no, edge.cited_no
    FROM own_id
    INNER JOIN citation_edge_now AS edge ON edge.citing_no = own_id.id_no
    UNION ALL
    SELECT own_id.candidate_no, edge.seq, edge.citing_no, edge.citing_no, edge.cited_no
    FROM own_id
    INNER JOIN citation_edge_now AS edge ON edge.cited_no = own_id.id_no
)

SELECT DISTINCT
    joined.candidate_no,
    joined.seq,
    coalesce(owner.node_no, joined.other_no) AS node_no,
    citing.lom_id || ' -> ' || cited.lom_id AS key
FROM joined
INNER JOIN identifier AS citing ON citing.id_no = joined.citing_no
INNER JOIN identifier AS cited ON cited.id_no = joined.cited_no
LEFT JOIN owner ON owner.id_no = joined.other_no
WHERE joined.citing_no <> joined.cited_no;

-- table: pair_line
-- columns: each edge row of the log between a shared node and a claim-bearing end that it leads to.
WITH pair AS (
    SELECT DISTINCT two_hop.node_no AS near_no, two_hop.end_no AS far_no
    FROM two_hop
    SEMI JOIN shown_overlap AS shown
        ON shown.candidate_no = two_hop.candidate_no AND shown.node_no = two_hop.node_no
),

spelled AS (
    SELECT pair.near_no, pair.far_no, coalesce(near.id_no, pair.near_no) AS near_id,
        coalesce(far.id_no, pair.far_no) AS far_id
    FROM pair
    LEFT JOIN owner AS near ON near.node_no = pair.near_no
    LEFT JOIN owner AS far ON far.node_no = pair.far_no
)

SELECT spelled.near_no, spelled.far_no, edge.seq, edge.citing_no, edge.cited_no
FROM spelled
INNER JOIN citation_edge_now AS edge ON edge.citing_no = spelled.near_id AND edge.cited_no = spelled.far_id
WHERE edge.citing_no <> edge.cited_no
UNION ALL
SELECT spelled.near_no, spelled.far_no, edge.seq, edge.citing_no, edge.cited_no
FROM spelled
INNER JOIN citation_edge_now AS edge ON edge.citing_no = spelled.far_id AND edge.cited_no = spelled.near_id
WHERE edge.citing_no <> edge.cited_no;

-- table: evidence_overlap
-- columns: rule 2: the edges to the nodes that count, and what makes those count.
SELECT
    decided.candidate_no,
    line.seq,
    'citation_edge' AS table_name,
    line.key,
    'joins the candidate to ' || shown.lom_id AS why
FROM decided
INNER JOIN shown_overlap AS shown ON shown.candidate_no = decided.candidate_no
INNER JOIN edge_line AS line ON line.candidate_no = shown.candidate_no AND line.node_no = shown.node_no
WHERE decided.rule = 2
UNION
SELECT decided.candidate_no, paper.seq, 'paper', shown.lom_id,
    'read' || CASE WHEN by_edge.node_no IS NULL THEN ', in the candidate''s own list' ELSE '' END
FROM decided
INNER JOIN shown_overlap AS shown ON shown.candidate_no = decided.candidate_no
INNER JOIN touched
    ON touched.candidate_no = shown.candidate_no AND touched.node_no = shown.node_no AND touched.standing IN (1, 3)
INNER JOIN paper_now AS paper ON paper.id_no = shown.node_no
LEFT JOIN further AS by_edge
    ON by_edge.candidate_no = shown.candidate_no AND by_edge.node_no = shown.node_no AND NOT by_edge.is_listed
WHERE decided.rule = 2
UNION
SELECT decided.candidate_no, claim.seq, 'claim', claim.claim_id, 'is about ' || shown.lom_id
FROM decided
INNER JOIN shown_overlap AS shown ON shown.candidate_no = decided.candidate_no
INNER JOIN claim_about AS claim ON claim.node_no = shown.node_no
ANTI JOIN left_out ON left_out.candidate_no = decided.candidate_no AND left_out.seq = claim.seq
WHERE decided.rule = 2
UNION
SELECT decided.candidate_no, claim.seq, 'claim', claim.claim_id,
    'is about ' || ending.lom_id || ', a neighbour of ' || shown.lom_id
FROM decided
INNER JOIN shown_overlap AS shown ON shown.candidate_no = decided.candidate_no
INNER JOIN two_hop ON two_hop.candidate_no = shown.candidate_no AND two_hop.node_no = shown.node_no
INNER JOIN claim_about AS claim ON claim.node_no = two_hop.end_no
INNER JOIN identifier AS ending ON ending.id_no = two_hop.end_no
WHERE decided.rule = 2
UNION
SELECT decided.candidate_no, edge.seq, 'citation_edge', citing.lom_id || ' -> ' || cited.lom_id,
    'joins ' || shown.lom_id || ' to ' || ending.lom_id
FROM decided
INNER JOIN shown_overlap AS shown ON shown.candidate_no = decided.candidate_no
INNER JOIN two_hop ON two_hop.candidate_no = shown.candidate_no AND two_hop.node_no = shown.node_no
INNER JOIN identifier AS ending ON ending.id_no = two_hop.end_no
INNER JOIN pair_line AS edge ON edge.near_no = two_hop.node_no AND edge.far_no = two_hop.end_no
INNER JOIN identifier AS citing ON citing.id_no = edge.citing_no
INNER JOIN identifier AS cited ON cited.id_no = edge.cited_no
WHERE decided.rule = 2;

-- table: evidence_alias
-- columns: rule 2: the paper row that holds an id by which a line above, or the candidate, names its node.
WITH told AS (
    SELECT line.candidate_no, edge.citing_no AS id_no
    FROM evidence_overlap AS line
    INNER JOIN citation_edge_now AS edge ON edge.seq = line.seq
    UNION
    SELECT line.candidate_no, edge.cited_no
    FROM evidence_overlap AS line
    INNER JOIN citation_edge_now AS edge ON edge.seq = line.seq
    UNION
    SELECT line.candidate_no, claim.about_no
    FROM evidence_overlap AS line
    INNER JOIN claim_now AS claim ON claim.seq = line.seq
    UNION
    SELECT cited.candidate_no, cited.id_no
    FROM reference AS cited
    INNER JOIN owner ON owner.id_no = cited.id_no
    SEMI JOIN shown_overlap AS shown
        ON shown.candidate_no = cited.candidate_no AND shown.node_no = owner.node_no
    UNION
    SELECT key_match.candidate_no, key_match.id_no
    FROM key_match
    SEMI JOIN shown_overlap AS shown ON shown.candidate_no = key_match.candidate_no
)

SELECT
    told.candidate_no,
    max(event.seq) AS seq,
    'paper' AS table_name,
    own.lom_id AS key,
    'holds ' || named.lom_id || ' as a key' AS why
FROM told
INNER JOIN owner ON owner.id_no = told.id_no AND owner.node_no <> told.id_no
INNER JOIN paper_now AS paper ON paper.id_no = owner.node_no
INNER JOIN identifier AS own ON own.id_no = owner.node_no
INNER JOIN identifier AS named ON named.id_no = told.id_no
INNER JOIN paper_event AS event
    ON event.id_no = owner.node_no AND NOT event.gone AND event.seq <= paper.seq
    AND told.id_no IN (event.doi_no, event.arxiv_no, event.openalex_no, event.s2_no, event.pmid_no)
GROUP BY told.candidate_no, own.lom_id, named.lom_id;

-- table: evidence_gap
-- columns: rule 3: the coverage rows that do not suffice, or the row of a paper that nobody asked about.
SELECT
    gap.candidate_no,
    checked.seq,
    'references_checked' AS table_name,
    identifier.lom_id AS key,
    gap.reason || ': ' || gap.lom_id AS why
FROM listed_gap AS gap
INNER JOIN identifier AS own ON own.lom_id = gap.lom_id
INNER JOIN checked ON checked.node_no = own.id_no
INNER JOIN identifier ON identifier.id_no = checked.id_no
UNION
SELECT gap.candidate_no, paper.seq, 'paper', gap.lom_id, gap.reason || ': ' || gap.lom_id
FROM listed_gap AS gap
INNER JOIN identifier AS own ON own.lom_id = gap.lom_id
INNER JOIN paper_now AS paper ON paper.id_no = own.id_no
WHERE gap.reason = 'unchecked';

-- table: evidence_subject
-- columns: rules 3 and 4: what is known of the subject's own list.
SELECT
    decided.candidate_no,
    checked.seq,
    'references_checked' AS table_name,
    identifier.lom_id AS key,
    'the subject''s own list' AS why
FROM decided
INNER JOIN itself ON itself.candidate_no = decided.candidate_no
INNER JOIN checked ON checked.node_no = itself.node_no
INNER JOIN identifier ON identifier.id_no = checked.id_no
WHERE decided.rule IN (3, 4)
UNION
SELECT decided.candidate_no, line.seq, 'citation_edge', line.key, 'a read, covered paper cites the subject'
FROM decided
INNER JOIN subject_coverage AS coverage ON coverage.candidate_no = decided.candidate_no AND coverage.kind = 'in'
INNER JOIN own_edge ON own_edge.candidate_no = decided.candidate_no AND own_edge.is_cited
INNER JOIN node ON node.node_no = own_edge.node_no AND node.is_read AND node.covered_out
INNER JOIN edge_line AS line ON line.candidate_no = decided.candidate_no AND line.node_no = own_edge.node_no
WHERE decided.rule IN (3, 4);
