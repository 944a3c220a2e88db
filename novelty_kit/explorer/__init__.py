"""Living in a graph: one candidate, a slider along the log, and what would be if.

Reads a graph; writes nothing, and the log is never touched. Every function that says something is pure and takes
a :class:`View`; the widgets only wire them together, hold no rule, and use neither ``Output`` nor ``interact``,
which hang now and then where notebooks run without a person. Text from data is escaped. No network. No clock.
"""

from novelty_kit.explorer.api import explore
from novelty_kit.explorer.view import Supposed, View

__all__ = ["Supposed", "View", "explore"]
