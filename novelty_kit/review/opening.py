"""Opening a run directory: does it hold a run, and does it stay where it belongs?

Reads names only. No network. No clock. Nothing is written.
"""

from __future__ import annotations

from pathlib import Path

from novelty_kit.errors import InputError
from novelty_kit.review.folder import Folder
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.run import Run
from novelty_kit.review.store import FOLDERS

__all__ = ["open_run"]


def open_run(path: str | Path, base: str | Path | None = None, policy: ReviewPolicy | None = None) -> Run:
    """Open a run directory, made here or by the other tools of the layout.

    Parameters
    ----------
    path : str or Path
        The directory; with `base`, the run's id.
    base : str or Path, optional
        The directory that holds the runs. The run must lie inside it.
    policy : ReviewPolicy, optional

    Returns
    -------
    Run

    Raises
    ------
    InputError
        There is no run there, or the id leads out of the base.
    """
    where = Path(path)
    if base is not None:
        if where.is_absolute() or ".." in where.parts or str(path) in ("", "."):
            raise InputError(
                f"the run id {str(path)!r:.80} does not stay inside the base",
                remedy="A run id is the name of a folder in the base",
            )
        where = Path(base) / where
        if where.exists() and not where.resolve().is_relative_to(Path(base).resolve()):
            raise InputError(
                f"the run {str(path)!r:.80} lies outside the base",
                path=str(where),
                remedy="A run id is the name of a folder in the base, not of a link out of it",
            )
    with Folder.open(where) as run:
        if not any(run.kind(name) for name in ("run.yaml", *FOLDERS)):
            raise InputError(
                "holds no run",
                path=str(where),
                remedy="A run has run.yaml, or folders such as hypotheses/ and reviews/",
            )
    return Run(where, policy or ReviewPolicy())
