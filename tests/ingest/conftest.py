from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_HERE = ("127.0.0.1", "::1", "localhost")


def _only_the_loopback(event: str, arguments: tuple[Any, ...]) -> None:
    """Tests of the room with the network reach no other host."""
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in _HERE:
        raise RuntimeError(f"a test tried to reach {arguments[1][0]}")
    if event == "socket.getaddrinfo" and arguments[0] not in (*_HERE, None):
        raise RuntimeError(f"a test asked for the address of {arguments[0]}")


sys.addaudithook(_only_the_loopback)

CASES = Path(__file__).parent.parent / "cases" / "ingest"


@pytest.fixture(scope="session")
def data() -> Path:
    folder = os.environ.get("NOVELTY_TEST_DATA")
    if not folder:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    return Path(folder)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


@pytest.fixture
def rows() -> Callable[..., list[dict[str, Any]]]:
    """The rows of a log, of one table if named, deletes left out."""

    def read(path: Path, table: str | None = None) -> list[dict[str, Any]]:
        events = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
        return [e["row"] for e in events if e["op"] == "upsert" and table in (None, e["table"])]

    return read
