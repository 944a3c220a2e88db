"""`novelty graph …`: what the log holds, what is wrong with it, what it lacks, and how to keep it whole."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.options import graph_option, graph_paths, open_named_graph
from novelty_kit.errors import InputError
from novelty_kit.output import for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.graph.seal import Seal
    from novelty_kit.graph.validate import Validation

__all__ = ["graph"]

_files = click.argument("files", nargs=-1, metavar="[FILE…]")
_json = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
_as_of = click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
_skip = click.option("--skip-bad-lines", is_flag=True, help="Go on without them.")
_debug = click.option("--debug", is_flag=True, hidden=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def graph() -> None:
    """The event log: counts, every bad line, gaps, torn tail, seal, Parquet or GraphML out.

    The log is the FILE… of a command, else --graph, else $NOVELTY_GRAPH, else graph/events.jsonl, else the demo.
    """


def _named(files: tuple[str, ...], graph: tuple[str, ...]) -> tuple[str, ...]:
    if files and graph:
        raise InputError("the log is named twice", remedy="Give it as FILE or with --graph")
    return graph_paths(files or graph)


def _say(lines: Iterable[str]) -> None:
    """Print as UTF-8 whatever the locale says."""
    for line in lines:
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def _say_json(value: Any) -> None:
    _say([json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)])


@graph.command()
@_files
@graph_option
@_as_of
@_skip
@_json
@_debug
def stats(
    files: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, skip_bad_lines: bool, as_json: bool, debug: bool
) -> None:  # fmt: skip
    """Count rows, nodes, edges, coverage and oddities."""
    from novelty_kit.graph.stats import graph_stats

    opened = open_named_graph(_named(files, graph), as_of, skip_bad_lines=skip_bad_lines)
    found = graph_stats(opened)
    if as_json:
        _say_json(found)
    else:
        _say(_stats_text(found))


def _stats_text(found: Mapping[str, Any]) -> list[str]:
    nodes, edges, coverage, times = found["nodes"], found["edges"], found["coverage"], found["times"]
    lines = [
        f"{for_terminal(' '.join(found['files']))}: as of event {found['as_of_seq']} of {found['n_events']}"
    ]
    lines += [f"sha256 {found['sha256']}", "", f"{'table':<20}{'rows':>9}{'events':>9}{'deletes':>9}"]
    for name, counts in found["tables"].items():
        rows = "unknown" if counts["rows"] is None else counts["rows"]
        lines.append(
            f"{for_terminal(shorten(name, 19)):<20}{rows:>9}{counts['events']:>9}{counts['deletes']:>9}"
        )
    lines += [
        "",
        f"nodes     {nodes['total']}: {nodes['read']} read, {nodes['claim_bearing']} claim-bearing, "
        f"{nodes['stub']} stubs",
        f"edges     {edges['between_nodes']} between nodes, {edges['self_loops']} self-loops",
        f"covered   of {nodes['compared']} read or claim-bearing: {coverage['out']} by their own list, "
        f"{coverage['in']} by an in-edge, {coverage['none']} not ({coverage['contradicted']} contradicted, "
        f"{coverage['failed']} failed, {coverage['unchecked']} unchecked)",
        f"times     {times['first']} to {times['last']}" if times["first"] else "times     none is stated",
    ]
    if times["first"] and (times["events_without"] or times["out_of_order"]):
        lines.append(
            f"          {times['events_without']} events without, {times['out_of_order']} out of order"
        )
    for code, n in found["warnings"].items():
        if n:
            lines.append(f"warning   {code}: {n}")
    for seal in found["seals"]:
        lines.append(
            "seal      none: a lost line could not be seen"
            if seal is None
            else f"seal      {seal['lines']} lines sealed"
            + (f", {seal['unsealed']} after" if seal.get("unsealed") else "")
        )
    if found["skipped_lines"]:
        lines.append(f"skipped   {found['skipped_lines']} bad lines; nothing can be novel")
    return lines


@graph.command()
@_files
@graph_option
@_json
@_debug
@click.pass_context
def validate(
    ctx: click.Context, /, files: tuple[str, ...], graph: tuple[str, ...], as_json: bool, debug: bool
) -> None:
    """List every bad line (the first hundred, and how many), and what is legal but worth a look.

    Exits 2 where the log cannot be loaded as it stands, else 0.
    """
    from novelty_kit.graph.validate import validate_log

    names = _named(files, graph)
    found = validate_log(names)
    if as_json:
        _say_json({"files": list(names), **found.to_dict()})
    else:
        _say(_validation_text(names, found))
    ctx.exit(0 if found.is_sound else 2)


def _validation_text(names: tuple[str, ...], found: Validation) -> list[str]:
    lines = [for_terminal(str(problem)) for problem in found.problems]
    if found.n_faults > len(found.problems):
        lines.append(f"… and {found.n_faults - len(found.problems)} more faults")
    for one in found.warnings:
        place = f"{one.path}:{one.line}: " if one.line else ""
        lines.append(for_terminal(f"warning {one.code}: {place}{shorten(one.what, 120)} {one.why}"))
    for code, n in found.counts.items():
        listed = sum(one.code == code for one in found.warnings)
        if code != "unknown" and n > listed:
            lines.append(f"… and {n - listed} more of {code}")
    state = "sound" if found.is_sound else f"{found.n_bad_lines} bad lines, not loadable as it stands"
    lines.append(for_terminal(f"{' '.join(names)}: {found.n_lines} lines, {state}"))
    return lines


@graph.command()
@_files
@graph_option
@_as_of
@click.option(
    "--max-listed", type=click.IntRange(min=0), default=100, show_default=True, help="Nodes listed."
)
@_json
@_debug
def gaps(
    files: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, max_listed: int, as_json: bool, debug: bool
) -> None:  # fmt: skip
    """List the uncovered nodes that keep verdicts from being novel, what would help most first."""
    from novelty_kit.graph.gaps import graph_gaps

    found = graph_gaps(open_named_graph(_named(files, graph), as_of))
    listed = found[:max_listed]
    if as_json:
        _say_json({"total": len(found), "gaps": [gap.to_dict() for gap in listed]})
        return
    lines = []
    for gap in listed:
        title = f" {shorten(gap.title, 60)}" if gap.title else ""
        date = f" ({gap.publication_date})" if gap.publication_date else ""
        lines.append(
            for_terminal(
                f"{gap.lom_id}  {gap.reason}, keeps {gap.n_blocked} from being novel; its list would cover "
                f"{gap.n_covered}{title and f':{title}'}{date}"
            )
        )
    more = len(found) - len(listed)
    _say([*lines, *([f"… and {more} more"] if more else []), f"{len(found)} uncovered nodes"])


@graph.command()
@click.argument("file", metavar="FILE")
@_json
@_debug
def repair(file: str, as_json: bool, debug: bool) -> None:
    """Cut a torn last line off a log; its bytes are kept in FILE.torn."""
    from novelty_kit.graph.repair import repair_log
    from novelty_kit.lock import locked

    with locked(file) if Path(file).is_file() else contextlib.nullcontext():
        kept = repair_log(file)
    if as_json:
        _say_json({"file": file, "kept": None if kept is None else str(kept)})
    elif kept is None:
        _say([for_terminal(f"{file}: nothing is torn")])
    else:
        _say([for_terminal(f"{file}: the torn last line is cut off and kept in {kept}")])


@graph.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--anew", is_flag=True, help="Whatever the seal that stands says.")
@_json
@_debug
def seal(files: tuple[str, ...], anew: bool, as_json: bool, debug: bool) -> None:
    """Seal a log: from then on a lost, changed or moved line is an error. Growing stays legal."""
    from novelty_kit.graph.seal import seal_path
    from novelty_kit.graph.sealing import seal_log
    from novelty_kit.lock import locked

    made = []
    for file in files:
        with locked(file) if Path(file).is_file() else contextlib.nullcontext():
            made.append((file, seal_log(file, anew=anew)))
    if as_json:
        _say_json([_seal_record(file, str(seal_path(file)), one) for file, one in made])
        return
    _say(for_terminal(f"{file}: {one.n_lines} lines sealed in {seal_path(file)}") for file, one in made)


def _seal_record(file: str, path: str, one: Seal) -> dict[str, Any]:
    return {"file": file, "seal": path, "lines": one.n_lines, "bytes": one.n_bytes, "sha256": one.sha256}


@graph.command()
@_files
@graph_option
@_as_of
@_skip
@click.option("--out", required=True, metavar="FOLDER|FILE", help="A folder for Parquet, a .graphml file.")
@click.option("--center", metavar="ID", help="Only the part around this node (GraphML).")
@click.option("--hops", type=click.IntRange(min=0), default=1, show_default=True, help="How far from it.")
@_json
@_debug
def export(
    files: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, skip_bad_lines: bool, out: str,
    center: str | None, hops: int, as_json: bool, debug: bool,
) -> None:  # fmt: skip
    """Write the tables as Parquet, or the nodes and edges as GraphML."""
    from novelty_kit.graph.export import export_graphml, export_parquet

    is_graphml = out.lower().endswith(".graphml")
    if center is not None and not is_graphml:
        raise InputError("--center goes with GraphML", remedy="Name a .graphml file with --out")
    opened = open_named_graph(_named(files, graph), as_of, skip_bad_lines=skip_bad_lines)
    if is_graphml:
        n_nodes, n_edges = export_graphml(opened, out, center=center, hops=hops)
        told: dict[str, Any] = {"files": [out], "n_nodes": n_nodes, "n_edges": n_edges}
        text = f"{out}: {n_nodes} nodes, {n_edges} edges"
    else:
        written = export_parquet(opened, out)
        told = {"files": [str(path) for path in written]}
        text = f"{out}: {len(written)} tables"
    if as_json:
        _say_json(told)
    else:
        _say([for_terminal(text)])
