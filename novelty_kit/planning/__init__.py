"""The cheapest way out of `unknown`: the fewest lookups that make verdicts decidable, call by call.

Reads a graph and candidates; writes nothing and asks nobody. What a plan says holds if every lookup is answered
and shows no new link: then the named verdicts are decided. A link that is found decides them sooner. No network.
No clock.
"""

from novelty_kit.planning.plan import Batch, Plan, Undecidable, plan

__all__ = ["Batch", "Plan", "Undecidable", "plan"]
