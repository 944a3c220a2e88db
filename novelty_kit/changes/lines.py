"""Events as a person finds them: the lines of the log with their places.

Reads the log's files; writes nothing.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from novelty_kit.graph import Graph
from novelty_kit.graph.scan import first_seqs, line_of, lines_at

__all__ = ["event_places", "raw_lines"]

Found = tuple[dict[str, Any], dict[str, Any]]


def raw_lines(graph: Graph, seqs: Sequence[int]) -> dict[int, bytes]:
    """The lines of some events, ascending, without their ends and the mark that a file may begin with."""
    plain = graph._source.plain()
    return {
        seq: raw.removeprefix(BOM_UTF8).removesuffix(b"\r")
        for seq, raw in lines_at(plain, graph.meta.chunks, seqs)
    }


def event_places(graph: Graph, seqs: Sequence[int]) -> dict[int, Found]:
    """For each seq (ascending) the event as an object, and its ``file`` and ``line``."""
    if not seqs:
        return {}
    lines = raw_lines(graph, seqs)
    firsts = first_seqs(graph._source.plain(), graph.meta.chunks)
    found: dict[int, Found] = {}
    for seq, raw in lines.items():
        number, line = line_of(firsts, seq)
        path = PurePath(graph.names[number])
        name = path.name if path.is_absolute() else path.as_posix()
        found[seq] = (json.loads(raw), {"file": name, "line": line})
    return found
