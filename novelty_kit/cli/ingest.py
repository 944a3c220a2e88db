"""``novelty ingest``: add what services and files say to the log.

Each subcommand prints a summary (``--json`` for machines) and exits with 3 when something that was asked
for could not be learned.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.errors import InputError
from novelty_kit.output import canonical_json, for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.run import Item, Summary

__all__ = ["ingest"]

_COULD_NOT_LEARN = 3
_ANSWERS_A_TIME = 500

Command = Callable[..., Any]


@click.group()
def ingest() -> None:
    """Append what OpenAlex, Crossref, Semantic Scholar, arXiv or your files say to the log."""


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


_LOG = _options(
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
_ASK = _options(
    click.option(
        "--ids", "id_files", multiple=True, type=click.Path(path_type=Path), help="A file of ids, one a line."
    ),
    click.option(
        "--resume", is_flag=True, help="Leave out what the log already has this service's answer to."
    ),
    click.option("--max-wait", type=float, help="Seconds that the run may wait for retries in all."),
    click.option("--no-second-source", is_flag=True, help="Ask nobody else about an empty reference list."),
)


def _log_files(graphs: tuple[Path, ...]) -> tuple[Path, ...]:
    named = os.environ.get("NOVELTY_GRAPH", "")
    return (
        graphs
        or tuple(Path(part) for part in named.split(os.pathsep) if part)
        or (Path("graph/events.jsonl"),)
    )


def _run(
    items: Callable[[Appender], Iterable[Item]],
    graphs: tuple[Path, ...],
    dry_run: bool,
    as_json: bool,
    total: int | None = None,
    events_a_time: int = 20_000,
) -> int:
    """Append the items and print what came of it; the exit code."""
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.run import ingest_items

    *earlier, log = _log_files(graphs)
    show = sys.stdout.buffer.write if dry_run else None
    with Appender(log, earlier=earlier, dry_run=show) as appender:
        seen = _progress(total)
        summary = ingest_items(items(appender), appender, events_a_time=events_a_time, seen=seen)
    # Under --dry-run stdout holds the events alone.
    click.echo(
        canonical_json(summary.to_dict()) if as_json else _in_words(summary, log, dry_run), err=dry_run
    )
    return _COULD_NOT_LEARN if summary.n_missed else 0


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
    lines += [shorten(f"  {s.where}: {s.why} ({s.code})", 300) for s in summary.skipped[:20]]
    if sum(summary.failed.values()) > 20:
        lines.append("  … more of them with --json")
    return "\n".join(for_terminal(line) for line in lines)


def _ids(texts: Iterable[str], files: Iterable[Path]) -> list[str]:
    """Ids from the command line and from files, in normal form; every malformed one is named."""
    from novelty_kit.ingest.id_list import read_id_list
    from novelty_kit.keys import normalise

    ids = [normalise(text) for text in texts]
    for path in files:
        ids += read_id_list(path)
    return ids


def _ask(
    batches: list[tuple[str, list[str]]],
    graphs: tuple[Path, ...],
    dry_run: bool,
    as_json: bool,
    resume: bool,
    max_wait: float | None,
    no_second_source: bool,
) -> int:
    from novelty_kit.ingest.ask import Services, answered_before, ask_for

    n_ids = sum(len(ids) for _, ids in batches)
    if not n_ids:
        raise InputError("nothing to ask for", remedy="Name ids, --ids FILE or --from-file FILE")
    with Services(wait_s=max_wait) as services:

        def items(appender: Appender) -> Iterator[Item]:
            for source, ids in batches:
                if resume:
                    appender.refresh()
                    ids = [lom_id for lom_id in ids if not answered_before(appender.known, source, lom_id)]
                yield from ask_for(services, source, ids, corroborate=not no_second_source)

        return _run(items, graphs, dry_run, as_json, n_ids, _ANSWERS_A_TIME)


def _provider_command(source: str, summary: str, read: Callable[..., Iterable[Item]]) -> None:
    @ingest.command(source, help=summary)
    @click.argument("names", nargs=-1)
    @click.option(
        "--from-file", "from_file", is_flag=True, help="The arguments are files of this service's records."
    )
    @click.option(
        "--checked-ts", help="With --from-file: when the service said so, such as 2026-09-03T00:00:00Z."
    )
    @_ASK
    @_LOG
    @click.pass_context
    def command(
        ctx: click.Context,
        names: tuple[str, ...],
        from_file: bool,
        checked_ts: str | None,
        id_files: tuple[Path, ...],
        resume: bool,
        max_wait: float | None,
        no_second_source: bool,
        graphs: tuple[Path, ...],
        dry_run: bool,
        as_json: bool,
    ) -> None:
        if from_file:
            if not names:
                raise InputError("nothing to ingest", remedy="Name files after --from-file")
            paths = [Path(name) for name in names]
            ctx.exit(_run(lambda _: read(paths, checked_ts), graphs, dry_run, as_json))
        batches = [(source, _ids(names, id_files))]
        ctx.exit(_ask(batches, graphs, dry_run, as_json, resume, max_wait, no_second_source))


def _openalex_files(paths: list[Path], checked_ts: str | None) -> Iterable[Item]:
    from novelty_kit.ingest.from_file import openalex_items

    return openalex_items(paths, checked_ts=checked_ts)


def _crossref_files(paths: list[Path], checked_ts: str | None) -> Iterable[Item]:
    from novelty_kit.ingest.from_file import crossref_items

    return crossref_items(paths, checked_ts=checked_ts)


def _s2_files(paths: list[Path], checked_ts: str | None) -> Iterable[Item]:
    from novelty_kit.ingest.from_file import s2_items

    return s2_items(paths, checked_ts=checked_ts)


def _arxiv_files(paths: list[Path], checked_ts: str | None) -> Iterable[Item]:
    from novelty_kit.ingest.from_file import arxiv_items

    return arxiv_items(paths, checked_ts=checked_ts)


_provider_command("openalex", "Works of OpenAlex, by id or from files.", _openalex_files)
_provider_command("crossref", "Works of Crossref, by DOI or from files.", _crossref_files)
_provider_command("s2", "Papers of Semantic Scholar, by id or from files.", _s2_files)
_provider_command("arxiv", "Preprints of arXiv, by id or from feeds in files.", _arxiv_files)


@ingest.command("plan")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True, help="Leave out what the log already has the service's answer to.")
@click.option("--max-wait", type=float, help="Seconds that the run may wait for retries in all.")
@click.option("--no-second-source", is_flag=True, help="Ask nobody else about an empty reference list.")
@_LOG
@click.pass_context
def ingest_plan(
    ctx: click.Context,
    file: Path,
    resume: bool,
    max_wait: float | None,
    no_second_source: bool,
    graphs: tuple[Path, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Ask for what a plan of `novelty plan --json` lists."""
    from novelty_kit.ingest.id_list import read_plan

    batches = read_plan(file)
    ctx.exit(_ask(batches, graphs, dry_run, as_json, resume, max_wait, no_second_source))
