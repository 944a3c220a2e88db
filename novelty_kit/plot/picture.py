"""One style for all pictures, and the same bytes for the same input on every run."""

from __future__ import annotations

import contextlib
import functools
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from novelty_kit.output import for_terminal, shorten

__all__ = ["BLUE", "GREY", "INK", "ORANGE", "PALE", "Picture", "label", "styled"]

# Okabe and Ito's colours, told apart in any kind of colour vision; darkness, shape and words carry the same.
BLUE = "#0072b2"
ORANGE = "#e69f00"
GREY = "#6b6b6b"
PALE = "#d9d9d9"
INK = "#1a1a1a"

_STYLE: dict[str, Any] = {
    "axes.edgecolor": INK,
    "axes.facecolor": "white",
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "hatch.linewidth": 0.8,
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "novelty_kit",
    "text.color": INK,
    "text.parse_math": False,
    "text.usetex": False,
}
# What belongs to a session rather than to a picture.
_LEFT_ALONE = {"backend", "backend_fallback", "interactive", "toolbar", "webagg.port", "webagg.address"}


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in our style, whatever the user's own settings are; they are as before afterwards."""
    settings: dict[Any, Any] = {k: v for k, v in matplotlib.rcParamsDefault.items() if k not in _LEFT_ALONE}
    with matplotlib.rc_context(settings | _STYLE):
        yield


class Picture(Figure):
    """A matplotlib figure that also says in words what it shows.

    Attributes
    ----------
    alt : str
        The picture in words, for those who cannot see it and for comparison.
    """

    alt: str = ""

    def svg(self) -> str:
        """The picture as SVG, without date or version; equal pictures give equal bytes."""
        return self._saved("svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))).decode(
            "utf-8"
        )

    def png(self, dpi: int = 144) -> bytes:
        """The picture as PNG, without any metadata."""
        return self._saved("png", dpi=dpi, metadata={"Software": None})

    def _saved(self, kind: str, **options: Any) -> bytes:
        sink = io.BytesIO()
        with styled():
            self.savefig(sink, format=kind, **options)
        return sink.getvalue()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": self.alt}


@functools.cache
def _drawable() -> frozenset[int]:
    """The characters that our font has."""
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return frozenset(FT2Font(str(font)).get_charmap())


def label(text: str, width: int = 60) -> str:
    """Text from data for a picture: one line, cut, with a box for what the font cannot draw."""
    shown = shorten(for_terminal(shorten(text, 4 * width)), width)
    return "".join(c if ord(c) in _drawable() else "□" for c in shown)
