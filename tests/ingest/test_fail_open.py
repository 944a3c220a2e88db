"""No fault in an answer or in the log makes a candidate novel that is not novel without it.

A sample; ``NOVELTY_FAULTS=10000`` widens it, and ``python tests/ingest/fail_open.py`` prints the whole table.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from fail_open import STRICT, Fault, faults_of, measure, possible_faults, real_records
from fail_open_world import N_CANDIDATES, made_up_records, make_world

N_FAULTS = int(os.environ.get("NOVELTY_FAULTS", "12"))


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    folder = os.environ.get("NOVELTY_TEST_DATA")
    return real_records(folder) if folder else made_up_records(0)


@pytest.mark.parametrize("first", [0, 2, 3], ids=["openalex", "s2", "crossref"])
def test_no_fault_makes_a_candidate_novel(records: list[dict[str, Any]], first: int) -> None:
    tally = measure(records, N_FAULTS, max(N_FAULTS, 120), first=first)
    assert tally.opened[STRICT] == []
    assert tally.n_faults >= N_FAULTS
    assert tally.baseline["novel"] >= 4
    assert tally.baseline["neighborhood"] >= 20
    assert tally.verdicts["unknown"] > 0


def test_without_the_rows_written_before_asking_faults_do_fail_open(records: list[dict[str, Any]]) -> None:
    tally = measure(records, 16, 120, expects=False)
    assert tally.opened[STRICT] != []


def test_the_same_seed_gives_the_same_world_and_the_same_faults() -> None:
    records = made_up_records(0)
    one, two = make_world(records, 5), make_world(records, 5)
    assert one == two
    assert list(faults_of(one, 5, 20)) == list(faults_of(two, 5, 20))
    assert len(one.candidates) == N_CANDIDATES
    assert len({fault.kind for fault in possible_faults(one)}) == 19


def test_one_and_two_faults_are_put_in_at_a_time() -> None:
    world = make_world(made_up_records(0), 0)
    drawn = list(faults_of(world, 0, 200))
    assert {len(faults) for faults in drawn} == {1, 2}
    assert {fault.kind for faults in drawn for fault in faults} >= {"torn_line", "lost_line"}
    assert all(isinstance(fault, Fault) for faults in drawn for fault in faults)
