"""``novelty ingest bibtex | ris | csl | ids``: bibliographies into the log, or into a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.ingest_run import COULD_NOT_LEARN, log_options, max_wait_option, run, skipped_lines
from novelty_kit.output import canonical_json, for_terminal

if TYPE_CHECKING:
    from novelty_kit.ingest.record import Skipped, Work
    from novelty_kit.ingest.run import Item

__all__ = ["bibliography_command"]

_SERVICES = ("openalex", "crossref", "s2", "arxiv")


def bibliography_command(form: str, summary: str) -> click.Command:
    """The command for one format."""

    @click.command(form, help=summary)
    @click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
    @click.option(
        "--resolve", type=click.Choice(_SERVICES), help="Look entries without an id up by title there."
    )
    @click.option("--unread", is_flag=True, help="The papers are only known by name.")
    @click.option("--cited-by", metavar="ID", help="The entries are the whole reference list of this paper.")
    @click.option("--candidate", metavar="ID", help="Print a candidate that cites the entries; write no log.")
    @max_wait_option
    @log_options
    @click.pass_context
    def command(
        ctx: click.Context,
        files: tuple[Path, ...],
        resolve: str | None,
        unread: bool,
        cited_by: str | None,
        candidate: str | None,
        max_wait: float | None,
        graphs: tuple[Path, ...],
        dry_run: bool,
        as_json: bool,
    ) -> None:
        from novelty_kit.ingest.ask import Services
        from novelty_kit.ingest.bibliography import bibliography_items
        from novelty_kit.ingest.by_title import resolve_by_title
        from novelty_kit.ingest.reference_list import candidate_of
        from novelty_kit.keys import normalise

        with ExitStack() as stack:
            entries: Iterable[Work | Skipped] = bibliography_items(files, form)
            if resolve is not None:
                services = stack.enter_context(Services(wait_s=max_wait))
                entries = resolve_by_title(services, resolve, entries)
            if candidate is not None:
                listed = list(entries)
                ctx.exit(_print_candidate(candidate_of(normalise(candidate), listed), listed))
            about = None if cited_by is None else normalise(cited_by)
            ctx.exit(run(lambda _: _items(entries, form, about, unread), graphs, dry_run, as_json))

    return command


def _items(entries: Iterable[Work | Skipped], form: str, about: str | None, unread: bool) -> Iterator[Item]:
    from novelty_kit.ingest.record import Work
    from novelty_kit.ingest.reference_list import cited_by

    listed = list(entries) if about is not None else entries
    for entry in listed:
        if isinstance(entry, Work) and about is None:
            yield replace(entry, read=not unread)
        elif not isinstance(entry, Work):
            yield entry
    if about is not None:
        yield cited_by(about, listed, form)


def _print_candidate(candidate: dict[str, Any], entries: Sequence[Work | Skipped]) -> int:
    """The candidate on stdout, what is missing in it on stderr; the exit code."""
    from novelty_kit.ingest.record import Skipped

    skipped = [entry for entry in entries if isinstance(entry, Skipped)]
    click.echo(canonical_json(candidate))
    for line in skipped_lines(skipped):
        click.echo(for_terminal(line), err=True)
    return COULD_NOT_LEARN if skipped else 0
