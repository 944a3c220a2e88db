"""Claims, searches, a desk and a finished record as text for a terminal, and a record's summary for a report.

A record is always shown with every disclosure. All text from data is made safe for a terminal. Nothing is read
or written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from novelty_kit.output import for_terminal, shorten
from novelty_kit.priorart.claims import ClaimList
from novelty_kit.priorart.desk import COMMANDS, Desk
from novelty_kit.priorart.record import Record
from novelty_kit.priorart.searchlog import SearchLog

__all__ = ["COUNT_WORDS", "claims_text", "desk_text", "render_text", "searches_text", "summary"]

COUNT_WORDS = (
    ("collisions", "collide with a work that was found"),
    ("uncited_relevant", "have relevant work that is not cited"),
    ("clear_under_search", "are clear under the search that was made"),
    ("inconclusive", "are inconclusive"),
)


def _document(record: Record | Mapping[str, Any]) -> Mapping[str, Any]:
    return record.to_dict() if isinstance(record, Record) else record


def summary(record: Record | Mapping[str, Any]) -> dict[str, Any]:
    """What a candidate's report shows of a record.

    Parameters
    ----------
    record : Record or mapping
        A record, or the JSON document made from one.

    Returns
    -------
    dict
        ``artifact``, ``signal``, ``rightness``, ``evidence`` (store or marker), ``counts`` (five numbers),
        ``headline`` (one sentence), ``findings`` (list of ``claim_id``, ``claim``, ``kind``, ``severity``,
        ``location``, ``evidence``, ``passages``; claim is None where no claim list was read), ``escalations``
        and ``coverage`` (lists of text; coverage is never empty).
    """
    document = _document(record)
    coverage = document["coverage_record"]
    counts = coverage["counts"]
    claims = [claim for claim in document.get("claims", ()) if claim["verdict"] != "clear-under-search"]
    rows = []
    for claim, finding in zip(claims, document["findings"]["findings"], strict=True):
        passages = [
            {
                "passage": quote["passage"],
                "title": (quote.get("candidate") or {}).get("title", ""),
                "id": (quote.get("candidate") or {}).get("id", ""),
                "url": (quote.get("candidate") or {}).get("url", ""),
                "text_sha256": quote["text_sha256"],
                "start": quote["spans"][0]["start"],
                "end": quote["spans"][0]["end"],
            }
            for quote in claim["quotes"]
            if quote["result"] == "verified-span"
        ]
        rows.append({"claim_id": claim["claim_id"], "claim": claim["text"], "passages": passages} | finding)
    return {
        "artifact": coverage["artifact"],
        "signal": coverage["signal"],
        "rightness": coverage["rightness"],
        "evidence": document.get("evidence"),
        "counts": dict(counts),
        "headline": _headline(counts),
        "findings": rows,
        "escalations": [_escalation(row) for row in coverage["escalations"]],
        "coverage": list(coverage["coverage"]),
    }


def _headline(counts: Mapping[str, int]) -> str:
    total = counts["total_extracted"]
    if not total:
        return "No claim of newness was listed, so nothing was checked."
    parts = [f"{counts[name]} {words}" for name, words in COUNT_WORDS]
    return f"Of {total} claims of newness {', '.join(parts[:-1])} and {parts[-1]}; a person must confirm."


def _escalation(row: Mapping[str, str]) -> str:
    return f"{row['claim_ref']}: {row['reason']}" if "claim_ref" in row else row["reason"]


def render_text(record: Record | Mapping[str, Any]) -> str:
    """The record for a terminal: counts, findings, escalations, and every disclosure in full."""
    shown = summary(record)
    lines = [for_terminal(shown["artifact"]), shown["headline"]]
    for row in shown["findings"]:
        name = f"{row['claim_id']} " if row["claim_id"] else ""
        lines += ["", f"{row['severity']}: {name}{row['kind']}, {row['location']}"]
        lines += [f"  claim: {row['claim']}"] if row["claim"] else []
        lines += [f"  {shorten(row['evidence'], 400)}"]
    if shown["escalations"]:
        lines += ["", "For a person to look at:", *(f"- {text}" for text in shown["escalations"])]
    lines += ["", "What must be known to read this:", *(f"- {text}" for text in shown["coverage"])]
    return "\n".join(for_terminal(line) for line in lines)


def claims_text(claims: ClaimList) -> str:
    """A claim list for a terminal."""
    lines = [f"{claims.artifact}: {len(claims.admissible)} claims of newness"]
    for claim in claims.admissible:
        lines += [
            "",
            f"{claim.claim_id} {claim.text}",
            f"  {claim.location}",
            f"  query: {claim.search_target}",
        ]
    if claims.inadmissible:
        lines += ["", f"Not searched and not counted: {len(claims.inadmissible)}"]
        lines += [f"- {c.claim_id} {shorten(c.text, 90)} ({c.reason})" for c in claims.inadmissible]
    lines += ["", "What must be known to read this:", *(f"- {note}" for note in claims.coverage_notes)]
    return "\n".join(for_terminal(line) for line in lines)


def searches_text(claims: ClaimList, log: SearchLog) -> str:
    """A search log for a terminal: each claim, each source with its state, the first works found."""
    lines = []
    for claim in claims.admissible:
        lines.append(f"{claim.claim_id} {claim.text}")
        for search in log.of_claim(claim.claim_id, claim.sha256):
            reason = f", {search.reason}" if search.reason else ""
            lines.append(f"  {search.source}: {search.state}{reason}, {len(search.candidates)} works")
            lines += [f"    {work.id} {shorten(work.title, 90)}" for work in search.candidates[:5]]
    return "\n".join(for_terminal(line) for line in lines) or "There is no claim to search for."


def desk_text(desk: Desk) -> str:
    """What lies on the desk, for a terminal."""
    claim, work, decision = desk.claim, desk.candidate, desk.decision
    if claim is None or decision is None:
        return "There is no claim to judge."
    lines = [
        f"{claim.claim_id} ({desk.claim_no + 1} of {len(desk.claims)}) {claim.text}",
        f"  {claim.location}",
        f"  verdict: {decision.verdict or 'open'}",
        *(f"  quote: {quote.text}" for quote in decision.quotes),
    ]
    if work is None:
        lines.append("  no search found a work for it")
    else:
        lines.append(f"  work {desk.candidate_no + 1} of {len(desk.candidates)}: {work.title} ({work.id})")
        lines += [f"    {sentence}" for sentence, _ in desk.sentences()]
    if desk.proof is not None:
        proven = "proven; q keeps it" if desk.proof.verified else f"{desk.proof.result}: {desk.proof.detail}"
        lines.append(f"  your quote: {proven}")
    keys = "; ".join(f"{key} {does}" for key, does in COMMANDS.items())
    lines += [f"  {desk.progress()}", f"  keys: {keys}; >words quote; #words note; x leave"]
    return "\n".join(for_terminal(line) for line in lines)
