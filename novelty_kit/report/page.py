"""Whole pages: of one report, of a candidate without one, and the index; each a pure function of its records."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from novelty_kit import __version__
from novelty_kit.report.parts import environment

__all__ = ["PICTURES", "Drawn", "IndexRow", "page_sha256", "render_error", "render_index", "render_page"]

PICTURES = ("overlap", "neighbourhood")
_ORDER = ("duplicate", "neighborhood", "novel", "unknown", "error")
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


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One line of the index; `shown` is the verdict, or ``error``."""

    slug: str
    candidate_id: str | None
    words: str
    shown: str
    status: str
    shared: str
    gap: int | None


def _own(name: str) -> Any:
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
    return template.render(r=record, pictures=pictures, slug=slug, style=_own("style.css")) + "\n"


def render_error(record: Mapping[str, Any], slug: str) -> str:
    """The page of a candidate that has no report, and why."""
    template = environment().get_template("error.html.j2")
    return template.render(r=record, slug=slug, style=_own("style.css")) + "\n"


def render_index(rows: Sequence[IndexRow], log: Mapping[str, Any] | None) -> str:
    """The table of all candidates.

    Parameters
    ----------
    rows : sequence of IndexRow
        In the order of the candidates.
    log : mapping, optional
        ``graph`` of a result; None where nothing was judged.
    """
    counts = Counter(row.shown for row in rows)
    script = _text("index.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    shown = {
        "rows": rows, "counts": [(name, counts[name]) for name in _ORDER if counts[name]], "log": log,
        "version": __version__, "style": _own("style.css"), "script": _own("index.js"),
        "script_hash": f"sha256-{digest}",
    }  # fmt: skip
    return environment().get_template("index.html.j2").render(shown) + "\n"
