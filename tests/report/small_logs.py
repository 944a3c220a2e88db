"""A small log, and a candidate that cites into it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from novelty_kit.report.outcome import Outcome

LOG = [
    {
        "table": "paper",
        "row": {"lom_id": "arxiv:2001.00001", "title": "A read paper", "publication_date": "2020"},
    },
    {"table": "references_checked", "row": {"lom_id": "arxiv:2001.00001", "status": "ok", "n_refs": 1}},
    {
        "table": "citation_edge",
        "row": {"citing_lom_id": "arxiv:2001.00001", "cited_lom_id": "doi:10.1000/stub"},
    },
    {
        "table": "paper",
        "row": {"lom_id": "arxiv:2002.00002", "title": "A paper with a claim", "publication_date": "2020"},
    },
    {"table": "references_checked", "row": {"lom_id": "arxiv:2002.00002", "status": "ok", "n_refs": 0}},
    {
        "table": "claim",
        "row": {"claim_id": "c1", "about_lom_id": "arxiv:2002.00002", "statement": "Water is wet."},
    },
]


def write_log(path: Path, *more: dict[str, Any]) -> Path:
    events = [{"op": "upsert", **event} for event in (*LOG, *more)]
    path.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return path


def paper(label: str = "p", **more: Any) -> dict[str, Any]:
    """A paper that cites the read one and a stub, and states so."""
    return {
        "id": label,
        "kind": "paper",
        "keys": {"doi": "10.1000/new"},
        "references": ["arxiv:2001.00001", "doi:10.1000/stub"],
        "references_checked": {
            "status": "ok",
            "n_refs": 2,
            "source": "test",
            "checked_ts": "2026-01-01T00:00:00Z",
        },
        "holdout_lom_ids": [],
        **more,
    }


def outcome(slug: str = "s-0", candidate_id: str | None = "x", words: str = "", **more: Any) -> Outcome:
    """A report as the index lists it: a sound one with verdict `novel`, but for what is given."""
    fields: dict[str, Any] = {
        "verdict": "novel", "status": "ok", "error": None, "broken_parts": (), "has_notebook": True, "made_from": {},
        "n_shared": (0, None), "gap": 0, "audits": {}, "log": {"files": ["events.jsonl"], "as_of_seq": 6}, **more,
    }  # fmt: skip
    return Outcome(slug, candidate_id, words=words, **fields)


def failed(slug: str, candidate_id: str | None, what: str) -> Outcome:
    """A candidate that has only an error page."""
    return outcome(
        slug, candidate_id, verdict=None, status="error", error=what, n_shared=None, gap=None, log=None
    )
