"""The passport as a notebook shows it, and the notebook itself: one cell of parameters, no logic, all run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from passport_cases import CASES, base

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.passport.notebook import audit_passport

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "40-passport-audit.ipynb"


def cells() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_each_part_shows_itself_as_table_and_as_text() -> None:
    audit = audit_passport(CASES / "base.yaml")
    parts = (audit.declaration, audit.findings, audit.matrix, audit.planned, audit.disclosures, audit.reasons)
    for part in (*parts, audit.outcome):
        assert part._repr_html_().startswith("<table>")
        assert repr(part).startswith(part.caption)
    assert "kiln-a" in repr(audit.matrix)
    assert repr(audit) == "<PassportAudit of base.yaml: PASS>"
    assert audit.record["gate"]["outcome"] == "PASS"


def test_the_boundary_is_shown_whole() -> None:
    audit = audit_passport(CASES / "base.yaml")
    assert audit.gate.boundary in repr(audit.outcome)
    assert audit.gate.boundary in audit.outcome._repr_html_()


def test_hostile_texts_are_shown_harmless(tmp_path: Path) -> None:
    body = base()
    body["experiment_provenance"][0]["planned_vs_executed"][0]["planned"] = "<script>\x1b[31m\u202e"
    (tmp_path / "p.json").write_text(json.dumps(body))
    audit = audit_passport(tmp_path / "p.json")
    assert "<script>" not in audit.planned._repr_html_()
    assert "\x1b" not in repr(audit.planned)


def test_the_form_stands_in_for_the_declaration_where_a_person_sits() -> None:
    audit = audit_passport(CASES / "base.yaml")
    assert audit.intake(False) is audit.declaration
    assert type(audit.intake(True)).__name__ == "VBox"


def test_without_a_passport_the_demo_is_audited() -> None:
    audit = audit_passport()
    assert audit.record["findings"]["n"] == 0
    assert audit.gate.outcome != "FAIL"
    assert all(row["manuscript_line"] for row in audit.record["disclosures"])


@pytest.mark.parametrize("wrong", [3, ["p.yaml"], True])
def test_a_parameter_of_another_type_is_an_error(wrong: Any) -> None:
    with pytest.raises(InputError, match="is no file name"):
        audit_passport(wrong)


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(DocumentError):
        audit_passport("missing.yaml")


def test_the_notebook_has_one_parameters_cell_of_plain_assignments() -> None:
    tagged = [cell for cell in cells() if "parameters" in cell["metadata"].get("tags", [])]
    assert len(tagged) == 1
    for line in "".join(tagged[0]["source"]).splitlines():
        assert " = " in line
        assert "# type: " in line


def test_the_notebook_holds_no_logic_and_every_cell_was_run() -> None:
    for number, cell in enumerate(cells(), 1):
        assert cell["execution_count"] == number
        source = "".join(cell["source"])
        assert not any(word in source for word in ("def ", "class ", "for ", "while ", "SELECT", "lambda"))
        assert not any(output["output_type"] in ("error", "stream") for output in cell["outputs"])
