-- The passport's tables beside the graph's (passport reference, section 10.1), one row a thing that the
-- passport holds, keyed by passport_hash and the ids. Temporary: the file stays the source. A NULL is a key
-- that is absent, null, or of the wrong type (the check reports the last).
-- Source: passport reference, section 10.1. Reads: nothing; the tables are made empty.

CREATE TEMP TABLE IF NOT EXISTS experiment (
  passport_hash VARCHAR, experiment_id VARCHAR, entry_no INTEGER, title VARCHAR, description VARCHAR,
  ars_version VARCHAR, model_id VARCHAR, n_units INTEGER, n_executed INTEGER, n_negative_results INTEGER,
  n_known_limitations INTEGER, repro_lock JSON
);

CREATE TEMP TABLE IF NOT EXISTS planned_unit (
  passport_hash VARCHAR, experiment_id VARCHAR, entry_no INTEGER, unit_no INTEGER, planned VARCHAR,
  executed BOOLEAN, skip_reason VARCHAR, result_file VARCHAR, metric VARCHAR, value JSON
);

CREATE TEMP TABLE IF NOT EXISTS manifest_claim (
  passport_hash VARCHAR, manifest_id VARCHAR, claim_id VARCHAR, manifest_no INTEGER, claim_no INTEGER,
  claim_text VARCHAR, intended_evidence_kind VARCHAR
);

CREATE TEMP TABLE IF NOT EXISTS claim_experiment (
  passport_hash VARCHAR, manifest_id VARCHAR, claim_id VARCHAR, experiment_id VARCHAR, place INTEGER
);

CREATE TEMP TABLE IF NOT EXISTS claim_ref (
  passport_hash VARCHAR, manifest_id VARCHAR, claim_id VARCHAR, ref_slug VARCHAR, place INTEGER
);

CREATE TEMP TABLE IF NOT EXISTS citation_row (
  passport_hash VARCHAR, row_no INTEGER, manifest_id VARCHAR, claim_id VARCHAR, claim_text VARCHAR,
  ref_slug VARCHAR, anchor_kind VARCHAR, anchor_value VARCHAR, judgment VARCHAR, audit_status VARCHAR,
  defect_stage VARCHAR, rationale VARCHAR, judge_model VARCHAR, judge_run_at VARCHAR,
  ref_retrieval_method VARCHAR, violated_constraint_id VARCHAR
);

CREATE TEMP TABLE IF NOT EXISTS alignment_row (
  passport_hash VARCHAR, row_no INTEGER, finding_id VARCHAR, manifest_id VARCHAR, claim_id VARCHAR,
  claim_text VARCHAR, experiment_id VARCHAR, result_pointer VARCHAR, manuscript_locator VARCHAR,
  alignment_verdict VARCHAR, rationale VARCHAR, judge_model VARCHAR, judge_run_at VARCHAR, rule_version VARCHAR
);

CREATE TEMP TABLE IF NOT EXISTS declaration (
  passport_hash VARCHAR, status VARCHAR, declared_at VARCHAR, declared_by VARCHAR
);
