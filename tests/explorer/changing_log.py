"""A small log in which a verdict changes several times, and its candidate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

A, B, STUB = "doi:10.1234/a", "doi:10.1234/b", "doi:10.1234/stub"
CANDIDATE = {
    "id": "new-one",
    "kind": "paper",
    "keys": {"doi": "10.1234/new"},
    "references": [B, STUB],
    "references_checked": {"status": "ok", "n_refs": 2, "source": "demo"},
    "holdout_lom_ids": [],
}


def up(table: str, **row: Any) -> dict[str, Any]:
    return {"op": "upsert", "table": table, "row": row}


# unknown, then (2) novel, (3) neighborhood, (4) novel again as B is taken back, (5) neighborhood.
EVENTS = [
    up("paper", lom_id=A, title="A first paper", publication_date="2019"),
    up("references_checked", lom_id=A, status="ok", n_refs=3, source="demo"),
    up("paper", lom_id=B, title="A <b>second</b> paper", publication_date="2020"),
    {"op": "delete", "table": "paper", "row": {"lom_id": B}},
    up("paper", lom_id=B, title="A <b>second</b> paper", publication_date="2020"),
    up("references_checked", lom_id=B, status="ok", n_refs=5, source="demo"),
    up("claim", claim_id="c1", about_lom_id=B, statement="Fire is hot."),
]


def write_events(path: Path, events: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return path
