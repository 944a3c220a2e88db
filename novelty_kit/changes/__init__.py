"""Why a verdict changed: history along the log, differences between two points, and what would be if.

Reads the graph's log and candidates; writes nothing but its own index in the cache folder. The log is never
touched. No network, no clock, no random number.
"""

from novelty_kit.changes.api import history
from novelty_kit.changes.difference import diff
from novelty_kit.changes.record import Change, Difference, Differing, History, WhatIf
from novelty_kit.changes.what_if import what_if

__all__ = ["Change", "Difference", "Differing", "History", "WhatIf", "diff", "history", "what_if"]
