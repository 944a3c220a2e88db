"""One candidate beside one log, in the words of the novelty reference, sections 2 to 5: one method each."""

from __future__ import annotations

from twin_log import Log, Row, could_cite, normalise, statement_key

SCHEMES = ("arxiv", "doi", "openalex", "pmid", "s2")
MUST_BE_RESOLVED = {"openalex", "s2"}


class Case:
    """A candidate, its subject and neighbours, what is covered, and which rule holds."""

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

        # What the agent used (the reference's holdout; null and empty are different statements).
        self.holdout_applied = candidate.get("holdout_lom_ids") is not None
        self.held_ids = sorted({normalise(i) for i in candidate.get("holdout_lom_ids") or []})

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
        self.rows: dict[str | None, list[Row]] = {}
        for lom_id, row in log.references_checked.items():
            self.rows.setdefault(self.spoken_for(lom_id), []).append(row)
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
        ends = {node for edge in self.log.citation_edge for end in edge for node in self.nodes_at(end)}
        about = {node for row in self.log.claim.values() for node in self.about_nodes(row)}
        return set(self.log.paper) | ends | about

    def names_a_node(self, lom_id: str) -> bool:
        """A node is a paper row, an edge end, or what a claim is about; the subject is one too (R7)."""
        node = self.spoken_for(lom_id)
        return node is not None and (node == self.subject or node in self.all_nodes())

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
        if node is None:
            return []
        rows = self.rows.get(node, [])
        own = self.candidate.get("references_checked")
        if node == self.subject and own is not None and not rows and node not in self.log.paper:
            return [own]
        return rows

    def ok_counts(self, node: str | None) -> list[int]:
        return [row["n_refs"] for row in self.coverage_rows(node) if row["status"] == "ok"]

    def contradicted(self, node: str | None) -> bool:
        counts = self.ok_counts(node)
        return max(counts, default=None) == 0 and bool(self.cites(node))

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

    def slices(self, one_hop: set[str], two_hop: dict[str, list[str]]) -> tuple[set[str], set[str]]:
        """The counted nodes in the in-sample slice, and those in the holdout slice."""
        counted = one_hop | set(two_hop)
        if not self.holdout_applied:
            return counted, set()
        held = {self.spoken_for(i) for i in self.held_ids} - {None, self.subject}
        in_sample = {node for node in counted if node in held or held.issuperset(two_hop.get(node, [node]))}
        return in_sample, counted - in_sample

    def in_sample_decides(self) -> bool:
        """Whether overlap that is all in-sample makes a neighborhood."""
        return not self.holdout_applied or self.policy["in_sample_only"] == "neighborhood"

    def gap(self) -> list[str]:
        return sorted(
            n for n in self.must_be_covered() if n is not None and self.kind_of_coverage(n) == "none"
        )

    def nothing_compared(self) -> bool:
        return not (self.claims if self.is_claim else self.compared)


def scheme_of(lom_id: str) -> str:
    return lom_id.partition(":")[0]


def hidden_edges(case: Case) -> list[tuple[str, str]]:
    """Every edge between two nodes that an unread list could hide.

    The citing node is not out-covered and could, by date, cite the other one. Ids that several papers own are
    left aside: an edge at one would also be an edge of a paper whose list is read.
    """
    nodes = {*case.all_nodes(), case.subject, "pmid:99999999"} - {None}
    nodes = {n for n in nodes if case.nodes_at(n) == [n]}
    unread = {n for n in nodes if not case.out_covered(n)}
    return [(a, b) for a in sorted(unread) for b in sorted(nodes) if a != b and case.could_cite(a, b)]
