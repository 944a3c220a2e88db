"""The `novelty` command: a thin mirror of the library.

Nothing heavy is imported before the command that needs it runs: the table below is all that
``novelty --help`` reads. Every command lives in the module named beside it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from novelty_kit import __version__
from novelty_kit.errors import LogError, NoveltyKitError, Problem
from novelty_kit.output import for_terminal, shorten

__all__ = ["COMMANDS", "cli", "main"]

# name, module:attribute, one-line help
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("check", "novelty_kit.cli.check:check", "Verdicts: duplicate, neighborhood, novel or unknown."),
    (
        "explain",
        "novelty_kit.cli.check:explain",
        "How a verdict came about, rule by rule, with the log lines.",
    ),
    (
        "history",
        "novelty_kit.cli.history:history",
        "Every event of the log at which a verdict changed.",
    ),
    (
        "diff",
        "novelty_kit.cli.diff:diff",
        "What is otherwise between two points, logs or policies, and which events account for it.",
    ),
    (
        "whatif",
        "novelty_kit.cli.whatif:whatif",
        "A verdict as it would be with some facts otherwise; the log is not touched.",
    ),
    ("plan", "novelty_kit.cli.plan:plan", "The fewest lookups that make verdicts decidable."),
    ("graph", "novelty_kit.cli.graph:graph", "The log itself: stats, validate, gaps, repair, seal, export."),
    (
        "ingest",
        "novelty_kit.cli.ingest:ingest",
        "Append what services and files say to the log, fail-closed.",
    ),
    (
        "passport",
        "novelty_kit.cli.passport:passport",
        "Do the claims match the declared experiments? check, gate, intake, init, diff.",
    ),
    (
        "review",
        "novelty_kit.cli.review:review",
        "Reviews and their caps: add, check, quarantine, standings, next-id.",
    ),
    ("cite", "novelty_kit.cli.cite:cite", "Are the citations real? verify, against the services."),
    (
        "priorart",
        "novelty_kit.cli.priorart:priorart",
        "Novelty claims against fetched texts: extract, search, adjudicate, record.",
    ),
    ("report", "novelty_kit.cli.report:report", "An audit page for each candidate, and an index."),
    ("lab", "novelty_kit.cli.lab:lab", "The notebooks in JupyterLab, set to a log."),
    ("demo", "novelty_kit.cli.demo:demo", "Write the demo data and the notebooks into a folder."),
    ("rules", "novelty_kit.cli.rules:rules", "Each rule: its sentence, its source, its SQL or function."),
    ("schema", "novelty_kit.cli.rules:schema", "The JSON Schemas of everything that goes in or comes out."),
)

_BY_NAME = {name: (target, summary) for name, target, summary in COMMANDS}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _BY_NAME:
            return None
        module, _, attribute = _BY_NAME[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, _, summary in COMMANDS])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="novelty")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Is this paper or claim new? An honest answer from your own citation graph."""


def _without_remedy(problem: Problem) -> str:
    return str(replace(problem, remedy=None)).rstrip(".")


def _report(error: NoveltyKitError) -> None:
    """An error; of a batch whose members are judged singly, the first hundred faults.

    The error of a log says how many lines are bad and that `novelty graph validate` lists them: one line.
    """
    listed = () if isinstance(error, LogError) else error.problems[:100]
    # The error itself is often the first of its faults, with what to do.
    told = str(error)
    lines = [told, *(f"  {problem}" for problem in listed if not told.startswith(_without_remedy(problem)))]
    n_hidden = 0 if isinstance(error, LogError) else error.n_problems - max(len(listed), 1)
    if n_hidden > 0:
        lines.append(f"  … and {n_hidden} more")
    for line in lines:
        click.echo(for_terminal(line if line.startswith("  ") else f"novelty: {line}"), err=True)


def _report_usage(error: click.ClickException) -> None:
    """What is wrong with the command line, and whom to ask; `novelty` alone gets its help."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else "novelty"
    what = error.format_message().rstrip(".")
    click.echo(f"novelty: {for_terminal(shorten(what, 500))}. Try: {path} --help", err=True)


def _is_interrupt(error: RuntimeError) -> bool:
    """Whether the database says that the user pressed Ctrl-C."""
    return str(error) == "Query interrupted"


def _leave_stdout() -> None:
    """Nothing more can be written there; what is buffered must not fail again when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; every fault ends in one to three lines and an exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with cli.make_context("novelty", arguments.copy()) as ctx:
            status = cli.invoke(ctx)
        sys.stdout.flush()
    except NoveltyKitError as error:
        if "--debug" in arguments:
            raise
        _report(error)
        raise SystemExit(error.exit_code) from None
    except click.exceptions.Exit as stop:
        raise SystemExit(stop.exit_code) from None
    except click.ClickException as error:
        _report_usage(error)
        raise SystemExit(error.exit_code) from None
    except (click.Abort, KeyboardInterrupt):
        click.echo("novelty: interrupted", err=True)
        raise SystemExit(130) from None
    except RuntimeError as error:
        if not _is_interrupt(error):
            raise
        click.echo("novelty: interrupted", err=True)
        raise SystemExit(130) from None
    except BrokenPipeError:
        # The reader of our output went away (| head): not an error of ours.
        _leave_stdout()
        raise SystemExit(0) from None
    except OSError as error:
        if "--debug" in arguments:
            raise
        _leave_stdout()
        place = f"{error.filename}: " if error.filename is not None else ""
        click.echo(
            f"novelty: {for_terminal(f'{place}cannot be read or written: {error.strerror or error}')}",
            err=True,
        )
        raise SystemExit(2) from None
    raise SystemExit(status if isinstance(status, int) else 0)
