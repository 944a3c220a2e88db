"""A run is a success only where every cell ran, in a real kernel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from novelty_kit.errors import NotebookError
from novelty_kit.report.run import HalfRun, check_executed, load_notebook, notebook_json, run_notebook

PARAMETERS = 'x = ""  # type: str any text'


def write(folder: Path, *sources: str) -> Path:
    cells = [nbformat.v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})]
    cells += [nbformat.v4.new_code_cell(source) for source in sources]
    path = folder / "small.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)), "utf-8")
    return path


def test_a_run_gives_the_same_bytes_twice_and_takes_values_as_they_are(tmp_path: Path) -> None:
    path = write(
        tmp_path, "import sys, os\nprint(repr(x), sys.executable == " + repr(sys.executable) + ")", "x"
    )
    hostile = "2408.06290 \" ' \\ \n \x1b \u202e 🧜 {x} $x$ # \x00"
    first = run_notebook(path, {"x": hostile})
    second = run_notebook(path, {"x": hostile})
    assert notebook_json(first) == notebook_json(second)
    assert first["cells"][2]["outputs"][0]["text"] == f"{hostile!r} True\n"
    assert "papermill" not in first["metadata"]
    assert check_executed(first) is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise ValueError('no \\x1b[31m')", r"cell 3 failed: ValueError: no \\x1b"),
        ("import sys\nsys.exit(0)", "raised an exception"),
        ("import os\nos._exit(0)", "the kernel died"),
    ],
)
def test_a_cell_that_fails_or_ends_the_kernel_is_an_error(tmp_path: Path, source: str, words: str) -> None:
    path = write(tmp_path, source, "print('after')")
    with pytest.raises(HalfRun, match=words) as caught:
        run_notebook(path, {"x": "a"})
    if caught.value.notebook is not None:
        assert "injected-parameters" in notebook_json(caught.value.notebook)


def test_a_cell_that_does_not_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HalfRun, match="took longer than 1 s"):
        run_notebook(write(tmp_path, "import time\ntime.sleep(60)"), {"x": "a"}, timeout_s=1)


def test_a_kernel_that_hears_nothing_is_waited_for_no_longer_than_a_cell_may_take(tmp_path: Path) -> None:
    deaf = "get_ipython().kernel.session.unpack = int\nprint('said')"
    run = run_notebook(write(tmp_path, deaf), {"x": "a"})
    assert run["cells"][2]["outputs"][0]["text"] == "said\n"
    with pytest.raises(HalfRun, match="took longer than 2 s"):
        run_notebook(write(tmp_path, deaf, "print('after')"), {"x": "a"}, timeout_s=2)


def test_a_kernel_that_does_not_start_is_an_error_of_this_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(HalfRun, match="the kernel did not run"):
        run_notebook(write(tmp_path, "1"), {"x": "a"})


def test_a_wrong_parameter_runs_nothing(tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    path = write(tmp_path, f"open({str(trace)!r}, 'w')")
    with pytest.raises(NotebookError, match="no parameter 'y'"):
        run_notebook(path, {"x": "a", "y": 1})
    assert not trace.exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"cells": 3}', b"[]"])
def test_what_is_no_notebook_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(NotebookError):
        run_notebook(path, {})


def test_a_missing_template_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotebookError, match="cannot be read"):
        load_notebook(tmp_path / "none.ipynb")


def executed(*counts: int | None) -> Any:
    cells = [nbformat.v4.new_code_cell("1", execution_count=count) for count in counts]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.parametrize(
    ("notebook", "words"),
    [
        (executed(1, None), "cell 2 never ran"),
        (executed(1, 3), "cell 2 ran as number 3"),
        (executed(), "holds no code"),
    ],
)
def test_a_notebook_that_only_claims_to_have_run_is_noticed(notebook: Any, words: str) -> None:
    assert words in (check_executed(notebook) or "")
