"""A finished record as text for a terminal and as a page; both always show every disclosure.

All text from data is escaped. Nothing is read or written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from novelty_kit.output import for_terminal, shorten
from novelty_kit.priorart.record import Record

__all__ = ["render_html", "render_text", "summary"]

_COUNT_WORDS = (
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
                "title": quote.get("candidate", {}).get("title", ""),
                "id": quote.get("candidate", {}).get("id", ""),
                "url": quote.get("candidate", {}).get("url", ""),
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
    parts = [f"{counts[name]} {words}" for name, words in _COUNT_WORDS]
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


_STYLE = (
    "<style>.priorart{max-width:60rem;line-height:1.5}.priorart table{border-collapse:collapse}"
    ".priorart th,.priorart td{border:1px solid #888;padding:.3rem .6rem;text-align:left;vertical-align:top}"
    ".priorart blockquote{margin:.5rem 0;padding-left:.8rem;border-left:.25rem solid #555;"
    "white-space:pre-wrap;overflow-wrap:anywhere}</style>"
)


def _shown(text: object) -> str:
    """Text from data for a page: markup escaped, and characters that hide or reorder made visible."""
    lines = str(text).split("\n")
    return escape("\n".join(for_terminal(line) for line in lines))


def _listed(heading: str, rows: Sequence[str]) -> str:
    if not rows:
        return ""
    return f"<h3>{heading}</h3><ul>{''.join(f'<li>{_shown(row)}</li>' for row in rows)}</ul>"


def render_html(record: Record | Mapping[str, Any]) -> str:
    """The record as a part of a page: no script, nothing from outside, every disclosure in full."""
    shown = summary(record)
    counts = "".join(
        f"<tr><th scope='row'>{words}</th><td>{shown['counts'][name]}</td></tr>"
        for name, words in _COUNT_WORDS
    )
    total = f"<tr><th scope='row'>claims of newness</th><td>{shown['counts']['total_extracted']}</td></tr>"
    findings = "".join(_finding(row) for row in shown["findings"])
    return (
        f"{_STYLE}<section class='priorart'><h2>Prior art: {_shown(shown['artifact'])}</h2>"
        f"<p>{_shown(shown['headline'])}</p><table><tbody>{counts}{total}</tbody></table>"
        + (f"<h3>Findings</h3>{findings}" if findings else "")
        + _listed("For a person to look at", shown["escalations"])
        + _listed("What must be known to read this", shown["coverage"])
        + "</section>"
    )


def _finding(row: Mapping[str, Any]) -> str:
    claim = f"<p>Claim: {_shown(row['claim'])}</p>" if row["claim"] else ""
    quotes = "".join(
        f"<blockquote>{_shown(p['passage'])}</blockquote><p>{_shown(p['title'] or p['id'])}, characters "
        f"{p['start']}-{p['end']} of text {_shown(p['text_sha256'][:12])}</p>"
        for p in row["passages"]
    )
    evidence = quotes or f"<p>{_shown(row['evidence'])}</p>"
    head = f"{_shown(row['severity'])}: {_shown(row['claim_id'] or row['defect_id'])}, {_shown(row['kind'])}"
    return f"<h4>{head}</h4><p>{_shown(row['location'])}</p>{claim}{evidence}"
