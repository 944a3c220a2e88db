"""``novelty ingest``: add what services and files say to the log.

Each subcommand prints a summary (``--json`` for machines) and exits with 3 when something that was asked
for could not be learned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from novelty_kit.cli.ingest_bibliography import bibliography_command
from novelty_kit.cli.ingest_run import is_time, log_options, max_wait_option, options, run
from novelty_kit.errors import InputError

if TYPE_CHECKING:
    from novelty_kit.ingest.append import Appender
    from novelty_kit.ingest.run import Item

__all__ = ["ingest"]

_ANSWERS_A_TIME = 500


@click.group()
def ingest() -> None:
    """Append what OpenAlex, Crossref, Semantic Scholar, arXiv or your files say to the log."""


_ASK = options(
    click.option(
        "--ids", "id_files", multiple=True, type=click.Path(path_type=Path), help="A file of ids, one a line."
    ),
    click.option(
        "--resume", is_flag=True, help="Leave out what the log already has this service's answer to."
    ),
    max_wait_option,
    click.option("--no-second-source", is_flag=True, help="Ask nobody else about an empty reference list."),
)


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
    *,
    into_log: bool,
) -> int:
    """Ask, and append; `into_log` says that each id is to be a paper of the log whatever the answer is."""
    from novelty_kit.ingest.ask import ASKED_BY, Services, answered_before, ask_for

    n_ids = sum(len(ids) for _, ids in batches)
    if not n_ids and into_log:
        raise InputError("nothing to ask for", remedy="Name ids, --ids FILE or --from-file FILE")
    with Services(wait_s=max_wait) as services:

        def items(appender: Appender) -> Iterator[Item]:
            for source, ids in batches:
                if into_log:
                    appender.expect(i for i in ids if i.partition(":")[0] in ASKED_BY[source])
                if resume:
                    appender.refresh()
                    ids = [lom_id for lom_id in ids if not answered_before(appender.known, source, lom_id)]
                yield from ask_for(services, source, ids, corroborate=not no_second_source)

        return run(items, graphs, dry_run, as_json, n_ids, _ANSWERS_A_TIME)


_AWAITED = (
    " Each id is a paper of the log before it is asked for: until its list is known, it blocks `novel`. One that was"
    " asked for by mistake goes with a delete of its paper row."
)


def _provider_command(source: str, summary: str, read: Callable[..., Iterable[Item]]) -> None:
    @ingest.command(source, help=summary + _AWAITED, short_help=summary)
    @click.argument("names", nargs=-1)
    @click.option(
        "--from-file", "from_file", is_flag=True, help="The arguments are files of this service's records."
    )
    @click.option(
        "--checked-ts", help="With --from-file: when the service said so, such as 2026-09-03T00:00:00Z."
    )
    @_ASK
    @log_options
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
        if checked_ts is not None and not is_time(checked_ts):
            raise InputError(
                f"--checked-ts {checked_ts!r:.60} is no time", remedy="Write it as 2026-09-03T00:00:00Z"
            )
        if from_file:
            if not names:
                raise InputError("nothing to ingest", remedy="Name files after --from-file")
            paths = [Path(name) for name in names]
            ctx.exit(run(lambda _: read(paths, checked_ts), graphs, dry_run, as_json))
        batches = [(source, _ids(names, id_files))]
        ctx.exit(_ask(batches, graphs, dry_run, as_json, resume, max_wait, no_second_source, into_log=True))


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
@max_wait_option
@click.option("--no-second-source", is_flag=True, help="Ask nobody else about an empty reference list.")
@log_options
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
    # A plan asks for what is in the log, and for candidates, which a failed lookup must not make papers of it.
    ctx.exit(_ask(batches, graphs, dry_run, as_json, resume, max_wait, no_second_source, into_log=False))


for _form, _summary in (
    ("bibtex", "Entries of BibTeX and BibLaTeX files."),
    ("ris", "Records of RIS files."),
    ("csl", "Items of CSL-JSON files."),
    ("ids", "Plain lists of ids, one a line."),
):
    ingest.add_command(bibliography_command(_form, _summary))
