"""Run a notebook through papermill so that success means success.

Parameters are checked before the run, the run itself afterwards: every code cell ran, in order, none failed, none
ended the kernel. Reads a notebook; writes nothing but temporary files. No network.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from novelty_kit.errors import NotebookError
from novelty_kit.output import for_terminal, shorten
from novelty_kit.report.parameters import check_parameters, read_parameters

__all__ = ["HalfRun", "check_executed", "load_notebook", "notebook_json", "run_notebook", "source_sha256"]

_CELL_S = 300
_WIDGET = "application/vnd.jupyter.widget-view+json"


class HalfRun(NotebookError):
    """A notebook failed on the way; what ran of it is kept as ``notebook``."""

    notebook: dict[str, Any] | None = None


def load_notebook(path: str | os.PathLike[str]) -> Any:
    """Read a notebook.

    Raises
    ------
    NotebookError
        There is no such file, or it is no notebook.
    """
    import nbformat

    text, raw = _raw(path)
    try:
        nbformat.validate(raw)
    except nbformat.ValidationError as error:
        raise NotebookError(
            f"is no valid notebook: {shorten(error.message, 200)}", path=os.fspath(path)
        ) from None
    return nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]


def _raw(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """A notebook's text and JSON, without the library that knows the format: importing that can take seconds."""
    try:
        text = Path(path).read_text("utf-8")
        raw = json.loads(text)
    except OSError as error:
        raise NotebookError(f"cannot be read: {error.strerror or error}", path=os.fspath(path)) from None
    except ValueError as error:
        raise NotebookError(f"is no notebook: {shorten(str(error), 200)}", path=os.fspath(path)) from None
    if not isinstance(raw, dict) or raw.get("nbformat") != 4 or not isinstance(raw.get("cells"), list):
        raise NotebookError("is no notebook of format 4", path=os.fspath(path))
    return text, raw


def source_sha256(path: str | os.PathLike[str]) -> str:
    """Hash of a notebook's cells without their outputs.

    Raises
    ------
    NotebookError
        As :func:`load_notebook`.
    """
    _, raw = _raw(path)
    digest = hashlib.sha256()
    for cell in raw["cells"]:
        tags = ",".join(cell["metadata"].get("tags", []))
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        digest.update(f"{cell['cell_type']}\0{tags}\0{source}\0".encode())
    return digest.hexdigest()


def run_notebook(
    path: str | os.PathLike[str], parameters: Mapping[str, Any], *, timeout_s: int = _CELL_S
) -> dict[str, Any]:
    """Execute a notebook with parameters in a fresh kernel, in the working folder of the caller.

    Parameters
    ----------
    path : path
        The template; it is not changed.
    parameters : mapping
        A value for every parameter that the template has, and no other.
    timeout_s : int
        Seconds that one cell may take.

    Returns
    -------
    dict
        The executed notebook, without times and machine names.

    Raises
    ------
    NotebookError
        The template or a parameter is wrong; nothing ran.
    HalfRun
        A cell failed, ended the kernel or took too long; it carries the notebook as far as it ran.
    """
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillException, PapermillExecutionError

    from novelty_kit.report.kernel import ENGINE, OwnKernelManager

    name = os.fspath(path)
    template = load_notebook(name)
    check_parameters(read_parameters(template, name), parameters, name)
    for cell in template["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    with tempfile.TemporaryDirectory(prefix="novelty-") as folder, _own_settings(folder):
        half = Path(folder) / "half.ipynb"
        executed, failure = None, None
        try:
            # What is returned keeps the order of every object; a file of it has the keys sorted.
            executed = papermill.execute_notebook(
                template, str(half), dict(parameters), engine_name=ENGINE, kernel_name="python3", language="python",
                progress_bar=False, log_output=False,
                request_save_on_cell_execute=False, execution_timeout=timeout_s,
                kernel_manager_class=OwnKernelManager, shutdown_kernel="immediate",
            )  # fmt: skip
        except PapermillExecutionError as error:
            what = f"{error.ename}: {error.evalue}" if error.evalue else str(error.ename)
            failure = (
                f"cell {error.exec_count or error.cell_index} failed: {shorten(for_terminal(what), 300)}"
            )
        except CellTimeoutError:
            failure = f"a cell took longer than {timeout_s} s"
        except DeadKernelError:
            failure = "the kernel died"
        except (
            PapermillException,
            RuntimeError,
            OSError,
        ) as error:  # a kernel that does not start is any of these
            failure = f"the kernel did not run: {shorten(for_terminal(str(error)), 300)}"
        if executed is None and half.exists():
            executed = load_notebook(half)
    if executed is not None:
        executed = _settled(executed)
    if failure is None and executed is not None:
        failure = check_executed(executed)
    if failure is not None or executed is None:
        broken = HalfRun(failure or "the notebook did not run", path=name)
        broken.notebook = executed
        raise broken
    return dict(executed)


@contextmanager
def _own_settings(folder: str) -> Iterator[None]:
    """No kernel reads or writes the user's own IPython profile, history or start-up files."""
    own = {
        "IPYTHONDIR": str(Path(folder) / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(Path(folder) / "run"),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def check_executed(notebook: Mapping[str, Any]) -> str | None:
    """What is wrong with a notebook that claims to have run; None where nothing is.

    Papermill calls a run that ended in ``sys.exit(0)`` a success, and cells that never ran stay empty.
    """
    count = 0
    if notebook["metadata"].get("papermill", {}).get("exception"):
        return "a cell raised an exception"
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code" or not cell["source"].strip():
            continue
        for output in cell.get("outputs", []):
            if output["output_type"] == "error":
                return f"cell {number} failed: {shorten(for_terminal(output['ename']), 100)}"
        count += 1
        if cell.get("execution_count") is None:
            return f"cell {number} never ran"
        if cell["execution_count"] != count:
            return f"cell {number} ran as number {cell['execution_count']}, not {count}"
    return None if count else "the notebook holds no code"


def _settled(notebook: Any) -> Any:
    """Without what differs between two equal runs: times, random ids, the machine's own paths."""
    exception = notebook["metadata"].get("papermill", {}).get("exception")
    notebook["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        **({"papermill": {"exception": exception}} if exception else {}),
    }
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {
            key: cell["metadata"][key] for key in ("tags", "jupyter") if key in cell["metadata"]
        }
        if "injected-parameters" in cell["metadata"].get("tags", []):
            cell["id"] = "injected-parameters"
        elif not cell.get("id"):
            cell["id"] = f"cell-{number}"
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):  # a widget's number is random; its page says the same
                output["data"].pop(_WIDGET, None)
    return notebook


def notebook_json(notebook: Mapping[str, Any]) -> str:
    """A notebook as the text of its file."""
    import nbformat

    plain: str = nbformat.writes(nbformat.from_dict(notebook))  # type: ignore[no-untyped-call]
    return plain + "\n"
