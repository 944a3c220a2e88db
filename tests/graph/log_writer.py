"""Writing small logs, and asking what loading them says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from novelty_kit import Graph, open_graph
from novelty_kit.errors import LogError
from novelty_kit.graph.load import load_events
from novelty_kit.graph.log import plain_log
from novelty_kit.graph.scan import Scan
from novelty_kit.graph.state import connect

GOOD = b'{"op":"upsert","table":"paper","row":{"lom_id":"doi:10.1000/good","title":"Good"}}'


def event(table: str, row: dict[str, Any], op: str = "upsert", **top: Any) -> bytes:
    """One line without its end."""
    return json.dumps({"op": op, "table": table, "row": row, **top}, ensure_ascii=False).encode()


def paper(lom_id: str, **columns: Any) -> bytes:
    return event("paper", {"lom_id": lom_id, **columns})


def edge(citing: str, cited: str, op: str = "upsert", **columns: Any) -> bytes:
    return event("citation_edge", {"citing_lom_id": citing, "cited_lom_id": cited, **columns}, op)


def checked(lom_id: str, n_refs: int | None = 3, status: str = "ok", **columns: Any) -> bytes:
    return event("references_checked", {"lom_id": lom_id, "n_refs": n_refs, "status": status, **columns})


def claim(claim_id: str, about: str | None, statement: str = "It holds") -> bytes:
    return event("claim", {"claim_id": claim_id, "about_lom_id": about, "statement": statement})


def write(path: Path, *lines: bytes, end: bytes = b"\n") -> Path:
    path.write_bytes(b"".join(line + end for line in lines))
    return path


def opened(path: Path, *lines: bytes, **options: Any) -> Graph:
    """The graph of these lines, uncached."""
    return open_graph(write(path, *lines), cached=False, **options)


def load(*paths: Path) -> Scan:
    """Load a log and forget it: whether it can be loaded, and what was met."""
    with plain_log(tuple(map(str, paths))) as plain, connect() as con:
        return load_events(con, plain)


def refusal(*paths: Path) -> LogError:
    """The error that loading gives."""
    with pytest.raises(LogError) as caught:
        load(*paths)
    return caught.value


def rows(graph: Graph, table: str) -> list[dict[str, Any]]:
    """The rows of a table as plain values, by seq."""
    return list(graph.arrow(table).to_pylist())
