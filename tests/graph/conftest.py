"""Every test of this room has a cache of its own and no log named from outside."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "verdict"))  # random_graphs, twin_log


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NOVELTY_GRAPH", raising=False)
