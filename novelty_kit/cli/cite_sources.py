"""What ``novelty cite verify`` is asked about: hypotheses of a run, records, bibliographies, plain lists.

Entries in are entries out: what names no citation is kept with its place and the reason. Reads files, writes
nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from novelty_kit.errors import DocumentError, InputError

if TYPE_CHECKING:
    from novelty_kit.ingest.record import Skipped, Work
    from novelty_kit.review.extract import CitationItem, Extraction
    from novelty_kit.review.run import Run

__all__ = ["FORMS", "Cited", "cited_in_file", "cited_in_run"]

Form = Literal["record", "bibtex", "ris", "csl", "list"]
FORMS: Final[tuple[Form, ...]] = ("record", "bibtex", "ris", "csl", "list")

_BY_SUFFIX: Final[dict[str, Form]] = {
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".biblatex": "bibtex",
    ".ris": "ris",
    ".csl": "csl",
    ".txt": "list",
}
# The best id of an entry for telling whether it is right: what was published before its preprint.
_BEST_FIRST: Final = ("doi", "arxiv", "pmid", "openalex")


@dataclass(frozen=True, slots=True)
class Cited:
    """The citations of one hypothesis or one file.

    Attributes
    ----------
    target_id, target_file : str
        As the manifest names them.
    extraction : Extraction
    skipped : tuple of Skipped
        Entries that hold neither an id nor a title.
    run : Run, optional
        The run whose manifest is to be written.
    """

    target_id: str
    target_file: str
    extraction: Extraction
    skipped: tuple[Skipped, ...] = ()
    run: Run | None = None


def cited_in_run(run: Run, only: tuple[str, ...]) -> list[Cited]:
    """What the hypotheses of a run cite; those named, or all that have a file.

    Raises
    ------
    DocumentError
        Some hypotheses or their manifests cannot be read (all are listed), or there are none.
    """
    found, problems = [], []
    for hypothesis_id in only or run.hypothesis_files():
        try:
            extraction = run.citations_of(hypothesis_id)
            # One that cannot be read cannot be replaced: say so before anybody is asked.
            run.manifest(hypothesis_id)
        except DocumentError as error:
            problems.append(error.problem)
            continue
        found.append(Cited(hypothesis_id, f"{hypothesis_id}.json", extraction, run=run))
    if problems:
        raise DocumentError(
            "some hypotheses or their manifests cannot be read",
            path=str(run.path),
            remedy="Correct them, or name the others with --for",
            problems=problems,
        )
    if not found:
        raise DocumentError("holds no hypothesis", path=str(run.path), remedy="Name another run")
    return found


def cited_in_file(name: str, form: Form | None) -> Cited:
    """What a record, a bibliography or a list cites; without `form` its name and first characters tell.

    Raises
    ------
    DocumentError
        The file cannot be read, or is not of that form.
    """
    if name == "-" and form not in (None, "record", "list"):
        raise InputError("a bibliography is read from a file", remedy="Give its name instead of -")
    raw = _bytes(name)
    form = form or _form_of(name, raw)
    stem = Path(name).name.split(".")[0] if name != "-" else "stdin"
    file = Path(name).name if name != "-" else "-"
    if form == "record":
        from novelty_kit.review.extract import items_of_record
        from novelty_kit.review.record import parse_record

        record = parse_record(raw, name)
        own = record.get("id")
        target_id = own if isinstance(own, str) and own.strip() else stem
        return Cited(target_id, file, items_of_record(record))
    if form == "list":
        from novelty_kit.review.extract import items_of_list

        return Cited(stem, file, items_of_list(_text(raw, name)))
    extraction, skipped = _bibliography(name, form)
    return Cited(stem, file, extraction, skipped)


def _bytes(name: str) -> bytes:
    from novelty_kit.review.record import MAX_BYTES

    try:
        if name == "-":
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as stream:
                raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentError(
            f"cannot be read: {reason}", path=name, remedy="Name a run, a record, a bibliography or a list"
        ) from error
    if len(raw) > MAX_BYTES:
        raise DocumentError(f"is larger than {MAX_BYTES // 1024 // 1024} MB", path=name)
    return raw


def _form_of(name: str, raw: bytes) -> Form:
    if name.lower().endswith((".csl.json", ".csljson")):
        return "csl"
    suffix = Path(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    first = raw.lstrip()[:1]
    by_sign: dict[bytes, Form] = {b"{": "record"}
    if name != "-":
        by_sign |= {b"[": "csl", b"@": "bibtex"}
    return "record" if suffix == ".json" and first != b"[" else by_sign.get(first, "list")


def _text(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DocumentError("is not UTF-8", path=name, line=line, remedy="Save it as UTF-8") from error


def _bibliography(name: str, form: Form) -> tuple[Extraction, tuple[Skipped, ...]]:
    from novelty_kit.ingest.bibliography import bibliography_items
    from novelty_kit.ingest.record import Work
    from novelty_kit.review.extract import Extraction

    items: list[CitationItem] = []
    skipped: list[Skipped] = []
    for entry in bibliography_items([Path(name)], form):
        work = entry if isinstance(entry, Work) else entry.entry
        if work is not None and (work.ids or work.title):
            items.append(_item(work))
        elif not isinstance(entry, Work):
            skipped.append(entry)
    return Extraction(tuple(dict.fromkeys(items)), "structured"), tuple(skipped)


def _item(work: Work) -> CitationItem:
    from novelty_kit.review.extract import CitationItem

    ids = [f"{scheme}:{work.ids[scheme]}" for scheme in _BEST_FIRST if scheme in work.ids]
    raw_id = (*ids, *work.lom_ids, str(work.title))[0]
    year = int(work.publication_date[:4]) if work.publication_date else None
    return CitationItem(raw_id, work.title, work.authors, year)
