"""Markdown as blocks of prose: code, tables, comments, quotations and markup are blanked.

A block quotation is somebody else's text and no claim of the artifact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from novelty_kit.priorart.layout import GONE, Block, Canvas, as_text

__all__ = ["read_markdown"]

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t\r]*")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t\r]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t])")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\r?")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)")
_LINK = re.compile(r"\[([^\]\n]{1,300})\](\([^)\n]{0,500}\)|\[[^\]\n]{0,100}\])")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_MARKS = re.compile(r"\*+|`+|~~|(?<!\w)_+(?=\w)|(?<=[\w.,!?)])_+(?!\w)|\\(?=[!-/:-@\[-`{-~])")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def read_markdown(text: str) -> list[Block]:
    """The blocks of a Markdown text."""
    canvas = Canvas(text)
    _blank_comments(canvas)
    fence = ""
    front_matter = text.startswith("---\n") or text.startswith("---\r\n")
    paragraph: list[tuple[int, str]] = []
    for number, (at, line) in enumerate(_lines(text)):
        end = at + len(line)
        if front_matter:
            canvas.blank(at, end)
            front_matter = number == 0 or line.rstrip() not in ("---", "...")
            continue
        opened = _FENCE.match(line)
        if fence or opened:
            canvas.blank(at, end)
            if fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            elif not fence and opened:
                fence = opened[1]
            canvas.cut(end)
            paragraph = []
            continue
        paragraph = _line(canvas, at, line, paragraph)
    return [_without_markup(block) for block in canvas.blocks()]


def _line(canvas: Canvas, at: int, line: str, paragraph: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Take one line outside of code; gives back the lines of the paragraph that it leaves open."""
    end = at + len(line)
    heading, underline = _ATX.fullmatch(line), _SETEXT.fullmatch(line)
    if heading:
        canvas.cut(at)
        canvas.heading(at, end, len(heading[1]), as_text(_MARKS.sub("", heading[2] or "")))
        return []
    if underline and len(paragraph) == 1:
        start, title = paragraph[0]
        canvas.cut(start)
        depth = 1 if underline[1][0] == "=" else 2
        canvas.heading(start, end, depth, as_text(_MARKS.sub("", title)))
        return []
    if not line.strip() or _RULE.fullmatch(line):
        canvas.blank(at, end)
        canvas.cut(end)
        return []
    stripped = line.lstrip()
    if stripped.startswith((">", "|")):
        canvas.cut(at)
        canvas.blank(at, end)
        canvas.cut(end)
        return []
    item = _ITEM.match(line)
    if item:
        canvas.cut(at, is_item=True)
        canvas.blank(at, at + item.end())
        return []
    return [*paragraph, (at, line)]


def _blank_comments(canvas: Canvas) -> None:
    at = canvas.text.find("<!--")
    while at >= 0:
        end = canvas.text.find("-->", at)
        if end < 0:
            return
        canvas.blank(at, end + 3, GONE)
        at = canvas.text.find("<!--", end)


def _without_markup(block: Block) -> Block:
    prose = block.prose
    for pattern in (_IMAGE, _TAG, _MARKS):
        prose = pattern.sub(lambda match: GONE * len(match.group()), prose)
    prose = _LINK.sub(lambda match: GONE + match[1] + GONE * (1 + len(match[2])), prose)
    return Block(block.start, prose, block.heading, block.is_item, block.is_reference)
