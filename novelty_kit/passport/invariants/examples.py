"""For each invariant the smallest passport that breaks it, as JSON; each one is checked by a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXAMPLES"]


def _manifest(claim: str) -> str:
    return f'{{"claim_intent_manifests": [{{"claims": [{claim}]}}]}}'


def _row(members: str) -> str:
    return f'{{"claim_audit_results": [{{{members}}}]}}'


def _sibling(array: str, *rows: str) -> str:
    return f'{{"{array}": [{", ".join(f"{{{row}}}" for row in rows)}]}}'


EXAMPLES: Final[Mapping[str, str]] = {
    "M-INV-1": _manifest('{"claim_id": "C-001"}, {"claim_id": "C-001"}'),
    "M-INV-2": _manifest('{"claim_id": "C-001", "negative_constraints": [{"constraint_id": "NC-C002-1"}]}'),
    "M-INV-3": _manifest('{"claim_id": "C-001", "negative_constraints": [{"constraint_id": "MNC-1"}]}'),
    "M-INV-4": _sibling("claim_intent_manifests", '"manifest_id": "M-1"', '"manifest_id": "M-1"'),
    "INV-17": _manifest('{"claim_id": "C-001", "negative_constraints": [{"constraint_id": "NC-C-001-1"}]}'),
    "INV-1": _row('"judgment": "SUPPORTED", "audit_status": "completed", "defect_stage": "metadata"'),
    "INV-2": _row('"judgment": "UNSUPPORTED", "audit_status": "completed", "defect_stage": null'),
    "INV-3": _row('"judgment": "AMBIGUOUS", "audit_status": "inconclusive"'),
    "INV-4": _row('"judgment": "RETRIEVAL_FAILED", "audit_status": "inconclusive", "defect_stage": null'),
    "INV-5": _row('"judgment": "RETRIEVAL_FAILED", "audit_status": "completed", "defect_stage": null'),
    "INV-6": _row('"anchor_kind": "none", "judgment": "SUPPORTED"'),
    "INV-7": _row('"defect_stage": "negative_constraint_violation", "violated_constraint_id": null'),
    "INV-8": _row('"defect_stage": "negative_constraint_violation", "judgment": "SUPPORTED"'),
    "INV-9": _row('"upstream_dispute": "it does say so", "defect_stage": null'),
    "INV-10": _row('"ref_retrieval_method": "failed", "judgment": "SUPPORTED"'),
    "INV-11": _row('"ref_retrieval_method": "api", "anchor_kind": "none"'),
    "INV-12": _row('"ref_retrieval_method": "not_found", "judgment": "SUPPORTED"'),
    "INV-13": _row('"defect_stage": "metadata", "ref_retrieval_method": "failed"'),
    "INV-14": _row('"ref_retrieval_method": "audit_tool_failure", "rationale": "gave up"'),
    "INV-15": _row('"scoped_manifest_id": "M-1", "claim_id": "C-001"'),
    "INV-16": _row('"anchor_kind": "page", "anchor_value": "%20"'),
    "INV-18": _row(
        '"judgment": "RETRIEVAL_FAILED", "audit_status": "inconclusive", "defect_stage": "not_applicable", '
        '"ref_retrieval_method": "api"'
    ),
    "INV-19": _row('"sub_claim_breakdown": null'),
    "matrix": _row('"judgment": "SUPPORTED", "audit_status": "inconclusive", "defect_stage": null'),
    "U-INV-1": _sibling("uncited_assertions", '"finding_id": "UA-001"', '"finding_id": "UA-001"'),
    "U-INV-2": _sibling("uncited_assertions", '"trigger_tokens": []'),
    "U-INV-3": _sibling("uncited_assertions", '"rule_version": "D4-c-v2"'),
    "U-INV-4": _sibling("uncited_assertions", '"manifest_claim_id": "C-001", "scoped_manifest_id": null'),
    "D-INV-1": _sibling("claim_drifts", '"finding_id": "CD-001"', '"finding_id": "CD-001"'),
    "D-INV-2": _sibling("claim_drifts", '"drift_kind": "INTENDED_NOT_EMITTED", "manifest_claim_id": null'),
    "D-INV-3": _sibling("claim_drifts", '"rule_version": "D4-c-v1"'),
    "D-INV-4": '{"claim_drifts": [{"claim_text": "x"}], "uncited_assertions": [{"sentence_text": "x"}]}',
    "CV-INV-1": _sibling("constraint_violations", '"finding_id": "CV-001"', '"finding_id": "CV-001"'),
    "CV-INV-2": _sibling(
        "constraint_violations", '"violated_constraint_id": "MNC-1", "scoped_manifest_id": "M-1"'
    ),
    "CV-INV-3": _sibling(
        "constraint_violations", '"violated_constraint_id": "MNC-1", "manifest_claim_id": "C-001"'
    ),
    "CV-INV-4": _sibling("constraint_violations", '"claim_text": "x"', '"claim_text": "x"'),
    "S-INV-1": _sibling("audit_sampling_summaries", '"audited_count": 2, "audited_indices": [0]'),
    "S-INV-2": _sibling("audit_sampling_summaries", '"audited_count": 2, "max_claims_per_paper": 1'),
    "S-INV-4": _sibling("audit_sampling_summaries", '"audited_indices": [1, 1]'),
    "UAF-INV-1": _sibling("uncited_audit_failures", '"finding_id": "UAF-001"', '"finding_id": "UAF-001"'),
    "UAF-INV-2": _sibling("uncited_audit_failures", '"scoped_manifest_id": "M-1"'),
    "UAF-INV-3": _sibling(
        "uncited_audit_failures", '"scoped_manifest_id": "M-1", "manifest_claim_id": "C-001"'
    ),
    "UAF-INV-4": _sibling("uncited_audit_failures", '"claim_text": "x"', '"claim_text": "x"'),
    "UAF-INV-5": _sibling("uncited_audit_failures", '"fault_class": "judge_timeout", "rationale": "gave up"'),
    "UAF-INV-6": '{"uncited_audit_failures": [{"claim_text": "x"}], "constraint_violations": [{"claim_text": "x"}]}',
    "EP-INV-1": _sibling("experiment_provenance", '"experiment_id": "a"', '"experiment_id": "a"'),
    "EP-INV-2": _manifest('{"planned_experiment_ids": ["ghost"]}'),
    "EP-INV-3": _manifest('{"planned_experiment_ids": ["a"], "intended_evidence_kind": "theoretical"}'),
    "EP-INV-4": '{"experiment_intake_declaration": {"status": "experiments_declared"}}',
    "EP-INV-5": '{"experiment_intake_declaration": {}}',
    "EA-INV-1": _sibling("experiment_alignment_results", '"finding_id": "EA-001"', '"finding_id": "EA-001"'),
    "EA-INV-2": _sibling("experiment_alignment_results", '"experiment_id": "ghost"'),
}
