"""Pages in a real browser: nothing is asked for, nothing acts, everything fits."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile import HOSTILE
from small_logs import failed, outcome, paper, write_log
from test_pages import page_of

import novelty_kit as nk
from novelty_kit.report import audit_candidate
from novelty_kit.report.index import render_index
from novelty_kit.report.page import render_error

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
WIDTHS = (1280, 360)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A usual page, a hostile one, an error page and an index of all."""
    folder = tmp_path_factory.mktemp("pages")
    text = " ".join(HOSTILE[name] for name in HOSTILE if name not in ("long", "terminal"))
    titled = {
        "table": "paper",
        "row": {"lom_id": "arxiv:2001.00001", "title": text, "publication_date": "2020"},
    }
    graph = nk.open_graph(write_log(folder / "events.jsonl", titled), cached=False)
    usual = page_of(audit_candidate(paper(), graph=graph), "usual")
    hostile = page_of(
        audit_candidate(paper(text, title=HOSTILE["long"], statement=text), graph=graph), "hostile"
    )
    (folder / "usual.html").write_text(usual, "utf-8")
    (folder / "hostile.html").write_text(hostile, "utf-8")
    error = {"candidate_id": text, "error": {"what": text, "problems": [text], "notebook": False}}
    (folder / "error.html").write_text(render_error(error, "error"), "utf-8")
    unread = {"verdict": "unknown", "status": "insufficient_edges"}
    audits = {"Passport": text, "Reviews": "2, quarantined, correctness cap 1", "Prior art": "cannot be read"}
    outcomes = [
        outcome(
            "usual", "usual", "A title", verdict="neighborhood", n_shared=(0, 1), gap=None, audits=audits
        ),
        outcome("hostile", text, HOSTILE["long"], log={"files": [text], "as_of_seq": 3}),
        failed("error", "broken", text),
        outcome("usual", "a-10", **unread, gap=12),
        outcome("usual", "a-9", **unread, gap=3),
    ]
    (folder / "index.html").write_text(render_index(outcomes), "utf-8")
    return folder


@pytest.mark.parametrize("name", ["usual", "hostile", "error", "index"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_quiet_asks_for_nothing_and_fits(browser: Any, pages: Path, name: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 740})
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    address = (pages / f"{name}.html").as_uri()
    page.goto(address)
    page.mouse.move(100, 100)
    page.wait_for_timeout(100)
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [address]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    page.close()


def test_the_index_sorts_and_filters_without_a_network(browser: Any, pages: Path) -> None:
    page = browser.new_page()
    page.goto((pages / "index.html").as_uri())
    rows = "[...document.querySelectorAll('#reports tbody tr')]"
    shown = f"{rows}.filter(r => !r.hidden).map(r => r.querySelector('a').textContent)"
    assert len(page.evaluate(shown)) == 5
    page.get_by_role("button", name="Candidate").click()
    names = page.evaluate(shown)
    assert names.index("a-9") < names.index("a-10") < names.index("broken") < names.index("usual")
    assert page.get_attribute("th[aria-sort]", "aria-sort") == "ascending"
    page.get_by_role("button", name="Gap").click()
    page.get_by_role("button", name="Gap").click()
    assert page.evaluate(shown)[:2] == ["a-10", "a-9"]
    page.get_by_label("Status").select_option("error")
    assert page.evaluate(shown) == ["broken"]
    page.get_by_label("Status").select_option("")
    page.get_by_label("Verdict").select_option("unknown")
    assert sorted(page.evaluate(shown)) == ["a-10", "a-9"]
    page.get_by_label("Find").fill("A-10")
    assert page.evaluate(shown) == ["a-10"]
    assert page.get_by_role("status").text_content() == "1 of 5 shown"
    page.close()


def test_the_index_is_whole_without_its_script(browser: Any, pages: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((pages / "index.html").as_uri())
    assert page.locator("#reports tbody tr").count() == 5
    assert not page.locator("form.tools").is_visible()
    context.close()


def test_printed_pages_show_what_is_folded_away(browser: Any, pages: Path) -> None:
    page = browser.new_page()
    page.goto((pages / "usual.html").as_uri())
    page.emulate_media(media="print")
    folded = page.locator("details:not([open]) > p, details:not([open]) > pre, details:not([open]) > ul")
    assert folded.count() > 0
    assert all(folded.nth(number).bounding_box()["height"] > 5 for number in range(folded.count()))
    page.close()


@pytest.mark.parametrize("name", ["usual", "index", "error"])
def test_text_stands_out_from_its_ground(browser: Any, pages: Path, name: str) -> None:
    page = browser.new_page()
    page.goto((pages / f"{name}.html").as_uri())
    pairs = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && [...e.childNodes].some(
            n => n.nodeType === 3 && n.textContent.trim())).map(e => {
            let under = e, ground = 'rgba(0, 0, 0, 0)';
            while (under && ground === 'rgba(0, 0, 0, 0)') { ground = getComputedStyle(under).backgroundColor;
                under = under.parentElement; }
            if (ground === 'rgba(0, 0, 0, 0)') { ground = 'rgb(255, 255, 255)'; }
            return [e.tagName, getComputedStyle(e).color, ground];
        })"""
    )
    assert len(pairs) > 5
    for tag, ink, ground in pairs:
        assert contrast(ink, ground) >= 4.5, (tag, ink, ground)
    page.close()


def contrast(one: str, other: str) -> float:
    """The ratio of the web content accessibility guidelines."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
