"""Everything that is wrong with a log, and what is legal in it but worth a look.

Reads the log, and its cache where that is provably the log's; writes nothing else. No network. No clock.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import DamageError, LogError, Problem
from novelty_kit.graph.cache import attach
from novelty_kit.graph.log import mending, plain_log
from novelty_kit.graph.scan import MAX_LISTED, first_seqs, line_of, problems_of, scan_plain
from novelty_kit.graph.skip import load_without_bad_lines
from novelty_kit.graph.sql import sql_parts
from novelty_kit.graph.state import Meta, connect

if TYPE_CHECKING:
    import duckdb

    from novelty_kit.graph.log import Plain

__all__ = ["CODES", "Validation", "Warned", "validate_log", "warning_counts"]

CODES: dict[str, str] = {
    "several_owners": "an id names several papers",
    "own_key_differs": "a paper's row holds another id of the scheme that its own id is of",
    "self_loop": "a work cites itself",
    "edge_within_a_node": "an edge joins two ids of one paper",
    "zero_contradicted": "a checked zero that an edge or another row denies",
    "future_date": "a publication date after the last time in the log",
    "unknown": "a table, column or field that the format does not know",
    "crlf": "lines end with a carriage return",
    "bom": "the log begins with a byte-order mark",
}


@dataclass(frozen=True, slots=True)
class Warned:
    """One thing worth a look.

    Attributes
    ----------
    code : str
        One of :data:`CODES`.
    what : str
        An id, or the name of what is unknown.
    why : str
    path, line : str, int or None
        The line of the log that says so, where one does.
    """

    code: str
    what: str
    why: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found.

    Attributes
    ----------
    n_lines, n_bad_lines, n_faults : int
        A line may have several faults.
    problems : tuple of Problem
        The first hundred faults; a torn last line and a broken seal among them.
    counts : dict
        How many of each code of warning.
    warnings : tuple of Warned
        The first hundred of each code; none where a seal is broken.
    """

    n_lines: int
    n_bad_lines: int
    n_faults: int
    problems: tuple[Problem, ...]
    counts: dict[str, int]
    warnings: tuple[Warned, ...]

    @property
    def is_sound(self) -> bool:
        """Whether the log can be loaded."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "n_lines": self.n_lines,
            "n_bad_lines": self.n_bad_lines,
            "n_faults": self.n_faults,
            "problems": [asdict(problem) for problem in self.problems],
            "counts": self.counts,
            "warnings": [asdict(one) for one in self.warnings],
        }


def validate_log(names: tuple[str, ...]) -> Validation:
    """Check a log wholly.

    Parameters
    ----------
    names : tuple of str
        The log's files in order.

    Raises
    ------
    LogError
        The files cannot be read at all.
    """
    with plain_log(names, torn_middle=True) as plain:
        with connect() as con:
            try:
                meta = attach(con, plain, cached=True, verify=True)
                return _sound(con, plain, meta)
            except DamageError as error:
                refused: DamageError | LogError = error
            except LogError as error:
                refused = error
        return _unsound(plain, refused)


def _unsound(plain: Plain, refused: DamageError | LogError) -> Validation:
    """What a log that was refused holds: its bad lines of every kind, and warnings of the others."""
    counts = dict.fromkeys(CODES, 0)
    warned: tuple[Warned, ...] = ()
    problems: list[Problem] = []
    if isinstance(refused, DamageError):
        scan = scan_plain(plain, check="exactly")
        problems.append(refused.problem)
    else:
        with connect() as con:
            scan = load_without_bad_lines(con, plain)
            counts, warned = _warnings(con, plain, Meta.of(scan))
        if not scan.bad and scan.torn is None:
            raise refused
    problems = problems_of(plain, scan) + problems
    if scan.torn is not None:
        number = plain.file_at(scan.torn)
        name = plain.names[number]
        what = f"the last line is torn at byte offset {scan.torn - plain.starts[number]}"
        problems.append(Problem(what, name, None, None, None, f"To go on, {mending(name)}"))
    n_lines = scan.n_lines + (scan.torn is not None)
    return Validation(n_lines, scan.n_bad_lines, scan.n_faults, tuple(problems), counts, warned)


def _sound(con: duckdb.DuckDBPyConnection, plain: Plain, meta: Meta) -> Validation:
    counts, warned = _warnings(con, plain, meta)
    return Validation(meta.n_lines, 0, 0, (), counts, warned)


def warning_counts(con: duckdb.DuckDBPyConnection, meta: Meta, as_of: int) -> dict[str, int]:
    """How many warnings of each code a graph gives."""
    counts = dict.fromkeys(CODES, 0)
    for code, select in sql_parts(__package__, "warnings.sql"):
        query = f"SELECT count(*) FROM ({select}) AS found"  # noqa: S608 - our own file
        row = con.execute(query, {"as_of": as_of} if "$as_of" in select else None).fetchone()
        counts[code] = row[0] if row else 0
    return {**counts, "unknown": sum(meta.unknown.values()), "crlf": int(meta.crlf), "bom": int(meta.bom)}


def _warnings(
    con: duckdb.DuckDBPyConnection, plain: Plain, meta: Meta
) -> tuple[dict[str, int], tuple[Warned, ...]]:
    warned: list[Warned] = []
    firsts = first_seqs(plain, meta.chunks)
    for code, select in sql_parts(__package__, "warnings.sql"):
        query = f"{select} ORDER BY seq, what, why LIMIT {MAX_LISTED}"
        for what, seq, why in con.execute(
            query, {"as_of": meta.n_lines} if "$as_of" in select else None
        ).fetchall():
            number, line = line_of(firsts, seq) if seq else (0, None)
            warned.append(Warned(code, what, why, plain.names[number] if seq else None, line))
    for name, n in sorted(meta.unknown.items())[:MAX_LISTED]:
        warned.append(Warned("unknown", name, f"is not known to the format; kept, {n} time(s)"))
    if meta.crlf:
        warned.append(Warned("crlf", plain.names[0], "some lines end with CR LF; accepted"))
    if meta.bom:
        warned.append(Warned("bom", plain.names[0], "begins with a byte-order mark; accepted"))
    return warning_counts(con, meta, meta.n_lines), tuple(warned)
