"""An artifact as blocks of plain prose under their headings, every character at its own offset.

Markdown, LaTeX and plain text are read by blanking what is no prose, never by moving anything: offset n of
the blanked text is offset n of the artifact. Markup inside a word becomes `GONE` and is dropped when text is
shown; everything else becomes space. Time is linear. No network. No clock.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

__all__ = ["GONE", "Block", "Canvas", "Format", "as_text", "guess_format", "read_plain"]

Format = Literal["markdown", "latex", "text"]
#: Stands where markup was, inside words: a character of the private use area.
GONE = "\ue000"

_REFERENCES = re.compile(
    r"\W*(?:\d+\W+)?(?:references?|bibliography|works cited|literature(?: cited)?)\W*", re.I
)
_PLAIN_HEADING = re.compile(r"(?:(\d+(?:\.\d+)*)\.?[ \t]+)?([A-Z][^\n.!?;]{0,79})")
_LISTED = re.compile(r"[ \t]*(?:[-*•]|\(?\d{1,2}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item or an entry of the reference list.

    Attributes
    ----------
    start : int
        Offset of `prose` in the artifact.
    prose : str
        The blanked text.
    heading : tuple of str
        The headings above it, outermost first.
    is_item : bool
        Whether it is an item of a list.
    is_reference : bool
        Whether it belongs to the reference list.
    """

    start: int
    prose: str
    heading: tuple[str, ...]
    is_item: bool = False
    is_reference: bool = False


def as_text(prose: str) -> str:
    """Blanked text as a person reads it."""
    return " ".join(prose.replace(GONE, "").split())


class Canvas:
    """The artifact while it is being blanked and cut into blocks.

    Parameters
    ----------
    text : str
        The artifact.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._prose = list(text)
        self._cuts: list[tuple[int, bool]] = [(0, False)]
        self._headings: list[tuple[int, int, str]] = []

    def blank(self, start: int, end: int, by: str = " ") -> None:
        """Blank a slice; line ends stay."""
        for at in range(start, end):
            if self._prose[at] != "\n":
                self._prose[at] = by

    def write(self, at: int, character: str) -> None:
        """Put another character where one stood."""
        self._prose[at] = character

    def cut(self, at: int, *, is_item: bool = False) -> None:
        """Begin a block."""
        self._cuts.append((at, is_item))

    def heading(self, start: int, end: int, depth: int, title: str) -> None:
        """Take a heading out of the prose; what follows stands under it."""
        self.blank(start, end)
        self.cut(end)
        self._headings.append((end, depth, title))

    def blocks(self) -> list[Block]:
        """The blocks that hold any prose, in order."""
        cuts: dict[int, bool] = {}
        for at, is_item in self._cuts:
            cuts[at] = cuts.get(at, False) or is_item
        places = sorted(cuts)
        paths = self._paths()
        path_starts = [start for start, _ in paths]
        found = []
        for start, end in zip(places, [*places[1:], len(self.text)], strict=True):
            prose = "".join(self._prose[start:end])
            if prose.replace(GONE, " ").isspace() or not prose:
                continue
            place = bisect_right(path_starts, start) - 1
            heading = paths[place][1] if place >= 0 else ()
            is_reference = any(_REFERENCES.fullmatch(title) for title in heading)
            found.append(Block(start, prose, heading, cuts[start], is_reference))
        return found

    def _paths(self) -> list[tuple[int, tuple[str, ...]]]:
        stack: list[tuple[int, str]] = []
        paths = []
        for at, depth, title in sorted(self._headings, key=lambda entry: entry[0]):
            while stack and stack[-1][0] >= depth:
                stack.pop()
            stack.append((depth, title))
            paths.append((at, tuple(title for _, title in stack)))
        return paths


def guess_format(name: str) -> Format:
    """The format by a file's name."""
    suffix = name.casefold().rpartition(".")[2]
    if suffix in ("md", "markdown", "mdown", "qmd", "rmd"):
        return "markdown"
    return "latex" if suffix in ("tex", "latex", "ltx") else "text"


def read_plain(text: str) -> list[Block]:
    """The blocks of a plain text: paragraphs between empty lines; a short line alone may be a heading."""
    canvas = Canvas(text)
    at = 0
    for part in re.split(r"(\n[ \t\r]*\n)", text):
        canvas.cut(at)
        line = part.strip()
        match = _PLAIN_HEADING.fullmatch(line)
        if match and (match[1] or line.isupper() or len(line.split()) <= 6):
            depth = match[1].count(".") + 1 if match[1] else 1
            canvas.heading(at, at + len(part), depth, match[2].strip())
        else:
            inner = at
            for row in part.split("\n"):
                listed = _LISTED.match(row)
                if listed:
                    canvas.blank(inner, inner + listed.end())
                    canvas.cut(inner, is_item=True)
                inner += len(row) + 1
        at += len(part)
    return canvas.blocks()
