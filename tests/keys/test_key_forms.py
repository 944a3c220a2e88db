"""Every accepted and every refused form of an id, one case each."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import NORMAL_FORM, SCHEMES, Key, normalise, parse_key

CASES = Path(__file__).parent.parent / "cases" / "keys"


def load_cases(name: str) -> list[Any]:
    cases = yaml.safe_load((CASES / name).read_text(encoding="utf-8"))
    assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    return [pytest.param(case, id=case["name"]) for case in cases]


def given_of(case: dict[str, Any]) -> str:
    if "given_escaped" in case:
        return str(case["given_escaped"]).encode("ascii").decode("unicode_escape")
    return str(case["given"])


@pytest.mark.parametrize("case", load_cases("forms.yaml"))
def test_a_form_has_its_normal_form(case: dict[str, Any]) -> None:
    key = parse_key(case["given"], case.get("scheme"))
    assert (key.lom_id, key.version) == (case["expect"], case.get("version"))
    assert normalise(case["given"], case.get("scheme")) == case["expect"] == str(key)
    assert normalise(case["expect"]) == case["expect"]
    assert normalise(key.id, key.scheme) == case["expect"]


@pytest.mark.parametrize("case", load_cases("refused.yaml"))
def test_what_has_no_normal_form_is_refused_in_words(case: dict[str, Any]) -> None:
    with pytest.raises(KeyFormatError) as caught:
        parse_key(given_of(case), case.get("scheme"))
    assert case["says"] in str(caught.value)
    assert caught.value.problem.remedy
    assert "\n" not in str(caught.value)
    str(caught.value).encode("utf-8")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    "value",
    [None, True, 1001, 2408.0629, float("nan"), 10**5000, b"W1", ["W1"], {}],
    ids=lambda value: type(value).__name__,
)
def test_an_id_that_is_no_string_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(KeyFormatError, match=f"an id is a string, but {type(value).__name__}"):
        parse_key(value, "pmid")
    with pytest.raises(KeyFormatError, match="loses its zeros"):
        normalise(value)


def test_a_kind_of_string_is_a_string() -> None:
    class Name(str):
        __slots__ = ()

    assert type(normalise(Name("arxiv:2408.06292"))) is str
    assert type(parse_key(Name("2408.06292")).id) is str


def test_two_missing_letters_or_digits_are_never_filled_in() -> None:
    for text in ("2408.0629", "hep-th/1001", "W", "CorpusId:", "10.1000/", "a00facb5"):
        with pytest.raises(KeyFormatError):
            normalise(text)


def test_a_very_long_text_is_cut_in_the_error() -> None:
    with pytest.raises(KeyFormatError) as caught:
        parse_key("x" * 1_000_000)
    assert len(str(caught.value)) < 300


def test_the_schemes_stand_in_the_order_of_the_subject() -> None:
    assert SCHEMES == ("arxiv", "doi", "openalex", "pmid", "s2")
    assert tuple(NORMAL_FORM) == SCHEMES


def test_a_key_is_a_frozen_record() -> None:
    key = Key("arxiv", "2408.06292", "v1")
    with pytest.raises(AttributeError):
        key.id = "2408.06293"  # type: ignore[misc]
    assert hash(key) == hash(parse_key("2408.06292v1"))


def test_importing_the_keys_loads_nothing_heavy() -> None:
    program = (
        "import sys; before = set(sys.modules); import novelty_kit.keys; print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert not {"urllib", "duckdb", "pandas", "pyarrow", "yaml", "json", "unicodedata"} & set(loaded.split())
