"""A run that lies, leads elsewhere or cannot be written gets one clear error and loses nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from review_runs import a_hypothesis, a_review, get, make_run, novelty, put, snapshot

from novelty_kit.errors import DocumentError, InputError, NoveltyKitError, OutputError
from novelty_kit.review import Run, open_run
from novelty_kit.review.folder import Folder
from novelty_kit.review.lock import locked
from novelty_kit.review.manifest import Citation


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return open_run(make_run(tmp_path / "run", reviews={"H-0001.R-01": a_review()}))


def writes(run: Run) -> tuple[Callable[[], Any], ...]:
    return (
        lambda: run.add(a_review(), "H-0001"),
        lambda: run.quarantine("H-0001", a_review(scores={"safety": 1})),
        lambda: run.next_id("review", "H-0001"),
    )


@pytest.mark.parametrize("folder", ["reviews", "hypotheses", "quarantine", "citations"])
def test_a_folder_that_is_a_link_is_not_followed(folder: str, run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (run.path / folder).rename(outside)
    (run.path / folder).symlink_to(outside)
    before = snapshot(tmp_path)
    with pytest.raises(NoveltyKitError, match="symbolic link"):
        run.quarantine("H-0001", a_review(scores={"safety": 1}))
    with pytest.raises(NoveltyKitError, match="symbolic link"):
        run.check()
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    "file", ["hypotheses/H-0001.json", "citations/H-0001.json", "run.yaml", ".counter-review-H-0001"]
)
def test_a_file_that_is_a_link_is_not_followed(file: str, run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text('{"id": "H-0001", "constraints": [], "citations": []}')
    target = run.path / file
    target.unlink(missing_ok=True)
    target.symlink_to(secret)
    before = snapshot(tmp_path)
    for write in writes(run)[:2]:
        with pytest.raises(NoveltyKitError):
            write()
    assert snapshot(tmp_path) == before
    assert secret.read_text().startswith('{"id"')


def test_a_lock_that_is_a_link_is_not_followed(run: Run, tmp_path: Path) -> None:
    (run.path / ".hypex.lock").symlink_to(tmp_path / "made")
    for write in writes(run):
        with pytest.raises(OutputError, match="symbolic link"):
            write()
    assert not (tmp_path / "made").exists()


def test_a_review_that_is_a_link_or_a_pipe_is_reported_and_never_waited_for(run: Run, tmp_path: Path) -> None:
    (run.path / "reviews/H-0001.R-02.json").symlink_to(put(tmp_path / "elsewhere.json", a_review()))
    os.mkfifo(run.path / "reviews/H-0001.R-03.json")
    (run.path / "reviews/H-0001.R-04.json").mkdir()
    found = {one.stem: [breach.code for breach in one.breaches] for one in run.check()}
    assert found == {
        "H-0001.R-01": [],
        "H-0001.R-02": ["E-RECORD"],
        "H-0001.R-03": ["E-RECORD"],
        "H-0001.R-04": ["E-RECORD"],
    }
    with pytest.raises(DocumentError):
        _ = run.reviews
    # Their numbers are taken all the same.
    assert run.add(a_review(), "H-0001").review_id == "H-0001.R-05"


@pytest.mark.parametrize("run_id", ["../run", "/etc", "a/../../run", "..", "", ".", "link"])
def test_a_run_id_stays_inside_its_base(run_id: str, tmp_path: Path) -> None:
    make_run(tmp_path / "run")
    base = tmp_path / "base"
    base.mkdir()
    (base / "link").symlink_to(tmp_path / "run")
    with pytest.raises(InputError):
        open_run(run_id, base=base)


def test_a_run_id_inside_its_base_opens(tmp_path: Path) -> None:
    make_run(tmp_path / "base/run")
    assert open_run("run", base=tmp_path / "base").path == tmp_path / "base/run"


@pytest.mark.parametrize(
    "make", [lambda path: path.mkdir(), lambda path: path.write_text("x"), lambda path: None]
)
def test_what_is_no_run_is_said_to_be_none(make: Callable[[Path], Any], tmp_path: Path) -> None:
    make(tmp_path / "thing")
    with pytest.raises(InputError):
        open_run(tmp_path / "thing")


def test_a_record_beyond_the_size_limit_is_refused_unread(run: Run) -> None:
    with (run.path / "reviews/H-0001.R-02.json").open("wb") as stream:
        stream.truncate(60 * 1024 * 1024)
    assert [one.breaches[0].code for one in run.check() if one.stem.endswith("02")] == ["E-RECORD"]


def test_settings_that_are_no_settings_are_named_with_their_line(run: Run) -> None:
    for text, says in (
        ("goal: [", "YAML"),
        ("- a", "no settings by name"),
        ("constraints: cheap", "no list"),
        ("tournament: 3", "no settings by name"),
        ("goal: !!python/object/apply:os.system ['true']", "YAML"),
    ):
        (run.path / "run.yaml").write_text(text)
        with pytest.raises(DocumentError, match=says):
            run.check()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 128 kB of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k,mode=755", "tmpfs", disk], capture_output=True, check=False
    )
    if mount.returncode:
        pytest.skip("mounting a file system is not permitted here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_read_only_file_system_is_read_and_not_written(small_disk: Path) -> None:
    path = make_run(small_disk / "run", reviews={"H-0001.R-01": a_review()})
    before = snapshot(path)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    run = open_run(path)
    assert [one.is_clean for one in run.check()] == [True]
    assert run.problems() == ()
    assert [row.hypothesis_id for row in run.standing_rows(run.weights())] == ["H-0001"]
    for write in writes(run):
        with pytest.raises(OutputError, match="ead-only"):
            write()
    refused = novelty("review", "add", path, "-", "--for", "H-0001", given="{}")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    assert "ead-only" in refused.stderr
    assert snapshot(path) == before


def refusal_of(act: Callable[[], Any]) -> str | None:
    """Why something could not be written; None where it could."""
    try:
        act()
    except OutputError as error:
        return str(error)
    return None


def fill(disk: Path, pages_left: int) -> Path:
    """Fill a disk up to a number of free pages."""
    block = disk / "filler"
    with block.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"x" * 4096)
        except OSError:
            pass
    size = block.stat().st_size
    os.truncate(block, max(0, size - pages_left * 4096))
    return block


@pytest.mark.parametrize("pages_left", range(7))
def test_a_full_disk_loses_nothing_and_the_add_succeeds_once_there_is_room(
    small_disk: Path, pages_left: int
) -> None:
    path = make_run(small_disk / "run", reviews={"H-0001.R-01": a_review()})
    (path / ".counter-review-H-0001").write_text("2")
    (path / ".hypex.lock").touch()
    run = open_run(path)
    before = snapshot(path)
    filler = fill(small_disk, pages_left)
    refused = refusal_of(lambda: run.add(a_review(verdict="v" * 9000), "H-0001"))
    if refused is not None:
        assert "the disk is full" in refused
        assert snapshot(path) == before
        filler.unlink()
        run.add(a_review(verdict="v" * 9000), "H-0001")
    assert [one.review_id for one in run.check()] == ["H-0001.R-01", "H-0001.R-02"]
    assert get(path / "reviews/H-0001.R-02.json")["verdict"] == "v" * 9000


@pytest.mark.parametrize("pages_left", range(12))
def test_a_full_disk_never_loses_a_hypothesis_on_its_way(small_disk: Path, pages_left: int) -> None:
    hypothesis = a_hypothesis(statement="s" * 9000)
    path = make_run(small_disk / "run", hypotheses=[hypothesis])
    (path / ".hypex.lock").touch()
    run = open_run(path)
    filler = fill(small_disk, pages_left)
    record = a_review(scores={"safety": 1}, verdict="v" * 5000)
    refused = refusal_of(lambda: run.quarantine("H-0001", record))
    if refused is not None:
        assert "the disk is full" in refused
        places = [path / where / "H-0001.json" for where in ("hypotheses", "quarantine")]
        held = [get(place) for place in places if place.exists()]
        assert held
        assert all({**one, "status": "active"} == hypothesis for one in held)
        filler.unlink()
        run.quarantine("H-0001", record)
    assert run.quarantined() == {"H-0001": "moved"}
    assert sorted(file.name for file in (path / "reviews").iterdir()) == ["H-0001.R-01.json"]
    assert get(path / "quarantine/H-0001.json") == {**hypothesis, "status": "quarantined"}
    assert not (path / "hypotheses/H-0001.json").exists()
    assert sorted(file.name for file in path.iterdir() if file.name.startswith(".")) == [
        ".counter-review-H-0001",
        ".hypex.lock",
    ]


def test_a_lock_that_is_held_is_waited_for_and_then_named(run: Run) -> None:
    with (
        Folder.open(run.path) as one,
        locked(one),
        Folder.open(run.path) as other,
        pytest.raises(OutputError, match="held the run's lock"),
        locked(other, wait_s=0.05),
    ):
        pass


def test_a_lock_file_that_was_removed_locks_nothing_twice(run: Run) -> None:
    with Folder.open(run.path) as one, locked(one):
        (run.path / ".hypex.lock").unlink()
        # The next one makes a new lock file; it is the one that counts from here on.
        with Folder.open(run.path) as other, locked(other, wait_s=0.05):
            assert (run.path / ".hypex.lock").exists()


@pytest.mark.parametrize("pages_left", [0, 1])
def test_a_full_disk_keeps_the_manifest_that_was_there(small_disk: Path, pages_left: int) -> None:
    path = make_run(small_disk / "run")
    (path / ".hypex.lock").touch()
    run = open_run(path)
    before = snapshot(path)
    found = [Citation(f"pmid:{n}", f"PMID:{n}", "verified", "ok", claimed_title="t" * 90) for n in range(80)]

    def write() -> None:
        run.write_manifest("H-0001", found, verified_at="2026-02-02T00:00:00Z", verifier="test/2")

    filler = fill(small_disk, pages_left)
    refused = refusal_of(write)
    assert refused is not None
    assert "the disk is full" in refused
    assert snapshot(path) == before
    filler.unlink()
    write()
    assert get(path / "citations/H-0001.json")["verifier"] == "test/2"
