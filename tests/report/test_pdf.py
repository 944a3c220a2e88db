"""Pages printed by the system's browser: the same bytes twice, or one clear error."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_logs import paper, write_log

from novelty_kit.cli import main
from novelty_kit.errors import InputError, OutputError
from novelty_kit.report.pdf import BROWSERS, find_browser, print_pages

there = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
PAGE = "<!DOCTYPE html><html lang=en><title>{0}</title><h1>{0}</h1><p>Line.</p>"


@there
def test_a_page_is_printed_once_with_the_same_bytes_and_never_over_one_that_is_there(tmp_path: Path) -> None:
    pages = [tmp_path / f"{name}.html" for name in ("one", "two", "a %20 # ? name")]
    for page in pages:
        page.write_text(PAGE.format("A title"))
    pages[1].with_suffix(".pdf").write_bytes(b"there")
    print_pages(find_browser(), pages, 2)
    first, third = (pages[n].with_suffix(".pdf").read_bytes() for n in (0, 2))
    assert first.startswith(b"%PDF-")
    assert first == third
    assert set(re.findall(rb"Date \((D:[0-9]*)", first)) == {b"D:20000101000000"}
    assert pages[1].with_suffix(".pdf").read_bytes() == b"there"
    assert len(list(tmp_path.iterdir())) == 6


def test_without_a_browser_there_is_one_error_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    write_log(tmp_path / "events.jsonl")
    (tmp_path / "batch.jsonl").write_text(json.dumps(paper()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit) as stop:
        main(["report", "batch.jsonl", "--graph", "events.jsonl", "--pdf"])
    assert stop.value.code == 2
    assert "--pdf needs Chromium or Chrome" in capsys.readouterr().err
    assert not (tmp_path / "reports").exists()
    with pytest.raises(InputError):
        find_browser()


@pytest.mark.parametrize("does", ["echo '\x1b[31mno room' >&2; exit 1", "exit 0", "kill -9 $$"])
def test_a_browser_that_prints_nothing_is_an_error(tmp_path: Path, does: str) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\n{does}\n")
    os.chmod(browser, 0o755)
    (tmp_path / "p.html").write_text(PAGE.format("x"))
    with pytest.raises(OutputError, match="printed nothing") as caught:
        print_pages(str(browser), [tmp_path / "p.html"], 1)
    assert "\x1b" not in str(caught.value)
    assert not (tmp_path / "p.pdf").exists()
