"""The name of a report's files: readable, safe on every file system, one for each candidate."""

from __future__ import annotations

import hashlib
import re

__all__ = ["slug"]

_UNSAFE = re.compile(r"[^A-Za-z0-9.-]", re.ASCII)
_MOST = 80


def slug(name: str) -> str:
    """Scheme, id with unsafe characters as ``_``, and eight hex digits of the name's sha256.

    Two names that differ only in characters that a file name cannot hold, or only in case, get two slugs.

    >>> slug("arxiv:hep-th/9901001")
    'arxiv-hep-th_9901001-5dd1a4b5'
    """
    digits = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    scheme, colon, rest = name.partition(":")
    parts = [scheme, rest] if colon and scheme.isalnum() and scheme.isascii() else [name]
    safe = "-".join(_UNSAFE.sub("_", part) for part in parts).strip(".-")
    return f"{safe[:_MOST].rstrip('.-') or 'candidate'}-{digits}"
