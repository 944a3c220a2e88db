"""A small graph for every test of a page."""

from pathlib import Path

import pytest
from report_log import write_log

import novelty_kit as nk


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "events.jsonl")


@pytest.fixture
def graph(log: Path) -> nk.Graph:
    return nk.open_graph(log, cached=False)
