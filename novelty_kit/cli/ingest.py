"""``novelty ingest``: add what services and files say to the log.

Each subcommand prints a summary (``--json`` for machines) and exits with 3 when something that was asked
for could not be learned.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.errors import InputError
from novelty_kit.output import canonical_json, for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.ingest.from_file import Summary

__all__ = ["ingest"]

_COULD_NOT_LEARN = 3


@click.group()
def ingest() -> None:
    """Append what OpenAlex, Crossref, Semantic Scholar, arXiv or your files say to the log."""


def _log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object."),
        click.option("--dry-run", is_flag=True, help="Print the events; write nothing."),
        click.option(
            "--graph",
            "graphs",
            multiple=True,
            type=click.Path(path_type=Path),
            help="The log, oldest file first; events go to the last one.",
        ),
    ):
        command = option(command)
    return command


def _log_files(graphs: tuple[Path, ...]) -> tuple[Path, ...]:
    named = os.environ.get("NOVELTY_GRAPH", "")
    return (
        graphs
        or tuple(Path(part) for part in named.split(os.pathsep) if part)
        or (Path("graph/events.jsonl"),)
    )


def _run(items: Any, graphs: tuple[Path, ...], dry_run: bool, as_json: bool) -> int:
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.from_file import ingest_items

    *earlier, log = _log_files(graphs)
    show = sys.stdout.buffer.write if dry_run else None
    with Appender(log, earlier=earlier, dry_run=show) as appender:
        summary = ingest_items(items, appender)
    _print_summary(summary, log, dry_run, as_json)
    return _COULD_NOT_LEARN if summary.failed or _n_failed_lists(summary) else 0


def _n_failed_lists(summary: Summary) -> int:
    return sum(n for reason, n in summary.references.items() if reason != "ok")


def _print_summary(summary: Summary, log: Path, dry_run: bool, as_json: bool) -> None:
    # Under --dry-run stdout holds the events alone.
    if as_json:
        click.echo(canonical_json(summary.to_dict()), err=dry_run)
        return
    rows = ", ".join(f"{n} {table}" for table, n in sorted(summary.rows.items())) or "nothing new"
    verb = "would be added to" if dry_run else "added to"
    click.echo(
        f"{summary.asked} read, {summary.answered} understood; {rows} {verb} {for_terminal(str(log))}",
        err=dry_run,
    )
    for title, counts in (
        ("Reference lists", summary.references),
        ("Oddities", summary.notes),
        ("Skipped", summary.failed),
    ):
        if counts:
            click.echo(
                f"{title}: " + ", ".join(f"{n} {code}" for code, n in sorted(counts.items())), err=dry_run
            )
    for skipped in summary.skipped[:20]:
        click.echo(
            for_terminal(shorten(f"  {skipped.where}: {skipped.why} ({skipped.code})", 300)), err=dry_run
        )
    if len(summary.skipped) > 20:
        click.echo("  … the others with --json", err=dry_run)


@ingest.command("openalex")
@click.option(
    "--from-file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Works as JSON or JSON lines, answers, snapshot parts, merged_ids CSV; compressed or not.",
)
@click.option("--checked-ts", help="When OpenAlex gave these answers, such as 2026-09-03T00:00:00Z.")
@click.argument("more_files", nargs=-1, type=click.Path(path_type=Path))
@_log_options
@click.pass_context
def ingest_openalex(
    ctx: click.Context,
    files: tuple[Path, ...],
    checked_ts: str | None,
    more_files: tuple[Path, ...],
    graphs: tuple[Path, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Works of OpenAlex: from files, or asked for by id."""
    from novelty_kit.ingest.from_file import openalex_items

    paths = (*files, *more_files)
    if not files:
        raise InputError("nothing to ingest", remedy="Name files with --from-file")
    ctx.exit(_run(openalex_items(paths, checked_ts=checked_ts), graphs, dry_run, as_json))
