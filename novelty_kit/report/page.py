"""Whole pages: of one report, and of a candidate without one; each a pure function of its record."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from novelty_kit.report.parts import environment

__all__ = ["PICTURES", "Drawn", "own_file", "page_sha256", "render_error", "render_page"]

PICTURES = ("overlap", "neighbourhood", "history")
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)pt" height="([0-9.]+)pt"', re.ASCII)
_FILES = (
    "base.html.j2",
    "parts.html.j2",
    "documents.html.j2",
    "page.html.j2",
    "error.html.j2",
    "index.html.j2",
    "index.js",
    "style.css",
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture for a page: SVG, and the same in words."""

    svg: str
    alt: str

    @property
    def src(self) -> str:
        """As an address that needs no network; as an image, nothing in it can act."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg.encode('utf-8')).decode('ascii')}"

    @property
    def width(self) -> int:
        """In CSS pixels."""
        return self._size[0]

    @property
    def height(self) -> int:
        """In CSS pixels."""
        return self._size[1]

    @property
    def _size(self) -> tuple[int, int]:
        found = _SIZE.search(self.svg)
        return (round(float(found[1]) * 4 / 3), round(float(found[2]) * 4 / 3)) if found else (960, 540)


def own_file(name: str) -> Any:
    """A file of ours that goes into a page as it is."""
    from markupsafe import Markup

    return Markup(_text(name))


@functools.cache
def _text(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


@functools.cache
def page_sha256() -> str:
    """Hash of everything that gives a page its form."""
    digest = hashlib.sha256()
    for name in _FILES:
        digest.update(_text(name).encode("utf-8") + b"\0")
    return digest.hexdigest()


def render_page(record: Mapping[str, Any], pictures: Mapping[str, Drawn], slug: str) -> str:
    """The page of one report.

    Parameters
    ----------
    record : mapping
        The report's record.
    pictures : mapping of str to Drawn
        The pictures named in ``PICTURES``, from the executed notebook.
    slug : str
        The name of the files beside the page.
    """
    template = environment().get_template("page.html.j2")
    return template.render(r=record, pictures=pictures, slug=slug, style=own_file("style.css")) + "\n"


def render_error(record: Mapping[str, Any], slug: str) -> str:
    """The page of a candidate that has no report, and why."""
    template = environment().get_template("error.html.j2")
    return template.render(r=record, slug=slug, style=own_file("style.css")) + "\n"
