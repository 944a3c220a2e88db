"""The pure parts: least sets of lookups against brute force, calls that are full, services as they are asked."""

from __future__ import annotations

import itertools
from random import Random
from time import process_time

import pytest

from novelty_kit.ingest.ask import PROVIDERS
from novelty_kit.ingest.limits import load_limits
from novelty_kit.planning.calls import group_calls, members
from novelty_kit.planning.cover import fewest
from novelty_kit.planning.sources import SOURCES, ways_to_ask


def least(needs: list[set[int]]) -> int:
    every = sorted(set().union(*needs))
    for size in range(len(every) + 1):
        for some in itertools.combinations(every, size):
            if all(need & set(some) for need in needs):
                return size
    raise AssertionError


def test_the_least_set_is_found_on_small_cases() -> None:
    rng = Random(5)
    for _ in range(300):
        n = rng.randint(1, 9)
        needs = [set(rng.sample(range(n), rng.randint(1, min(n, 4)))) for _ in range(rng.randint(1, 10))]
        cover = fewest(needs)
        assert all(need & set(cover.chosen) for need in needs)
        assert len(cover.chosen) == cover.at_least == least(needs)


def test_a_large_case_is_answered_within_its_bound() -> None:
    rng = Random(7)
    needs = [{no, *rng.sample(range(3000), 3)} for no in range(3000)]
    cover = fewest(needs)
    assert all(need & set(cover.chosen) for need in needs)
    assert 0 < cover.at_least < len(cover.chosen) < 2.5 * cover.at_least
    assert not cover.is_least


@pytest.mark.parametrize(
    ("needs", "n_least"),
    [([{no, 40_000} for no in range(40_000)], 1), ([{no, no + 1} for no in range(40_000)], 20_000)],
    ids=["one work cites all", "each cites the next"],
)
def test_many_needs_that_hang_together_do_not_cost_their_square(needs: list[set[int]], n_least: int) -> None:
    start = process_time()
    cover = fewest(needs)
    assert process_time() - start < 10
    assert len(cover.chosen) == cover.at_least == n_least


def test_nothing_needed_needs_nothing() -> None:
    assert fewest([]).chosen == ()
    assert group_calls({}, {}, {}) == []


@pytest.mark.parametrize("mask", [0, 1, 0b1010, 1 << 200 | 1 << 8])
def test_members_of_a_bit_set(mask: int) -> None:
    assert sum(1 << no for no in members(mask).tolist()) == mask


def test_calls_hold_every_lookup_once_and_are_as_few_as_they_can_be() -> None:
    rng = Random(3)
    for _ in range(100):
        kinds = {no: rng.choice("ab") for no in range(rng.randint(1, 14))}
        wants: dict[int, list[int]] = {}
        for candidate in range(8):
            mask = sum(1 << no for no in kinds if rng.random() < 0.4) or 1
            wants.setdefault(mask, []).append(candidate)
        wanted = set().union(*(members(mask).tolist() for mask in wants))
        calls = group_calls(kinds, {"a": 3, "b": 5}, wants)
        assert sorted(no for call in calls for no in call.lookups) == sorted(wanted)
        for kind, size in (("a", 3), ("b", 5)):
            n = sum(kinds[no] == kind for no in wanted)
            assert sum(call.kind == kind for call in calls) == -(-n // size)
        done: set[int] = set()
        for call in calls:
            done |= set(call.lookups)
            for mask, candidates in wants.items():
                assert (set(members(mask).tolist()) <= done) == all(
                    c in {u for past in calls[: calls.index(call) + 1] for u in past.unlocks}
                    for c in candidates
                )


def test_the_call_that_unlocks_most_comes_first() -> None:
    calls = group_calls({0: "a", 1: "b"}, {"a": 1, "b": 1}, {1: [0], 2: [1, 2], 3: [3]})
    assert [(call.kind, call.unlocks) for call in calls] == [("b", (1, 2)), ("a", (0, 3))]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_table_of_services_says_what_they_take(source: object) -> None:
    name, batch, calls = source.name, source.batch, source.calls  # type: ignore[attr-defined]
    assert name in PROVIDERS
    assert load_limits(name).batch == batch
    assert name != "arxiv"
    assert len({scheme for call in calls for scheme in call}) == sum(map(len, calls))


def test_every_kind_of_id_can_be_asked_for_somewhere() -> None:
    for lom_id in ("arxiv:2001.00001", "doi:10.1/x", "openalex:W1", "pmid:1", "s2:CorpusId:1"):
        assert ways_to_ask([lom_id])
    assert [way[:2] for way in ways_to_ask(["s2:CorpusId:1", "doi:10.1/x"])] == [
        ("openalex", "doi:10.1/x"), ("s2", "s2:CorpusId:1"), ("s2", "doi:10.1/x"), ("crossref", "doi:10.1/x"),
    ]  # fmt: skip
