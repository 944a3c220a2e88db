-- What is legal in a log and still worth a look. One SELECT per code: what (an id), seq (a line, if one), why.
-- Source: novelty reference, sections 1 to 3. Reads: the state tables, event; $as_of.

-- table: several_owners
SELECT
    identifier.lom_id AS what,
    NULL::BIGINT AS seq,
    'names ' || count(*) || ' papers: ' || string_agg(name.lom_id, ' ' ORDER BY name.lom_id) AS why
FROM owned
INNER JOIN owner ON owner.id_no = owned.id_no
INNER JOIN identifier ON identifier.id_no = owned.id_no
INNER JOIN identifier AS name ON name.id_no = owner.node_no
WHERE owned.n_owners > 1
GROUP BY identifier.lom_id;

-- table: own_key_differs
SELECT own.lom_id AS what, paper.seq, 'its row holds another ' || split_part(own.lom_id, ':', 1) || ' id: ' || other.lom_id AS why
FROM paper_now AS paper
INNER JOIN identifier AS own ON own.id_no = paper.id_no
INNER JOIN identifier AS other ON other.id_no = CASE split_part(own.lom_id, ':', 1)
        WHEN 'arxiv' THEN paper.arxiv_no
        WHEN 'doi' THEN paper.doi_no
        WHEN 'openalex' THEN paper.openalex_no
        WHEN 'pmid' THEN paper.pmid_no
        WHEN 's2' THEN paper.s2_no
    END
WHERE other.id_no <> paper.id_no;

-- table: self_loop
SELECT identifier.lom_id AS what, edge.seq, 'cites itself; the edge is ignored' AS why
FROM citation_edge_now AS edge
INNER JOIN identifier ON identifier.id_no = edge.citing_no
WHERE edge.citing_no = edge.cited_no;

-- table: edge_within_a_node
SELECT
    citing.lom_id AS what,
    edge.seq,
    'cites ' || cited.lom_id || ', which names the same paper; the edge is ignored' AS why
FROM citation_edge_now AS edge
INNER JOIN identifier AS citing ON citing.id_no = edge.citing_no
INNER JOIN identifier AS cited ON cited.id_no = edge.cited_no
LEFT JOIN owned AS citing_owned ON citing_owned.id_no = edge.citing_no
LEFT JOIN owned AS cited_owned ON cited_owned.id_no = edge.cited_no
LEFT JOIN owner AS citing_owner ON citing_owner.id_no = edge.citing_no
LEFT JOIN owner AS cited_owner ON cited_owner.id_no = edge.cited_no
WHERE edge.citing_no <> edge.cited_no
    AND coalesce(citing_owned.n_owners, 1) = 1
    AND coalesce(cited_owned.n_owners, 1) = 1
    AND coalesce(citing_owner.node_no, edge.citing_no) = coalesce(cited_owner.node_no, edge.cited_no);

-- table: zero_contradicted
SELECT
    node.lom_id AS what,
    max(checked.seq) FILTER (checked.status = 'ok' AND checked.n_refs = 0) AS seq,
    'a checked zero, but an edge or another row shows references; it covers nothing' AS why
FROM node
INNER JOIN checked ON checked.node_no = node.node_no
WHERE node.contradicted
GROUP BY node.lom_id;

-- table: future_date
SELECT
    node.lom_id AS what,
    paper.seq,
    'dated ' || paper.publication_date || ', after the last time in the log' AS why
FROM node
INNER JOIN paper_now AS paper ON paper.id_no = node.node_no
CROSS JOIN (
    SELECT coalesce(max(event.ts), (
        SELECT max(TRY_CAST(upper(row.checked_ts) AS TIMESTAMPTZ)) FROM references_checked_now AS row
    )) AS ts
    FROM event
    WHERE event.seq <= $as_of
) AS latest
WHERE node.date_from > CAST(latest.ts AS DATE);
