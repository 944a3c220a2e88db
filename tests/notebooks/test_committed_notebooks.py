"""The committed notebooks are executed, hold no logic, and say nothing of the machine that ran them."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from notebook_rules import FOLDER, ROOT, RULES, code_cells, no_logic, no_machine, one_parameters_cell, ran

from novelty_kit.errors import NotebookError

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
AUDIT = FOLDER / "20-candidate-audit.ipynb"


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_committed_notebook_keeps_the_rule(path: Path, rule: Callable[[Any], Any]) -> None:
    assert list(rule(read(path))) == []


def test_the_tour_and_the_audit_are_there() -> None:
    assert {"00-tour.ipynb", "20-candidate-audit.ipynb"} <= {path.name for path in NOTEBOOKS}


def test_a_stripped_notebook_breaks_the_rule() -> None:
    notebook = read(AUDIT)
    for cell in code_cells(notebook):
        cell["outputs"], cell["execution_count"] = [], None
    assert list(ran(notebook))


def test_a_notebook_with_counts_but_without_outputs_breaks_the_rule() -> None:
    notebook = read(AUDIT)
    code_cells(notebook)[3]["outputs"] = []
    assert len(list(ran(notebook))) == 1


def test_a_notebook_run_out_of_order_breaks_the_rule() -> None:
    notebook = read(AUDIT)
    cells = code_cells(notebook)
    cells[1]["execution_count"], cells[2]["execution_count"] = 3, 2
    assert list(ran(notebook))


def test_a_notebook_with_a_stored_error_breaks_the_rule() -> None:
    notebook = read(AUDIT)
    error = nbformat.v4.new_output("error", ename="ValueError", evalue="x", traceback=[])
    code_cells(notebook)[2]["outputs"] = [error]
    assert list(ran(notebook))


@pytest.mark.parametrize(
    "source",
    [
        "def f(): pass", "class A: pass", "for x in y: pass", "while x: pass", "[x for x in y]", "f(lambda x: x)",
        "graph.sql('SELECT lom_id FROM paper')", "%time x", "!ls",
    ],
)  # fmt: skip
def test_logic_in_a_cell_breaks_the_rule(source: str) -> None:
    notebook = read(AUDIT)
    code_cells(notebook)[2]["source"] = source
    assert list(no_logic(notebook))


@pytest.mark.parametrize(
    "text", [f"/{'home'}/someone/graph/events.jsonl", "/tmp/x/y.jsonl", f"see '/{'root'}/.cache/z'"]
)
def test_a_place_on_a_machine_breaks_the_rule(text: str) -> None:
    notebook = read(AUDIT)
    code_cells(notebook)[2]["outputs"][0]["data"]["text/plain"] = text
    assert list(no_machine(notebook))


def test_a_second_parameters_cell_breaks_the_rule() -> None:
    notebook = read(AUDIT)
    notebook["cells"].append(copy.deepcopy(code_cells(notebook)[0]))
    with pytest.raises(NotebookError, match="2 cells are tagged"):
        list(one_parameters_cell(notebook))


def nbval(*paths: Path) -> subprocess.CompletedProcess[str]:
    """Run the notebooks again and compare what they show with what is stored."""
    here = Path(__file__).parent
    path = os.pathsep.join([str(ROOT), str(here), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [
            sys.executable, "-m", "pytest", "-p", "nbval_pictures", "-p", "no:cacheprovider", "--nbval",
            "--nbval-current-env", "--nbval-sanitize-with", str(here / "sanitize.cfg"), "--nbval-cell-timeout", "300",
            "-c", os.devnull, "--rootdir", str(paths[0].parent), "-q", *map(str, paths),
        ],
        capture_output=True, text=True, timeout=900, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "NOVELTY_GRAPH": ""},
    )  # fmt: skip


def test_the_committed_notebooks_show_again_what_they_show() -> None:
    done = nbval(*NOTEBOOKS)
    n_cells = sum(len(code_cells(read(path))) for path in NOTEBOOKS)
    assert done.returncode == 0, done.stdout[-6000:]
    assert f"{n_cells} passed" in done.stdout


def test_a_changed_output_is_noticed(tmp_path: Path) -> None:
    notebook = read(AUDIT)
    bundle = code_cells(notebook)[1]["outputs"][0]["data"]
    assert "neighborhood" in bundle["text/plain"]
    bundle["text/plain"] = bundle["text/plain"].replace("neighborhood", "novel")
    notebook["cells"] = notebook["cells"][:3]
    copy_of_it = tmp_path / "mutated.ipynb"
    nbformat.write(notebook, copy_of_it)
    done = nbval(copy_of_it)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
