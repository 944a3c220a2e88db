"""Pictures of verdicts and graphs: matplotlib figures that need no colour to be read.

Reads a verdict or a graph; writes nothing. Each picture says in its title what it shows, carries the same in
words (``alt``), is drawn to the same bytes every time, and is cut with counts where there is too much to draw.
No global state of pyplot is touched. Text from data is never read as markup or mathematics. No network. No clock.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novelty_kit.plot.around import neighbourhood
    from novelty_kit.plot.bars import coverage, overlap
    from novelty_kit.plot.health import blocking, dates, degrees
    from novelty_kit.plot.over_time import coverage_over_time, timeline
    from novelty_kit.plot.picture import Picture

# Each name and the module that holds it; matplotlib is imported with the first picture.
_HOMES = {
    "Picture": "novelty_kit.plot.picture",
    "blocking": "novelty_kit.plot.health",
    "coverage": "novelty_kit.plot.bars",
    "coverage_over_time": "novelty_kit.plot.over_time",
    "dates": "novelty_kit.plot.health",
    "degrees": "novelty_kit.plot.health",
    "neighbourhood": "novelty_kit.plot.around",
    "overlap": "novelty_kit.plot.bars",
    "timeline": "novelty_kit.plot.over_time",
}

__all__ = [
    "Picture", "blocking", "coverage", "coverage_over_time", "dates", "degrees", "neighbourhood", "overlap", "timeline",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'novelty_kit.plot' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
