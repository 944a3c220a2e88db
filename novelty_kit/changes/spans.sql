-- The graph's facts as spans of the log: each holds from one event on, up to another and not beyond.
-- Source: novelty reference, sections 1 (current rows), 2 (one node, many ids), 3 (covered) and 7 (time).
-- Reads: the *_event tables and identifier of the log. At every seq the spans that contain it are the rows that
--        state.sql makes of that moment. 9223372036854775807 is the end that never comes.

-- table: paper_span
-- columns: a paper's row between two of its events: keys, whether it is read, its date.
WITH lived AS (
    SELECT
        event.seq, event.id_no, event.gone,
        event.doi_no, event.arxiv_no, event.openalex_no, event.s2_no, event.pmid_no, event.publication_date, event.read,
        event.has_doi, event.has_arxiv, event.has_openalex, event.has_s2, event.has_pmid,
        event.has_publication_date, event.has_read,
        lead(event.seq, 1, 9223372036854775807) OVER (PARTITION BY event.id_no ORDER BY event.seq) AS to_seq,
        sum(event.gone::INTEGER) OVER (PARTITION BY event.id_no ORDER BY event.seq) AS life,
        count(*) OVER (PARTITION BY event.id_no) AS n_events
    FROM paper_event AS event
)

SELECT
    lived.id_no, lived.seq AS from_seq, lived.to_seq,
    lived.doi_no, lived.arxiv_no, lived.openalex_no, lived.s2_no, lived.pmid_no,
    coalesce(lived.read, TRUE) AS is_read, lived.publication_date
FROM lived
WHERE lived.n_events = 1 AND NOT lived.gone
UNION ALL
SELECT
    here.id_no,
    here.seq,
    here.to_seq,
    arg_max_null(past.doi_no, past.seq) FILTER (past.has_doi),
    arg_max_null(past.arxiv_no, past.seq) FILTER (past.has_arxiv),
    arg_max_null(past.openalex_no, past.seq) FILTER (past.has_openalex),
    arg_max_null(past.s2_no, past.seq) FILTER (past.has_s2),
    arg_max_null(past.pmid_no, past.seq) FILTER (past.has_pmid),
    coalesce(arg_max_null(past.read, past.seq) FILTER (past.has_read), TRUE),
    arg_max_null(past.publication_date, past.seq) FILTER (past.has_publication_date)
FROM lived AS here
INNER JOIN lived AS past ON past.id_no = here.id_no AND past.life = here.life AND past.seq <= here.seq AND NOT past.gone
WHERE here.n_events > 1 AND NOT here.gone
GROUP BY here.id_no, here.seq, here.to_seq;

-- table: paper_fact
-- columns: a paper's read flag and date, as long as neither changes.
WITH marked AS (
    SELECT
        paper.id_no, paper.from_seq, paper.to_seq, paper.is_read, paper.publication_date,
        CASE
            WHEN lag(paper.to_seq) OVER in_order = paper.from_seq
                AND lag(paper.is_read) OVER in_order = paper.is_read
                AND lag(paper.publication_date) OVER in_order IS NOT DISTINCT FROM paper.publication_date
                THEN 0
            ELSE 1
        END AS starts
    FROM paper_span AS paper
    WINDOW in_order AS (PARTITION BY paper.id_no ORDER BY paper.from_seq)
)

SELECT run.id_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq, run.is_read, run.publication_date
FROM (
    SELECT
        marked.id_no, marked.from_seq, marked.to_seq, marked.is_read, marked.publication_date,
        sum(marked.starts) OVER (PARTITION BY marked.id_no ORDER BY marked.from_seq) AS run_no
    FROM marked
) AS run
GROUP BY run.id_no, run.run_no, run.is_read, run.publication_date;

-- table: owner_span
-- columns: an id, and a paper that it names: its own lom_id or one of its keys.
WITH named AS (
    SELECT paper.id_no, paper.id_no AS node_no, paper.from_seq, paper.to_seq FROM paper_span AS paper
    UNION
    SELECT paper.doi_no, paper.id_no, paper.from_seq, paper.to_seq FROM paper_span AS paper WHERE paper.doi_no IS NOT NULL
    UNION
    SELECT paper.arxiv_no, paper.id_no, paper.from_seq, paper.to_seq
    FROM paper_span AS paper WHERE paper.arxiv_no IS NOT NULL
    UNION
    SELECT paper.openalex_no, paper.id_no, paper.from_seq, paper.to_seq
    FROM paper_span AS paper WHERE paper.openalex_no IS NOT NULL
    UNION
    SELECT paper.s2_no, paper.id_no, paper.from_seq, paper.to_seq FROM paper_span AS paper WHERE paper.s2_no IS NOT NULL
    UNION
    SELECT paper.pmid_no, paper.id_no, paper.from_seq, paper.to_seq
    FROM paper_span AS paper WHERE paper.pmid_no IS NOT NULL
)

SELECT run.id_no, run.node_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.id_no, marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.id_no, marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            named.id_no, named.node_no, named.from_seq, named.to_seq,
            CASE
                WHEN lag(named.to_seq) OVER (PARTITION BY named.id_no, named.node_no ORDER BY named.from_seq)
                    = named.from_seq THEN 0
                ELSE 1
            END AS starts
        FROM named
    ) AS marked
) AS run
GROUP BY run.id_no, run.node_no, run.run_no;

-- table: owned_span
-- columns: an id that papers own, how many; whom it speaks for (NULL: nobody) and which one it means.
WITH contested AS (
    SELECT owner.id_no FROM owner_span AS owner GROUP BY owner.id_no HAVING count(DISTINCT owner.node_no) > 1
),

piece AS (
    SELECT bound.id_no, bound.seq AS from_seq, lead(bound.seq) OVER (PARTITION BY bound.id_no ORDER BY bound.seq) AS to_seq
    FROM (
        SELECT owner.id_no, owner.from_seq AS seq FROM owner_span AS owner SEMI JOIN contested USING (id_no)
        UNION
        SELECT owner.id_no, owner.to_seq FROM owner_span AS owner SEMI JOIN contested USING (id_no)
    ) AS bound
)

SELECT
    owner.id_no, owner.from_seq, owner.to_seq, 1 AS n_owners, owner.node_no AS speaks_for_no, owner.node_no AS means_no
FROM owner_span AS owner
ANTI JOIN contested ON contested.id_no = owner.id_no
UNION ALL
SELECT
    piece.id_no,
    piece.from_seq,
    piece.to_seq,
    count(*),
    CASE
        WHEN count(*) = 1 THEN min(owner.node_no)
        WHEN bool_or(owner.node_no = owner.id_no) THEN piece.id_no
    END,
    CASE
        WHEN bool_or(owner.node_no = owner.id_no) THEN piece.id_no
        ELSE arg_min(owner.node_no, identifier.lom_id)
    END
FROM piece
INNER JOIN owner_span AS owner
    ON owner.id_no = piece.id_no AND owner.from_seq <= piece.from_seq AND owner.to_seq > piece.from_seq
INNER JOIN identifier ON identifier.id_no = owner.node_no
WHERE piece.to_seq IS NOT NULL
GROUP BY piece.id_no, piece.from_seq, piece.to_seq;

-- table: free_span
-- columns: an id while no paper owns it.
WITH held AS (
    SELECT
        owned.id_no, owned.from_seq, owned.to_seq,
        lag(owned.to_seq, 1, 0) OVER (PARTITION BY owned.id_no ORDER BY owned.from_seq) AS since_seq
    FROM owned_span AS owned
)

SELECT held.id_no, held.since_seq AS from_seq, held.from_seq AS to_seq FROM held WHERE held.since_seq < held.from_seq
UNION ALL
SELECT held.id_no, max(held.to_seq), 9223372036854775807
FROM held
GROUP BY held.id_no
HAVING max(held.to_seq) < 9223372036854775807
UNION ALL
SELECT identifier.id_no, 0, 9223372036854775807
FROM identifier
ANTI JOIN held ON held.id_no = identifier.id_no;

-- table: place_span
-- columns: every id and a node that an edge, a reference or a claim at it touches.
WITH placed AS (
    SELECT owner.id_no, owner.node_no, owner.from_seq, owner.to_seq FROM owner_span AS owner
    UNION ALL
    SELECT free.id_no, free.id_no, free.from_seq, free.to_seq FROM free_span AS free
),

often AS (
    SELECT placed.id_no, placed.node_no FROM placed GROUP BY placed.id_no, placed.node_no HAVING count(*) > 1
)

SELECT placed.id_no, placed.node_no, placed.from_seq, placed.to_seq
FROM placed
ANTI JOIN often ON often.id_no = placed.id_no AND often.node_no = placed.node_no
UNION ALL
SELECT run.id_no, run.node_no, min(run.from_seq), max(run.to_seq)
FROM (
    SELECT
        marked.id_no, marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.id_no, marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            placed.id_no, placed.node_no, placed.from_seq, placed.to_seq,
            CASE
                WHEN lag(placed.to_seq) OVER (PARTITION BY placed.id_no, placed.node_no ORDER BY placed.from_seq)
                    = placed.from_seq THEN 0
                ELSE 1
            END AS starts
        FROM placed
        SEMI JOIN often ON often.id_no = placed.id_no AND often.node_no = placed.node_no
    ) AS marked
) AS run
GROUP BY run.id_no, run.node_no, run.run_no;

-- table: raw_edge
-- columns: a row of citation_edge as long as it stands.
WITH single AS (
    SELECT event.citing_no, event.cited_no, min(event.seq) AS seq, count(*) AS n, bool_or(event.gone) AS gone
    FROM citation_edge_event AS event
    GROUP BY event.citing_no, event.cited_no
)

SELECT single.citing_no, single.cited_no, single.seq AS from_seq, 9223372036854775807 AS to_seq
FROM single
WHERE single.n = 1 AND NOT single.gone AND single.citing_no <> single.cited_no
UNION ALL
SELECT run.citing_no, run.cited_no, run.seq, run.to_seq
FROM (
    SELECT
        turn.citing_no, turn.cited_no, turn.seq, turn.gone,
        lead(turn.seq, 1, 9223372036854775807) OVER (PARTITION BY turn.citing_no, turn.cited_no ORDER BY turn.seq) AS to_seq
    FROM (
        SELECT
            event.citing_no, event.cited_no, event.seq, event.gone,
            lag(event.gone, 1, TRUE) OVER (PARTITION BY event.citing_no, event.cited_no ORDER BY event.seq) AS was_gone
        FROM citation_edge_event AS event
        SEMI JOIN single
            ON single.citing_no = event.citing_no AND single.cited_no = event.cited_no AND single.n > 1
    ) AS turn
    WHERE turn.gone <> turn.was_gone AND turn.citing_no <> turn.cited_no
) AS run
WHERE NOT run.gone;

-- table: edge_piece
-- columns: an edge between two nodes by one row of the log, while both ids name these nodes.
SELECT
    citing.node_no AS citing_no,
    cited.node_no AS cited_no,
    greatest(edge.from_seq, citing.from_seq, cited.from_seq) AS from_seq,
    least(edge.to_seq, citing.to_seq, cited.to_seq) AS to_seq
FROM raw_edge AS edge
INNER JOIN place_span AS citing ON citing.id_no = edge.citing_no
INNER JOIN place_span AS cited ON cited.id_no = edge.cited_no
WHERE citing.node_no <> cited.node_no
    AND greatest(edge.from_seq, citing.from_seq, cited.from_seq) < least(edge.to_seq, citing.to_seq, cited.to_seq);

-- table: edge_span
-- columns: an edge between two nodes, as long as any row of the log says so.
WITH often AS (
    SELECT piece.citing_no, piece.cited_no FROM edge_piece AS piece GROUP BY piece.citing_no, piece.cited_no HAVING count(*) > 1
)

SELECT piece.citing_no, piece.cited_no, piece.from_seq, piece.to_seq
FROM edge_piece AS piece
ANTI JOIN often ON often.citing_no = piece.citing_no AND often.cited_no = piece.cited_no
UNION ALL
SELECT run.citing_no, run.cited_no, min(run.from_seq), max(run.to_seq)
FROM (
    SELECT
        marked.citing_no, marked.cited_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (
            PARTITION BY marked.citing_no, marked.cited_no ORDER BY marked.from_seq, marked.to_seq
            ROWS UNBOUNDED PRECEDING
        ) AS run_no
    FROM (
        SELECT
            piece.citing_no, piece.cited_no, piece.from_seq, piece.to_seq,
            CASE
                WHEN piece.from_seq <= max(piece.to_seq) OVER (
                    PARTITION BY piece.citing_no, piece.cited_no ORDER BY piece.from_seq, piece.to_seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) THEN 0
                ELSE 1
            END AS starts
        FROM edge_piece AS piece
        SEMI JOIN often ON often.citing_no = piece.citing_no AND often.cited_no = piece.cited_no
    ) AS marked
) AS run
GROUP BY run.citing_no, run.cited_no, run.run_no;

-- table: claim_span
-- columns: a claim as long as it says the same about the same; seq names it, its first event.
SELECT run.claim_id, run.about_no, run.statement_key, min(run.seq) AS seq, min(run.seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        turn.claim_id, turn.about_no, turn.statement_key, turn.seq, turn.gone, turn.to_seq,
        sum(turn.starts) OVER (PARTITION BY turn.claim_id ORDER BY turn.seq) AS run_no
    FROM (
        SELECT
            event.claim_id, event.about_no, event.statement_key, event.seq, event.gone,
            lead(event.seq, 1, 9223372036854775807) OVER in_order AS to_seq,
            CASE
                WHEN lag(event.gone) OVER in_order IS NOT DISTINCT FROM event.gone
                    AND lag(event.about_no) OVER in_order IS NOT DISTINCT FROM event.about_no
                    AND lag(event.statement_key) OVER in_order IS NOT DISTINCT FROM event.statement_key
                    THEN 0
                ELSE 1
            END AS starts
        FROM claim_event AS event
        WINDOW in_order AS (PARTITION BY event.claim_id ORDER BY event.seq)
    ) AS turn
) AS run
WHERE NOT run.gone
GROUP BY run.claim_id, run.about_no, run.statement_key, run.run_no;

-- table: claim_about_span
-- columns: a claim and a node that it is about.
SELECT
    claim.seq, claim.claim_id, place.node_no,
    greatest(claim.from_seq, place.from_seq) AS from_seq, least(claim.to_seq, place.to_seq) AS to_seq
FROM claim_span AS claim
INNER JOIN place_span AS place
    ON place.id_no = claim.about_no AND place.from_seq < claim.to_seq AND claim.from_seq < place.to_seq;

-- table: checked_span
-- columns: a coverage row and the node that it speaks for.
WITH row_span AS (
    SELECT run.id_no, run.n_refs, run.status, min(run.seq) AS from_seq, max(run.to_seq) AS to_seq
    FROM (
        SELECT
            turn.id_no, turn.n_refs, turn.status, turn.seq, turn.gone, turn.to_seq,
            sum(turn.starts) OVER (PARTITION BY turn.id_no ORDER BY turn.seq) AS run_no
        FROM (
            SELECT
                event.id_no, event.n_refs, event.status, event.seq, event.gone,
                lead(event.seq, 1, 9223372036854775807) OVER in_order AS to_seq,
                CASE
                    WHEN lag(event.gone) OVER in_order IS NOT DISTINCT FROM event.gone
                        AND lag(event.n_refs) OVER in_order IS NOT DISTINCT FROM event.n_refs
                        AND lag(event.status) OVER in_order IS NOT DISTINCT FROM event.status
                        THEN 0
                    ELSE 1
                END AS starts
            FROM references_checked_event AS event
            WINDOW in_order AS (PARTITION BY event.id_no ORDER BY event.seq)
        ) AS turn
    ) AS run
    WHERE NOT run.gone
    GROUP BY run.id_no, run.n_refs, run.status, run.run_no
),

speaks AS (
    SELECT owned.id_no, owned.speaks_for_no AS node_no, owned.from_seq, owned.to_seq
    FROM owned_span AS owned
    WHERE owned.speaks_for_no IS NOT NULL
    UNION ALL
    SELECT free.id_no, free.id_no, free.from_seq, free.to_seq FROM free_span AS free
)

SELECT
    speaks.node_no, row_span.id_no, row_span.n_refs, row_span.status,
    greatest(row_span.from_seq, speaks.from_seq) AS from_seq, least(row_span.to_seq, speaks.to_seq) AS to_seq
FROM row_span
INNER JOIN speaks
    ON speaks.id_no = row_span.id_no AND speaks.from_seq < row_span.to_seq AND row_span.from_seq < speaks.to_seq;

-- table: cites_span
-- columns: a node whose list was ever recorded as empty, while some edge shows it citing.
SELECT run.node_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (
            PARTITION BY marked.node_no ORDER BY marked.from_seq, marked.to_seq ROWS UNBOUNDED PRECEDING
        ) AS run_no
    FROM (
        SELECT
            edge.citing_no AS node_no, edge.from_seq, edge.to_seq,
            CASE
                WHEN edge.from_seq <= max(edge.to_seq) OVER (
                    PARTITION BY edge.citing_no ORDER BY edge.from_seq, edge.to_seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) THEN 0
                ELSE 1
            END AS starts
        FROM edge_span AS edge
        SEMI JOIN checked_span AS zero
            ON zero.node_no = edge.citing_no AND zero.status = 'ok' AND zero.n_refs = 0
    ) AS marked
) AS run
GROUP BY run.node_no, run.run_no;

-- table: node_step
-- columns: after each event at a node: how many rows, claims, ok rows, ok rows above 0, failed rows; citing or not.
SELECT
    step.node_no,
    step.seq AS from_seq,
    lead(step.seq, 1, 9223372036854775807) OVER so_far AS to_seq,
    sum(step.n_rows) OVER so_far AS n_rows,
    sum(step.n_claims) OVER so_far AS n_claims,
    sum(step.n_ok) OVER so_far AS n_ok,
    sum(step.n_above) OVER so_far AS n_above,
    sum(step.n_failed) OVER so_far AS n_failed,
    sum(step.n_cites) OVER so_far AS n_cites
FROM (
    SELECT
        moved.node_no, moved.seq,
        sum(moved.n_rows) AS n_rows, sum(moved.n_claims) AS n_claims, sum(moved.n_ok) AS n_ok,
        sum(moved.n_above) AS n_above, sum(moved.n_failed) AS n_failed, sum(moved.n_cites) AS n_cites
    FROM (
        SELECT fact.id_no AS node_no, fact.from_seq AS seq, 1 AS n_rows, 0 AS n_claims, 0 AS n_ok, 0 AS n_above,
            0 AS n_failed, 0 AS n_cites
        FROM paper_fact AS fact
        UNION ALL
        SELECT fact.id_no, fact.to_seq, -1, 0, 0, 0, 0, 0 FROM paper_fact AS fact
        UNION ALL
        SELECT claim.node_no, claim.from_seq, 0, 1, 0, 0, 0, 0 FROM claim_about_span AS claim
        UNION ALL
        SELECT claim.node_no, claim.to_seq, 0, -1, 0, 0, 0, 0 FROM claim_about_span AS claim
        UNION ALL
        SELECT row.node_no, row.from_seq, 0, 0, (row.status = 'ok')::INTEGER,
            (row.status = 'ok' AND row.n_refs > 0)::INTEGER, (row.status = 'failed')::INTEGER, 0
        FROM checked_span AS row
        UNION ALL
        SELECT row.node_no, row.to_seq, 0, 0, -(row.status = 'ok')::INTEGER,
            -(row.status = 'ok' AND row.n_refs > 0)::INTEGER, -(row.status = 'failed')::INTEGER, 0
        FROM checked_span AS row
        UNION ALL
        SELECT cites.node_no, cites.from_seq, 0, 0, 0, 0, 0, 1 FROM cites_span AS cites
        UNION ALL
        SELECT cites.node_no, cites.to_seq, 0, 0, 0, 0, 0, -1 FROM cites_span AS cites
    ) AS moved
    WHERE moved.seq < 9223372036854775807
    GROUP BY moved.node_no, moved.seq
) AS step
WINDOW so_far AS (PARTITION BY step.node_no ORDER BY step.seq);

-- table: node_span
-- columns: those of the state's node, without its name.
SELECT
    step.node_no,
    step.from_seq,
    step.to_seq,
    paper.id_no IS NOT NULL AS has_row,
    coalesce(paper.is_read, FALSE) AS is_read,
    CAST(step.n_claims AS BIGINT) AS n_claims,
    TRY_CAST(rpad(paper.publication_date, 10, '-01') AS DATE) AS date_from,
    CASE length(paper.publication_date)
        WHEN 4 THEN make_date(paper.publication_date::INTEGER, 12, 31)
        WHEN 7 THEN last_day((paper.publication_date || '-01')::DATE)
        WHEN 10 THEN paper.publication_date::DATE
    END AS date_to,
    step.n_failed > 0 AS has_failed,
    step.n_ok > 0 AND step.n_above = 0 AND step.n_cites > 0 AS contradicted,
    step.n_ok > 0 AND (step.n_above > 0 OR step.n_cites = 0) AS covered_out
FROM node_step AS step
LEFT JOIN paper_fact AS paper
    ON paper.id_no = step.node_no AND paper.from_seq <= step.from_seq AND paper.to_seq > step.from_seq
WHERE step.n_rows > 0 OR step.n_claims > 0 OR step.n_ok > 0 OR step.n_failed > 0;

-- table: flag_span
-- columns: a node while it is read or claim-bearing, and while neither of the two changes.
SELECT run.node_no, run.is_read, run.is_bearing, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.is_read, marked.is_bearing, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            node.node_no, node.is_read, node.n_claims > 0 AS is_bearing, node.from_seq, node.to_seq,
            CASE
                WHEN lag(node.to_seq) OVER in_order = node.from_seq
                    AND lag(node.is_read) OVER in_order = node.is_read
                    AND lag(node.n_claims > 0) OVER in_order = (node.n_claims > 0)
                    THEN 0
                ELSE 1
            END AS starts
        FROM node_span AS node
        WHERE node.is_read OR node.n_claims > 0
        WINDOW in_order AS (PARTITION BY node.node_no ORDER BY node.from_seq)
    ) AS marked
) AS run
GROUP BY run.node_no, run.is_read, run.is_bearing, run.run_no;

-- table: coverer_span
-- columns: a node while it is read and its list is known: whom it cites is covered.
SELECT run.node_no, min(run.from_seq) AS from_seq, max(run.to_seq) AS to_seq
FROM (
    SELECT
        marked.node_no, marked.from_seq, marked.to_seq,
        sum(marked.starts) OVER (PARTITION BY marked.node_no ORDER BY marked.from_seq) AS run_no
    FROM (
        SELECT
            node.node_no, node.from_seq, node.to_seq,
            CASE
                WHEN lag(node.to_seq) OVER (PARTITION BY node.node_no ORDER BY node.from_seq) = node.from_seq THEN 0
                ELSE 1
            END AS starts
        FROM node_span AS node
        WHERE node.is_read AND node.covered_out
    ) AS marked
) AS run
GROUP BY run.node_no, run.run_no;

-- table: cover_step
-- columns: after each event at a compared node: how many coverers cite it, and the sum of their numbers.
SELECT
    step.node_no,
    step.seq,
    sum(step.n) OVER so_far AS n_citing,
    sum(step.citing) OVER so_far AS citing
FROM (
    SELECT moved.node_no, moved.seq, sum(moved.n) AS n, sum(moved.citing) AS citing
    FROM (
        SELECT flag.node_no, 0 AS seq, 0 AS n, 0 AS citing FROM flag_span AS flag
        UNION ALL
        SELECT edge.cited_no, greatest(edge.from_seq, coverer.from_seq), 1, edge.citing_no
        FROM edge_span AS edge
        INNER JOIN coverer_span AS coverer
            ON coverer.node_no = edge.citing_no AND coverer.from_seq < edge.to_seq AND edge.from_seq < coverer.to_seq
        SEMI JOIN flag_span AS flag ON flag.node_no = edge.cited_no
        UNION ALL
        SELECT edge.cited_no, least(edge.to_seq, coverer.to_seq), -1, -edge.citing_no
        FROM edge_span AS edge
        INNER JOIN coverer_span AS coverer
            ON coverer.node_no = edge.citing_no AND coverer.from_seq < edge.to_seq AND edge.from_seq < coverer.to_seq
        SEMI JOIN flag_span AS flag ON flag.node_no = edge.cited_no
        WHERE least(edge.to_seq, coverer.to_seq) < 9223372036854775807
    ) AS moved
    GROUP BY moved.node_no, moved.seq
) AS step
WINDOW so_far AS (PARTITION BY step.node_no ORDER BY step.seq);

-- table: cover_span
-- columns: a compared node with how many coverers cite it (0, 1, or 2 for more), and which where it is only one.
SELECT
    turn.node_no, turn.n_citing, turn.only_citing_no,
    turn.seq AS from_seq,
    lead(turn.seq, 1, 9223372036854775807) OVER (PARTITION BY turn.node_no ORDER BY turn.seq) AS to_seq
FROM (
    SELECT
        step.node_no, step.seq, step.n_citing, step.only_citing_no,
        lag(step.n_citing, 1, -1) OVER in_order AS n_before,
        lag(step.only_citing_no) OVER in_order AS only_before
    FROM (
        SELECT
            every.node_no, every.seq,
            CAST(least(every.n_citing, 2) AS INTEGER) AS n_citing,
            CASE WHEN every.n_citing = 1 THEN CAST(every.citing AS INTEGER) END AS only_citing_no
        FROM cover_step AS every
    ) AS step
    WINDOW in_order AS (PARTITION BY step.node_no ORDER BY step.seq)
) AS turn
WHERE turn.n_citing <> turn.n_before OR turn.only_citing_no IS DISTINCT FROM turn.only_before;

-- table: open_step
-- columns: at each event, how many compared nodes of one last day begin or cease to be uncovered: n where an
--   in-edge covers, n_strict where it does not.
SELECT moved.seq, moved.last_day, moved.is_bearing, sum(moved.n) AS n, sum(moved.n_strict) AS n_strict
FROM (
    SELECT
        bound.seq, coalesce(node.date_to, DATE '9999-12-31') AS last_day, node.n_claims > 0 AS is_bearing,
        bound.sign * (cover.n_citing = 0)::INTEGER AS n, bound.sign AS n_strict
    FROM node_span AS node
    INNER JOIN cover_span AS cover
        ON cover.node_no = node.node_no AND cover.from_seq < node.to_seq AND node.from_seq < cover.to_seq
    CROSS JOIN LATERAL (
        SELECT greatest(node.from_seq, cover.from_seq) AS seq, 1 AS sign
        UNION ALL
        SELECT least(node.to_seq, cover.to_seq), -1
    ) AS bound
    WHERE (node.is_read OR node.n_claims > 0) AND NOT node.covered_out
) AS moved
WHERE moved.seq < 9223372036854775807
GROUP BY moved.seq, moved.last_day, moved.is_bearing
HAVING sum(moved.n) <> 0 OR sum(moved.n_strict) <> 0;

-- table: count_step
-- columns: at each event, how many more there are of compared nodes, covered by their own list, only by an in-edge,
--   and of claims.
SELECT
    moved.seq, sum(moved.n_compared) AS n_compared, sum(moved.n_out) AS n_out, sum(moved.n_in) AS n_in,
    sum(moved.n_claims) AS n_claims
FROM (
    SELECT
        bound.seq, bound.sign AS n_compared, bound.sign * node.covered_out::INTEGER AS n_out,
        bound.sign * (NOT node.covered_out AND cover.n_citing > 0)::INTEGER AS n_in, 0 AS n_claims
    FROM node_span AS node
    INNER JOIN cover_span AS cover
        ON cover.node_no = node.node_no AND cover.from_seq < node.to_seq AND node.from_seq < cover.to_seq
    CROSS JOIN LATERAL (
        SELECT greatest(node.from_seq, cover.from_seq) AS seq, 1 AS sign
        UNION ALL
        SELECT least(node.to_seq, cover.to_seq), -1
    ) AS bound
    WHERE node.is_read OR node.n_claims > 0
    UNION ALL
    SELECT claim.from_seq, 0, 0, 0, 1 FROM claim_span AS claim
    UNION ALL
    SELECT claim.to_seq, 0, 0, 0, -1 FROM claim_span AS claim
) AS moved
WHERE moved.seq < 9223372036854775807
GROUP BY moved.seq
HAVING sum(moved.n_compared) <> 0 OR sum(moved.n_out) <> 0 OR sum(moved.n_in) <> 0 OR sum(moved.n_claims) <> 0;
