"""What must hold for a committed notebook; each rule gives the faults that it finds."""

from __future__ import annotations

import ast
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from novelty_kit.report.parameters import read_parameters
from novelty_kit.report.run import check_executed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
_SQL = re.compile(
    r"\b(select\b.+\bfrom|insert\s+into|create\s+(temp\s+)?table|update\b.+\bset)\b", re.I | re.S
)
_LOGIC = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.AsyncFor, ast.While, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Try, ast.If,
)  # fmt: skip
_PLACES = re.compile(r"(?<![\w<:/.])/(home|root|tmp|work|usr|var|Users|private)/|[A-Za-z]:\\\\Users")


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def ran(notebook: Any) -> Iterator[str]:
    """Every code cell ran, in order, and all but the parameters show something."""
    fault = check_executed(notebook)
    if fault:
        yield fault
    for cell in code_cells(notebook):
        if not cell["outputs"] and "parameters" not in cell["metadata"].get("tags", []):
            yield f"cell {cell['id']} shows nothing"


def one_parameters_cell(notebook: Any) -> Iterator[str]:
    """One cell of literals, each with type and meaning."""
    if not read_parameters(notebook, "notebook"):
        yield "no parameter"


def no_logic(notebook: Any) -> Iterator[str]:
    """The library has the functions: no def, class, loop or SQL."""
    for cell in code_cells(notebook):
        if re.search(r"^\s*[!%]", cell["source"], re.M):
            yield f"cell {cell['id']} holds a magic"
            continue
        for node in ast.walk(ast.parse(cell["source"])):
            if isinstance(node, _LOGIC):
                yield f"cell {cell['id']} holds a {type(node).__name__}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SQL.search(node.value):
                yield f"cell {cell['id']} holds SQL"


def no_machine(notebook: Any) -> Iterator[str]:
    """No absolute path and no host name in any output."""
    for cell in code_cells(notebook):
        for output in cell["outputs"]:
            if "image/svg+xml" in output.get("data", {}):
                output = {**output, "data": {k: v for k, v in output["data"].items() if k != "image/svg+xml"}}
            text = repr(output)
            if _PLACES.search(text):
                yield f"cell {cell['id']} names a place on a machine"
            if len(socket.gethostname()) > 4 and socket.gethostname() in text:
                yield f"cell {cell['id']} names a host"


def plain_metadata(notebook: Any) -> Iterator[str]:
    """The kernel is python3; no trace of the run, no widget state."""
    if notebook["metadata"].get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"
    for name in ("papermill", "widgets"):
        if name in notebook["metadata"]:
            yield f"metadata.{name} was kept"
    for cell in notebook["cells"]:
        yield from (f"cell {cell['id']} keeps {name}" for name in cell["metadata"] if name != "tags")


def no_claim_of_worth(notebook: Any) -> Iterator[str]:
    """No heading names a score or an order."""
    for cell in notebook["cells"]:
        for line in cell["source"].splitlines():
            heading = cell["cell_type"] == "markdown" and line.startswith("#")
            if heading and re.search(
                r"\b(novel_confirmed|rank(er|ing)?|novelty score|confidence)\b", line, re.I
            ):
                yield f"heading '{line}'"


RULES: tuple[Callable[[Any], Iterator[str]], ...] = (
    ran, one_parameters_cell, no_logic, no_machine, plain_metadata, no_claim_of_worth,
)  # fmt: skip
