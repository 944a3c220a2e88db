"""Damaged answers of every service: each ends as a status, none as an exception, and none verifies by chance."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from novelty_kit.ingest import clinicaltrials, crossref, datacite, doi_agency, europepmc, openalex
from novelty_kit.ingest.limits import Limits, load_limits
from novelty_kit.ingest.record import Answer, Work
from novelty_kit.ingest.reply import Failed, Failure, Reply

RECORDED = Path(__file__).parents[1] / "recorded" / "citations"
ODD: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", " ", "x" * 3000, "\u202e<script>", "\x00", "10.1000/other", [], {}, [None],
    {"a": []},
]  # fmt: skip
ASKED: list[tuple[str, Callable[..., Any], str, str]] = [
    ("datacite", datacite.fetch_work, "doi:10.5281/zenodo.77", "datacite_with_subtitle.json"),
    ("doi", doi_agency.fetch_agency, "doi:10.1000/invented", "doi_does_not_exist.json"),
    ("doi", doi_agency.fetch_agency, "doi:10.11501/77", "doi_of_jalc.json"),
    ("europepmc", europepmc.fetch_work, "pmid:31000001", "europepmc_one.json"),
    ("europepmc", europepmc.fetch_work, "pmcid:PMC6500001", "europepmc_short_record.json"),
    ("europepmc", europepmc.search_works, "a title", "europepmc_one.json"),
    ("clinicaltrials", clinicaltrials.fetch_work, "nct:NCT01234567", "clinicaltrials_one.json"),
    ("crossref", crossref.fetch_work, "doi:10.1000/tides", "crossref_with_subtitle.json"),
    ("crossref", crossref.search_works, "a title", "crossref_search_namesakes.json"),
    ("openalex", openalex.fetch_work, "openalex:W500", "openalex_one.json"),
]


class Answering:
    """Stands where a client stands: one answer to whatever is asked."""

    def __init__(self, limits: Limits, body: bytes) -> None:
        self.limits, self._body = limits, body

    def ask(self, path: str, parameters: object = None) -> Reply:
        return Reply(200, self._body, {}, Answer(self.limits.source, "0" * 64), path)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a JSON value, as what holds it and the key."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        inner = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for key, item in inner:
            found.append((one, key))
            waiting.append(item)
    return found


@pytest.mark.parametrize(
    ("source", "ask", "about", "name"), ASKED, ids=[f"{one[0]} {one[3]} {at}" for at, one in enumerate(ASKED)]
)
def test_a_damaged_answer_is_a_record_or_a_failure(
    source: str, ask: Callable[..., Any], about: str, name: str
) -> None:
    whole = (RECORDED / name).read_bytes()
    rng = random.Random(name)
    for _ in range(120):
        value = json.loads(whole)
        for _ in range(rng.choice((1, 1, 2, 4))):
            holder, key = rng.choice(places(value))
            if rng.random() < 0.3:
                del holder[key]
            else:
                holder[key] = json.loads(json.dumps(rng.choice(ODD)))
            if not places(value):
                break
        answer = ask(Answering(load_limits(source), json.dumps(value).encode()), about)
        for work in answer if isinstance(answer, list) else [answer]:
            assert isinstance(work, Work | Failed | str)
            if isinstance(work, Work) and not isinstance(answer, list):
                assert about in work.lom_ids
            if isinstance(work, Failed) and source == "doi":
                # Only the whole sentence about this very DOI is a no.
                assert work.failure is not Failure.NOT_FOUND or value[0]["status"] == "DOI does not exist"
