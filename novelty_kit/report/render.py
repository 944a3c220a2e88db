"""One report: run the notebook, take its record and pictures, write page, notebook and record.

A candidate that cannot be reported on gets an error page instead. Reads the notebook template; writes into the
output folder, each file whole or not at all, the record last. No network. No clock.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novelty_kit.errors import NotebookError
from novelty_kit.output import canonical_json, write_whole
from novelty_kit.report.outcome import Outcome, outcome_of
from novelty_kit.report.page import PICTURES, Drawn, render_error, render_page
from novelty_kit.report.run import HalfRun, notebook_json, run_notebook

__all__ = ["Task", "render_report"]

_RECORD_MIME = "application/vnd.novelty-kit.report+json"


@dataclass(frozen=True, slots=True)
class Task:
    """What one report is made from.

    Attributes
    ----------
    slug : str
        The name of its files.
    candidate_id : str or None
    parameters : mapping or None
        Of the notebook; None where the candidate is malformed.
    problems : tuple of str
        What is wrong with a malformed candidate.
    made_from : mapping
        What the report depends on.
    template : str
        The notebook to run.
    timeout_s : int
        Seconds that one cell may take.
    """

    slug: str
    candidate_id: str | None
    parameters: Mapping[str, Any] | None
    problems: tuple[str, ...]
    made_from: Mapping[str, Any]
    template: str
    timeout_s: int = 300


def render_report(task: Task, folder: Path) -> Outcome:
    """Make the files of one report, or of its error.

    Raises
    ------
    OutputError
        The folder cannot be written to.
    """
    if task.parameters is None:
        return _write_error(task, folder, task.problems[0], task.problems[1:], None)
    try:
        notebook = run_notebook(task.template, task.parameters, timeout_s=task.timeout_s)
        record, pictures = _taken(notebook, task)
    except HalfRun as error:
        return _write_error(task, folder, error.problem.what, (), error.notebook)
    except NotebookError as error:
        return _write_error(task, folder, str(error), tuple(str(p) for p in error.problems), None)
    page = render_page(record, pictures, task.slug)
    _forget(folder, task.slug, "json", "pdf")
    write_whole(folder / f"{task.slug}.ipynb", notebook_json(notebook))
    write_whole(folder / f"{task.slug}.html", page)
    write_whole(folder / f"{task.slug}.json", _record_json(record))
    return outcome_of(task.slug, record, True)


def _taken(notebook: Mapping[str, Any], task: Task) -> tuple[dict[str, Any], dict[str, Drawn]]:
    """The record and the pictures that stand in an executed notebook."""
    # As plain objects: those of a notebook would make every reader of the outcome load the notebook library.
    record = json.loads(json.dumps(_output(notebook, "record", task)[_RECORD_MIME]))
    made_from = {**record["made_from"], "template_sha256": task.made_from["template_sha256"]}
    if made_from != task.made_from:
        changed = ", ".join(sorted(name for name in made_from if made_from[name] != task.made_from.get(name)))
        raise NotebookError(
            f"the notebook judged something else than was asked: {changed}", path=Path(task.template).name
        )
    record = {**record, "made_from": made_from}
    pictures = {}
    for name in PICTURES:
        bundle = _output(notebook, f"picture-{name}", task)
        pictures[name] = Drawn(_joined(bundle["image/svg+xml"]), _joined(bundle["text/plain"]))
    return record, pictures


def _output(notebook: Mapping[str, Any], tag: str, task: Task) -> Mapping[str, Any]:
    for cell in notebook["cells"]:
        if tag in cell["metadata"].get("tags", []):
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    data: Mapping[str, Any] = output["data"]
                    return data
    raise NotebookError(
        f"no cell tagged '{tag}' shows anything", path=Path(task.template).name, remedy="Restore the template"
    )


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _write_error(
    task: Task, folder: Path, what: str, problems: tuple[str, ...], notebook: Mapping[str, Any] | None
) -> Outcome:
    """An error page and its record; nothing of an earlier report stays."""
    record = {
        "candidate_id": task.candidate_id,
        "verdict": None,
        "status": "error",
        "error": {"what": what, "problems": list(problems), "notebook": notebook is not None},
        "made_from": dict(task.made_from),
    }
    _forget(folder, task.slug, "json", "pdf", "ipynb")
    if notebook is not None:
        write_whole(folder / f"{task.slug}.ipynb", notebook_json(notebook))
    write_whole(folder / f"{task.slug}.html", render_error(record, task.slug))
    write_whole(folder / f"{task.slug}.json", _record_json(record))
    return outcome_of(task.slug, record, notebook is not None)


def _forget(folder: Path, slug: str, *ends: str) -> None:
    """An earlier report's files; its record goes first and comes last, so that it never speaks for another page."""
    for end in ends:
        with contextlib.suppress(FileNotFoundError):
            (folder / f"{slug}.{end}").unlink()


def _record_json(record: Mapping[str, Any]) -> str:
    return canonical_json(record, indent=1) + "\n"
