"""Looking a candidate up at the time of its verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest
from loopback_server import Clock, Told, loopback, services

from novelty_kit.ingest.resolve import resolve_keys

WORK = {"id": "https://openalex.org/W1", "doi": "https://doi.org/10.48550/arXiv.2408.06292", "ids": {}}
PAPER = {"paperId": "a" * 40, "externalIds": {"DOI": "10.1000/X"}}


@pytest.mark.parametrize(
    ("asked", "openalex", "s2", "lom_ids", "blocking"),
    [
        (["openalex:W1"], [Told(json.dumps(WORK).encode())], [], ("arxiv:2408.06292", "openalex:W1"), []),
        (["s2:" + "a" * 40], [], [Told(json.dumps(PAPER).encode())], ("doi:10.1000/x", "s2:" + "a" * 40), []),
        (["s2:CorpusId:7"], [], [Told(status=429)] * 3, (), [("s2", "s2:CorpusId:7", 429, "rate_limited")]),
        (["openalex:W1"], [Told(status=404)], [], (), [("openalex", "openalex:W1", 404, "not_found")]),
        (
            ["s2:CorpusId:7", "openalex:W1"],
            [Told(status=404)],
            [Told(status=500)] * 3,
            (),
            [("openalex", "openalex:W1", 404, "not_found"), ("s2", "s2:CorpusId:7", 500, "server_error")],
        ),
        (
            ["s2:CorpusId:7", "openalex:W1"],
            [Told(json.dumps(WORK).encode())],
            [],
            ("arxiv:2408.06292", "openalex:W1"),
            [],
        ),
        (
            ["openalex:W2"],
            [Told(json.dumps(WORK).encode())],
            [],
            (),
            [("openalex", "openalex:W2", 200, "other_work")],
        ),
    ],
    ids=[
        "OpenAlex knows",
        "S2 knows",
        "S2 is busy",
        "no such work",
        "nobody knows",
        "one is enough",
        "another work",
    ],
)
def test_looking_up(
    asked: list[str],
    openalex: list[Told],
    s2: list[Told],
    lom_ids: tuple[str, ...],
    blocking: list[tuple[Any, ...]],
) -> None:
    with loopback() as one, loopback() as two, services({"openalex": one, "s2": two}, Clock()) as asking:
        one.script, two.script = list(openalex), list(s2)
        resolved = resolve_keys(asking, asked)
    assert resolved.lom_ids == lom_ids
    assert [tuple(block.values()) for block in resolved.blocking] == blocking
