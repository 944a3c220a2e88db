"""What changed between two passports: experiments added, removed, renamed, changed, and plans left dangling.

Reads two passports. A rename is the same content under another id. No network. No clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from novelty_kit.passport.finding import Path, pointer_of
from novelty_kit.passport.index import Row
from novelty_kit.passport.record import Passport, passport_hash

__all__ = ["Dangling", "PassportDiff", "diff_passports"]


@dataclass(frozen=True, slots=True)
class Dangling:
    """A planned experiment id of the new passport that names no entry there."""

    manifest_id: str | None
    claim_id: str | None
    experiment_id: str
    pointer: str
    line: int | None
    resolved_before: bool

    def to_dict(self) -> dict[str, Any]:
        """The plan as ``--json`` gives it."""
        return {
            "manifest_id": self.manifest_id,
            "claim_id": self.claim_id,
            "experiment_id": self.experiment_id,
            "pointer": self.pointer,
            "line": self.line,
            "resolved_before": self.resolved_before,
        }


@dataclass(frozen=True, slots=True)
class PassportDiff:
    """What changed.

    Attributes
    ----------
    added, removed, changed : tuple of str
        Experiment ids, in file order; ``changed`` have the same id and other content.
    renamed : tuple of (str, str)
        Old and new id of entries whose content is the same.
    dangling : tuple of Dangling
        Plans of the new passport that name no entry; ``resolved_before`` says whether the old one had it.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    changed: tuple[str, ...]
    dangling: tuple[Dangling, ...]

    def to_dict(self) -> dict[str, Any]:
        """The difference as ``--json`` gives it."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "renamed": [{"from": old, "to": new} for old, new in self.renamed],
            "changed": list(self.changed),
            "dangling": [plan.to_dict() for plan in self.dangling],
        }


def diff_passports(old: Passport, new: Passport) -> PassportDiff:
    """Compare the experiments of two passports, and what the new one's claims plan.

    Notes
    -----
    Where several entries share one content, they are taken for renames of each other in file order. Entries
    without a usable id are passed over; the check reports them.
    """
    before, after = old.index.experiments, new.index.experiments
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    by_content: dict[str, list[str]] = {}
    for name in come:
        by_content.setdefault(_content(after[name]), []).append(name)
    renamed = []
    for name in gone:
        if same := by_content.get(_content(before[name])):
            renamed.append((name, same.pop(0)))
    olds, news = {old_name for old_name, _ in renamed}, {new_name for _, new_name in renamed}
    return PassportDiff(
        added=tuple(name for name in come if name not in news),
        removed=tuple(name for name in gone if name not in olds),
        renamed=tuple(renamed),
        changed=tuple(
            name for name in before if name in after and _content(before[name]) != _content(after[name])
        ),
        dangling=_dangling(old, new),
    )


def _content(entries: tuple[Row, ...]) -> str:
    """The entries of one id without that id, as one hash."""
    return passport_hash(
        [{key: value for key, value in entry.value.items() if key != "experiment_id"} for entry in entries]
    )


def _dangling(old: Passport, new: Passport) -> tuple[Dangling, ...]:
    plans: list[tuple[Path, Dangling]] = []
    for claim in new.index.claims:
        planned = claim.row.get("planned_experiment_ids")
        for place, name in enumerate(planned if isinstance(planned, list) else ()):
            if isinstance(name, str) and name not in new.index.experiments:
                path = claim.row.at("planned_experiment_ids", place)
                pointer = pointer_of(path)
                known = name in old.index.experiments
                plans.append((path, Dangling(claim.manifest_id, claim.claim_id, name, pointer, None, known)))
    lines = new.lines([path for path, _ in plans])
    return tuple(replace(plan, line=lines.get(path)) for path, plan in plans)
