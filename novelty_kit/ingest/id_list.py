"""Plain lists of ids, one a line, and the plans that say which service to ask for which ids.

Blank lines and lines that start with ``#`` say nothing. A malformed id is an error that names its line; all
of them are listed. No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from novelty_kit.errors import DocumentError, KeyFormatError, Problem
from novelty_kit.ingest.files import open_bytes, read_json
from novelty_kit.ingest.limits import SOURCES
from novelty_kit.keys import normalise

__all__ = ["id_list", "read_id_list", "read_plan"]


def read_id_list(path: Path) -> list[str]:
    """The ids of a file in normal form, each once, in the file's order.

    Raises
    ------
    DocumentError
        The file cannot be read, or some lines hold no id: all of them are listed.
    """
    with open_bytes(path) as stream:
        return id_list(stream.read(), str(path))


def id_list(raw: bytes, path: str) -> list[str]:
    """The ids of a list's bytes; `path` is for the error."""
    ids: dict[str, None] = {}
    problems = []
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        text = line.decode("utf-8", "replace").strip()
        if text and not text.startswith("#"):
            try:
                ids[normalise(text)] = None
            except KeyFormatError as error:
                problems.append(Problem(str(error), path=path, line=number))
    if problems:
        raise DocumentError(
            f"{len(problems)} of the lines hold no id",
            path=path,
            remedy="Write one id a line: 2408.06292, 10.1126/science.aac4716, W2741809807",
            problems=problems,
        )
    return list(ids)


def read_plan(path: Path) -> list[tuple[str, list[str]]]:
    """The lookups of a plan: which service to ask for which ids, in the plan's order.

    Raises
    ------
    DocumentError
        It is no plan, names an unknown service, or holds a malformed id.
    """
    with open_bytes(path) as stream:
        raw = stream.read()
    try:
        plan = read_json(raw)
    except ValueError as error:
        raise DocumentError(f"a plan is JSON: {error}", path=str(path)) from error
    batches = plan.get("batches") if isinstance(plan, Mapping) else None
    if not isinstance(batches, list):
        raise DocumentError("a plan has a list of batches", path=str(path), pointer="/batches")
    found = []
    for number, batch in enumerate(batches):
        pointer = f"/batches/{number}"
        source, ids = (batch.get("source"), batch.get("ids")) if isinstance(batch, Mapping) else (None, None)
        if source not in SOURCES or not isinstance(ids, list):
            remedy = f"Expected an object with a source ({', '.join(SOURCES)}) and ids"
            raise DocumentError("this is no batch of a plan", path=str(path), pointer=pointer, remedy=remedy)
        try:
            found.append((str(source), [normalise(lom_id) for lom_id in ids]))
        except KeyFormatError as error:
            raise DocumentError(str(error), path=str(path), pointer=f"{pointer}/ids") from error
    return found
