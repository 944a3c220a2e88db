"""The command: its documents, exit codes and lines; a terminal never receives what a file smuggles in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from passport_cases import CASES, base, changed
from passport_command import run

BASE = str(CASES / "base.yaml")


def dumped(folder: Path, name: str, body: object) -> str:
    path = folder / name
    path.write_text(json.dumps(body) if name.endswith("json") else yaml.safe_dump(body, sort_keys=False))
    return str(path)


def test_check_says_nothing_found_among_how_much_and_exits_0(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run(monkeypatch, "check", BASE)
    said = f"{BASE}: nothing found, 2 experiments and 4 claims declared\n"
    assert (answer.code, answer.out, answer.err) == (0, said, "")


def test_check_never_calls_a_passport_without_content_fine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer = run(monkeypatch, "check", dumped(tmp_path, "bare.json", {"about": "nothing"}))
    assert answer.code == 0
    assert answer.out.endswith(": nothing to check, 0 experiments and 0 claims declared\n")


def test_check_prints_each_finding_and_exits_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    body = changed({"set": {"/claim_intent_manifests/0/claims/0/planned_experiment_ids/0": "ghost"}})
    name = dumped(tmp_path, "p.yaml", body)
    answer = run(monkeypatch, "check", name)
    assert answer.code == 1
    line = next(n for n, text in enumerate(Path(name).read_text().split("\n"), 1) if "ghost" in text)
    assert answer.out == (
        f"EP-INV-2: {name}:{line} /claim_intent_manifests/0/claims/0/planned_experiment_ids/0: "
        'the claim plans "ghost", which is no experiment here; expected the experiment_id of an entry of '
        "experiment_provenance\n"
    )


def test_check_json_is_one_document_of_the_promised_shape(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = dumped(tmp_path, "p.json", {"experiment_provenance": None})
    answer = run(monkeypatch, "check", name, "--json")
    record = json.loads(answer.out)
    assert (answer.code, answer.err) == (1, "")
    assert record == {
        "file": name,
        "findings": [
            {
                "tag": "schema",
                "pointer": "/experiment_provenance",
                "line": 1,
                "message": "found null",
                "expected": "an array; leave the key out for none",
            }
        ],
    }


def test_check_of_several_files_and_folders_is_an_array(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dumped(tmp_path, "a.json", base())
    dumped(tmp_path, "b.yaml", {"experiment_provenance": 1})
    answer = run(monkeypatch, "check", str(tmp_path), BASE, "--json")
    assert answer.code == 1
    assert [len(record["findings"]) for record in json.loads(answer.out)] == [0, 1, 0]
    lines = run(monkeypatch, "check", str(tmp_path), "--jsonl").out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [
        str(tmp_path / "a.json"),
        str(tmp_path / "b.yaml"),
    ]


def test_one_unreadable_file_stops_no_other_and_wins_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_text("{")
    answer = run(monkeypatch, "check", str(tmp_path / "bad.json"), BASE, "--json")
    assert answer.code == 2
    first, second = json.loads(answer.out)
    assert first["findings"] is None
    assert first["error"]["line"] == 1
    assert second["findings"] == []
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("check", "missing.json"), ("gate", "missing.json"), ("diff", BASE, "missing.yaml")]
)
def test_a_missing_file_is_one_line_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    answer = run(monkeypatch, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("novelty: missing.")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err


def test_check_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "check", "-", answers=json.dumps(base())).code == 0
    assert run(monkeypatch, "check", "-", answers=Path(BASE).read_text()).code == 0
    assert run(monkeypatch, "check", "-", answers="").code == 2


def test_check_holds_results_against_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer = run(monkeypatch, "check", BASE, "--results", str(tmp_path))
    assert answer.code == 1
    assert answer.out.count("result: ") == 3
    assert run(monkeypatch, "check", BASE, "--results", str(tmp_path / "no")).code == 2


def test_gate_prints_outcome_reasons_and_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run(monkeypatch, "gate", BASE)
    lines = answer.out.splitlines()
    assert answer.code == 0
    assert lines[0] == f"PASS: {BASE} at stage 4.5"
    assert lines[-1].startswith("This check verifies disclosure")


def test_gate_exits_1_on_fail_and_0_on_notes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failing = dumped(tmp_path, "f.json", changed({"remove": ["/experiment_intake_declaration"]}))
    noted = dumped(tmp_path, "n.json", changed({"set": {"/experiment_provenance/0/known_limitations": []}}))
    assert run(monkeypatch, "gate", failing).code == 1
    answer = run(monkeypatch, "gate", noted, "--json")
    record = json.loads(answer.out)
    assert (answer.code, record["outcome"], record["stage"]) == (0, "PASS-WITH-NOTES", "4.5")


def test_gate_takes_stage_manuscript_prose_judge_and_results(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text("# Results\nNothing of note.\n")
    with_prose = run(monkeypatch, "gate", BASE, "--manuscript", str(draft), "--json")
    assert json.loads(with_prose.out)["outcome"] == "PASS-WITH-NOTES"
    without = run(monkeypatch, "gate", BASE, "--manuscript", str(draft), "--no-prose", "--json")
    assert json.loads(without.out)["outcome"] == "PASS"
    assert json.loads(run(monkeypatch, "gate", BASE, "--stage", "2.5", "--json").out)["stage"] == "2.5"
    assert run(monkeypatch, "gate", BASE, "--stage", "9").code == 2
    judged = json.loads(run(monkeypatch, "gate", BASE, "--judge", "numbers", "--json").out)
    assert {row["effective"] for row in judged["verdicts"]} == {"ALIGNED", "PROVENANCE_INSUFFICIENT"}
    assert run(monkeypatch, "gate", BASE, "--results", str(tmp_path)).code == 0
    assert run(monkeypatch, "gate", BASE, "--manuscript", "missing.md").code == 2


def test_a_line_of_the_manuscript_is_named_with_the_manuscript(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text("# Limitations\nA single clay body was fired.\n")
    assert f"CHECK-4-SURFACED {draft}:2 " in run(monkeypatch, "gate", BASE, "--manuscript", str(draft)).out


def test_init_intake_and_check_follow_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = str(tmp_path / "p.yaml")
    assert run(monkeypatch, "init", name).code == 0
    assert run(monkeypatch, "init", name).code == 2
    assert run(monkeypatch, "init", name, "--force").code == 0
    answer = run(monkeypatch, "intake", name, answers="2\n2031-04-02T08:00:00Z\n")
    assert answer.code == 0
    assert run(monkeypatch, "check", name).code == 0
    assert "no_experiments_declared" in Path(name).read_text()
    again = run(
        monkeypatch, "intake", name, "--status", "legacy_unknown", "--declared-at", "2031-04-02T08:00:00Z"
    )
    assert (again.code, again.err.count("\n")) == (2, 1)


def test_init_writes_to_standard_output_and_refuses_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert run(monkeypatch, "init", "-").out.startswith("# A passport")
    assert run(monkeypatch, "init", str(tmp_path / "p.json")).code == 2


@pytest.mark.parametrize("answers", ["", "4\n", "yes\n", "1\n", "1\nsometime\n"])
def test_intake_without_a_usable_answer_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answers: str
) -> None:
    answer = run(monkeypatch, "intake", str(tmp_path / "p.yaml"), answers=answers)
    assert answer.code == 2
    assert "Traceback" not in answer.err
    assert not list(tmp_path.iterdir())


def test_intake_takes_an_empty_moment_for_now(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run(monkeypatch, "intake", str(tmp_path / "p.json"), answers="1\n\n").code == 0
    assert run(monkeypatch, "check", str(tmp_path / "p.json")).out.startswith("EP-INV-4: ")


def test_diff_prints_what_changed_and_exits_1_on_a_dangling_plan(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    new = dumped(tmp_path, "new.yaml", changed({"set": {"/experiment_provenance/0/experiment_id": "kiln-x"}}))
    answer = run(monkeypatch, "diff", BASE, new)
    assert answer.code == 1
    assert 'renamed: "kiln-a" is now "kiln-x"' in answer.out
    assert '"kiln-a" no longer exists' in answer.out
    record = json.loads(run(monkeypatch, "diff", BASE, new, "--json").out)
    assert set(record) == {"old", "new", "added", "removed", "renamed", "changed", "dangling"}
    same = run(monkeypatch, "diff", BASE, BASE)
    assert (same.code, same.out) == (0, "no experiment differs, no plan dangles\n")


def test_a_terminal_never_receives_control_or_direction_marks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hostile = "\x1b[31m\u202e\u2028evil\x07"
    body = changed(
        {
            "set": {
                "/experiment_alignment_results/0/experiment_id": hostile,
                "/claim_intent_manifests/0/claims/0/planned_experiment_ids": [hostile],
                "/claim_audit_results/0/ref_slug": hostile,
                "/claim_audit_results/0/judgment": hostile,
                "/experiment_provenance/1/experiment_id": hostile,
            }
        }
    )
    body["experiment_provenance"][0][hostile] = 1
    name = dumped(tmp_path, "p.json", body)
    for arguments in (("check", name), ("gate", name), ("diff", BASE, name)):
        out = run(monkeypatch, *arguments).out
        assert out.count("\n") >= 2
        assert all(character == "\n" or character.isprintable() for character in out)


def test_output_is_byte_identical_whatever_the_hash_seed(tmp_path: Path) -> None:
    body = changed({"set": {"/experiment_intake_declaration": {}, "/claim_audit_results/0/judgment": "x"}})
    name = dumped(tmp_path, "p.json", body)
    code = (
        "import json, sys\n"
        "from novelty_kit.passport import read_passport\n"
        "from novelty_kit.passport.summary import summary\n"
        "p = read_passport(sys.argv[1]); g = p.gate(stage='2.5')\n"
        "print(json.dumps([g.to_dict(), summary(p, g), [f.to_dict() for f in p.check()]]))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, name],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1


def test_help_is_there_for_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("check", "gate", "intake", "init", "diff"):
        answer = run(monkeypatch, command, "--help")
        assert answer.code == 0
        assert "Usage:" in answer.out
