"""A verdict for people: the rule trace in words, as text, as rows, as safe HTML.

Every sentence about novelty says against which graph and as of which event. Text from data is escaped at
this border.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from novelty_kit.output import for_terminal, shorten
from novelty_kit.verdict.record import RULE_NAMES, Verdict

__all__ = ["Step", "headline", "trace", "verdict_html", "verdict_text", "way_out"]

# A label, a claim's name or a service's message may be of any length.
MAX_TEXT = 500

_NO_VERDICT = {
    "no_key": "the candidate names no id",
    "left_out_matches_several": "it is to be left out, but its keys name several ingested papers",
    "no_statement": "the claim has no statement",
    "about_no_paper": "the claim is about no paper that can be named",
    "about_several_papers": "the claim's keys name several ingested papers",
    "key_of_another_paper": "a key of the claim names a paper that it is not about",
    "claim_id_not_about_subject": "claim_id names no claim about the candidate's paper",
}
_SUBJECT = {
    "out": "the subject's own list is known",
    "in": "the subject is covered only by a read paper that cites it",
    "none": "the subject is not covered",
}
_REASONS = {
    "contradicted": "its list is recorded as empty, and something shows that it is not",
    "checked_zero": "its list is empty, and no read, covered paper cites it",
    "failed": "the lookup of its reference list failed",
    "unchecked": "its reference list was never asked for",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One rule as it went for one candidate.

    Attributes
    ----------
    rule : int
    name : str
    outcome : str
        ``decided``, ``passed`` or ``not reached``.
    because : str
        One sentence.
    """

    rule: int
    name: str
    outcome: str
    because: str


def headline(verdict: Verdict) -> str:
    """The verdict in one sentence, with what it is relative to."""
    against = f"against this graph, as of event {verdict.graph['as_of_seq']}"
    if verdict.verdict == "duplicate":
        other = verdict.exact_key_match["matched_lom_ids"] or verdict.exact_key_match["matched_claim_ids"]
        return f"duplicate of {', '.join(other[:3])}{' …' if len(other) > 3 else ''}, {against}"
    if verdict.verdict == "neighborhood":
        n_in, n_out = verdict.in_sample.n_shared, verdict.holdout.n_shared
        parts = [f"{n_in} in-sample"] + ([f"{n_out} holdout"] if verdict.holdout_applied else [])
        return f"neighborhood: shares {_nodes(n_in + n_out)} ({', '.join(parts)}), {against}"
    if verdict.verdict == "novel":
        return f"novel {against}, in the words of its statements, and nothing more"
    return f"unknown ({verdict.status}): {_why_unknown(verdict)}, {against}"


def _nodes(n: int) -> str:
    return "1 node" if n == 1 else f"{n} nodes"


def _why_unknown(verdict: Verdict) -> str:
    if verdict.status == "incomparable":
        return _NO_VERDICT.get(verdict.incomparable_because or "", "there is nothing to compare by")
    if verdict.status == "lookup_failed":
        first = verdict.ingest_errors_blocking[0]
        return f"{first['lookup']} must be looked up first ({first['reason']})"
    if verdict.nothing_compared:
        return "the graph holds nothing to compare with"
    if verdict.coverage_gap_total:
        return f"{_nodes(verdict.coverage_gap_total)} could hide a link: reference lists that are not known"
    return "lines of the log were skipped"


def way_out(verdict: Verdict) -> tuple[str, ...]:
    """What would make an unknown verdict decidable."""
    if verdict.status == "lookup_failed":
        return tuple(
            f"Look up {item['lookup']}, or give a DOI, arXiv id or PubMed id"
            for item in verdict.ingest_errors_blocking
        )
    if verdict.status == "incomparable":
        return ("Give the candidate an id, a statement, or the paper that it is about",)
    if verdict.status == "insufficient_edges":
        fetch = tuple(
            f"Fetch the references of {name}: {_REASONS[reason]}"
            for name, reason in verdict.coverage_gap_reasons.items()
        )
        more = verdict.coverage_gap_total - len(verdict.coverage_gap)
        rest = (f"… and of {more} more",) if more else ()
        nothing = ("Ingest the papers that it is to be compared with",) if verdict.nothing_compared else ()
        return nothing + fetch + rest
    return ()


def trace(verdict: Verdict) -> tuple[Step, ...]:
    """The rules in order: which passed, which decided, which were not reached."""
    return tuple(
        Step(
            rule,
            RULE_NAMES[rule],
            "decided" if rule == verdict.rule else "passed" if rule < verdict.rule else "not reached",
            because if rule <= verdict.rule else "an earlier rule decided",
        )
        for rule, because in enumerate(_because(verdict))
    )


def _because(verdict: Verdict) -> Iterator[str]:
    match = verdict.exact_key_match
    if verdict.rule == 0:
        yield f"{_why_unknown(verdict)}"
    else:
        yield f"it is compared as {verdict.lom_id}"
    if verdict.kind == "paper":
        if match["hit"]:
            on = f"{', '.join(match['matched_on'])} names {', '.join(match['matched_lom_ids'])}"
            yield on if verdict.rule == 1 else f"{on}, which is left out"
        else:
            yield "no key names an ingested paper"
    elif match["hit"]:
        listed = ", ".join(match["matched_claim_ids"])
        yield f"claim {listed} says the same" if verdict.rule == 1 else f"claim {listed} is the one left out"
    else:
        yield "no ingested claim has this statement"
    n_in, n_out = verdict.in_sample.n_shared, verdict.holdout.n_shared
    stubs = (
        f"; {_nodes(verdict.stub_overlap.n_shared)} more are stubs and count for nothing"
        if verdict.stub_overlap.n_shared
        else ""
    )
    yield f"{n_in} in-sample and {n_out} holdout nodes are shared{stubs}"
    covered = verdict.coverage
    yield (
        f"{_SUBJECT[covered['subject']]}; of {covered['n_compared']} compared nodes "
        f"{covered['n_covered']} are covered ({covered['n_covered_in']} only by in-edges), "
        f"{covered['n_pruned']} could not cite it by date; gap {verdict.coverage_gap_total}"
    )
    yield "nothing matched, nothing overlaps, every list that could hide a link is known"


def verdict_text(verdict: Verdict, *, evidence: bool = True) -> str:
    """The verdict as plain text, safe for a terminal."""
    lines = [f"{_name(verdict)}: {headline(verdict)}"]
    if verdict.title:
        lines.append(f"  {shorten(verdict.title)}")
    if verdict.statement:
        lines.append(f"  “{shorten(verdict.statement)}”")
    lines += [f"  rule {step.rule} {step.name}: {step.outcome}: {step.because}" for step in trace(verdict)]
    lines += [f"  way out: {line}" for line in way_out(verdict)]
    lines += [f"  advice ({item['code']}): {item['reason']}" for item in verdict.advisories]
    if evidence:
        lines += [f"  line {item.seq} ({item.table} {item.key}): {item.why}" for item in verdict.evidence]
    return "\n".join(_safe(line) for line in lines)


def _name(verdict: Verdict) -> str:
    return shorten(verdict.candidate_id or verdict.lom_id or "(no id)")


def _safe(text: object) -> str:
    """Text from data for one line: cut, and without anything that acts on a terminal or turns the reading order."""
    return "" if text is None else for_terminal(shorten(str(text), MAX_TEXT))


def verdict_html(verdict: Verdict) -> str:
    """The verdict as an HTML fragment; everything from data is escaped, and nothing is fetched."""

    def row(cells: tuple[object, ...]) -> str:
        return (
            "<tr>" + "".join(f'<td style="text-align:left">{escape(_safe(c))}</td>' for c in cells) + "</tr>"
        )

    def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
        top = "".join(f'<th style="text-align:left">{name}</th>' for name in head)
        return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(row(cells) for cells in rows)}</tbody></table>"

    parts = [f"<p><strong>{escape(_safe(_name(verdict)))}</strong>: {escape(_safe(headline(verdict)))}</p>"]
    for text in (verdict.title, verdict.statement):
        if text:
            parts.append(f"<p><bdi>{escape(for_terminal(shorten(text, 300)))}</bdi></p>")
    parts.append(
        table(
            ("rule", "name", "outcome", "because"),
            [(s.rule, s.name, s.outcome, s.because) for s in trace(verdict)],
        )
    )
    out = way_out(verdict)
    if out:
        parts.append("<p>Way out:</p><ul>" + "".join(f"<li>{escape(_safe(o))}</li>" for o in out) + "</ul>")
    if verdict.advisories:
        parts.append(
            table(
                ("advice", "about", "reason"),
                [(a["code"], a["lom_id"], a["reason"]) for a in verdict.advisories],
            )
        )
    if verdict.evidence:
        parts.append(
            table(
                ("line", "table", "key", "shows"), [(e.seq, e.table, e.key, e.why) for e in verdict.evidence]
            )
        )
    return "".join(parts)
