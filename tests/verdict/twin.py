"""The verdict a second time, written from the text alone: plain, slow, readable.

Reads a list of events, a candidate and a policy; returns the result object of the novelty reference, section 6,
but ``evidence``, ``graph`` and ``spec_version``; instead of ``advisories`` it gives the codes of three of them.
Must never import from ``novelty_kit.verdict`` or ``novelty_kit.graph``: the product is compared with it.

Readings, where the text is silent, brief or could be read twice:

Nodes and the subject
 R1  A key's scheme is that of its normal form: an arXiv DOI in ``keys.doi`` is an arxiv key, comes first in the
     order of keys, and stands in ``matched_on`` as ``arxiv``. A blank string is no key but a malformed one.
 R2  A *claim row* at an id of several papers makes every one of them claim-bearing (and, for ``claim_id`` and
     ``leave_out``, is about every one). "That paper, else the least" is for the candidate's ``about_lom_id``.
 R3  ``about_lom_id``, ``statement`` and ``claim_id`` of a *paper* candidate name nothing; claim_id there, or without
     leave_out, is refused (ValueError).
 R4  The candidate's own names are its keys and (claim only) its about_lom_id that no paper owns. They name the
     subject as ends of edges, in claims, coverage rows, holdouts and references, also where the subject is a paper.
 R5  Edge ends that are equal after normalising make no pair at all, even where several papers own the id.
     Otherwise every pair of owners is an edge but a node with itself: S -> W, with W owned by S and T, is S -> T.
     An edge between two ids of one node is nothing: it contradicts no zero and covers nobody.
 R6  A reference at an id of the subject and another paper touches the other one. References that only name the
     subject count for nothing: they contradict no zero.
 R7  For holdouts: a node is a paper row, an edge end (of a self-loop too), or what a claim (a left-out one too) is
     about, and the subject itself. A coverage row alone or the candidate's list alone makes no node, so a held-out
     id of that kind is unmatched (though it may stand in stub_overlap). An id of several papers that is no lom_id
     is unmatched. Held-out ids are listed normalised, as given, not as the nodes that they name; null gives [].

Rule 0
 R8  A statement of white space alone is none; claim_id does not supply it (the given cases say so).
 R9  "Any owner of any key which is not its subject" is strict: a key shared by the subject and another paper makes a
     claim incomparable, with about_lom_id and without. The other owners of about_lom_id do not.
 R10 Incomparable comes before lookup_failed. lom_id is the subject as section 2 finds it even where several papers
     match; it is null only where there is neither a key nor (claim) an about_lom_id.
 R11 leave_out with claim_id naming no claim about the subject leaves nothing out (and is incomparable).
 R12 Blocking lookups: each openalex or s2 id of the candidate (about_lom_id too), sorted, once. A stored error is
     that of the same lookup where its ``scheme`` is the id's and its normalised ``lookup`` is the id; rows of one
     lookup in several spellings are one row (the last counts, a delete of any spelling deletes).
 R13 An equal claim (not left out) spares the lookup; so does a matched or named paper, which must have a paper row.
     A node without one (an edge end, what a claim is about) does not.

Rules 1 and 2
 R14 ``exact_key_match`` of a claim tells of claims only: hit = an equal claim exists (left-out ones too), and
     matched_lom_id, matched_lom_ids, matched_on stay empty. Of a paper: matched_claim_ids stays empty.
 R15 White space is what has the Unicode property White_Space (U+001C to U+001F have it not); lower() is Python's,
     after NFC and trimming, with no second NFC. A claim row with a null or blank statement equals nothing.
 R16 A left-out claim makes nobody claim-bearing, its other owners included.
 R17 stub_overlap holds neighbours neither read nor claim-bearing. A claim's read neighbour that leads nowhere is in
     no list.
 R18 A two-hop node's own neighbours come from edges alone, and its ends may be neighbours of the subject too. In the
     two-hop rule a held-out id of the subject plays no part.

Rule 3
 R19 A contradicted zero uncovers the node even if another ok row of it counts more than 0.
 R20 The candidate's references_checked is used only where no paper row is the subject and no row speaks for it (under
     any of its names; a failed row is a row). It is then contradicted as a log row is.
 R21 The subject's zero counts as ``checked_zero`` (not out-covered) only while uncontradicted; with policy ``covered``
     its coverage.subject is ``out``.
 R22 An out-covered subject never covers others; nobody covers himself. Policy ``reject`` makes coverage.subject
     ``none`` where only in-edges would cover it.
 R23 The second ring of a claim: read neighbours of the subject (read through edges or listed by the candidate,
     claim-bearing or not) whatever their date, and every claim-bearing node that could cite one of them.
 R24 Dates: a null date in the paper row leaves the candidate's; a node without a paper row has none. The margin is
     added to the latest day, and A could cite B when that day *is* B's earliest. Years are not bounded.
 R25 Reasons: ``failed`` where any row speaks for the node and no earlier reason holds; else ``unchecked``.
     coverage_gap_reasons is in the order of coverage_gap.
 R26 nothing_compared of a claim asks for claims, of a paper for nodes; a claim about nothing (null) counts.
 R27 Skipped log lines make rule 3 fire with whatever gap there is, perhaps an empty one.

Counts
 R28 coverage is counted alike under every rule, also 0 and 1. n_covered and n_covered_in are over all n_compared,
     pruned ones included. n_pruned = compared nodes that the gate does not ask about under gate_scope ``graph``
     (so a node outside both rings of a claim); under ``neighbourhood`` nothing is pruned *by date*: 0.
     Where nothing can be named: subject none, n_pruned 0, n_refs null, n_edges_out 0.
 R29 n_refs is the largest ok count, a contradicted 0 included, and the candidate's own row where it is used.
     n_edges_out counts distinct nodes cited, by edges or the list, the subject not.
 R30 max_listed cuts shared_lom_ids, stub_overlap and coverage_gap. nothing_compared is true under rule 3 only.
 R31 Slices under in_sample_only ``novel``: in_sample stays neighborhood while anything is in it.
"""

from __future__ import annotations

from typing import Any

from twin_log import Log, Row, could_cite, lookup_key, read_log, statement_key

from novelty_kit.keys import normalise

POLICY: dict[str, Any] = {
    "in_sample_only": "neighborhood",
    "checked_zero_subject": "in_edges_decide",
    "in_edge_coverage": "accept",
    "gate_scope": "graph",
    "date_margin_years": 3,
}
RULES = {0: "keys", 1: "exact_match", 2: "citation_overlap", 3: "coverage_gate", 4: "novel"}
SCHEMES = ("arxiv", "doi", "openalex", "pmid", "s2")
MUST_BE_RESOLVED = {"openalex", "s2"}


def judge(
    events: list[Row] | Log,
    candidate: Row,
    policy: Row | None = None,
    max_listed: int = 100,
    skipped_lines: int = 0,
) -> Row:
    """The result for one candidate; ``events`` may be a log that was already read."""
    log = events if isinstance(events, Log) else read_log(events)
    return Case(log, candidate.get("candidate", candidate), {**POLICY, **(policy or {})}).result(
        max_listed, skipped_lines
    )


class Case:
    """One candidate beside one log: every word of the reference's section 3 is a method or a field here."""

    def __init__(self, log: Log, candidate: Row, policy: Row) -> None:
        self.log, self.policy = log, policy
        self.is_claim = candidate["kind"] == "claim"
        self.leave_out = candidate.get("leave_out") is True
        self.candidate = candidate
        if candidate.get("claim_id") is not None and not (self.is_claim and self.leave_out):
            raise ValueError("claim_id is legal for a claim candidate under leave_out only")

        # Section 2: the keys, the papers that own them, the subject, and its names that no paper owns.
        fields = {"arxiv": "arxiv", "doi": "doi", "openalex": "openalex", "pmid": "pmid", "s2_paperId": "s2"}
        given = candidate.get("keys") or {}
        keys = [normalise(given[f], s) for f, s in fields.items() if given.get(f) is not None]
        self.keys = sorted(dict.fromkeys(keys), key=lambda key: SCHEMES.index(scheme_of(key)))
        about = candidate.get("about_lom_id") if self.is_claim else None
        self.about = None if about is None else normalise(about)
        self.matched = sorted({paper for key in self.keys for paper in log.owners(key)})
        self.subject = self.find_subject()
        self.aliases = {i for i in [*self.keys, self.about] if i is not None and not log.owners(i)}

        # The claims: equal ones, and those left out.
        self.statement = statement_key(candidate.get("statement"))
        self.equal_claims = sorted(
            claim for claim, key in log.statement_keys.items() if key and key == self.statement
        )
        self.left_out = self.find_left_out() if self.is_claim and self.leave_out else set()
        self.claims = {c: row for c, row in log.claim.items() if c not in self.left_out}

        # The graph: pairs of nodes, and the candidate's own list.
        self.pairs = {
            (citing, cited)
            for citing_id, cited_id in log.citation_edge
            if citing_id != cited_id
            for citing in self.nodes_at(citing_id)
            for cited in self.nodes_at(cited_id)
            if citing != cited
        }
        references = candidate.get("references") or [] if self.subject is not None else []
        listed = {node for r in references for node in self.nodes_at(normalise(r))}
        self.listed = listed - {self.subject}
        self.claim_bearing = {n for row in self.claims.values() for n in self.about_nodes(row)}
        self.read = {paper for paper, row in log.paper.items() if row.get("read") is not False}
        self.compared = (self.read | self.claim_bearing) - {self.subject}

    # ---- Section 2: one node, many ids

    def find_subject(self) -> str | None:
        if self.about is not None:
            return self.one_owner(self.about) or self.about
        for key in self.keys:
            if self.log.owners(key):
                return self.one_owner(key)
        return self.keys[0] if self.keys else None

    def one_owner(self, lom_id: str) -> str | None:
        """The paper whose lom_id it is, else the least of its owners."""
        owners = self.log.owners(lom_id)
        return lom_id if lom_id in owners else owners[0] if owners else None

    def nodes_at(self, lom_id: str) -> list[str]:
        """Every node that an edge, a reference or a claim at this id touches."""
        if owners := self.log.owners(lom_id):
            return owners
        return [self.subject] if lom_id in self.aliases and self.subject is not None else [lom_id]

    def spoken_for(self, lom_id: str) -> str | None:
        """The one node that a coverage row or a holdout at this id speaks for; None where several."""
        nodes = self.nodes_at(lom_id)
        return lom_id if lom_id in nodes else nodes[0] if len(nodes) == 1 else None

    def about_nodes(self, claim: Row) -> list[str]:
        return [] if claim.get("about_lom_id") is None else self.nodes_at(claim["about_lom_id"])

    def all_nodes(self) -> set[str]:
        """A node is a paper row, an edge end, or what a claim is about."""
        ends = {node for edge in self.log.citation_edge for end in edge for node in self.nodes_at(end)}
        about = {node for row in self.log.claim.values() for node in self.about_nodes(row)}
        return set(self.log.paper) | ends | about

    def find_left_out(self) -> set[str]:
        about_subject = {c for c, row in self.log.claim.items() if self.subject in self.about_nodes(row)}
        if self.candidate.get("claim_id") is not None:
            return about_subject & {self.candidate["claim_id"]}
        return about_subject & set(self.equal_claims)

    # ---- Section 3: neighbours, coverage, dates

    def neighbours(self, node: str | None) -> set[str]:
        found = {b for a, b in self.pairs if a == node} | {a for a, b in self.pairs if b == node}
        return found | self.listed if node == self.subject else found

    def cites(self, node: str | None) -> set[str]:
        found = {b for a, b in self.pairs if a == node}
        return found | self.listed if node == self.subject else found

    def coverage_rows(self, node: str | None) -> list[Row]:
        rows = [row for i, row in self.log.references_checked.items() if self.spoken_for(i) == node]
        own = self.candidate.get("references_checked")
        if node is not None and node == self.subject and own and not rows and node not in self.log.paper:
            return [own]
        return rows

    def ok_counts(self, node: str | None) -> list[int]:
        return [row["n_refs"] for row in self.coverage_rows(node) if row["status"] == "ok"]

    def contradicted(self, node: str | None) -> bool:
        counts = self.ok_counts(node)
        return 0 in counts and (max(counts) > 0 or bool(self.cites(node)))

    def out_covered(self, node: str | None) -> bool:
        return bool(self.ok_counts(node)) and not self.contradicted(node)

    def checked_zero(self, node: str | None) -> bool:
        """The subject's uncontradicted zero, which leaves it no out side to be connected by."""
        return node == self.subject and self.out_covered(node) and max(self.ok_counts(node)) == 0

    def in_covered(self, node: str | None) -> bool:
        if self.policy["in_edge_coverage"] == "reject":
            return False
        return any(
            b == node and a != self.subject and a in self.read and self.out_covered(a) for a, b in self.pairs
        )

    def kind_of_coverage(self, node: str | None) -> str:
        zero_counts = self.policy["checked_zero_subject"] == "covered"
        if self.out_covered(node) and (zero_counts or not self.checked_zero(node)):
            return "out"
        return "in" if self.in_covered(node) else "none"

    def gap_reason(self, node: str | None) -> str:
        if self.contradicted(node):
            return "contradicted"
        if self.checked_zero(node):
            return "checked_zero"
        return "failed" if self.coverage_rows(node) else "unchecked"

    def date(self, node: str | None) -> str | None:
        known = self.log.paper.get(node or "", {}).get("publication_date")
        if known is None and node is not None and node == self.subject:
            known = self.candidate.get("publication_date")
        return None if known is None else str(known)

    def could_cite(self, citing: str | None, cited: str | None) -> bool:
        return could_cite(self.date(citing), self.date(cited), self.policy["date_margin_years"])

    def must_be_covered(self) -> set[str | None]:
        """The nodes that rule 3 asks about (covered or not)."""
        neighbours = self.neighbours(self.subject)
        if self.policy["gate_scope"] == "neighbourhood":
            return {self.subject} | (neighbours & self.compared)
        asked = {self.subject} | {n for n in self.compared if self.could_cite(n, self.subject)}
        if self.is_claim:
            read_neighbours = neighbours & self.read
            asked |= read_neighbours
            asked |= {n for n in self.claim_bearing if any(self.could_cite(n, r) for r in read_neighbours)}
        return asked

    # ---- Section 5: the rules

    def incomparable(self) -> bool:
        if not self.is_claim:
            return not self.keys or (self.leave_out and len(self.matched) > 1)
        return (
            not self.statement
            or self.subject is None
            or (self.about is None and len(self.matched) > 1)
            or any(paper != self.subject for paper in self.matched)
            or (self.candidate.get("claim_id") is not None and not self.left_out)
        )

    def unresolved_ids(self) -> list[str]:
        """The ids to be looked up before anything can be said; [] where nothing need be."""
        ids = sorted({*self.keys, *([] if self.about is None else [self.about])})
        known = bool(self.matched) or self.subject in self.log.paper or bool(self.counting_equal_claims())
        return [] if known or any(scheme_of(i) not in MUST_BE_RESOLVED for i in ids) else ids

    def counting_equal_claims(self) -> list[str]:
        return [c for c in self.equal_claims if c in self.claims] if self.is_claim else []

    def exact_match(self) -> bool:
        return (
            bool(self.counting_equal_claims()) if self.is_claim else bool(self.matched) and not self.leave_out
        )

    def overlap(self) -> tuple[set[str], dict[str, list[str]], set[str]]:
        """One-hop nodes, two-hop nodes with their claim-bearing ends, stubs."""
        neighbours = self.neighbours(self.subject)
        stubs = neighbours - self.read - self.claim_bearing
        if not self.is_claim:
            return neighbours - stubs, {}, stubs
        one_hop = neighbours & self.claim_bearing
        two_hop = {}
        for node in (neighbours & self.read) - one_hop:
            if ends := self.neighbours(node) & self.claim_bearing - {self.subject}:
                two_hop[node] = sorted(ends)
        return one_hop, two_hop, stubs

    def nothing_compared(self) -> bool:
        return not (self.claims if self.is_claim else self.compared)

    # ---- Section 6: the result

    def result(self, max_listed: int, skipped_lines: int) -> Row:
        incomparable = self.incomparable()
        unresolved = [] if incomparable else self.unresolved_ids()
        one_hop, two_hop, stubs = (set(), {}, set()) if incomparable else self.overlap()

        given = self.candidate.get("holdout_lom_ids")
        applied = given is not None
        held_ids = sorted({normalise(i) for i in given or []})
        held = {self.spoken_for(i) for i in held_ids} - {None, self.subject}
        in_sample = {n for n in one_hop if n in held}
        in_sample |= {n for n, ends in two_hop.items() if n in held or set(ends) <= held}
        holdout = one_hop | set(two_hop)
        holdout -= in_sample
        if not applied:
            in_sample, holdout = holdout, set()

        gap = sorted(
            n for n in self.must_be_covered() if n is not None and self.kind_of_coverage(n) == "none"
        )
        gate_fires = bool(gap) or self.nothing_compared() or skipped_lines > 0
        gate = "unknown" if gate_fires else "novel"

        status = "ok"
        if incomparable or unresolved:
            rule, verdict, status = 0, "unknown", "incomparable" if incomparable else "lookup_failed"
        elif self.exact_match():
            rule, verdict = 1, "duplicate"
        elif holdout or (in_sample and not (applied and self.policy["in_sample_only"] == "novel")):
            rule, verdict = 2, "neighborhood"
        elif gate_fires:
            rule, verdict, status = 3, "unknown", "insufficient_edges"
        else:
            rule, verdict = 4, "novel"

        slices: Row = {
            "in_sample": "neighborhood" if in_sample else gate,
            "holdout": "neighborhood" if holdout else gate,
        }
        if rule in (0, 1):
            slices = {"in_sample": verdict, "holdout": verdict}
        if not applied:
            slices["holdout"] = None

        listed_gap = gap[:max_listed] if rule == 3 else []
        return {
            "status": status,
            "verdict": verdict,
            "lom_id": self.subject,
            "kind": "claim" if self.is_claim else "paper",
            "exact_key_match": self.what_matched(),
            "citation_overlap": {
                "in_sample": shared(in_sample, max_listed),
                "holdout": shared(holdout, max_listed),
                "two_hop": {n: two_hop[n] for n in sorted(two_hop)},
            },
            "stub_overlap": shared(stubs, max_listed),
            "holdout_applied": applied,
            "holdout_lom_ids": held_ids,
            "holdout_unmatched": [i for i in held_ids if not self.names_a_node(i)],
            "verdict_by_slice": slices,
            "ingest_errors_blocking": [self.lookup_error(i) for i in unresolved],
            "coverage_gap": listed_gap,
            "coverage_gap_reasons": {n: self.gap_reason(n) for n in listed_gap},
            "coverage_gap_total": len(gap) if rule == 3 else 0,
            "out_degree_checked": rule in (3, 4),
            "nothing_compared": rule == 3 and self.nothing_compared(),
            "coverage": self.coverage_counts(),
            "embedding": {"used": False},
            "not_a_ranker": True,
            "decided_by": {"rule": rule, "name": RULES[rule]},
            "advisory_codes": self.advisory_codes(held_ids),
            "policy": self.policy,
        }

    def what_matched(self) -> Row:
        if self.is_claim:
            return {
                "hit": bool(self.equal_claims),
                "matched_lom_id": None,
                "matched_lom_ids": [],
                "matched_on": [],
                "matched_claim_ids": self.equal_claims,
            }
        on = sorted({scheme_of(key) for key in self.keys if self.log.owners(key)})
        return {
            "hit": bool(self.matched),
            "matched_lom_id": self.subject if self.matched else None,
            "matched_lom_ids": self.matched,
            "matched_on": on,
            "matched_claim_ids": [],
        }

    def names_a_node(self, lom_id: str) -> bool:
        node = self.spoken_for(lom_id)
        return node is not None and (node == self.subject or node in self.all_nodes())

    def lookup_error(self, lom_id: str) -> Row:
        scheme, _, bare = lom_id.partition(":")
        stored = self.log.ingest_error.get(lookup_key(scheme, lom_id))
        return {
            "scheme": scheme,
            "lookup": bare,
            "http_status": stored.get("http_status") if stored else None,
        }

    def coverage_counts(self) -> Row:
        counts = self.ok_counts(self.subject)
        kinds = {n: self.kind_of_coverage(n) for n in self.compared}
        pruned = self.compared - self.must_be_covered() if self.policy["gate_scope"] == "graph" else set()
        return {
            "subject": self.kind_of_coverage(self.subject) if self.subject is not None else "none",
            "n_compared": len(self.compared),
            "n_covered": sum(kind != "none" for kind in kinds.values()),
            "n_covered_in": sum(kind == "in" for kind in kinds.values()),
            "n_pruned": len(pruned),
            "n_refs": max(counts, default=None),
            "n_edges_out": len(self.cites(self.subject)),
        }

    def advisory_codes(self, held_ids: list[str]) -> list[str]:
        counts = self.ok_counts(self.subject)
        codes = {
            "several_matches": not self.is_claim and len(self.matched) > 1,
            "holdout_is_subject": self.subject in {self.spoken_for(i) for i in held_ids} - {None},
            "incomplete_list": bool(counts) and max(counts) > len(self.cites(self.subject)),
        }
        return sorted(code for code, holds in codes.items() if holds)


def scheme_of(lom_id: str) -> str:
    return lom_id.partition(":")[0]


def shared(nodes: set[str], max_listed: int) -> Row:
    return {"n_shared": len(nodes), "shared_lom_ids": sorted(nodes)[:max_listed]}
