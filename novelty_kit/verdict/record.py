"""The verdict as a record: what a result says, in the order of the novelty reference, section 6."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from novelty_kit.output import for_terminal, shorten

__all__ = ["RULE_NAMES", "SPEC_VERSION", "Evidence", "Slice", "Verdict"]

Status = Literal["ok", "lookup_failed", "insufficient_edges", "incomparable"]
VerdictName = Literal["duplicate", "neighborhood", "novel", "unknown"]

RULE_NAMES = ("keys", "exact_match", "citation_overlap", "coverage_gate", "novel")
SPEC_VERSION = "0.3"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line of the log that a person can check: its seq, table and key, and what it shows."""

    seq: int
    table: str
    key: str
    why: str

    def to_dict(self) -> dict[str, Any]:
        """As in results."""
        return {"seq": self.seq, "table": self.table, "key": self.key, "why": self.why}


@dataclass(frozen=True, slots=True)
class Slice:
    """A list of nodes that is cut at ``max_listed``, and how many there are in all."""

    n_shared: int = 0
    shared_lom_ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As in results."""
        return {"n_shared": self.n_shared, "shared_lom_ids": list(self.shared_lom_ids)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one candidate is, relative to one graph at one seq; never a number to order candidates by.

    Attributes are those of the result (novelty reference, section 6); lists of ids are sorted and in normal
    form. ``to_dict`` gives the JSON object.
    """

    candidate_id: str | None
    status: Status
    verdict: VerdictName
    lom_id: str | None
    kind: Literal["paper", "claim"]
    rule: int
    exact_key_match: dict[str, Any]
    in_sample: Slice
    holdout: Slice
    two_hop: dict[str, tuple[str, ...]]
    stub_overlap: Slice
    holdout_applied: bool
    holdout_lom_ids: tuple[str, ...]
    holdout_unmatched: tuple[str, ...]
    verdict_by_slice: dict[str, str | None]
    ingest_errors_blocking: tuple[dict[str, Any], ...]
    coverage_gap: tuple[str, ...]
    coverage_gap_reasons: dict[str, str]
    coverage_gap_total: int
    nothing_compared: bool
    coverage: dict[str, Any]
    advisories: tuple[dict[str, Any], ...]
    evidence: tuple[Evidence, ...]
    policy: dict[str, Any]
    graph: dict[str, Any]
    incomparable_because: str | None = None
    title: str | None = field(default=None)
    statement: str | None = field(default=None)

    @property
    def decided_by(self) -> dict[str, Any]:
        """Number and name of the rule that decided."""
        return {"rule": self.rule, "name": RULE_NAMES[self.rule]}

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON-able object, in the reference's order."""
        return {
            "status": self.status,
            "verdict": self.verdict,
            "lom_id": self.lom_id,
            "kind": self.kind,
            "exact_key_match": self.exact_key_match,
            "citation_overlap": {
                "in_sample": self.in_sample.to_dict(),
                "holdout": self.holdout.to_dict(),
                "two_hop": {via: list(ends) for via, ends in self.two_hop.items()},
            },
            "stub_overlap": self.stub_overlap.to_dict(),
            "holdout_applied": self.holdout_applied,
            "holdout_lom_ids": list(self.holdout_lom_ids),
            "holdout_unmatched": list(self.holdout_unmatched),
            "verdict_by_slice": self.verdict_by_slice,
            "ingest_errors_blocking": list(self.ingest_errors_blocking),
            "coverage_gap": list(self.coverage_gap),
            "coverage_gap_reasons": self.coverage_gap_reasons,
            "coverage_gap_total": self.coverage_gap_total,
            "out_degree_checked": self.rule in (3, 4),
            "nothing_compared": self.nothing_compared,
            "coverage": self.coverage,
            "embedding": {"used": False},
            "not_a_ranker": True,
            "decided_by": self.decided_by,
            "advisories": list(self.advisories),
            "evidence": [item.to_dict() for item in self.evidence],
            "policy": self.policy,
            "graph": self.graph,
            "spec_version": SPEC_VERSION,
            "candidate_id": self.candidate_id,
            **({"incomparable_because": self.incomparable_because} if self.incomparable_because else {}),
        }

    def __repr__(self) -> str:
        name = for_terminal(shorten(self.candidate_id or self.lom_id or "(no id)", 60))
        return f"<Verdict {name}: {self.verdict} ({self.status}), rule {self.rule}>"

    def _repr_html_(self) -> str:
        from novelty_kit.verdict.show import verdict_html

        return verdict_html(self)
