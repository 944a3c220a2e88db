"""A finished record read back from its file, for showing: whole, or refused with every fault.

What a page shows is checked, the sum of the counts and the disclosures first of all. A proof is not made again
here: the record says what was proven when it was made. Reads one file, writes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from novelty_kit.errors import Problem
from novelty_kit.priorart.jsonfile import Fields, load_json, raise_problems
from novelty_kit.priorart.verdicts import Verdict

__all__ = ["read_record", "record_from"]

_PARTS: Final = ("clear_under_search", "collisions", "uncited_relevant", "inconclusive")
_CONSTANTS: Final = (
    ("signal", "collisions_under_known_coverage"),
    ("rightness", "human_confirm_required"),
)
# How the disclosures begin; the fifth, on the sources, takes as many lines as there are sources.
_DISCLOSURES: Final = ("Extraction: ", "Comparison: ", "Selection: ", "Quote check: ")


def read_record(path: str) -> dict[str, Any]:
    """Read what ``novelty priorart record --json`` wrote.

    Raises
    ------
    DocumentError
        It is no such record; every fault is listed.
    """
    return record_from(load_json(path), path)


def record_from(value: Any, path: str = "<record>") -> dict[str, Any]:
    """A record from its JSON value; see :func:`read_record`."""
    problems: list[Problem] = []
    top = Fields(value, "", problems)
    for key, check in (("coverage_record", _coverage), ("findings", _packet)):
        if top.take(key, dict, required=True) is not None:
            check(top.child(key))
    claims = top.objects("claims", required=True)
    for claim in claims:
        _claim(claim)
    raise_problems(problems, path, "record", "Make it again with novelty priorart record --json")
    n_found = sum(claim.value["verdict"] != Verdict.CLEAR_UNDER_SEARCH for claim in claims)
    n_findings = len(top.value["findings"]["findings"])
    if n_found != n_findings:
        top.fault("findings", f"{n_findings} findings stand beside {n_found} claims that are not clear")
    counted = top.value["coverage_record"]["counts"]["total_extracted"]
    if counted != len(claims):
        top.fault("claims", f"{len(claims)} claims stand beside a count of {counted}")
    raise_problems(problems, path, "record", "Make it again with novelty priorart record --json")
    return dict(top.value)


def _coverage(part: Fields) -> None:
    part.text("artifact", required=True)
    for key, constant in _CONSTANTS:
        if part.value.get(key) != constant:
            part.fault(key, f"{key!r} must be {constant!r}")
    if part.take("counts", dict, required=True) is not None:
        counts = part.child("counts")
        numbers = [counts.count(key) for key in (*_PARTS, "total_extracted")]
        if None in numbers:
            counts.fault("", "five counts are needed")
        else:
            *parts, total = (number or 0 for number in numbers)
            if sum(parts) != total:
                counts.fault("total_extracted", f"{' + '.join(map(str, parts))} is not {total}")
    for escalation in part.objects("escalations", required=True):
        escalation.text("reason", required=True)
        escalation.text("claim_ref")
    part.take("coverage", list, required=True)
    notes = part.texts("coverage")
    missing = [start for start in _DISCLOSURES if not any(note.startswith(start) for note in notes)]
    if missing or len(notes) <= len(_DISCLOSURES):
        part.fault("coverage", "the disclosures are not all there")


def _packet(part: Fields) -> None:
    for finding in part.objects("findings", required=True):
        for key in ("defect_id", "severity", "kind", "location", "evidence"):
            finding.text(key, required=True)


def _claim(claim: Fields) -> None:
    for key in ("claim_id", "text"):
        claim.take(key, str)
        if key not in claim.value:
            claim.fault(key, f"{key!r} is missing")
    if claim.value.get("verdict") not in tuple(Verdict):
        claim.fault("verdict", f"'verdict' must be one of {', '.join(Verdict)}")
    for quote in claim.objects("quotes", required=True):
        if quote.text("result", required=True) != "verified-span":
            continue
        for key in ("passage", "text_sha256"):
            quote.text(key, required=True)
        spans = quote.objects("spans", required=True)
        if not spans:
            quote.fault("spans", "a proven quote stands somewhere")
        for span in spans:
            for key in ("start", "end"):
                if span.count(key) is None:
                    span.fault(key, f"{key!r} must be a whole number")
        if quote.take("candidate", dict) is not None:
            candidate = quote.child("candidate")
            for key in ("title", "id", "url"):
                candidate.take(key, str)
