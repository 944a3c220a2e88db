"""A wrong, missing or misspelt parameter is an error before anything runs."""

from __future__ import annotations

import pickle
from typing import Any

import nbformat
import pytest

from novelty_kit.errors import NotebookError
from novelty_kit.report.parameters import check_parameters, read_parameters

CELL = """\
name = "a"  # type: str what it is called
n = 1  # type: int how many, nodes
when = None  # type: int|None number of an event
files = []  # type: list[str] paths
more = {"a": [1, 2.5]}  # type: dict anything
flag = False  # type: bool whether
"""
GIVEN: dict[str, Any] = {"name": "x", "n": 2, "when": 5, "files": ["a"], "more": {}, "flag": True}


def notebook(*cells: str, tag: str = "parameters") -> Any:
    made = [nbformat.v4.new_code_cell(source, metadata={"tags": [tag]}) for source in cells]
    return nbformat.v4.new_notebook(cells=made)


def test_a_cell_of_literals_is_read_with_types_and_meanings() -> None:
    found = read_parameters(notebook(CELL), "nb")
    assert [p.name for p in found] == list(GIVEN)
    assert found[2].types == ("int", "None")
    assert found[1].help == "how many, nodes"
    assert found[4].default == {"a": [1, 2.5]}


def test_fitting_values_pass() -> None:
    check_parameters(read_parameters(notebook(CELL), "nb"), GIVEN, "nb")
    check_parameters(read_parameters(notebook(CELL), "nb"), {**GIVEN, "when": None}, "nb")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nmae": "x"}, "no parameter 'nmae'. Did you mean 'name'?"),
        ({"candidat_id": "x"}, "no parameter 'candidat_id'"),
        ({"n": "2"}, "parameter 'n' must be int, got '2'"),
        ({"n": True}, "parameter 'n' must be int, got True"),
        ({"n": 2.0}, "parameter 'n' must be int, got 2.0"),
        ({"name": 2408.0629}, "parameter 'name' must be str"),
        ({"name": None}, "parameter 'name' must be str"),
        ({"when": "5"}, "must be int or None"),
        ({"files": "a"}, "must be list[str]"),
        ({"files": [1]}, "must be list[str]"),
        ({"files": ("a",)}, "must be list[str]"),
        ({"more": {1: 2}}, "JSON has not"),
        ({"more": {"a": float("nan")}}, "JSON has not"),
        ({"more": {"a": {1, 2}}}, "JSON has not"),
        ({"flag": 1}, "must be bool"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(NotebookError) as caught:
        check_parameters(read_parameters(notebook(CELL), "nb"), {**GIVEN, **change}, "nb")
    assert words in str(caught.value)


@pytest.mark.parametrize("name", sorted(GIVEN))
def test_a_missing_value_is_refused(name: str) -> None:
    with pytest.raises(NotebookError, match=f"parameter '{name}' is not given"):
        check_parameters(
            read_parameters(notebook(CELL), "nb"), {k: v for k, v in GIVEN.items() if k != name}, "nb"
        )


def test_all_faults_are_listed_and_survive_pickling() -> None:
    with pytest.raises(NotebookError) as caught:
        check_parameters(read_parameters(notebook(CELL), "nb"), {**GIVEN, "n": "2", "flagg": True}, "nb")
    assert len(pickle.loads(pickle.dumps(caught.value)).problems) == 2


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (notebook(CELL, tag="other"), "0 cells are tagged"),
        (notebook(CELL, CELL), "2 cells are tagged"),
        (notebook("a = f()  # type: int x"), "is no literal"),
        (notebook("a = 1"), "has no comment"),
        (notebook("a = 1  # type: int"), "has no comment"),
        (notebook("a = '1'  # type: int number"), "is not of its type"),
        (notebook("a = 1  # type: integer number"), "is not of its type"),
        (notebook("import os"), "no plain assignment"),
        (notebook("a = b = 1  # type: int x"), "no plain assignment"),
        (notebook("a += 1"), "no plain assignment"),
        (notebook("a = ("), "is no Python"),
    ],
)
def test_a_cell_that_holds_more_than_literals_is_refused(made: Any, words: str) -> None:
    with pytest.raises(NotebookError, match=words):
        read_parameters(made, "nb")
