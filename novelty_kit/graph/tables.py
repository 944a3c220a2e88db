"""The tables of the event log: their columns, keys and types, in one place.

The strict line check, the loader, the JSON Schemas and the documentation all read these definitions.
Nothing is read or written here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from novelty_kit.keys import SCHEMES

__all__ = ["KEY_COLUMNS", "NAMES", "PLURALS", "TABLES", "Column", "Table", "nearly"]

Kind = Literal["id", "bare_id", "text", "date", "time", "count", "integer", "flag", "enum"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a log table.

    Attributes
    ----------
    name : str
    kind : str
        ``id`` (``scheme:id``), ``bare_id`` (an id whose scheme the column names), ``text``, ``date``
        (year, month or day), ``time`` (RFC 3339), ``count`` (whole, not negative), ``integer``, ``flag``,
        ``enum``.
    meaning : str
        One sentence for the published schema.
    scheme : str, optional
        Of a ``bare_id``.
    values : tuple of str
        Of an ``enum``.
    required : bool
        An upsert without it is a bad line.
    """

    name: str
    kind: Kind
    meaning: str
    scheme: str | None = None
    values: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the log: its name, the columns of its key, and all its columns."""

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    meaning: str
    aliases: tuple[tuple[str, str], ...] = ()

    def column(self, name: str) -> Column:
        """The column of that name; KeyError where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


def _key(name: str, kind: Kind, meaning: str) -> Column:
    return Column(name, kind, meaning, required=True)


_SOURCE = Column("source", "text", "Who said so: a service, a file, a person.")

TABLES: tuple[Table, ...] = (
    Table(
        "paper",
        ("lom_id",),
        (
            _key("lom_id", "id", "The paper's node."),
            Column("doi", "bare_id", "DOI.", "doi"),
            Column("arxiv", "bare_id", "arXiv identifier without version.", "arxiv"),
            Column("openalex", "bare_id", "OpenAlex work id.", "openalex"),
            Column("s2_paper_id", "bare_id", "Semantic Scholar paper id.", "s2"),
            Column("pmid", "bare_id", "PubMed id.", "pmid"),
            Column("title", "text", "Title as the source gives it; may hold markup."),
            Column("abstract", "text", "Abstract as plain text."),
            Column("publication_date", "date", "Year, month or day of publication."),
            Column("read", "flag", "False where only a name of the paper is known; null counts as read."),
            _SOURCE,
        ),
        "A work. An upsert patches: an absent column keeps its value, an explicit null clears it.",
    ),
    Table(
        "claim",
        ("claim_id",),
        (
            _key("claim_id", "text", "The claim's own name."),
            Column("about_lom_id", "id", "The paper that the claim is about."),
            Column("statement", "text", "What is claimed, in words."),
            Column("status", "text", "As the team keeps it, such as contested."),
            _SOURCE,
        ),
        "A statement that the team holds about a paper.",
    ),
    Table(
        "citation_edge",
        ("citing_lom_id", "cited_lom_id"),
        (
            _key("citing_lom_id", "id", "The work whose reference list says so."),
            _key("cited_lom_id", "id", "The work in that list."),
            _SOURCE,
            Column("context", "text", "The sentence around the citation."),
        ),
        "One work cites another.",
        aliases=(("src", "citing_lom_id"), ("dst", "cited_lom_id")),
    ),
    Table(
        "references_checked",
        ("lom_id",),
        (
            _key("lom_id", "id", "The work whose reference list was asked for."),
            _SOURCE,
            Column("checked_ts", "time", "When it was asked."),
            Column("n_refs", "count", "How many references the source states; required where status is ok."),
            Column("status", "enum", "Whether the list is known.", values=("ok", "failed"), required=True),
            Column("reason", "text", "Why it failed."),
        ),
        "Whether a work's reference list is known. It is never inferred from edges.",
    ),
    Table(
        "ingest_error",
        ("scheme", "lookup"),
        (
            _key("scheme", "text", "The service that was asked."),
            _key("lookup", "text", "What it was asked for: a prefixed or bare id, or a URL."),
            Column("lom_id", "id", "The work it was asked about, where known."),
            Column("http_status", "integer", "The answer's HTTP status; null where there was no answer."),
            Column("message", "text", "What the service said."),
            Column("ts", "time", "When."),
        ),
        "A lookup that failed.",
    ),
    Table(
        "same_work",
        ("lom_id", "same_as_lom_id"),
        (
            _key("lom_id", "id", "One record."),
            _key("same_as_lom_id", "id", "Another record of the same work."),
            Column("relation", "enum", "How.", values=("merged", "version_of", "same_record")),
            _SOURCE,
        ),
        "Two records that a source calls one work; decides nothing, is advised of.",
    ),
)

NAMES: dict[str, Table] = {table.name: table for table in TABLES}

# Plural table names are read as the singular.
PLURALS: dict[str, str] = {
    "papers": "paper",
    "claims": "claim",
    "citation_edges": "citation_edge",
    "references_checkeds": "references_checked",
    "ingest_errors": "ingest_error",
    "same_works": "same_work",
}

# The columns of `paper` that hold a key, with the scheme of each.
KEY_COLUMNS: tuple[tuple[str, str], ...] = tuple(
    (column.name, column.scheme)
    for scheme in SCHEMES
    for column in NAMES["paper"].columns
    if column.kind == "bare_id" and column.scheme == scheme and column.scheme is not None
)


def _edits(a: str, b: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), up to 3."""
    if abs(len(a) - len(b)) > 2:
        return 3
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            now.append(cost)
        before, last = last, now
    return last[-1]


@lru_cache(maxsize=1024)  # an unknown column stands in many lines, if in any
def nearly(name: str, known: tuple[str, ...]) -> str | None:
    """The known name that `name` probably misspells (one or two edits or a swap), else None.

    Short names tolerate one edit only, or everything would look like ``ts``; case alone is a misspelling.
    """
    best: tuple[int, str] | None = None
    for candidate in known:
        limit = 2 if min(len(name), len(candidate)) > 4 else 1 if min(len(name), len(candidate)) > 2 else 0
        distance = 0 if name.lower() == candidate else _edits(name.lower(), candidate)
        if distance <= limit and (best is None or (distance, candidate) < best):
            best = (distance, candidate)
    return best[1] if best else None
