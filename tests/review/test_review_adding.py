"""A review gets its number only when it is accepted, and never another review's."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from review_runs import a_hypothesis, a_manifest, a_review, get, make_run, put, snapshot

from novelty_kit.errors import DamageError, DocumentError, InputError, OutputError
from novelty_kit.review import Run, open_run
from novelty_kit.review.folder import Folder
from novelty_kit.review.store import require_hypothesis_id


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return open_run(make_run(tmp_path / "run"))


def refusal(run: Run, record: dict[str, Any], **options: Any) -> list[str]:
    before = snapshot(run.path)
    with pytest.raises(DocumentError) as refused:
        run.add(record, "H-0001", **options)
    assert snapshot(run.path) == before, "a refused review changes nothing"
    return [str(problem) for problem in refused.value.problems] or [str(refused.value)]


def test_an_accepted_review_is_stored_under_the_next_number(run: Run) -> None:
    given = a_review(id="H-0001.R-77", note="kept", scores={"novelty": 4.0})
    assert run.add(given, "H-0001").review_id == "H-0001.R-01"
    assert run.add(given, "H-0001").review_id == "H-0001.R-02"
    stored = run.path / "reviews/H-0001.R-02.json"
    assert get(stored) == {**given, "id": "H-0001.R-02"}
    assert stored.read_bytes().startswith(
        b'{\n  "citation_manifest": "citations/H-0001.json",\n  "contradicting'
    )
    assert (run.path / ".counter-review-H-0001").read_bytes() == b"3"
    assert stat.S_IMODE(stored.stat().st_mode) & 0o077 == 0o044


def test_a_missing_or_empty_hypothesis_is_filled_in(run: Run) -> None:
    for given in (..., "", None):
        stored = run.add(a_review(hypothesis_id=given), "H-0001")
        assert get(run.path / stored.file)["hypothesis_id"] == "H-0001"


def test_every_breach_is_named_at_once(run: Run) -> None:
    make_run(run.path, manifests={"H-0001": a_manifest([("PMID:1", "phantom"), ("PMID:2", "phantom")])})
    record = a_review(
        hypothesis_id="H-0002", scores={"novelty": 9, "correctness": 4}, mean_review_score=4, verdict=...
    )
    named = refusal(run, record)
    assert [line.split(": ")[1].split()[0] for line in named] == [
        "S-SCHEMA",
        "S-SCHEMA",
        "V-HYP-MISMATCH",
        "V-OVER-CAP",
        "W-MEAN-STORED",
    ]
    assert "schema validation failed" in named[0]
    assert "does not match --for flag" in named[2]


def test_a_refused_review_burns_no_number(run: Run) -> None:
    refusal(run, a_review(scores={"novelty": 9}))
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-01"


def test_warnings_are_told_and_strict_refuses_them(run: Run) -> None:
    record = a_review(scores={"goal_alignment": ...}, citation_manifest=...)
    assert [line.split()[0] for line in refusal(run, record, strict=True)] == [
        "W-GOAL-MISSING",
        "W-PATH-MISSING",
    ]
    assert run.add(record, "H-0001").judgement.warnings == ("W-GOAL-MISSING", "W-PATH-MISSING")


def test_strict_names_a_stored_mean_once(run: Run) -> None:
    named = refusal(run, a_review(mean_review_score=4), strict=True)
    assert len(named) == 1


def test_the_hypothesis_must_exist(run: Run) -> None:
    with pytest.raises(DocumentError, match="hypothesis file not found"):
        run.add(a_review(hypothesis_id="H-0002"), "H-0002")


def test_a_hypothesis_in_quarantine_can_still_be_reviewed(run: Run) -> None:
    (run.path / "hypotheses/H-0001.json").rename(run.path / "quarantine/H-0001.json")
    added = run.add(a_review(scores={"safety": 1}), "H-0001")
    assert added.review_id == "H-0001.R-01"
    assert not added.quarantine_due


def test_a_trigger_is_told_and_moves_nothing(run: Run) -> None:
    assert run.add(a_review(scores={"safety": 1}), "H-0001").quarantine_due
    assert (run.path / "hypotheses/H-0001.json").exists()


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "H-1",
        "H-001",
        "H-00001",
        "h-0001",
        "H-001a",
        "H-0001.R-01",
        "../H-0001",
        "H-0001/foo",
        "H-0001\n",
        "H-٠٠٠١",
    ],
)
def test_what_is_no_hypothesis_id_never_becomes_a_path(bad: str, run: Run) -> None:
    with pytest.raises(InputError, match="invalid hypothesis ID"):
        run.add(a_review(), bad)
    with pytest.raises(InputError, match="invalid hypothesis ID"):
        run.quarantine(bad, a_review())
    with pytest.raises(InputError, match="invalid hypothesis ID"):
        run.next_id("review", bad)
    with pytest.raises(InputError, match="invalid hypothesis ID"):
        require_hypothesis_id(bad)


@pytest.mark.parametrize("counter", [None, b"1", b"0", b"2\n"])
def test_a_lost_or_reset_counter_overwrites_nothing(run: Run, counter: bytes | None) -> None:
    for n in range(1, 4):
        run.add(a_review(reviewer=f"r{n}"), "H-0001")
    file = run.path / ".counter-review-H-0001"
    file.unlink()
    if counter is not None:
        file.write_bytes(counter)
    assert run.add(a_review(reviewer="late"), "H-0001").review_id == "H-0001.R-04"
    assert [get(run.path / f"reviews/H-0001.R-0{n}.json")["reviewer"] for n in range(1, 5)] == [
        "r1",
        "r2",
        "r3",
        "late",
    ]


@pytest.mark.parametrize("counter", [b"", b"x", b"-3", b"1e3", b"9" * 30, b"3 4"])
def test_a_counter_that_holds_no_number_is_named_and_nothing_is_stored(run: Run, counter: bytes) -> None:
    (run.path / ".counter-review-H-0001").write_bytes(counter)
    before = snapshot(run.path)
    with pytest.raises(DamageError, match="no number"):
        run.add(a_review(), "H-0001")
    assert snapshot(run.path) == before


def test_a_counter_ahead_of_the_files_is_followed(run: Run) -> None:
    assert run.next_id("review", "H-0001") == "H-0001.R-01"
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-02"


def test_the_hundredth_review_has_three_digits(run: Run) -> None:
    (run.path / ".counter-review-H-0001").write_text("99")
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-99"
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-100"
    assert [one.review_id for one in run.check()] == ["H-0001.R-99", "H-0001.R-100"]


def test_counters_of_hypotheses_and_kinds_are_their_own(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path, hypotheses=[a_hypothesis(), a_hypothesis("H-0002")]))
    assert run.next_id("review", "H-0001") == "H-0001.R-01"
    assert run.next_id("review", "H-0002") == "H-0002.R-01"
    assert run.next_id("match") == "M-0001"
    assert run.next_id("hypothesis") == "H-0003"
    assert run.next_id("match") == "M-0002"
    with pytest.raises(InputError, match="--for is only valid for review"):
        run.next_id("match", "H-0001")
    with pytest.raises(InputError, match="--for <hypothesis-id> is required for review artifact type"):
        run.next_id("review")


def test_an_existing_file_is_never_overwritten(run: Run) -> None:
    with Folder.open(run.path / "reviews") as reviews:
        staged = reviews.stage("H-0001.R-01.json", b"first")
        reviews.publish_new(staged, "H-0001.R-01.json")
        staged = reviews.stage("H-0001.R-01.json", b"second")
        with pytest.raises(OutputError, match="never overwritten"):
            reviews.publish_new(staged, "H-0001.R-01.json")
        assert reviews.names() == ("H-0001.R-01.json",)
        assert reviews.read("H-0001.R-01.json") == b"first"


def test_a_misspelt_core_citation_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="cited nowhere"):
        run.add(a_review(), "H-0001", core=["PMID:111"])
    run.add(a_review(), "H-0001", core=["pmid: 1"])


def test_an_unreadable_manifest_refuses_the_review(run: Run) -> None:
    (run.path / "citations/H-0001.json").write_text("{")
    assert "E-MANIFEST" in refusal(run, a_review())[0]


def test_the_other_tools_manifest_is_found_where_it_leaves_it(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path, manifests={}))
    (run.path / "raw/citations").mkdir(parents=True)
    record = a_manifest([("PMID:1", "phantom"), ("PMID:2", "verified"), ("x", "suspect-title-match")])
    put(run.path / "raw/citations/h-0001.citations.json", record)
    assert "V-OVER-CAP" in refusal(run, a_review())[0]


def test_what_the_other_tools_wrote_opens_and_is_added_to(run: Run) -> None:
    # Their temporary files, modes and lock are as they leave them.
    (run.path / ".hypex.lock").touch(mode=0o644)
    (run.path / "reviews/.hypex-tmp-123456").write_text("half a rev")
    (run.path / ".counter-review-H-0001").write_text("2")
    theirs = put(run.path / "reviews/H-0001.R-01.json", a_review())
    theirs.chmod(0o600)
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-02"
    assert (run.path / "reviews/.hypex-tmp-123456").exists()
    assert json.loads(theirs.read_text()) == a_review()


@pytest.mark.parametrize("bad", [float("nan"), {1, 2}, object(), "\ud800", {"a": float("inf")}])
def test_what_json_cannot_say_is_refused(run: Run, bad: object) -> None:
    before = snapshot(run.path)
    for act in (run.add, lambda record, one: run.quarantine(one, record)):
        with pytest.raises(DocumentError):
            act({**a_review(scores={"safety": 1}), "note": bad}, "H-0001")
    assert snapshot(run.path) == before


def test_a_quarantine_given_twice_is_carried_out_once(run: Run) -> None:
    record = a_review(scores={"safety": 1})
    first = run.quarantine("H-0001", record)
    second = run.quarantine("H-0001", record)
    assert (first.moved, second.moved) == (True, False)
    assert first.review_id == second.review_id == "H-0001.R-01"
    assert len(list((run.path / "reviews").iterdir())) == 1


def test_a_review_that_was_added_before_is_not_stored_again_by_its_quarantine(run: Run) -> None:
    record = a_review(scores={"safety": 1})
    run.add(record, "H-0001")
    assert run.quarantine("H-0001", record).review_id == "H-0001.R-01"
    assert len(list((run.path / "reviews").iterdir())) == 1


def test_another_review_of_a_quarantined_hypothesis_is_stored_and_nothing_moved(run: Run) -> None:
    run.quarantine("H-0001", a_review(scores={"safety": 1}))
    done = run.quarantine("H-0001", a_review(scores={"safety": 1}, reviewer="second"))
    assert (done.moved, done.review_id) == (False, "H-0001.R-02")


def test_a_quarantine_needs_a_trigger_or_a_reason(run: Run) -> None:
    before = snapshot(run.path)
    with pytest.raises(InputError, match="nothing in this review calls for"):
        run.quarantine("H-0001", a_review())
    assert snapshot(run.path) == before
    done = run.quarantine("H-0001", a_review(), reason="the authors asked for it.\x1b[0m")
    assert done.log_lines == (
        "QUARANTINE: H-0001 quarantined by tester. Reason: the authors asked for it.\\x1b[0m.",
    )


def test_a_stored_review_calls_for_quarantine(run: Run) -> None:
    run.add(a_review(scores={"safety": 1}, reviewer="first"), "H-0001")
    run.add(a_review(reviewer="second"), "H-0001")
    with pytest.raises(InputError, match=r"review H-0001\.R-02 of H-0001 that calls for quarantine"):
        run.quarantine("H-0001", review_id="H-0001.R-02")
    done = run.quarantine("H-0001")
    assert (done.review_id, done.moved) == ("H-0001.R-01", True)
    assert get(run.path / "quarantine/H-0001.json")["status"] == "quarantined"


def test_two_differing_files_of_a_hypothesis_are_left_alone(run: Run) -> None:
    put(run.path / "quarantine/H-0001.json", a_hypothesis(statement="Another one.", status="quarantined"))
    before = snapshot(run.path)
    with pytest.raises(InputError, match="two files that differ"):
        run.quarantine("H-0001", a_review(scores={"safety": 1}))
    assert snapshot(run.path) == before
    assert run.quarantined() == {"H-0001": "two_files"}
    assert any("a file in hypotheses/ and one in quarantine/" in one.what for one in run.problems())


def test_what_an_interrupted_release_of_another_tool_left_is_put_right(run: Run) -> None:
    put(run.path / "quarantine/H-0001.json", a_hypothesis(status="quarantined"))
    run.quarantine("H-0001", a_review(scores={"safety": 1}))
    assert run.quarantined() == {"H-0001": "moved"}


def test_a_hypothesis_that_its_schema_refuses_is_quarantined_all_the_same(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path, hypotheses=[{"id": "H-0001", "title": "x" * 200}]))
    run.quarantine("H-0001", a_review(scores={"safety": 1}))
    assert get(run.path / "quarantine/H-0001.json") == {
        "id": "H-0001",
        "title": "x" * 200,
        "status": "quarantined",
    }


def test_a_damaged_journal_is_named_and_stops_the_move(run: Run) -> None:
    (run.path / ".novelty-quarantine-H-0001.json").write_text("{}")
    before = snapshot(run.path)
    with pytest.raises(DamageError, match="journal"):
        run.quarantine("H-0001", a_review(scores={"safety": 1}))
    assert snapshot(run.path) == before
    assert run.quarantined() == {"H-0001": "interrupted"}
