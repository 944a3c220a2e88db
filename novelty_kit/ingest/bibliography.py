"""Bibliographies as records: BibTeX and BibLaTeX, RIS, CSL-JSON.

Entries in are entries out: each becomes a work, or is skipped with its name, its place and the reason. An
entry without an id is kept for a person, and for a look-up by its title; no id is guessed. No network.
No clock. Nothing is written.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from novelty_kit.errors import DocumentError, KeyFormatError
from novelty_kit.ingest.files import open_bytes, read_json
from novelty_kit.ingest.id_list import id_list
from novelty_kit.ingest.record import Answer, Skipped, Work, clean_text, date_or_year, read_id
from novelty_kit.keys import SCHEMES, parse_key

__all__ = ["Entry", "bibliography_items", "entry_work", "in_utf8", "read_csl"]

# An arXiv id that says so: "arXiv preprint arXiv:1412.6980", "arXiv:1305.4904 [quant-ph]".
_LABELLED_ARXIV: Final = re.compile(
    r"arxiv:\s*([a-z.-]+/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})(?![0-9])", re.ASCII | re.IGNORECASE
)
_URL: Final = re.compile(r"https?://[^\s{}\"<>|\\]+", re.ASCII | re.IGNORECASE)
_SLASHED: Final = re.compile(r"([0-9]{4})(?:/([0-9]{1,2})(?:/([0-9]{1,2}))?)?[/\s]*.*", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a bibliography, whatever its format.

    Attributes
    ----------
    name : str
        Its key or number, for a person.
    line : int or None
        Where it begins.
    title : str or None
        Plain text.
    authors, dates : tuple of str
        As stated, best first.
    named : dict of str to tuple of str
        Scheme to what stands in fields that are meant for it; best first.
    addresses : tuple of str
        Fields in which a labelled id or an address may stand.
    abstract : str or None
    """

    name: str
    line: int | None
    title: str | None
    authors: tuple[str, ...]
    dates: tuple[str, ...]
    named: dict[str, tuple[str, ...]]
    addresses: tuple[str, ...]
    abstract: str | None = None


def entry_work(entry: Entry, source: str, file: str, sha256: str) -> Work | Skipped:
    """An entry as a work, or skipped (with what it tells) where nothing in it is an id."""
    ids: dict[str, str] = {}
    notes: list[str] = []
    for scheme in SCHEMES:
        read_id(entry.named.get(scheme, ()), scheme, ids, notes)
    for text in entry.addresses:
        _ids_in(text, ids)
    work = Work(
        source=source,
        ids=ids,
        title=clean_text(entry.title),
        abstract=clean_text(entry.abstract),
        publication_date=date_or_year(*(_plain_date(date) for date in entry.dates)),
        authors=entry.authors,
        notes=tuple(notes),
        states_references=False,
        answer=Answer(source, sha256, file=file),
    )
    if ids:
        return work
    where = f"{file}:{entry.line}" if entry.line is not None else file
    about = f", titled {work.title!r:.120}," if work.title else ""
    broken = "; an id in it cannot be read" if notes else ""
    return Skipped("no_id", f"entry {entry.name}{about} holds no id{broken}", where, work)


def _ids_in(text: str, ids: dict[str, str]) -> None:
    """Ids that a field labels as such or gives as an address of their registry."""
    found = set(_LABELLED_ARXIV.findall(text))
    candidates = [f"arxiv:{body}" for body in sorted(found)] if len(found) == 1 else []
    for candidate in (*candidates, *_URL.findall(text)):
        try:
            key = parse_key(candidate)
        except KeyFormatError:
            continue
        ids.setdefault(key.scheme, key.id)


def _plain_date(text: str) -> str:
    """``2019/5/2/`` and ``2019-05/2020`` as the log writes them; anything else as it is."""
    found = _SLASHED.fullmatch(text.strip())
    if found and "/" in text and "-" not in text:
        return "-".join([found.group(1), *(f"{int(part):02d}" for part in found.groups()[1:] if part)])
    return text.strip().partition("/")[0].rstrip("~?%")


def bibliography_items(paths: Sequence[Path], form: str) -> Iterator[Work | Skipped]:
    """Every entry of some bibliographies.

    Parameters
    ----------
    paths : sequence of Path
        The files, in order.
    form : str
        ``bibtex`` (BibLaTeX too), ``ris``, ``csl``, or ``ids`` (a plain list).

    Yields
    ------
    Work or Skipped
        One for each entry, in the file's order.

    Raises
    ------
    DocumentError
        A file is no such bibliography.
    """
    from novelty_kit.ingest import bibtex, ris

    readers: Mapping[str, Callable[[bytes, str], Iterator[Entry | Skipped]]] = {
        "bibtex": bibtex.read_bibtex,
        "ris": ris.read_ris,
        "csl": read_csl,
        "ids": _read_ids,
    }
    for path in paths:
        with open_bytes(path) as stream:
            raw = stream.read()
        sha256 = hashlib.sha256(raw).hexdigest()
        text, encoding = in_utf8(raw)
        n_entries = 0
        for entry in readers[form](text, str(path)):
            n_entries += 1
            if isinstance(entry, Skipped):
                yield replace(entry, where=f"{path.name}{entry.where}")
                continue
            work = entry_work(entry, form, path.name, sha256)
            if isinstance(work, Work) and encoding is not None:
                work = replace(work, notes=(*work.notes, f"read_as_{encoding}"))
            yield work
        if n_entries == 0:
            raise DocumentError(f"no entry of a {form} bibliography was found", path=str(path))


def in_utf8(raw: bytes) -> tuple[bytes, str | None]:
    """A text's bytes in UTF-8, and the encoding that it was in where that is another.

    UTF-16 says so by its first two bytes. What is no UTF-8 and says nothing is Windows-1252, as older tools write:
    its letters may be read wrongly then, its ids (ASCII) never.
    """
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if raw.startswith(mark):
            return raw.decode(encoding, "replace").encode("utf-8", "replace"), encoding
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace").encode("utf-8"), "windows-1252"
    return raw, None


def _read_ids(raw: bytes, path: str) -> Iterator[Entry | Skipped]:
    for lom_id in id_list(raw, path):
        scheme, _, body = lom_id.partition(":")
        yield Entry(lom_id, None, None, (), (), {scheme: (body,)}, ())


def read_csl(raw: bytes, path: str) -> Iterator[Entry | Skipped]:
    """Items of CSL-JSON: a list, one item, or items by their id."""
    from novelty_kit.ingest.crossref import people

    try:
        value = read_json(raw.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise DocumentError(f"CSL-JSON is JSON: {error}", path=path) from error
    for number, item in enumerate(_csl_items(value), start=1):
        if not isinstance(item, Mapping):
            yield Skipped("not_a_work", f"item {number} is no JSON object", f" item {number}")
            continue
        title = item.get("title")
        yield Entry(
            name=str(item.get("id", number)),
            line=None,
            title=title[0]
            if isinstance(title, list) and title and isinstance(title[0], str)
            else clean_text(title),
            authors=people(item.get("author")),
            dates=tuple(
                _csl_date(item.get(name)) for name in ("issued", "published-print", "published-online")
            ),
            named={"doi": _texts(item, "DOI"), "pmid": _texts(item, "PMID"), "arxiv": ()},
            addresses=_texts(item, "URL"),
            abstract=clean_text(item.get("abstract")),
        )


def _csl_items(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for item in value:
            yield from _csl_items(item) if isinstance(item, list) else (item,)
    elif isinstance(value, Mapping) and ("type" in value or "title" in value or "DOI" in value):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _csl_items(item) if isinstance(item, list | Mapping) else (item,)
    else:
        yield value


def _csl_date(value: object) -> str:
    parts: Any = value.get("date-parts") if isinstance(value, Mapping) else None
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    numbers = [str(part) for part in first[:3] if isinstance(part, int | str)]
    if not numbers or not all(number.isdecimal() for number in numbers):
        return ""
    return "-".join([numbers[0], *(number.zfill(2) for number in numbers[1:])])


def _texts(item: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = item.get(name)
    return (str(value),) if isinstance(value, str | int) and not isinstance(value, bool) else ()
