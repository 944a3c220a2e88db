"""`novelty demo`: the demo data and the notebooks, written out where they can be played with."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["demo"]


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--debug", is_flag=True, hidden=True)
def demo(folder: str, debug: bool) -> None:
    """Write the demo log, its candidates and documents, and the notebooks into a new or empty folder."""
    from novelty_kit.demo import write_demo
    from novelty_kit.output import for_terminal

    written = write_demo(folder)
    place = Path(folder)
    click.echo(for_terminal(f"{len(written)} files in {place.as_posix()}. Try:"))
    command = f"  novelty report {place / 'candidates.jsonl'} --graph {place / 'events.jsonl'}"
    click.echo(for_terminal(command))
