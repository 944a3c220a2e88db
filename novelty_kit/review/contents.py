"""What a run holds: its settings, its reviews and the manifests.

Reads ``run.yaml``, ``reviews/`` and ``citations/`` of an open run and changes nothing. A file that cannot
be read is a fault with its reason, never an absence. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.output import shorten
from novelty_kit.review.caps import CoreClaim
from novelty_kit.review.citation import citation_key
from novelty_kit.review.folder import Folder
from novelty_kit.review.manifest import Manifest, read_manifest
from novelty_kit.review.record import parse_record
from novelty_kit.review.store import file_of, review_id_parts, review_number

__all__ = [
    "FoundManifest",
    "RunSettings",
    "StoredReview",
    "core_claim",
    "find_manifest",
    "find_reviews",
    "read_settings",
]

_MAX_SETTINGS: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The parts of ``run.yaml`` that the review rules read.

    Attributes
    ----------
    goal : str or None
    constraints : tuple of str
        Empty where none are declared.
    composite : mapping
        ``tournament.composite``; empty where there is none.
    """

    goal: str | None = None
    constraints: tuple[str, ...] = ()
    composite: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoredReview:
    """One file of ``reviews/``.

    Attributes
    ----------
    file : str
        Its name.
    record : mapping or None
        None where it cannot be read.
    fault : str or None
        Then why not.
    """

    file: str
    record: Mapping[str, Any] | None
    fault: str | None = None

    @property
    def stem(self) -> str:
        """The file's name without its suffix: the review's id, if it is well named."""
        return self.file.removesuffix(".json")

    @property
    def review_id(self) -> str:
        """As the record says, else as the file is named."""
        named = (self.record or {}).get("id")
        return named if isinstance(named, str) and named else self.stem

    @property
    def hypothesis_id(self) -> str:
        """The hypothesis whose review the file is: by its name, else by its record."""
        parts = review_id_parts(self.stem)
        if parts:
            return parts[0]
        record = self.record or {}
        named, own_id = record.get("hypothesis_id"), record.get("id")
        if isinstance(named, str) and named:
            return named
        by_id = review_id_parts(own_id) if isinstance(own_id, str) else None
        return by_id[0] if by_id else self.stem.partition(".")[0]

    @property
    def order(self) -> tuple[int, int, str]:
        """Later reviews are greater: by epoch, then number, then id."""
        return self.epoch or 0, review_number(self.review_id), self.review_id

    @property
    def epoch(self) -> int | None:
        """The epoch, as far as it is a number that a table can hold."""
        epoch = (self.record or {}).get("epoch")
        is_number = isinstance(epoch, int | float) and not isinstance(epoch, bool)
        return int(epoch) if is_number and epoch is not None and 0 <= epoch < 2**53 else None


@dataclass(frozen=True, slots=True)
class FoundManifest:
    """A hypothesis's manifest, or why the one that exists cannot be used.

    Attributes
    ----------
    manifest : Manifest or None
    fault : str or None
    """

    manifest: Manifest | None = None
    fault: str | None = None


def read_settings(run: Folder) -> RunSettings:
    """Read ``run.yaml``; a run without one declares nothing.

    Raises
    ------
    DocumentError
        The file is no YAML mapping, or its constraints are no list of texts.
    """
    if run.kind("run.yaml") is None:
        return RunSettings()
    import yaml

    path = run.shown("run.yaml")
    raw = run.read("run.yaml", limit=_MAX_SETTINGS)
    try:
        settings = yaml.safe_load(raw.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise DocumentError(
            f"is not YAML: {shorten(str(getattr(error, 'problem', None) or error), 120)}",
            path=path,
            line=mark.line + 1 if mark else None,
            remedy="Correct the run's settings",
        ) from error
    if settings is None:
        return RunSettings()
    if not isinstance(settings, dict):
        raise DocumentError("holds no settings by name", path=path, remedy="Correct the run's settings")
    constraints = settings.get("constraints")
    if constraints is not None and not isinstance(constraints, list):
        raise DocumentError(
            "constraints is no list", path=path, pointer="/constraints", remedy="Write one constraint a line"
        )
    goal = settings.get("goal")
    composite = _inner(_inner(settings, "tournament", path), "composite", path)
    return RunSettings(
        goal if isinstance(goal, str) else None,
        tuple(str(one) for one in constraints or () if one is not None),
        composite,
    )


def _inner(settings: Mapping[str, Any], name: str, path: str) -> Mapping[str, Any]:
    inner = settings.get(name)
    if inner is None:
        return {}
    if not isinstance(inner, dict):
        raise DocumentError(f"{name} holds no settings by name", path=path, remedy="Correct it")
    return inner


def find_reviews(run: Folder, hypothesis_id: str | None = None) -> tuple[StoredReview, ...]:
    """Every JSON file of ``reviews/``, readable or not, by hypothesis and number.

    Hidden files are passed over: other tools' temporary files look like that. With a hypothesis only the
    files that are named after it are read.
    """
    prefix = f"{hypothesis_id}." if hypothesis_id else ""
    found = []
    with run.sub("reviews") as folder:
        for name in folder.names():
            if name.startswith(".") or not name.endswith(".json") or not name.startswith(prefix):
                continue
            try:
                record = parse_record(folder.read(name), f"reviews/{name}")
                found.append(StoredReview(name, record))
            except DocumentError as error:
                found.append(StoredReview(name, None, str(error)))
    return tuple(sorted(found, key=_by_hypothesis_and_number))


def _by_hypothesis_and_number(review: StoredReview) -> tuple[str, int, str]:
    return review.hypothesis_id, review_number(review.stem), review.file


def find_manifest(run: Folder, hypothesis_id: str) -> FoundManifest:
    """The manifest of a hypothesis, where the layout has it or where the other tool leaves it."""
    lower = f"{hypothesis_id.lower()}.citations.json"
    places = (("citations", file_of(hypothesis_id)), ("citations", lower), ("raw/citations", lower))
    for place, name in places:
        found = _manifest_in(run, place.split("/"), name, hypothesis_id)
        if found is not None:
            return found
    return FoundManifest()


def _manifest_in(run: Folder, place: list[str], name: str, hypothesis_id: str) -> FoundManifest | None:
    if place:
        with run.sub(place[0]) as inner:
            return _manifest_in(inner, place[1:], name, hypothesis_id)
    if run.kind(name) is None:
        return None
    path = f"{run.path.name}/{name}"
    try:
        manifest = read_manifest(run.read(name), path)
    except DocumentError as error:
        listed = "; ".join(str(problem) for problem in error.problems[:3])
        return FoundManifest(fault=f"{error}{f' ({listed})' if listed else ''}")
    if manifest.target_id not in (None, "", hypothesis_id):
        return FoundManifest(fault=f"{path} is about {shorten(str(manifest.target_id), 40)}")
    return FoundManifest(manifest)


def core_claim(record: Mapping[str, Any] | None, named: tuple[str, ...] = ()) -> CoreClaim:
    """Which citations are core: those named on the command line and those that the evidence marks."""
    evidence = (record or {}).get("evidence")
    marked = [
        (entry["lit_id"], entry["core"])
        for entry in (evidence if isinstance(evidence, list) else ())
        if isinstance(entry, dict)
        and isinstance(entry.get("core"), bool)
        and isinstance(entry.get("lit_id"), str)
    ]
    keys = [citation_key(text) for text in (*named, *(lit_id for lit_id, core in marked if core))]
    return CoreClaim(frozenset(keys), stated=bool(named or marked))
