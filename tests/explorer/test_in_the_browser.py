"""As a person would: JupyterLab, started by `novelty lab`, and Voilà; the explorer is driven in a real browser."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from changing_log import CANDIDATE, EVENTS, B, write_events

import novelty_kit as nk
from novelty_kit.output import canonical_json

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
ROOT = Path(nk.__file__).parents[1]
WAIT_S = 240  # a machine that does other things too
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's own Jupyter is read or written."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    own = {
        "PYTHONPATH": path, "NOVELTY_CACHE": str(folder / "cache"), "NOVELTY_GRAPH": "", "IPYTHONDIR": str(folder / "ip"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"), "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "run"), "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "spaces"),
    }  # fmt: skip
    return {**os.environ, **own}


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended"
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("the server did not answer")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server of our own on the small log; it ends with the test."""
    folder = tmp_path_factory.mktemp("lab")
    log = write_events(folder / "events.jsonl", EVENTS)
    (folder / "candidates.jsonl").write_text(canonical_json(CANDIDATE) + "\n", "utf-8")
    port = free_port()
    command = [
        sys.executable, "-m", "novelty_kit", "lab", str(folder / "notebooks"), "--graph", str(log), "--no-browser",
        "--port", str(port), "--", "--allow-root", "--ip=127.0.0.1", "--IdentityProvider.token=",
        "--ServerApp.port_retries=0", "--LabApp.news_url=None", "--LabApp.check_for_updates_class="
        "jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    with (folder / "server.log").open("wb") as said:
        server = subprocess.Popen(
            command, cwd=folder, env=own_environment(folder), stdout=said, stderr=said, start_new_session=True
        )
        try:
            wait_for(port, server)
            yield f"http://127.0.0.1:{port}", folder
        finally:
            os.killpg(server.pid, signal.SIGINT)
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(60)


@pytest.fixture(scope="module")
def page(lab: tuple[str, Path]) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 1600})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened = context.new_page()
        opened.set_default_timeout(WAIT_S * 1000)
        # What is run before there is a kernel makes JupyterLab ask for one.
        asks = opened.locator(".jp-Dialog")
        opened.add_locator_handler(asks, lambda: asks.locator(".jp-mod-accept").click())
        yield opened
        browser.close()


def shown(page: Any, verdict: str) -> None:
    """Wait until the page says that verdict."""
    page.wait_for_selector(f'.novelty-headline[data-verdict="{verdict}"]')


def run_all(page: Any) -> None:
    """Run every cell. JupyterLab says that it is idle before there is a kernel, and what is run then is lost."""
    from playwright.sync_api import TimeoutError as NotYet

    ran = "/\\[(\\*|\\d+)\\]/.test(document.querySelector('.jp-CodeCell .jp-InputPrompt').textContent)"
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        try:
            page.wait_for_function(ran, timeout=4_000)
        except NotYet:
            continue
        return
    raise AssertionError("no cell was run")


def test_the_explorer_is_moved_about_in_jupyterlab(lab: tuple[str, Path], page: Any) -> None:
    address, folder = lab
    notebook = folder / "notebooks" / "90-explore.ipynb"
    text = notebook.read_text("utf-8")
    assert str(folder / "events.jsonl") in text
    set_to = text.replace(
        'candidates_file = \\"\\"', f'candidates_file = \\"{folder / "candidates.jsonl"}\\"'
    )
    assert set_to != text
    notebook.write_text(set_to.replace("earlier = 86", "earlier = 2"), "utf-8")

    page.goto(f"{address}/lab/tree/90-explore.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell .cm-content")
    run_all(page)
    shown(page, "neighborhood")
    widget = page.locator(".jp-OutputArea-output .widget-vbox").first

    # The slider, a step at a time: the verdict of each event is read from the page.
    widget.locator(".noUi-handle").focus()
    for seq, verdict in (
        (6, "neighborhood"),
        (5, "neighborhood"),
        (4, "novel"),
        (3, "neighborhood"),
        (2, "novel"),
    ):
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(
            "seq => document.querySelector('.novelty-headline').textContent.includes(`as of event ${seq} of 7`)",
            arg=seq,
        )
        shown(page, verdict)
    widget.get_by_role("button", name="previous change").click()
    shown(page, "unknown")
    for verdict in ("novel", "neighborhood", "novel", "neighborhood"):
        widget.get_by_role("button", name="next change").click()
        shown(page, verdict)

    # A holdout is toggled: by the policy that lets in-sample overlap go on, the verdict is another one.
    widget.locator(".widget-dropdown", has_text="in_sample_only").locator("select").select_option("novel")
    widget.locator("button.widget-toggle-button", has_text=B).click()
    shown(page, "novel")
    widget.locator("button.widget-toggle-button", has_text=f"held out: {B}").click()
    shown(page, "neighborhood")

    # What if; a node's rows; the call that reproduces the view.
    widget.locator("textarea").fill("remove 3\nremove 5")
    widget.get_by_role("button", name="suppose").click()
    page.wait_for_selector(".novelty-supposed")
    widget.locator("select[size]").select_option(index=1)
    page.wait_for_function("document.body.textContent.includes('events.jsonl:5')")
    widget.get_by_role("button", name="copy", exact=True).click()
    assert "nk.what_if(graph" in page.evaluate("navigator.clipboard.readText()")

    # The static twin below the widgets says the same of the earlier event.
    twin = page.locator(".jp-RenderedHTMLCommon .novelty-headline").last
    assert "as of event 2 of 2" in twin.text_content()
    widget.locator(".noUi-handle").scroll_into_view_if_needed()
    picture = Path(os.environ.get("NOVELTY_SCREENSHOT", folder / "explorer.png"))
    page.screenshot(path=picture)
    assert picture.stat().st_size > 20_000


def test_under_voila_the_slider_moves_the_verdict_too(lab: tuple[str, Path], page: Any) -> None:
    folder = lab[1]
    port = free_port()
    notebook = folder / "notebooks" / "90-explore.ipynb"
    command = [sys.executable, "-m", "voila", str(notebook), "--no-browser", f"--port={port}"]
    with (folder / "voila.log").open("wb") as said:
        server = subprocess.Popen(
            command, cwd=folder, env=own_environment(folder), stdout=said, stderr=said, start_new_session=True
        )
        try:
            wait_for(port, server)
            page.goto(f"http://127.0.0.1:{port}")
            shown(page, "neighborhood")
            handle = page.locator(".noUi-handle").first
            for seq, verdict in ((6, "neighborhood"), (5, "neighborhood"), (4, "novel")):
                handle.focus()
                page.keyboard.press("ArrowLeft")
                page.wait_for_function(
                    "seq => document.querySelector('.novelty-headline').textContent.includes(`as of event ${seq} of 7`)",
                    arg=seq,
                )
                shown(page, verdict)
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(60)
