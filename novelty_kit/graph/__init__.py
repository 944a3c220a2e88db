"""The event log as tables: load, cache, as-of, export.

Reads the log's files and a cache of them; writes only the cache, and a repaired or sealed log where that is
asked for. No network. No clock.
"""

from novelty_kit.graph.graph import Graph, open_graph

__all__ = ["Graph", "open_graph"]
