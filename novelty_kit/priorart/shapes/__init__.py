"""The shapes of this room's files as JSON Schemas (draft 2020-12), one file each.

They are published for other programs; the readers here check more than a schema can say.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

__all__ = ["SHAPES", "shape_of"]

SHAPES = {
    "collision-record": "The counts, the escalations and the coverage.",
    "collision-findings": "The findings packet.",
    "prior-art-record": "What `novelty priorart record --json` prints: both, and what became of each claim.",
    "claim-list": "What `novelty priorart extract` writes.",
    "search-log": "One line of what `novelty priorart search` writes.",
    "verdict-list": "What the adjudication page exports and `novelty priorart record` reads.",
}


def shape_of(name: str) -> dict[str, Any]:
    """The schema of that name; KeyError for another."""
    if name not in SHAPES:
        raise KeyError(name)
    schema: dict[str, Any] = json.loads(files(__package__).joinpath(f"{name}.json").read_text("utf-8"))
    return schema
