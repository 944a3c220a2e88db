"""The base passport and the cases under tests/cases/passport: how a case changes one and what it expects."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from novelty_kit.passport import Passport

CASES = Path(__file__).resolve().parent.parent / "cases" / "passport"


def load_yaml(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader=StringMoments)


class StringMoments(yaml.SafeLoader):
    """The safe loader, with moments kept as texts."""


StringMoments.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}

_BASE = json.loads(json.dumps(load_yaml(CASES / "base.yaml")))


def base() -> dict[str, Any]:
    """A fresh copy of the clean passport."""
    return copy.deepcopy(_BASE)


def _holder(body: Any, pointer: str) -> tuple[Any, Any]:
    *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    for part in parents:
        body = body[int(part)] if isinstance(body, list) else body[part]
    return body, int(last) if isinstance(body, list) else last


def changed(given: dict[str, Any], start: dict[str, Any] | None = None) -> Any:
    """The base passport with members copied to the end of their arrays, values set, and keys removed."""
    body: Any = base() if start is None else copy.deepcopy(start)
    for pointer, times in given.get("copy", {}).items():
        holder, key = _holder(body, pointer)
        holder.extend(copy.deepcopy(holder[key]) for _ in range(times))
    for pointer, value in given.get("set", {}).items():
        holder, key = _holder(body, pointer)
        holder[key] = copy.deepcopy(value)
    for pointer in given.get("remove", []):
        holder, key = _holder(body, pointer)
        del holder[key]
    return body


def tags(passport: Passport) -> dict[str, int]:
    """How often each tag is found."""
    return dict(Counter(finding.tag for finding in passport.check()))


def rule_files() -> list[Path]:
    return sorted((CASES / "rules").glob("*.yaml"))


def rule_cases() -> list[tuple[str, dict[str, Any]]]:
    """Rule id and case, over all rules."""
    found = []
    for path in rule_files():
        document = load_yaml(path)
        found += [(document["rule"], case) for case in document["cases"]]
    return found


def every_place(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a document."""
    places: list[tuple[Any, ...]] = []
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        places.append((*path, key))
        places += every_place(member, (*path, key))
    return places
