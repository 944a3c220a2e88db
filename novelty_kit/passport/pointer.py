"""Result pointers: what `file#metric`, a JSON Pointer or `planned_vs_executed[i]` names inside an entry.

Reads the entry only; real result files are the business of `results`. No network. No clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

__all__ = ["NOTHING", "Target", "resolve_pointer"]

_UNIT = re.compile(r"planned_vs_executed\[(\d{1,9})\]", re.ASCII)
_INDEX = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Target:
    """What a result pointer names.

    Attributes
    ----------
    exists : bool
        Whether the pointer names anything in the entry.
    file : str or None
        The result file, where one is named by the pointer or by the unit it names.
    metric : str or None
        The metric, likewise.
    names_metric : bool
        Whether the pointer itself names the metric, behind its ``#``.
    unit : int or None
        Place in ``planned_vs_executed`` of the one unit that is meant.
    n_units : int
        How many units fit: more than one leaves open which is meant.
    executed : bool or None
        Whether that unit ran; None where no single unit is meant.
    has_value : bool
        Whether a value is declared there (null counts as none).
    value : object
        The declared value.
    """

    exists: bool
    file: str | None = None
    metric: str | None = None
    unit: int | None = None
    n_units: int = 0
    executed: bool | None = None
    has_value: bool = False
    value: Any = None
    names_metric: bool = False


NOTHING: Final = Target(False)


def resolve_pointer(pointer: str, entry: Mapping[str, Any]) -> Target:
    """What a result pointer names in an entry of experiment_provenance; never raises over the content.

    A text that starts with a slash is a JSON Pointer where it names something and a file name otherwise. A
    file name is followed by ``#`` and a metric; the last ``#`` counts.
    """
    units = entry.get("planned_vs_executed")
    if match := _UNIT.fullmatch(pointer):
        return _unit(units, int(match[1]))
    if pointer.startswith("/"):
        target = _json_pointer(pointer, entry)
        if target.exists or "#" not in pointer:
            return target
    file, mark, metric = pointer.rpartition("#")
    return _file(file if mark else metric, metric if mark and metric else None, entry)


def _units(units: Any) -> list[Mapping[str, Any]]:
    return [unit if isinstance(unit, dict) else {} for unit in units] if isinstance(units, list) else []


def _text(unit: Mapping[str, Any], key: str) -> str | None:
    value = unit.get(key)
    return value if isinstance(value, str) else None


def _unit(units: Any, place: int) -> Target:
    known = _units(units)
    if place >= len(known):
        return NOTHING
    unit = known[place]
    return Target(
        exists=True,
        file=_text(unit, "result_file"),
        metric=_text(unit, "metric"),
        unit=place,
        n_units=1,
        executed=unit.get("executed") if isinstance(unit.get("executed"), bool) else None,
        has_value=unit.get("value") is not None,
        value=unit.get("value"),
    )


def _json_pointer(pointer: str, entry: Mapping[str, Any]) -> Target:
    value: Any = entry
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    for part in parts:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and _INDEX.fullmatch(part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return NOTHING
    if parts[0] == "planned_vs_executed" and len(parts) >= 2:
        unit = _unit(entry["planned_vs_executed"], int(parts[1]))
        if len(parts) == 2:
            return unit
        return Target(True, unit.file, unit.metric, unit.unit, 1, unit.executed, value is not None, value)
    return Target(True, has_value=value is not None, value=value)


def _file(file: str, metric: str | None, entry: Mapping[str, Any]) -> Target:
    places = [
        place
        for place, unit in enumerate(_units(entry.get("planned_vs_executed")))
        if _text(unit, "result_file") == file and (metric is None or _text(unit, "metric") == metric)
    ]
    if len(places) == 1:
        unit = _unit(entry.get("planned_vs_executed"), places[0])
        return replace(unit, file=file, names_metric=metric is not None)
    negatives = [
        negative for negative in _units(entry.get("negative_results")) if negative.get("result_file") == file
    ]
    exists = bool(places) or (metric is None and bool(negatives))
    return Target(exists, file, metric, n_units=len(places), names_metric=metric is not None)
