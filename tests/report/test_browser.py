"""Pages in a real browser: nothing is asked for, nothing acts, everything fits."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hostile import HOSTILE
from small_logs import failed, outcome, paper, write_log
from test_pages import page_of

import novelty_kit as nk
from novelty_kit.demo import demo_file
from novelty_kit.report import audit_candidate
from novelty_kit.report.index import render_index
from novelty_kit.report.page import render_error
from novelty_kit.report.sources import load_given

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
DEMO = Path(demo_file("audited.jsonl")).parent
WIDTHS = (1280, 360)
PAGES = ("usual", "hostile", "audited", "error", "index")


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
    """A usual page, a hostile one, one with all audits, an error page and an index of all."""
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
    (audited,) = (
        given for given in load_given(str(DEMO / "audited.jsonl")) if given.label == "a01-demo-manuscript"
    )
    assert audited.candidate is not None
    (folder / "audited.html").write_text(
        page_of(audit_candidate(audited.candidate, graph=graph, folder=audited.folder)), "utf-8"
    )
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


def faults(page: Any) -> list[str]:
    """What axe-core calls a fault, of any weight, and what it could not decide."""
    page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
    assert len(found["passes"]) > 15
    return [
        f"{kind} {one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}"
        for kind in ("violations", "incomplete")
        for one in found[kind]
    ]


@pytest.mark.parametrize(
    ("name", "width"),
    [("audited", 1280), ("audited", 360), ("hostile", 360), ("error", 360), ("index", 1280), ("index", 360)],
)
def test_axe_finds_no_fault(browser: Any, pages: Path, name: str, width: int) -> None:
    """Contrast, names, roles, order of headings and the rest; a page with all parts has those of a usual one."""
    page = browser.new_page(viewport={"width": width, "height": 740})
    page.goto((pages / f"{name}.html").as_uri())
    assert faults(page) == []
    page.close()


def test_axe_finds_the_faults_of_a_worse_page(browser: Any, pages: Path) -> None:
    page = browser.new_page()
    page.goto((pages / "usual.html").as_uri())
    page.evaluate(
        """() => { document.querySelector('img').removeAttribute('alt'); document.documentElement.lang = '';
            document.querySelector('.quiet').style.color = '#bbb'; }"""
    )
    assert {one.split()[1] for one in faults(page)} >= {"image-alt", "html-has-lang", "color-contrast"}
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_a_printed_page(browser: Any, pages: Path, name: str) -> None:
    page = browser.new_page(viewport={"width": 640, "height": 900})  # A4 without its margins, in CSS pixels
    page.emulate_media(media="print")
    page.goto((pages / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    page.close()


@pytest.mark.parametrize("name", PAGES)
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
