"""The lines behind a decision: each stands in the log, is the one that counts, and what they show is there.

An oracle of its own over random logs: plain dictionaries of the log's lines, no SQL.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine import Row, graph_of
from random_graphs import generate, policies
from twin import judge as twin_judge
from twin_case import Case
from twin_log import KEY_COLUMNS, Log, event_key, normalise, read_log, row_of, table_of

from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict

SEEDS = range(21_000, 21_013)


class Judged:
    """One candidate on one random log, with the evidence by line."""

    def __init__(self, events: list[Row], log: Log, candidate: Row, policy: Row, verdict: Verdict) -> None:
        self.events, self.log, self.candidate, self.verdict = events, log, candidate, verdict
        self.case = Case(log, candidate, policy)
        self.rule = verdict.rule
        self.said = [(item.table, item.key, item.why, item.seq) for item in verdict.evidence]

    def lines(self, table: str, why: str) -> set[tuple[str, int]]:
        """Key and seq of the evidence of one kind."""
        return {(key, seq) for name, key, text, seq in self.said if (name, text) == (table, why)}

    def last_lines(self, table: str) -> dict[Any, int]:
        """The last line of each key of a table."""
        return {
            event_key(event)[1]: seq for seq, event in enumerate(self.events, 1) if table_of(event) == table
        }

    def edges_between(self, left: set[str], right: set[str]) -> set[tuple[str, int]]:
        """The current edge rows with one end in each set of nodes (through any id), as they are told."""
        at = self.case.nodes_at
        last = self.last_lines("citation_edge")
        return {
            (f"{a} -> {b}", last[a, b])
            for a, b in self.log.citation_edge
            if a != b
            and any(
                x != y and ((x in left and y in right) or (y in left and x in right))
                for x in at(a)
                for y in at(b)
            )
        }


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[Judged]:
    folder, found = tmp_path_factory.mktemp("logs"), []
    for seed in SEEDS:
        events, candidates = generate(seed, 24)
        graph, log, policy = (
            graph_of(folder, events, f"{seed}.jsonl"),
            read_log(events),
            policies(seed)[seed % 3],
        )
        verdicts = judge(graph, [read_candidate(candidate) for candidate in candidates], Policy.of(policy))
        found += [Judged(events, log, c, policy, v) for c, v in zip(candidates, verdicts, strict=True)]
    return found


def test_every_rule_is_looked_at(judged: list[Judged]) -> None:
    n = {rule: sum(one.rule == rule for one in judged) for rule in range(5)}
    assert min(n.values()) >= 10, n


def test_each_line_is_of_its_table_and_key_and_the_last_that_set_it(judged: list[Judged]) -> None:
    for one in judged:
        for table, key, _, seq in one.said:
            event = one.events[seq - 1]
            row = row_of(event)
            assert (table_of(event), event["op"]) == (table, "upsert")
            if table == "citation_edge":
                assert key == f"{row['citing_lom_id']} -> {row['cited_lom_id']}"
            else:
                assert key == row["claim_id" if table == "claim" else "lom_id"]
            if table != "paper":  # a patch sets some columns and keeps the others
                assert one.last_lines(table)[event_key(event)[1]] == seq


def test_evidence_is_sorted_and_each_line_says_a_thing_once(judged: list[Judged]) -> None:
    for one in judged:
        order = [(seq, table, key, why) for table, key, why, seq in one.said]
        assert order == sorted(set(order))
        assert all(why for *_, why in order)


def test_nothing_is_told_where_the_keys_decided(judged: list[Judged]) -> None:
    assert {len(one.said) for one in judged if one.rule == 0} == {0}


def test_a_duplicate_shows_the_line_that_last_set_each_equal_key(judged: list[Judged]) -> None:
    for one in judged:
        if one.rule != 1 or one.case.is_claim:
            continue
        expected = set()
        for key in one.case.keys:
            for paper in one.log.owners(key):
                why = f"{key.partition(':')[0]} key equal"
                expected.add(("paper", paper, why, last_line_that_set(one.events, paper, key)))
        assert set(one.said) == expected


@pytest.mark.parametrize(
    ("later", "line"),
    [
        ([{"lom_id": "doi:10.1000/a", "title": "patched"}], 1),
        ([{"lom_id": "doi:10.1000/a", "doi": None}], 2),
        ([None, {"lom_id": "doi:10.1000/a", "title": "again"}], 3),
        ([None, {"lom_id": "doi:10.1000/a", "doi": "10.1000/A"}, {"lom_id": "doi:10.1000/a"}], 3),
    ],
)
def test_a_line_that_was_taken_back_is_no_evidence(
    tmp_path: Path, later: list[Row | None], line: int
) -> None:
    """Deleted, or its key cleared: the paper's own id is equal, and its last line says so."""
    rows: list[Row | None] = [{"lom_id": "doi:10.1000/a", "doi": "10.1000/a"}, *later]
    events = [
        {"op": "delete", "table": "paper", "row": {"lom_id": "doi:10.1000/a"}}
        if row is None
        else {"op": "upsert", "table": "paper", "row": row}
        for row in rows
    ]
    candidate = read_candidate({"kind": "paper", "keys": {"doi": "10.1000/a"}})
    (verdict,) = judge(graph_of(tmp_path, events), [candidate], Policy())
    assert [(item.seq, item.why) for item in verdict.evidence] == [(line, "doi key equal")]


def test_the_lines_of_evidence_alone_give_the_same_match_or_overlap(judged: list[Judged]) -> None:
    """They are enough to check it by hand: nothing else of the log is needed."""
    tried = 0
    for one in judged:
        if one.rule not in (1, 2) or one.verdict.holdout_lom_ids or one.candidate.get("claim_id"):
            continue
        alone = read_log([one.events[seq - 1] for seq in sorted({seq for *_, seq in one.said})])
        result = twin_judge(alone, one.candidate, one.verdict.policy)
        told = one.verdict.to_dict()
        assert result["decided_by"] == told["decided_by"]
        if one.rule == 2:
            assert result["citation_overlap"] == told["citation_overlap"]
        else:
            assert result["exact_key_match"]["hit"]
        tried += 1
    assert tried > 60


def last_line_that_set(events: list[Row], paper: str, key: str) -> int:
    """The last line that gave the paper this key; where it is the paper's own id, the paper's last line."""
    found = last = 0
    for seq, event in enumerate(events, 1):
        if event_key(event) != ("paper", paper):
            continue
        last = seq
        row = event["row"]
        held = {normalise(row[c], s) for c, s in KEY_COLUMNS.items() if row.get(c) is not None}
        cleared = any(c in row and s == key.partition(":")[0] for c, s in KEY_COLUMNS.items())
        if event["op"] == "upsert" and key in held:
            found = seq
        elif event["op"] == "delete" or cleared:
            found = 0
    return found or last


def test_an_equal_claim_is_shown_by_its_line(judged: list[Judged]) -> None:
    for one in judged:
        if one.rule == 1 and one.case.is_claim:
            last = one.last_lines("claim")
            equal = one.case.counting_equal_claims()
            assert set(one.said) == {("claim", claim, "statement equal", last[claim]) for claim in equal}


def test_each_shared_node_is_shown_with_its_link_and_with_what_makes_it_count(judged: list[Judged]) -> None:
    for one in judged:
        if one.rule != 2:
            continue
        subject = {one.case.subject} - {None}
        claims, read = one.last_lines("claim"), one.case.read
        shared = {*one.verdict.in_sample.shared_lom_ids, *one.verdict.holdout.shared_lom_ids}
        assert shared
        for node in shared:
            links = one.edges_between({str(s) for s in subject}, {node})
            assert one.lines("citation_edge", f"joins the candidate to {node}") == links
            papers = one.lines("paper", "read") | one.lines("paper", "read, in the candidate's own list")
            assert (node in {key for key, _ in papers}) == (node in read)
            listed = {key for key, _ in one.lines("paper", "read, in the candidate's own list")}
            if node in read:
                assert (node in listed) == (node in one.case.listed)
            about = {
                (c, claims[c]) for c, row in one.case.claims.items() if node in one.case.about_nodes(row)
            }
            assert one.lines("claim", f"is about {node}") == about
            assert links or node in one.case.listed


def test_each_two_hop_path_is_shown_by_both_its_edges_and_the_claim_at_its_end(judged: list[Judged]) -> None:
    paths = 0
    for one in judged:
        claims = one.last_lines("claim")
        for via, ends in one.verdict.two_hop.items() if one.rule == 2 else ():
            for end in ends:
                joined = one.lines("citation_edge", f"joins {via} to {end}")
                assert joined == one.edges_between({via}, {end})
                assert joined
                about = {
                    (c, claims[c]) for c, row in one.case.claims.items() if end in one.case.about_nodes(row)
                }
                assert one.lines("claim", f"is about {end}, a neighbour of {via}") >= about
                assert about
                paths += 1
    assert paths >= 3


def test_each_gap_is_shown_by_the_rows_that_do_not_suffice(judged: list[Judged]) -> None:
    for one in judged:
        if one.rule != 3:
            continue
        rows = one.last_lines("references_checked")
        for node, reason in one.verdict.coverage_gap_reasons.items():
            if node == one.case.subject:
                continue  # its rows are told as its own list, below
            said = one.lines("references_checked", f"{reason}: {node}")
            spoken = {(i, rows[i]) for i in one.log.references_checked if one.case.spoken_for(i) == node}
            assert said == spoken
            if reason == "unchecked" and node in one.log.paper:
                assert {key for key, _ in one.lines("paper", f"unchecked: {node}")} == {node}


def test_novelty_shows_what_is_known_of_the_subject_s_own_list(judged: list[Judged]) -> None:
    for one in judged:
        if one.rule not in (3, 4):
            continue
        rows = one.last_lines("references_checked")
        own = {(i, rows[i]) for i in one.log.references_checked if one.case.spoken_for(i) == one.case.subject}
        assert one.lines("references_checked", "the subject's own list") == own
        cited_by = one.lines("citation_edge", "a read, covered paper cites the subject")
        assert bool(cited_by) == (one.verdict.coverage["subject"] == "in")
        if one.rule == 4:
            stated = one.candidate.get("references_checked") is not None
            assert own or cited_by or stated
