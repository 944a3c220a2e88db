"""Every id in real answers of four services: none crashes, and each refusal is one that was looked at."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from novelty_kit.errors import KeyFormatError
from novelty_kit.keys import NORMAL_FORM, normalise, parse_key

pytestmark = pytest.mark.skipif("NOVELTY_TEST_DATA" not in os.environ, reason="NOVELTY_TEST_DATA is not set")

# Which fields hold an id, by the end of their path, and of which scheme it is (None: the text must say so).
FIELDS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "openalex": (
        (r"(^|results\.|works\.)id", "openalex"),
        (r"ids\.openalex|referenced_works|related_works", "openalex"),
        (r"(^|\.)doi", "doi"),
        (r"ids\.pmid", "pmid"),
        (r"landing_page_url|locations?\.id", None),
        (
            r"(author|institutions?|source|topics?|concepts|funders?)\.id|merged\.(id|merge_into_id)",
            "openalex",
        ),
    ),
    "crossref": (
        (r"DOI|relation\.[a-z-]+\.id|message\.items\.URL|message\.URL|^URL", "doi"),
        (r"update-policy|resource\.primary\.URL", None),
    ),
    "semanticscholar": (
        (r"paperId|(citations|references|citingPaper|citedPaper|data)\.url|^url", "s2"),
        (r"externalIds\.(DOI)|(^|\.)doi", "doi"),
        (r"externalIds\.ArXiv|arxivId", "arxiv"),
        (r"externalIds\.PubMed", "pmid"),
        (r"corpusId|externalIds\.CorpusId", "s2"),
        (r"externalIds\.(MAG|DBLP|PubMedCentral|ACL)|citationId", None),
        (r"openAccessPdf\.url", None),
    ),
    "arxiv": ((r"entry\.id|entry\.link", None), (r"entry\.doi", "doi")),
}
FIELDS["graphs"] = FIELDS["openalex"]
FIELDS["refs"] = FIELDS["crossref"] + ((r"references\.doi|^doi|href", "doi"),)


def load_values(path: Path) -> Iterator[tuple[str, Any]]:
    """Give every leaf of a file with the dotted path of its names."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        for line in raw.split(b"\n"):
            if line.strip():
                yield from leaves(json.loads(line), "")
    elif name.endswith(".json"):
        yield from leaves(json.loads(raw), "")
    elif name.endswith(".csv"):
        for row in csv.DictReader(raw.decode("utf-8").splitlines()):
            yield from leaves(row, "merged")
    elif name.endswith(".xml"):
        yield from xml_leaves(ET.fromstring(raw), "")


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    elif value is not None:
        yield path, value


def xml_leaves(element: ET.Element, path: str) -> Iterator[tuple[str, Any]]:
    here = f"{path}.{element.tag.rpartition('}')[2]}" if path else element.tag.rpartition("}")[2]
    if element.text and element.text.strip():
        yield here, element.text
    if "href" in element.attrib:
        yield here, element.attrib["href"]
    for inner in element:
        yield from xml_leaves(inner, here)


def ids_of(source: str) -> Iterator[tuple[str, Any, str | None]]:
    root = Path(os.environ["NOVELTY_TEST_DATA"]) / source
    rules = [(re.compile(f"(?:{pattern})$"), scheme) for pattern, scheme in FIELDS[source]]
    known = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.name.startswith("_"):
            for place, value in load_values(path):
                if place not in known:
                    known[place] = next(((scheme,) for rule, scheme in rules if rule.search(place)), None)
                if known[place] is not None:
                    yield place, value, known[place][0]


# Why an id-like value is refused: what the error says of it, and what the value is.
REASONS = (
    ("an OpenAlex entity of another kind", "is an OpenAlex entity of another kind"),
    ("a JSON number where an id is text", "an id is a string, but int"),
    ("a blank inside", "a blank inside"),
    ("a bare number of another catalogue", "is a bare number"),
    ("an address or another catalogue's id", "has the form of no known id"),
)


@pytest.fixture(scope="module", params=FIELDS)
def outcome(request: pytest.FixtureRequest) -> tuple[str, Counter[str], dict[str, Counter[str]]]:
    accepted: Counter[str] = Counter()
    refused: dict[str, Counter[str]] = {}
    for _, value, scheme in ids_of(request.param):
        try:
            key = parse_key(value, scheme)
        except KeyFormatError as error:
            reason = next(name for name, words in REASONS if words in str(error))
            refused.setdefault(reason, Counter())[str(value)] += 1
            continue
        assert normalise(key.lom_id) == key.lom_id == normalise(key.id, key.scheme)
        assert re.fullmatch(NORMAL_FORM[key.scheme], key.lom_id), "the pattern misses a real id"
        accepted[key.scheme] += 1
    return request.param, accepted, refused


ACCEPTED = {
    "openalex": {"arxiv": 67, "doi": 1436, "openalex": 11429, "pmid": 112},
    "crossref": {"arxiv": 36, "doi": 1256},
    "semanticscholar": {"arxiv": 946, "doi": 2084, "pmid": 230, "s2": 5304},
    "arxiv": {"arxiv": 663, "doi": 120},
    "graphs": {"arxiv": 1389, "doi": 4375, "openalex": 149055, "pmid": 963},
    "refs": {"doi": 57},
}
# In fields of one scheme only the first three kinds occur; the others stand in fields that may hold anything.
REFUSED = {
    "openalex": {
        "an OpenAlex entity of another kind": 7456,
        "an address or another catalogue's id": 805,
    },
    "crossref": {"a blank inside": 1, "an address or another catalogue's id": 137},
    "semanticscholar": {
        "a JSON number where an id is text": 2067,
        "a bare number of another catalogue": 167,
        "an address or another catalogue's id": 880,
    },
    "arxiv": {"an address or another catalogue's id": 2},
    "graphs": {"an address or another catalogue's id": 2290},
    "refs": {"an address or another catalogue's id": 1},
}


def test_the_ids_accepted_are_counted_by_scheme(
    outcome: tuple[str, Counter[str], dict[str, Counter[str]]],
) -> None:
    source, accepted, _ = outcome
    assert dict(sorted(accepted.items())) == ACCEPTED[source]


def test_every_refusal_is_of_a_kind_that_was_looked_at(
    outcome: tuple[str, Counter[str], dict[str, Counter[str]]],
) -> None:
    source, _, refused = outcome
    assert {reason: values.total() for reason, values in refused.items()} == REFUSED[source]
    for value in refused.get("an OpenAlex entity of another kind", ()):
        assert re.fullmatch(r"(https://openalex\.org/)?[ACFGIPST][0-9]+", value)
    for value in refused.get("an address or another catalogue's id", ()):
        # None of them is an address of a service whose ids are read here.
        assert not re.search(r"//((dx\.)?doi\.org|arxiv\.org/abs|openalex\.org|pubmed\.ncbi)", value)
    assert refused.get("a blank inside", Counter()) == (
        Counter({"10.1126/science. 1109070": 1}) if source == "crossref" else Counter()
    )


def test_a_corpus_number_is_an_id_once_it_is_labelled() -> None:
    numbers = [
        value for _, value, scheme in ids_of("semanticscholar") if scheme == "s2" and isinstance(value, int)
    ]
    assert len(numbers) == 2067
    for number in numbers:
        assert normalise(f"CorpusId:{number}") == f"s2:CorpusId:{number}"
