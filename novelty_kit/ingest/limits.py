"""What each service allows: the table ``limits.toml`` beside this file. No network. No clock."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from novelty_kit.errors import InputError

__all__ = ["SOURCES", "WITNESSES", "Limits", "load_limits"]

SOURCES: Final = ("openalex", "crossref", "s2", "arxiv")
"""The services whose answers go into the log."""

WITNESSES: Final = ("datacite", "doi", "europepmc", "clinicaltrials")
"""The services that are only asked whether a citation is right."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one service.

    Attributes
    ----------
    source : str
        Its name.
    read_on : str
        The day on which its documentation was read.
    base_url : str
        Where it is asked.
    requests_per_s : float
        How often, at most.
    batch, page : int
        Ids in one question, results on one page.
    url_bytes : int
        The longest question.
    shared_pace : bool
        Whether all processes of this user take turns.
    key_variable : str or None
        The environment variable with the key.
    timeout_s, total_s : float
        How long to wait for the next bytes, and for a whole answer.
    tries : int
        How often one question is asked at most.
    wait_s : float
        How long a run may wait for retries in all; beyond it a lookup fails at once.
    max_bytes : int
        The largest answer, unpacked.
    """

    source: str
    read_on: str
    base_url: str
    requests_per_s: float
    batch: int
    page: int
    url_bytes: int
    shared_pace: bool
    key_variable: str | None = None
    timeout_s: float = 30.0
    total_s: float = 120.0
    tries: int = 4
    wait_s: float = 120.0
    max_bytes: int = 64 << 20

    def at(self, base_url: str) -> Limits:
        """The same limits for a service at another address."""
        return replace(self, base_url=base_url.rstrip("/"))


@cache
def _table() -> dict[str, dict[str, object]]:
    return tomllib.loads(files("novelty_kit.ingest").joinpath("limits.toml").read_text("utf-8"))


def load_limits(source: str) -> Limits:
    """The limits of a service by its name.

    Raises
    ------
    InputError
        There is no such service.
    """
    if source not in (*SOURCES, *WITNESSES):
        raise InputError(f"unknown source {source!r:.80}", remedy=f"Expected one of {', '.join(SOURCES)}")
    row = {name: value for name, value in _table()[source].items() if name != "documentation"}
    return Limits(source=source, **{**row, "read_on": str(row["read_on"])})  # type: ignore[arg-type]
