"""The audit of one passport as a notebook shows it: one part for each question.

Reads a passport and, where named, its manuscript and result files; writes nothing. No network. No clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from novelty_kit.demo import demo_folder
from novelty_kit.errors import InputError
from novelty_kit.output import for_terminal, shorten
from novelty_kit.passport import view
from novelty_kit.passport.form import explore_intake
from novelty_kit.passport.prose import Manuscript, read_manuscript
from novelty_kit.passport.read import read_passport
from novelty_kit.passport.record import Passport
from novelty_kit.passport.summary import summary

if TYPE_CHECKING:
    import ipywidgets
    import pandas as pd

__all__ = ["PassportAudit", "ShownTable", "audit_passport"]

_SHOWN_ROWS = 200
_CELL_WIDTH = 240


class ShownTable:
    """A frame with its caption: an escaped table in a notebook, aligned lines elsewhere.

    Attributes
    ----------
    frame : DataFrame
        All rows; only the first ones are shown.
    caption : str
    """

    def __init__(self, frame: pd.DataFrame, caption: str) -> None:
        self.frame = frame
        self.caption = caption

    def _repr_html_(self) -> str:
        return view.table_html(self.frame, self.caption, _SHOWN_ROWS)

    def __repr__(self) -> str:
        heads = [" ".join(name) if isinstance(name, tuple) else str(name) for name in self.frame.columns]
        rows = [
            heads,
            *(map(view.cell_text, row) for row in self.frame.head(_SHOWN_ROWS).itertuples(index=False)),
        ]
        lines = [" | ".join(shorten(for_terminal(cell), _CELL_WIDTH) for cell in row) for row in rows]
        return "\n".join([self.caption, *lines, f"{len(self.frame)} rows"])


class PassportAudit:
    """What a passport declares and what the gate says of it, ready to be shown.

    Attributes
    ----------
    passport : Passport
    gate : GateResult
    declaration, findings, matrix, planned, disclosures, reasons : ShownTable
        The intake declaration; what the check finds; claims against experiments with the worst verdict;
        planned against executed; negative results and limitations with where the manuscript shows them;
        the reasons of the gate.
    record : dict
        The passport part of a report.
    """

    def __init__(
        self, passport: Passport, manuscript: Manuscript | None, stage: str, results: str | None
    ) -> None:
        self.passport = passport
        self.gate = passport.gate(stage=stage, manuscript=manuscript, results=results)
        self.declaration = ShownTable(view.declaration_table(passport), "Intake declaration")
        self.findings = ShownTable(
            view.findings_table(passport.check(results=results)), "Findings of the check"
        )
        self.matrix = ShownTable(view.claim_matrix(passport, self.gate), "Claims against experiments")
        self.planned = ShownTable(view.planned_against_executed(passport), "Planned against executed")
        self.disclosures = ShownTable(
            view.disclosures(passport, manuscript), "Negative results and limitations"
        )
        self.reasons = ShownTable(view.reasons_table(self.gate), "Reasons of the gate")
        self.record = summary(passport, self.gate, manuscript)

    @property
    def outcome(self) -> ShownTable:
        """The gate's outcome, the stage, and what the gate does not judge."""
        import pandas as pd

        rows = [
            ("outcome", self.gate.outcome.value),
            ("stage", self.gate.stage),
            ("claims that fail by citations", self.gate.histogram.get("citation", 0)),
            ("claims that fail by experiments", self.gate.histogram.get("experiment", 0)),
            ("not judged", self.gate.boundary),
        ]
        return ShownTable(pd.DataFrame(rows, columns=["gate", "answer"], dtype="object"), "The gate")

    def intake(self, interactive: bool, declared_at: str = "") -> ShownTable | ipywidgets.VBox:
        """The intake form where a person sits at the notebook; the declaration as it stands otherwise."""
        return explore_intake(self.passport.name, declared_at) if interactive else self.declaration

    def __repr__(self) -> str:
        return f"<PassportAudit of {self.record['file']}: {self.gate.outcome}>"


def audit_passport(
    passport: str | os.PathLike[str] | None = None,
    *,
    manuscript: str | os.PathLike[str] | None = None,
    results: str | os.PathLike[str] | None = None,
    stage: str = "4.5",
) -> PassportAudit:
    """Read a passport and hold it against the check and the gate.

    Parameters
    ----------
    passport : path, optional
        Without one, the demo's passport with its manuscript and result files.
    manuscript, results : path, optional
        A Markdown draft, and the folder that the passport's result files are relative to.
    stage : {"4.5", "2.5"}

    Returns
    -------
    PassportAudit
    """
    _only_texts((passport, manuscript, results))
    if passport is None:
        demo = demo_folder()
        passport, manuscript, results = demo / "passport.yaml", demo / "draft.md", demo
    draft = read_manuscript(manuscript) if manuscript is not None else None
    return PassportAudit(
        read_passport(passport), draft, stage, None if results is None else os.fspath(results)
    )


def _only_texts(paths: Iterable[Any]) -> None:
    for path in paths:
        if path is not None and not isinstance(path, (str, os.PathLike)):
            raise InputError(f"{path!r} is no file name", remedy="Give paths as text, or None")
