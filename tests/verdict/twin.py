"""The verdict a second time, written from the text alone: plain, slow, readable. The product must agree with it.

Reads a list of events, a candidate and a policy; returns the result object of the novelty reference, section 6, but
``evidence``, ``graph`` and ``spec_version`` (and of ``advisories`` only three codes, without wording).
Must never import from ``novelty_kit.verdict`` or ``novelty_kit.graph``.
"""

from __future__ import annotations

from typing import Any

from plain_ids import normalise
from twin_log import Log, Row, could_cite, lookup_key, read_log, statement_key

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
        listed = {node for r in candidate.get("references") or [] for node in self.nodes_at(normalise(r))}
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
        """The one node that a coverage row or a holdout at this id speaks for; None where it would be several."""
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
        if node == self.subject and own is not None and not rows and node not in self.log.paper:
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
        if known is None and node == self.subject:
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
            hit: Any = bool(self.equal_claims)
            return {
                "hit": hit,
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
