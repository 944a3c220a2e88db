"""Small runs, reviews and manifests for the tests of the review room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "review"

# The command line as it is called from a shell, also where the command table does not list it yet.
ENTRY = (
    "import sys; from novelty_kit import cli; "
    "cli._BY_NAME.setdefault('review', ('novelty_kit.cli.review:review', '')); cli.main(sys.argv[1:])"
)

STATUS_REASON = {
    "verified": "ok",
    "phantom": "not_found",
    "unverified": "network_error",
    "suspect-title-match": "title_mismatch",
}


def a_review(**changes: Any) -> dict[str, Any]:
    """A full review that breaks nothing where the manifest verifies PMID:1 and PMID:2."""
    record: dict[str, Any] = {
        "id": "H-0001.R-01",
        "hypothesis_id": "H-0001",
        "review_type": "full",
        "scores": {"correctness": 4, "novelty": 3, "testability": 4, "safety": 5, "goal_alignment": 4},
        "verdict": "Sound. One arm is missing.",
        "key_criticisms": ["One arm is missing."],
        "verified_citations": ["PMID:1", "PMID:2"],
        "phantom_citations": [],
        "contradicting_evidence": [],
        "reviewer": "tester",
        "epoch": 0,
        "citation_manifest": "citations/H-0001.json",
    }
    scores = changes.pop("scores", {})
    record |= changes
    record["scores"] = {
        name: value for name, value in {**record["scores"], **scores}.items() if value is not ...
    }
    return {name: value for name, value in record.items() if value is not ...}


def a_manifest(
    entries: Sequence[Sequence[Any]] = (("PMID:1", "verified"), ("PMID:2", "verified")),
    hypothesis_id: str = "H-0001",
    **changes: Any,
) -> dict[str, Any]:
    """A manifest of (id, status[, claimed title]) entries whose summary agrees."""
    statuses = [entry[1] for entry in entries]
    citations = [
        {
            "id": entry[0],
            "raw_id": entry[0],
            "source": "europepmc",
            "status": entry[1],
            "reason": STATUS_REASON[entry[1]],
            "claimed_title": entry[2] if len(entry) > 2 else f"Title of {entry[0]}",
            "resolved_title": None,
        }
        for entry in entries
    ]
    made: dict[str, Any] = {
        "target_id": hypothesis_id,
        "target_file": f"{hypothesis_id}.json",
        "verified_at": "2026-01-02T03:04:05Z",
        "verifier": "test/1",
        "summary": {
            "total": len(statuses),
            "verified": statuses.count("verified"),
            "phantom": statuses.count("phantom"),
            "unverified": statuses.count("unverified"),
            "all_verified": bool(statuses) and set(statuses) == {"verified"},
        },
        "citations": citations,
    }
    if "suspect-title-match" in statuses:
        made["schema"] = "pde.citation-manifest.v1"
        made["summary"]["suspect"] = statuses.count("suspect-title-match")
        del made["target_id"]
    return made | changes


def a_hypothesis(hypothesis_id: str = "H-0001", **changes: Any) -> dict[str, Any]:
    """A hypothesis that its schema accepts."""
    made: dict[str, Any] = {
        "id": hypothesis_id,
        "title": "Sleep consolidates skill",
        "statement": "Slow waves after training raise the gain.",
        "mechanism": "Replay during slow waves.",
        "predictions": ["No gain without slow waves."],
        "experiments": [{"design": "Suppress slow waves", "readout": "gain", "est_difficulty": "med"}],
        "evidence": [
            {"lit_id": "PMID:1", "role": "supports", "note": "direct"},
            {"lit_id": "PMID:2", "role": "supports", "note": "direct"},
        ],
        "focus_area": "sleep",
        "lineage": {"parents": [], "operator": None},
        "status": "active",
        "created_by": "test",
        "epoch": 0,
        "created_at": "2026-01-01T00:00:00Z",
    }
    return made | changes


def make_run(
    path: Path,
    *,
    hypotheses: Sequence[Mapping[str, Any]] | None = None,
    manifests: Mapping[str, Mapping[str, Any]] | None = None,
    reviews: Mapping[str, Mapping[str, Any]] | None = None,
    settings: str | None = None,
) -> Path:
    """Write a run; without arguments one hypothesis with two verified citations."""
    for folder in ("hypotheses", "reviews", "citations", "quarantine", "matches", "ratings"):
        (path / folder).mkdir(parents=True, exist_ok=True)
    for record in [a_hypothesis()] if hypotheses is None else hypotheses:
        put(path / "hypotheses" / f"{record['id']}.json", record)
    for name, manifest in ({"H-0001": a_manifest()} if manifests is None else manifests).items():
        put(path / "citations" / f"{name}.json", manifest)
    for name, review in (reviews or {}).items():
        put(path / "reviews" / f"{name}.json", review)
    if settings is not None:
        (path / "run.yaml").write_text(settings, encoding="utf-8")
    return path


def put(path: Path, record: Any) -> Path:
    """Write one JSON file."""
    path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return path


def get(path: Path) -> Any:
    """Read one JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def snapshot(path: Path) -> dict[str, bytes]:
    """Every file below a folder with its content; links by their target. The lock file is left out."""
    found = {}
    for file in sorted(path.rglob("*")):
        name = str(file.relative_to(path))
        if file.is_symlink():
            found[name] = str(file.readlink()).encode()
        elif file.is_file() and file.name != ".hypex.lock":
            found[name] = file.read_bytes()
    return found


def novelty(
    *arguments: str | Path, given: str | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run `novelty` in a process of its own."""
    return subprocess.run(
        [*options.pop("before", ()), sys.executable, "-c", ENTRY, *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,
    )
