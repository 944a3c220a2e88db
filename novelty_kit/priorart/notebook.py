"""A case as a notebook shows it: its claims and searches, the page to judge them, the finished record.

Reads a case folder, or the demo's. Without a judge nothing is written; with one, decisions and edits go into
the folder at every act. The demo's own folder is never written to. No network. No clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit.demo import demo_folder
from novelty_kit.errors import InputError
from novelty_kit.priorart.adjudicate import adjudication_page, case_html
from novelty_kit.priorart.decisions import Case, draft_of
from novelty_kit.priorart.desk import Desk
from novelty_kit.priorart.edit_page import edit_page
from novelty_kit.priorart.editing import ClaimEditor
from novelty_kit.priorart.finished import read_record
from novelty_kit.priorart.folder import open_case, record_of
from novelty_kit.priorart.jsonfile import read_text
from novelty_kit.priorart.page import render_html
from novelty_kit.priorart.record import Record
from novelty_kit.priorart.render import render_text, searches_text
from novelty_kit.priorart.verdicts import read_verdicts

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["PriorArt", "Shown", "open_prior_art"]


class Shown:
    """Something with two faces: HTML in a notebook, text elsewhere."""

    def __init__(self, html: str, text: str) -> None:
        self._html, self._text = html, text

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return self._text


class PriorArt:
    """One case, for showing.

    Attributes
    ----------
    folder : Path
    case : Case
        Claims, searches and texts, as they are in the folder now.
    """

    def __init__(self, folder: Path, *, artifact_text: str | None, judge: str, lenient: bool) -> None:
        self.folder = folder
        self._artifact_text, self._judge, self._lenient = artifact_text, judge, lenient
        self.case: Case = open_case(folder, artifact_text)

    @property
    def claims(self) -> Shown:
        """Each claim, where it was searched for, and the verdict on it where there is one."""
        path = self.folder / "verdicts.json"
        verdicts = read_verdicts(str(path)) if path.exists() else ()
        html = case_html(self.case, draft_of(verdicts, self.case.claims))
        return Shown(html, searches_text(self.case.claims, self.case.log))

    @property
    def page(self) -> ipywidgets.VBox | Shown:
        """The page to judge and to edit; without a judge, how to get it."""
        if not self._judge:
            words = "Set judge to your name to judge these claims here, or use novelty priorart adjudicate."
            return Shown(f"<p>{words}</p>", words)
        import ipywidgets as widgets

        desk = Desk(self.case, self.folder / "draft.json", self.folder / "verdicts.json", self._judge)
        judged = widgets.VBox([adjudication_page(desk)])

        def reopened() -> None:
            self.case = open_case(self.folder, self._artifact_text)
            again = Desk(self.case, self.folder / "draft.json", self.folder / "verdicts.json", self._judge)
            judged.children = (adjudication_page(again),)

        editor = ClaimEditor(self.folder / "claims.json", self._judge)
        edits = widgets.Accordion(
            [edit_page(editor, reopened)], titles=("Edit the claims",), selected_index=None
        )
        return widgets.VBox([judged, edits])

    def record(self, file: str | None = None) -> Shown:
        """A finished record: one that was written to a file, or what the verdicts in the folder give.

        Parameters
        ----------
        file : str, optional
            As ``novelty priorart record --json`` writes it.

        Raises
        ------
        DocumentError
            The file is no record, or claims, searches and verdicts do not fit.
        """
        record: Record | dict[str, Any]
        if file is not None:
            record = read_record(file)
        else:
            record = record_of(self.folder, lenient=self._lenient, artifact_text=self._artifact_text)
        return Shown(render_html(record), render_text(record))


def open_prior_art(
    folder: str | None = None, *, artifact: str | None = None, judge: str = "", lenient: bool = False
) -> PriorArt:
    """Open a case folder.

    Parameters
    ----------
    folder : str, optional
        With ``claims.json``, ``search_log.jsonl`` and ``store/``; without it the demo's.
    artifact : str, optional
        The judged text itself, a file: a quote from it proves nothing.
    judge : str, optional
        Who judges and edits; without a name nothing can be changed.
    lenient : bool, default False
        As for :func:`novelty_kit.priorart.build_record`.

    Raises
    ------
    DocumentError
        A file is missing or cannot be read.
    InputError
        Somebody wants to judge the demo in its own place.
    """
    if folder is None and judge:
        raise InputError(
            "the demo's case is not judged in its place",
            remedy="Write a copy: novelty demo DIR, then name it",
        )
    text = read_text(artifact) if artifact is not None else None
    where = Path(folder) if folder is not None else demo_folder() / "priorart"
    return PriorArt(where, artifact_text=text, judge=judge.strip(), lenient=lenient)
