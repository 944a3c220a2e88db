"""The parts of an audit as HTML and as plain text, each a pure function of the record.

One environment prints every value: what comes from data is made visible, cut and escaped on the way out, and
no template marks anything safe.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novelty_kit.output import canonical_json, for_terminal, shorten
from novelty_kit.report.audit_words import at_a_glance, document_lines, scores_words
from novelty_kit.report.text import for_page

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["PARTS", "environment", "part_html", "part_text"]

PARTS = ("verdict", "why", "overlap", "coverage", "neighbourhood", "history", "documents", "provenance")
_LONG = 2_000
_LONG_JSON = 150
_GROUPS = {
    "holdout": "Holdout: the authors did not use it",
    "in_sample": "In-sample: the authors used it",
    "other": "Read, but leads to no claim: counts for nothing",
    "stub": "Stub: counts for nothing",
}
_HOW = {
    "cites": "the candidate cites it",
    "is_cited": "it cites the candidate",
    "listed": "in the candidate's own list",
}
_REASONS = {
    "contradicted": "its list is recorded as empty, and something shows that it is not",
    "checked_zero": "its list is empty, and no read work with a known list cites it",
    "failed": "the lookup of its list failed",
    "unchecked": "its list was never asked for",
}
_SUBJECT = {
    "out": "The candidate's own reference list is known.",
    "in": "The candidate's own list does not cover it, but a read work with a known list cites it.",
    "none": "The candidate's own reference list is not known.",
}


def _printed(value: Any) -> Any:
    """What the environment does to every printed value before it is escaped."""
    return value if hasattr(value, "__html__") else for_page(value)


def _count(one: str, many: str, n: int) -> str:
    return f"1 {one}" if n == 1 else f"{n} {many}"


def _long(text: object) -> Any:
    from markupsafe import escape

    return escape(for_page(text, _LONG))


def _whole(text: str) -> Any:
    """Escaped, but neither cut nor cleaned: for addresses that we made ourselves."""
    from markupsafe import escape

    return escape(text)


def _json(value: object) -> Any:
    """Indented JSON, its lines kept."""
    from markupsafe import escape

    lines = canonical_json(value, indent=2).split("\n")
    more = (
        [f"… and {len(lines) - _LONG_JSON} more lines, in the record beside this page"]
        if len(lines) > _LONG_JSON
        else []
    )
    return escape("\n".join(for_page(line, _LONG) for line in [*lines[:_LONG_JSON], *more]))


def _group_words(name: str, record: Mapping[str, Any]) -> str:
    if name == "in_sample" and not record["result"]["holdout_applied"]:
        return "In-sample: no holdout was stated"
    return _GROUPS[name]


def _subject_coverage(record: Mapping[str, Any]) -> str:
    result = record["result"]
    kind = result["coverage"]["subject"]
    if result["lom_id"] is None:
        return "The candidate cannot be named, so it has no reference list."
    stated = result["coverage"]["n_refs"]
    if kind == "out" and stated is not None:
        known = result["coverage"]["n_edges_out"]
        return f"{_SUBJECT[kind]} It states {_count('reference', 'references', stated)}; {known} known here."
    if kind == "none" and stated == 0:
        return "The candidate's own reference list is recorded as empty, and that alone covers nothing."
    return _SUBJECT[kind]


def _gaps(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each listed gap with its reason in words."""
    return [(lom_id, _REASONS[reason]) for lom_id, reason in record["result"]["coverage_gap_reasons"].items()]


@functools.cache
def environment() -> Environment:
    """The templates of this room; every printed value is cleaned and escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=PackageLoader("novelty_kit.report"), autoescape=True, undefined=StrictUndefined, finalize=_printed,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False, auto_reload=False,
    )  # fmt: skip
    env.filters |= {
        "at_a_glance": at_a_glance,
        "gaps": _gaps,
        "group_words": _group_words,
        "how_words": lambda how: ", ".join(_HOW[word] for word in how),
        "json": _json,
        "lists": lambda n: _count("list", "lists", n),
        "long": _long,
        "nodes": lambda n: _count("node", "nodes", n),
        "scores_words": scores_words,
        "subject_coverage": _subject_coverage,
        "two_places": lambda number: f"{number:.2f}",
        "verdict_words": lambda name: str(name).replace("_", " ").lower(),
        "whole": _whole,
        "words": lambda name: str(name).replace("_", " "),
        "works": lambda n: _count("work", "works", n),
    }
    return env


def part_html(record: Mapping[str, Any], name: str) -> str:
    """One part as an HTML fragment; nothing in it is fetched, and nothing from data is markup."""
    module = environment().get_template("parts.html.j2").module
    return str(getattr(module, name)(record)).strip()


def part_text(record: Mapping[str, Any], name: str) -> str:
    """One part as plain text, safe for a terminal."""
    return "\n".join(for_terminal(shorten(line, 300)) for line in _TEXTS[name](record))


def _verdict_lines(record: Mapping[str, Any]) -> list[str]:
    return [
        str(record["headline"]),
        *(
            [" · ".join(f"{label}: {words}" for label, words in glance)]
            if (glance := at_a_glance(record))
            else []
        ),
        *(f"advice ({a['code']}): {a['reason']}" for a in record["result"]["advisories"]),
    ]


def _why_lines(record: Mapping[str, Any]) -> list[str]:
    steps = [f"rule {s['rule']} {s['name']}: {s['outcome']}: {s['because']}" for s in record["trace"]]
    shown = record["result"]["evidence"]
    lines = [f"line {e['seq']} ({e['table']} {e['key']}): {e['why']}" for e in shown[:40]]
    return [*steps, *lines, *([f"… and {len(shown) - 40} more lines"] if len(shown) > 40 else [])]


def _overlap_lines(record: Mapping[str, Any]) -> list[str]:
    result = record["result"]
    slices = ("holdout", "in_sample") if result["holdout_applied"] else ("in_sample",)
    lines = []
    for name in slices:
        part = result["citation_overlap"][name]
        alone = result["verdict_by_slice"][name]
        lines.append(
            f"{name.replace('_', '-')}: {part['n_shared']} shared, alone {alone}: {_first(part['shared_lom_ids'])}"
        )
    return lines if result["holdout_applied"] else [*lines, "no holdout was stated: all overlap is in-sample"]


def _first(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "") if ids else "none"


def _coverage_lines(record: Mapping[str, Any]) -> list[str]:
    c = record["result"]["coverage"]
    covered = f"covered {c['n_covered']} ({c['n_covered_in']} by in-edges)"
    counts = f"compared {c['n_compared']}, {covered}, pruned by date {c['n_pruned']}"
    return [_subject_coverage(record), counts, *(f"way out: {line}" for line in record["way_out"][:12])]


def _neighbourhood_lines(record: Mapping[str, Any]) -> list[str]:
    groups = [group for group in record["neighbourhood"]["groups"] if group["n"]]
    lines = [
        f"{_group_words(g['name'], record)} ({g['n']}): {_first([n['lom_id'] for n in g['nodes']])}"
        for g in groups
    ]
    return lines or ["nothing"]


def _history_lines(record: Mapping[str, Any]) -> list[str]:
    past = record["history"]
    n_hidden = past["n"] - len(past["changes"])
    lines = [f"… {n_hidden} earlier changes"] if n_hidden else []
    for change in past["changes"]:
        what = change["verdict"] + ("" if change["status"] == "ok" else f" ({change['status']})")
        by = f": {change['file']}:{change['line']}: {change['text']}" if change["text"] is not None else ""
        lines.append(f"event {change['seq']}: {what}, rule {change['rule']}{by}")
    return lines


def _provenance_lines(record: Mapping[str, Any]) -> list[str]:
    graph = record["result"]["graph"]
    policy = ", ".join(f"{name}={value}" for name, value in record["result"]["policy"].items())
    return [
        f"{' '.join(graph['files'])} as of event {graph['as_of_seq']}, sha256 {graph['sha256']}",
        f"policy: {policy}",
    ]


_TEXTS = {
    "verdict": _verdict_lines,
    "why": _why_lines,
    "overlap": _overlap_lines,
    "coverage": _coverage_lines,
    "neighbourhood": _neighbourhood_lines,
    "history": _history_lines,
    "documents": document_lines,
    "provenance": _provenance_lines,
}
