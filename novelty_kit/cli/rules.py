"""`novelty rules` and `novelty schema`: what is decided by what, and the shapes of everything."""

from __future__ import annotations

import json

import click

from novelty_kit.errors import InputError
from novelty_kit.output import shorten

__all__ = ["rules", "schema"]


@click.command()
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--debug", is_flag=True, hidden=True)
def rules(rule_id: str | None, as_json: bool, debug: bool) -> None:
    """Each rule and invariant: its sentence, its source, its SQL or function, a firing example."""
    from novelty_kit.rulebook import rulebook

    found = rulebook()
    if rule_id is not None:
        found = [rule for rule in found if rule.rule_id.lower() == rule_id.lower()]
        if not found:
            raise InputError(
                f"no rule is named '{shorten(rule_id, 60)}'", remedy="List them with: novelty rules"
            )
    if as_json:
        click.echo(json.dumps([rule.to_dict() for rule in found], ensure_ascii=False, indent=2))
        return
    for rule in found:
        click.echo(f"{rule.rule_id:<10} {rule.sentence}")
        if rule_id is not None:
            click.echo(
                f"source: {rule.source}\nwhere: {rule.where}\n\n{rule.body}\n\nfires on: {rule.example}"
            )


@click.command()
@click.argument("name", required=False)
@click.option("--debug", is_flag=True, hidden=True)
def schema(name: str | None, debug: bool) -> None:
    """The JSON Schemas of event, candidate, result, history line, plan and report record."""
    from novelty_kit.schemas import NAMES, schema_of

    if name is None:
        for known, summary in NAMES.items():
            click.echo(f"{known:<14} {summary}")
        return
    if name not in NAMES:
        raise InputError(f"no schema is named '{shorten(name, 60)}'", remedy=f"Choose of {', '.join(NAMES)}")
    click.echo(json.dumps(schema_of(name), ensure_ascii=False, indent=2))
