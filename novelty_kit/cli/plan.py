"""`novelty plan`: the fewest lookups that make verdicts decidable, as words or as a file for `ingest plan`."""

from __future__ import annotations

import json
from typing import Any

import click

from novelty_kit.cli.options import asked, candidate_options, graph_option, policy_option
from novelty_kit.errors import InputError
from novelty_kit.output import write_whole

__all__ = ["plan"]


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="As the log was after that event, or at that time.")
@policy_option
@click.option("--json", "as_json", is_flag=True, help="The plan as one JSON object.")
@click.option("--out", metavar="FILE", help="Write the plan there, for `novelty ingest plan FILE`.")
@click.option("--debug", is_flag=True, hidden=True)
def plan(
    candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, policy: tuple[str, ...], as_json: bool,
    out: str | None, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Plan the fewest lookups that make verdicts decidable, the call that unlocks most candidates first.

    CANDIDATE is a .json, .jsonl, .parquet or .csv file, - for standard input, or an id such as arxiv:2408.06292.
    """
    from novelty_kit.planning import plan as plan_lookups

    if as_json and out is not None:
        raise InputError("--json and --out exclude each other")
    opened, found, chosen = asked(candidates, graph, policy, as_of, fields)
    planned = plan_lookups(opened, found, policy=chosen)
    text = json.dumps(planned.to_dict(), ensure_ascii=False, indent=2)
    if out is not None:
        write_whole(out, text + "\n")
    for line in [text] if as_json else planned.lines():
        click.echo(line)
