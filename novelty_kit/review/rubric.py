"""The rubric as values: axes and anchors, caps, triggers, conventions, presets, fixed texts.

Reads ``rubric.yaml`` beside it, once. Whoever changes a number or a text changes it there. No network. No
clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

__all__ = ["CORE_AXES", "OPTIONAL_AXES", "Axis", "ReviewType", "Rubric", "rubric"]

CORE_AXES: Final = ("correctness", "novelty", "testability", "safety")
"""The axes that every review scores, in the order of the mean."""

OPTIONAL_AXES: Final = ("goal_alignment", "constraint_compliance")


@dataclass(frozen=True, slots=True)
class Axis:
    """One thing that is scored from 1 to 5, with what each number means."""

    name: str
    required: bool
    asks: str
    anchors: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class ReviewType:
    """What a kind of review is expected to score and to bring."""

    name: str
    tools: tuple[str, ...]
    goal_alignment: str
    constraint_compliance: str
    citations: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """The whole rubric.

    Attributes
    ----------
    axes : mapping of str to Axis
    review_types : mapping of str to ReviewType
    weightier_types : tuple of str
        The types whose axes a review of another type never overrides.
    caps : mapping of str to int
        The most that correctness can be, by the code of the rule that says so.
    triggers, refusals, warnings : mapping of str to str
        What each code says, in one sentence; triggers in the order in which they are named.
    safe_at_most, phantoms_at_least, phantoms_one_in : int
        The thresholds of the triggers.
    texts : mapping of str to str
        The sentences that other tools search for, with fields in braces.
    presets : mapping of str to (goal, constraint, novelty)
    default_preset : str
    citations, rating, pairing, safety_screen : mapping
        As they stand in the file.
    """

    axes: Mapping[str, Axis]
    review_types: Mapping[str, ReviewType]
    weightier_types: tuple[str, ...]
    caps: Mapping[str, int]
    triggers: Mapping[str, str]
    refusals: Mapping[str, str]
    warnings: Mapping[str, str]
    safe_at_most: int
    phantoms_at_least: int
    phantoms_one_in: int
    texts: Mapping[str, str]
    presets: Mapping[str, tuple[float, float, float]]
    default_preset: str
    citations: Mapping[str, Any]
    rating: Mapping[str, Any]
    pairing: Mapping[str, Any]
    safety_screen: Mapping[str, Any]

    def says(self, code: str) -> str:
        """The sentence of a code."""
        for group in (self.warnings, self.refusals, self.triggers):
            if code in group:
                return group[code]
        raise KeyError(code)


@cache
def rubric() -> Rubric:
    """Read the rubric; later calls give the same object."""
    import yaml

    # The C loader reads the same ten times faster, and every command waits for it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = files("novelty_kit.review").joinpath("rubric.yaml").read_text(encoding="utf-8")
    raw = yaml.load(text, Loader=loader)
    triggers = raw["triggers"]
    return Rubric(
        axes=_frozen(
            {
                name: Axis(name, axis["required"], axis["asks"], _frozen(axis["anchors"]))
                for name, axis in raw["axes"].items()
            }
        ),
        review_types=_frozen(
            {
                name: ReviewType(
                    name,
                    tuple(kind["tools"]),
                    kind["goal_alignment"],
                    kind["constraint_compliance"],
                    kind["citations"],
                )
                for name, kind in raw["review_types"].items()
            }
        ),
        weightier_types=tuple(raw["weightier_types"]),
        caps=_frozen({code: cap["most"] for code, cap in raw["caps"].items()}),
        triggers=_frozen({code: trigger["says"] for code, trigger in triggers.items()}),
        refusals=_frozen(raw["refusals"]),
        warnings=_frozen(raw["warnings"]),
        safe_at_most=triggers["Q-SAFE"]["at_most"],
        phantoms_at_least=triggers["Q-PH2"]["at_least"],
        phantoms_one_in=triggers["Q-RATIO"]["one_in"],
        texts=_frozen(raw["texts"]),
        presets=_frozen(
            {
                name: (float(w["goal"]), float(w["constraint"]), float(w["novelty"]))
                for name, w in raw["composite"]["presets"].items()
            }
        ),
        default_preset=raw["composite"]["default"],
        citations=_frozen(raw["citations"]),
        rating=_frozen(raw["rating"]),
        pairing=_frozen(raw["pairing"]),
        safety_screen=_frozen(raw["safety_screen"]),
    )


def _frozen(mapping: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(mapping)
