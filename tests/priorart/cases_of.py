"""A case folder made from a few papers and claims, for the tests of this room."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from novelty_kit.priorart.claims import ClaimList, claims_from
from novelty_kit.priorart.index import TextIndex
from novelty_kit.priorart.record import Record, build_record
from novelty_kit.priorart.search import GraphSource, search_claims
from novelty_kit.priorart.searchlog import SearchLog
from novelty_kit.priorart.store import TextStore
from novelty_kit.priorart.verdicts import verdicts_from

__all__ = ["PAPERS", "CaseFolder", "claim_list"]

PAPERS = (
    (
        "arxiv:2001.00001",
        "Merging spectral sketches",
        "We merge two spectral sketches in one pass over the data. The method does not need a shared seed. "
        "In 27 of 30 trials the merged sketch was within 2.5 units of the exact answer.",
        "2020-01-01",
    ),
    (
        "doi:10.5555/replay.7",
        "Lazy replay buffers for small memories",
        "Lazy replay keeps a fifth of all transitions. We study how much is lost when the buffer forgets.",
        "2019",
    ),
    ("pmid:123", "A survey of bees", "", None),
)


def claim_list(*texts: str, **more: Any) -> ClaimList:
    """Admissible claims C1, C2 … with these texts."""
    rows = [
        {
            "claim_id": f"C{number}",
            "text": text,
            "location": f"line {number}",
            "search_target": text,
            "admissible": True,
        }
        for number, text in enumerate(texts, start=1)
    ]
    return claims_from({"artifact": "draft.md", "novelty_claims": rows, "coverage_notes": []} | more)


class CaseFolder:
    """Claims that were searched in an index of papers, with the store that the search filled."""

    def __init__(
        self,
        folder: Path,
        claims: ClaimList | None = None,
        papers: Sequence[tuple[str, str | None, str | None, str | None]] = PAPERS,
    ) -> None:
        self.folder = folder
        self.claims = claim_list("We merge spectral sketches without a seed.") if claims is None else claims
        self.store = TextStore(folder / "store")
        self.log: SearchLog = search_claims(self.claims, [GraphSource(TextIndex.build(papers))], self.store)

    def sha256(self, paper_id: str) -> str:
        """The stored text of a paper that was found."""
        for search in self.log.searches:
            for work in search.candidates:
                if work.id == paper_id:
                    return work.text_sha256
        raise KeyError(paper_id)

    def quote(self, text: str, paper_id: str = "arxiv:2001.00001", **span: int) -> dict[str, Any]:
        """A quote from a paper."""
        return {"text": text, "text_sha256": self.sha256(paper_id)} | span

    def record(self, verdicts: Sequence[Mapping[str, Any]], **options: Any) -> Record:
        """The record of these verdicts."""
        given = {"claims": self.claims, "log": self.log, "store": self.store} | options
        return build_record(verdicts_from(list(verdicts)), **given)

    def write(self, verdicts: Sequence[Mapping[str, Any]] = ()) -> Path:
        """The case as files; gives back the verdict list's path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "claims.json").write_text(json.dumps(self.claims.to_dict()), "utf-8")
        (self.folder / "search_log.jsonl").write_text(self.log.to_lines(), "utf-8")
        path = self.folder / "verdicts.json"
        path.write_text(json.dumps(list(verdicts)), "utf-8")
        return path
