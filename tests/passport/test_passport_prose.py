"""Prose signals are heuristics: sentence by sentence, each hit with its line, never the reason for a pass."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from passport_cases import base, changed

from novelty_kit.passport import Passport
from novelty_kit.passport.prose import Manuscript, own_outcomes, read_manuscript, surfaced_at

DRAFT = """---
title: Glazes
---
# Introduction
We raised hardness.

## 4. Results

Slow cooling raised hardness by 12 %.<!--ref:leach1940-->  Our trial
showed harder tiles, e.g. on the east side. We found 12 studies.
Earlier work raised it <!--ref:mohs1812-->.
<!-- hidden
We found gold. -->
### 4.1 Shrinkage
We measured 4.1 %.

- Tiles shrank; we observed no cracks.

```
We found code.
```

Limitations
-----------
A single clay body was
fired. Gloss did not change with the cooling rate.

## Appendix
We saw more.
"""


def lines(text: str) -> list[int]:
    return [sentence.line for sentence in own_outcomes(Manuscript.from_text(text))]


def test_own_outcomes_are_results_sentences_without_a_citation_marker() -> None:
    assert lines(DRAFT) == [9, 15, 17]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("We measured a hardness of 6.4.", True),
        ("Our experiment shows harder tiles.", True),
        ("This study demonstrates harder tiles.", True),
        ("Slow cooling raised hardness in the tested kiln.", True),
        ("Hardness increased by 12 %.", True),
        ("Hardness did not differ between kilns.", True),
        ("We measured a hardness of 6.4.<!--ref:leach1940-->", False),
        ("We measured a hardness of 6.4 <!-- ref: leach1940 ok -->.", False),
        ("We found 12 studies.", False),
        ("The papers reported that hardness increased.", False),
        ("Table 1 lists the kilns.", False),
        ("Hardness is scratch hardness.", False),
    ],
)
def test_a_sentence_tells_an_outcome_or_not(sentence: str, told: bool) -> None:
    assert bool(lines(f"# Results\n\n{sentence}\n")) is told


@pytest.mark.parametrize(
    ("heading", "counts"),
    [
        ("# Results", True),
        ("## 5. Findings", True),
        ("### Experiments and evaluation ###", True),
        ("# Results and Discussion", True),
        ("Results\n=======", True),
        ("# Discussion", False),
        ("# Methods", False),
        ("Results", False),
        ("#Results", False),
    ],
)
def test_only_sections_called_so_are_results(heading: str, counts: bool) -> None:
    assert bool(lines(f"{heading}\n\nWe measured 6.4.\n")) is counts


def test_a_subsection_inherits_and_a_sibling_does_not() -> None:
    text = "# Results\n## Hardness\nWe measured 6.4.\n# Methods\n## Hardness\nWe measured 6.4.\n"
    assert lines(text) == [3]


@pytest.mark.parametrize(
    ("description", "line"),
    [
        ("Gloss did not change with the cooling rate.", 26),
        ("A single clay body was fired.", 25),
        ("The gloss changes with no cooling rate at all.", 26),
        ("Cracks were seen in winter.", None),
        ("", None),
        ("the of and", None),
    ],
)
def test_a_disclosure_is_surfaced_where_a_sentence_holds_its_words(
    description: str, line: int | None
) -> None:
    hit = surfaced_at(description, Manuscript.from_text(DRAFT))
    assert (hit.line if hit else None) == line


def test_a_disclosure_in_another_section_is_not_surfaced() -> None:
    text = "# Methods\nA single clay body was fired.\n"
    assert surfaced_at("A single clay body was fired.", Manuscript.from_text(text)) is None


def test_two_sentences_of_one_section_may_show_it_together() -> None:
    draft = Manuscript.from_text(
        "# Discussion\nOne clay was at hand. Its body was fired twice in a single kiln.\n"
    )
    assert surfaced_at("A single clay body was fired twice in one kiln at hand.", draft) is not None


def test_the_gate_shows_each_hit_with_its_line_and_marks_it(tmp_path: Path) -> None:
    path = tmp_path / "draft.md"
    path.write_text(DRAFT)
    answer = Passport(base()).gate(manuscript=path)
    surfaced = [reason for reason in answer.reasons if reason.code == "CHECK-4-SURFACED"]
    assert [(reason.pointer, reason.line) for reason in surfaced] == [
        ("/experiment_provenance/0/negative_results/0", 26),
        ("/experiment_provenance/0/known_limitations/0", 25),
    ]
    missing = [reason for reason in answer.reasons if reason.code == "CHECK-4-NOT-SURFACED"]
    assert [reason.pointer for reason in missing] == [
        "/experiment_provenance/1/negative_results/0",
        "/experiment_provenance/1/known_limitations/0",
    ]
    assert all(reason.heuristic and "heuristic" in reason.message for reason in [*surfaced, *missing])
    assert answer.outcome == "PASS-WITH-NOTES"


LITERATURE_ONLY: dict[str, Any] = {
    "set": {
        "/experiment_intake_declaration/status": "no_experiments_declared",
        "/claim_intent_manifests/0/claims/0/planned_experiment_ids": None,
        "/claim_intent_manifests/0/claims/1/planned_experiment_ids": None,
        "/experiment_alignment_results": [],
    },
    "remove": ["/experiment_provenance"],
}


def test_an_own_outcome_contradicts_a_declaration_of_no_experiments() -> None:
    passport, draft = Passport(changed(LITERATURE_ONLY)), Manuscript.from_text(DRAFT)
    answer = passport.gate(manuscript=draft)
    assert answer.outcome == "FAIL"
    hits = [reason for reason in answer.reasons if reason.code == "D7-4"]
    assert [(reason.line, reason.in_manuscript, reason.heuristic) for reason in hits] == [
        (9, True, True),
        (15, True, True),
        (17, True, True),
    ]
    assert passport.gate(manuscript=draft, prose=False).outcome == "PASS"


def test_prose_never_turns_a_failure_into_a_pass() -> None:
    body = changed({"set": {"/experiment_alignment_results/0/alignment_verdict": "OVERSTATED"}})
    assert Passport(body).gate(manuscript=Manuscript.from_text(DRAFT)).outcome == "FAIL"


def test_line_numbers_count_line_feeds_only() -> None:
    assert lines("# Results\n\nA\u2028b\x85c\x0cd is so.\n\nWe measured 6.4.\n") == [5]
    assert lines("# Results\r\n\r\nWe measured 6.4.\r\n") == [3]


def test_abbreviations_and_decimals_end_no_sentence() -> None:
    text = (
        "# Results\nTiles, e.g. Smith et al. Fig. 3 at 6.4 vs. others were hard. They were grey! Were they?"
    )
    assert len(Manuscript.from_text(text).sentences) == 3


@pytest.mark.parametrize(
    "text",
    [
        "<!--ref:" * 60_000,
        "<!--" * 100_000,
        "We found. " * 40_000,
        "a " * 200_000,
        "# " + " " * 200_000 + "x",
        "." * 300_000,
        "- " * 200_000,
        "`" * 300_000,
        "e.g." * 100_000,
    ],
    ids=[
        "markers",
        "comments",
        "sentences",
        "words",
        "heading",
        "stops",
        "bullets",
        "ticks",
        "abbreviations",
    ],
)
def test_no_text_makes_it_slow(text: str) -> None:
    started = time.perf_counter()
    draft = Manuscript.from_text("# Results\n" + text)
    list(own_outcomes(draft))
    surfaced_at("A single clay body was fired.", draft)
    assert time.perf_counter() - started < 10


def test_a_manuscript_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "draft.md"
    path.write_text("# Results\nWe measured 6.4.\n")
    assert read_manuscript(path).sentences[0].line == 2
