"""Texts from data are hostile: markup, scripts, terminal escapes, reading marks, SQL, endless titles.

They pass through every way in which a verdict is shown, and do nothing there.
"""

from __future__ import annotations

import html
import json
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from engine import Row, graph_of

from novelty_kit.graph import Graph
from novelty_kit.verdict.api import check
from novelty_kit.verdict.candidate import read_candidate
from novelty_kit.verdict.judge import judge
from novelty_kit.verdict.policy import Policy
from novelty_kit.verdict.record import Verdict
from novelty_kit.verdict.show import headline, trace, verdict_html, verdict_text, way_out

TEXTS = {
    "markup": '<script>alert(1)</script> & "x" \'y\' </td></table>"><img src=x onerror=alert(1)>'
    '<!-- --><![CDATA[ ]]></bdi></p><style>*{display:none}</style><a href="javascript:1">',
    "other languages": "'; DROP TABLE paper; -- \" $1 ? {x} %s {{ 7*7 }} ${7*7} %(x)s \\N{BULLET} "
    "[x](javascript:1) `c` # h",
    "escapes": "\x1b[31mred\x1b]0;title\x07\x1b[2J\b\b\b\r\nnew line\x9b31m\x7f",
    "reading order": "abc\u202edef\u2066ghi\u200f\u200e\u061c עברית \u200b\ufeff\u00ad"
    "\u2028line\u2029paragraph\U000e0041tag",
    "endless": "Z" + "\u0301" * 300 + " long" * 20_000,
}
TAGS = {"p", "strong", "bdi", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}


@pytest.fixture(scope="module", params=TEXTS)
def shown(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[Verdict]]:
    """Verdicts of every status, on candidates and rows that hold one of the texts wherever a text may stand."""
    text = TEXTS[request.param]
    graph = graph_of(tmp_path_factory.mktemp("log"), log_with(text), "x<b>.jsonl")
    records = [candidate | {"id": f"{n} {text}", "title": text} for n, candidate in enumerate(asked(text))]
    return text, judge(graph, [read_candidate(record) for record in records], Policy())


def log_with(text: str) -> list[Row]:
    def put(table: str, **row: Any) -> Row:
        return {"op": "upsert", "table": table, "row": row, "note": text, "actor": text}

    return [
        put("paper", lom_id="doi:10.1000/a", title=text, abstract=text, source=text),
        put("paper", lom_id="doi:10.1000/b", title=text, openalex="W1"),
        put("claim", claim_id=text, about_lom_id="doi:10.1000/a", statement=text, status=text, source=text),
        put("citation_edge", citing_lom_id="doi:10.1000/b", cited_lom_id="pmid:7", context=text, source=text),
        put("references_checked", lom_id="doi:10.1000/b", status="failed", reason=text, source=text),
        put("ingest_error", scheme="openalex", lookup="W99", http_status=429, message=text),
        put("ingest_error", scheme=text, lookup=text, message=text),
        put("same_work", lom_id="doi:10.1000/a", same_as_lom_id="pmid:8", source=text),
    ]


def asked(text: str) -> list[Row]:
    about = {"kind": "claim", "about_lom_id": "doi:10.1000/a"}
    return [
        {"kind": "paper", "keys": {"doi": "10.1000/a"}},
        {"kind": "paper", "keys": {"pmid": "7"}, "holdout_lom_ids": []},
        {"kind": "paper", "keys": {"arxiv": "2001.00001"}},
        {"kind": "paper", "keys": {"openalex": "W99"}},
        {"kind": "paper"},
        about | {"statement": text},
        about | {"statement": text + " not"},
        about | {"statement": text, "leave_out": True, "claim_id": text},
    ]


class Page(HTMLParser):
    """Which tags and attributes a fragment has, whether they balance, and its text."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(fragment)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= set(attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")


def acting(text: str) -> set[str]:
    """The characters that act on a terminal or on the reading order."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}


def test_the_page_holds_its_own_tags_and_nothing_of_the_data_s(shown: tuple[str, list[Verdict]]) -> None:
    for verdict in shown[1]:
        fragment = verdict._repr_html_()
        assert fragment == verdict_html(verdict)
        page = Page(fragment)
        assert page.tags <= TAGS
        assert page.attributes <= {("style", "text-align:left")}
        assert page.open == []
        assert acting(html.unescape(fragment)) == set()
        assert len(fragment) < 20_000


def test_the_terminal_sees_no_character_that_acts(shown: tuple[str, list[Verdict]]) -> None:
    for verdict in shown[1]:
        for said in (verdict_text(verdict), repr(verdict), str(verdict)):
            assert acting(said) == set()
        assert all(len(line) < 5_000 for line in verdict_text(verdict).splitlines())
        # One line stays one line.
        n_lines = (
            1
            + 2
            + len(trace(verdict))
            + len(way_out(verdict))
            + len(verdict.advisories)
            + len(verdict.evidence)
        )
        assert len(verdict_text(verdict).split("\n")) <= n_lines
        assert "against this graph, as of event 8" in headline(verdict)


def test_the_text_is_compared_as_it_is_and_decides_what_any_text_would(
    shown: tuple[str, list[Verdict]],
) -> None:
    text, verdicts = shown
    assert [verdict.verdict for verdict in verdicts] == [
        "duplicate", "neighborhood", "unknown", "unknown", "unknown", "duplicate", "unknown", "unknown",
    ]  # fmt: skip
    assert {verdict.status for verdict in verdicts} == {
        "ok",
        "insufficient_edges",
        "lookup_failed",
        "incomparable",
    }
    assert verdicts[5].exact_key_match["matched_claim_ids"] == [text]
    records = [verdict.to_dict() for verdict in verdicts]
    assert json.loads(json.dumps(records)) == records
    assert records[3]["ingest_errors_blocking"][0]["reason"] == text


def test_a_name_of_the_log_is_shown_without_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b[31m<b>"
    folder.mkdir()
    graph: Graph = graph_of(folder, log_with("x"), "\u202e<i>.jsonl")
    verdict = check(graph, asked("x")[0])
    assert verdict.graph["files"] == ["\u202e<i>.jsonl"]
    assert acting(verdict_text(verdict)) == acting(html.unescape(verdict_html(verdict))) == set()
