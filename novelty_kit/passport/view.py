"""Frames and tables for notebooks: what a passport declares and what the gate says, ready to show.

Every function takes a passport or a gate result and returns a pandas frame; `table_html` turns any of them
into a table whose texts are escaped. No logic of its own: the rows are those of `summary`. No network. No
clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from novelty_kit.passport.finding import Finding
from novelty_kit.passport.outcome import GateResult
from novelty_kit.passport.prose import Manuscript
from novelty_kit.passport.record import Passport
from novelty_kit.passport.summary import disclosure_rows, matrix_rows, unit_rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "cell_text",
    "claim_matrix",
    "declaration_table",
    "disclosures",
    "findings_table",
    "planned_against_executed",
    "reasons_table",
    "table_html",
]


def _frame(rows: Iterable[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        [[row[name] for name in columns] for row in rows], columns=list(columns), dtype="object"
    )


def declaration_table(passport: Passport) -> pd.DataFrame:
    """The intake declaration: columns ``field`` and ``value``; no row where there is none."""
    declaration = passport.index.body.get("experiment_intake_declaration")
    known = declaration if isinstance(declaration, dict) else {}
    return _frame(({"field": key, "value": value} for key, value in known.items()), ("field", "value"))


def findings_table(findings: Iterable[Finding]) -> pd.DataFrame:
    """Findings of a check: ``tag``, ``line`` (None without file), ``pointer``, ``message``, ``expected``."""
    return _frame(
        (finding.to_dict() for finding in findings), ("tag", "line", "pointer", "message", "expected")
    )


def reasons_table(gate: GateResult) -> pd.DataFrame:
    """Reasons of the gate, one a row, the columns as in :class:`novelty_kit.passport.outcome.Reason`."""
    columns = ("severity", "check", "code", "line", "pointer", "message", "heuristic")
    return _frame((reason.to_dict() for reason in gate.reasons), columns)


def planned_against_executed(passport: Passport) -> pd.DataFrame:
    """One row a planned unit: the columns of :func:`novelty_kit.passport.summary.unit_rows`."""
    columns = (
        "experiment_id",
        "unit_no",
        "planned",
        "executed",
        "skip_reason",
        "result_file",
        "metric",
        "value",
    )
    return _frame(unit_rows(passport), columns)


def disclosures(passport: Passport, manuscript: Manuscript | None = None) -> pd.DataFrame:
    """Negative results and limitations: the columns of ``summary.disclosure_rows``."""
    columns = ("experiment_id", "kind", "item_no", "description", "looked", "manuscript_line", "sentence")
    return _frame(disclosure_rows(passport, manuscript), columns)


def claim_matrix(passport: Passport, gate: GateResult) -> pd.DataFrame:
    """Claims against experiments, with the worst verdict of each pair and of each claim.

    Returns
    -------
    DataFrame
        One row a claim; two levels of columns: ``claim`` (``manifest_id``, ``claim_id``, ``text``, ``kind``),
        ``experiment`` (one column an experiment: the effective verdict, ``planned, no row``, or empty where
        the claim does not lean on it) and ``all rows`` (``citations``, ``status``, ``failing_paths``).
    """
    import pandas as pd

    rows = matrix_rows(passport, gate)
    declared = [
        name
        for entry in passport.index.rows("experiment_provenance")
        if (name := entry.text("experiment_id"))
    ]
    named = [cell["experiment_id"] for row in rows for cell in row["experiments"]]
    used = set(named)
    experiments = list(dict.fromkeys([*(name for name in declared if name in used), *named]))
    table = []
    for row in rows:
        cells = {cell["experiment_id"]: cell["verdict"] or "planned, no row" for cell in row["experiments"]}
        table.append(
            [
                *(row[key] for key in ("manifest_id", "claim_id", "claim_text", "kind")),
                *(cells.get(name, "") for name in experiments),
                ", ".join(f"{judgment} {n}" for judgment, n in row["citations"].items()),
                row["status"],
                ", ".join(row["failing_paths"]),
            ]
        )
    columns = [
        *(("claim", name) for name in ("manifest_id", "claim_id", "text", "kind")),
        *(("experiment", name) for name in experiments),
        *(("all rows", name) for name in ("citations", "status", "failing_paths")),
    ]
    return pd.DataFrame(table, columns=pd.MultiIndex.from_tuples(columns), dtype="object")


def table_html(frame: pd.DataFrame, caption: str, max_rows: int = 200) -> str:
    """A frame as an HTML table: every text escaped, headings marked, cut with a count after `max_rows`."""
    heads = [" ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in frame.columns]
    head = "".join(f'<th scope="col">{escape(cell_text(name))}</th>' for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell_text(value))}</td>" for value in row) + "</tr>"
        for row in frame.head(max_rows).itertuples(index=False, name=None)
    )
    more = len(frame) - max_rows
    cut = f"<p>{more} more rows are not shown.</p>" if more > 0 else ""
    top = f"<caption>{escape(cell_text(caption))}</caption><thead><tr>{head}</tr></thead>"
    return f"<table>{top}<tbody>{body}</tbody></table>{cut}"


def cell_text(value: Any) -> str:
    """What a cell shows: nothing for what is missing, yes and no for flags, escapes for lone surrogates."""
    if value is None or value != value:
        return ""
    text = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else None
    return (text if text is not None else str(value)).encode("utf-8", "backslashreplace").decode("utf-8")
