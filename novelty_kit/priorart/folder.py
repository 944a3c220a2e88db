"""A case as a folder: ``claims.json``, ``search_log.jsonl``, ``store/``, ``verdicts.json``; read, never written.

What a report, a notebook or the adjudication page needs to open one.
"""

from __future__ import annotations

from pathlib import Path

from novelty_kit.priorart.claims import read_claims
from novelty_kit.priorart.decisions import Case
from novelty_kit.priorart.proof import Prover
from novelty_kit.priorart.record import Record, build_record
from novelty_kit.priorart.references import ReferenceList
from novelty_kit.priorart.searchlog import read_search_log
from novelty_kit.priorart.store import TextStore
from novelty_kit.priorart.verdicts import read_verdicts

__all__ = ["open_case", "record_of"]


def open_case(folder: str | Path, artifact_text: str | None = None) -> Case:
    """Open a case for judging.

    Parameters
    ----------
    folder : path
        Where its files are; verdicts need not be there yet.
    artifact_text : str, optional
        The whole artifact, so that a quote from it is recognised.

    Raises
    ------
    DocumentError
        The claim list or the search log is missing or cannot be read.
    """
    root = Path(folder)
    claims = read_claims(str(root / "claims.json"))
    own = [claim.sentence or claim.text for claim in claims] + ([artifact_text] if artifact_text else [])
    prover = Prover(TextStore(root / "store"), own, ReferenceList(claims.references), claims.artifact_date)
    return Case(claims, read_search_log(str(root / "search_log.jsonl")), prover)


def record_of(folder: str | Path, *, lenient: bool = False, artifact_text: str | None = None) -> Record:
    """The record of a case whose verdicts are given.

    Parameters
    ----------
    folder : path
        Where its files are.
    lenient : bool, default False
        As for :func:`novelty_kit.priorart.build_record`.
    artifact_text : str, optional
        The whole artifact.

    Raises
    ------
    DocumentError
        A file is missing or cannot be read, or claims and verdicts do not fit.
    """
    root = Path(folder)
    verdicts = root / "verdicts.json"
    return build_record(
        read_verdicts(str(verdicts)),
        lenient=lenient,
        claims=read_claims(str(root / "claims.json"), lenient=lenient),
        log=read_search_log(str(root / "search_log.jsonl")),
        store=TextStore(root / "store"),
        artifact_text=artifact_text,
        path=str(verdicts),
    )
