"""The database engine, without what a short command does not need.

``import duckdb`` takes four times as long as the compiled module below it that does the work. What the rest adds, every
connection of the process learns when it is imported: relations (``sql``), Arrow in and out.
"""

from __future__ import annotations

import importlib

try:
    from _duckdb import Error, __version__, connect
except ImportError:  # a build of duckdb that is arranged otherwise
    from duckdb import Error, __version__, connect

__all__ = ["Error", "__version__", "connect", "learn_arrow"]


def learn_arrow() -> None:
    """Make every connection, open ones too, able to run ``sql``, to give Arrow and to take it."""
    importlib.import_module("duckdb")
