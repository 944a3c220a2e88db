-- Papers and their ids as spans of the log: each row holds from one event on, up to another and not beyond.
-- Source: novelty reference, sections 1 (current rows) and 2 (one node, many ids).
-- Reads: paper_event and identifier of the log. At every seq the spans that contain it are the rows that state.sql
--        makes of that moment; so it is in all files of spans. 9223372036854775807 is the end that never comes.

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
