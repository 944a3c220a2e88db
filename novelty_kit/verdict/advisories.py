"""What a person should know beside a verdict; an advisory never changes one (novelty reference, section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.verdict.candidate import Candidate
from novelty_kit.verdict.tables import fill

if TYPE_CHECKING:
    import duckdb

__all__ = ["advise"]

# A title of fewer words is shared by different works too often; so is one published again years later.
MIN_TITLE_WORDS = 3
MAX_YEARS_APART = 3


def advise(
    con: duckdb.DuckDBPyConnection,
    candidates: Sequence[Candidate],
    facts: Mapping[int, Mapping[str, Any]],
    stubs: Mapping[int, Sequence[str]],
    seen_self: Mapping[int, Sequence[str]],
    matches: Mapping[int, Sequence[tuple[str, str]]],
) -> dict[int, list[dict[str, Any]]]:
    """Advisories by candidate number, each with ``code``, ``lom_id`` and ``reason``, in a fixed order."""
    lacking = _schemes_lacking(con) if any(stubs.values()) else {}
    twins = _possible_duplicates(con, candidates, facts)
    found = {}
    for no, candidate in enumerate(candidates):
        fact = facts[no]
        advice = []
        # A claim whose keys match several papers is incomparable, and says so there.
        matched = sorted({paper for paper, _ in matches.get(no, ())}) if candidate.kind == "paper" else []
        if len(matched) > 1:
            reason = (
                f"the keys match {len(matched)} ingested papers ({', '.join(matched)}); these may be one work"
            )
            advice.append({"code": "several_matches", "lom_id": fact["lom_id"], "reason": reason})
        named = fact["lom_id"] is not None  # what cannot be named has no list
        if named and fact["n_refs"] is not None and fact["n_edges_out"] < fact["n_refs"]:
            reason = (
                f"{fact['n_edges_out']} references are known of the {fact['n_refs']} that its list states"
            )
            advice.append({"code": "incomplete_list", "lom_id": fact["lom_id"], "reason": reason})
        if candidate.kind == "paper" and candidate.about_lom_id is not None:
            reason = "a paper is about nothing; about_lom_id was not used"
            advice.append({"code": "about_not_used", "lom_id": candidate.about_lom_id, "reason": reason})
        n_stubs = len(stubs.get(no, ()))
        n_open = sum(lacking.get(stub.partition(":")[0], False) for stub in stubs.get(no, ()))
        if n_open:
            reason = f"{n_open} of {n_stubs} stub neighbours could be ingested papers known only under other schemes"
            advice.append({"code": "unresolved_neighbours", "lom_id": fact["lom_id"], "reason": reason})
        for held in seen_self.get(no, ()):
            reason = "this held-out id names the candidate itself and changes nothing"
            advice.append({"code": "holdout_is_subject", "lom_id": held, "reason": reason})
        advice += [
            {"code": "possible_duplicates", "lom_id": lom_id, "reason": reason}
            for lom_id, reason in twins[no]
        ]
        found[no] = advice
    return found


def _schemes_lacking(con: duckdb.DuckDBPyConnection) -> dict[str, bool]:
    """For each scheme, whether some ingested paper has no id of it."""
    row = con.execute(
        """
        SELECT
            bool_or(paper.arxiv_no IS NULL AND NOT starts_with(own.lom_id, 'arxiv:')),
            bool_or(paper.doi_no IS NULL AND NOT starts_with(own.lom_id, 'doi:')),
            bool_or(paper.openalex_no IS NULL AND NOT starts_with(own.lom_id, 'openalex:')),
            bool_or(paper.pmid_no IS NULL AND NOT starts_with(own.lom_id, 'pmid:')),
            bool_or(paper.s2_no IS NULL AND NOT starts_with(own.lom_id, 's2:'))
        FROM paper_now AS paper
        INNER JOIN identifier AS own ON own.id_no = paper.id_no
        """
    ).fetchone()
    values = row or (False,) * 5
    return {
        scheme: bool(value)
        for scheme, value in zip(("arxiv", "doi", "openalex", "pmid", "s2"), values, strict=True)
    }


def _possible_duplicates(
    con: duckdb.DuckDBPyConnection, candidates: Sequence[Candidate], facts: Mapping[int, Mapping[str, Any]]
) -> dict[int, list[tuple[str, str]]]:
    """Other nodes that may be the same work: by an equal title near in time, or by a source's own word."""
    from novelty_kit.graph.statements import title_letters
    from novelty_kit.titles import title_key, title_words

    titles = {no: candidate.title or facts[no]["title"] for no, candidate in enumerate(candidates)}
    asked = {
        no: title for no, title in titles.items() if title and len(title_words(title)) >= MIN_TITLE_WORDS
    }
    fill(
        con,
        "candidate_title",
        {
            "candidate_no": ("INTEGER", list(asked)),
            "letters": ("VARCHAR", [title_letters(title) for title in asked.values()]),
        },
    )
    found: dict[int, dict[str, str]] = {no: {} for no in range(len(candidates))}
    keys = {no: title_key(title) for no, title in asked.items()}
    for no, lom_id, title, published in con.execute(
        """
        SELECT asked.candidate_no, own.lom_id, paper.title, paper.publication_date
        FROM candidate_title AS asked
        INNER JOIN paper_now AS paper ON paper.title_hash = hash(asked.letters)
        INNER JOIN identifier AS own ON own.id_no = paper.id_no
        ANTI JOIN itself ON itself.candidate_no = asked.candidate_no AND itself.node_no = paper.id_no
        ORDER BY ALL
        """
    ).fetchall():
        when = facts[no]["publication_date"] or candidates[no].publication_date
        if title_key(title) == keys[no] and _years_apart(when, published) <= MAX_YEARS_APART:
            found[no][lom_id] = "it has the same title under another key and may be the same work"
    for no, lom_id, relation in con.execute(
        """
        SELECT DISTINCT itself.candidate_no, coalesce(paper.lom_id, other.lom_id) AS lom_id, pair.relation
        FROM (
            SELECT same.id_no, same.same_no AS other_no, same.relation FROM same_work_now AS same
            UNION
            SELECT same.same_no, same.id_no, same.relation FROM same_work_now AS same
        ) AS pair
        LEFT JOIN owner ON owner.id_no = pair.id_no
        INNER JOIN itself ON itself.node_no = coalesce(owner.node_no, pair.id_no)
        INNER JOIN identifier AS other ON other.id_no = pair.other_no
        LEFT JOIN owner AS far ON far.id_no = pair.other_no
        LEFT JOIN identifier AS paper ON paper.id_no = far.node_no
        ANTI JOIN itself AS own
            ON own.candidate_no = itself.candidate_no AND own.node_no = coalesce(far.node_no, pair.other_no)
        ORDER BY ALL
        """
    ).fetchall():
        found[no][lom_id] = f"a source says that they are one work ({relation or 'same_work'})"
    return {no: sorted(by_id.items()) for no, by_id in found.items()}


def _years_apart(left: str | None, right: str | None) -> int:
    """Years between two dates; 0 where one is not known."""
    return abs(int(left[:4]) - int(right[:4])) if left and right else 0
