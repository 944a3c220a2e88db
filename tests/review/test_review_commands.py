"""`novelty review` as it is called: output shapes, exit codes, one clear error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from review_runs import ROOT, a_hypothesis, a_manifest, a_review, get, make_run, novelty, put

from novelty_kit.cli.review import review
from novelty_kit.errors import NoveltyKitError


def call(*arguments: object, given: str | None = None) -> Result:
    """Run a command in this process; an error of ours is the result's exception."""
    return CliRunner().invoke(review, [str(one) for one in arguments], input=given)


def document(result: Result) -> Any:
    """The one document that a command printed."""
    return json.loads(result.stdout)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "base/run")


def test_add_prints_the_line_that_other_tools_print(run: Path, tmp_path: Path) -> None:
    file = put(tmp_path / "r.json", a_review())
    result = call("add", run, file, "--for", "H-0001")
    assert result.exit_code == 0
    assert result.stdout == f"Added review: H-0001.R-01 → {run}/reviews/H-0001.R-01.json\n"
    assert result.stderr == ""


@pytest.mark.parametrize("file", [(), ("-",)])
def test_add_reads_the_standard_input(run: Path, file: tuple[str, ...]) -> None:
    result = call("add", run, *file, "--for", "H-0001", given=json.dumps(a_review()))
    assert result.exit_code == 0


def test_a_run_is_named_as_the_other_tools_do_too(run: Path, tmp_path: Path) -> None:
    file = put(tmp_path / "r.json", a_review())
    named = ("--run", "run", "--run-dir", tmp_path / "base")
    assert call("add", *named, "--for", "H-0001", file).exit_code == 0
    assert call("check", *named).exit_code == 0
    assert call("next-id", *named, "review", "--for", "H-0001").stdout == "H-0001.R-02\n"
    assert call("next-id", *named, "match").stdout == "M-0001\n"
    assert call("standings", *named).exit_code == 0
    assert call("check", "--run-dir", tmp_path).exit_code == 2
    assert call("check").exit_code == 2
    assert call("check", run, run).exit_code == 2
    assert call("add", *named, "--for", "H-0001", file, file).exit_code == 2
    outside = call("check", "--run", "../base/run", "--run-dir", tmp_path / "base")
    assert isinstance(outside.exception, NoveltyKitError)


def test_add_as_json_says_where_and_what(run: Path) -> None:
    result = call("add", run, "--for", "H-0001", "--json", given=json.dumps(a_review(scores={"safety": 2})))
    found = document(result)
    assert (found["added"], found["quarantine_due"]) == ("H-0001.R-01", True)
    assert found["path"] == f"{run}/reviews/H-0001.R-01.json"
    assert found["judgement"]["triggers"] == ["Q-SAFE"]


def test_add_says_its_warnings_and_what_is_due_beside_the_line(run: Path) -> None:
    record = a_review(scores={"safety": 2, "goal_alignment": ...})
    result = call("add", run, "--for", "H-0001", given=json.dumps(record))
    assert result.stdout.count("\n") == 1
    assert "W-GOAL-MISSING: " in result.stderr
    assert "quarantine is due" in result.stderr


def test_check_as_json_has_the_promised_fields(run: Path) -> None:
    put(run / "reviews/H-0001.R-01.json", a_review())
    found = document(call("check", run, "--json"))
    [one] = found["reviews"]
    assert set(one) >= {
        "review_id",
        "hypothesis_id",
        "schema_valid",
        "errors",
        "max_correctness",
        "correctness_within_cap",
        "quarantine",
        "triggers",
        "mean_review_score",
        "warnings",
    }
    assert found["problems"] == []


def test_check_needs_no_hypothesis_file(tmp_path: Path) -> None:
    run = make_run(tmp_path, hypotheses=[], reviews={"H-0001.R-01": a_review()})
    assert call("check", run).exit_code == 0


def test_core_may_be_given_more_than_once(tmp_path: Path) -> None:
    entries = [("PMID:1", "verified"), ("PMID:2", "verified"), ("PMID:3", "phantom")]
    run = make_run(
        tmp_path,
        manifests={"H-0001": a_manifest(entries)},
        reviews={"H-0001.R-01": a_review(scores={"correctness": 1}, phantom_citations=["PMID:3"])},
    )
    found = document(call("check", run, "--json", "--core", "PMID:1", "--core", "PMID:3"))
    assert found["reviews"][0]["cap_rule"] == "C-CORE1"
    unknown = document(call("check", run, "--json", "--core", "PMID:9"))
    assert unknown["problems"][0]["what"] == "--core PMID:9 is in no manifest of the run"


@pytest.mark.parametrize(
    ("reviews", "code"),
    [
        ({"H-0001.R-01": a_review()}, 0),
        ({"H-0001.R-01": a_review(scores={"goal_alignment": ...})}, 1),
        ({"H-0001.R-01": a_review(scores={"novelty": 9})}, 1),
        ({"H-0001.R-01": a_review(scores={"safety": 2})}, 1),
        ({}, 1),
    ],
)
def test_check_exits_with_one_where_somebody_has_to_look(
    reviews: dict[str, Any], code: int, tmp_path: Path
) -> None:
    run = make_run(tmp_path, reviews=reviews)
    assert call("check", run).exit_code == call("check", run, "--json").exit_code == code


def test_a_trigger_that_was_acted_on_is_no_finding(run: Path) -> None:
    record = json.dumps(a_review(scores={"safety": 2}))
    result = call("quarantine", run, "-", "--for", "H-0001", given=record)
    assert result.stdout.splitlines() == [
        "QUARANTINE: H-0001 quarantined by tester. Safety score: 2. Reason: Safety is 2 or less.",
        "H-0001 moved to quarantine/ by H-0001.R-01",
    ]
    checked = call("check", run)
    assert checked.exit_code == 0
    assert "Q-SAFE Safety is 2 or less: in quarantine" in checked.stdout
    again = document(call("quarantine", run, "--for", "H-0001", "--json"))
    assert (again["moved"], again["review_id"]) == (False, "H-0001.R-01")


@pytest.mark.parametrize("by_id", [True, False])
def test_quarantine_takes_its_hypothesis_after_the_run_too(run: Path, tmp_path: Path, by_id: bool) -> None:
    file = put(tmp_path / "r.json", a_review(scores={"safety": 2}))
    named = ("--run", "run", "--run-dir", tmp_path / "base") if by_id else (run,)
    assert call("quarantine", *named, "H-0001", file).exit_code == 0
    assert (run / "quarantine/H-0001.json").exists()
    assert call("quarantine", *named, "H-0001").exit_code == 0


def test_an_interrupted_quarantine_is_told_by_check(run: Path) -> None:
    put(run / "reviews/H-0001.R-01.json", a_review())
    put(run / ".novelty-quarantine-H-0001.json", {})
    result = call("check", run)
    assert result.exit_code == 1
    assert "run: the quarantine of H-0001 was interrupted" in result.stdout


def test_standings_as_json_hold_rows_weights_and_who_is_out(tmp_path: Path) -> None:
    hypotheses = [a_hypothesis(one) for one in ("H-0001", "H-0002", "H-0003")]
    run = make_run(tmp_path, hypotheses=hypotheses, reviews={"H-0001.R-01": a_review()})
    (run / "hypotheses/H-0003.json").rename(run / "quarantine/H-0003.json")
    options = ("--composite", "--weights", "goal=10", "--explain", "--pairs", "5", "--json")
    found = document(call("standings", run, *options))
    assert found["weights"] == {
        "goal": 10.0,
        "constraint": 50.0,
        "novelty": 20.0,
        "preset": "balanced",
        "changed": True,
    }
    assert found["quarantined"] == ["H-0003"]
    assert found["pairs"] == [{"a": "H-0001", "b": "H-0002"}]
    first, second = found["standings"]
    assert first["hypothesis_id"] == "H-0001"
    assert first["components"]["goal"] == {
        "score": 4,
        "s": 0.75,
        "weight": 10.0,
        "contribution": 2.5,
        "source": "H-0001.R-01",
    }
    assert second["components"]["goal"]["score"] is None
    text = call("standings", run, *options[:-1])
    assert text.stdout.splitlines()[0] == (
        "Standings (epoch -; composite: balanced, changed; goal=10 constraint=50 novelty=20)"
    )


@pytest.mark.parametrize("option", [("--preset", "balanced"), ("--weights", "goal=1"), ("--explain",)])
def test_what_belongs_to_the_composite_needs_it(option: tuple[str, ...], run: Path) -> None:
    result = call("standings", run, *option)
    assert isinstance(result.exception, NoveltyKitError)
    assert "requires --composite" in str(result.exception)


def test_the_order_of_files_on_the_disk_changes_nothing(tmp_path: Path) -> None:
    hypotheses = [a_hypothesis(f"H-000{n}") for n in range(1, 7)]
    outputs = set()
    for order in (hypotheses, hypotheses[::-1]):
        run = make_run(tmp_path / f"{len(outputs)}", hypotheses=order)
        for number in (range(1, 6), range(5, 0, -1))[len(outputs)]:
            record = a_review(id=f"H-0001.R-0{number}", scores={"novelty": number})
            put(run / f"reviews/H-0001.R-0{number}.json", record)
        outputs.add(
            call("check", run, "--json").stdout + call("standings", run, "--composite", "--json").stdout
        )
    assert len(outputs) == 1


def test_no_output_names_a_rank_or_a_novelty_score(run: Path) -> None:
    put(run / "reviews/H-0001.R-01.json", a_review())
    for arguments in (
        ("check", run, "--json"),
        ("standings", run, "--composite", "--explain", "--json"),
        ("standings", run, "--composite", "--explain"),
    ):
        text = call(*arguments).stdout.lower()
        assert not [word for word in ("rank", "confidence", "novelty score", "novelty_score") if word in text]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "RUN"), "--for <hypothesis-id> is required"),
        (("add", "RUN", "missing.json", "--for", "H-0001"), "missing.json"),
        (("add", "RUN", "--for", "H-1"), "invalid hypothesis ID"),
        (("add", "RUN", "--for", "H-0002"), "hypothesis file not found"),
        (("add", "RUN", "--for", "H-0001"), "schema validation failed"),
        (("check", "nowhere"), "nowhere"),
        (("check", "RUN", "--policy", "x=y"), "unknown review policy"),
        (("next-id", "RUN"), "--for <hypothesis-id> is required for review artifact type"),
        (("next-id", "RUN", "match", "--for", "H-0001"), "--for is only valid for review artifact type"),
        (("next-id", "RUN", "reviews"), "unknown artifact type"),
        (("standings", "RUN", "--composite", "--preset", "best"), "unknown preset"),
        (("standings", "RUN", "--composite", "--weights", "goal=-1"), "no number from 0"),
        (("quarantine", "RUN", "--for", "H-0001"), "was not found"),
    ],
)
def test_an_error_is_short_exits_with_two_and_shows_no_traceback(
    arguments: tuple[str, ...], says: str, run: Path
) -> None:
    named = [str(run) if one == "RUN" else one for one in arguments]
    result = novelty("review", *named, given="{}")
    assert result.returncode == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_help_needs_nothing_heavy() -> None:
    script = (
        "import sys; from click.testing import CliRunner; from novelty_kit.cli.review import review;"
        "assert CliRunner().invoke(review, ['add', '--help']).exit_code == 0;"
        "print([name for name in ('pandas', 'numpy', 'duckdb', 'yaml', 'httpx') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_debug_may_stand_anywhere(run: Path) -> None:
    put(run / "reviews/H-0001.R-01.json", a_review())
    assert call("check", run, "--debug").exit_code == 0
    assert "Traceback" in novelty("review", "check", "nowhere", "--debug").stderr


def test_hostile_text_reaches_no_terminal(run: Path) -> None:
    put(
        run / "reviews/H-0001.R-01.json",
        a_review(hypothesis_id="\x1b[31mH\u202e", id="\x07", review_type="\x1b]0;x"),
    )
    out = call("check", run).stdout
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\u202e" not in out


def test_a_review_written_through_the_command_is_as_it_was_given(run: Path) -> None:
    record = a_review(verdict="Роль сна <b>&</b> 一 \u2028", extra={"deep": [1, None]})
    call("add", run, "--for", "H-0001", given=json.dumps(record))
    assert get(run / "reviews/H-0001.R-01.json") == record
