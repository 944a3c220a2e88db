"""Whose reference lists are known: what a verdict of this graph may rest on."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from novelty_kit.plot.picture import BLUE, GREY, INK, ORANGE, PALE, Picture, styled

if TYPE_CHECKING:
    from novelty_kit.graph import Graph

__all__ = ["coverage"]

# kind, words, colour, hatch
_KINDS = (
    ("out", "list known", BLUE, ""),
    ("in", "list unknown, cited by a known one", BLUE, "///"),
    ("contradicted", "list recorded empty, which something denies", ORANGE, ""),
    ("checked_zero", "list empty, not cited by a known one", ORANGE, "///"),
    ("failed", "lookup failed", ORANGE, "xxx"),
    ("unchecked", "never asked for", PALE, "..."),
)


def coverage(graph: Graph) -> Picture:
    """Draw how many nodes that count in a verdict have a known reference list.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Picture
        A matplotlib Figure: one bar for each kind of coverage (novelty reference, section 3) over the nodes
        that are read or claim-bearing.
    """
    with graph.connection as con:
        found = con.execute(resources.files(__package__).joinpath("coverage.sql").read_text("utf-8")).fetchall()
    counts = dict(found)
    total = sum(counts.values())
    with styled():
        picture = Picture(figsize=(7.2, 3.3), layout="constrained")
        ax = picture.subplots()
        most = max([1, *counts.values()])
        for place, (kind, _, colour, hatch) in enumerate(_KINDS):
            n = counts.get(kind, 0)
            ax.barh(place, n, height=0.62, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.8)
            ax.text(n + 0.012 * most, place, f" {n}", va="center", ha="left")
        ax.set_yticks(range(len(_KINDS)), [words for _, words, _, _ in _KINDS])
        ax.invert_yaxis()
        ax.set_xlim(0, most * 1.15)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        ax.set_xlabel("read or claim-bearing nodes", color=GREY)
        ax.tick_params(axis="y", length=0)
        picture.suptitle(
            f"Whose reference lists are known: {total} nodes, as of event {graph.as_of_seq}",
            x=0.01, ha="left", fontsize=11, fontweight="bold",
        )  # fmt: skip
    parts = "; ".join(f"{words}: {counts.get(kind, 0)}" for kind, words, _, _ in _KINDS)
    picture.alt = f"Whose reference lists are known, of {total} read or claim-bearing nodes, as of event {graph.as_of_seq}. {parts}."
    return picture
