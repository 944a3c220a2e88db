"""Every fact of a report as one JSON-able record; pages and pictures are made from it.

Reads a graph, a candidate and the documents that it names. Writes nothing. No network. No clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from novelty_kit.changes import Change, History, history
from novelty_kit.output import canonical_json, shorten
from novelty_kit.planning import plan
from novelty_kit.plot.surroundings import Paper, Surroundings, gather_papers, gather_surroundings
from novelty_kit.report.audits import gather_audits
from novelty_kit.report.candidate_form import candidate_form
from novelty_kit.report.made_from import made_from
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.show import headline, trace, way_out

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy
    from novelty_kit.verdict.record import Verdict

__all__ = ["Facts", "gather"]

_MOST_LINES = 40  # log lines quoted in full
_MOST_LINE = 600  # characters of a quoted line
_MOST_TEXT = 2_000  # characters of a title or statement
_MOST_CHANGES = 40
_WAITING = ("insufficient_edges", "lookup_failed")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report is made from: the verdict, what stands around the candidate, and the record of it all."""

    verdict: Verdict
    around: Surroundings
    papers: dict[str, Paper]
    past: History
    record: dict[str, Any]


def gather(graph: Graph, candidate: Candidate, policy: Policy, folder: str | None = None) -> Facts:
    """Judge a candidate and collect what its page says.

    Parameters
    ----------
    graph : Graph
    candidate : Candidate
    policy : Policy
    folder : str, optional
        The folder that the candidate's documents are named from.
    """
    verdict = judge(graph, [candidate], policy)[0]
    with graph.connection as con:
        around = gather_surroundings(con, candidate, verdict)
        papers = gather_papers(con, _named(verdict, around))
    past = history(graph, candidate, policy=policy)
    result = verdict.to_dict()
    record = {
        "candidate_id": verdict.candidate_id,
        "verdict": verdict.verdict,
        "status": verdict.status,
        "headline": headline(verdict),
        "title": _cut(verdict.title),
        "statement": _cut(verdict.statement),
        "result": result,
        "trace": [
            {"rule": step.rule, "name": step.name, "outcome": step.outcome, "because": step.because}
            for step in trace(verdict)
        ],
        "way_out": list(way_out(verdict)),
        "plan": plan(graph, candidate, policy=policy).to_dict() if verdict.status in _WAITING else None,
        "history": _history(past),
        "neighbourhood": around.to_dict(),
        "papers": {lom_id: paper.to_dict() for lom_id, paper in sorted(papers.items())},
        "lines": _lines(graph, verdict),
        **gather_audits(candidate, folder),
        "candidate": candidate_form(candidate),
        "made_from": made_from(graph, candidate, policy, folder),
    }
    return Facts(verdict, around, papers, past, record)


def _cut(text: str | None) -> str | None:
    return None if text is None else shorten(text, _MOST_TEXT)


def _history(past: History) -> dict[str, Any]:
    """How many changes there are, and the last of them, each with the line that did it."""
    return {"n": len(past.changes), "changes": [_change(change) for change in past.changes[-_MOST_CHANGES:]]}


def _change(change: Change) -> dict[str, Any]:
    return {
        "seq": change.seq,
        "status": change.status,
        "verdict": change.verdict,
        "rule": change.rule,
        "file": change.place["file"] if change.place else None,
        "line": change.place["line"] if change.place else None,
        "text": None if change.event is None else shorten(canonical_json(change.event), _MOST_LINE),
    }


def _named(verdict: Verdict, around: Surroundings) -> set[str]:
    """The ids that the page shows with their titles."""
    return {
        *around.ids,
        *verdict.coverage_gap,
        *verdict.exact_key_match["matched_lom_ids"],
        *verdict.holdout_lom_ids[:100],
        *verdict.in_sample.shared_lom_ids,
        *verdict.holdout.shared_lom_ids,
        *([verdict.lom_id] if verdict.lom_id else []),
    }


def _lines(graph: Graph, verdict: Verdict) -> list[dict[str, Any]]:
    """The log lines behind the evidence, as they stand."""
    seqs = sorted({item.seq for item in verdict.evidence})[:_MOST_LINES]
    files = dict(zip(graph.names, graph.files, strict=True))
    found = []
    for seq in seqs:
        name, line, raw = graph.place(seq)
        text = raw.decode("utf-8", "replace").rstrip("\r")
        found.append(
            {"seq": seq, "file": files.get(name, name), "line": line, "text": shorten(text, _MOST_LINE)}
        )
    return found
