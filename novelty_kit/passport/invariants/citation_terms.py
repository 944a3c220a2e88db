"""The fixed terms of citation rows: which judgment, status and stage may stand together, and fixed texts."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ALLOWED",
    "AMBIGUOUS_STAGES",
    "ANCHORLESS_RATIONALE",
    "CONSTRAINT_STAGE",
    "FAULT_CLASSES",
    "NOT_FOUND",
    "NOT_JUDGED",
    "SENTINEL_MANIFEST_ID",
    "UNSUPPORTED_STAGES",
]

# Stands in a citation row for a manifest that was never written.
SENTINEL_MANIFEST_ID: Final = "M-0000-00-00T00:00:00Z-0000"

FAULT_CLASSES: Final = (
    "judge_timeout",
    "judge_api_error",
    "judge_parse_error",
    "cache_corruption",
    "retrieval_api_error",
    "retrieval_timeout",
    "retrieval_network_error",
)

ANCHORLESS_RATIONALE: Final = "v3.7.3 R-L3-1-A violation"
AMBIGUOUS_STAGES: Final = ("source_description", "citation_anchor", "synthesis_overclaim", None)
UNSUPPORTED_STAGES: Final = (
    "source_description",
    "metadata",
    "citation_anchor",
    "synthesis_overclaim",
    "negative_constraint_violation",
)
CONSTRAINT_STAGE: Final = "negative_constraint_violation"
NOT_FOUND: Final = ("RETRIEVAL_FAILED", "completed", "retrieval_existence")
NOT_JUDGED: Final = ("RETRIEVAL_FAILED", "inconclusive", "not_applicable")

# The allowed triples of judgment, audit_status and defect_stage.
ALLOWED: Final = (
    ("SUPPORTED", "completed", None),
    *(("AMBIGUOUS", "completed", stage) for stage in AMBIGUOUS_STAGES),
    *(("UNSUPPORTED", "completed", stage) for stage in UNSUPPORTED_STAGES),
    NOT_FOUND,
    NOT_JUDGED,
)
