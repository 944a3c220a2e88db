"""A passport as frames: eight tables beside the graph's in an open DuckDB session, or pandas frames.

The tables are temporary, filled by parameters and Arrow only, and hold every passport that was registered,
keyed by its hash: registering one again replaces its rows. Columns in ``frames.sql``. Never writes a file.
No network. No clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from novelty_kit.passport.index import Row
from novelty_kit.passport.record import Passport

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

__all__ = ["TABLES", "passport_frames", "passport_rows", "register_passport"]

TABLES: Final = (
    "experiment",
    "planned_unit",
    "manifest_claim",
    "claim_experiment",
    "claim_ref",
    "citation_row",
    "alignment_row",
    "declaration",
)

_T: Final = "string"
_N: Final = "int32"
_PAIR: Final = {"passport_hash": _T, "manifest_id": _T, "claim_id": _T}
_CITATION: Final = (
    "claim_text",
    "ref_slug",
    "anchor_kind",
    "anchor_value",
    "judgment",
    "audit_status",
    "defect_stage",
    "rationale",
    "judge_model",
    "judge_run_at",
    "ref_retrieval_method",
    "violated_constraint_id",
)
_ALIGNMENT: Final = (
    "claim_text",
    "experiment_id",
    "result_pointer",
    "manuscript_locator",
    "alignment_verdict",
    "rationale",
    "judge_model",
    "judge_run_at",
    "rule_version",
)
_COUNTS: Final = ("n_units", "n_executed", "n_negative_results", "n_known_limitations")

# Columns and Arrow types of each table, in the order of frames.sql.
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "experiment": {
        "passport_hash": _T,
        "experiment_id": _T,
        "entry_no": _N,
        **dict.fromkeys(("title", "description", "ars_version", "model_id"), _T),
        **dict.fromkeys(_COUNTS, _N),
        "repro_lock": _T,
    },
    "planned_unit": {
        "passport_hash": _T,
        "experiment_id": _T,
        "entry_no": _N,
        "unit_no": _N,
        "planned": _T,
        "executed": "bool",
        **dict.fromkeys(("skip_reason", "result_file", "metric", "value"), _T),
    },
    "manifest_claim": {
        **_PAIR,
        "manifest_no": _N,
        "claim_no": _N,
        "claim_text": _T,
        "intended_evidence_kind": _T,
    },
    "claim_experiment": {**_PAIR, "experiment_id": _T, "place": _N},
    "claim_ref": {**_PAIR, "ref_slug": _T, "place": _N},
    "citation_row": {
        "passport_hash": _T,
        "row_no": _N,
        "manifest_id": _T,
        "claim_id": _T,
        **dict.fromkeys(_CITATION, _T),
    },
    "alignment_row": {
        "passport_hash": _T,
        "row_no": _N,
        "finding_id": _T,
        "manifest_id": _T,
        "claim_id": _T,
        **dict.fromkeys(_ALIGNMENT, _T),
    },
    "declaration": {"passport_hash": _T, "status": _T, "declared_at": _T, "declared_by": _T},
}

_FORGET: Final = (
    "DELETE FROM experiment WHERE passport_hash = $1",
    "DELETE FROM planned_unit WHERE passport_hash = $1",
    "DELETE FROM manifest_claim WHERE passport_hash = $1",
    "DELETE FROM claim_experiment WHERE passport_hash = $1",
    "DELETE FROM claim_ref WHERE passport_hash = $1",
    "DELETE FROM citation_row WHERE passport_hash = $1",
    "DELETE FROM alignment_row WHERE passport_hash = $1",
    "DELETE FROM declaration WHERE passport_hash = $1",
)


def register_passport(connection: duckdb.DuckDBPyConnection, passport: Passport) -> None:
    """Put a passport's rows into the session's tables; rows of the same passport are replaced.

    Parameters
    ----------
    connection : DuckDBPyConnection
        Any open session, a read-only one included: the tables are temporary and belong to this connection
        (of a graph: keep its ``connection``, each call gives a new one).
    passport : Passport

    Notes
    -----
    A passport whose document is no object has no rows. Lone surrogates are written as escapes.
    """
    connection.execute(resources.files("novelty_kit.passport").joinpath("frames.sql").read_text("utf-8"))
    rows = passport_rows(passport)
    for statement in _FORGET:
        connection.execute(statement, [passport.passport_hash])
    for table in TABLES:
        if rows[table]:
            connection.from_arrow(_arrow(table, rows[table])).insert_into(table)


def passport_frames(passport: Passport) -> dict[str, pd.DataFrame]:
    """The same tables as pandas frames: texts, nullable integers and nullable booleans."""
    import pandas as pd
    import pyarrow as pa

    types = {
        pa.int32(): pd.Int32Dtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.string(): pd.StringDtype("python"),
    }
    rows = passport_rows(passport)
    return {table: _arrow(table, rows[table]).to_pandas(types_mapper=types.get) for table in TABLES}


def passport_rows(passport: Passport) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table as plain values, in document order."""
    key, index = passport.passport_hash, passport.index
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for entry in index.rows("experiment_provenance"):
        rows["experiment"].append(_experiment(key, entry))
        rows["planned_unit"] += _units(key, entry)
    for claim in index.claims:
        pair = {"passport_hash": key, "manifest_id": claim.manifest_id, "claim_id": claim.claim_id}
        place = {"manifest_no": claim.row.path[1], "claim_no": claim.row.path[3]}
        texts = {name: claim.row.text(name) for name in ("claim_text", "intended_evidence_kind")}
        rows["manifest_claim"].append({**pair, **place, **texts})
        for field, table, column in (
            ("planned_experiment_ids", "claim_experiment", "experiment_id"),
            ("planned_refs", "claim_ref", "ref_slug"),
        ):
            members = claim.row.get(field)
            for number, member in enumerate(members if isinstance(members, list) else ()):
                if isinstance(member, str):
                    rows[table].append({**pair, column: member, "place": number})
    for row in index.rows("claim_audit_results"):
        rows["citation_row"].append(_judged(key, row, _CITATION))
    for row in index.rows("experiment_alignment_results"):
        rows["alignment_row"].append({"finding_id": row.text("finding_id"), **_judged(key, row, _ALIGNMENT)})
    declaration = index.body.get("experiment_intake_declaration")
    if isinstance(declaration, dict):
        told = Row(("experiment_intake_declaration",), declaration)
        fields = ("status", "declared_at", "declared_by")
        rows["declaration"].append({"passport_hash": key, **{name: told.text(name) for name in fields}})
    return rows


def _experiment(key: str, entry: Row) -> dict[str, Any]:
    lock = entry.get("repro_lock")
    known = Row(entry.at("repro_lock"), lock if isinstance(lock, dict) else {})
    model = known.get("model")
    units = list(entry.within("planned_vs_executed"))
    return {
        "passport_hash": key,
        "experiment_id": entry.text("experiment_id"),
        "entry_no": entry.path[1],
        "title": entry.text("title"),
        "description": entry.text("description"),
        "ars_version": known.text("ars_version"),
        "model_id": Row((), model).text("id") if isinstance(model, dict) else None,
        "n_units": len(units),
        "n_executed": sum(1 for unit in units if unit.get("executed") is True),
        "n_negative_results": _length(entry, "negative_results"),
        "n_known_limitations": _length(entry, "known_limitations"),
        "repro_lock": _json(lock),
    }


def _length(entry: Row, key: str) -> int | None:
    value = entry.get(key)
    return len(value) if isinstance(value, list) else None


def _units(key: str, entry: Row) -> Iterator[dict[str, Any]]:
    for unit in entry.within("planned_vs_executed"):
        executed = unit.get("executed")
        yield {
            "passport_hash": key,
            "experiment_id": entry.text("experiment_id"),
            "entry_no": entry.path[1],
            "unit_no": unit.path[3],
            **{name: unit.text(name) for name in ("planned", "skip_reason", "result_file", "metric")},
            "executed": executed if isinstance(executed, bool) else None,
            "value": _json(unit.get("value")),
        }


def _judged(key: str, row: Row, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "passport_hash": key,
        "row_no": row.path[1],
        "manifest_id": row.text("scoped_manifest_id"),
        "claim_id": row.text("claim_id"),
        **{name: row.text(name) for name in names},
    }


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, sort_keys=True)


def _arrow(table: str, rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    kinds = {"string": pa.string(), "int32": pa.int32(), "bool": pa.bool_()}
    columns = COLUMNS[table]
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    arrays = [
        pa.array([_storable(row[name]) for row in rows], type=schema.field(name).type) for name in columns
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _storable(value: Any) -> Any:
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value
