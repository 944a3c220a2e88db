"""Changing a claim list by hand, without its widgets: what a button does, and what is saved.

An editor holds one claim file. Every act is one edit of :mod:`novelty_kit.priorart.edits`, kept with who and
why, and is saved whole before it returns; an act that is refused changes nothing and says why. A file that
somebody else has changed meanwhile is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from novelty_kit.errors import DocumentError, NoveltyKitError
from novelty_kit.output import for_terminal, shorten
from novelty_kit.priorart.claims import ClaimList, read_claims, write_claims
from novelty_kit.priorart.edits import add_claim, drop_claim, merge_claims, reword_claim, split_claim

__all__ = ["ClaimEditor"]


class ClaimEditor:
    """One person at one claim list.

    Parameters
    ----------
    path : path
        The claim list; it is read now and written at every act.
    by : str
        Who edits.

    Raises
    ------
    DocumentError
        The file is missing or is no claim list, or nobody is named.
    """

    def __init__(self, path: str | Path, by: str) -> None:
        if not by.strip():
            raise DocumentError("an edit is somebody's", remedy="Say who edits")
        self._path, self._by = Path(path), by
        self.claims = read_claims(str(path))
        self.message = "Every change is kept with who and why."

    def labels(self) -> list[tuple[str, str]]:
        """A line for each claim of newness, with its id."""
        return [
            (shorten(for_terminal(f"{claim.claim_id} {claim.text}"), 120), claim.claim_id)
            for claim in self.claims.admissible
        ]

    def add(self, text: str, location: str, why: str) -> bool:
        """Add a claim that the extractor did not see; whether it was done."""
        return self._act(lambda: add_claim(self.claims, text, location, by=self._by, why=why))

    def reword(self, chosen: Sequence[str], text: str, why: str) -> bool:
        """Put other words in the place of the one claim that is chosen."""
        return self._act(lambda: reword_claim(self.claims, _one(chosen), text, by=self._by, why=why))

    def split(self, chosen: Sequence[str], text: str, why: str) -> bool:
        """Put several claims, a line each, in the place of the one that is chosen."""
        parts = [line for line in text.split("\n") if line.strip()]
        return self._act(lambda: split_claim(self.claims, _one(chosen), parts, by=self._by, why=why))

    def merge(self, chosen: Sequence[str], text: str, why: str) -> bool:
        """Put one claim in the place of those that are chosen."""
        return self._act(lambda: merge_claims(self.claims, chosen, text, by=self._by, why=why))

    def drop(self, chosen: Sequence[str], why: str) -> bool:
        """Take the one claim that is chosen out of the list."""
        return self._act(lambda: drop_claim(self.claims, _one(chosen), by=self._by, why=why))

    def _act(self, edit: Callable[[], ClaimList]) -> bool:
        try:
            changed = edit()
            if read_claims(str(self._path)) != self.claims:
                raise DocumentError(
                    "the list was changed meanwhile", path=self._path.name, remedy="Open it again"
                )
            write_claims(changed, self._path)
        except NoveltyKitError as error:
            self.message = f"NOT CHANGED: {error}"
            return False
        self.claims = changed
        edited = changed.edits[-1]
        named = ", ".join(claim.claim_id for claim in (edited.after or edited.before))
        self.message = f"{edited.op}: {named}. Saved; new words have to be searched for."
        return True


def _one(chosen: Sequence[str]) -> str:
    if len(chosen) != 1:
        raise DocumentError("exactly one claim has to be chosen for that", remedy="Choose it in the list")
    return chosen[0]
