"""The parameters cell of a notebook: what it may be given, checked before anything runs.

Papermill itself only warns of a parameter that the notebook does not have, and puts values at the top, where
defaults override them, when the cell's tag is missing. Here both are errors.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from novelty_kit.errors import NotebookError, Problem
from novelty_kit.graph.tables import nearly
from novelty_kit.output import shorten

__all__ = ["Parameter", "check_parameters", "read_parameters"]

_TAG = "parameters"
_COMMENT = re.compile(r"#\s*type:\s*(?P<type>\S+)\s+(?P<help>.+)", re.ASCII)
_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "dict": (dict,), "list": (list,),
    "list[str]": (list,), "None": (type(None),),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a notebook.

    Attributes
    ----------
    name : str
    types : tuple of str
        Of ``str int float bool dict list list[str] None``; any of them.
    help : str
        What it means, with its unit.
    default : object
    """

    name: str
    types: tuple[str, ...]
    help: str
    default: Any


def read_parameters(notebook: Mapping[str, Any], path: str) -> tuple[Parameter, ...]:
    """The parameters of a notebook.

    Parameters
    ----------
    notebook : mapping
        The notebook as nbformat reads it.
    path : str
        For the error.

    Raises
    ------
    NotebookError
        There is no cell, or more than one, tagged ``parameters``, or it holds more than literals with a comment
        ``# type: TYPE meaning``.
    """
    cells = [cell for cell in notebook["cells"] if _TAG in cell.get("metadata", {}).get("tags", [])]
    if len(cells) != 1:
        raise NotebookError(
            f"{len(cells)} cells are tagged '{_TAG}', there must be one", path=path,
            remedy="Tag the cell that holds the defaults",
        )  # fmt: skip
    source = str(cells[0]["source"])
    try:
        body = ast.parse(source).body
        comments = {
            token.start[0]: token.string
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        }
    except (SyntaxError, tokenize.TokenError) as error:
        raise NotebookError(f"the parameters cell is no Python: {error}", path=path) from None
    return tuple(_parameter(statement, comments, path) for statement in body)


def _parameter(statement: ast.stmt, comments: Mapping[int, str], path: str) -> Parameter:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case _:
            what = f"line {statement.lineno} of the parameters cell is no plain assignment"
            raise NotebookError(what, path=path, remedy="Write NAME = LITERAL  # type: TYPE meaning")
    try:
        default = ast.literal_eval(value)
    except ValueError:
        raise NotebookError(
            f"parameter '{name}' is no literal", path=path, remedy="Compute it in the next cell"
        ) from None
    said = _COMMENT.fullmatch(comments.get(statement.end_lineno or statement.lineno, ""))
    if said is None:
        raise NotebookError(
            f"parameter '{name}' has no comment of type and meaning",
            path=path,
            remedy="Write # type: TYPE meaning",
        )
    types = tuple(said["type"].split("|"))
    unknown = [one for one in types if one not in _TYPES]
    if unknown or not _fits(default, types):
        raise NotebookError(f"parameter '{name}' is not of its type {said['type']}", path=path)
    return Parameter(name, types, said["help"], default)


def _fits(value: Any, types: tuple[str, ...]) -> bool:
    return any(_is_a(value, one) for one in types)


def _is_a(value: Any, one: str) -> bool:
    if isinstance(value, bool) and one != "bool":
        return False
    if not isinstance(value, _TYPES[one]):
        return False
    return one != "list[str]" or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def check_parameters(parameters: tuple[Parameter, ...], given: Mapping[str, Any], path: str) -> None:
    """Refuse values that a notebook would not take: unknown, missing, misspelt or of another type.

    Raises
    ------
    NotebookError
        With every problem.
    """
    known = {parameter.name: parameter for parameter in parameters}
    problems = []
    for name in given:
        if name not in known:
            meant = nearly(name, tuple(known))
            remedy = f"Did you mean '{meant}'?" if meant else f"It takes {', '.join(known)}"
            problems.append(
                Problem(f"the notebook has no parameter '{shorten(name, 60)}'", path, remedy=remedy)
            )
    for name, parameter in known.items():
        if name not in given:
            problems.append(Problem(f"parameter '{name}' is not given", path, remedy=parameter.help))
        elif not _fits(given[name], parameter.types):
            what = f"parameter '{name}' must be {' or '.join(parameter.types)}, got {shorten(repr(given[name]), 60)}"
            problems.append(Problem(what, path, remedy=parameter.help))
        elif not _is_plain(given[name]):
            problems.append(Problem(f"parameter '{name}' holds a value that JSON has not", path))
    if problems:
        first = problems[0]
        raise NotebookError(
            first.what, path=path, remedy=first.remedy, problems=problems if len(problems) > 1 else ()
        )


def _is_plain(value: Any) -> bool:
    """Only what arrives in the notebook as it was given."""
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    if isinstance(value, float):
        return value == value and abs(value) != float("inf")
    return value is None or type(value) in (str, int, bool)
