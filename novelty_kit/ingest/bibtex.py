"""BibTeX and BibLaTeX: entries of every type, repeated keys too, with the lines on which they begin.

The grammar is pybtex's; it is used below its database, which would drop the second entry of a key.
No network. No clock. Nothing is written.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any, Final

from novelty_kit.ingest.bibliography import Entry
from novelty_kit.ingest.record import Skipped

__all__ = ["plain_latex", "read_bibtex"]

# BibLaTeX's containers for the fields and labels of other entries.
_NO_WORKS: Final = frozenset({"set", "xdata"})
_ENTRY: Final = re.compile(r"@\s*[^\s@{}(),\"#%'=]+\s*[({]")
_NEXT_ENTRY: Final = re.compile(r"^[ \t]*@", re.MULTILINE)
_BLANKS: Final = re.compile(r"\s+")
_BRACES: Final = re.compile(r"(?<!\\)[{}]")
_FONTS: Final = re.compile(r"\\(?:emph|text[a-z]{2,4}|math[a-z]{2,4}|url|mkbib[a-z]+|enquote)(?![A-Za-z])\s*")


def plain_latex(text: str) -> str:
    """A field's text without LaTeX: accents as letters, no braces, no font commands, single blanks."""
    import latexcodec  # noqa: F401  (registers the codec)

    decoded: str = codecs.getdecoder("ulatex+utf8")(_FONTS.sub("", text))[0]  # type: ignore[arg-type]
    return _BLANKS.sub(" ", _BRACES.sub("", decoded)).strip()


def read_bibtex(raw: bytes, path: str) -> Iterator[Entry | Skipped]:
    """Every entry, in the file's order; what cannot be parsed is skipped with its line."""
    from pybtex.database.input.bibtex import LowLevelParser, SkipEntry, UndefinedMacro, month_names
    from pybtex.scanner import PybtexSyntaxError

    text = re.sub("\r\n?", "\n", raw.decode("utf-8-sig", "replace"))
    undefined: list[str] = []

    def refuse(error: PybtexSyntaxError) -> None:
        # An abbreviation that nobody defined empties one field; anything else ends the entry.
        if not isinstance(error, UndefinedMacro):
            raise error
        undefined.append(str(error))

    parser = LowLevelParser(text, macros=dict(month_names), handle_error=refuse)
    while parser.skip_to([parser.AT]):
        start = parser.command_start = parser.pos - 1
        if not _ENTRY.match(text, start):
            continue
        line = text.count("\n", 0, start) + 1
        undefined.clear()
        try:
            kind, body = parser.parse_command()
        except SkipEntry:
            continue
        except PybtexSyntaxError as error:
            yield Skipped("unreadable", f"an entry that cannot be parsed: {error}", f":{line}")
            following = _NEXT_ENTRY.search(text, start + 1)
            parser.pos = following.end() - 1 if following else len(text)
            continue
        if kind.lower() in ("string", "preamble"):
            continue
        key, fields = body
        if kind.lower() in _NO_WORKS:
            yield Skipped(
                "not_a_work", f"entry {key} is a container of BibLaTeX ({kind.lower()})", f":{line}"
            )
        else:
            yield _entry(key, line, {name.lower(): "".join(parts) for name, parts in reversed(fields)})


def _entry(key: str, line: int, fields: dict[str, str]) -> Entry:
    eprint = fields.get("eprint")
    registry = fields.get("eprinttype", fields.get("archiveprefix", "")).strip().lower()
    # BibTeX's older convention names the class and leaves the archive to be understood.
    if not registry and "primaryclass" in fields:
        registry = "arxiv"
    of_arxiv = (eprint if registry == "arxiv" else None, fields.get("arxiv"), fields.get("arxivid"))
    of_pubmed = (eprint if registry == "pubmed" else None, fields.get("pmid"))
    title = ": ".join(
        plain_latex(fields[name]) for name in ("title", "subtitle") if fields.get(name, "").strip()
    )
    return Entry(
        name=key,
        line=line,
        title=title or None,
        authors=tuple(
            plain_latex(name) for name in re.split(r"\s+and\s+", fields.get("author", "")) if name.strip()
        ),
        dates=tuple(plain_latex(fields[name]) for name in ("date", "year") if name in fields),
        named={
            "doi": _stated(fields.get("doi")),
            "arxiv": _stated(*of_arxiv),
            "pmid": _stated(*of_pubmed),
        },
        addresses=tuple(
            fields[name]
            for name in ("url", "journal", "journaltitle", "howpublished", "ee")
            if name in fields
        ),
        abstract=plain_latex(fields["abstract"]) if "abstract" in fields else None,
    )


def _stated(*values: Any) -> tuple[str, ...]:
    return tuple(
        value.replace("\\_", "_").replace("\\%", "%").strip() for value in values if value and value.strip()
    )
