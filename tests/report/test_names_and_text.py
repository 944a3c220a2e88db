"""File names and text on pages: harmless, distinct, readable."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from novelty_kit.report.slug import slug
from novelty_kit.report.text import for_page


def test_a_slug_has_scheme_id_and_eight_hex_digits() -> None:
    assert slug("arxiv:hep-th/9901001") == "arxiv-hep-th_9901001-e5fcf8b9"
    assert slug("doi:10.1000/x") == "doi-10.1000_x-" + slug("doi:10.1000/x")[-8:]


@pytest.mark.parametrize(
    "pair", [("a/b", "a:b"), ("a/b", "a_b"), ("é", "è"), ("Ab", "ab"), ("x" * 300, "x" * 301), ("", " ")]
)
def test_names_that_differ_only_in_what_a_file_name_cannot_hold_get_two_slugs(pair: tuple[str, str]) -> None:
    assert slug(pair[0]).lower() != slug(pair[1]).lower()


@given(st.text(alphabet=st.characters(codec=None), max_size=400))
def test_any_name_gives_a_safe_file_name_inside_the_folder(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}-[0-9a-f]{8}", slug(name))
    assert slug(name) == slug(name)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", ".", "/", "~root", "con", "-rf", ".hidden", "\x00", "\ud800"]
)
def test_a_name_cannot_leave_the_folder(name: str) -> None:
    found = slug(name)
    assert "/" not in found
    assert not found.startswith((".", "-"))


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_shows_nothing_that_acts_unseen(name: str) -> None:
    shown = for_page(HOSTILE[name])
    assert len(shown) < 4_000
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co") or c in "\u200c\u200d" for c in shown)
    assert "\n" not in shown


def test_ordinary_text_is_not_changed() -> None:
    text = "Siren’s Song: 漢字, עברית and 👩\u200d🔬 at 5 % — “quoted”"
    assert for_page(text) == text


def test_a_cut_says_how_long_the_text_was() -> None:
    assert for_page("x" * 100_000).endswith("… (100,000 characters, cut)")
    assert for_page("x" * 300) == "x" * 300
