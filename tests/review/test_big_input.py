"""Large input takes time like its size: ten times as much takes about ten times as long, never a hundred."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from novelty_kit.review.claim import judge_claim
from novelty_kit.review.extract import CitationItem, items_of_list, items_of_record
from novelty_kit.review.verify import Resolution


def spent_s(act: Callable[[int], Any], size: int) -> float:
    began = time.process_time()
    act(size)
    return time.process_time() - began


def judged(claimed: str, found: str) -> None:
    judge_claim(CitationItem("10.1000/x", claimed), Resolution("found", (found,)))


@pytest.mark.parametrize(
    "act",
    [
        lambda n: items_of_record({"evidence": [{"lit_id": f"PMID:{k}", "note": "n"} for k in range(1, n)]}),
        lambda n: items_of_record({"notes": [["n"] * 9] * n}),
        lambda n: items_of_record({"text": "10.1000/" + "a" * n * 20}),
        lambda n: items_of_record({"text": "10.1000/" + "(" * n + ")" * n}),
        lambda n: items_of_record({"text": "10.1000/x," * n}),
        lambda n: items_of_record({"text": "arXiv: " * n}),
        lambda n: items_of_list("\n".join(f"A title number {k}" for k in range(n))),
        lambda n: judged("a b " * n, "b a " * n),
    ],
    ids=["entries", "texts", "long id", "brackets", "glued", "labels", "list", "titles"],
)
def test_time_grows_like_the_size(act: Callable[[int], Any]) -> None:
    small = max(spent_s(act, 1000), 0.002)
    assert spent_s(act, 10_000) < 40 * small
