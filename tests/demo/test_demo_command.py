"""The demo can be taken along, and never writes over anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from novelty_kit.cli import main
from novelty_kit.demo import demo_folder, notebook_folder, write_demo
from novelty_kit.errors import InputError


def test_every_file_of_the_demo_and_every_notebook_is_written(tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["demo", str(tmp_path / "new" / "demo")])
    assert stop.value.code == 0
    made = tmp_path / "new" / "demo"
    for path in (path for path in demo_folder().rglob("*") if path.is_file()):
        assert (made / path.relative_to(demo_folder())).read_bytes() == path.read_bytes()
    for path in notebook_folder().glob("*.ipynb"):
        assert (made / "notebooks" / path.name).read_bytes() == path.read_bytes()
    assert "novelty report" in capsys.readouterr().out


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    assert tmp_path / "events.jsonl" in write_demo(tmp_path)


@pytest.mark.parametrize("name", ["full", "full/file"])
def test_nothing_is_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(InputError, match="holds something already"):
        write_demo(tmp_path / name)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["file"]
