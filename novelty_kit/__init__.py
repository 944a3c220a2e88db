"""Say honestly whether a paper or claim is new, from a citation graph kept as an event log."""

from __future__ import annotations

__version__ = "0.1.0"
