"""`novelty check` and `novelty explain`: verdicts, for machines and for people."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.options import (
    candidate_options,
    candidates_from,
    graph_option,
    log_of,
    open_named_graph,
    policy_from,
    policy_option,
)
from novelty_kit.errors import InputError
from novelty_kit.output import canonical_json, for_terminal, shorten, write_whole

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy
    from novelty_kit.verdict.record import Verdict

__all__ = ["check", "exit_code", "explain", "print_lines"]

_VERDICTS = ("duplicate", "neighborhood", "novel", "unknown")
_CODES = {"lookup_failed": 3, "insufficient_edges": 4, "incomparable": 5}
_ORDER = (2, 3, 5, 4, 1, 0)
_SUFFIXES = (".jsonl", ".json", ".parquet", ".csv")
_LINES_SHOWN = 20


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
    ctx: click.Context, /, candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None,
    policy: tuple[str, ...], as_json: bool, as_jsonl: bool, out: str | None, resolve: bool, fail_on: str | None,
    exit_zero: bool, max_listed: int, verify: bool, skip_bad_lines: bool, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Judge candidates: duplicate, neighborhood, novel or unknown, with the log lines that say so.

    CANDIDATE is a .json, .jsonl, .parquet or .csv file, - for standard input, or an id such as arxiv:2408.06292.
    """
    from novelty_kit.verdict.judge import judge
    from novelty_kit.verdict.show import verdict_text

    if as_json and as_jsonl:
        raise InputError("--json and --jsonl exclude each other")
    suffix = _suffix_of(out) if out is not None else ""
    failing = fail_on_names(fail_on)
    chosen = policy_from(policy)
    found = candidates_from(candidates, **fields)
    log = log_of(graph, found)
    opened = open_named_graph(log, as_of, verify=verify, skip_bad_lines=skip_bad_lines)
    verdicts = (
        _resolve(opened, found, chosen, max_listed)
        if resolve
        else judge(opened, found, chosen, max_listed, evidence=bool(out or as_json or as_jsonl))
    )
    if out is not None:
        _write(out, suffix, verdicts)
    elif as_jsonl:
        print_lines(json.dumps(v.to_dict(), ensure_ascii=False) for v in verdicts)
    elif as_json:
        records = [v.to_dict() for v in verdicts]
        print_lines([json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)])
    else:
        print_lines("\n".join(verdict_text(v, evidence=False).splitlines()[:1]) for v in verdicts)
    ctx.exit(0 if exit_zero else exit_code(verdicts, failing))


def _resolve(graph: Graph, candidates: Sequence[Candidate], policy: Policy, max_listed: int) -> list[Verdict]:
    """Ask the services for what must be looked up first: the one place where a verdict touches the network."""
    from novelty_kit.ingest.ask import Services
    from novelty_kit.ingest.resolve import resolve_keys
    from novelty_kit.verdict.resolve import judge_resolved

    with Services() as services:
        return judge_resolved(
            graph, candidates, policy, max_listed, lambda lom_ids: resolve_keys(services, lom_ids)
        )


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
    from novelty_kit.verdict.judge import judge
    from novelty_kit.verdict.show import verdict_text

    found = candidates_from(candidates, **fields)
    opened = open_named_graph(log_of(graph, found), as_of)
    blocks = []
    for verdict in judge(opened, found, policy_from(policy)):
        lines = [verdict_text(verdict)]
        seqs = sorted({item.seq for item in verdict.evidence})
        for seq in seqs[:_LINES_SHOWN]:
            name, line, raw = opened.place(seq)
            text = raw.decode("utf-8", "replace").rstrip("\r")
            lines.append(f"  {for_terminal(name)}:{line}: {for_terminal(shorten(text, 400))}")
        if len(seqs) > _LINES_SHOWN:
            lines.append(f"  … and {len(seqs) - _LINES_SHOWN} lines more")
        blocks.append("\n".join(lines))
    print_lines(["\n\n".join(blocks)])


def print_lines(lines: Iterable[str]) -> None:
    """Print as UTF-8 whatever the locale says."""
    stream = sys.stdout.buffer if hasattr(sys.stdout, "buffer") else None
    for line in lines:
        if stream is None:
            sys.stdout.write(f"{line}\n")
            continue
        left = memoryview(f"{line}\n".encode("utf-8", "backslashreplace"))
        while left:  # an unbuffered stream (python -u) may take a part only
            left = left[stream.write(left) :]
    sys.stdout.flush()


def _suffix_of(out: str) -> str:
    """The form of the output file; a wrong one is said before anything is judged."""
    suffix = Path(out).suffix.lower()
    if suffix not in _SUFFIXES:
        what = (
            f"'{shorten(suffix, 20)}' is no form of an output file"
            if suffix
            else "an output file needs a suffix"
        )
        raise InputError(what, path=out, remedy=f"Choose of {' '.join(_SUFFIXES)}")
    return suffix


def _write(out: str, suffix: str, verdicts: Sequence[Verdict]) -> None:
    records = [verdict.to_dict() for verdict in verdicts]
    if suffix == ".jsonl":
        write_whole(out, "".join(canonical_json(record) + "\n" for record in records))
    elif suffix == ".json":
        write_whole(out, canonical_json(records[0] if len(records) == 1 else records, indent=2) + "\n")
    else:
        write_whole(out, _table(records, suffix))


def _table(records: Sequence[dict[str, Any]], suffix: str) -> bytes:
    """One row a result, the same columns for all of them; lists and objects as JSON text."""
    import pyarrow as pa

    names = dict.fromkeys(["candidate_id", *(name for record in records for name in record)])
    columns = {}
    for name in names:
        values = [record.get(name) for record in records]
        kinds = {type(value) for value in values if value is not None}
        kind = pa.bool_() if kinds == {bool} else pa.int64() if kinds == {int} else pa.string()
        cells = [canonical_json(value) if isinstance(value, dict | list) else value for value in values]
        columns[name] = pa.array(cells, kind)
    table = pa.table(columns)
    sink = io.BytesIO()
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, sink)
    else:
        from pyarrow import csv

        csv.write_csv(table, sink)
    return sink.getvalue()
