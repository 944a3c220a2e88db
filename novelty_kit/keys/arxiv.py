"""arXiv ids: ``2408.06292`` since April 2007, ``hep-th/9901001`` before.

The version and the subject class are no part of the id. A number of the wrong width is refused, and where
it may have lost a zero the refusal says so. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Final

from novelty_kit.keys.text import BLANKS, refuse

_MONTH = "(?:0[1-9]|1[0-2])"
_OLD_YEAR = "(?:9[1-9]|0[0-7])"
_TIME_OF_4 = f"(?:07(?:0[4-9]|1[0-2])|(?:0[89]|1[0-4]){_MONTH})"
_TIME_OF_5 = f"(?:1[5-9]|[2-9][0-9]){_MONTH}"
_SOME_OF_4 = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"

NORMAL: Final = (
    rf"(?:{_TIME_OF_4}\.{_SOME_OF_4}|{_TIME_OF_5}\.(?:[1-9][0-9]{{4}}|0{_SOME_OF_4})"
    rf"|[a-z]+(?:-[a-z]+)?/{_OLD_YEAR}{_MONTH}[0-9]{{3}})"
)
SHAPE: Final = r"[0-9]{3,4}\.[0-9]|[a-z]+(?:-[a-z]+)?(?:\.[a-z-]+)?/[0-9]{4,7}(?![0-9])"
ADDRESS: Final = r"(?:export\.)?arxiv\.org/(?:abs|pdf|html)/"

_IS_NORMAL = re.compile(NORMAL)
_PARTS = re.compile(
    r"(?:(?P<time>[0-9]{3,4})\.(?P<number>[0-9]+)"
    r"|(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[a-z]+(?:-[a-z]+)?)?/(?P<serial>[0-9]+))"
    rf"(?P<version>v[0-9]+)?(?P<again>v[0-9]+)?(?:\.pdf)?(?:[{BLANKS}]*\[[a-z-]+(?:\.[a-z-]+)?\])?",
    re.ASCII | re.IGNORECASE,
)


def read_arxiv(body: str, text: str) -> tuple[str, str | None]:
    """Give the id and the version that was written, if any; `text` is what an error quotes."""
    found = _PARTS.fullmatch(body)
    if not found:
        refuse(text, "is no arXiv id", "arxiv")
    version = found["version"]
    if found["again"]:
        refuse(text, "names two versions", "arxiv")
    if version and version[1] == "0":
        refuse(text, "names version 0 or one with a leading zero", "arxiv")
    if found["archive"]:
        arxiv_id = f"{found['archive'].lower()}/{found['serial']}"
    else:
        arxiv_id = f"{found['time']}.{found['number']}"
    if not _IS_NORMAL.fullmatch(arxiv_id):
        fault = (
            _old_fault(found["serial"]) if found["archive"] else _new_fault(found["time"], found["number"])
        )
        refuse(text, fault, "arxiv")
    return arxiv_id, version.lower() if version else None


def _old_fault(serial: str) -> str:
    if len(serial) != 7:
        hint = f": a number that lost a zero, {serial:0>7}?" if len(serial) < 7 else ""
        return f"has {len(serial)} digits after the slash, not 7{hint}"
    if not re.match(_OLD_YEAR, serial):
        return f"is of the year {serial[:2]}, and ids with a slash are of 91 to 07"
    return f"is of month {serial[2:4]}"


def _new_fault(time: str, number: str) -> str:
    if len(time) == 3:
        return f"has 3 digits before the point: a number that lost a zero, 0{time}.{number:0<4}?"
    if not re.match(_MONTH, time[2:]):
        return f"is of month {time[2:]}"
    width = 4 if re.fullmatch(_TIME_OF_4, time) else 5 if re.fullmatch(_TIME_OF_5, time) else 0
    if not width:
        return f"is of {time}, and ids with a point begin with 0704"
    if len(number) < width:
        # Where a zero was lost cannot be told: at the end (read as a decimal) or in front (read as a count).
        lost = sorted({number.ljust(width, "0"), number.rjust(width, "0")})
        hint = " or ".join(f"{time}.{full}?" for full in lost)
        return f"has {len(number)} digits after the point, not {width}: a number that lost a zero, {hint}"
    if len(number) > width:
        return f"has {len(number)} digits after the point, and ids of {time} have {width}"
    return "has the number zero, and arXiv counts from 1"
