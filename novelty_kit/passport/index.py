"""A passport's content, indexed once for the rules: rows, claims, experiments, constraints.

Reads nothing but the parsed document and never changes it. Off-type values are passed over here (the
schema check reports them); ids are compared as exact texts. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from novelty_kit.passport.finding import Path

__all__ = ["Claim", "PassportIndex", "Row", "objects_in"]


@dataclass(frozen=True, slots=True)
class Row:
    """One object of an array, with its path in the document."""

    path: Path
    value: Mapping[str, Any]

    def get(self, key: str) -> Any:
        """The value of a key; a missing key reads as null."""
        return self.value.get(key)

    def text(self, key: str) -> str | None:
        """The value of a key where it is a text, else None."""
        value = self.value.get(key)
        return value if isinstance(value, str) else None

    def at(self, *parts: str | int) -> Path:
        """The path of something inside the row."""
        return (*self.path, *parts)

    def place(self, key: str) -> Path:
        """The path of a key, or of the row where it lacks the key."""
        return (*self.path, key) if key in self.value else self.path

    def within(self, key: str) -> Iterator[Row]:
        """The object members of an array of this row."""
        return objects_in(self.value.get(key), self.at(key))


def objects_in(value: Any, path: Path) -> Iterator[Row]:
    """The object members of an array, each with its path; nothing where it is no array."""
    if isinstance(value, list):
        for place, member in enumerate(value):
            if isinstance(member, dict):
                yield Row((*path, place), member)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a manifest, joined to the manifest's id."""

    row: Row
    manifest_id: str | None
    claim_id: str | None

    @property
    def pair(self) -> tuple[str, str] | None:
        """(manifest id, claim id): the only key by which claims are joined; None where one is no text."""
        return (self.manifest_id, self.claim_id) if self.manifest_id and self.claim_id else None

    @property
    def plan(self) -> list[str]:
        """The planned experiment ids that are texts, in order, repeats kept."""
        planned = self.row.get("planned_experiment_ids")
        return [item for item in planned if isinstance(item, str)] if isinstance(planned, list) else []


@dataclass(frozen=True)
class PassportIndex:
    """Look-ups over one passport; `body` is an object.

    Attributes
    ----------
    body : mapping
        The document.
    """

    body: Mapping[str, Any]

    def rows(self, array: str) -> tuple[Row, ...]:
        """The object members of a passport array."""
        return self._rows[array] if array in self._rows else tuple(objects_in(self.body.get(array), (array,)))

    @cached_property
    def _rows(self) -> Mapping[str, tuple[Row, ...]]:
        return {
            key: tuple(objects_in(value, (key,)))
            for key, value in self.body.items()
            if isinstance(value, list)
        }

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim of every manifest, also those without a usable id, in document order."""
        return tuple(
            Claim(claim, manifest.text("manifest_id"), claim.text("claim_id"))
            for manifest in self.rows("claim_intent_manifests")
            for claim in manifest.within("claims")
        )

    @cached_property
    def claim_ids(self) -> Mapping[str, frozenset[str]]:
        """Manifest id to the claim ids in it; a manifest without claims is there with none."""
        ids: dict[str, set[str]] = {}
        for manifest in self.rows("claim_intent_manifests"):
            if manifest_id := manifest.text("manifest_id"):
                known = ids.setdefault(manifest_id, set())
                known.update(
                    claim_id for claim in manifest.within("claims") if (claim_id := claim.text("claim_id"))
                )
        return {key: frozenset(value) for key, value in ids.items()}

    def has_claim(self, manifest_id: Any, claim_id: Any) -> bool:
        """Whether the pair names a claim; anything but two texts names none."""
        if not (isinstance(manifest_id, str) and isinstance(claim_id, str)):
            return False
        return claim_id in self.claim_ids.get(manifest_id, frozenset())

    @cached_property
    def experiments(self) -> Mapping[str, tuple[Row, ...]]:
        """Experiment id to its entries: more than one where the id is repeated."""
        entries: dict[str, list[Row]] = {}
        for entry in self.rows("experiment_provenance"):
            if experiment_id := entry.text("experiment_id"):
                entries.setdefault(experiment_id, []).append(entry)
        return {key: tuple(value) for key, value in entries.items()}

    @cached_property
    def n_provenance(self) -> int:
        """Length of the raw provenance array, off-shape members included; 0 where it is no array."""
        value = self.body.get("experiment_provenance")
        return len(value) if isinstance(value, list) else 0

    @cached_property
    def constraint_owners(self) -> Mapping[str, Mapping[str, tuple[Row, ...]]]:
        """Manifest id to constraint id to what declares it: the manifest, or the claim that owns it."""
        found: dict[str, dict[str, list[Row]]] = {}
        for manifest in self.rows("claim_intent_manifests"):
            manifest_id = manifest.text("manifest_id")
            if not manifest_id:
                continue
            owners = found.setdefault(manifest_id, {})
            for constraint in manifest.within("manifest_negative_constraints"):
                if constraint_id := constraint.text("constraint_id"):
                    owners.setdefault(constraint_id, []).append(manifest)
            for claim in manifest.within("claims"):
                for constraint in claim.within("negative_constraints"):
                    if constraint_id := constraint.text("constraint_id"):
                        owners.setdefault(constraint_id, []).append(claim)
        return {key: {k: tuple(v) for k, v in value.items()} for key, value in found.items()}
