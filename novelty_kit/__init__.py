"""Say honestly whether a paper or claim is new, from a citation graph kept as an event log.

>>> import novelty_kit as nk
>>> graph = nk.open_graph("data/demo/events.jsonl")
>>> nk.check(graph, {"kind": "paper", "keys": {"arxiv": "2608.13940"}}).verdict
'duplicate'

Every verdict is relative to one log at one moment and comes with the lines that say so. Nothing here orders
candidates, and nothing says that a thing is new in the world.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novelty_kit.changes import diff, history, what_if
    from novelty_kit.errors import NoveltyKitError
    from novelty_kit.explorer import explore
    from novelty_kit.graph import Graph, open_graph
    from novelty_kit.passport import read_passport
    from novelty_kit.planning import plan
    from novelty_kit.priorart import read_claims
    from novelty_kit.review import open_run
    from novelty_kit.verdict.api import check, check_many
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy
    from novelty_kit.verdict.record import Verdict

__version__ = "0.1.0"

# Each name and the module that holds it; imported when first asked for, so that `import novelty_kit` is light.
_HOMES = {
    "Candidate": "novelty_kit.verdict.candidate",
    "Graph": "novelty_kit.graph",
    "NoveltyKitError": "novelty_kit.errors",
    "Policy": "novelty_kit.verdict.policy",
    "Verdict": "novelty_kit.verdict.record",
    "check": "novelty_kit.verdict.api",
    "check_many": "novelty_kit.verdict.api",
    "diff": "novelty_kit.changes",
    "explore": "novelty_kit.explorer",
    "history": "novelty_kit.changes",
    "open_graph": "novelty_kit.graph",
    "open_run": "novelty_kit.review",
    "plan": "novelty_kit.planning",
    "read_claims": "novelty_kit.priorart",
    "read_passport": "novelty_kit.passport",
    "what_if": "novelty_kit.changes",
}

__all__ = [
    "Candidate",
    "Graph",
    "NoveltyKitError",
    "Policy",
    "Verdict",
    "check",
    "check_many",
    "diff",
    "explore",
    "history",
    "open_graph",
    "open_run",
    "plan",
    "read_claims",
    "read_passport",
    "what_if",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    if name == "plot":
        return importlib.import_module("novelty_kit.plot")
    raise AttributeError(f"module 'novelty_kit' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "plot", "__version__"])
