"""What all ``novelty ingest`` commands share: which log, and what is said at the end."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.output import canonical_json, for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.record import Skipped
    from novelty_kit.ingest.run import Item, Summary

__all__ = ["COULD_NOT_LEARN", "is_time", "log_options", "max_wait_option", "options", "run", "skipped_lines"]

COULD_NOT_LEARN = 3
_LISTED = 20
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"
)

Command = Callable[..., Any]


def options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


log_options = options(
    click.option(
        "--graph",
        "graphs",
        multiple=True,
        type=click.Path(path_type=Path),
        help="The log, oldest file first; events go to the last one.",
    ),
    click.option("--dry-run", is_flag=True, help="Print the events; write nothing."),
    click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object."),
)


def _seconds(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not value >= 0:
        raise click.BadParameter(f"{value:g} is no number of seconds", ctx, parameter)
    return value


max_wait_option = click.option(
    "--max-wait", type=float, callback=_seconds, help="Seconds that the run may wait for retries in all."
)


def is_time(text: str) -> bool:
    """Whether a text is a moment as the log writes it (RFC 3339)."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _log_files(graphs: tuple[Path, ...]) -> tuple[Path, ...]:
    named = os.environ.get("NOVELTY_GRAPH", "")
    return (
        graphs
        or tuple(Path(part) for part in named.split(os.pathsep) if part)
        or (Path("graph/events.jsonl"),)
    )


def run(
    items: Callable[[Appender], Iterable[Item]],
    graphs: tuple[Path, ...],
    dry_run: bool,
    as_json: bool,
    total: int | None = None,
    events_a_time: int = 20_000,
) -> int:
    """Append the items and print what came of it; the exit code."""
    from novelty_kit.graph.seal import extend_seal
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.run import ingest_items

    *earlier, log = _log_files(graphs)
    show = sys.stdout.buffer.write if dry_run else None
    with Appender(log, earlier=earlier, dry_run=show, keep_seal=extend_seal) as appender:
        seen = _progress(total)
        summary = ingest_items(items(appender), appender, events_a_time=events_a_time, seen=seen)
    # Under --dry-run stdout holds the events alone.
    click.echo(
        canonical_json(summary.to_dict()) if as_json else _in_words(summary, log, dry_run), err=dry_run
    )
    return COULD_NOT_LEARN if summary.n_missed else 0


def _progress(total: int | None) -> Callable[[int], object]:
    """Says how far it is on one line of the terminal; nothing where stderr is none."""
    of_all = f" of {total}" if total else ""

    def seen(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{done}{of_all}", nl=done == total, err=True)

    return seen


def _in_words(summary: Summary, log: Path, dry_run: bool) -> str:
    rows = ", ".join(f"{n} {table}" for table, n in sorted(summary.rows.items())) or "nothing new"
    verb = "would be added to" if dry_run else "added to"
    lines = [f"{summary.asked} asked, {summary.answered} answered; {rows} {verb} {log}"]
    for title, counts in (
        ("Reference lists", summary.references),
        ("Oddities", summary.notes),
        ("Not learned", summary.failed),
    ):
        if counts:
            lines.append(f"{title}: " + ", ".join(f"{n} {code}" for code, n in sorted(counts.items())))
    lines += skipped_lines(summary.skipped)
    return "\n".join(for_terminal(line) for line in lines)


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """What was skipped and why, a line each, the first twenty."""
    lines = [shorten(f"  {one.where}: {one.why} ({one.code})", 300) for one in skipped[:_LISTED]]
    return lines + (["  … more of them with --json"] if len(skipped) > _LISTED else [])
