"""LaTeX as blocks of prose: the preamble, comments, displays, floats' bodies and commands are blanked.

A small reader, not a TeX engine: a command keeps its last argument as prose unless it is one that never holds
any; an author's own macros are not expanded.
"""

from __future__ import annotations

import re
import unicodedata

from novelty_kit.priorart.layout import GONE, Block, Canvas, as_text

__all__ = ["read_latex"]

_DEPTHS = {"part": 0, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
_NO_PROSE = re.compile(
    r"(?:equation|align|gather|multline|eqnarray|displaymath|math|tabular|tabularx|longtable|verbatim|lstlisting"
    r"|minted|tikzpicture|pgfpicture|algorithm|algorithmic|comment|thebibliography|filecontents)\*?"
)
_DROPPED = re.compile(
    r"(?:[a-zA-Z]*cite[a-zA-Z]*|[a-zA-Z]*ref|label|includegraphics|input|include|bibliography|bibliographystyle"
    r"|usepackage|documentclass|newcommand|renewcommand|url|vspace|hspace|setlength|footnotemark|index|pagestyle)"
)
_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*)|\\(?P<edge>begin|end)\{(?P<env>[a-zA-Z]+\*?)\}|\\(?P<name>[a-zA-Z]+)\*?"
    r"|\\(?P<accent>[\"'`^~=.])(?:\{(?P<braced>[a-zA-Z])\}|(?P<bare>[a-zA-Z]))|\\(?P<escaped>[%&_#${}])"
    r"|\\(?P<other>[\s\S])|(?P<display>\$\$)|(?P<brace>[{}])|(?P<tie>~)|(?P<empty>\n[ \t\r]*\n)"
)
_ACCENTS = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
}
_OPTION = re.compile(r"\s?\[[^\[\]\n]{0,300}\]")
_SIMPLE_ARGUMENT = re.compile(r"\{[^{}]{0,2000}\}")
_TITLE_ARGUMENT = re.compile(r"\{((?:[^{}]|\{[^{}]{0,200}\}){0,400})\}")
_BIBITEM = re.compile(r"\\bibitem(?:\[[^\]\n]{0,300}\])?\{[^}\n]{0,200}\}")


def read_latex(text: str) -> list[Block]:
    """The blocks of a LaTeX text."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.canvas = Canvas(text)
        start, end = text.find("\\begin{document}"), text.find("\\end{document}")
        self.start = 0 if start < 0 else start + len("\\begin{document}")
        self.stop = len(text) if end < self.start else end
        self._never: set[str] = set()

    def read(self) -> list[Block]:
        self.canvas.blank(0, self.start)
        self.canvas.blank(self.stop, len(self.text))
        self.canvas.cut(self.start)
        at = self.start
        while match := _TOKEN.search(self.text, at, self.stop):
            at = self._token(match)
        return self.canvas.blocks()

    def _find(self, closing: str, at: int) -> int:
        """Where something closes, or -1; what was missed once is not looked for again."""
        if closing in self._never:
            return -1
        place = self.text.find(closing, at, self.stop)
        if place < 0:
            self._never.add(closing)
        return place

    def _token(self, match: re.Match[str]) -> int:
        """Blank one piece of markup; gives back where to go on."""
        start, end = match.span()
        if match["empty"]:
            self.canvas.cut(end)
            return end - 1
        if match["edge"]:
            return self._environment(match["edge"], match["env"], start, end)
        if match["name"]:
            return self._command(match["name"], start, end)
        if match["accent"]:
            self.canvas.blank(start, end, GONE)
            letter = match["braced"] or match["bare"]
            self.canvas.write(end - 1, unicodedata.normalize("NFC", letter + _ACCENTS[match["accent"]])[:1])
            return end
        if match["escaped"]:
            self.canvas.blank(start, start + 1, GONE)
            return end
        if match["display"] or match["other"] == "[":
            closing = "$$" if match["display"] else "\\]"
            close = self._find(closing, end)
            end = end if close < 0 else close + 2
            self.canvas.blank(start, end)
            return end
        self.canvas.blank(start, end, GONE if match["brace"] or match["comment"] else " ")
        return end

    def _environment(self, edge: str, name: str, start: int, end: int) -> int:
        self.canvas.cut(start)
        if edge == "begin" and name == "abstract":
            self.canvas.heading(start, end, 2, "Abstract")
            return end
        if edge == "begin" and _NO_PROSE.fullmatch(name):
            close = self._find(f"\\end{{{name}}}", end)
            close = end if close < 0 else close
            if name == "thebibliography":
                widest = _SIMPLE_ARGUMENT.match(self.text, end)
                end = widest.end() if widest else end
                self.canvas.heading(start, end, 2, "References")
                for entry in _BIBITEM.finditer(self.text, end, close):
                    self.canvas.cut(entry.start(), is_item=True)
                return end
            self.canvas.blank(start, close)
            return close
        self.canvas.blank(start, end)
        self.canvas.cut(end)
        return end

    def _command(self, name: str, start: int, end: int) -> int:
        if name in ("item", "par", "maketitle", "bibitem"):
            self.canvas.cut(start, is_item=name in ("item", "bibitem"))
        while option := _OPTION.match(self.text, end):
            end = option.end()
        if name in _DEPTHS and (title := _TITLE_ARGUMENT.match(self.text, end)):
            self.canvas.cut(start)
            plain = re.sub(r"\\-|\\(?=[%&_#$])", "", title[1])
            shown = as_text(re.sub(r"\\[a-zA-Z]+\*?|[{}~]", " ", plain))
            self.canvas.heading(start, title.end(), _DEPTHS[name], shown)
            return title.end()
        if name == "bibitem" or _DROPPED.fullmatch(name):
            while argument := _SIMPLE_ARGUMENT.match(self.text, end):
                end = argument.end()
            self.canvas.blank(start, end)
            return end
        self.canvas.blank(start, end, GONE)
        return end
