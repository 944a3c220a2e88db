"""S values, presets, weights and the composite rating (review reference, section 9).

``S = (score - 1) / 4``, and 0.5 where an axis is not scored. The composite is an Elo moved by at most the
half of each weight; it is no Elo. No network. No clock. Nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from novelty_kit.errors import PolicyError
from novelty_kit.output import shorten
from novelty_kit.review.rubric import rubric
from novelty_kit.review.schema import is_integer

__all__ = [
    "AXIS_OF",
    "Weights",
    "composite_delta",
    "composite_deltas",
    "normalised",
    "normalised_axes",
    "preset_weights",
    "read_weights",
    "resolve_weights",
]

AXIS_OF: Final = {"goal": "goal_alignment", "constraint": "constraint_compliance", "novelty": "novelty"}
"""The composite's three components and the axis that each is made from, in the order of the sum."""

_NEUTRAL: Final = 0.5
# Larger ones would drown every Elo, and the largest floats would overflow in the sum.
_MAX_WEIGHT: Final = 1e6


@dataclass(frozen=True, slots=True)
class Weights:
    """The Elo points by which a full swing of each component moves a rating.

    Attributes
    ----------
    goal, constraint, novelty : float
        Finite and not negative.
    preset : str
        The preset that they began as.
    changed : bool
        Whether any of them was then set otherwise.
    """

    goal: float
    constraint: float
    novelty: float
    preset: str
    changed: bool = False

    def of(self, component: str) -> float:
        """The weight of one component."""
        return {"goal": self.goal, "constraint": self.constraint, "novelty": self.novelty}[component]

    def to_dict(self) -> dict[str, Any]:
        """The three weights, the preset's name, and whether it still describes them."""
        return asdict(self)

    def with_values(self, values: Mapping[str, float]) -> Weights:
        """The same weights with some set otherwise; a value equal to the present one changes nothing."""
        goal, constraint, novelty = (float(values.get(name, self.of(name))) for name in AXIS_OF)
        new = Weights(goal, constraint, novelty, self.preset, self.changed)
        same = all(new.of(name) == self.of(name) for name in AXIS_OF)
        return new if same else replace(new, changed=True)


def normalised(score: int | None) -> float:
    """S of one score; neutral where there is none."""
    return _NEUTRAL if score is None else (score - 1) / 4


def normalised_axes(scores: Mapping[str, Any]) -> dict[str, float]:
    """S of goal, constraint and novelty of one valid review."""
    return {
        component: normalised(int(scores[axis]) if is_integer(scores.get(axis)) else None)
        for component, axis in AXIS_OF.items()
    }


def composite_delta(axes: Mapping[str, float], weights: Weights) -> float:
    """What three S values add to an Elo: goal, then constraint, then novelty."""
    # Not sum(): since Python 3.12 it compensates, and the last digit would depend on the version.
    delta = weights.goal * (axes["goal"] - _NEUTRAL)
    delta += weights.constraint * (axes["constraint"] - _NEUTRAL)
    return delta + weights.novelty * (axes["novelty"] - _NEUTRAL)


def composite_deltas(axes: Mapping[str, float]) -> dict[str, float]:
    """What three S values add under each preset, by the preset's name."""
    return {name: composite_delta(axes, preset_weights(name)) for name in sorted(rubric().presets)}


def preset_weights(name: str) -> Weights:
    """The weights of a preset.

    Raises
    ------
    PolicyError
        There is no such preset.
    """
    if name not in rubric().presets:
        raise PolicyError(
            f"unknown preset {shorten(name, 40)!r}", remedy=f"Known are {', '.join(rubric().presets)}"
        )
    return Weights(*rubric().presets[name], preset=name)


def read_weights(text: str) -> dict[str, float]:
    """Read ``goal=50,novelty=20``; a component that is left out keeps its weight.

    Raises
    ------
    PolicyError
        An unknown component, one given twice, or a weight that is no finite number from 0 up.
    """
    values: dict[str, float] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = (part.strip() for part in pair.partition("="))
        name = name.lower()
        if not equals or name not in AXIS_OF or name in values:
            raise PolicyError(
                f"{shorten(pair, 40)!r} sets no weight", remedy="Write goal=50,constraint=50,novelty=20"
            )
        try:
            values[name] = float(number)
        except ValueError:
            values[name] = math.nan
        _require_weight(name, values[name], number)
    return values


def resolve_weights(
    configured: Mapping[str, Any] | None,
    *,
    preset: str | None = None,
    overrides: Mapping[str, float] | None = None,
) -> Weights:
    """The weights in force; later wins: balanced, the run's preset, its weights, the preset, the overrides.

    Parameters
    ----------
    configured : mapping or None
        ``tournament.composite`` of the run's ``run.yaml``.
    preset : str, optional
        Replaces all three weights.
    overrides : mapping, optional
        Single weights by component.

    Raises
    ------
    PolicyError
        An unknown preset or component, or a weight that is no finite number from 0 up.
    """
    configured = configured or {}
    weights = preset_weights(str(configured.get("preset") or rubric().default_preset))
    given = configured.get("weights") or {}
    if not isinstance(given, Mapping):
        raise PolicyError(
            "tournament.composite.weights of run.yaml holds no weights by name",
            remedy="Write goal, constraint and novelty with a number each",
        )
    set_in_run = {name: value for name, value in given.items() if value is not None}
    for name, value in set_in_run.items():
        _require_weight(str(name), value, value)
    weights = weights.with_values(set_in_run)
    if preset:
        weights = preset_weights(preset)
    for name, value in (overrides or {}).items():
        _require_weight(name, value, value)
    return weights.with_values(overrides or {})


def _require_weight(name: str, value: object, shown: object) -> None:
    if name not in AXIS_OF:
        raise PolicyError(f"unknown weight {shorten(name, 40)!r}", remedy=f"Known are {', '.join(AXIS_OF)}")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isinstance(value, int | float) or not 0 <= value <= _MAX_WEIGHT:
        raise PolicyError(
            f"the weight {shorten(str(shown), 40)!r} of {name} is no number from 0 to {_MAX_WEIGHT:.0f}",
            remedy="Give a number such as 50",
        )
