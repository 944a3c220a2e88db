"""The committed sample is what a fresh render of the demo gives."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import matplotlib
import pytest

import novelty_kit as nk
from novelty_kit.report.batch import Batch, render_batch
from novelty_kit.report.sources import load_given
from novelty_kit.verdict.policy import Policy

ROOT = Path(nk.__file__).parents[1]
SAMPLE = ROOT / "reports" / "sample"
NAME = "w06-ioannidis"
# Another version of the drawing library may draw the same picture with other bytes.
DRAWN_WITH = "3.11.2"
_PICTURE = re.compile(rb"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return render_batch(
            load_given("data/demo/candidates.jsonl"),
            lambda: ("data/demo/events.jsonl",),
            tmp_path_factory.mktemp("sample"),
            Policy(),
            only=[NAME],
        )


def the(folder: Path, end: str) -> Path:
    (found,) = folder.glob(f"{NAME}-*{end}")
    return found


def test_the_record_and_the_index_are_up_to_date(fresh: Batch) -> None:
    """If it fails: ``novelty report data/demo/candidates.jsonl --only w06-ioannidis --out reports/sample``."""
    assert the(SAMPLE, ".json").read_bytes() == the(fresh.folder, ".json").read_bytes()
    assert (SAMPLE / "index.html").read_bytes() == (fresh.folder / "index.html").read_bytes()


def test_the_page_is_up_to_date(fresh: Batch) -> None:
    kept, made = (the(folder, ".html").read_bytes() for folder in (SAMPLE, fresh.folder))
    assert _PICTURE.sub(b"", kept) == _PICTURE.sub(b"", made)
    if matplotlib.__version__ == DRAWN_WITH:
        assert kept == made


def test_the_notebook_is_up_to_date(fresh: Batch) -> None:
    assert shown(SAMPLE) == shown(fresh.folder)


def shown(folder: Path) -> list[Any]:
    """A notebook's cells and outputs without the bytes of its pictures."""
    notebook = json.loads(the(folder, ".ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/svg+xml", None)
    cells: list[Any] = notebook["cells"]
    return cells


def test_the_sample_holds_one_report_its_picture_and_an_index() -> None:
    assert sorted(path.suffix for path in SAMPLE.iterdir()) == [".html", ".html", ".ipynb", ".json", ".png"]
