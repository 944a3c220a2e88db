"""Pages as PDF, printed by a browser that this system has: what the print style shows, and nothing more.

A PDF is a convenience beside the page, never part of the record. The browser is handed the file alone: it runs
no script (the page allows none), resolves no name, and keeps no profile. No network. No clock.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from novelty_kit.errors import InputError, OutputError
from novelty_kit.output import for_terminal, shorten, write_whole

__all__ = ["BROWSERS", "find_browser", "print_pages"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LONGEST_S = 600
_FLAGS = (
    "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-extensions", "--no-first-run", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
# The only bytes that differ between two prints of one page; the same length keeps the file's table of places true.
_WHEN = re.compile(rb"/(CreationDate|ModDate) \(D:[0-9]{14}")


def find_browser() -> str:
    """The path of a browser that can print.

    Raises
    ------
    InputError
        There is none.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise InputError(
            "--pdf needs Chromium or Chrome, and none is installed",
            remedy="Install one (apt-get install chromium), or print the page from your browser",
        )
    return found


def print_pages(browser: str, pages: Sequence[Path], jobs: int) -> None:
    """Print each page that has no PDF beside it; the name is the page's, with ``.pdf``.

    Raises
    ------
    OutputError
        The browser failed, or took longer than ten minutes over one page.
    """
    missing = [page for page in pages if not page.with_suffix(".pdf").is_file()]
    with ThreadPoolExecutor(max(1, min(jobs, len(missing)))) as pool:
        try:
            for _ in pool.map(lambda page: _print(browser, page), missing):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _print(browser: str, page: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="novelty-", ignore_cleanup_errors=True) as folder:
        target = Path(folder) / "page.pdf"
        own = [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", page.absolute().as_uri()]
        # The sandbox of the browser does not start for the superuser; the page is ours, and runs nothing.
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            done = subprocess.run(
                [browser, *_FLAGS, *root, *own], capture_output=True, timeout=_LONGEST_S, check=False
            )
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raw = target.read_bytes() if target.is_file() else b""
        except (OSError, subprocess.TimeoutExpired) as error:
            said, raw = str(error), b""
    if not raw.startswith(b"%PDF-"):
        raise OutputError(
            f"the browser printed nothing: {shorten(for_terminal(said), 200) or 'no word why'}",
            path=str(page), remedy="Run again without --pdf; the pages are there",
        )  # fmt: skip
    write_whole(page.with_suffix(".pdf"), _WHEN.sub(rb"/\1 (D:20000101000000", raw))
