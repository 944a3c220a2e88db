"""The YAML cases of this room: reading them, and what it means that a result is as expected.

A file holds a list of cases: ``name`` (a sentence), ``given`` (``events``, ``candidates``, perhaps ``policy``
and ``max_listed``), ``expect`` (one partial result a candidate, in order), ``why``. A case says what it is
about and no more: fields that it does not name are not compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

CASES = Path(__file__).parent.parent / "cases" / "verdict"
WHOLE = {"two_hop", "coverage_gap_reasons"}


def load_cases() -> list[tuple[str, dict[str, Any]]]:
    """Every case with its id, ``file: name``."""
    return [
        (f"{path.stem}: {case['name']}", case)
        for path in sorted(CASES.glob("*.yaml"))
        for case in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


def differences(expected: Any, got: Any, where: str = "") -> list[str]:
    """Where a result is not as expected, one line each.

    Mappings are compared in the fields that are named, but maps of ids (``two_hop``,
    ``coverage_gap_reasons``) wholly; lists in length and order, their mappings again in part.
    """
    if isinstance(expected, dict) and isinstance(got, dict) and where.rpartition(".")[2] not in WHOLE:
        return [
            line
            for name, value in expected.items()
            for line in (
                differences(value, got[name], f"{where}.{name}")
                if name in got
                else [f"{where}.{name}: missing"]
            )
        ]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [
            line
            for n, (e, g) in enumerate(zip(expected, got, strict=True))
            for line in differences(e, g, f"{where}[{n}]")
        ]
    return (
        []
        if expected == got and type(expected) is type(got)
        else [f"{where}: expected {expected!r}, got {got!r}"]
    )


def in_given_form(result: dict[str, Any]) -> dict[str, Any]:
    """A result in the short form of the given cases, for comparison with their expected lines."""
    overlap = result["citation_overlap"]
    return {
        "status": result["status"],
        "verdict": result["verdict"],
        "lom_id": result["lom_id"],
        "rule": result["decided_by"]["rule"],
        "citation_overlap": {
            "in_sample": overlap["in_sample"]["shared_lom_ids"],
            "holdout": overlap["holdout"]["shared_lom_ids"],
            "two_hop": overlap["two_hop"],
        },
        "stub_overlap": result["stub_overlap"]["shared_lom_ids"],
        "coverage_gap": result["coverage_gap"],
        "nothing_compared": result["nothing_compared"],
        "slices": result["verdict_by_slice"],
        "holdout_applied": result["holdout_applied"],
    }
