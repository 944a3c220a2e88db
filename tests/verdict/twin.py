"""The verdict a second time, written from the text alone: plain, slow, readable.

Reads a list of events, a candidate and a policy; returns the result object of the novelty reference,
section 6, but ``evidence``, ``graph`` and ``spec_version``; instead of ``advisories`` it gives the codes of
three of them. ``twin_log`` reads the log, ``twin_case`` holds sections 2 to 5, this module the result. Must
never import from ``novelty_kit.verdict`` or ``novelty_kit.graph``: the product is compared with it.

Readings, where the text is silent, brief or could be read twice:

Nodes and the subject
 R1  A key's scheme is that of its normal form: an arXiv DOI in ``keys.doi`` is an arxiv key, comes
     first in the order of keys, and stands in ``matched_on`` as ``arxiv``. A blank string is no key but
     a malformed one.
 R2  A *claim row* at an id of several papers makes every one of them claim-bearing (and, for
     ``claim_id`` and ``leave_out``, is about every one). "That paper, else the least" is for the
     candidate's ``about_lom_id``.
 R3  ``about_lom_id``, ``statement`` and ``claim_id`` of a *paper* candidate name nothing; claim_id
     there, or without leave_out, is refused (ValueError).
 R4  The candidate's own names are its keys and (claim only) its about_lom_id that no paper owns. They
     name the subject as ends of edges, in claims, coverage rows, holdouts and references, also where
     the subject is a paper.
 R5  Edge ends that are equal after normalising make no pair at all, even where several papers own the
     id. Otherwise every pair of owners is an edge but a node with itself: S -> W, with W owned by S and
     T, is S -> T. An edge between two ids of one node is nothing: it contradicts no zero and covers
     nobody.
 R6  A reference at an id of the subject and another paper touches the other one. References that only
     name the subject count for nothing: they contradict no zero.
 R7  For holdouts: a node is a paper row, an edge end (of a self-loop too), or what a claim (a left-out
     one too) is about, and the subject itself. A coverage row alone or the candidate's list alone makes
     no node, so a held-out id of that kind is unmatched (though it may stand in stub_overlap). An id of
     several papers that is no lom_id is unmatched. Held-out ids are listed normalised, as given, not as
     the nodes that they name; null gives [].

Rule 0
 R8  A statement of white space alone is none; claim_id does not supply it (the given cases say so).
 R9  "Any owner of any key which is not its subject" is strict: a key shared by the subject and another
     paper makes a claim incomparable, with about_lom_id and without. The other owners of about_lom_id
     do not.
 R10 Incomparable comes before lookup_failed. lom_id is the subject as section 2 finds it even where
     several papers match; it is null only where there is neither a key nor (claim) an about_lom_id.
 R11 leave_out with claim_id naming no claim about the subject leaves nothing out (and is incomparable).
 R12 Blocking lookups: each openalex or s2 id of the candidate (about_lom_id too), sorted, once. A
     stored error is that of the same lookup where its ``scheme`` is the id's and its normalised
     ``lookup`` is the id; rows of one lookup in several spellings are one row (the last counts, a
     delete of any spelling deletes).
 R13 An equal claim (not left out) spares the lookup; so does a matched or named paper, which must have
     a paper row. A node without one (an edge end, what a claim is about) does not.

Rules 1 and 2
 R14 ``exact_key_match`` of a claim tells of claims only: hit = an equal claim exists (left-out ones
     too), and matched_lom_id, matched_lom_ids, matched_on stay empty. Of a paper: matched_claim_ids
     stays empty.
 R15 White space is what has the Unicode property White_Space (U+001C to U+001F have it not); lower() is
     Python's, after NFC and trimming, with no second NFC. A claim row with a null or blank statement
     equals nothing.
 R16 A left-out claim makes nobody claim-bearing, its other owners included.
 R17 stub_overlap holds neighbours neither read nor claim-bearing. A claim's read neighbour that leads
     nowhere is in no list.
 R18 A two-hop node's own neighbours come from edges alone, and its ends may be neighbours of the
     subject too. In the two-hop rule a held-out id of the subject plays no part.

Rule 3
 R19 A zero that an edge or the candidate's own list denies uncovers the node. Where another ok row of the
     node counts more than 0, that row is the fact and the zero is none: it neither covers nor uncovers.
     So no lost or failed row ever makes a verdict novel but the candidate's own.
 R20 The candidate's references_checked is used only where no paper row is the subject and no row speaks
     for it (under any of its names; a failed row is a row). It is then contradicted as a log row is.
 R21 The subject's zero counts as ``checked_zero`` (not out-covered) only while uncontradicted; with
     policy ``covered`` its coverage.subject is ``out``.
 R22 An out-covered subject never covers others; nobody covers himself. Policy ``reject`` makes
     coverage.subject ``none`` where only in-edges would cover it.
 R23 The second ring of a claim: read neighbours of the subject (read through edges or listed by the
     candidate, claim-bearing or not) whatever their date, and every claim-bearing node that could cite
     one of them.
 R24 Dates: a null date in the paper row leaves the candidate's; a node without a paper row has none.
     The margin is added to the latest day, and A could cite B when that day *is* B's earliest. Years
     are not bounded.
 R25 Reasons: ``failed`` where any row speaks for the node and no earlier reason holds; else
     ``unchecked``. coverage_gap_reasons is in the order of coverage_gap.
 R26 nothing_compared of a claim asks for claims, of a paper for nodes; a claim about nothing (null)
     counts.
 R27 Skipped log lines make rule 3 fire with whatever gap there is, perhaps an empty one.

Counts
 R28 coverage is counted alike under every rule, also 0 and 1. n_covered and n_covered_in are over all
     n_compared, pruned ones included. n_pruned = compared nodes that the gate does not ask about under
     gate_scope ``graph`` (so a node outside both rings of a claim); under ``neighbourhood`` nothing is
     pruned *by date*: 0. Where nothing can be named: subject none, n_pruned 0, n_refs null, n_edges_out
     0.
 R29 n_refs is the largest ok count, a contradicted 0 included, and the candidate's own row where it is
     used. n_edges_out counts distinct nodes cited, by edges or the list, the subject not.
 R30 max_listed cuts shared_lom_ids, stub_overlap and coverage_gap. nothing_compared is true under rule
     3 only.
 R31 Slices under in_sample_only ``novel``: in_sample stays neighborhood while anything is in it.
"""

from __future__ import annotations

from typing import Any

from twin_case import SCHEMES, Case, scheme_of
from twin_log import Log, Row, lookup_key, read_log

POLICY: dict[str, Any] = {
    "in_sample_only": "neighborhood",
    "checked_zero_subject": "in_edges_decide",
    "in_edge_coverage": "accept",
    "gate_scope": "graph",
    "date_margin_years": 3,
}
RULES = {0: "keys", 1: "exact_match", 2: "citation_overlap", 3: "coverage_gate", 4: "novel"}


def judge(
    events: list[Row] | Log,
    candidate: Row,
    policy: Row | None = None,
    max_listed: int = 100,
    skipped_lines: int = 0,
) -> Row:
    """The result for one candidate; ``events`` may be a log that was already read."""
    log = events if isinstance(events, Log) else read_log(events)
    case = Case(log, candidate.get("candidate", candidate), {**POLICY, **(policy or {})})

    incomparable = case.incomparable()
    unresolved = [] if incomparable else case.unresolved_ids()
    one_hop, two_hop, stubs = (set(), {}, set()) if incomparable else case.overlap()
    in_sample, holdout = case.slices(one_hop, two_hop)
    gap = case.gap()
    gate_fires = bool(gap) or case.nothing_compared() or skipped_lines > 0

    # Section 5: in order, the first that decides wins.
    status = "ok"
    if incomparable:
        rule, verdict, status = 0, "unknown", "incomparable"
    elif unresolved:
        rule, verdict, status = 0, "unknown", "lookup_failed"
    elif case.exact_match():
        rule, verdict = 1, "duplicate"
    elif holdout or (in_sample and case.in_sample_decides()):
        rule, verdict = 2, "neighborhood"
    elif gate_fires:
        rule, verdict, status = 3, "unknown", "insufficient_edges"
    else:
        rule, verdict = 4, "novel"

    listed_gap = gap[:max_listed] if rule == 3 else []
    return {
        "status": status,
        "verdict": verdict,
        "lom_id": case.subject,
        "kind": "claim" if case.is_claim else "paper",
        "exact_key_match": what_matched(case),
        "citation_overlap": {
            "in_sample": shared(in_sample, max_listed),
            "holdout": shared(holdout, max_listed),
            "two_hop": {node: two_hop[node] for node in sorted(two_hop)},
        },
        "stub_overlap": shared(stubs, max_listed),
        "holdout_applied": case.holdout_applied,
        "holdout_lom_ids": case.held_ids,
        "holdout_unmatched": [i for i in case.held_ids if not case.names_a_node(i)],
        "verdict_by_slice": {
            "in_sample": slice_verdict(rule, verdict, in_sample, gate_fires),
            "holdout": slice_verdict(rule, verdict, holdout, gate_fires) if case.holdout_applied else None,
        },
        "ingest_errors_blocking": [lookup_error(log, i) for i in unresolved],
        "coverage_gap": listed_gap,
        "coverage_gap_reasons": {node: case.gap_reason(node) for node in listed_gap},
        "coverage_gap_total": len(gap) if rule == 3 else 0,
        "out_degree_checked": rule in (3, 4),
        "nothing_compared": rule == 3 and case.nothing_compared(),
        "coverage": coverage_counts(case),
        "embedding": {"used": False},
        "not_a_ranker": True,
        "decided_by": {"rule": rule, "name": RULES[rule]},
        "advisory_codes": advisory_codes(case),
        "policy": case.policy,
    }


def slice_verdict(rule: int, verdict: str, nodes: set[str], gate_fires: bool) -> str:
    """What one slice alone would give."""
    if rule in (0, 1):
        return verdict
    return "neighborhood" if nodes else "unknown" if gate_fires else "novel"


def shared(nodes: set[str], max_listed: int) -> Row:
    return {"n_shared": len(nodes), "shared_lom_ids": sorted(nodes)[:max_listed]}


def what_matched(case: Case) -> Row:
    matched = [] if case.is_claim else case.matched
    on = {scheme_of(key) for key in case.keys if case.log.owners(key)} if matched else set()
    return {
        "hit": bool(case.equal_claims if case.is_claim else matched),
        "matched_lom_id": case.subject if matched else None,
        "matched_lom_ids": matched,
        "matched_on": [scheme for scheme in SCHEMES if scheme in on],
        "matched_claim_ids": case.equal_claims if case.is_claim else [],
    }


def lookup_error(log: Log, lom_id: str) -> Row:
    scheme = scheme_of(lom_id)
    stored = log.ingest_error.get(lookup_key(scheme, lom_id), {})
    return {"scheme": scheme, "lookup": lom_id, "http_status": stored.get("http_status")}


def coverage_counts(case: Case) -> Row:
    kinds = [case.kind_of_coverage(node) for node in case.compared]
    by_date = case.policy["gate_scope"] == "graph" and case.subject is not None
    return {
        "subject": "none" if case.subject is None else case.kind_of_coverage(case.subject),
        "n_compared": len(kinds),
        "n_covered": sum(kind != "none" for kind in kinds),
        "n_covered_in": kinds.count("in"),
        "n_pruned": len(case.compared - case.must_be_covered()) if by_date else 0,
        "n_refs": max(case.ok_counts(case.subject), default=None),
        "n_edges_out": len(case.cites(case.subject)),
    }


def advisory_codes(case: Case) -> list[str]:
    known = len(case.cites(case.subject))
    codes = {
        "several_matches": not case.is_claim and len(case.matched) > 1,
        "holdout_is_subject": any(case.spoken_for(i) == case.subject is not None for i in case.held_ids),
        "incomplete_list": max(case.ok_counts(case.subject), default=0) > known,
    }
    return sorted(code for code, holds in codes.items() if holds)
