"""What a log already says, in the little that appending needs: who owns which id, what each node's rows hold.

Read from the log's lines, kept in a temporary SQLite database that spills to disk, so that memory stays flat
however long the log is. It is thrown away with the run: the log is the only truth. It judges no log
(``novelty graph validate`` does); it refuses what it cannot read. No network. No clock.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from novelty_kit.errors import KeyFormatError, LogError
from novelty_kit.ingest.record import COLUMN_OF
from novelty_kit.keys import normalise

__all__ = ["Known", "Node", "comparable"]

_IN_MEMORY: Final = 4096
_SCHEMA: Final = """
CREATE TABLE node (lom_id TEXT PRIMARY KEY, state TEXT NOT NULL, cited TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE owner (id TEXT, lom_id TEXT, PRIMARY KEY (id, lom_id)) WITHOUT ROWID;
CREATE TABLE failed_lookup (
    scheme TEXT, lookup TEXT, state TEXT NOT NULL, PRIMARY KEY (scheme, lookup)
) WITHOUT ROWID;
CREATE TABLE same_work (lom_id TEXT, same_as_lom_id TEXT, PRIMARY KEY (lom_id, same_as_lom_id)) WITHOUT ROWID;
"""
# Nearly every line of a log is an edge as this room writes it.
_EDGE: Final = re.compile(
    rb'\{"op":"upsert","table":"citation_edge",'
    rb'"row":\{"citing_lom_id":"([ !#-\[\]-~]+)","cited_lom_id":"([ !#-\[\]-~]+)",'
    rb'"source":"[ !#-\[\]-~]*"\}\}\n'
)
_TABLES: Final = {
    "papers": "paper",
    "claims": "claim",
    "citation_edges": "citation_edge",
    "ingest_errors": "ingest_error",
    "same_works": "same_work",
}
_ID_COLUMNS: Final = {column: scheme for scheme, column in COLUMN_OF.items()}


@dataclass(slots=True)
class Node:
    """The current rows of one node.

    Attributes
    ----------
    paper : dict or None
        Its paper row; long texts as their hash. None where it has none.
    checked : dict or None
        Its references_checked row.
    cited : set of str
        What it cites by its own name.
    """

    paper: dict[str, Any] | None = None
    checked: dict[str, Any] | None = None
    cited: set[str] = field(default_factory=set)
    changed: bool = False


class Known:
    """The current state of a log, event by event."""

    def __init__(self) -> None:
        # An empty name is a private database that SQLite spills into a temporary file.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32000;" + _SCHEMA
        )
        self._db.execute("BEGIN")
        self._nodes: OrderedDict[str, Node] = OrderedDict()
        self.n_lines = 0

    def close(self) -> None:
        """Throw the database away."""
        self._db.close()

    def read_line(self, raw: bytes, path: str) -> None:
        """Take in the next line of the log.

        Raises
        ------
        LogError
            The line is no event. Nothing may be appended to such a log before it is mended.
        """
        self.n_lines += 1
        edge = _EDGE.fullmatch(raw)
        if edge is not None:
            citing, cited = edge.group(1).decode("ascii"), edge.group(2).decode("ascii")
            self.add_edge(normalise(citing), normalise(cited))
            return
        if self.n_lines == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            event = json.loads(raw)
            op, table, row = event["op"], event["table"], event["row"]
            if op not in ("upsert", "delete") or not isinstance(table, str) or not isinstance(row, dict):
                raise ValueError("no event")
            self.apply(op, table, row)
        except (ValueError, KeyError, TypeError, RecursionError, KeyFormatError) as error:
            detail = f": {error}" if isinstance(error, KeyFormatError) else ""
            raise LogError(
                f"this line is no event of the log{detail}",
                path=path,
                line=self.n_lines,
                remedy="Nothing was appended. See `novelty graph validate` for every bad line",
            ) from error

    def apply(self, op: str, table: str, row: dict[str, Any]) -> None:
        """Take in one event."""
        table = _TABLES.get(table, table)
        if table == "citation_edge":
            citing = row["citing_lom_id"] if "citing_lom_id" in row else row["src"]
            cited = row["cited_lom_id"] if "cited_lom_id" in row else row["dst"]
            node = self._change(normalise(citing))
            (node.cited.discard if op == "delete" else node.cited.add)(normalise(cited))
        elif table == "paper":
            self._apply_paper(op, normalise(row["lom_id"]), row)
        elif table == "references_checked":
            kept = {name: row.get(name) for name in ("source", "status", "n_refs", "reason")}
            self._change(normalise(row["lom_id"])).checked = None if op == "delete" else kept
        elif table == "ingest_error":
            self._apply_failed_lookup(op, row)
        elif table == "same_work":
            pair = (normalise(row["lom_id"]), normalise(row["same_as_lom_id"]))
            verb = "DELETE FROM same_work WHERE lom_id = ? AND same_as_lom_id = ?"
            self._db.execute(
                verb if op == "delete" else "INSERT OR REPLACE INTO same_work VALUES (?, ?)", pair
            )

    def add_edge(self, citing: str, cited: str) -> bool:
        """Take in an edge between ids in normal form; whether it is new."""
        node = self.node(citing)
        if cited in node.cited:
            return False
        node.cited.add(cited)
        node.changed = True
        return True

    def _apply_paper(self, op: str, lom_id: str, row: dict[str, Any]) -> None:
        node = self._change(lom_id)
        before = _own_ids(lom_id, node.paper)
        if op == "delete":
            node.paper = None
        else:
            merged = dict(node.paper or {})
            for column, value in row.items():
                merged[column] = comparable(column, value)
            node.paper = merged
        after = _own_ids(lom_id, node.paper)
        self._db.executemany(
            "DELETE FROM owner WHERE id = ? AND lom_id = ?", [(i, lom_id) for i in before - after]
        )
        self._db.executemany(
            "INSERT OR REPLACE INTO owner VALUES (?, ?)", [(i, lom_id) for i in sorted(after - before)]
        )

    def _apply_failed_lookup(self, op: str, row: dict[str, Any]) -> None:
        key = (str(row["scheme"]), _lookup(row["lookup"]))
        if op == "delete":
            self._db.execute("DELETE FROM failed_lookup WHERE scheme = ? AND lookup = ?", key)
        else:
            state = json.dumps([row.get("http_status"), row.get("message")])
            self._db.execute("INSERT OR REPLACE INTO failed_lookup VALUES (?, ?, ?)", (*key, state))

    def node(self, lom_id: str) -> Node:
        """The rows of a node; an empty one where the log has none. Not to be changed."""
        node = self._nodes.get(lom_id)
        if node is not None:
            self._nodes.move_to_end(lom_id)
            return node
        found = self._db.execute("SELECT state, cited FROM node WHERE lom_id = ?", (lom_id,)).fetchone()
        if found is None:
            node = Node()
        else:
            paper, checked = json.loads(found[0])
            node = Node(paper, checked, set(found[1].split("\n")) if found[1] else set())
        self._nodes[lom_id] = node
        if len(self._nodes) > _IN_MEMORY:
            self._forget()
        return node

    def _change(self, lom_id: str) -> Node:
        node = self.node(lom_id)
        node.changed = True
        return node

    def _forget(self) -> None:
        """Write the nodes that were not used for longest to the database."""
        rows = []
        for _ in range(_IN_MEMORY // 4):
            lom_id, node = self._nodes.popitem(last=False)
            if node.changed:
                state = json.dumps([node.paper, node.checked])
                rows.append((lom_id, state, "\n".join(sorted(node.cited))))
        self._db.executemany("INSERT OR REPLACE INTO node VALUES (?, ?, ?)", rows)

    def owners(self, lom_id: str) -> tuple[str, ...]:
        """The papers of which this is the name or a key, sorted."""
        found = self._db.execute("SELECT lom_id FROM owner WHERE id = ? ORDER BY lom_id", (lom_id,))
        return tuple(row[0] for row in found)

    def failed_lookup(self, scheme: str, lookup: str) -> list[Any] | None:
        """``[http_status, message]`` of a stored failure of this lookup, or None."""
        query = "SELECT state FROM failed_lookup WHERE scheme = ? AND lookup = ?"
        found = self._db.execute(query, (scheme, _lookup(lookup))).fetchone()
        return None if found is None else list(json.loads(found[0]))

    def same_work(self, lom_id: str, same_as: str) -> bool:
        """Whether the log already joins these two, in either direction."""
        query = "SELECT 1 FROM same_work WHERE (lom_id, same_as_lom_id) IN (VALUES (?, ?), (?, ?))"
        return self._db.execute(query, (lom_id, same_as, same_as, lom_id)).fetchone() is not None


def _own_ids(lom_id: str, paper: dict[str, Any] | None) -> set[str]:
    if paper is None:
        return set()
    ids = {lom_id}
    ids.update(paper[column] for column in _ID_COLUMNS if paper.get(column))
    return ids


def comparable(column: str, value: Any) -> Any:
    """A paper column's value as two are compared: ids as nodes' names, long texts as hashes."""
    if value is None:
        return None
    if column in _ID_COLUMNS:
        return normalise(value, _ID_COLUMNS[column])
    if column == "lom_id":
        return normalise(value)
    if isinstance(value, str) and len(value) > 200:
        return "sha256:" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return value


def _lookup(text: Any) -> str:
    """Lookups are compared in normal form; one that is no id stays as it is."""
    try:
        return normalise(str(text))
    except KeyFormatError:
        return str(text)
