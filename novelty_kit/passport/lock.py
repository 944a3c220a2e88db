"""The repro-lock: its canonical field set, and the suite version that tells an old passport from a new one.

The one owner of the key sets: the schema of an experiment's lock is compared with them by a test. Reads
no file. No clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from novelty_kit.passport.finding import Finding, Path, found, shown

__all__ = [
    "DECLARATION_REQUIRED_SINCE",
    "LOCK_BLOCKS",
    "LOCK_KEYS",
    "check_passport_lock",
    "is_proven_legacy",
    "version_tuple",
]

# The first suite release that writes intake declarations: a passport proven older owes none.
DECLARATION_REQUIRED_SINCE: Final = (3, 12, 0)

# Canonical top-level keys, in order; every one is required.
LOCK_KEYS: Final = (
    "schema_version",
    "stochasticity_declaration",
    "ars_version",
    "model",
    "prompts",
    "materials",
    "external_protocols",
    "cross_model",
)

# The keys that are blocks, with their own keys; every one is required.
LOCK_BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {
    "model": ("family", "id", "weight_stable"),
    "prompts": ("hash_timing", "skill_md_hash", "agents_bundle_hash"),
    "materials": ("list_hash", "count"),
    "external_protocols": ("s2_api_protocol_version", "s2_snapshot_available"),
    "cross_model": ("enabled", "secondary_model_id"),
}

_FIXED: Final = {"schema_version": "1.0", "hash_timing": "skill-load"}

# Dotted numbers, a leading v, and a pre-release or build tail that is read past.
_VERSION = re.compile(
    r"[vV]?(\d{1,9}(?:\.\d{1,9}){0,9})(?:-[0-9A-Za-z.-]{1,60}|[._-]?(?:a|b|rc|alpha|beta|dev|pre|post)\.?\d{0,9})?"
    r"(?:\+[0-9A-Za-z.-]{1,60})?",
    re.ASCII,
)


def version_tuple(text: object) -> tuple[int, ...] | None:
    """The numbers of a version, trailing zeros dropped; None when it cannot be ordered.

    A leading ``v`` is read past and a pre-release counts as its release.
    """
    match = _VERSION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_proven_legacy(body: Mapping[str, Any]) -> bool:
    """Whether the passport's own lock proves a suite older than the declarations.

    Anything that proves nothing (no lock, null, no version, a version that has no order) counts as current.
    """
    lock = body.get("repro_lock")
    version = version_tuple(lock.get("ars_version")) if isinstance(lock, Mapping) else None
    since = version_tuple(".".join(map(str, DECLARATION_REQUIRED_SINCE)))
    return version is not None and since is not None and version < since


def check_passport_lock(body: Mapping[str, Any]) -> tuple[Finding, ...]:
    """What the passport-level lock lacks, by its lenient rules.

    Unlike the lock of an experiment, unknown keys, leaf types and null blocks pass here, and the whole
    lock may be null (an honest opt-out). An absent lock is one finding.
    """
    if "repro_lock" not in body:
        return (found("repro-lock", (), "the passport has no repro_lock", "the block, or null to opt out"),)
    lock = body["repro_lock"]
    if lock is None:
        return ()
    if not isinstance(lock, Mapping):
        return (found("repro-lock", ("repro_lock",), "repro_lock is no object", "an object, or null"),)
    holders: list[tuple[Path, Mapping[str, Any], tuple[str, ...]]] = [(("repro_lock",), lock, LOCK_KEYS)]
    for block, keys in LOCK_BLOCKS.items():
        if isinstance(value := lock.get(block), Mapping):
            holders.append((("repro_lock", block), value, keys))
    findings = []
    for path, holder, keys in holders:
        for key in keys:
            if key not in holder:
                findings.append(found("repro-lock", path, f"key {key} is missing", "the key"))
            elif (wanted := _FIXED.get(key)) is not None and holder[key] not in (None, wanted):
                findings.append(
                    found("repro-lock", (*path, key), f"found {shown(holder[key])}", shown(wanted))
                )
    return tuple(findings)
