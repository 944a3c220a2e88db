"""A small log and its graph."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_logs import write_log

import novelty_kit as nk


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "events.jsonl")


@pytest.fixture
def graph(log: Path) -> nk.Graph:
    return nk.open_graph(log, cached=False)
