"""The two choices that the review rules leave open.

No network. No clock. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from novelty_kit.errors import PolicyError
from novelty_kit.output import shorten

__all__ = ["ReviewPolicy"]

LatestAxes = Literal["by_type", "literal"]
ThirdTrigger = Literal["literal", "decided_only"]

_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "latest_axes": ("by_type", "literal"),
    "third_trigger": ("literal", "decided_only"),
}


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    """How the rules are read where they can be read in two ways.

    Attributes
    ----------
    third_trigger : {"literal", "decided_only"}
        ``literal``: citations of which none is verified call for quarantine, whatever the reason.
        ``decided_only``: not where everything undecided is merely unverified, as after an outage.
    latest_axes : {"by_type", "literal"}
        ``by_type``: a safety or initial review never overrides an axis of a full, deep or recurrent one.
        ``literal``: the latest review decides, whatever its type.
    """

    third_trigger: ThirdTrigger = "literal"
    latest_axes: LatestAxes = "by_type"

    @classmethod
    def from_pairs(cls, pairs: Iterable[str]) -> ReviewPolicy:
        """Read ``name=value`` pairs, as ``--policy`` gives them; a later pair wins.

        Raises
        ------
        PolicyError
            The name or the value is unknown.
        """
        third: ThirdTrigger = "literal"
        axes: LatestAxes = "by_type"
        for pair in pairs:
            name, _, value = pair.partition("=")
            if name not in _VALUES:
                raise PolicyError(
                    f"unknown review policy {shorten(name, 40)!r}",
                    remedy=f"Known are {' and '.join(sorted(_VALUES))}",
                )
            if value not in _VALUES[name]:
                raise PolicyError(
                    f"review policy {name} does not take {shorten(value, 40)!r}",
                    remedy=f"It takes {' or '.join(_VALUES[name])}",
                )
            if name == "third_trigger":
                third = "decided_only" if value == "decided_only" else "literal"
            else:
                axes = "literal" if value == "literal" else "by_type"
        return cls(third, axes)
