"""A kill at any moment loses nothing and doubles nothing.

The child process is real and so is its end: an audit hook lets it come to its N-th operation that changes
files, and there it sends itself SIGKILL. N runs over all of them, so every gap between two changes is hit.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kills import every_kill
from review_runs import a_hypothesis, a_manifest, a_review, get, make_run, snapshot

from novelty_kit.review import Run, open_run
from novelty_kit.review.folder import Folder
from novelty_kit.review.journal import STEPS, Journal, begin
from novelty_kit.review.lock import locked
from novelty_kit.review.schema import schema_problems


@pytest.fixture(autouse=True)
def _warm() -> None:
    """Read the rubric and the schemas here, so that the children's first operations are the run's own."""
    schema_problems({}, "review")
    schema_problems({}, "citation_manifest")
    schema_problems({}, "hypothesis")
    from novelty_kit.review.rubric import rubric

    rubric()
    import yaml  # noqa: F401


def unsafe_review(**changes: Any) -> dict[str, Any]:
    return a_review(scores={"safety": 2}, **changes)


def whole(run: Run, hypothesis_id: str = "H-0001") -> dict[str, bytes]:
    """What lies in the run, after checking that no record is torn and the hypothesis is somewhere."""
    for folder in ("hypotheses", "quarantine", "reviews"):
        for file in (run.path / folder).glob("[!.]*.json"):
            get(file)
    places = [run.path / where / f"{hypothesis_id}.json" for where in ("hypotheses", "quarantine")]
    assert any(place.exists() for place in places)
    return snapshot(run.path)


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Run]:
    """Gives a new run each time it is called."""
    made = 0

    def make() -> Run:
        nonlocal made
        made += 1
        return open_run(
            make_run(tmp_path / f"run{made}", hypotheses=[a_hypothesis(), a_hypothesis("H-0002")])
        )

    return make


def test_a_killed_add_leaves_its_number_free_and_nothing_torn(fresh: Callable[[], Run]) -> None:
    run = fresh()

    def prepare() -> None:
        nonlocal run
        run = fresh()
        run.add(a_review(), "H-0001")

    def after(operation: int) -> None:
        whole(run)
        stored = (run.path / "reviews/H-0001.R-02.json").exists()
        added = run.add(a_review(reviewer="next"), "H-0001")
        assert added.review_id == ("H-0001.R-03" if stored else "H-0001.R-02")
        names = sorted(file.name for file in (run.path / "reviews").iterdir())
        assert names == [f"H-0001.R-{n:02d}.json" for n in range(1, 4 if stored else 3)]
        assert (run.path / ".counter-review-H-0001").read_text() == str(len(names) + 1)

    n = every_kill(lambda: run.add(a_review(), "H-0001"), prepare, after)
    assert n >= 8


@pytest.mark.parametrize("counter", ["1", "2"])
def test_a_second_killed_add_still_leaves_no_gap(fresh: Callable[[], Run], counter: str) -> None:
    run = fresh()

    def prepare() -> None:
        # What a first add leaves that is killed before or after it moved the counter.
        nonlocal run
        run = fresh()
        (run.path / "reviews/.hypex-tmp-H-0001.R-01.part").write_text("half a rev")
        (run.path / ".counter-review-H-0001").write_text(counter)

    def after(operation: int) -> None:
        n = len(list((run.path / "reviews").glob("H-*.json")))
        assert run.add(a_review(), "H-0001").review_id == f"H-0001.R-{n + 1:02d}"
        names = sorted(file.name for file in (run.path / "reviews").iterdir())
        assert names == [f"H-0001.R-{number:02d}.json" for number in range(1, n + 2)]

    assert every_kill(lambda: run.add(a_review(reviewer="killed"), "H-0001"), prepare, after) >= 4


def test_a_temporary_file_with_a_published_name_is_not_written_into(fresh: Callable[[], Run]) -> None:
    run = fresh()
    run.add(a_review(), "H-0001")
    stored = run.path / "reviews/H-0001.R-01.json"
    before = stored.read_bytes()
    left_over = run.path / "reviews/.hypex-tmp-H-0001.R-02.part"
    left_over.hardlink_to(stored)
    assert run.add(a_review(reviewer="b"), "H-0001").review_id == "H-0001.R-02"
    assert stored.read_bytes() == before
    assert not left_over.exists()


def test_the_same_quarantine_again_finishes_a_killed_one(fresh: Callable[[], Run]) -> None:
    run = fresh()

    def prepare() -> None:
        nonlocal run
        run = fresh()

    def after(operation: int) -> None:
        whole(run)
        done = run.quarantine("H-0001", unsafe_review())
        assert done.review_id == "H-0001.R-01"
        assert done.log_lines[0].startswith("QUARANTINE: H-0001 quarantined by tester. Safety score: 2. ")
        assert_in_quarantine(run)

    n = every_kill(lambda: run.quarantine("H-0001", unsafe_review()), prepare, after)
    assert n >= 15


def assert_in_quarantine(run: Run) -> None:
    """One review, one hypothesis file, its status set, nothing left over."""
    found = snapshot(run.path)
    assert [name for name in found if name.startswith(("hypotheses/", "quarantine/", "reviews/", "."))] == [
        ".counter-review-H-0001",
        "hypotheses/H-0002.json",
        "quarantine/H-0001.json",
        "reviews/H-0001.R-01.json",
    ]
    moved = get(run.path / "quarantine/H-0001.json")
    assert moved == a_hypothesis(status="quarantined")
    assert found[".counter-review-H-0001"] == b"2"
    assert run.quarantined() == {"H-0001": "moved"}


def test_without_the_review_at_hand_a_killed_quarantine_is_finished_too(fresh: Callable[[], Run]) -> None:
    run = fresh()
    finished = 0

    def prepare() -> None:
        nonlocal run
        run = fresh()

    def after(operation: int) -> None:
        nonlocal finished
        begun = any(run.path.glob(".novelty-quarantine-*.json"))
        moved = (run.path / "quarantine/H-0001.json").exists()
        if begun or moved:
            finished += 1
            assert "H-0001" in run.quarantined()
            assert all(row.hypothesis_id != "H-0001" for row in run.standing_rows())
            run.quarantine("H-0001")
            assert_in_quarantine(run)
        else:
            assert snapshot(run.path).keys() >= {"hypotheses/H-0001.json"}
            assert run.quarantined() == {}

    every_kill(lambda: run.quarantine("H-0001", unsafe_review()), prepare, after)
    assert finished >= 8


def test_a_second_kill_while_finishing_is_finished_as_well(fresh: Callable[[], Run]) -> None:
    run = fresh()

    def prepare() -> None:
        nonlocal run
        run = fresh()
        with Folder.open(run.path) as folder, locked(folder):
            journal = Journal(
                "H-0001",
                "H-0001.R-01",
                unsafe_review(),
                ("QUARANTINE: H-0001 quarantined by tester. Safety",),
            )
            begin(folder, journal)

    def after(operation: int) -> None:
        whole(run)
        run.quarantine("H-0001")
        assert_in_quarantine(run)

    every_kill(lambda: run.quarantine("H-0001"), prepare, after)


@pytest.mark.parametrize("n_steps", range(len(STEPS) + 1))
def test_the_process_may_end_after_any_step(fresh: Callable[[], Run], n_steps: int) -> None:
    run = fresh()
    child = os.fork()
    if child == 0:
        with Folder.open(run.path) as folder, locked(folder):
            journal = Journal("H-0001", "H-0001.R-01", unsafe_review(), ("QUARANTINE: H-0001",))
            begin(folder, journal)
            for step in STEPS[:n_steps]:
                journal = step(folder, journal)
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert "H-0001" in run.quarantined()
    run.quarantine("H-0001", unsafe_review())
    assert_in_quarantine(run)


def test_a_review_added_meanwhile_under_the_same_number_is_kept(fresh: Callable[[], Run]) -> None:
    run = fresh()
    with Folder.open(run.path) as folder, locked(folder):
        begin(folder, Journal("H-0001", "H-0001.R-01", unsafe_review(), ("QUARANTINE: H-0001",)))
    other = make_run(run.path, hypotheses=[], reviews={"H-0001.R-01": a_review(reviewer="another tool")})
    done = run.quarantine("H-0001")
    assert done.review_id == "H-0001.R-02"
    assert get(other / "reviews/H-0001.R-01.json")["reviewer"] == "another tool"
    assert get(other / "reviews/H-0001.R-02.json")["scores"]["safety"] == 2


def test_a_hypothesis_edited_after_it_was_copied_keeps_the_edit(fresh: Callable[[], Run]) -> None:
    run = fresh()
    with Folder.open(run.path) as folder, locked(folder):
        journal = Journal("H-0001", "H-0001.R-01", unsafe_review(), ("QUARANTINE: H-0001",))
        begin(folder, journal)
        for step in STEPS[:2]:
            journal = step(folder, journal)
    make_run(run.path, hypotheses=[a_hypothesis(statement="Edited meanwhile.")])
    run.quarantine("H-0001")
    assert get(run.path / "quarantine/H-0001.json")["statement"] == "Edited meanwhile."
    assert not (run.path / "hypotheses/H-0001.json").exists()


def test_the_next_add_finishes_a_killed_quarantine_first(fresh: Callable[[], Run]) -> None:
    run = fresh()
    with Folder.open(run.path) as folder, locked(folder):
        begin(folder, Journal("H-0001", "H-0001.R-01", unsafe_review(), ("QUARANTINE: H-0001",)))
    added = run.add(a_review(), "H-0001")
    assert added.review_id == "H-0001.R-02"
    assert run.quarantined() == {"H-0001": "moved"}
    assert not added.quarantine_due


def test_a_killed_manifest_write_leaves_the_old_or_the_new(fresh: Callable[[], Run]) -> None:
    run = fresh()
    from novelty_kit.review.manifest import Citation

    new = [Citation("pmid:1", "PMID:1", "verified", "ok")]

    def write() -> None:
        run.write_manifest("H-0001", new, verified_at="2026-02-02T00:00:00Z", verifier="test/2")

    def prepare() -> None:
        nonlocal run
        run = fresh()

    def after(operation: int) -> None:
        held = get(run.path / "citations/H-0001.json")
        assert held == a_manifest() or held["verifier"] == "test/2"

    every_kill(write, prepare, after)
