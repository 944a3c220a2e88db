"""What is shown, as safe HTML: the headline, the band along the log, the details, a node, a whole page. Pure.

Everything from data is escaped here, colour never says anything alone, and nothing is fetched.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from novelty_kit.changes.show import table_html
from novelty_kit.explorer.details import Details, Node, nodes_to_hold
from novelty_kit.explorer.view import View
from novelty_kit.output import for_terminal, shorten
from novelty_kit.verdict.record import RULE_NAMES
from novelty_kit.verdict.show import headline, verdict_html

if TYPE_CHECKING:
    from novelty_kit.changes import Change, History
    from novelty_kit.plot.surroundings import Neighbour

__all__ = [
    "ROLE_WORDS", "band_svg", "changes_html", "code_html", "details_html", "error_html", "headline_html",
    "neighbour_choices", "node_html", "page_html", "supposed_html", "view_words",
]  # fmt: skip

ROLE_WORDS = {
    "holdout": ("●", "holdout"),
    "in_sample": ("■", "in-sample"),
    "other": ("◇", "read, leads to no claim"),
    "stub": ("✕", "stub"),
}
_FILL = {
    "duplicate": ("#e69f00", "#1a1a1a"),
    "neighborhood": ("#0072b2", "#ffffff"),
    "novel": ("#ffffff", "#1a1a1a"),
    "unknown": ("#d9d9d9", "#1a1a1a"),
}
_WIDTH, _MOST_PARTS, _MOST_ROWS = 1000, 300, 40


def _safe(text: object, width: int = 300) -> str:
    return escape(for_terminal(shorten(str(text), width)))


def view_words(view: View) -> str:
    """What a view's candidate is called, on one line."""
    one = view.candidate
    named = one.label or one.about_lom_id or (one.keys[0] if one.keys else "a candidate without an id")
    says = one.title or one.statement
    return for_terminal(shorten(f"{named}: {says}" if says else named, 110))


def headline_html(view: View, history: History) -> str:
    """The verdict at the view's event, and the event that made it so: known from the history alone."""
    changes = history.of(0)
    now = history.at(view.seq)
    place = changes.index(now)
    status = "" if now.status == "ok" else f" ({_safe(now.status)})"
    since = (
        "since the empty log" if now.event is None else f"since event {now.seq}: {_safe(_event(now), 200)}"
    )
    until = f", until event {changes[place + 1].seq}" if place + 1 < len(changes) else ""
    last = history.graph["as_of_seq"]
    return (
        f'<p class="novelty-headline" data-verdict="{now.verdict}"><strong style="font-size:1.3em">{now.verdict}'
        f"</strong>{status}, rule {now.rule} {RULE_NAMES[now.rule]}, as of event {view.seq} of {last}</p>"
        f"<p>{since}{until}. Change {place} of {len(changes) - 1}.</p>"
    )


def _event(change: Change) -> str:
    from novelty_kit.plot.over_time import event_words

    return event_words(change.event or {})


def band_svg(view: View, history: History) -> str:
    """The verdicts along the log as one band, with the view's event marked; in words for a reader of screens."""
    last = max(1, int(history.graph["as_of_seq"]))
    changes = history.of(0)
    ends = [*(change.seq for change in changes[1:]), last]
    told = "; ".join(f"{c.verdict} from event {c.seq}" for c in changes[:20])
    parts = []
    for change, end in list(zip(changes, ends, strict=True))[:_MOST_PARTS]:
        left, right = _WIDTH * change.seq / last, _WIDTH * end / last
        fill, ink = _FILL[change.verdict]
        parts.append(
            f'<rect x="{left:.1f}" y="14" width="{max(right - left, 0.5):.1f}" height="24" fill="{fill}" '
            f'stroke="#1a1a1a"/>'
        )
        if right - left > 9 * len(change.verdict):
            parts.append(
                f'<text x="{(left + right) / 2:.1f}" y="31" font-size="14" text-anchor="middle" fill="{ink}">'
                f"{change.verdict}</text>"
            )
    here = _WIDTH * view.seq / last
    parts.append(f'<path d="M{here - 6:.1f} 2h12l-6 10z" fill="#1a1a1a"/>')
    parts.append(f'<path d="M{here:.1f} 10v34" stroke="#1a1a1a" stroke-width="2"/>')
    more = "" if len(changes) <= _MOST_PARTS else f"<p>… and {len(changes) - _MOST_PARTS} changes more</p>"
    return (
        f'<svg role="img" aria-label="Verdicts along the log: {_safe(told, 2000)}. Now at event {view.seq}." '
        f'viewBox="-8 0 {_WIDTH + 16} 46" style="width:100%;max-width:1000px;font-family:sans-serif">'
        f"{''.join(parts)}</svg>{more}"
    )


def changes_html(history: History) -> str:
    """Every change with its event, as a table of at most 40 rows."""
    changes = history.of(0)
    rows: list[tuple[object, ...]] = [
        (
            c.seq, c.verdict if c.status == "ok" else f"{c.verdict} ({c.status})", f"{c.rule} {RULE_NAMES[c.rule]}",
            "the empty log" if c.event is None else _event(c),
        )
        for c in changes[:_MOST_ROWS]
    ]  # fmt: skip
    more = f"<p>… and {len(changes) - _MOST_ROWS} more</p>" if len(changes) > _MOST_ROWS else ""
    return table_html(("event", "from here on", "rule", "because of"), rows) + more


def details_html(details: Details) -> str:
    """The verdict with its trace and the lines of the log that decided."""
    return verdict_html(details.verdict)


def supposed_html(details: Details) -> str:
    """The verdict as it is and as it would be, side by side; empty where nothing is supposed."""
    would_be = details.supposed
    if would_be is None:
        return ""
    is_now = details.verdict
    rows: list[tuple[object, ...]] = [
        ("verdict", is_now.verdict, would_be.verdict),
        ("status", is_now.status, would_be.status),
        ("rule", f"{is_now.rule} {RULE_NAMES[is_now.rule]}", f"{would_be.rule} {RULE_NAMES[would_be.rule]}"),
        ("in-sample nodes", is_now.in_sample.n_shared, would_be.in_sample.n_shared),
        ("holdout nodes", is_now.holdout.n_shared, would_be.holdout.n_shared),
        ("stubs", is_now.stub_overlap.n_shared, would_be.stub_overlap.n_shared),
        ("gap", is_now.coverage_gap_total, would_be.coverage_gap_total),
        ("subject covered", is_now.coverage["subject"], would_be.coverage["subject"]),
    ]
    marked = [(name, a, b, "" if a == b else "differs") for name, a, b in rows]
    return (
        f'<p class="novelty-supposed" data-verdict="{would_be.verdict}">As supposed: '
        f"<strong>{_safe(headline(would_be))}</strong></p>{table_html(('', 'as it is', 'as supposed', ''), marked)}"
    )


def neighbour_choices(details: Details) -> tuple[tuple[str, str], ...]:
    """The nodes that are touched, as words and ids, each with its shape and what it counts for."""
    found = (
        [(f"◆ candidate: {details.verdict.lom_id}", details.verdict.lom_id)] if details.verdict.lom_id else []
    )
    for group in details.around.groups:
        shape, words = ROLE_WORDS[group.name]
        found += [(f"{shape} {words}: {_node_words(node, details)}", node.lom_id) for node in group.nodes]
        found += [
            (f"   leads to claims about {end}", end) for node in group.nodes for end in node.ends if node.ends
        ]
    return tuple((for_terminal(shorten(words, 140)), lom_id) for words, lom_id in found)


def _node_words(node: Neighbour, details: Details) -> str:
    paper = details.papers.get(node.lom_id)
    if paper is None:
        return node.lom_id
    bears = f", {paper.n_claims} claims" if paper.n_claims > 1 else ", 1 claim" if paper.n_claims else ""
    title = f" {paper.title}" if paper.title else ""
    return f"{node.lom_id}{', read' if paper.read else ''}{bears}{title}"


def node_html(node: Node) -> str:
    """A node's rows, each with the line of the log that made it."""
    if not node.lines:
        return f"<p>The log holds nothing about {_safe(node.lom_id)} at this event.</p>"
    rows = [(line.table, line.told, f"{line.file}:{line.line}") for line in node.lines]
    lines = "\n".join(
        f"{_safe(line.file)}:{line.line}: {_safe(line.raw.decode('utf-8', 'replace'), 400)}"
        for line in node.lines
    )
    rows_told = "1 row" if node.n == 1 else f"{node.n} rows"
    more = f"<p>… and {node.n - len(node.lines)} rows more</p>" if node.n > len(node.lines) else ""
    return (
        f"<p><strong>{_safe(node.lom_id)}</strong>: {rows_told}</p>{table_html(('table', 'says', 'line'), rows)}{more}"
        f"{code_html(lines)}"
    )


def code_html(escaped: str) -> str:
    """Lines to be copied, in one width; a long one breaks between words where it can."""
    style = "white-space:pre-wrap;overflow-wrap:anywhere;word-break:normal;font-family:monospace"
    return f"<pre style='{style}'>{escaped}</pre>"


def error_html(words: str) -> str:
    """What went wrong, in words."""
    return f'<p role="alert" class="novelty-error"><strong>not done:</strong> {_safe(words, 500)}</p>'


def page_html(view: View, history: History, details: Details, picture: str, call: str) -> str:
    """The whole view as a page without widgets: what a rendered notebook shows.

    Parameters
    ----------
    picture : str
        The neighbourhood as SVG.
    call : str
        From :func:`call_of`.
    """
    held = [f"{lom_id}{' (held out)' if on else ''}" for lom_id, on in nodes_to_hold(view, details)]
    policy = ", ".join(f"{name}={value}" for name, value in view.policy.to_dict().items())
    return (
        f"<section>{headline_html(view, history)}{band_svg(view, history)}<h4>Changes</h4>{changes_html(history)}"
        f"<h4>Why</h4>{details_html(details)}{supposed_html(details)}<h4>What it touches</h4>{picture}"
        f"<p>Can be held out: {_safe(', '.join(held) or 'nothing', 2000)}. Policy: {_safe(policy)}.</p>"
        f"<h4>The call that gives this</h4>{code_html(escape(for_lines(call)))}</section>"
    )


def for_lines(text: str) -> str:
    """Several lines of text, each without what acts on a terminal."""
    return "\n".join(for_terminal(line) for line in text.split("\n"))
