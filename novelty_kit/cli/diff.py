"""`novelty diff`: what is otherwise between two points, logs or policies, and which events account for it."""

from __future__ import annotations

import json
from typing import Any

import click

from novelty_kit.cli.check import print_lines
from novelty_kit.cli.options import (
    candidate_options,
    candidates_from,
    graph_option,
    log_of,
    open_named_graph,
    policy_from,
    policy_option,
)
from novelty_kit.errors import InputError

__all__ = ["diff"]


@click.command()
@candidate_options
@graph_option
@click.option("--from", "from_", metavar="SEQ|TIME", help="The first point. Default: the end of the log.")
@click.option("--to", metavar="SEQ|TIME", help="The second point. Default: the end of the log.")
@click.option("--graph-to", multiple=True, metavar="FILE", help="Another log for the second point.")
@policy_option
@click.option("--policy-to", multiple=True, metavar="NAME=VALUE", help="A reading of the second point only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever differs.")
@click.option("--debug", is_flag=True, hidden=True)
@click.pass_context
def diff(
    ctx: click.Context, /, candidates: tuple[str, ...], graph: tuple[str, ...], from_: str | None, to: str | None,
    graph_to: tuple[str, ...], policy: tuple[str, ...], policy_to: tuple[str, ...], as_json: bool, exit_zero: bool,
    debug: bool, **fields: Any,
) -> None:  # fmt: skip
    """Say what is otherwise between two points, and the events without any of which it would not be.

    Exits 1 where a verdict differs. CANDIDATE is a file of candidates, - for standard input, or an id.
    """
    from novelty_kit.changes import diff as differ
    from novelty_kit.changes.show import difference_text
    from novelty_kit.verdict.policy import Policy

    if from_ is None and to is None and not graph_to and not policy_to:
        remedy = "Give --from, --to, --graph-to or --policy-to"
        raise InputError("the two points are one", remedy=remedy)
    first = policy_from(policy)
    second = Policy.of(first.to_dict() | _switched(policy_to))
    found = candidates_from(candidates, **fields)
    opened = open_named_graph(log_of(graph, found))
    other = open_named_graph(graph_to) if graph_to else None
    told = differ(opened, found, from_, to, graph_to=other, policy=first, policy_to=second)
    if as_json:
        print_lines([json.dumps(told.to_dict(), ensure_ascii=False, indent=2)])
    else:
        print_lines([difference_text(told)])
    ctx.exit(1 if told.differs and not exit_zero else 0)


def _switched(settings: tuple[str, ...]) -> dict[str, Any]:
    """Only the switches that are named."""
    chosen = policy_from(settings).to_dict()
    return {name: chosen[name] for name in {setting.partition("=")[0].strip() for setting in settings}}
