"""Frames in DuckDB and pandas, the tables of the notebook, and the report part: keyed, typed, escaped."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pandas as pd
from passport_cases import CASES, base, changed

from novelty_kit.graph import open_graph
from novelty_kit.passport import Passport, read_passport
from novelty_kit.passport.frames import COLUMNS, TABLES, register_passport
from novelty_kit.passport.prose import Manuscript
from novelty_kit.passport.summary import MAX_LISTED, summary
from novelty_kit.passport.view import (
    claim_matrix,
    declaration_table,
    disclosures,
    findings_table,
    planned_against_executed,
    reasons_table,
    table_html,
)

HOSTILE = '<script>alert("1")</script>\u202e\x1b[31m\ud83c'


def test_each_table_has_its_rows_and_columns() -> None:
    connection = duckdb.connect()
    register_passport(connection, Passport(base()))
    sizes = {}
    for table in TABLES:
        relation = connection.table(table)
        assert list(relation.columns) == list(COLUMNS[table])
        sizes[table] = relation.shape[0]
    assert sizes == {
        "experiment": 2,
        "planned_unit": 3,
        "manifest_claim": 4,
        "claim_experiment": 2,
        "claim_ref": 4,
        "citation_row": 2,
        "alignment_row": 2,
        "declaration": 1,
    }


def test_passports_are_joined_by_hash_and_id_and_registering_again_replaces() -> None:
    connection = duckdb.connect()
    first, second = (
        Passport(base()),
        Passport(changed({"set": {"/experiment_provenance/0/title": "Another"}})),
    )
    for passport in (first, second, first):
        register_passport(connection, passport)
    rows = connection.execute(
        "SELECT e.title, c.claim_id FROM experiment AS e JOIN claim_experiment AS c"
        " USING (passport_hash, experiment_id) WHERE experiment_id = 'kiln-a' ORDER BY e.title"
    ).fetchall()
    assert rows == [("Another", "C-001"), ("Glaze hardness after slow cooling", "C-001")]


def test_a_read_only_session_takes_the_tables(tmp_path: Any) -> None:
    path = str(tmp_path / "graph.duckdb")
    with duckdb.connect(path) as writer:
        writer.execute("CREATE TABLE paper (lom_id VARCHAR)")
    with duckdb.connect(path, read_only=True) as reader:
        register_passport(reader, Passport(base()))
        assert reader.execute("SELECT count(*) FROM experiment").fetchone() == (2,)


def test_the_tables_stand_beside_those_of_an_open_graph(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("NOVELTY_CACHE", str(tmp_path))
    log = tmp_path / "events.jsonl"
    log.write_text(
        '{"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:1803.05355", "arxiv_id": "1803.05355", '
        '"title": "FEVER"}}\n'
    )
    graph = open_graph(log)
    connection = graph.connection
    register_passport(connection, Passport(base()))
    rows = connection.execute("SELECT count(*) FROM event AS e CROSS JOIN experiment AS x").fetchone()
    assert rows == (2 * graph.n_events,)


def test_hostile_texts_are_values_and_nothing_else() -> None:
    body = changed({"set": {"/experiment_provenance/0/title": "'); DROP TABLE experiment; --" + HOSTILE}})
    connection = duckdb.connect()
    register_passport(connection, Passport(body))
    title = connection.execute("SELECT title FROM experiment WHERE experiment_id = 'kiln-a'").fetchone()
    assert title is not None
    assert title[0].startswith("'); DROP TABLE experiment; --<script>")
    assert "\\ud83c" in title[0]


def test_values_keep_their_kind_and_absent_is_null() -> None:
    frames = Passport(base()).frames()
    units = frames["planned_unit"]
    assert units["value"].tolist()[0] == "6.4"
    assert units["value"].isna().tolist() == [False, True, False]
    assert units["executed"].tolist() == [True, False, True]
    assert str(units["unit_no"].dtype) == "Int32"
    assert frames["experiment"]["n_units"].tolist() == [2, 1]
    assert frames["experiment"]["description"].isna().tolist() == [True, False]


def test_a_passport_of_another_shape_has_no_rows() -> None:
    for body in (
        None,
        [],
        3,
        {},
        {"experiment_provenance": "x", "claim_intent_manifests": [1, {"claims": [2]}]},
    ):
        assert {name: len(frame) for name, frame in Passport(body).frames().items()} == dict.fromkeys(
            TABLES, 0
        )


def test_the_matrix_shows_the_worst_verdict_of_each_pair_and_claim() -> None:
    body = changed(
        {
            "set": {
                "/experiment_alignment_results/2/alignment_verdict": "OVERSTATED",
                "/claim_intent_manifests/0/claims/1/planned_experiment_ids": ["kiln-b", "kiln-a"],
                "/claim_audit_results/0/judgment": "AMBIGUOUS",
            },
            "copy": {"/experiment_alignment_results/0": 1},
        }
    )
    passport = Passport(body)
    frame = claim_matrix(passport, passport.gate())
    assert list(frame.columns) == [
        ("claim", "manifest_id"),
        ("claim", "claim_id"),
        ("claim", "text"),
        ("claim", "kind"),
        ("experiment", "kiln-a"),
        ("experiment", "kiln-b"),
        ("all rows", "citations"),
        ("all rows", "status"),
        ("all rows", "failing_paths"),
    ]
    assert frame["experiment"].to_numpy().tolist() == [
        ["OVERSTATED", ""],
        ["planned, no row", "ALIGNED"],
        ["", ""],
        ["", ""],
    ]
    assert frame[("all rows", "status")].tolist() == ["blocked", "blocked", "no_rows", "clean"]
    assert frame[("all rows", "citations")].tolist() == ["", "AMBIGUOUS 1", "", "SUPPORTED 1"]


def test_an_experiment_may_be_called_like_a_column() -> None:
    body = changed(
        {
            "set": {
                "/experiment_provenance/0/experiment_id": "status",
                "/claim_intent_manifests/0/claims/0/planned_experiment_ids": ["status"],
                "/experiment_alignment_results/0/experiment_id": "status",
            }
        }
    )
    frame = claim_matrix(Passport(body), Passport(body).gate())
    assert frame[("experiment", "status")].tolist()[0] == "ALIGNED"


def test_claims_that_were_not_sampled_say_so() -> None:
    passport = Passport(base())
    statuses = claim_matrix(passport, passport.gate(stage="2.5"))[("all rows", "status")].tolist()
    assert statuses.count("not_sampled") == 3


def test_planned_stands_against_executed() -> None:
    frame = planned_against_executed(Passport(base()))
    assert frame["executed"].tolist() == [True, False, True]
    assert frame["skip_reason"].tolist()[1] == "the year is not over"


def test_disclosures_name_the_line_that_shows_them() -> None:
    draft = Manuscript.from_text("# Limitations\nA single clay body was fired.\n")
    frame = disclosures(Passport(base()), draft)
    assert frame["manuscript_line"].tolist() == [None, 2, None, None]
    assert frame["looked"].all()
    assert not disclosures(Passport(base()))["looked"].any()


def test_tables_of_a_passport_without_anything_are_empty_with_their_columns() -> None:
    passport = Passport({})
    gate = passport.gate()
    for frame in (
        declaration_table(passport),
        findings_table(passport.check()),
        planned_against_executed(passport),
        disclosures(passport),
        claim_matrix(passport, gate),
    ):
        assert len(frame) == 0
        assert len(frame.columns) >= 2
    assert len(reasons_table(gate)) >= 2


def test_every_text_is_escaped_in_a_table() -> None:
    frame = pd.DataFrame(
        [[HOSTILE, True, None, float("nan")]], columns=["<b>", "yes", "none", "nan"], dtype="object"
    )
    html = table_html(frame, HOSTILE)
    assert "<script>" not in html
    assert "<b>" not in html
    assert "<td>yes</td><td></td><td></td>" in html
    html.encode("utf-8")


def test_a_long_table_is_cut_with_a_count() -> None:
    html = table_html(pd.DataFrame({"a": range(500)}), "Numbers", max_rows=10)
    assert html.count("<tr>") == 11
    assert "490 more rows are not shown" in html


def test_the_report_part_is_a_record_without_paths() -> None:
    passport = read_passport(CASES / "base.yaml")
    record = summary(passport, passport.gate())
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["file"] == "base.yaml"
    assert record["counts"] == {
        "experiments": 2,
        "claims": 4,
        "planned_units": 3,
        "disclosures": 4,
        "citation_rows": 2,
        "alignment_rows": 2,
    }
    assert record["gate"]["outcome"] == "PASS"
    assert record["claims"][0]["experiments"] == [
        {"experiment_id": "kiln-a", "planned": True, "verdict": "ALIGNED", "stored": "ALIGNED"}
    ]
    assert "/" not in json.dumps(record["file"])


def test_the_report_part_is_cut_and_says_how_much_there_is() -> None:
    body = base()
    claim = body["claim_intent_manifests"][0]["claims"][2]
    body["claim_intent_manifests"][0]["claims"] += [
        {**claim, "claim_id": f"C-{n}", "intended_evidence_kind": "x"}
        for n in range(100, 100 + MAX_LISTED + 50)
    ]
    record = summary(Passport(body), Passport(body).gate())
    assert len(record["claims"]) == len(record["findings"]["listed"]) == MAX_LISTED
    assert record["counts"]["claims"] == 4 + MAX_LISTED + 50
    assert record["findings"]["n"] == MAX_LISTED + 50


def test_failing_reasons_come_first_in_the_report_part() -> None:
    body = changed(
        {
            "set": {
                "/claim_audit_results/1/judgment": "UNSUPPORTED",
                "/claim_audit_results/1/defect_stage": "metadata",
            }
        }
    )
    reasons = summary(Passport(body), Passport(body).gate())["gate"]["reasons"]
    assert reasons[0]["severity"] == "fail"


def test_records_never_name_what_this_product_does_not_say() -> None:
    record = json.dumps(summary(Passport(base()), Passport(base()).gate())).lower()
    for word in ("novel_confirmed", "ranker", "novelty score", '"rank', "confidence"):
        assert word not in record
