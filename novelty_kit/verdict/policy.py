"""The readings of the rules that a user may want otherwise (novelty reference, section 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from novelty_kit.errors import PolicyError
from novelty_kit.output import shorten

__all__ = ["Policy"]

InSampleOnly = Literal["neighborhood", "novel"]
CheckedZeroSubject = Literal["in_edges_decide", "covered"]
InEdgeCoverage = Literal["accept", "reject"]
GateScope = Literal["graph", "neighbourhood"]

_VALUES: dict[str, tuple[str, ...]] = {
    "in_sample_only": get_args(InSampleOnly),
    "checked_zero_subject": get_args(CheckedZeroSubject),
    "in_edge_coverage": get_args(InEdgeCoverage),
    "gate_scope": get_args(GateScope),
}
_MOST_YEARS = 9999


@dataclass(frozen=True, slots=True)
class Policy:
    """The switches of the rules; every result prints them.

    Attributes
    ----------
    in_sample_only : {'neighborhood', 'novel'}
        Whether overlap that is all held out is still a neighborhood.
    checked_zero_subject : {'in_edges_decide', 'covered'}
        Whether a subject with no references at all is covered by that alone.
    in_edge_coverage : {'accept', 'reject'}
        Whether a node may be covered by a citation that a read list shows.
    gate_scope : {'graph', 'neighbourhood'}
        Whether an unread list anywhere, or only around the subject, blocks `novel`.
    date_margin_years : int or 'off'
        A paper cannot cite one that appeared so many years later.
    """

    in_sample_only: InSampleOnly = "neighborhood"
    checked_zero_subject: CheckedZeroSubject = "in_edges_decide"
    in_edge_coverage: InEdgeCoverage = "accept"
    gate_scope: GateScope = "graph"
    date_margin_years: int | Literal["off"] = 3

    def __post_init__(self) -> None:
        for name, value in self.to_dict().items():
            if name != "date_margin_years":
                _value(name, value)
            elif _margin(value) != value:
                raise PolicyError(f"policy 'date_margin_years' does not take the text '{value}'")

    @classmethod
    def of(cls, given: Policy | Mapping[str, Any] | None) -> Policy:
        """A policy from a mapping; what it does not name keeps its default.

        Raises
        ------
        PolicyError
            An unknown name, or a value that it does not take.
        """
        if isinstance(given, Policy):
            return given
        chosen: dict[str, Any] = {}
        for name, value in (given or {}).items():
            if name not in {field.name for field in fields(cls)}:
                raise PolicyError(
                    f"no policy is named '{shorten(str(name), 60)}'",
                    remedy=f"Choose of {', '.join(f.name for f in fields(cls))}",
                )
            chosen[name] = _margin(value) if name == "date_margin_years" else _value(name, value)
        return cls(**chosen)

    @classmethod
    def parse(cls, settings: Iterable[str]) -> Policy:
        """A policy from ``name=value`` texts, as the command line gives them."""
        chosen = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals:
                raise PolicyError(
                    f"'{shorten(setting, 60)}' is no policy", remedy="Write --policy name=value"
                )
            if name.strip() in chosen:
                raise PolicyError(f"policy '{shorten(name.strip(), 60)}' is given twice")
            chosen[name.strip()] = value.strip()
        return cls.of(chosen)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in results."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _value(name: str, value: Any) -> str:
    if value not in _VALUES[name]:
        raise PolicyError(
            f"policy '{name}' does not take '{shorten(str(value), 60)}'",
            remedy=f"Choose {' or '.join(_VALUES[name])}",
        )
    return str(value)


def _margin(value: Any) -> int | Literal["off"]:
    if value == "off":
        return "off"
    is_text = isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value) is not None
    number = int(value) if is_text else value
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MOST_YEARS:
        raise PolicyError(
            f"policy 'date_margin_years' does not take '{shorten(str(value), 60)}'",
            remedy=f"Give a whole number of years from 0 to {_MOST_YEARS}, or off",
        )
    return number
