"""The values of YAML scalars: null, booleans, numbers, texts, and nothing else.

Moments, sexagesimal numbers and version numbers stay the texts that they are. Reads nothing. No network.
No clock.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from novelty_kit.passport.finding import shown
from novelty_kit.passport.json_source import MAX_DIGITS

__all__ = ["CORE", "scalar_value"]

_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF")
_TRUE: Final = frozenset({"yes", "true", "on"})
_INT = re.compile(r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_NOT_A_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

CORE: Final = "tag:yaml.org,2002:"
_PLAIN_TAGS: Final = frozenset(CORE + name for name in ("str", "int", "float", "bool", "null", "timestamp"))


_TYPE_OF_TAG: Final[dict[str, Any]] = {
    CORE + "int": int,
    CORE + "float": (int, float),
    CORE + "bool": bool,
    CORE + "null": type(None),
}


def scalar_value(tag: str | None, is_plain: bool, text: str) -> Any:
    """The value of a scalar from its tag, its style and its text.

    Raises
    ------
    ValueError
        The tag names no core type, the text is not what the tag says, or no passport has room for it.
    """
    if tag not in (None, "!") and tag not in _PLAIN_TAGS:
        raise ValueError(f"tag {shown(tag)} is refused")
    if tag in ("!", CORE + "str", CORE + "timestamp") or (tag is None and not is_plain):
        return text
    value = _resolve(text)
    if tag is not None and not isinstance(value, _TYPE_OF_TAG[tag]):
        raise ValueError(f"{shown(text)} is not what its tag says")
    return value


def _resolve(text: str) -> Any:
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() in _TRUE
    if _NOT_A_NUMBER.fullmatch(text):
        raise ValueError(f"{text} is no number")
    is_whole, is_float = _INT.fullmatch(text), _FLOAT.fullmatch(text)
    if not is_whole and not is_float:
        return text
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    if is_whole:
        return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {shown(text)} is past what a number can hold")
    return number
