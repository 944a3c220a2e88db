"""Pages say the verdict first, need no network, and show hostile text as text."""

from __future__ import annotations

import functools
import html
import json
import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hostile import HOSTILE
from small_logs import failed, outcome, paper, write_log

import novelty_kit as nk
from novelty_kit.report import Audit, audit_candidate
from novelty_kit.report.index import render_index
from novelty_kit.report.page import PICTURES, Drawn, render_error, render_page
from novelty_kit.report.parts import PARTS, part_html, part_text

TEMPLATES = Path(nk.__file__).parent / "report" / "templates"
FORBIDDEN = re.compile(r"novel_confirmed|\brank(er|ing)?\b|novelty score|\bconfidence\b", re.I)


class Outline(HTMLParser):
    """The tags, ids, headings and addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.headings: list[str] = []
        self.stack: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "img", "br", "link", "input"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] in ("h1", "h2"):
            self.headings.append(data)


def page_of(audit: Audit, slug: str = "s-00000000") -> str:
    drawn = {
        "overlap": audit.overlap_picture,
        "neighbourhood": audit.neighbourhood_picture,
        "history": audit.history_picture,
    }
    return render_page(audit.facts.record, {name: Drawn(p.svg(), p.alt) for name, p in drawn.items()}, slug)


def attributes(page: str, name: str) -> list[str]:
    return [value for _, found, value in Outline(page).attributes if found == name]


def test_the_verdict_is_the_first_section_and_says_what_it_is_relative_to(graph: nk.Graph) -> None:
    page = page_of(audit_candidate(paper(), graph=graph))
    outline = Outline(page)
    assert outline.stack == []
    assert outline.headings == [
        "Verdict", "Why", "Holdout against in-sample", "Coverage, and the way out", "Neighbourhood",
        "History", "What this was made from", "What this page does not say",
    ]  # fmt: skip
    assert outline.tags.count("h1") == 1
    assert page.index("against this graph, as of event 6") < page.index('<h2 id="why"')
    assert (
        page.index('<h2 id="verdict"')
        < page.index("<strong>neighborhood</strong>")
        < page.index('<h2 id="why"')
    )


def test_the_word_novel_never_stands_without_what_it_is_relative_to(graph: nk.Graph) -> None:
    candidate = paper(references=[], references_checked={"status": "ok", "n_refs": 3})
    audit = audit_candidate(candidate, graph=graph)
    assert audit.facts.verdict.verdict == "novel"
    page = page_of(audit)
    answer = page[page.index('class="answer"') :]
    assert "<strong>novel</strong> against this graph, as of event 6" in answer[:300]
    assert "<title>novel: p, against this graph, as of event 6</title>" in page


def test_a_page_asks_for_nothing_from_outside(graph: nk.Graph) -> None:
    page = page_of(audit_candidate(paper(), graph=graph))
    outline = Outline(page)
    assert not {"script", "link", "iframe", "object", "embed", "base", "form"} & set(outline.tags)
    for _, name, value in outline.attributes:
        assert name not in ("style", "srcset")
        assert not name.startswith("on")
        if name == "src":
            assert value.startswith("data:image/svg+xml;base64,")
        if name == "href":
            assert value in ("index.html", "s-00000000.ipynb", "s-00000000.json")
    assert "default-src 'none'" in html.unescape(page)
    assert "url(" not in page
    assert "@import" not in page


def test_pictures_have_words_and_the_page_a_language(graph: nk.Graph) -> None:
    page = page_of(audit_candidate(paper(), graph=graph))
    assert '<html lang="en">' in page
    assert all(len(alt) > 40 for alt in attributes(page, "alt"))
    assert len(attributes(page, "alt")) == len(PICTURES)
    assert '<th scope="col">' in page


@functools.cache
def plain_tags(length: int) -> tuple[list[str], set[str]]:
    with tempfile.TemporaryDirectory() as folder:
        return tags_with(Path(folder) / "a.jsonl", ("ordinary words " * (length // 15 + 1))[:length])


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_adds_no_tag_and_no_attribute(tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    assert tags_with(tmp_path / "b.jsonl", text) == plain_tags(len(text) if len(text) > 300 else 30)


def tags_with(path: Path, text: str) -> tuple[list[str], set[str]]:
    log_text, own_text = f"log {text}", f"own {text}"
    write_log(
        path,
        {
            "table": "paper",
            "row": {"lom_id": "arxiv:2001.00001", "title": log_text, "publication_date": "2020"},
        },
        {
            "table": "claim",
            "row": {"claim_id": log_text[:200], "about_lom_id": "arxiv:2001.00001", "statement": log_text},
        },
    )
    candidate = {
        "id": own_text, "kind": "claim", "about_lom_id": "doi:10.1000/new", "statement": own_text, "title": own_text,
        "references": ["arxiv:2001.00001"], "holdout_lom_ids": [],
        "references_checked": {"status": "ok", "n_refs": 1, "source": own_text},
    }  # fmt: skip
    audit = audit_candidate(candidate, graph=nk.open_graph(path, cached=False))
    page = page_of(audit)
    outline = Outline(page)
    assert outline.stack == []
    assert len(page) < 2_000_000
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page)
    for part in PARTS:
        assert "<script" not in part_html(audit.facts.record, part)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\x9b]", part_text(audit.facts.record, part))
    return outline.tags, {found for _, found, _ in outline.attributes}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_is_harmless_on_the_index_and_on_error_pages(name: str) -> None:
    text = HOSTILE[name]
    record = {"candidate_id": text, "error": {"what": text, "problems": [text], "notebook": True}}
    usual = {"candidate_id": "x", "error": {"what": "x", "problems": ["x"], "notebook": True}}
    assert Outline(render_error(record, "s-0")).tags == Outline(render_error(usual, "s-0")).tags
    page, plain = (
        render_index(
            [
                failed("s-0", t, t),
                outcome("s-1", t, t, audits={"Passport": t}, log={"files": [t], "as_of_seq": 1}),
            ]
        )
        for t in (text, "x")
    )
    assert Outline(page).tags == Outline(plain).tags
    assert page.count("<script>") == 1


def test_the_index_has_a_row_for_each_counts_and_a_script_that_its_policy_names() -> None:
    page = render_index(
        [
            outcome("a-1", "a", "A title", audits={"Reviews": "2, correctness cap 5"}),
            outcome("b-2", "b", verdict="unknown", status="insufficient_edges", gap=12),
            failed("c-3", None, "broken"),
        ]
    )
    assert attributes(page, "href") == ["a-1.html", "b-2.html", "c-3.html"]
    assert "script-src 'sha256-" in page
    assert page.count('class="badge error"') == 2
    assert "3 candidates" in page
    assert re.findall(r'columnheader">(.*?)</th>', page) == [
        "Candidate", "Verdict", "Status", "Shared", "Gap", "Reviews",
    ]  # fmt: skip
    assert ">2, correctness cap 5</td>" in page
    assert ">insufficient edges 1</li>" in page


def test_the_index_never_joins_what_the_audits_say() -> None:
    """Each audit has a column of its own, in words; only candidates and unreadable audits are counted."""
    page = render_index([outcome("a-1", "a", audits={"Passport": "FAIL", "Prior art": "cannot be read"})])
    assert ">FAIL</td>" in page
    assert "1 candidate names an audit that cannot be read" in page
    counts = re.findall(r"[0-9]+(?= ?</li>)", page)
    assert counts == ["1", "1"]


def test_an_empty_graph_and_a_candidate_without_an_id_have_a_page(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    audit = audit_candidate({"kind": "paper"}, graph_files=[tmp_path / "empty.jsonl"])
    page = page_of(audit)
    assert "Candidate without an id" in page
    assert "unknown" in page


def test_nothing_that_is_shown_speaks_of_worth(graph: nk.Graph) -> None:
    audit = audit_candidate(paper(), graph=graph)
    text = json.dumps(audit.facts.record).replace("not_a_ranker", "")
    assert not FORBIDDEN.search(text)
    assert not FORBIDDEN.search(re.sub(r"base64,[^\"]*", "", page_of(audit)))
    assert not FORBIDDEN.search(render_index([outcome("a-1", "a")]))


def test_templates_mark_nothing_safe() -> None:
    for path in TEMPLATES.glob("*.j2"):
        text = path.read_text("utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape|Markup", text), path.name


def test_the_record_is_the_same_by_every_path(graph: nk.Graph) -> None:
    candidate = paper()
    spelt = {
        **candidate,
        "keys": {"doi": "https://doi.org/10.1000/NEW"},
        "references": ["DOI:10.1000/STUB", "2001.00001"],
    }
    records: list[dict[str, Any]] = [
        audit_candidate(given, graph=graph).record.to_dict()
        for given in (candidate, {"candidate": candidate}, spelt)
    ]
    assert records[0] == records[1] == records[2]


def test_long_lists_are_cut_with_counts(tmp_path: Path) -> None:
    edges = [
        {
            "table": "citation_edge",
            "row": {"citing_lom_id": f"doi:10.1001/{n:05}", "cited_lom_id": "doi:10.1000/new"},
        }
        for n in range(10_000)
    ]
    papers = [
        {"table": "paper", "row": {"lom_id": f"doi:10.1001/{n:05}", "title": "T" * 200}}
        for n in range(0, 10_000, 2)
    ]
    graph = nk.open_graph(write_log(tmp_path / "big.jsonl", *edges, *papers), cached=False)
    page = page_of(audit_candidate(paper(), graph=graph))
    assert len(page) < 1_000_000
    assert "5001 nodes" in page
    assert "… and 4987 more" in page
