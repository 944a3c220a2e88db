"""Skeleton, intake and form: the author's answers are written once, and nothing else is filled in."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from passport_cases import CASES, base

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.passport import read_passport
from novelty_kit.passport.form import explore_intake, preview_html, write_declaration
from novelty_kit.passport.intake import declaration, declare
from novelty_kit.passport.schema import load_schema
from novelty_kit.passport.skeleton import skeleton

MOMENT = "2031-04-02T08:00:00Z"
KEY = "experiment_intake_declaration"
TOLD = {"status": "experiments_declared", "declared_at": MOMENT, "declared_by": "scholar"}


def test_the_skeleton_is_clean_and_fills_nothing_in(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(skeleton())
    passport = read_passport(path)
    assert passport.check() == ()
    assert passport.body == {
        "experiment_provenance": [],
        "claim_intent_manifests": [],
        "experiment_alignment_results": [],
        "claim_audit_results": [],
        "repro_lock": None,
    }


def test_the_comments_of_the_skeleton_are_the_keys_of_the_schemas() -> None:
    text = skeleton()
    opened = re.sub(r"^# (?= {2,}(?:- )?\w+:)", "", text, flags=re.MULTILINE).replace(": []", ":")
    body = yaml.safe_load(opened)
    for array, schema in (
        ("experiment_provenance", "experiment_provenance"),
        ("claim_audit_results", "claim_audit_result"),
    ):
        assert list(body[array][0]) == list(load_schema(schema)["properties"])
    lock = body["experiment_provenance"][0]["repro_lock"]
    assert list(lock["materials"]) == ["list_hash", "count"]
    assert list(body["claim_intent_manifests"][0]["claims"][0]["negative_constraints"][0]) == [
        "constraint_id",
        "rule",
    ]


@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
def test_a_passport_that_does_not_exist_is_made_with_the_declaration_only(tmp_path: Path, name: str) -> None:
    declare(tmp_path / name, "experiments_declared", MOMENT)
    assert read_passport(tmp_path / name).body == {KEY: TOLD}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "# mine\nexperiment_provenance: []  # none yet\n"),
        ("b.yaml", "experiment_provenance: []"),
        ("c.yaml", "x: 1\r\ny: 2\r\n"),
        ("d.yaml", f"{KEY}:\nx: 1\n"),
        ("e.yaml", f"x: 1\n{KEY}: null  # not yet\n"),
        ("f.yaml", "x: |\n  block\n  text\n"),
        ("g.yaml", "---\nx: 1\n...\n"),
        ("a.json", '{"x": 1}'),
        ("b.json", "{}"),
        ("c.json", '\n{\n  "x": {"y": [1]}\n}\n'),
        ("d.json", '{"' + KEY + '": null, "x": 1}'),
    ],
)
def test_the_declaration_goes_into_the_text_and_the_rest_stays(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    before = {key: value for key, value in read_passport(path).body.items() if key != KEY}
    declare(path, "experiments_declared", MOMENT)
    assert read_passport(path).body == {**before, KEY: TOLD}
    if name == "a.yaml":
        assert path.read_text().startswith("# mine\nexperiment_provenance: []  # none yet\n")
    if name == "c.yaml":
        assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


def test_a_declaration_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    declare(path, "experiments_declared", MOMENT)
    kept = path.read_bytes()
    with pytest.raises(InputError, match="already"):
        declare(path, "no_experiments_declared", MOMENT)
    assert path.read_bytes() == kept


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("flow.yaml", "{x: 1}\n", "without rewriting"),
        ("list.yaml", "- 1\n", "not a passport"),
        ("number.json", "3", "not a passport"),
        ("open.yaml", "x: 1\ny: 'no end\n", "not YAML"),
    ],
)
def test_a_file_that_cannot_take_a_declaration_stays_as_it_is(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises((InputError, DocumentError), match=says):
        declare(path, "experiments_declared", MOMENT)
    assert path.read_text() == text
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("status", "moment"),
    [("experiments_declared", "today"), ("yes", MOMENT), ("", MOMENT), ("experiments_declared", "")],
)
def test_answers_that_are_none_are_refused(tmp_path: Path, status: str, moment: str) -> None:
    with pytest.raises(InputError):
        declare(tmp_path / "p.yaml", status, moment)
    assert not list(tmp_path.iterdir())


def test_the_author_of_a_declaration_is_always_the_scholar() -> None:
    assert declaration("legacy_unknown", MOMENT)["declared_by"] == "scholar"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real.yaml"
    real.write_text("x: 1\n")
    (tmp_path / "link.yaml").symlink_to(real)
    declare(tmp_path / "link.yaml", "experiments_declared", MOMENT)
    assert (tmp_path / "link.yaml").is_symlink()
    assert read_passport(real).body[KEY] == TOLD


def test_a_suffix_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="suffix"):
        declare(tmp_path / "p.txt", "experiments_declared", MOMENT)


def test_the_form_previews_escaped_and_writes_on_press(tmp_path: Path) -> None:
    form = explore_intake(str(tmp_path / "p.yaml"), MOMENT)
    status, file, moment, preview, button, answer = form.children
    assert button.disabled
    assert "status" in preview.value
    status.value = "experiments_declared"
    assert not button.disabled
    moment.value = "<b>now</b>"
    assert button.disabled
    assert "<b>now" not in preview.value
    moment.value = MOMENT
    button.click()
    assert "Written" in answer.value
    assert read_passport(file.value).body == {KEY: TOLD}
    button.click()
    assert "Not written" in answer.value


def test_the_form_holds_no_output_widget() -> None:
    import ipywidgets

    def walk(widget: Any) -> list[Any]:
        return [widget, *(inner for child in getattr(widget, "children", ()) for inner in walk(child))]

    assert not any(isinstance(widget, ipywidgets.Output) for widget in walk(explore_intake()))


def test_form_texts_are_escaped() -> None:
    assert "<script>" not in preview_html("<script>", "experiments_declared", MOMENT)
    assert "<script>" not in preview_html("", "<script>", "<script>")
    assert "<script>" not in write_declaration("<script>.txt", "experiments_declared", MOMENT)


def test_importing_the_room_is_light() -> None:
    code = (
        "import sys, novelty_kit.passport, novelty_kit.cli.passport\n"
        "heavy = {'pandas', 'duckdb', 'pyarrow', 'ipywidgets', 'yaml', 'jsonschema', 'matplotlib', 'numpy'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_base_case_file_can_take_no_second_declaration(tmp_path: Path) -> None:
    path = tmp_path / "base.yaml"
    path.write_bytes((CASES / "base.yaml").read_bytes())
    with pytest.raises(InputError, match="already"):
        declare(path, "legacy_unknown", MOMENT)
    assert json.loads(json.dumps(read_passport(path).body)) == base()
