"""How often ``verified`` is right, and how often a true variant reaches it, on real titles.

Positives are real titles as services spell them (markup, case, signs, escapes, accents, a dropped subtitle);
negatives are the same titles with a negation or number changed or a word replaced, and their nearest
neighbours in the corpus. One seed; the figures are asserted.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from title_changes import ALTERATIONS, VARIANTS

from novelty_kit.keys import normalise
from novelty_kit.titles import match_titles, title_key, title_words

pytestmark = pytest.mark.skipif("NOVELTY_TEST_DATA" not in os.environ, reason="NOVELTY_TEST_DATA is not set")

SEED = 20260801
GROUPS = Path(__file__).parent.parent / "cases" / "titles" / "same_title_groups.yaml"


def load_json(path: Path) -> Iterator[Any]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.name:
        yield from (json.loads(line) for line in raw.split(b"\n") if line.strip())
    else:
        yield json.loads(raw)


def titles_in(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for inner in value:
            yield from titles_in(inner)
    elif isinstance(value, dict):
        # Of records with an id of a paper only: journals and authors have titles and names too.
        if {"doi", "DOI", "paperId"} & value.keys():
            title = value.get("title")
            yield from [title] if isinstance(title, str) else [t for t in title or () if isinstance(t, str)]
        for inner in value.values():
            yield from titles_in(inner)


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """One spelling of each title, in a fixed order."""
    root = Path(os.environ["NOVELTY_TEST_DATA"])
    found: dict[str, str] = {}
    for source in ("openalex", "crossref", "semanticscholar", "graphs"):
        for path in sorted((root / source).rglob("*.json*")):
            if not path.name.startswith("_"):
                for document in load_json(path):
                    for title in titles_in(document):
                        found.setdefault(title_key(title), title)
    return [found[key] for key in sorted(found) if len(key) >= 12]


def sample(titles: list[str], fitting: str = "") -> list[str]:
    """Four hundred of the fitting titles that came without markup of their own."""
    plain = [title for title in titles if re.search(fitting, title) and not re.search(r"[<\\$]|&\w+;", title)]
    return random.Random(SEED).sample(plain, min(400, len(plain)))


@pytest.mark.parametrize("kind", VARIANTS)
def test_recall_every_spelling_of_a_title_is_verified(kind: str, corpus: list[str]) -> None:
    rng = random.Random(SEED)
    statuses = Counter(match_titles(title, VARIANTS[kind](title, rng)).status for title in sample(corpus))
    assert statuses == {"verified": 400}


@pytest.mark.parametrize("kind", ALTERATIONS)
def test_precision_no_altered_title_is_verified(kind: str, corpus: list[str]) -> None:
    fitting, alter = ALTERATIONS[kind]
    rng = random.Random(SEED)
    titles = sample(corpus, fitting)
    statuses = Counter(match_titles(title, alter(title, rng)).status for title in titles)
    assert statuses["verified"] == 0
    assert len(titles) == (27 if kind == "negation removed" else 400)
    if kind.startswith(("negation", "number", "letter")):
        assert statuses["suspect"] == len(titles)


def test_recall_of_a_dropped_subtitle(corpus: list[str]) -> None:
    """Where nothing but the title is known, a short main title is not enough; behind an id it is."""
    titles = [title for title in corpus if ": " in title and "<" not in title]
    alone = Counter(match_titles(title.split(": ")[0], title).reason for title in titles)
    by_id = Counter(match_titles(title.split(": ")[0], title, by_id=True).reason for title in titles)
    assert alone == {
        "subtitle_dropped": 929,
        "short_main_title": 563,
        "number_differs": 103,
        "negation_differs": 22,
        "other_work": 22,
        "words_differ": 1,
    }
    assert by_id["subtitle_dropped"] == 929 + 563 == 1492
    assert len(titles) == 1640


SAME_WORK_WITHOUT_SUBTITLE = {
    "Adaptive Inference through Early-Exit Networks",
    "Biodiversity in the Balance",
    "Dissociating language and thought in large language models",
    "Do Husbands and Wives Pool Their Resources?",
    "Life cycle and ecology of the loggerhead turtle (Caretta caretta, Linnaeus, 1758)",
    "Looking to listen at the cocktail party",
    "Predictive Reliability and Fault Management in Exascale Systems",
    "The Landscape of Exascale Research",
}
# A paper of 2019 and a later one of 2023 that carries on under the same main title: what a title cannot tell.
OTHER_WORK_WITHOUT_SUBTITLE = {"Pandora's Problem with Nonobligatory Inspection"}


def test_precision_over_all_pairs_of_different_titles(corpus: list[str]) -> None:
    """Of eleven million pairs nine are verified, and one of the nine is wrong; each was looked at.

    Only pairs in which one title is the other's main title can be verified, so only those are compared.
    """
    by_key = {title_key(title): title for title in corpus}
    verified = set()
    for title in corpus:
        for cut in re.finditer(r"\W+", title):
            main = by_key.get(title_key(title[: cut.start()]))
            if main and main != title and match_titles(main, title).status == "verified":
                verified.add(main)
    assert len(corpus) * (len(corpus) - 1) // 2 == 11_350_230
    assert verified == SAME_WORK_WITHOUT_SUBTITLE | OTHER_WORK_WITHOUT_SUBTITLE


def test_one_id_with_two_titles_is_verified_or_says_that_it_is_not() -> None:
    """Titles of one DOI or arXiv id in several answers: a preprint and its published record may differ."""
    root = Path(os.environ["NOVELTY_TEST_DATA"])
    titles: dict[str, set[str]] = defaultdict(set)
    for source in ("openalex", "crossref", "semanticscholar", "graphs", "refs"):
        for path in sorted((root / source).rglob("*.json*")):
            if not path.name.startswith("_"):
                for document in load_json(path):
                    for key, title in keyed_titles(document):
                        titles[key].add(title)
    pairs = [pair for found in titles.values() for pair in itertools.combinations(sorted(found), 2)]
    assert Counter(match_titles(*pair).status for pair in pairs) == {
        "verified": 10,
        "suspect": 10,
        "mismatch": 4,
    }
    assert Counter(match_titles(*pair, by_id=True).status for pair in pairs)["verified"] == 11


def keyed_titles(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for inner in value:
            yield from keyed_titles(inner)
    elif isinstance(value, dict):
        external = value.get("externalIds")
        ids = [("doi", value.get("doi")), ("doi", value.get("DOI")), ("arxiv", value.get("arxivId"))]
        if isinstance(external, dict):
            ids += [("doi", external.get("DOI")), ("arxiv", external.get("ArXiv"))]
        title = value.get("title")
        title = title[0] if isinstance(title, list) and title else title
        if isinstance(title, str):
            for scheme, text in ids:
                if isinstance(text, str) and " " not in text:
                    yield normalise(text, scheme), title
        for inner in value.values():
            yield from keyed_titles(inner)


def test_records_with_one_title_are_mostly_but_not_always_one_work() -> None:
    """What an advisory on equal titles is worth, on the recorded groups: 117 pairs are one work, 11 are not.

    Three words or more, and dates (where both are known) within three years, lose none of the 117 and spare
    two of the 11. Nothing else in a log tells the remaining nine apart: a person must.
    """
    path = (
        Path(os.environ["NOVELTY_TEST_DATA"]) / "graphs" / "openalex_refchecker" / "same_title_groups.jsonl"
    )
    labels = yaml.safe_load(GROUPS.read_text(encoding="utf-8"))
    label_of = {frozenset(row["works"]): label for label, rows in labels.items() for row in rows}
    equal, advised = Counter[str](), Counter[str]()
    for group in load_json(path):
        for work, other in itertools.combinations(group["works"], 2):
            label = label_of.pop(frozenset(w["id"].rpartition("/")[2] for w in (work, other)), "same")
            if title_key(work["title"]) == title_key(other["title"]):
                equal[label] += 1
                near_in_time = abs(work["year"] - other["year"]) <= 3
                advised[label] += near_in_time and len(title_words(work["title"])) >= 3
    assert label_of == {}, "a labelled pair is not in the data"
    assert equal == {"same": 117, "different": 11, "uncertain": 1}
    assert advised == {"same": 117, "different": 9, "uncertain": 1}
