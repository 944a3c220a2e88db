"""A full-text index over papers, offline: SQLite's FTS5 with Porter stems and BM25.

Reads rows of (lom_id, title, abstract, date) that the caller takes from its graph; holds them in memory or in
one file that is made whole and then only read. The same rows in the same order give the same answers.
No network. No clock.

FTS5 with stems found more of SciFact's cited abstracts than tantivy with stems and than bm25s with its
defaults; the title's weight was chosen on the training claims.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from novelty_kit.errors import DamageError, OutputError
from novelty_kit.priorart.normal import is_unspaced, map_words, nfkc

__all__ = ["Paper", "TextIndex", "query_terms"]

_TITLE_WEIGHT = 1.5
_MAX_TERMS = 64
_SCHEMA = """
CREATE TABLE paper (number INTEGER PRIMARY KEY, lom_id TEXT UNIQUE, title TEXT, abstract TEXT, date TEXT);
CREATE TABLE made_from (fingerprint TEXT);
CREATE VIRTUAL TABLE words USING fts5 (
    title, abstract, content='', tokenize='porter unicode61 remove_diacritics 2'
);
"""
# The best are chosen before their texts are read; equals stay in the order of their rows.
_SEARCH = """
WITH best AS (
    SELECT words.rowid AS number, bm25(words, ?, 1.0) AS cost
    FROM words WHERE words MATCH ? ORDER BY cost, number LIMIT ?
)
SELECT paper.lom_id, paper.title, paper.abstract, paper.date
FROM best INNER JOIN paper ON paper.number = best.number
ORDER BY best.cost, best.number
"""
_STOP = re.compile(
    "a|an|and|are|as|at|be|but|by|for|if|in|into|is|it|no|not|of|on|or|such|that|the|their|then|there|these|they"
    "|this|to|was|will|with|from|has|have|can|which|than|its|we|our"
)


class Paper(NamedTuple):
    """One row of the index; an absent title, abstract or date is None or empty."""

    lom_id: str
    title: str | None
    abstract: str | None
    date: str | None = None


def query_terms(query: str) -> list[str]:
    """What is looked for: each word once, no stop words, pairs of characters in scripts without spaces."""
    words = map_words(query)
    terms: list[str] = []
    for index in range(len(words)):
        word = words.word(index).casefold()
        if is_unspaced(word):
            following = words.word(index + 1) if index + 1 < len(words) else ""
            if is_unspaced(following) and not words.gap(index + 1).strip():
                terms.append(f"{word} {following}")
        elif not _STOP.fullmatch(word):
            terms.append(word)
    return list(dict.fromkeys(terms))[:_MAX_TERMS]


class TextIndex:
    """Papers that can be searched by their words.

    Use :meth:`build` or :meth:`open`; close it, or use it as a context.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        (self.n_papers,) = connection.execute("SELECT count(*) FROM paper").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @classmethod
    def build(
        cls, rows: Iterable[Sequence[str | None]], path: str | Path | None = None, fingerprint: str = ""
    ) -> Self:
        """Index papers.

        Parameters
        ----------
        rows : iterable of (lom_id, title, abstract) or (lom_id, title, abstract, date)
            A paper with neither title nor abstract is left out; of two with one id the first stays.
        path : path, optional
            Keep the index in this file, which is replaced whole; without it, in memory.
        fingerprint : str
            What the rows were made from, for :meth:`open`.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        if path is None:
            connection = sqlite3.connect(":memory:")
            _fill(connection, rows, fingerprint)
            return cls(connection)
        target = Path(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(
                dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part"
            )
            os.close(handle)
            try:
                with contextlib.closing(sqlite3.connect(temporary)) as connection:
                    _fill(connection, rows, fingerprint)
                Path(temporary).replace(target)
            finally:
                Path(temporary).unlink(missing_ok=True)
        except (OSError, sqlite3.OperationalError) as error:
            raise OutputError(f"cannot write the index: {error}", path=str(path)) from error
        return cls.open(target, fingerprint)

    @classmethod
    def open(cls, path: str | Path, fingerprint: str = "") -> Self:
        """Open an index that was built from the same rows.

        Raises
        ------
        DamageError
            The file is no such index, or was made from something else.
        """
        try:
            connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)
            (made_from,) = connection.execute("SELECT fingerprint FROM made_from").fetchone()
            index = cls(connection)
        except (sqlite3.DatabaseError, TypeError) as error:
            raise DamageError(
                f"this is no index: {error}", path=str(path), remedy="Build it again"
            ) from error
        if made_from != fingerprint:
            index.close()
            raise DamageError("the index was made from other papers", path=str(path), remedy="Build it again")
        return index

    def search(self, query: str, limit: int = 20) -> list[Paper]:
        """The papers that share the most telling words with a query, best first.

        Parameters
        ----------
        query : str
            Any text; nothing in it is an operator.
        limit : int
            How many at most.

        Returns
        -------
        list of Paper
            Empty also when the query has no term; see :func:`query_terms`.
        """
        terms = query_terms(query)
        if not terms:
            return []
        match = " OR ".join(f'"{_plain(term)}"' for term in terms)
        found = self._connection.execute(_SEARCH, (_TITLE_WEIGHT, match, limit))
        return [Paper(*row) for row in found]


def _fill(connection: sqlite3.Connection, rows: Iterable[Sequence[str | None]], fingerprint: str) -> None:
    connection.executescript(_SCHEMA)
    connection.execute("INSERT INTO made_from VALUES (?)", (fingerprint,))
    seen: set[str] = set()
    for number, (lom_id, title, abstract, date) in enumerate(_papers(rows, seen), start=1):
        connection.execute(
            "INSERT INTO paper VALUES (?, ?, ?, ?, ?)", (number, lom_id, title, abstract, date)
        )
        connection.execute(
            "INSERT INTO words (rowid, title, abstract) VALUES (?, ?, ?)",
            (number, _spaced(title), _spaced(abstract)),
        )
    connection.commit()


def _papers(
    rows: Iterable[Sequence[str | None]], seen: set[str]
) -> Iterator[tuple[str, str, str, str | None]]:
    for row in rows:
        paper = Paper(*row)  # type: ignore[arg-type]
        lom_id, title, abstract = (_plain(text or "") for text in paper[:3])
        if lom_id in seen or not (title.strip() or abstract.strip()):
            continue
        seen.add(lom_id)
        yield lom_id, title, abstract, _plain(paper.date) if paper.date else None


def _plain(text: str) -> str:
    """A text that SQLite can hold: half of a surrogate pair has no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _spaced(text: str) -> str:
    """A text for the tokenizer: in NFKC, and scripts without spaces taken apart."""
    if text.isascii():
        return text
    words = map_words(text)
    if any(is_unspaced(words.word(index)) for index in range(len(words))):
        return " ".join(words.word(index) for index in range(len(words)))
    return nfkc(text)[0]
