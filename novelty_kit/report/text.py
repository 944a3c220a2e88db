"""Text from data on a page: harmless, on one line where it must be, cut where it is too long."""

from __future__ import annotations

import unicodedata

__all__ = ["for_page"]

_MOST = 300
# Invisible, yet part of how some scripts and emoji are written.
_JOINERS = {"\u200c", "\u200d"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def for_page(text: object, most: int = _MOST) -> str:
    """Text for HTML before it is escaped: what acts on the reader's screen without being seen is shown as ``\\u202e``.

    Parameters
    ----------
    text : object
        Shown as its ``str``.
    most : int
        Longer text is cut, and says how long it was.
    """
    given = str(text)
    shown = given if len(given) <= most else f"{given[:most]}… ({len(given):,} characters, cut)"
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(_visible(c) for c in shown)


def _visible(c: str) -> str:
    if c in "\n\t":
        return " "
    if c in _JOINERS or unicodedata.category(c) not in _HIDDEN:
        return c
    return c.encode("unicode_escape").decode("ascii")
