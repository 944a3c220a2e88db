"""Verification: sources in order, an error is never a no, the deadline holds, titles are read strictly."""

from __future__ import annotations

import json
import os
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from review_runs import a_hypothesis, a_manifest, a_review, get, make_run

from novelty_kit.errors import DocumentError, LookupFailure
from novelty_kit.review import open_run
from novelty_kit.review.citation import CitationKey, citation_key
from novelty_kit.review.claim import authors_contradict, title_similarity
from novelty_kit.review.extract import CitationItem, items_of_list, items_of_record
from novelty_kit.review.manifest import Citation, keep_decided, manifest_bytes, read_manifest
from novelty_kit.review.verify import AGENCIES, Agency, Resolution, verify_citations

TITLE = "Sleep spindles predict the gain of motor skill after training in 24 adults"
FOUND = Resolution("found", (TITLE,), (("Nader, A.", "Kim, B."),), "https://example.org/1")
NO = Resolution("not_found")
DOWN = Resolution("network_error", detail="HTTP 503")
LATE = Resolution("timeout")


@dataclass
class Recorded:
    """A resolver over recorded answers: by agency and key, else by agency, else a definite no."""

    answers: Mapping[Any, Resolution]
    asked: list[tuple[str, str]] = field(default_factory=list)

    def resolve(self, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
        self.asked.append((agency, str(key)))
        return self.answers.get((agency, str(key)), self.answers.get(agency, NO))


def status(
    raw_id: str, answers: Mapping[Any, Resolution], title: str | None = None, **item: Any
) -> tuple[str, str]:
    [checked] = verify_citations([CitationItem(raw_id, title, **item)], Recorded(answers), 5).checked
    return checked.citation.status, checked.citation.reason


@pytest.mark.parametrize(
    ("raw_id", "agencies"),
    [
        ("10.1000/x", ["crossref", "datacite", "doi.org"]),
        ("https://doi.org/10.5281/zenodo.1", ["crossref", "datacite", "doi.org"]),
        ("arXiv:2401.12345", ["arxiv"]),
        ("2401.12345v3", ["arxiv"]),
        ("10.48550/arXiv.2401.12345", ["arxiv"]),
        ("PMID:123", ["europepmc"]),
        ("38012345", ["europepmc"]),
        ("PMC123", ["europepmc"]),
        ("W2741809807", ["openalex"]),
        ("NCT01234567", ["clinicaltrials"]),
        ("A title of a paper", ["title-search"]),
        ("arXiv:2506.1376", []),
        ("s2:CorpusId:1", []),
    ],
)
def test_whoever_is_responsible_is_asked_in_order_until_there_is_no_other(
    raw_id: str, agencies: list[str]
) -> None:
    resolver = Recorded({})
    verify_citations([CitationItem(raw_id)], resolver, 5)
    assert [agency for agency, _ in resolver.asked] == agencies


def test_a_doi_that_crossref_does_not_know_is_asked_at_datacite() -> None:
    assert status("10.5281/zenodo.1", {"datacite": FOUND}, TITLE) == ("verified", "ok")
    assert status("10.1000/x", {"crossref": FOUND}, TITLE) == ("verified", "ok")


def test_a_phantom_needs_a_definite_no_of_everybody_responsible() -> None:
    assert status("10.1000/x", {}, TITLE) == ("phantom", "not_found")
    assert status("arXiv:2401.12345", {}) == ("phantom", "not_found")


@pytest.mark.parametrize("answer", [DOWN, LATE])
@pytest.mark.parametrize("agency", ["crossref", "datacite", "doi.org"])
def test_an_error_is_unverified_and_nobody_else_is_asked(agency: str, answer: Resolution) -> None:
    resolver = Recorded({agency: answer})
    [checked] = verify_citations([CitationItem("10.1000/x", TITLE)], resolver, 5).checked
    assert (checked.citation.status, checked.citation.reason) == ("unverified", answer.outcome)
    assert resolver.asked[-1][0] == agency


def test_with_every_source_down_each_citation_is_unverified_and_the_exit_code_is_three() -> None:
    ids = ["10.1000/x", "arXiv:2401.12345", "PMID:1", "W1", "PMC1", "NCT00000001", "A title that nobody has"]
    down = Recorded({agency: DOWN for group in AGENCIES.values() for agency in group})
    result = verify_citations([CitationItem(one, TITLE) for one in ids], down, 5)
    assert {entry.status for entry in result.citations} == {"unverified"}
    assert result.exit_code == 3
    assert result.verdict == "partially-unresolved"
    assert result.codes == ("cite.unresolved_offline",)


def test_a_failure_that_is_raised_is_an_answer_too() -> None:
    class Raising:
        def resolve(self, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
            raise LookupFailure("no network")

    [checked] = verify_citations([CitationItem("10.1000/x")], Raising(), 5).checked
    assert (checked.citation.status, checked.citation.reason) == ("unverified", "network_error")
    assert checked.detail == "no network"


def test_a_resolver_that_never_answers_does_not_hold_the_deadline_up() -> None:
    released = threading.Event()

    class Silent:
        def resolve(self, agency: Agency, key: CitationKey, timeout_s: float) -> Resolution:
            released.wait(30)
            return NO

    began = time.monotonic()
    result = verify_citations([CitationItem(f"10.1000/{n}") for n in range(200)], Silent(), 0.5)
    took = time.monotonic() - began
    released.set()
    assert took < 5
    assert {(entry.status, entry.reason) for entry in result.citations} == {("unverified", "timeout")}
    assert result.exit_code == 3


def test_after_the_deadline_nobody_is_asked() -> None:
    now = iter(range(100))
    resolver = Recorded({"crossref": FOUND})
    items = [CitationItem(f"10.1000/{n}", TITLE) for n in range(9)]
    result = verify_citations(items, resolver, 4.5, clock=lambda: float(next(now)))
    assert len(resolver.asked) == 4
    assert [entry.status for entry in result.citations] == ["verified"] * 4 + ["unverified"] * 5


def test_an_id_is_looked_up_once_and_each_claim_about_it_is_judged() -> None:
    resolver = Recorded({"crossref": FOUND})
    items = [
        CitationItem("10.1000/X", TITLE),
        CitationItem("doi:10.1000/x", "Zebra stripes and their genes"),
        CitationItem("10.1000/X", TITLE),
    ]
    result = verify_citations(items, resolver, 5)
    assert len(resolver.asked) == 1
    assert [entry.status for entry in result.citations] == ["verified", "phantom"]


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [
        # The failures that were measured with a plain similarity, in the order of the reference.
        (TITLE + ".", "verified"),
        ("<i>Sleep spindles</i> predict the gain of motor skill after training in 24 adults", "verified"),
        (
            "Sleep spindles does not predict the gain of motor skill after training in 24 adults",
            "suspect-title-match",
        ),
        ("Sleep spindles predict the gain of motor skill after training in 42 adults", "suspect-title-match"),
        ("Sleep and the consolidation of motor skill", "suspect-title-match"),
        ("Quantum error correction with surface codes", "phantom"),
        (TITLE.upper(), "verified"),
        ("sleep  spindles predict the gain of motor skill, after training, in 24 adults", "verified"),
    ],
)
def test_a_claimed_title_is_read_strictly(claimed: str, expected: str) -> None:
    assert status("10.1000/x", {"crossref": FOUND}, claimed)[0] == expected


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("phase 3 trial of imatinib in 120 adults", "phase 2 trial of imatinib in 120 adults"),
        ("phase 2 trial of dasatinib in 120 adults", "phase 2 trial of imatinib in 120 adults"),
        ("phase 3 trial of dasatinib in 210 adults", "phase 2 trial of imatinib in 120 adults"),
        ("phase II trial of imatinib in 120 adults", "phase III trial of imatinib in 120 adults"),
        ("trial of imatinib without effect", "trial of imatinib with effect"),
    ],
)
def test_a_changed_phase_drug_or_number_is_never_verified_in_either_order(claimed: str, found: str) -> None:
    frame = "A randomised, placebo-controlled {} with chronic leukaemia"
    for one, other in ((claimed, found), (found, claimed)):
        answer = Resolution("found", (frame.format(other),))
        assert status("10.1000/x", {"crossref": answer}, frame.format(one))[0] == "suspect-title-match"


def test_a_dropped_subtitle_is_no_phantom_and_both_orders_are_alike() -> None:
    full = "Replay in sleep: a study of slow waves and their gain after training of the hand"
    for claimed, found in ((full.partition(":")[0], full), (full, full.partition(":")[0])):
        answer = Resolution("found", (found,))
        assert status("10.1000/x", {"crossref": answer}, claimed)[0] in ("verified", "suspect-title-match")
    assert title_similarity(full, "Replay") == title_similarity("Replay", full)


def test_any_of_a_records_titles_may_be_the_one() -> None:
    both = Resolution("found", ("Titel in einer anderen Sprache", TITLE))
    assert status("10.1000/x", {"crossref": both}, TITLE) == ("verified", "ok")


def test_a_title_in_another_script_is_for_a_person_and_no_phantom() -> None:
    answer = Resolution("found", ("睡眠与技能",))
    assert status("10.1000/x", {"crossref": answer}, "Sleep and skill")[0] == "suspect-title-match"


def test_a_record_without_a_title_vouches_for_no_title() -> None:
    assert status("10.1000/x", {"crossref": Resolution("found")}, TITLE)[0] == "suspect-title-match"
    assert status("10.1000/x", {"crossref": Resolution("found")})[0] == "verified"


@pytest.mark.parametrize(
    ("claimed", "found", "contradict"),
    [
        (["van den Oord, Aäron"], ["Oord, A. van den"], False),
        (["A. van den Oord"], ["van den Oord, Aäron"], False),
        (["García Márquez, G."], ["Gabriel García Márquez"], False),
        (["Nader, A.", "et al."], ["Nader, Amina", "Kim, B."], False),
        (["Nader, A.", "others"], ["Nader, Amina", "Kim, B."], False),
        (["Nader, A.", "Kim, B.", "Lee, C."], ["Nader, Amina", "Kim, B."], False),
        (["Zhang, L."], ["Allen, P."], True),
        (["Nader, A.", "Fake, X."], ["Nader, Amina", "Kim, B."], True),
        (["Fake, X.", "Nader, A.", "Kim, B."], ["Nader, Amina", "Kim, B."], True),
        ([], ["Nader, A."], False),
        (["Nader, A."], [], False),
        (["Müller, K."], ["Muller, Karl"], False),
        (["{OpenAI}"], ["OpenAI"], False),
    ],
)
def test_authors_only_cast_doubt(claimed: list[str], found: list[str], contradict: bool) -> None:
    assert authors_contradict(claimed, found) == contradict


def test_a_true_title_with_other_authors_is_not_verified_and_no_phantom() -> None:
    assert status("10.1000/x", {"crossref": FOUND}, TITLE, authors=("Nobody, A.",)) == (
        "suspect-title-match",
        "title_mismatch",
    )
    assert status("10.1000/x", {"crossref": FOUND}, TITLE, authors=("A. Nader",))[0] == "verified"


@pytest.mark.parametrize(
    ("title", "authors", "found", "expected"),
    [
        (TITLE, (), FOUND, "verified"),
        ("Deep learning", (), Resolution("found", ("Deep learning",)), "suspect-title-match"),
        (
            "Deep learning",
            ("LeCun, Y.",),
            Resolution("found", ("Deep Learning",), (("LeCun, Yann",),)),
            "verified",
        ),
        (TITLE, ("Nobody, A.",), FOUND, "suspect-title-match"),
        (TITLE, (), NO, "suspect-title-match"),
        (TITLE, (), DOWN, "unverified"),
        ("An entirely other title that nobody ever wrote", (), FOUND, "suspect-title-match"),
    ],
)
def test_a_title_alone_can_be_verified_or_doubted_and_never_a_phantom(
    title: str, authors: tuple[str, ...], found: Resolution, expected: str
) -> None:
    assert status(title, {"title-search": found}, authors=authors)[0] == expected


def test_among_hits_of_a_search_the_authors_of_the_matching_one_count() -> None:
    hits = Resolution("found", ("Another paper of many words", TITLE), (("Wrong, W.",), ("Nader, A.",)))
    assert status(TITLE, {"title-search": hits}, authors=("Nader, A.",))[0] == "verified"


def test_what_is_labelled_an_id_and_is_none_is_for_a_person() -> None:
    [checked] = verify_citations([CitationItem("arXiv:2506.1376", TITLE)], Recorded({}), 5).checked
    assert checked.citation.status == "suspect-title-match"
    assert checked.detail == "the id has no normal form"


def test_the_verdict_is_the_first_that_holds() -> None:
    answers = {
        ("crossref", "doi:10.1000/no"): NO,
        ("crossref", "doi:10.1000/near"): FOUND,
        ("crossref", "doi:10.1000/late"): LATE,
        ("crossref", "doi:10.1000/good"): FOUND,
    }
    no, good = CitationItem("10.1000/no"), CitationItem("10.1000/good", TITLE)
    near, late = CitationItem("10.1000/near", TITLE + " and not in 3"), CitationItem("10.1000/late")

    def verdict(*items: CitationItem) -> tuple[str, int]:
        result = verify_citations(items, Recorded(answers), 5)
        return result.verdict, result.exit_code

    assert verdict() == ("no-citations-found", 1)
    assert verdict(good, late, near, no) == ("phantom-citations-present", 3)
    assert verdict(good, near, no) == ("phantom-citations-present", 1)
    assert verdict(good, late, near) == ("suspect-matches-present", 3)
    assert verdict(good, late) == ("partially-unresolved", 3)
    assert verdict(good) == ("all-verified", 0)


# --- what a record cites ---


def test_a_hypothesis_cites_its_evidence_and_what_stands_in_its_text() -> None:
    record = a_hypothesis(
        statement="As in doi:10.1000/abc. (see also PMID: 77; arXiv:2408.06292v2), not PMID 1"
    )
    found = items_of_record(record)
    assert [str(item.key) for item in found.items] == [
        "pmid:1",
        "pmid:2",
        "doi:10.1000/abc",
        "pmid:77",
        "arxiv:2408.06292",
    ]
    assert found.basis == "mixed"


@pytest.mark.parametrize("indent", [None, 2])
def test_the_spelling_of_the_json_invents_no_citation(indent: int | None) -> None:
    record = {"a": "10.1000/abc", "b": "next", "references": [{"doi": "10.1000/xyz", "title": "T"}]}
    parsed = json.loads(json.dumps(record, indent=indent, separators=(",", ":") if indent is None else None))
    assert [str(item.key) for item in items_of_record(parsed).items] == ["doi:10.1000/xyz", "doi:10.1000/abc"]


@pytest.mark.parametrize(
    ("entry", "key", "title"),
    [
        ({"lit_id": "PMID:1", "doi": "10.1/x"}, "pmid:1", None),
        ({"doi": "10.1000/x", "pmid": "5", "title": "T"}, "doi:10.1000/x", "T"),
        ({"pmid": 5}, "pmid:5", None),
        ({"pmid": "0005"}, "pmid:5", None),
        ({"pmcid": "PMC9"}, "pmcid:PMC9", None),
        ({"id": "2408.06292"}, "arxiv:2408.06292", None),
        ({"title": "A  Title"}, "title:a title", "A  Title"),
        ("10.1000/x", "doi:10.1000/x", None),
    ],
)
def test_an_entry_is_read_by_the_first_id_that_it_has(entry: Any, key: str, title: str | None) -> None:
    [item] = items_of_record({"citations": [entry]}).items
    assert (str(item.key), item.claimed_title) == (key, title)


def test_the_first_list_that_is_not_empty_counts() -> None:
    record = {"citations": [], "references": ["10.1000/r"], "evidence": [{"lit_id": "10.1000/e"}]}
    found = items_of_record(record)
    # What the other list names is found in the text alone, without its title.
    assert [str(item.key) for item in found.items] == ["doi:10.1000/r", "doi:10.1000/e"]
    assert found.basis == "mixed"


def test_a_review_cites_both_of_its_lists() -> None:
    found = items_of_record(a_review(phantom_citations=["10.1000/p"]))
    assert [str(item.key) for item in found.items] == ["pmid:1", "pmid:2", "doi:10.1000/p"]


def test_odd_entries_are_passed_and_a_record_without_citations_has_none() -> None:
    assert items_of_record({"citations": [None, 3, {}, "", {"title": " "}, True]}).items == ()
    assert items_of_record({}).basis == "structured"
    assert items_of_record({"note": "see PMID:3"}).basis == "regex-fallback"


def test_a_plain_list_has_one_citation_a_line() -> None:
    found = items_of_list("# mine\n10.1000/x\r\n\n  A title, with a comma \n10.1000/x\n")
    assert [item.raw_id for item in found.items] == ["10.1000/x", "A title, with a comma"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PMID:0038012345", "38012345"),
        ("pmc0012", "PMCID: PMC12"),
        ("nct01234567", "NCT01234567"),
        ("https://openalex.org/W1", "w1"),
        ("10.1126/SCIENCE.1112286", "doi:10.1126/science.1112286"),
        ("A  Title", "a title"),
        ("math.GT/0309136", "arXiv:math/0309136v2"),
    ],
)
def test_two_writings_of_one_citation_are_one(one: str, other: str) -> None:
    assert citation_key(one) == citation_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("PMID:0", "PMID:00"), ("10.1000/a", "10.1000/b"), ("A title", "A titel")]
)
def test_two_citations_are_two(one: str, other: str) -> None:
    assert citation_key(one) != citation_key(other)


# --- manifests ---


def test_a_manifest_is_written_in_the_runs_dialect_and_read_back_as_it_was() -> None:
    entries = (
        Citation(
            "pmid:1",
            "PMID:1",
            "verified",
            "ok",
            "europepmc",
            TITLE,
            TITLE,
            True,
            1.0,
            "europepmc",
            "https://e",
        ),
        Citation("doi:10.1/x", "10.1/x", "phantom", "not_found", "datacite", "<b>&", None),
        Citation(
            "doi:10.1/y", "10.1/y", "suspect-title-match", "title_mismatch", "crossref", "T", "U", False, 0.61
        ),
        Citation("doi:10.1/z", "10.1/z", "unverified", "timeout", "crossref", "T"),
    )
    raw = manifest_bytes("H-0001", "H-0001.json", entries, verified_at="2026-01-01T00:00:00Z", verifier="t/1")
    record = json.loads(raw)
    assert record["summary"] == {
        "total": 4,
        "verified": 1,
        "phantom": 1,
        "unverified": 2,
        "all_verified": False,
    }
    assert {entry["status"] for entry in record["citations"]} == {"verified", "phantom", "unverified"}
    assert set(record) == {"target_id", "target_file", "verified_at", "verifier", "summary", "citations"}
    back = read_manifest(raw, "m")
    assert back.citations == entries
    assert back.summary_agrees
    assert back.counts.to_dict() == {"total": 4, "verified": 1, "phantom": 1, "suspect": 1, "unverified": 1}
    assert (
        manifest_bytes(
            "H-0001", "H-0001.json", back.citations, verified_at="2026-01-01T00:00:00Z", verifier="t/1"
        )
        == raw
    )


def test_both_dialects_are_read() -> None:
    pde = read_manifest(json.dumps(a_manifest([("x", "suspect-title-match")])).encode(), "m")
    assert (pde.dialect, pde.target_id, pde.summary_agrees) == ("pde", None, True)
    assert read_manifest(json.dumps(a_manifest()).encode(), "m").dialect == "hypex"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"schema": "pde.citation-manifest.v2"}, "/schema"),
        ({"citations": {}}, "/citations"),
        ({"citations": [{"id": "x"}]}, "/citations/0"),
        ({"citations": [{"id": "", "status": "verified"}]}, "/citations/0/id"),
        ({"citations": [{"id": "x", "status": "fine"}]}, "/citations/0/status"),
        ({"citations": ["x"]}, "/citations/0"),
        ({"summary": 3}, "/summary"),
    ],
)
def test_what_is_no_manifest_is_refused_with_its_place(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_manifest(json.dumps(a_manifest() | change).encode(), "m")
    assert pointer in {problem.pointer for problem in refused.value.problems}


def test_an_outage_takes_no_decision_back() -> None:
    earlier = read_manifest(
        json.dumps(
            a_manifest(
                [("PMID:1", "phantom", "T"), ("PMID:2", "verified", "U"), ("PMID:3", "unverified", "V")]
            )
        ).encode(),
        "m",
    )
    now = tuple(
        Citation(f"pmid:{n}", f"PMID:{n}", "unverified", "timeout", claimed_title=title)
        for n, title in ((1, "T"), (2, "another title"), (3, "V"))
    )
    assert [entry.status for entry in keep_decided(earlier, now)] == ["phantom", "unverified", "unverified"]
    found = (Citation("pmid:1", "PMID:1", "verified", "ok", claimed_title="T"),)
    assert keep_decided(earlier, found) == found


@pytest.mark.parametrize(
    ("held", "claimed", "kept"),
    [
        # A manifest of another tool claims titles that the hypothesis itself does not.
        ([("PMID:1", "verified", "T")], None, "verified"),
        ([("PMID:1", "phantom", "T")], None, "phantom"),
        ([("PMID:1", "verified", "T"), ("PMID:1", "phantom", "U")], None, "phantom"),
        # An id that nobody knew is unknown under any title; a verified id vouches for no other title.
        ([("PMID:1", "phantom", "T")], "another title", "phantom"),
        ([("PMID:1", "verified", "T")], "another title", "unverified"),
        ([("PMID:1", "unverified", "T")], None, "unverified"),
        ([("PMID:2", "phantom", "T")], None, "unverified"),
    ],
)
def test_what_was_decided_of_an_id_outlives_an_outage(held: Any, claimed: str | None, kept: str) -> None:
    earlier = read_manifest(json.dumps(a_manifest(held)).encode(), "m")
    now = (Citation("pmid:1", "PMID:1", "unverified", "timeout", claimed_title=claimed),)
    assert [entry.status for entry in keep_decided(earlier, now)] == [kept]


def test_a_run_keeps_a_manifest_of_what_was_found_out(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path, manifests={}))
    resolver = Recorded({"europepmc": FOUND})
    result = verify_citations(run.citations_of("H-0001").items, resolver, 5)
    held = run.write_manifest("H-0001", result.citations, verified_at="2026-01-01T00:00:00Z", verifier="t/1")
    assert held.counts.verified == 2
    assert get(tmp_path / "citations/H-0001.json")["target_file"] == "H-0001.json"
    down = verify_citations(run.citations_of("H-0001").items, Recorded({"europepmc": DOWN}), 5)
    held = run.write_manifest("H-0001", down.citations, verified_at="2026-01-02T00:00:00Z", verifier="t/1")
    assert held.counts.verified == 2
    assert run.add(a_review(), "H-0001").judgement.is_clean
    (tmp_path / "citations/H-0001.json").write_text("{")
    with pytest.raises(DocumentError, match="nothing was overwritten"):
        run.write_manifest("H-0001", result.citations, verified_at="2026-01-01T00:00:00Z", verifier="t/1")
    assert (tmp_path / "citations/H-0001.json").read_text() == "{"


# --- real records ---

DATA = os.environ.get("NOVELTY_TEST_DATA")


def real_records() -> dict[str, Resolution]:
    """Real answers of Crossref and arXiv as resolutions, by citation key."""
    found: dict[str, Resolution] = {}
    for file in sorted(Path(DATA or "", "crossref").glob("*.json")):
        for item in crossref_items(json.loads(file.read_text())):
            authors = [one for one in item.get("author", ()) if "family" in one]
            names = tuple(f"{one['family']}, {one.get('given', '')}" for one in authors)
            answer = Resolution("found", tuple(item["title"]), (names,))
            found.setdefault(str(citation_key(item["DOI"])), answer)
    atom = "{http://www.w3.org/2005/Atom}"
    for file in sorted(Path(DATA or "", "arxiv").glob("*.xml")):
        for entry in ET.fromstring(file.read_text()).iter(f"{atom}entry"):
            key = citation_key(entry.findtext(f"{atom}id", ""))
            names = tuple(name.text or "" for name in entry.iter(f"{atom}name"))
            answer = Resolution("found", (entry.findtext(f"{atom}title", ""),), (names,))
            if key.scheme == "arxiv":
                found.setdefault(str(key), answer)
    return found


def crossref_items(document: Any) -> Iterator[dict[str, Any]]:
    """The works with a title in an answer of Crossref, single or in a list."""
    message = document.get("message", document) if isinstance(document, dict) else {}
    for item in message.get("items", [message]) if isinstance(message, dict) else ():
        if (
            isinstance(item, dict)
            and item.get("DOI")
            and isinstance(item.get("title"), list)
            and item["title"]
        ):
            yield item


@pytest.mark.skipif(not DATA, reason="NOVELTY_TEST_DATA is not set")
def test_real_records_are_verified_under_their_own_titles_and_under_nobody_elses() -> None:
    records = real_records()
    assert len(records) > 150
    resolver = Recorded(
        {
            (agency, key): record
            for key, record in records.items()
            for agency in AGENCIES[citation_key(key).scheme][:1]
        }
    )
    own = [
        CitationItem(key, record.titles[0], record.authors[0])
        for key, record in records.items()
        if any(char.isalpha() for char in record.titles[0])
    ]
    result = verify_citations(own, resolver, 60)
    wrong = [checked for checked in result.checked if checked.citation.status != "verified"]
    assert not wrong, [(one.item.claimed_title, one.citation.resolved_title, one.detail) for one in wrong[:5]]
    keys = list(records)
    others = zip(keys, keys[7:], strict=False)
    shifted = [CitationItem(key, records[other].titles[0]) for key, other in others]
    for checked in verify_citations(shifted, resolver, 60).checked:
        citation = checked.citation
        alike = title_similarity(citation.claimed_title or "", citation.resolved_title or "")
        assert citation.status != "verified" or alike == 1
