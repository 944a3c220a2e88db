"""One passport in memory: the document, where it came from, and what can be asked of it.

The file stays the source; nothing here writes. No network. No clock.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from novelty_kit.passport.finding import Finding, Path, shown
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.json_source import json_lines

if TYPE_CHECKING:
    import pandas as pd

    from novelty_kit.passport.judge import Judge
    from novelty_kit.passport.outcome import GateResult
    from novelty_kit.passport.prose import Manuscript
    from novelty_kit.passport.yaml_source import YamlLines

__all__ = ["Passport", "passport_hash"]


def passport_hash(body: Any) -> str:
    """sha256 of the canonical JSON of a document: keys sorted, no spaces, UTF-8, lone surrogates escaped."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


@dataclass(frozen=True)
class Passport:
    """A passport as read.

    Attributes
    ----------
    body : object
        The document: an object in a sound passport, anything JSON can hold in an unsound one.
    name : str
        The file as the user named it; ``<memory>`` or ``<stdin>`` without one.
    text : str, optional
        The JSON text, for the lines of findings.
    yaml_lines : YamlLines, optional
        The lines of a YAML file.
    """

    body: Any
    name: str = "<memory>"
    text: str | None = field(default=None, repr=False, compare=False)
    yaml_lines: YamlLines | None = field(default=None, repr=False, compare=False)

    @cached_property
    def passport_hash(self) -> str:
        """sha256 of the canonical JSON: the key under which its experiments are known elsewhere."""
        return passport_hash(self.body)

    @cached_property
    def index(self) -> PassportIndex:
        """Look-ups over the document; over an empty one where the document is no object."""
        body: Mapping[str, Any] = self.body if isinstance(self.body, dict) else {}
        return PassportIndex(body)

    def lines(self, paths: Iterable[Path]) -> dict[Path, int]:
        """The line of each path that is in the file; of its nearest parent where the path itself is not."""
        wanted = {path[:n] for path in paths for n in range(len(path) + 1)}
        if self.text is not None:
            known = json_lines(self.text, wanted)
        elif self.yaml_lines is not None:
            known = self.yaml_lines.lines(wanted)
        else:
            return {}
        return {path: line for path in paths if (line := _nearest(path, known)) is not None}

    def check(self, results: str | os.PathLike[str] | None = None) -> tuple[Finding, ...]:
        """Every finding of the shapes and the invariants.

        Parameters
        ----------
        results : path, optional
            Folder of real result files: declared results are then compared with what the files hold.

        Returns
        -------
        tuple of Finding
            In the order of work; empty where nothing is wrong.

        Notes
        -----
        Rules in ``novelty_kit/passport/invariants``, cases in ``tests/cases/passport``.
        """
        if results is None:
            return self._findings
        from novelty_kit.passport.check import check_passport

        return check_passport(self, results=results)

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        from novelty_kit.passport.check import check_passport

        return check_passport(self)

    def gate(
        self,
        stage: str | float = "4.5",
        manuscript: str | os.PathLike[str] | Manuscript | None = None,
        judge: Judge | None = None,
        surfaced: Mapping[str, Mapping[str, list[bool]]] | None = None,
        prose: bool = True,
        results: str | os.PathLike[str] | None = None,
    ) -> GateResult:
        """FAIL, PASS-WITH-NOTES or PASS, with every reason: what ``gate.gate_passport`` answers."""
        from novelty_kit.passport.gate import gate_passport

        return gate_passport(
            self,
            stage=stage,
            manuscript=manuscript,
            judge=judge,
            surfaced=surfaced,
            prose=prose,
            results=results,
        )

    def frames(self) -> dict[str, pd.DataFrame]:
        """The passport as pandas frames by table name; their columns are those of ``frames.sql``."""
        from novelty_kit.passport.frames import passport_frames

        return passport_frames(self)

    def __repr__(self) -> str:
        return f"Passport({shown(self.name)}, {self.passport_hash[:12]})"


def _nearest(path: Path, known: Mapping[Path, int]) -> int | None:
    return next((known[path[:n]] for n in range(len(path), -1, -1) if path[:n] in known), None)
