"""Declared results against real files: JSON, CSV, Parquet; nothing outside the folder is ever opened."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from passport_cases import base

from novelty_kit.errors import InputError
from novelty_kit.passport import Passport
from novelty_kit.passport.results import check_results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "results"
    (root / "kiln").mkdir(parents=True)
    (root / "kiln" / "a.json").write_text('{"hardness": 6.4, "deep": {"er": [1, 2]}}')
    (root / "kiln" / "b.csv").write_text("metric,value\nshrinkage,4.1\nglow,9\n")
    (root / "kiln" / "axis.csv").write_text("axis\n2\n")
    return root


def kinds(body: Any, folder: Path) -> list[tuple[str, str]]:
    return [(issue.kind, issue.finding.pointer) for issue in check_results(Passport(body).index, folder)]


def with_unit(**unit: Any) -> dict[str, Any]:
    body = base()
    body["experiment_provenance"] = body["experiment_provenance"][:1]
    body["experiment_provenance"][0]["planned_vs_executed"] = [{"planned": "x", "executed": True, **unit}]
    body["experiment_alignment_results"] = []
    return body


def unit_kind(folder: Path, **unit: Any) -> str:
    found = kinds(with_unit(**unit), folder)
    assert len(found) <= 1
    return found[0][0] if found else "borne out"


def test_results_that_their_files_hold_give_no_finding(folder: Path) -> None:
    assert Passport(base()).check(results=folder) == ()
    assert Passport(base()).gate(results=folder).outcome == "PASS"


def test_a_value_that_its_file_does_not_hold_is_found_and_fails_the_gate(folder: Path) -> None:
    (folder / "kiln" / "a.json").write_text('{"hardness": 5.1}')
    finding = Passport(base()).check(results=folder)[0]
    assert (finding.tag, finding.pointer) == (
        "result",
        "/experiment_provenance/0/planned_vs_executed/0/value",
    )
    assert "6.4" in finding.message
    assert "5.1" in finding.message
    answer = Passport(base()).gate(results=folder)
    assert [reason.code for reason in answer.reasons if reason.severity == "fail"] == ["RESULT-DIFFERS"]


def test_a_file_that_is_not_at_hand_is_a_note_at_the_gate(folder: Path) -> None:
    (folder / "kiln" / "a.json").unlink()
    assert [finding.tag for finding in Passport(base()).check(results=folder)] == ["result"]
    answer = Passport(base()).gate(results=folder)
    assert answer.outcome == "PASS-WITH-NOTES"
    assert "RESULT-MISSING" in {reason.code for reason in answer.reasons}


@pytest.mark.parametrize(
    ("file", "content", "metric", "value", "kind"),
    [
        ("r.json", '{"acc": 0.91}', "acc", 0.91, "borne out"),
        ("r.json", '{"acc": 0.9134}', "acc", 0.91, "borne out"),
        ("r.json", '{"acc": 0.9151}', "acc", 0.91, "differs"),
        ("r.json", '{"acc": "0.31 m/s2"}', "acc", "0.31 m/s2", "borne out"),
        ("r.json", '{"a": {"b": [5, 6]}}', "a.b.1", 6, "borne out"),
        ("r.json", '{"a": {"b": [5, 6]}}', "/a/b/0", 5, "borne out"),
        ("r.json", '{"a.b": 7}', "a.b", 7, "borne out"),
        ("r.json", '[{"acc": 1}, {"acc": 3}]', "acc", 2, "borne out"),
        ("r.json", '[{"acc": 1}, {"acc": 3}]', "acc", 5, "differs"),
        ("r.json", '[{"acc": 1}, {}]', "acc", 1, "no_metric"),
        ("r.json", "[]", "acc", 1, "no_metric"),
        ("r.json", '{"acc": true}', "acc", True, "borne out"),
        ("r.json", '{"acc": true}', "acc", 1, "differs"),
        ("r.json", '{"acc": null}', "acc", 1, "differs"),
        ("r.json", '{"acc": 1, "acc": 2}', "acc", 1, "unreadable"),
        ("r.json", '{"acc": NaN}', "acc", 1, "unreadable"),
        ("r.json", "{", "acc", 1, "unreadable"),
        ("r.csv", "acc,loss\n0.91,3\n", "acc", 0.91, "borne out"),
        ("r.csv", "acc,loss\n0.90,3\n0.92,4\n", "acc", 0.91, "borne out"),
        ("r.csv", "acc,loss\n0.91,3\n", "f1", 0.91, "no_metric"),
        ("r.csv", "acc,acc\n0.91,3\n", "acc", 0.91, "unreadable"),
        ("r.csv", "acc,loss\n0.91\n", "acc", 0.91, "unreadable"),
        ("r.csv", "", "acc", 0.91, "unreadable"),
        ("r.csv", "acc\n", "acc", 0.91, "differs"),
        ("r.csv", 'acc\n"x', "acc", 0.91, "unreadable"),
        ("r.tsv", "acc\tloss\n0.91\t3\n", "acc", 0.91, "borne out"),
        ("r.txt", "0.91", "acc", 0.91, "unread"),
        ("r.parquet", "no parquet", "acc", 0.91, "unreadable"),
    ],
)
def test_a_metric_is_looked_up_in_its_file(
    folder: Path, file: str, content: str, metric: str, value: Any, kind: str
) -> None:
    (folder / file).write_text(content)
    assert unit_kind(folder, result_file=file, metric=metric, value=value) == kind


def test_a_parquet_column_is_read(folder: Path) -> None:
    pq.write_table(pa.table({"acc": [0.90, 0.92], "name": ["a", "b"]}), folder / "r.parquet")
    assert unit_kind(folder, result_file="r.parquet", metric="acc", value=0.91) == "borne out"
    assert unit_kind(folder, result_file="r.parquet", metric="acc", value=0.5) == "differs"
    assert unit_kind(folder, result_file="r.parquet", metric="name", value="b") == "borne out"
    assert unit_kind(folder, result_file="r.parquet", metric="f1", value=1) == "no_metric"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.json",
        "kiln/../../secret.json",
        "/etc/passwd",
        "~/x.json",
        "link.json",
        "linked/secret.json",
        "https://example.org/a.json",
        "file:///etc/passwd",
        "a\0b.json",
        "..\\secret.json",
    ],
)
def test_nothing_outside_the_folder_is_opened(folder: Path, name: str) -> None:
    (folder.parent / "secret.json").write_text('{"acc": 1}')
    (folder / "link.json").symlink_to(folder.parent / "secret.json")
    (folder / "linked").symlink_to(folder.parent)
    assert unit_kind(folder, result_file=name, metric="acc", value=1) == "outside"


def test_a_link_inside_the_folder_is_followed(folder: Path) -> None:
    (folder / "link.json").symlink_to(folder / "kiln" / "a.json")
    assert unit_kind(folder, result_file="link.json", metric="hardness", value=6.4) == "borne out"


def test_a_folder_that_is_a_link_itself_is_the_folder(folder: Path) -> None:
    link = folder.parent / "alias"
    link.symlink_to(folder)
    assert Passport(base()).check(results=link) == ()


def test_pipes_folders_and_names_without_sense_are_no_results(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    assert unit_kind(folder, result_file="pipe.json", metric="a", value=1) == "unreadable"
    assert unit_kind(folder, result_file="kiln", metric="a", value=1) == "unreadable"
    assert unit_kind(folder, result_file="x" * 5000, metric="a", value=1) == "missing"
    assert unit_kind(folder, result_file="a\ud83c.json", metric="a", value=1) == "missing"


def test_a_unit_without_metric_needs_only_its_file(folder: Path) -> None:
    (folder / "note.txt").write_text("x")
    assert unit_kind(folder, result_file="note.txt") == "borne out"
    assert unit_kind(folder, result_file="other.txt") == "missing"
    assert unit_kind(folder, value=3) == "borne out"


def test_a_unit_that_did_not_run_is_not_looked_up(folder: Path) -> None:
    body = with_unit(result_file="other.json", metric="a", value=1)
    body["experiment_provenance"][0]["planned_vs_executed"][0]["executed"] = False
    assert kinds(body, folder) == []


def test_the_files_of_negative_results_and_of_stray_pointers_are_looked_for(folder: Path) -> None:
    body = base()
    body["experiment_provenance"][1]["negative_results"][0]["result_file"] = "kiln/none.csv"
    body["experiment_alignment_results"][0]["result_pointer"] = "kiln/a.json#glow"
    body["experiment_alignment_results"][1]["result_pointer"] = "kiln/none.csv#glow"
    assert kinds(body, folder) == [
        ("missing", "/experiment_provenance/1/negative_results/0/result_file"),
        ("no_metric", "/experiment_alignment_results/0/result_pointer"),
        ("missing", "/experiment_alignment_results/1/result_pointer"),
    ]


def test_off_type_fields_are_passed_over(folder: Path) -> None:
    for unit in ({"result_file": 3, "metric": "a"}, {"result_file": "kiln/a.json", "metric": 4, "value": 1}):
        assert unit_kind(folder, **unit) == "borne out"


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        Passport(base()).check(results=tmp_path / "missing")


def test_a_deep_result_file_is_a_finding_and_no_crash(folder: Path) -> None:
    (folder / "deep.json").write_text("[" * 50_000)
    assert unit_kind(folder, result_file="deep.json", metric="a", value=1) == "unreadable"
    json.dumps([issue.finding.to_dict() for issue in check_results(Passport(base()).index, folder)])
