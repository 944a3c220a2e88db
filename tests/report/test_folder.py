"""One batch at a time writes into a folder, and nothing half-written stays there."""

from __future__ import annotations

from pathlib import Path

import pytest

from novelty_kit.errors import OutputError
from novelty_kit.report.folder import own_folder


def test_another_batch_is_kept_out_until_the_first_is_over(tmp_path: Path) -> None:
    with own_folder(tmp_path / "a" / "b"):
        with (
            pytest.raises(OutputError, match="another run is writing its reports"),
            own_folder(tmp_path / "a/b"),
        ):
            raise AssertionError("two batches in one folder")
        with own_folder(tmp_path / "a" / "c"):
            pass
    with own_folder(tmp_path / "a" / "b"):
        pass
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_what_killed_writers_left_is_swept_away_and_nothing_else(tmp_path: Path) -> None:
    others = [tmp_path / name for name in (".hidden", "x.part", "p-1.json", ".part")]
    for path in (*others, tmp_path / ".p-1.json.abc.part"):
        path.write_text("half")
    with own_folder(tmp_path):
        assert not (tmp_path / ".p-1.json.abc.part").exists()
        (tmp_path / ".p-2.html.xyz.part").write_text("half")
    assert sorted(tmp_path.iterdir()) == sorted(others)


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"), own_folder(tmp_path / name):
        pass
