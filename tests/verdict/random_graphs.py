"""Small hostile logs with candidates, the same for the same seed on any machine.

``generate(seed)`` gives ``(events, candidates)`` and ``policies(seed)`` the policies to judge them under (the
default first). About half of the logs are *quiet* (nearly everything checked, few edges, one paper left
alone, so that ``novel`` is within reach), the others *wild*. No log and no candidate is refused.
"""

from __future__ import annotations

from random import Random

from random_logs import STATEMENTS, Row, World

FIELDS = {"doi": "doi", "arxiv": "arxiv", "openalex": "openalex", "s2": "s2_paperId", "pmid": "pmid"}
MARGINS = [0, 1, 3, 4, 10, "off"]


def policies(seed: int) -> list[Row]:
    """The default policy and two others, each naming all five switches."""
    rng = Random(f"policy {seed}")
    default: Row = {
        "in_sample_only": "neighborhood",
        "checked_zero_subject": "in_edges_decide",
        "in_edge_coverage": "accept",
        "gate_scope": "graph",
        "date_margin_years": 3,
    }
    one_switched = dict(default)
    switched = rng.choice(sorted(default))
    values: Row = {
        "in_sample_only": "novel",
        "checked_zero_subject": "covered",
        "in_edge_coverage": "reject",
        "gate_scope": "neighbourhood",
        "date_margin_years": rng.choice([m for m in MARGINS if m != 3]),
    }
    one_switched[switched] = values[switched]
    mixed = {name: rng.choice([default[name], values[name]]) for name in default}
    return [default, one_switched, mixed]


def generate(seed: int, n_candidates: int = 6) -> tuple[list[Row], list[Row]]:
    """A log of about five to fifty events, and six candidates for it (or more)."""
    return Questions(Random(seed)).build(n_candidates)


class Questions(World):
    """A world and what is asked of it."""

    def build(self, n_candidates: int) -> tuple[list[Row], list[Row]]:
        for paper in self.papers:
            self.put_paper(paper)
        # Of a quiet log one paper stays unconnected: a candidate about it may be novel.
        lonely = self.any_paper() if self.quiet and self.papers else None
        self.put_claims()
        edges = self.put_edges(lonely)
        self.put_coverage(edges, lonely)
        self.put_errors()
        if self.rng.random() < (0.25 if self.quiet else 0.6):
            self.put_afterthoughts()
        candidates = [self.candidate(lonely) for _ in range(n_candidates)]
        for candidate in candidates:
            if self.rng.random() < 0.1:
                self.put_stored_lookups(candidate)
        if self.rng.random() < 0.1:
            self.rng.shuffle(self.events)
        for n, candidate in enumerate(candidates):
            candidate["id"] = f"c{n}"
        return self.events, candidates

    def put_stored_lookups(self, candidate: Row) -> None:
        for scheme in ("openalex", "s2"):
            key = candidate["keys"].get(FIELDS[scheme])
            if key is not None and ":" not in key:
                self.put_error(f"{scheme}:{key.upper() if scheme == 'openalex' else key.lower()}")

    def candidate(self, lonely: str | None) -> Row:
        rng = self.rng
        kind = rng.choice(["paper", "claim"])
        target = lonely if lonely is not None and rng.random() < 0.6 else self.any_paper()
        row: Row = {"kind": kind}
        ids = self.candidate_ids(target, kind)
        if kind == "claim":
            row["statement"] = self.candidate_statement()
            if rng.random() < 0.6 or not ids:
                about = target if rng.random() < 0.85 else self.any_id(0.5)
                row["about_lom_id"] = self.spell(
                    rng.choice(self.ids_of(about)) if about in self.papers else about
                )
        row["keys"] = {f: None for f in FIELDS.values() if rng.random() < 0.5}
        for lom_id in ids:
            row["keys"][FIELDS[lom_id.partition(":")[0]]] = self.spell_bare(lom_id)
        if rng.random() < 0.5:
            row["leave_out"] = rng.random() < 0.9
        if kind == "claim" and row.get("leave_out") and self.claims and rng.random() < 0.5:
            self.name_a_claim(row, target)
        if rng.random() < 0.5:
            row["references"] = [self.spell(i) for i in self.references(ids, target)]
        if rng.random() < (0.75 if self.quiet else 0.5):
            count = rng.choice([0, 3, 20, 20]) if rng.random() < 0.9 else None
            status = "failed" if count is None else "ok"
            stamp = {"source": "pdf", "checked_ts": "2026-10-01T00:00:00Z"}
            row["references_checked"] = {**stamp, "n_refs": count, "status": status}
        if rng.random() < 0.65:
            row["holdout_lom_ids"] = rng.choice([None, []]) if rng.random() < 0.25 else self.holdouts(ids)
        if rng.random() < 0.6:
            row["publication_date"] = self.date()
        return row

    def candidate_ids(self, target: str, kind: str) -> list[str]:
        """At most one id a scheme: new, the target's, shared, or of two papers at once."""
        rng = self.rng
        shape = rng.choices(
            ["new", "target", "target with alias", "resolve", "stub", "several", "none"],
            [22, 38, 12, 9, 6, 8, 5],
        )[0]
        own = self.ids_of(target) if target in self.papers else [target]
        ids = {
            "new": [self.new_id(rng.choice(["arxiv", "doi", "pmid"]))]
            + [self.new_id()] * (rng.random() < 0.4),
            "target": rng.sample(own, rng.randint(1, len(own))),
            "target with alias": [rng.choice(own), self.new_id(), rng.choice(self.stubs)][
                : rng.randint(2, 3)
            ],
            "resolve": [self.new_id(s) for s in rng.choice([["s2"], ["openalex"], ["s2", "openalex"]])],
            "stub": [rng.choice(self.stubs)],
            "several": [self.any_id(0.1), self.any_id(0.1)],
            "none": [],
        }[shape]
        if kind == "claim" and rng.random() < 0.25:
            ids = []
        return list({i.partition(":")[0]: i for i in ids}.values())

    def candidate_statement(self) -> str | None:
        rng = self.rng
        if rng.random() < 0.06:
            return rng.choice([None, "", " \u00a0"])
        if self.claims and rng.random() < 0.4:
            return self.respell_statement(rng.choice(sorted(self.claims.values(), key=str))["statement"])
        return self.respell_statement(rng.choice([*STATEMENTS, "Nobody said this", "Nor this"]))

    def name_a_claim(self, row: Row, target: str) -> None:
        """Leave a claim out by its name: mostly one about the target, perhaps with its statement."""
        rng = self.rng
        ids = self.ids_of(target) if target in self.papers else [target]
        own = [c for c, claim in sorted(self.claims.items()) if claim["about_lom_id"] in ids]
        if not own and rng.random() < 0.7:
            return
        row["claim_id"] = rng.choice(own) if own and rng.random() < 0.9 else rng.choice(sorted(self.claims))
        if rng.random() < 0.6:
            row["statement"] = self.respell_statement(self.claims[row["claim_id"]]["statement"])

    def references(self, ids: list[str], target: str) -> list[str]:
        """Stubs in the first place, then papers under any id, and now and then the candidate itself."""
        rng = self.rng
        listed = [rng.choice(self.stubs) for _ in range(rng.randint(0, 2))]
        listed += [self.new_id() for _ in range(rng.randint(0, 1))]
        listed += [self.any_id() for _ in range(rng.choice([0, 0, 0, 1, 2] if self.quiet else [0, 1, 2, 3]))]
        if rng.random() < 0.25:
            listed.append(rng.choice([target, *ids]))
        return listed

    def holdouts(self, ids: list[str]) -> list[str]:
        rng = self.rng
        held = [self.any_id(0.15) for _ in range(rng.randint(1, 5))]
        if rng.random() < 0.5 and self.claims:
            held += [c["about_lom_id"] for c in self.claims.values() if rng.random() < 0.7]
        if rng.random() < 0.15:
            held.append(self.new_id())
        if rng.random() < 0.1 and ids:
            held.append(rng.choice(ids))
        return [self.spell(i) for i in held]
