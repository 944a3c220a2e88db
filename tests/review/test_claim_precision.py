"""How often a citation check is right, on a labelled set made of real records.

Right: a real record's title and authors in another spelling, under its id; and pairs of catalogue records of one
work, each cited under the other's id. Wrong: a negation or a number changed, a word or letter replaced, another
work's title under the id, and pairs of records with one title that are not one work. One seed; floors asserted.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "titles"))
from title_changes import ALTERATIONS, VARIANTS

from novelty_kit.ingest import crossref, openalex
from novelty_kit.ingest.record import Work
from novelty_kit.review.claim import judge_claim
from novelty_kit.review.extract import CitationItem
from novelty_kit.review.verify import Resolution
from novelty_kit.titles import title_key

pytestmark = pytest.mark.skipif("NOVELTY_TEST_DATA" not in os.environ, reason="NOVELTY_TEST_DATA is not set")

SEED = 20261130
N_WORKS = 150
LABELS = Path(__file__).parents[1] / "cases" / "titles" / "same_title_groups.yaml"


@dataclass(frozen=True)
class Labelled:
    kind: str
    is_right: bool
    claimed: str
    authors: tuple[str, ...]
    found: Work


def works_in(value: Any, read: Callable[[object], Any]) -> Iterator[Work]:
    if isinstance(value, list):
        for inner in value:
            yield from works_in(inner, read)
    elif isinstance(value, dict):
        work = read(value)
        if isinstance(work, Work) and work.title and work.authors:
            yield work
            return
        for inner in value.values():
            yield from works_in(inner, read)


def real_works() -> list[Work]:
    """Works with a title and authors, one for each title, in a fixed order."""
    found: dict[str, Work] = {}
    for source, read in (("openalex", openalex.read_work), ("crossref", crossref.read_work)):
        for path in sorted((Path(os.environ["NOVELTY_TEST_DATA"]) / source).rglob("*.json*")):
            raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            if not path.name.startswith("_") and path.suffix in (".json", ".gz") and raw[:1] in (b"{", b"["):
                for work in works_in(json.loads(raw), read):
                    found.setdefault(title_key(str(work.title)), work)
    return [found[key] for key in sorted(found) if len(key) >= 12]


def other_form(name: str) -> str:
    """A name as another style writes it."""
    family, comma, given = name.partition(", ")
    if comma:
        return f"{given[:1]}. {family}"
    *given_names, family = name.split()
    return f"{family}, {' '.join(one[:1] + '.' for one in given_names)}" if given_names else name


def labelled_set() -> Iterator[Labelled]:
    rng = random.Random(SEED)
    works = real_works()
    chosen = rng.sample(works, min(N_WORKS, len(works)))
    kinds = list(VARIANTS)
    for number, work in enumerate(chosen):
        title = str(work.title)
        for kind in (kinds[number % len(kinds)], kinds[(number + 5) % len(kinds)]):
            yield Labelled(f"right: {kind}", True, VARIANTS[kind](title, rng), work.authors, work)
        yield Labelled("right: other form of names", True, title, tuple(map(other_form, work.authors)), work)
        yield Labelled("right: first author et al.", True, title, (work.authors[0], "et al."), work)
        for kind in ("negation inserted", "number inserted", "letter changed"):
            yield Labelled(f"wrong: {kind}", False, ALTERATIONS[kind][1](title, rng), work.authors, work)
        if any(char.isdigit() for char in title):
            changed = ALTERATIONS["number changed"][1](title, rng)
            yield Labelled("wrong: number changed", False, changed, work.authors, work)
        other = rng.choice([one for one in works if title_key(str(one.title)) != title_key(title)])
        yield Labelled("wrong: another work", False, str(other.title), other.authors, work)
    yield from same_titles()


def same_titles() -> Iterator[Labelled]:
    """Pairs of catalogue records with one title, labelled by hand: one work, or not."""
    path = (
        Path(os.environ["NOVELTY_TEST_DATA"]) / "graphs" / "openalex_refchecker" / "same_title_groups.jsonl"
    )
    labels = yaml.safe_load(LABELS.read_text("utf-8"))
    label_of = {frozenset(row["works"]): label for label, rows in labels.items() for row in rows}
    for line in path.read_bytes().splitlines():
        for cited, found in itertools.permutations(json.loads(line)["works"], 2):
            pair = frozenset(one["id"].rpartition("/")[2] for one in (cited, found))
            label = label_of.get(pair, "same")
            if label != "uncertain" and cited["first_author"] and found["first_author"]:
                work = Work("openalex", {"openalex": "W1"}, found["title"], authors=(found["first_author"],))
                kind = "right: record of one work" if label == "same" else "wrong: same title, other work"
                yield Labelled(kind, label == "same", cited["title"], (cited["first_author"],), work)


def test_precision_and_recall_of_the_citation_check() -> None:
    table: dict[str, Counter[str]] = {}
    for one in labelled_set():
        answer = Resolution("found", (str(one.found.title), *one.found.other_titles), (one.found.authors,))
        finding = judge_claim(CitationItem("10.1000/x", one.claimed, one.authors), answer)
        table.setdefault(one.kind, Counter())[finding.status] += 1
    for kind, statuses in sorted(table.items()):
        print(f"{kind:32} {dict(sorted(statuses.items()))}")
    right, wrong = (
        sum((n for kind, n in table.items() if kind.startswith(start)), Counter[str]())
        for start in ("right", "wrong")
    )
    precision = right["verified"] / (right["verified"] + wrong["verified"])
    recall = right["verified"] / right.total()
    print(
        f"verified: precision {precision:.4f}, recall {recall:.4f} of {right.total()} right and "
        f"{wrong.total()} wrong; phantoms among the right: {right['phantom']}"
    )
    assert right.total() > 700
    assert wrong.total() > 600
    # What may not happen at all: an accusation of a true citation, and a changed number or negation let through.
    assert right["phantom"] == 0
    for kind, statuses in table.items():
        if kind.startswith("wrong") and "same title" not in kind:
            assert statuses["verified"] == 0, kind
    assert precision >= 0.99
    assert recall >= 0.97
