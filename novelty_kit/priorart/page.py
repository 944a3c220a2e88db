"""A finished record as a part of a page: no script, nothing from outside, every disclosure in full.

All text from data is escaped, and characters that hide or reorder text are made visible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from novelty_kit.output import for_terminal
from novelty_kit.priorart.record import Record
from novelty_kit.priorart.render import COUNT_WORDS, summary

__all__ = ["render_html"]

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
        for name, words in COUNT_WORDS
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
