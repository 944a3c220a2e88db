"""The documents that a candidate names: where they lie, and one hash over all that stands in them.

Every name is relative to the folder of the candidate's file and stays inside it. Reads files and folders; writes
nothing. No network. No clock.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING

from novelty_kit.errors import DocumentError
from novelty_kit.output import shorten

if TYPE_CHECKING:
    from novelty_kit.verdict.candidate import Candidate

__all__ = ["DOCUMENTS", "document_path", "documents_sha256", "names_documents"]

DOCUMENTS = ("passport", "manuscript", "review_run", "priorart")


def names_documents(candidate: Candidate) -> bool:
    """Whether the candidate names any."""
    return any(getattr(candidate, field) is not None for field in DOCUMENTS)


def document_path(folder: str | None, field: str, named: str) -> Path:
    """Where a document lies.

    Parameters
    ----------
    folder : str or None
        The folder of the candidate's file; None is the working folder.
    field : str
        What the candidate calls it, for the error.
    named : str
        The name as the candidate gives it.

    Raises
    ------
    DocumentError
        The name leads out of the folder, or nothing is there.
    """
    base = Path(folder or ".")
    shown = shorten(named, 100)
    path = base / named
    try:
        inside = path.resolve().is_relative_to(base.resolve())
        there = path.exists()
    except (OSError, ValueError, RuntimeError):
        raise DocumentError(
            f"{field} '{shown}' is no name of a file", remedy="Name it relative to the candidate's file"
        ) from None
    if not inside or Path(named).is_absolute() or ".." in Path(named).parts:
        raise DocumentError(
            f"{field} '{shown}' does not stay in the folder of the candidate's file",
            remedy="Name it relative to that folder, without '..'",
        )
    if not there:
        raise DocumentError(
            f"{field} '{shown}' is not there", remedy="Names are relative to the candidate's file"
        )
    return path


def documents_sha256(
    candidate: Candidate, folder: str | None, known: MutableMapping[Path, str] | None = None
) -> str | None:
    """Hash of all that the candidate's documents hold; None where it names none.

    Parameters
    ----------
    candidate : Candidate
    folder : str or None
        The folder of the candidate's file; None is the working folder.
    known : mutable mapping of Path to str, optional
        Hashes that were computed for other candidates a moment ago; new ones are added.
    """
    if not names_documents(candidate):
        return None
    known = {} if known is None else known
    digest = hashlib.sha256()
    for field in DOCUMENTS:
        named = getattr(candidate, field)
        if named is None:
            continue
        try:
            path = document_path(folder, field, named)
        except DocumentError as error:
            found = error.problem.what
        else:
            if path not in known:
                known[path] = _hash(path)
            found = known[path]
        digest.update(f"{field}\0{found}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _hash(path: Path) -> str:
    if not path.is_dir():
        return _file_hash(path)
    digest = hashlib.sha256()
    for name, file in _files(path):
        digest.update(f"{name}\0{_file_hash(file)}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """All files below, by name; not those whose own or folder's name starts with a dot, such as locks."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                file = Path(top) / name
                yield file.relative_to(folder).as_posix(), file


def _file_hash(path: Path) -> str:
    """Of a regular file's bytes; anything else only says what it is, so that no pipe is waited for."""
    if not path.is_file():
        return "no file"
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"
