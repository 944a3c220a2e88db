"""Every real recorded answer, with status and headers, ends as it should (cases: real_answers.yaml)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback_server import Clock, Told, loopback, services

from novelty_kit.ingest.ask import PROVIDERS
from novelty_kit.ingest.record import Work
from novelty_kit.ingest.reply import Failed

FOLDERS = ("openalex", "crossref", "semanticscholar", "arxiv", "errors_quoted")
CASES: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases/ingest/real_answers.yaml").read_text("utf-8")
)


def index(data: Path) -> dict[str, dict[str, Any]]:
    return {
        f"{folder}/{entry['file']}": entry
        for folder in FOLDERS
        for entry in map(json.loads, (data / folder / "_index.jsonl").read_bytes().splitlines())
    }


def outcome_of(found: Work | Failed | list[Work]) -> dict[str, Any]:
    if isinstance(found, Failed):
        return {"failed": str(found.failure)} | ({"stops_run": True} if found.stops_run else {})
    if isinstance(found, list):
        return {
            "works": len(found),
            "lists": sum(w.references is not None and w.references.fault is None for w in found),
        }
    listed = found.references
    known = None if listed is None else listed.n_refs if listed.fault is None else str(listed.fault)
    return {"work": found.lom_ids[0], "references": known}


def test_every_real_answer_has_its_case(data: Path) -> None:
    assert set(CASES) == set(index(data))


@pytest.mark.parametrize("folder", FOLDERS)
def test_real_answers(folder: str, data: Path) -> None:
    entries = index(data)
    wrong = {}
    with loopback() as server:
        for name, case in CASES.items():
            if not name.startswith(folder):
                continue
            raw = (data / name).read_bytes()
            raw = gzip.decompress(raw) if name.endswith(".gz") else raw
            source = name.split("/")[1].split("_")[0] if folder == "errors_quoted" else folder
            source = "s2" if source == "semanticscholar" else source
            if source == "crossref" and raw.startswith(b"{") and b'"message"' not in raw:
                raw = b'{"status":"ok","message":' + raw + b"}"
            status = entries[name]["status"]
            server.script = [
                Told(raw, status if isinstance(status, int) else 200, entries[name].get("headers") or {})
            ]
            with services({source: server}, Clock(), tries=1) as asking:
                client, provider = asking.client(source), PROVIDERS[source]
                found: Any
                if "search" in case:
                    found = outcome_of(provider.search_works(client, case["search"]))
                elif isinstance(case["ask"], list):
                    found = {
                        "outcomes": [
                            outcome_of(one) for _, one in provider.resolve_works(client, case["ask"])
                        ]
                    }
                else:
                    found = outcome_of(provider.fetch_work(client, case["ask"]))
            expected = {key: value for key, value in case.items() if key not in ("ask", "search")}
            if found != expected:
                wrong[name] = (found, expected)
    assert wrong == {}
