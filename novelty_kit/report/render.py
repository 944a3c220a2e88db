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

from novelty_kit.errors import CandidateError, NotebookError
from novelty_kit.output import canonical_json, write_whole
from novelty_kit.report.audits import audit_errors
from novelty_kit.report.page import PICTURES, Drawn, render_error, render_page
from novelty_kit.report.run import HalfRun, notebook_json, run_notebook

__all__ = ["Outcome", "Task", "read_record", "render_report"]

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one report went; `record` is what stands in its JSON file."""

    slug: str
    record: Mapping[str, Any]
    has_notebook: bool

    @property
    def is_whole(self) -> bool:
        """Whether it is a report with all its files."""
        return self.error is None and self.has_notebook

    @property
    def error(self) -> str | None:
        """Why there is only an error page; None where there is a report."""
        return self.record["error"]["what"] if "error" in self.record else None

    @property
    def broken_parts(self) -> list[str]:
        """What is wrong with the documents that the candidate names, one sentence each."""
        return audit_errors(self.record)


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
    write_whole(folder / f"{task.slug}.ipynb", notebook_json(notebook))
    write_whole(folder / f"{task.slug}.html", page)
    write_whole(folder / f"{task.slug}.json", _record_json(record))
    return Outcome(task.slug, record, True)


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
    if notebook is None:
        with contextlib.suppress(FileNotFoundError):
            (folder / f"{task.slug}.ipynb").unlink()
    else:
        write_whole(folder / f"{task.slug}.ipynb", notebook_json(notebook))
    write_whole(folder / f"{task.slug}.html", render_error(record, task.slug))
    write_whole(folder / f"{task.slug}.json", _record_json(record))
    return Outcome(task.slug, record, notebook is not None)


def _record_json(record: Mapping[str, Any]) -> str:
    return canonical_json(record, indent=1) + "\n"


def read_record(folder: Path, slug: str) -> dict[str, Any]:
    """The record of an earlier report.

    Raises
    ------
    CandidateError
        There is none, or it cannot be read.
    """
    path = folder / f"{slug}.json"
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CandidateError(f"no record: {error}", path=str(path)) from None
    if not isinstance(record, dict) or "made_from" not in record:
        raise CandidateError("no record of a report", path=str(path))
    return record
