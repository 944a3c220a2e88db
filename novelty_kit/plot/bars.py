"""Bars that can be counted: what a candidate shares, by slice; whose reference lists are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from novelty_kit.graph.sql import read_sql
from novelty_kit.plot.picture import BLUE, GREY, INK, ORANGE, PALE, Picture, label, styled

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.record import Verdict

__all__ = ["KINDS", "coverage", "overlap"]

# kind, words, colour, hatch
KINDS = (
    ("out", "list known", BLUE, ""),
    ("in", "list unknown, cited by a known one", BLUE, "///"),
    ("contradicted", "list recorded empty, which something denies", ORANGE, ""),
    ("failed", "lookup failed", ORANGE, "xxx"),
    ("unchecked", "never asked for", PALE, ""),
)


def overlap(verdict: Verdict) -> Picture:
    """Draw how many nodes a candidate shares with the graph, by slice.

    Parameters
    ----------
    verdict : Verdict

    Returns
    -------
    Picture
        A matplotlib Figure: one bar for the nodes that the authors used (in-sample), one for all others
        (holdout), one for stubs, which count for nothing; counts and each slice's own verdict beside them.
    """
    n_in, n_out, n_stub = verdict.in_sample.n_shared, verdict.holdout.n_shared, verdict.stub_overlap.n_shared
    alone = verdict.verdict_by_slice
    name = verdict.candidate_id or verdict.lom_id or "candidate without an id"
    if verdict.holdout_applied:
        rows = [
            ("in-sample: the authors used it", n_in, ORANGE, "///", f"{n_in} (alone: {alone['in_sample']})"),
            ("holdout: they did not", n_out, BLUE, "", f"{n_out} (alone: {alone['holdout']})"),
        ]
    else:
        rows = [
            ("in-sample: no holdout was stated", n_in, ORANGE, "///", f"{n_in} (alone: {alone['in_sample']})")
        ]
    rows.append(("stubs: count for nothing", n_stub, PALE, "", str(n_stub)))
    with styled():
        height = 0.95 + 0.5 * len(rows)
        picture = Picture(figsize=(7.2, height))
        ax = picture.add_axes((0.31, 0.52 / height, 0.67, (height - 0.9) / height))
        most = max(n for _, n, _, _, _ in rows)
        for place, (_, n, colour, hatch, words) in enumerate(rows):
            ax.barh(place, n, height=0.62, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.8)
            ax.text(n + 0.012 * max(most, 1), place, f" {words}", va="center", ha="left")
        ax.set_yticks(range(len(rows)), [words for words, *_ in rows])
        ax.invert_yaxis()
        ax.set_xlim(0, max(most, 1) * 1.7)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        ax.set_xlabel("shared nodes", color=GREY)
        ax.tick_params(axis="y", length=0)
        title = f"Nodes that {label(name, 48)} shares with the graph"
        picture.suptitle(title, x=0.01, y=1 - 0.1 / height, ha="left", fontsize=11, fontweight="bold")
    parts = "; ".join(f"{words}: {shown}" for words, _, _, _, shown in rows)
    picture.alt = f"Nodes that {label(name, 120)} shares with the graph. {parts}."
    return picture


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
        counts = dict(con.execute(read_sql(__package__, "coverage.sql")).fetchall())
    total = sum(counts.values())
    with styled():
        picture = Picture(figsize=(7.2, 2.9))
        ax = picture.add_axes((0.43, 0.18, 0.55, 0.68))
        most = max([1, *counts.values()])
        for place, (kind, _, colour, hatch) in enumerate(KINDS):
            n = counts.get(kind, 0)
            ax.barh(place, n, height=0.62, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.8)
            ax.text(n + 0.012 * most, place, f" {n}", va="center", ha="left")
        ax.set_yticks(range(len(KINDS)), [words for _, words, _, _ in KINDS])
        ax.invert_yaxis()
        ax.set_xlim(0, most * 1.15)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        ax.set_xlabel("read or claim-bearing nodes", color=GREY)
        ax.tick_params(axis="y", length=0)
        picture.suptitle(
            f"Whose reference lists are known: {total} nodes, as of event {graph.as_of_seq}",
            x=0.01, y=0.966, ha="left", fontsize=11, fontweight="bold",
        )  # fmt: skip
    parts = "; ".join(f"{words}: {counts.get(kind, 0)}" for kind, words, _, _ in KINDS)
    scope = f"{total} read or claim-bearing nodes, as of event {graph.as_of_seq}"
    picture.alt = f"Whose reference lists are known, of {scope}. {parts}."
    return picture
