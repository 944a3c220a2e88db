"""`novelty whatif`: a verdict as it would be with some facts otherwise; the log is not touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from novelty_kit.cli.check import exit_code, print_lines
from novelty_kit.cli.options import asked, candidate_options, graph_option, policy_option
from novelty_kit.errors import InputError
from novelty_kit.output import shorten

__all__ = ["whatif"]

_MAX_BYTES = 64 * 2**20


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
@click.option("--add", multiple=True, metavar="EVENT|FILE", help="An event as JSON, or a file of events.")
@click.option("--remove", multiple=True, type=int, metavar="SEQ", help="An event that is left out.")
@click.option("--hold", multiple=True, metavar="ID", help="A work that the authors used.")
@click.option("--read", multiple=True, metavar="ID", help="A work that is read.")
@click.option("--checked", multiple=True, metavar="ID=N", help="A work whose N references are known.")
@policy_option
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document: an array, or the object of one candidate."
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever the verdicts.")
@click.option("--debug", is_flag=True, hidden=True)
@click.pass_context
def whatif(
    ctx: click.Context, /, candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None,
    add: tuple[str, ...], remove: tuple[int, ...], hold: tuple[str, ...], read: tuple[str, ...],
    checked: tuple[str, ...], policy: tuple[str, ...], as_json: bool, exit_zero: bool, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Judge as the log is, and as it would be; the log stays as it is.

    The exit code is that of the result as it would be. CANDIDATE is a file of candidates, - for standard input, or an
    id such as arxiv:2408.06292.
    """
    from novelty_kit.changes import what_if
    from novelty_kit.changes.show import what_if_text

    lines = [line for given in add for line in _events(given)]
    counts = _counts(checked)
    opened, found, chosen = asked(candidates, graph, policy, as_of, fields)
    told = [
        what_if(opened, one, add=lines, remove=remove, hold=hold, read=read, checked=counts, policy=chosen)
        for one in found
    ]
    if as_json:
        records = [one.to_dict() for one in told]
        print_lines([json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)])
    else:
        print_lines(what_if_text(one) for one in told)
    ctx.exit(0 if exit_zero else exit_code([one.after for one in told]))


def _events(given: str) -> list[bytes]:
    """An event as it stands, or the lines of a file of events."""
    if given.lstrip().startswith("{"):
        return [given.encode("utf-8", "surrogateescape")]
    try:
        with Path(given).open("rb") as stream:  # a device has no size that could be asked for
            raw = stream.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        remedy = 'Give an event such as {"op": "upsert", "table": …, "row": {…}}, or a file of events'
        what = f"'{shorten(given, 60)}' is neither an event nor a file: {getattr(error, 'strerror', None) or error}"
        raise InputError(what, remedy=remedy) from None
    if len(raw) > _MAX_BYTES:
        remedy = "Append them to a copy of the log, and check that"
        raise InputError(f"is larger than {_MAX_BYTES // 2**20} MiB", path=given, remedy=remedy)
    if not raw.strip():
        raise InputError("holds no event", path=given, remedy="Give one event a line")
    return raw.removesuffix(b"\n").split(b"\n")


def _counts(settings: tuple[str, ...]) -> dict[str, int]:
    """``ID=N`` as a mapping; an id may hold an equals sign, so the last one counts."""
    found: dict[str, int] = {}
    for setting in settings:
        lom_id, equals, count = setting.rpartition("=")
        if not equals or not (count.isascii() and count.isdigit()) or len(count) > 16:
            raise InputError(
                f"--checked takes ID=N, not '{shorten(setting, 60)}'", remedy="Write --checked arxiv:…=30"
            )
        if found.setdefault(lom_id, int(count)) != int(count):
            raise InputError(f"--checked gives '{shorten(lom_id, 60)}' twice")
    return found
