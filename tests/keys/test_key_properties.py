"""Totality, idempotence, soundness of the normal-form patterns, linear time: on generated text."""

from __future__ import annotations

import re
import time

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import NORMAL_FORM, SCHEMES, Key, normalise, parse_key

FRAGMENTS = (
    "10.", "10.1000/", "10.48550/arxiv.", "doi:", "DOI ", "https://doi.org/", "http://dx.doi.org/",
    "arXiv:", "https://arxiv.org/abs/", "https://arxiv.org/pdf/", ".pdf", "2408.06292", "0704.0001",
    "2408.0629", "hep-th/", "9901001", "math.GT/", "v2", "v0", "W", "w12", "openalex:",
    "https://openalex.org/", "works/", "PMID: ", "pmid:", "007", "https://pubmed.ncbi.nlm.nih.gov/",
    "s2:", "CorpusId:", "a" * 40, "A0" * 20, "(SICI)", "<1::AID>", "3.0.CO;2-2", "CO;2-.", "[27]", "[",
    "]", "(", ")", "<", ">", "{", "}", ".", ",", ";", ":", "'", '"', "“", "”", "%", "%2F", "%25",
    "%252F", "%20", "%00", "%C3%A9", "%E9", "/", "?", "#", " ", "\n", "\xa0", "\u200b", "\u0130", "ſ",
    "\u212a", "é", "e\u0301", "２", "٢", "\x00", "\ud800",
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join),
    st.text(st.characters(), max_size=40),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=4)), max_size=6).map("".join),
)
ANY_SCHEME = st.sampled_from([None, *SCHEMES])


def read(text: str, scheme: str | None) -> Key | None:
    try:
        return parse_key(text, scheme)
    except KeyFormatError:
        return None


@settings(max_examples=600, deadline=None)
@given(TEXTS, ANY_SCHEME)
@example("10.1000/a%2525", "doi")
@example("%3C10.1000/x%3E", "doi")
@example("doi:doi:10.1000/x", None)
def test_every_text_is_normalised_or_refused_and_twice_is_once(text: str, scheme: str | None) -> None:
    key = read(text, scheme)
    if key is None:
        return
    assert key.scheme in SCHEMES
    assert key.scheme == scheme or scheme is None or (scheme, key.scheme) == ("doi", "arxiv")
    assert normalise(text, scheme) == key.lom_id
    assert normalise(key.lom_id) == key.lom_id
    assert normalise(key.lom_id, key.scheme) == key.lom_id
    assert parse_key(key.id, key.scheme) == Key(key.scheme, key.id)
    assert key.version is None or key.scheme == "arxiv"


@settings(max_examples=600, deadline=None)
@given(TEXTS, st.sampled_from(SCHEMES))
def test_what_the_pattern_matches_is_its_own_normal_form(text: str, scheme: str) -> None:
    """The patterns may miss normal ids; they must never take one that is not."""
    for prefix in ("", f"{scheme}:", f"{scheme}:10.1000/"):
        name = prefix + text
        if re.fullmatch(NORMAL_FORM[scheme], name):
            key = _slowly(name)
            assert key.lom_id == name


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ids_made_from_the_pattern_are_normal(scheme: str) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.from_regex(re.compile(NORMAL_FORM[scheme], re.ASCII), fullmatch=True))
    def check(name: str) -> None:
        assert _slowly(name).lom_id == name
        assert normalise(name) == name
        assert normalise(name.partition(":")[2], scheme) == name

    check()


def _slowly(name: str) -> Key:
    """Read a name with the short cut barred: a blank after it is cut off by the long way alone."""
    return parse_key(f" {name} ")


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS.filter(lambda text: "\x00" not in text and "\ud800" not in text), max_size=8))
def test_other_engines_read_the_patterns_alike(texts: list[str]) -> None:
    names = [
        *texts,
        "arxiv:2408.06292",
        "doi:10.1000/x(1)",
        "doi:10.1000/x.",
        "pmid:1",
        "s2:CorpusId:1",
        "openalex:W1",
    ]
    names = [name for name in names if _is_utf8(name)]
    for pattern in NORMAL_FORM.values():
        here = [re.fullmatch(pattern, name) is not None for name in names]
        arrow = pc.match_substring_regex(pa.array(names, pa.string()), rf"\A(?:{pattern})\z").to_pylist()
        assert arrow == here


@pytest.mark.parametrize("scheme", SCHEMES)
def test_duckdb_reads_the_pattern_alike(scheme: str) -> None:
    names = [f"{prefix}{body}" for prefix in (f"{scheme}:", "") for body in FRAGMENTS if _is_utf8(body)]
    names += [
        f"{scheme}:{a}{b}"
        for a in FRAGMENTS
        for b in FRAGMENTS[:40]
        if _is_utf8(a + b) and "\x00" not in a + b
    ]
    names += [
        "arxiv:1412.9999",
        "arxiv:1501.00001",
        "arxiv:hep-th/9901001",
        "doi:10.1000/x",
        "pmid:7",
        "openalex:W1",
    ]
    names = [name for name in names if "\x00" not in name]
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT name, regexp_full_match(name, ?) FROM (SELECT unnest(?::VARCHAR[]) AS name)",
            [NORMAL_FORM[scheme], names],
        ).fetchall()
    assert dict(rows) == {name: re.fullmatch(NORMAL_FORM[scheme], name) is not None for name in names}
    assert any(matched for _, matched in rows)


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


HOSTILE = {
    "labels": "doi:" * 250_000,
    "addresses": "https://doi.org/" * 60_000,
    "blanks": " " * 1_000_000,
    "a label and blanks": "doi" + " " * 1_000_000,
    "blanks inside": "10.1000/a" + " " * 1_000_000 + "b",
    "percent signs": "10.1000/" + "%25" * 330_000,
    "percent signs nested": "10.1000/%" + "25" * 500_000,
    "closing brackets": "10.1000/x" + ")" * 1_000_000,
    "pairs of brackets": "10.1000/x" + "()" * 500_000,
    "opening brackets": "10.1000/x" + "(" * 1_000_000 + ")",
    "citation marks": "10.1000/x" + "[27]" * 250_000,
    "stops": "10.1000/x" + "." * 1_000_000,
    "subdivisions": "10.1000" + ".1" * 500_000,
    "digits": "1" * 1_000_000,
    "zeros": "pmid:" + "0" * 1_000_000,
    "versions": "2408.06292" + "v1" * 500_000,
    "letters": "a" * 1_000_000,
    "letters and hyphens": "a-" * 500_000,
    "arXiv DOIs": "10.48550/arxiv." * 66_000,
    "quotes": '"' * 1_000_000,
    "angle brackets": "<" * 500_000 + "10.1000/x" + ">" * 500_000,
    "slashes": "https://arxiv.org/abs/2408.06292" + "/" * 1_000_000,
    "a long work": "W" + "9" * 1_000_000,
    "a long paper address": "https://www.semanticscholar.org/paper/" + "a/" * 500_000,
    "a wide text": "10.1000/" + "é" * 1_000_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_megabyte_takes_little_time(kind: str) -> None:
    """Quadratic time on these would take minutes; the bound leaves room for a busy machine."""
    started = time.process_time()
    for scheme in (None, "doi", "arxiv"):
        read(HOSTILE[kind], scheme)
    assert time.process_time() - started < 5


def test_a_normal_id_costs_no_more_than_a_few_function_calls() -> None:
    """A ratio within one run: the short cut against a bare compiled match."""
    name, match = "doi:10.1126/science.aac4716", re.compile("|".join(NORMAL_FORM.values())).fullmatch

    def cost(call: object) -> float:
        best = float("inf")
        for _ in range(7):
            started = time.perf_counter()
            for _ in range(20_000):
                call(name)  # type: ignore[operator]
            best = min(best, time.perf_counter() - started)
        return best

    assert cost(normalise) < 4 * cost(match)
