"""`novelty report`: a page, an executed notebook and a record for each candidate, and an index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.options import (
    candidate_options,
    candidates_from,
    graph_option,
    graph_paths,
    policy_from,
    policy_option,
)
from novelty_kit.cli.progress import Progress
from novelty_kit.errors import InputError

if TYPE_CHECKING:
    from novelty_kit.report.batch import Batch
    from novelty_kit.report.sources import Given

__all__ = ["report"]


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
@policy_option
@click.option("--out", metavar="FOLDER", default="reports", show_default=True, help="Where the reports go.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Worker processes; one for each processor without it."
)
@click.option("--resume", is_flag=True, help="Make only those anew that changed.")
@click.option(
    "--only", multiple=True, metavar="ID", help="Make only the report of this candidate (repeatable)."
)
@click.option(
    "--timeout",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Seconds that one cell may take.",
)
@click.option(
    "--pdf", is_flag=True, help="Also print each page as PDF, with the Chromium or Chrome of this system."
)
@click.option(
    "--fail-on", metavar="VERDICTS", help="Exit 1 where one occurs: duplicate,neighborhood,novel,unknown"
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document: the index, and the files of each report."
)
@click.option("--debug", is_flag=True, hidden=True)
@click.pass_context
def report(
    ctx: click.Context, /, candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None,
    policy: tuple[str, ...], out: str, jobs: int | None, resume: bool, only: tuple[str, ...], timeout: int,
    pdf: bool, fail_on: str | None, as_json: bool, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Make an audit report of each candidate: one HTML page, one executed notebook, one JSON record, and an index.

    Exit codes: 0 all made, 1 some candidate got an error page or names a passport, review run or prior-art
    folder that cannot be read (or --fail-on hit), 2 bad input.
    """
    from novelty_kit.cli.check import fail_on_names
    from novelty_kit.report.batch import render_batch
    from novelty_kit.report.workers import default_jobs

    failing = fail_on_names(fail_on)
    chosen = policy_from(policy)
    given = _given(candidates, fields)
    with Progress("reports") as progress:
        made = render_batch(
            given, lambda: graph_paths(graph), Path(out), chosen, named_log=bool(graph), as_of=as_of,
            jobs=jobs or default_jobs(), resume=resume, only=only, timeout_s=timeout, pdf=pdf, on_done=progress,
        )  # fmt: skip
    _say(made, as_json)
    broken = any(outcome.error is not None or outcome.broken_parts for outcome in made.outcomes)
    hit = any(outcome.verdict in failing for outcome in made.outcomes)
    ctx.exit(1 if broken or hit else 0)


def _given(arguments: tuple[str, ...], fields: dict[str, Any]) -> list[Given]:
    """The candidates of files and ids; a broken one of a file is kept with its problems."""
    from novelty_kit.report.sources import Given, load_given

    found: list[Given] = []
    for argument in arguments:
        if (
            argument == "-"
            or Path(argument).exists()
            or Path(argument).suffix.lower() in (".json", ".jsonl", ".ndjson", ".parquet", ".csv")
        ):
            if any(value and value != "paper" for value in fields.values()):
                raise InputError(
                    "options such as --kind describe a candidate given by id",
                    path=argument,
                    remedy="Write them into the file",
                )
            found += load_given(argument)
        else:
            found += [Given(one.label, one) for one in candidates_from([argument], **fields)]
    return found


def _say(made: Batch, as_json: bool) -> None:
    from novelty_kit.output import canonical_json, for_terminal, shorten

    summary = made.to_dict()
    if as_json:
        click.echo(canonical_json(summary, indent=2))
        return
    for one in summary["reports"]:
        judged = [f"{one['verdict']} ({one['status']})"] if one["verdict"] else []
        said = ", ".join([*judged, *([f"error: {shorten(one['error'], 160)}"] if one["error"] else [])])
        click.echo(for_terminal(f"{one['candidate_id'] or '(no id)'}: {said}  {one['html']}"))
    click.echo(for_terminal(f"{len(summary['reports'])} reports, all in {summary['index']}"))
