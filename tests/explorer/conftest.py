"""The small log as a graph."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "report"))  # hostile
sys.path.insert(0, str(Path(__file__).parent))

from changing_log import EVENTS, write_events

import novelty_kit as nk


@pytest.fixture
def graph(tmp_path: Path) -> nk.Graph:
    return nk.open_graph(write_events(tmp_path / "events.jsonl", EVENTS), cached=False)
