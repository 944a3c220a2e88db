"""The database engine, without what a short command does not need.

``import duckdb`` takes four times as long as the compiled module below it that does the work; the rest are relations
and user functions in Python, which are loaded where they are used. Both names mean the same classes.
"""

from __future__ import annotations

try:
    from _duckdb import Error, __version__, connect
except ImportError:  # a build of duckdb that is arranged otherwise
    from duckdb import Error, __version__, connect

__all__ = ["Error", "__version__", "connect"]
