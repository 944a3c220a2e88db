"""The audit of one candidate as a notebook shows it: a part for each question, and the record of all.

Reads a graph, a candidate and the documents that it names; writes nothing. No network. No clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from novelty_kit.output import canonical_json
from novelty_kit.report.facts import Facts, gather
from novelty_kit.report.parts import part_html, part_text
from novelty_kit.verdict.candidate import Candidate, read_candidate
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.plot.picture import Picture

__all__ = ["RECORD_MIME", "Audit", "Part", "Record", "audit_candidate"]

RECORD_MIME = "application/vnd.novelty-kit.report+json"


class Part:
    """One part of an audit, as HTML in a notebook and as plain text elsewhere."""

    def __init__(self, record: Mapping[str, Any], name: str) -> None:
        self._record = record
        self.name = name

    def __repr__(self) -> str:
        return part_text(self._record, self.name)

    def _repr_html_(self) -> str:
        return part_html(self._record, self.name)


class Record:
    """The record of an audit: what the page and the JSON file are made from."""

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON-able object."""
        return self._record

    def __repr__(self) -> str:
        return f"record of {self._record['candidate_id']}: {len(canonical_json(self._record))} characters of JSON"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": repr(self), RECORD_MIME: self._record}


class Audit:
    """One candidate judged against one graph, ready to be shown.

    Attributes
    ----------
    verdict, why, overlap, coverage, neighbourhood, history, documents, provenance : Part
        The answer; the rules in order with the log lines; what is shared, by slice; the gaps and the way out;
        what stands around the candidate; the events at which the answer changed; what its passport, reviews and
        prior-art record say; what all this was made from.
    record : Record
        Everything, as one JSON-able object.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.verdict = Part(facts.record, "verdict")
        self.why = Part(facts.record, "why")
        self.overlap = Part(facts.record, "overlap")
        self.coverage = Part(facts.record, "coverage")
        self.neighbourhood = Part(facts.record, "neighbourhood")
        self.history = Part(facts.record, "history")
        self.documents = Part(facts.record, "documents")
        self.provenance = Part(facts.record, "provenance")
        self.record = Record(facts.record)

    @property
    def overlap_picture(self) -> Picture:
        """In-sample against holdout."""
        from novelty_kit.plot.bars import overlap

        return overlap(self.facts.verdict)

    @property
    def neighbourhood_picture(self) -> Picture:
        """Who cites whom around the candidate."""
        from novelty_kit.plot.around import draw_neighbourhood

        return draw_neighbourhood(self.facts.verdict, self.facts.around, self.facts.papers)

    @property
    def history_picture(self) -> Picture:
        """Which verdict stood when, and the events that changed it."""
        from novelty_kit.plot.over_time import timeline

        return timeline(self.facts.past)

    def __repr__(self) -> str:
        return f"<Audit of {self.facts.record['candidate_id']}: {self.facts.record['verdict']}>"


def audit_candidate(
    candidate: Candidate | Mapping[str, Any],
    *,
    graph: Graph | None = None,
    graph_files: Iterable[str | os.PathLike[str]] = (),
    as_of: int | str | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
    folder: str | None = None,
) -> Audit:
    """Judge one candidate and collect everything that a reader needs to check the answer.

    Parameters
    ----------
    candidate : mapping or Candidate
        The record of the novelty reference, section 4.
    graph : Graph, optional
        An open graph; it beats `graph_files`.
    graph_files : iterable of path
        The log's files in order; empty is the demo log that comes with this package.
    as_of : int or str, optional
        The last event that counts; the whole log without it.
    policy : mapping or Policy, optional
        Readings other than the defaults.
    folder : str, optional
        The folder that the candidate's documents are named from; the working folder without it.

    Returns
    -------
    Audit

    Raises
    ------
    CandidateError, PolicyError, LogError
        Something given is wrong.
    """
    if graph is None:
        from novelty_kit.demo import demo_file
        from novelty_kit.graph import open_graph

        graph = open_graph(*(tuple(graph_files) or (demo_file("events.jsonl"),)))
    if as_of is not None:
        graph = graph.as_of(as_of)
    return Audit(gather(graph, read_candidate(candidate), Policy.of(policy), folder))
