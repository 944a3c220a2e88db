"""`novelty history`: every event of the log at which a verdict changed."""

from __future__ import annotations

import json
from typing import Any

import click

from novelty_kit.cli.check import print_lines
from novelty_kit.cli.options import asked, candidate_options, graph_option, policy_option
from novelty_kit.errors import InputError
from novelty_kit.output import canonical_json, write_whole

__all__ = ["history"]


@click.command()
@candidate_options
@graph_option
@click.option("--as-of", metavar="SEQ|TIME", help="Up to that event, or that time.")
@policy_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document: an array of changes.")
@click.option(
    "--jsonl", "as_jsonl", is_flag=True, help="One change a line; the first is the empty log, seq 0."
)
@click.option("--out", metavar="FILE", help="Write there by suffix: .jsonl or .json")
@click.option("--verify", is_flag=True, help="Compare every byte of the log with the cache.")
@click.option("--skip-bad-lines", is_flag=True, help="Go on without them; nothing can then be novel.")
@click.option("--debug", is_flag=True, hidden=True)
def history(
    candidates: tuple[str, ...], graph: tuple[str, ...], as_of: str | None, policy: tuple[str, ...], as_json: bool,
    as_jsonl: bool, out: str | None, verify: bool, skip_bad_lines: bool, debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Say at which event of the log a status, verdict or deciding rule changed, and what that event was.

    CANDIDATE is a .json, .jsonl, .parquet or .csv file, - for standard input, or an id such as arxiv:2408.06292.
    """
    from novelty_kit.changes.along import changes_along
    from novelty_kit.changes.show import history_text

    if as_json and as_jsonl:
        raise InputError("--json and --jsonl exclude each other")
    if out is not None and not out.lower().endswith((".jsonl", ".json")):
        raise InputError("an output file needs a suffix", path=out, remedy="Choose of .jsonl .json")
    opened, found, chosen = asked(
        candidates, graph, policy, as_of, fields, verify=verify, skip_bad_lines=skip_bad_lines
    )
    told = changes_along(opened, found, chosen)
    if out is not None:
        if out.lower().endswith(".jsonl"):
            write_whole(out, "".join(canonical_json(change) + "\n" for change in told.to_dicts()))
        else:
            write_whole(out, canonical_json(told.to_dicts(), indent=2) + "\n")
    elif as_jsonl:
        print_lines(json.dumps(change, ensure_ascii=False) for change in told.to_dicts())
    elif as_json:
        print_lines([json.dumps(told.to_dicts(), ensure_ascii=False, indent=2)])
    else:
        print_lines([history_text(told)])
