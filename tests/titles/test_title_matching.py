"""Which titles are one, which are near, which are not; for every title, hostile ones too."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from novelty_kit.titles import TitleMatch, main_title, match_titles, title_key, title_words

CASES = Path(__file__).parent.parent / "cases" / "titles"


def load_cases(name: str) -> list[Any]:
    cases = yaml.safe_load((CASES / name).read_text(encoding="utf-8"))
    assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", load_cases("matches.yaml"))
def test_two_titles_compare_as_stated_either_way_round(case: dict[str, Any]) -> None:
    claimed, found = case["given"]
    by_id = case.get("by_id", False)
    assert match_titles(claimed, found, by_id=by_id) == TitleMatch(*case["expect"])
    assert match_titles(found, claimed, by_id=by_id) == TitleMatch(*case["expect"])


@pytest.mark.parametrize("case", load_cases("main_titles.yaml"))
def test_a_subtitle_begins_where_stated(case: dict[str, Any]) -> None:
    assert main_title(case["given"]) == case["expect"]


def test_every_reason_has_a_case() -> None:
    cases = [param.values[0] for param in load_cases("matches.yaml")]
    assert {tuple(case["expect"]) for case in cases} == {
        ("verified", "equal"),
        ("verified", "subtitle_dropped"),
        ("suspect", "negation_differs"),
        ("suspect", "number_differs"),
        ("suspect", "other_work"),
        ("suspect", "short_main_title"),
        ("suspect", "subtitle_differs"),
        ("suspect", "words_differ"),
        ("suspect", "no_title"),
        ("mismatch", "words_differ"),
    }


REAL = (
    "Masked autoencoders are scalable vision learners",
    "Learning to Branch",
    "The Lovász Hinge: Learning Submodular Losses",
    "Biodiversity in the balance : land use, national development and global welfare",
    "Why a Right to Explanation of Automated Decision-Making Does Not Exist",
    "Transitions along the 2000 km salinity gradient",
    "Highly accurate protein structure prediction with AlphaFold",
    "Management of <i>Helicobacter pylori</i> infection—the Maastricht V Consensus Report",
)
PIECES = (
    "<i>", "</i>", "<sup>", "<mml:mn>", "&amp;", "&lt;", "&#65;", "$", "\\", "\\emph{", "}", "^", "_", "~",
    ": ", " - ", "? ", ". A", "not", "no", "n't", "cannot", "1", "23", "1.5", "²", "½", "ﬁ", "İ", "ß", "é",
    "e\u0301", "α", "\u0345", "が", "\u3099", "हि", "٢", "’", "#", "+", "\x02", "\x03", "\ud800", " ",
)  # fmt: skip
SOUP = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=10).map("".join)
TITLES = st.one_of(st.sampled_from(REAL), SOUP, st.text(max_size=30))


@settings(max_examples=200, deadline=None)
@given(TITLES, TITLES, st.booleans())
def test_the_order_of_the_two_titles_does_not_matter(claimed: str, found: str, by_id: bool) -> None:
    assert match_titles(claimed, found, by_id=by_id) == match_titles(found, claimed, by_id=by_id)


@settings(max_examples=200, deadline=None)
@given(TITLES)
@example("<b>")
@example("\u0345α")
def test_a_key_is_its_own_key(title: str) -> None:
    key = title_key(title)
    assert title_key(key) == key
    assert (key == "") == (title_words(title) == ())
    assert " " not in key or all(
        key[at - 1].isdigit() and key[at + 1].isdigit() for at, char in enumerate(key) if char == " "
    )


@settings(max_examples=200, deadline=None)
@given(TITLES)
def test_a_title_with_a_letter_matches_itself(title: str) -> None:
    assert match_titles(title, title).status == ("verified" if title_key(title) else "suspect")


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(REAL), st.sampled_from(["not", "no", "without", "never", "does not", "non"]), st.data()
)
def test_an_inserted_negation_is_never_verified(title: str, negation: str, data: st.DataObject) -> None:
    words = title.split()
    at = data.draw(st.integers(0, len(words)))
    changed = " ".join([*words[:at], negation, *words[at:]])
    assert match_titles(title, changed).status != "verified"
    assert match_titles(title, changed, by_id=True).status != "verified"


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(REAL), st.integers(0, 10**6), st.data())
def test_an_inserted_number_is_never_verified(title: str, number: int, data: st.DataObject) -> None:
    words = title.split()
    at = data.draw(st.integers(0, len(words)))
    changed = " ".join([*words[:at], str(number), *words[at:]])
    assert match_titles(title, changed).status != "verified"
    assert match_titles(title, changed, by_id=True).status != "verified"


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10**5),
    st.integers(0, 10**5),
    st.sampled_from(["{}", "v{}", "10<sup>{}</sup>", "1.{}", "−{}"]),
)
def test_a_changed_number_is_never_verified(number: int, other: int, form: str) -> None:
    assume(number != other)
    claimed, found = (f"Results of the trial with {form.format(n)} mg in adults" for n in (number, other))
    assert match_titles(claimed, found).status == "suspect"


HOSTILE = {
    "tags": "<i>" * 33_000,
    "an open tag": "<i " + "a=b " * 25_000,
    "open tags": "<i a=" * 20_000,
    "open quotes in tags": '<i a="' * 16_000,
    "open formulas": "math>" + "<tex-math>" * 10_000,
    "entities": "&lt;" * 25_000,
    "a long entity": "&#" + "9" * 100_000 + ";",
    "ampersands": "&" * 100_000,
    "backslashes": "\\" * 100_000,
    "braces": "1{" * 50_000,
    "carets": "1^" * 50_000,
    "colons": ":" * 100_000,
    "colons and words": "a: " * 33_000,
    "dashes": " - " * 33_000,
    "full stops": "word. A" * 14_000,
    "thousands": "1,000" * 20_000,
    "wide expansions": "\ufdfa" * 20_000,
    "accents": "a" + "\u0301" * 100_000,
    "apostrophes": "n't" * 33_000,
    "one word": "a" * 100_000,
    "words": "deep learning " * 7_000,
    "surrogates": "\ud800" * 100_000,
    "arrows": "-" * 99_999 + ">",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_title_of_100_000_characters_takes_little_time(kind: str) -> None:
    title = HOSTILE[kind]
    started = time.process_time()
    match_titles(title, REAL[0])
    match_titles(title, title + "x")
    main_title(title)
    assert time.process_time() - started < 5


def test_importing_the_matcher_loads_nothing_heavy() -> None:
    program = "import sys, novelty_kit.titles; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert not {"duckdb", "pandas", "pyarrow", "yaml", "json", "difflib"} & set(loaded.split())
