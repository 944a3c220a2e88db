"""Packaged ``.sql`` files: their text, their statements, their named parts. Nothing is composed here."""

from __future__ import annotations

from pkgutil import get_data
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

__all__ = ["read_sql", "run_sql", "sql_parts"]


def run_sql(con: duckdb.DuckDBPyConnection, package: str, name: str) -> None:
    """Run the statements of a packaged ``.sql`` file, one after the other."""
    for statement in read_sql(package, name).split(";\n"):
        if statement.strip():
            con.execute(statement)


def read_sql(package: str, name: str) -> str:
    """The text of a packaged ``.sql`` file."""
    text = get_data(package, name)  # importlib.resources would import four times as much
    if text is None:
        raise FileNotFoundError(f"{package} holds no {name}")
    return text.decode("utf-8")


def sql_parts(package: str, name: str) -> list[tuple[str, str]]:
    """The parts of a file that makes tables: (table, SELECT), in the order in which they build on each other."""
    parts = []
    for part in read_sql(package, name).split("-- table: ")[1:]:
        table, _, body = part.partition("\n")
        parts.append((table.strip(), body.strip().rstrip(";")))
    return parts
