"""History, difference and what-if for people: as text for a terminal, as safe HTML.

Every sentence says against which log and as of which event. Text from data is escaped at this border.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from novelty_kit.changes.record import Change, Difference, Differing, Facts, History, WhatIf
from novelty_kit.output import for_terminal, shorten
from novelty_kit.verdict.record import RULE_NAMES, Verdict
from novelty_kit.verdict.show import headline

__all__ = [
    "difference_html",
    "difference_text",
    "history_html",
    "history_text",
    "table_html",
    "what_if_html",
    "what_if_text",
]

_LINES_SHOWN = 20


def _safe(text: object, width: int = 300) -> str:
    return for_terminal(shorten(str(text), width))


def _name(candidate_id: str | None) -> str:
    return _safe(candidate_id or "(no id)", 120)


def _decided(facts: Facts) -> str:
    status = "" if facts["status"] == "ok" else f" ({facts['status']})"
    return f"{facts['verdict']}{status}, rule {facts['rule']} {RULE_NAMES[facts['rule']]}"


def event_words(event: dict[str, Any]) -> str:
    """An event in a line: what it does, to which table, and its row."""
    row = json.dumps(event.get("row"), ensure_ascii=False)
    return _safe(f"{event.get('op')} {event.get('table')} {row}", 200)


def _moved(before: Facts, after: Facts) -> str:
    """Which counts moved."""
    flat = [
        ("in-sample", "n_in_sample"),
        ("holdout", "n_holdout"),
        ("stubs", "n_stub"),
        ("gap", "coverage_gap_total"),
    ]
    parts = [f"{word} {before[name]} -> {after[name]}" for word, name in flat if before[name] != after[name]]
    old, new = before["coverage"], after["coverage"]
    if old["subject"] != new["subject"]:
        parts.append(f"subject covered: {old['subject']} -> {new['subject']}")
    if before["nothing_compared"] != after["nothing_compared"]:
        parts.append("nothing to compare with" if after["nothing_compared"] else "something to compare with")
    return "; ".join(parts)


def history_text(history: History) -> str:
    """One block a candidate, one line a change, safe for a terminal."""
    files = _safe(" ".join(history.graph["files"]))
    lines = []
    for no, name in enumerate(history.candidate_ids):
        changes = history.of(no)
        n = len(changes) - 1
        told = "1 change" if n == 1 else f"{n} changes"
        lines.append(f"{_name(name)}: {told} in {files}, up to event {history.graph['as_of_seq']}")
        for change in changes:
            lines.append(f"  event {change.seq}: {_decided(change.after)}")
            if change.event is not None and change.before is not None:
                lines.append(f"    {_place(change)}: {event_words(change.event)}")
                moved = _moved(change.before, change.after)
                lines += [f"    {moved}"] if moved else []
    return "\n".join(lines)


def _place(change: Change) -> str:
    return "" if change.place is None else _safe(f"{change.place['file']}:{change.place['line']}")


def history_html(history: History) -> str:
    """A table of the changes as an HTML fragment; everything from data is escaped, and nothing is fetched."""
    rows = [
        (
            _name(change.candidate_id), change.seq, _decided(change.after),
            "the empty log" if change.event is None else event_words(change.event),
            "" if change.before is None else _moved(change.before, change.after),
        )
        for change in history.changes
    ]  # fmt: skip
    files = _safe(" ".join(history.graph["files"]))
    head = f"Changes against {files}, up to event {history.graph['as_of_seq']}."
    return f"<p>{escape(head)}</p>" + table_html(
        ("candidate", "event", "from here on", "because of", "counts"), rows
    )


def table_html(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as an HTML fragment; every cell is text, cut and escaped."""
    top = "".join(f'<th scope="col" style="text-align:left">{escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{escape(_safe(cell))}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _listed(record: dict[str, Any], words: str) -> list[str]:
    found = []
    for what in ("gained", "lost"):
        if ids := record[what]:
            more = f" … and {len(ids) - 5} more" if len(ids) > 5 else ""
            found.append(f"{words} {what}: {_safe(', '.join(ids[:5]), 400)}{more}")
    return found


def _item_lines(item: Differing) -> list[str]:
    told = item.to_dict()
    before, after = told["before"], told["after"]
    lines = [f"before: {_safe(headline(item.before))}", f"after:  {_safe(headline(item.after))}"]
    if _decided(before) != _decided(after):
        lines.append(f"decided: {_decided(before)} -> {_decided(after)}")
    if moved := _moved(before, after):
        lines.append(moved)
    for name, words in (("in_sample", "in-sample"), ("holdout", "holdout"), ("stub_overlap", "stubs")):
        lines += _listed(told["overlap"][name], words)
    lines += _listed(told["coverage_gap"], "gap")
    if not item.about:
        return [*lines, "nothing is otherwise"]
    return [*lines, *_account_lines(item)]


def _account_lines(item: Differing) -> list[str]:
    if not item.events and not item.policies:
        return []
    n = len(item.events) + len(item.policies)
    head = (
        "this alone accounts for it:"
        if n == 1
        else f"these {n} together account for it, without any of them it does not happen:"
    )
    lines = [head, *(f"  policy {name}" for name in item.policies)]
    for told in item.events[:_LINES_SHOWN]:
        place = _safe(f"{told['place']['file']}:{told['place']['line']}")
        lines.append(f"  {told['effect']} {place}: {event_words(told['event'])}")
    if len(item.events) > _LINES_SHOWN:
        lines.append(f"  … and {len(item.events) - _LINES_SHOWN} events more")
    if item.several:
        lines.append("other events would have done it too: this is one of several such sets")
    return lines


def difference_text(difference: Difference) -> str:
    """One block a candidate, safe for a terminal."""
    lines = []
    for item in difference.items:
        mark = "differs" if item.verdict_differs else "the same verdict"
        lines += [f"{_name(item.candidate_id)}: {mark}", *(f"  {line}" for line in _item_lines(item))]
    return "\n".join(lines)


def difference_html(difference: Difference) -> str:
    """The same as an HTML fragment; everything from data is escaped."""
    return "".join(
        f"<p><strong>{escape(_name(item.candidate_id))}</strong></p>{_lines_html(_item_lines(item))}"
        for item in difference.items
    )


def _lines_html(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line.strip())}</li>" for line in lines) + "</ul>"


def _supposed_lines(what_if: WhatIf) -> list[str]:
    supposed = what_if.supposed
    lines = [f"suppose: {event_words(event)}" for event in supposed["add"]]
    lines += [f"suppose event {seq} is not there" for seq in supposed["remove"]]
    lines += [f"suppose {_safe(lom_id)} was used by the authors" for lom_id in supposed["hold"]]
    lines += [f"under policy {name}={value}" for name, value in supposed["policy"].items()]
    return lines or ["nothing is supposed"]


def what_if_text(what_if: WhatIf) -> str:
    """What is supposed, then both results, safe for a terminal."""
    lines = [*_supposed_lines(what_if), *_item_lines(what_if.difference)]
    return "\n".join([f"{_name(what_if.before.candidate_id)}:", *(f"  {line}" for line in lines)])


def what_if_html(what_if: WhatIf) -> str:
    """The two results beside each other as an HTML fragment; everything from data is escaped."""

    def column(verdict: Verdict) -> list[object]:
        told = verdict.to_dict()
        return [headline(verdict), verdict.in_sample.n_shared, verdict.holdout.n_shared, verdict.stub_overlap.n_shared,
                verdict.coverage_gap_total, told["coverage"]["subject"]]  # fmt: skip

    names = ("result", "in-sample nodes", "holdout nodes", "stubs", "gap", "subject covered")
    rows = list(zip(names, column(what_if.before), column(what_if.after), strict=True))
    return (
        f"<p><strong>{escape(_name(what_if.before.candidate_id))}</strong></p>"
        + _lines_html(_supposed_lines(what_if))
        + table_html(("", "as it is", "as it would be"), rows)
    )
