"""What a check of a passport reports: one finding, located.

Reads nothing. A finding is a value, never an exception; text from the passport is cut before it is
shown. No network. No clock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from novelty_kit.output import shorten

__all__ = ["SHOWN_WIDTH", "Finding", "Path", "found", "pointer_of", "shown"]

Path = tuple[str | int, ...]

# Texts of the passport are cut to this many code points wherever they are shown.
SHOWN_WIDTH: Final = 120


def pointer_of(path: Path) -> str:
    """JSON Pointer (RFC 6901) of a path of keys and indexes; the whole document is the empty string."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def shown(value: Any) -> str:
    """A value as it may stand in a message: JSON for scalars, a count for the rest; cut at 120."""
    if isinstance(value, str):
        return shorten(json.dumps(value[: SHOWN_WIDTH + 1], ensure_ascii=False), SHOWN_WIDTH)
    if isinstance(value, Mapping):
        return f"an object of {len(value)} keys"
    if isinstance(value, list):
        return f"an array of {len(value)} items"
    return shorten(json.dumps(value), SHOWN_WIDTH)


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a passport breaks, and where.

    Attributes
    ----------
    tag : str
        ``schema``, ``matrix``, ``result`` or the id of an invariant such as ``EP-INV-4``.
    pointer : str
        JSON Pointer to the offending value; for a missing key, to the object that lacks it.
    message : str
        What was found.
    expected : str
        What the rule asks for.
    line : int or None
        1-based line of the YAML or JSON file; None where the passport came from no file.
    at : tuple
        Path whose line is shown (an unknown key, say, while the pointer names its object).
    """

    tag: str
    pointer: str
    message: str
    expected: str
    line: int | None = None
    at: Path = field(default=(), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The finding as the command line's ``--json`` gives it."""
        return {
            "tag": self.tag,
            "pointer": self.pointer,
            "line": self.line,
            "message": self.message,
            "expected": self.expected,
        }


def found(tag: str, path: Path, message: str, expected: str, *, at: Path | None = None) -> Finding:
    """A finding at a path; its line is filled in by the check, once for all of them."""
    return Finding(tag, pointer_of(path), message, expected, None, path if at is None else at)
