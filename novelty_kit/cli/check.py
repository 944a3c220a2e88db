"""`novelty check` and `novelty explain`: verdicts, for machines and for people."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.options import (
    candidate_options,
    candidates_from,
    graph_option,
    open_named_graph,
    policy_from,
    policy_option,
)
from novelty_kit.errors import InputError

if TYPE_CHECKING:
    from novelty_kit.verdict.record import Verdict

__all__ = ["check", "exit_code", "explain"]

_VERDICTS = ("duplicate", "neighborhood", "novel", "unknown")
_CODES = {"lookup_failed": 3, "insufficient_edges": 4, "incomparable": 5}
_ORDER = (2, 3, 5, 4, 1, 0)


def exit_code(verdicts: Sequence[Verdict], fail_on: Sequence[str] = ()) -> int:
    """Of several, the first in the order 2, 3, 5, 4, 1, 0 that occurred."""
    codes = {_CODES.get(verdict.status, 0) for verdict in verdicts}
    if any(verdict.verdict in fail_on for verdict in verdicts):
        codes.add(1)
    return next((code for code in _ORDER if code in codes), 0)


def fail_on_names(text: str | None) -> tuple[str, ...]:
    """The verdicts named by ``--fail-on``."""
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    for name in names:
        if name not in _VERDICTS:
            raise InputError(f"--fail-on knows no '{name}'", remedy=f"Choose of {', '.join(_VERDICTS)}")
    return names


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
@policy_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON document: an array, or the object of a single candidate.",
)
@click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line.")
@click.option("--out", metavar="FILE", help="Write there by suffix: .jsonl .json .parquet .csv")
@click.option("--resolve", is_flag=True, help="Ask the services for what must be looked up first.")
@click.option(
    "--fail-on", metavar="VERDICTS", help="Exit 1 where one occurs: duplicate,neighborhood,novel,unknown"
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever the verdicts.")
@click.option(
    "--max-listed",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Ids listed in each list.",
)
@click.option("--verify", is_flag=True, help="Compare every byte of the log with the cache.")
@click.option("--skip-bad-lines", is_flag=True, help="Go on without them; nothing can then be novel.")
@click.option("--debug", is_flag=True, hidden=True)
@click.pass_context
def check(
    ctx: click.Context, candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, policy: tuple[str, ...],
    as_json: bool, as_jsonl: bool, out: str | None, resolve: bool, fail_on: str | None, exit_zero: bool,
    max_listed: int, verify: bool, skip_bad_lines: bool, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Judge candidates: duplicate, neighborhood, novel or unknown, with the log lines that say so.

    CANDIDATE is a .json, .jsonl, .parquet or .csv file, - for standard input, or an id such as arxiv:2408.06292.
    """
    from novelty_kit.verdict.judge import judge
    from novelty_kit.verdict.show import verdict_text

    if as_json and as_jsonl:
        raise InputError("--json and --jsonl exclude each other")
    failing = fail_on_names(fail_on)
    chosen = policy_from(policy)
    found = candidates_from(candidates, **fields)
    opened = open_named_graph(
        _log_of(graph, found, candidates), as_of, verify=verify, skip_bad_lines=skip_bad_lines
    )
    verdicts = judge(opened, found, chosen, max_listed)
    if out:
        _write(out, verdicts)
    elif as_jsonl:
        _print_lines(json.dumps(v.to_dict(), ensure_ascii=False) for v in verdicts)
    elif as_json:
        records = [v.to_dict() for v in verdicts]
        _print_lines([json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)])
    else:
        _print_lines("\n".join(verdict_text(v, evidence=False).splitlines()[:1]) for v in verdicts)
    ctx.exit(0 if exit_zero else exit_code(verdicts, failing))


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
@policy_option
@click.option("--debug", is_flag=True, hidden=True)
def explain(
    candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, policy: tuple[str, ...], debug: bool,
    **fields: Any,
) -> None:  # fmt: skip
    """Say rule by rule how a verdict came about, each fact with its line of the log."""
    from novelty_kit.output import for_terminal, shorten
    from novelty_kit.verdict.judge import judge
    from novelty_kit.verdict.show import verdict_text

    found = candidates_from(candidates, **fields)
    opened = open_named_graph(_log_of(graph, found, candidates), as_of)
    blocks = []
    for verdict in judge(opened, found, policy_from(policy)):
        lines = [verdict_text(verdict)]
        for seq in sorted({item.seq for item in verdict.evidence})[:20]:
            name, line, raw = opened.place(seq)
            text = raw.decode("utf-8", "replace").rstrip("\r")
            lines.append(f"  {for_terminal(name)}:{line}: {for_terminal(shorten(text, 400))}")
        blocks.append("\n".join(lines))
    _print_lines(["\n\n".join(blocks)])


def _log_of(graph: tuple[str, ...], found: Sequence[Any], arguments: Sequence[str]) -> tuple[str, ...]:
    """``--graph`` beats the log that the candidates' own file names, which is relative to that file."""
    if graph:
        return graph
    named = {candidate.graph for candidate in found if candidate.graph}
    if not named:
        return ()
    if len(named) > 1:
        raise InputError("the candidates name several logs", remedy="Give one with --graph")
    folder = Path(arguments[0]).parent if arguments[0] != "-" else Path()
    return (str(folder / named.pop()),)


def _print_lines(lines: Any) -> None:
    """Print as UTF-8 whatever the locale says."""
    stream = sys.stdout.buffer if hasattr(sys.stdout, "buffer") else None
    for line in lines:
        text = f"{line}\n"
        if stream is None:
            sys.stdout.write(text)
        else:
            try:
                stream.write(text.encode("utf-8"))
            except UnicodeEncodeError:
                stream.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def _write(out: str, verdicts: Sequence[Verdict]) -> None:
    from novelty_kit.output import canonical_json, write_whole

    suffix = Path(out).suffix.lower()
    records = [verdict.to_dict() for verdict in verdicts]
    if suffix == ".jsonl":
        write_whole(out, "".join(canonical_json(record) + "\n" for record in records))
    elif suffix == ".json":
        write_whole(out, canonical_json(records[0] if len(records) == 1 else records, indent=2) + "\n")
    elif suffix in (".parquet", ".csv"):
        write_whole(out, _table(records, suffix))
    else:
        raise InputError(
            f"'{suffix}' is no known form", path=out, remedy="Choose .jsonl, .json, .parquet or .csv"
        )


def _table(records: Sequence[dict[str, Any]], suffix: str) -> bytes:
    """One row a result; lists and objects as JSON text."""
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [] for name in ("candidate_id", *records[0])}
    for record in records:
        for name in columns:
            value = record.get(name)
            columns[name].append(
                json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
            )
    table = pa.table(columns)
    sink = io.BytesIO()
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, sink)
    else:
        from pyarrow import csv

        csv.write_csv(table, sink)
    return sink.getvalue()
