"""A quote is found where it stands, layout aside, and nowhere else."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from quote_noise import NEAR_MISSES, NOISES, make_samples

from novelty_kit.priorart.normal import map_words, nfkc
from novelty_kit.priorart.quote import MAX_LISTED, find_quote, split_ellipsis

CASES = Path(__file__).parent.parent / "cases" / "priorart"
QUOTES: list[dict[str, Any]] = yaml.safe_load((CASES / "quotes.yaml").read_text("utf-8"))
PASSAGES: list[str] = yaml.safe_load((CASES / "passages.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", QUOTES, ids=[case["name"] for case in QUOTES])
def test_quote_case(case: dict[str, Any]) -> None:
    given_case, expect = case["given"], case["expect"]
    found = find_quote(given_case["quote"], map_words(given_case["text"]))
    assert [given_case["text"][span.start : span.end] for span in found.spans] == expect.get("slices", [])
    assert expect.get("why", "") in found.why
    if "case" in expect:
        assert [span.case_kept for span in found.spans] == [expect["case"] == "kept"]


def abstracts() -> list[str]:
    root = os.environ.get("NOVELTY_TEST_DATA")
    if not root:
        pytest.skip("NOVELTY_TEST_DATA is not set")
    with gzip.open(Path(root) / "claims" / "scifact" / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        texts = [" ".join(json.loads(line)["abstract"]) for line in stream]
    return [text for text in texts if len(text.split()) > 40]


def proven(texts: Sequence[str], seed: int) -> tuple[Counter[str], list[str]]:
    kinds: Counter[str] = Counter()
    unproven = []
    for sample in make_samples(texts, NOISES, 2000, seed):
        kinds[sample.kind] += 1
        if not find_quote(sample.quote, map_words(sample.text)).spans:
            unproven.append(f"{sample.kind}: {sample.quote!r}")
    return kinds, unproven


def falsely_proven(texts: Sequence[str], seed: int) -> tuple[Counter[str], list[str]]:
    kinds: Counter[str] = Counter()
    false = []
    for sample in make_samples(texts, NEAR_MISSES, 2000, seed, noise=True):
        kinds[sample.kind] += 1
        if find_quote(sample.quote, map_words(sample.text)).spans:
            false.append(f"{sample.kind}: {sample.quote!r}")
    return kinds, false


def test_of_2000_near_misses_of_own_passages_none_is_proven() -> None:
    kinds, false = falsely_proven(PASSAGES, seed=8)
    assert set(kinds) == set(NEAR_MISSES)
    assert false == []


def test_of_2000_near_misses_of_real_abstracts_none_is_proven() -> None:
    kinds, false = falsely_proven(abstracts(), seed=8)
    assert set(kinds) == set(NEAR_MISSES)
    assert false == []


def test_of_2000_true_quotes_of_real_abstracts_with_layout_noise_99_percent_are_proven() -> None:
    kinds, unproven = proven(abstracts(), seed=8)
    assert set(kinds) == set(NOISES)
    assert len(unproven) <= 20, unproven


def test_true_quotes_of_own_passages_fail_only_where_they_leave_out_what_governs_them() -> None:
    for sample in make_samples(PASSAGES, NOISES, 2000, seed=8):
        found = find_quote(sample.quote, map_words(sample.text))
        assert found.spans or "leaves out" in found.why or "compound" in found.why, sample


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_text_of_three_words_or_more_is_found_in_itself_and_the_span_is_the_slice(text: str) -> None:
    words = map_words(text)
    if not len(words):
        return
    found = find_quote(text, words)
    assert found.spans
    assert found.spans[0].parts[0] == (words.source_start(0), words.source_end(len(words) - 1))


@settings(deadline=None)
@given(st.text(max_size=80))
def test_normalising_twice_equals_once(text: str) -> None:
    once, _ = nfkc(text)
    assert nfkc(once)[0] == once


@settings(deadline=None)
@given(st.text(alphabet="aeé\u0301ﬁﬀ²½①가ᄀ\u1161\u11a8\u00ad\u200b -\n中1", max_size=40))
def test_every_word_lies_where_the_map_says(text: str) -> None:
    words = map_words(text)
    for index in range(len(words)):
        start, end = words.source_start(index), words.source_end(index)
        assert 0 <= start < end <= len(text)
        assert words.word(index) in nfkc(text[start:end])[0] or nfkc(text[start:end])[0] in words.word(index)


def test_all_places_are_listed_and_a_cut_list_says_so() -> None:
    found = find_quote("the same words again", map_words("the same words again. " * 5))
    assert [span.start for span in found.spans] == [0, 22, 44, 66, 88]
    assert not found.more
    many = find_quote("the same words again", map_words("the same words again. " * (MAX_LISTED + 1)))
    assert (len(many.spans), many.more) == (MAX_LISTED, True)


def test_a_stated_slice_counts_only_if_the_quote_fills_it() -> None:
    text = "We merge sketches. They merge sketches. We merge sketches."
    words = map_words(text)
    assert [s.start for s in find_quote("We merge sketches.", words, 40, 58).spans] == [40]
    assert [s.start for s in find_quote("We merge sketches.", words, 0, 18).spans] == [0]
    for start, end in ((0, 30), (19, 39), (1, 18), (40, 4000), (18, 0)):
        found = find_quote("We merge sketches.", words, start, end)
        assert not found.spans
        assert "reads otherwise" in found.why


def test_an_ellipsis_reaches_no_further_than_its_window() -> None:
    near = "We keep both seeds. " + "x " * 400 + "The answer is exact."
    far = "We keep both seeds. " + "x " * 600 + "The answer is exact."
    assert find_quote("We keep both seeds … The answer is exact", map_words(near)).spans
    assert "within" in find_quote("We keep both seeds … The answer is exact", map_words(far)).why


def test_an_ellipsis_at_either_end_marks_nothing() -> None:
    assert split_ellipsis("… we merge [...] both …") == ["we merge", "both"]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a " * 3000 + "a, a", "a " * 100_000),
        ("ab" * 2000 + "c", "ab" * 100_000),
        (("a " * 40 + "a … ") * 40, "a " * 100_000),
        ("-\n" * 5000, "-\n" * 100_000),
        ("e\u0301" * 2000 + " b", "e\u0301" * 100_000),
        ("word … " * 500, "word " * 100_000),
    ],
    ids=["late gap", "one long word", "many parts", "no words", "marks", "tiny parts"],
)
def test_hostile_texts_take_linear_time(quote: str, text: str) -> None:
    began = time.process_time()
    find_quote(quote, map_words(text))
    assert time.process_time() - began < 8


def test_ten_times_the_text_takes_about_ten_times_the_time() -> None:
    def seconds(n: int) -> float:
        text = (
            "Spectral sketches “compress” a ﬁne stream — in one pass, of 27. " * n
            + "The very last words stand here."
        )
        began = time.process_time()
        assert find_quote("the very last words stand here", map_words(text)).spans
        return time.process_time() - began

    seconds(200)
    small, large = min(seconds(1000) for _ in range(3)), seconds(10_000)
    assert large < 30 * small
