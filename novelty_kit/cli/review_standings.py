"""`novelty review standings`: who stands where, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.review_options import BASE, DEBUG, JSON, POLICY, RUN, open_named, run_and_file
from novelty_kit.output import canonical_json, for_terminal

if TYPE_CHECKING:
    from novelty_kit.review.standings import Standing

__all__ = ["standings"]


@click.command()
@click.argument("arguments", nargs=-1, metavar="[RUN]")
@RUN
@BASE
@DEBUG
@click.option("--composite", is_flag=True, help="By Elo moved by the latest review axes.")
@click.option("--preset", metavar="NAME", help="A preset of weights.")
@click.option("--weights", metavar="AXIS=N,…", help="Single weights: goal, constraint, novelty.")
@click.option("--explain", is_flag=True, help="Show what each axis adds, and from which review.")
@click.option("--pairs", type=click.IntRange(0), metavar="N", help="Propose up to N next matches.")
@POLICY
@JSON
def standings(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    composite: bool,
    preset: str | None,
    weights: str | None,
    explain: bool,
    pairs: int | None,
    policy: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show who stands where; a quarantined hypothesis stands nowhere."""
    from novelty_kit.errors import PolicyError
    from novelty_kit.review.composite import read_weights

    for given, option in ((preset, "--preset"), (weights, "--weights"), (explain, "--explain")):
        if given and not composite:
            raise PolicyError(f"{option} requires --composite", remedy="Add --composite")
    overrides = read_weights(weights) if weights else None
    named, _ = run_and_file(arguments, run_id, 1)
    run = open_named(run_id, base, named, policy)
    in_force = run.weights(preset, overrides) if composite else None
    rows = run.standing_rows(in_force)
    ratings = run.ratings()
    document: dict[str, Any] = {
        "epoch": ratings.epoch,
        "ratings": ratings.source,
        "weights": in_force.to_dict() if in_force else None,
        "standings": [row.to_dict(explain=explain) for row in rows],
        "quarantined": sorted(run.quarantined()),
    }
    if pairs is not None:
        pairing = run.pairing(budget=pairs)
        document["pairs"] = [{"a": a, "b": b} for a, b in pairing.pairs]
        document["byes"] = list(pairing.byes)
    if as_json:
        click.echo(canonical_json(document, indent=2))
        return
    _say_standings(document, rows, explain)


def _say_standings(document: dict[str, Any], rows: tuple[Standing, ...], explain: bool) -> None:
    weights = document["weights"]
    head = f"Standings (epoch {'-' if document['epoch'] is None else document['epoch']}"
    if weights:
        preset = f"{weights['preset']}{', changed' if weights['changed'] else ''}"
        shown = " ".join(f"{name}={weights[name]:g}" for name in ("goal", "constraint", "novelty"))
        head += f"; composite: {preset}; {shown}"
    click.echo(f"{head})")
    for row in rows:
        line = f"{row.hypothesis_id}  {row.elo:8.1f}"
        if row.elo_composite is not None:
            line = (
                f"{row.hypothesis_id}  {row.elo_composite:8.1f}  {row.elo:8.1f} {row.composite_delta:+6.1f}"
            )
        click.echo(f"{line}  {row.matches:4d} matches {row.wins:4d} wins {row.draws:4d} draws")
        for name, part in row.components.items() if explain else ():
            score = "-" if part.score is None else f"{part.score}/5"
            source = part.source or "not scored"
            click.echo(
                for_terminal(
                    f"    {name:<10} {score:>3}  S={part.s:.2f}  W={part.weight:g}"
                    f"  {part.contribution:+.1f}  {source}"
                )
            )
    if not rows:
        click.echo("no hypothesis stands here")
    if document["quarantined"]:
        click.echo(f"In quarantine, in no standing: {', '.join(document['quarantined'])}")
    for pair in document.get("pairs", ()):
        click.echo(f"next: {pair['a']} - {pair['b']}")
    if document.get("pairs") == []:
        click.echo("next: no two of them may meet now")
