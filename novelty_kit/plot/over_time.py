"""Pictures along the log: which verdict stood when and which event made it so; whose lists were known when."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from novelty_kit.changes.index import index_of
from novelty_kit.errors import InputError
from novelty_kit.graph.sql import read_sql
from novelty_kit.plot.bars import KINDS
from novelty_kit.plot.picture import BLUE, GREY, INK, ORANGE, PALE, Picture, label, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novelty_kit.changes import Change, History
    from novelty_kit.graph import Graph

__all__ = ["coverage_over_time", "event_words", "timeline"]

# verdict, colour, hatch: darkness, hatching and the word in the band tell the same.
_LOOKS = {
    "duplicate": (ORANGE, "xx"),
    "neighborhood": (BLUE, ""),
    "novel": ("white", "..."),
    "unknown": (PALE, "///"),
}
_DARK = ("neighborhood",)
_WIDTH = 9.6
_MOST_BANDS, _MOST_LISTED = 12, 16
_MOST_POINTS = 400
_KEYS = ("lom_id", "claim_id", "about_lom_id", "citing_lom_id", "src", "cited_lom_id", "dst", "lookup")


def timeline(history: History) -> Picture:
    """Draw which verdict stood when, and the events that changed it.

    Parameters
    ----------
    history : History
        From :func:`novelty_kit.changes`; of one candidate or several.

    Returns
    -------
    Picture
        A matplotlib Figure: a band for each candidate (at most 12) from the empty log to the last event that was
        looked at, the verdict in words and hatching; each change is numbered and listed below with its event (at
        most 16; the first candidates' first).
    """
    last = max(1, int(history.graph["as_of_seq"]))
    bands = [(name, history.of(no)) for no, name in enumerate(history.candidate_ids)]
    shown = bands[:_MOST_BANDS]
    several = len(bands) > 1
    numbered = [
        (f"{name or 'a candidate without an id'}: " if several else "", change)
        for name, changes in shown
        for change in changes
        if change.seq > 0
    ]
    listed = numbered[:_MOST_LISTED]
    n_lines = max(1, len(listed)) + (len(numbered) > len(listed)) + (len(bands) > len(shown))
    height = 1.25 + 0.62 * len(shown) + 0.21 * n_lines
    title = f"Verdicts along the log, from the empty log to event {history.graph['as_of_seq']}"
    if len(bands) == 1:
        title = f"{label(shown[0][0] or 'a candidate without an id', 48)}: {_lower(title)}"
    with styled():
        picture = Picture(figsize=(_WIDTH, height))
        top = height - 0.42
        ax = picture.add_axes((0.02, (top - 0.62 * len(shown)) / height, 0.96, 0.62 * len(shown) / height))
        number = 1
        for place, (name, changes) in enumerate(shown):
            _draw_band(ax, place, name if several else None, changes, last, number)
            number += sum(change.seq > 0 for change in changes)
        ax.set_xlim(0, last)
        ax.set_ylim(len(shown) - 0.4, -0.62)
        ax.set_yticks([])
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))
        ax.set_xlabel("event of the log", color=GREY)
        lines = [f"{no}.  {name}{_in_words(change)}" for no, (name, change) in enumerate(listed, start=1)]
        lines += [f"… and {len(numbered) - len(listed)} changes more"] if len(numbered) > len(listed) else []
        lines += [f"… and {len(bands) - len(shown)} candidates more"] if len(bands) > len(shown) else []
        for place, line in enumerate(lines or ["no event changed a verdict"]):
            picture.text(0.02, (0.12 + 0.21 * (n_lines - 1 - place)) / height, label(line, 150), fontsize=8.5)
        picture.suptitle(title, x=0.01, y=1 - 0.1 / height, ha="left", fontsize=11, fontweight="bold")
    picture.alt = f"{title}. " + " ".join(_band_in_words(name, changes) for name, changes in shown)
    return picture


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _draw_band(
    ax: Axes, place: int, name: str | None, changes: Sequence[Change], last: int, number: int
) -> None:
    ends = [*(change.seq for change in changes[1:]), last]
    for change, end in zip(changes, ends, strict=True):
        colour, hatch = _LOOKS[change.verdict]
        ax.barh(
            place, end - change.seq, left=change.seq, height=0.42, color=colour, hatch=hatch, edgecolor=INK,
            linewidth=0.8,
        )  # fmt: skip
        if (end - change.seq) / last > 0.012 * len(change.verdict):
            ax.text(
                (change.seq + end) / 2, place, change.verdict, ha="center", va="center", fontsize=8.5,
                color="white" if change.verdict in _DARK else INK,
                bbox=None if not hatch else {"facecolor": colour, "edgecolor": "none", "pad": 1.2},
            )  # fmt: skip
    if name is not None:
        ax.text(0, place - 0.36, label(name, 60), fontsize=8.5, color=GREY, ha="left", va="center")
    numbered = [(no, c.seq) for no, c in enumerate([c for c in changes if c.seq > 0], start=number)]
    for _, seq in numbered:
        ax.plot([seq, seq], [place - 0.21, place + 0.27], color=INK, linewidth=1.2)
    while numbered:  # numbers that would lie on each other stand as one span
        near = [pair for pair in numbered if pair[1] - numbered[0][1] <= 0.03 * last]
        words = str(near[0][0]) if len(near) == 1 else f"{near[0][0]}–{near[-1][0]}"
        middle = (near[0][1] + near[-1][1]) / 2
        ax.text(middle, place + 0.37, words, ha="center", va="center", fontsize=8.5, fontweight="bold")
        numbered = numbered[len(near) :]


def event_words(event: dict[str, Any]) -> str:
    """An event in a few words: what is set or taken back, and about which ids."""
    row = event.get("row")
    ids = [str(row[name]) for name in _KEYS if row.get(name) is not None] if isinstance(row, dict) else []
    verb = "takes back" if event.get("op") == "delete" else "sets"
    return f"{verb} {event.get('table')} {' → '.join(ids[:2])}"


def _in_words(change: Change) -> str:
    before = "" if change.before is None else f"{change.before['verdict']} → "
    what = "" if change.event is None else f" {event_words(change.event)}:"
    same = change.before is not None and change.before["verdict"] == change.verdict
    why = f" ({change.status.replace('_', ' ')})" if same and change.status != "ok" else ""
    return f"event {change.seq}{what} {before}{change.verdict}{why}, rule {change.rule}"


def _band_in_words(name: str | None, changes: Sequence[Change]) -> str:
    told = [f"{change.verdict} from event {change.seq}" for change in changes[:20]]
    more = f" and {len(changes) - 20} changes more" if len(changes) > 20 else ""
    return f"{label(name or 'a candidate without an id', 120)}: {', '.join(told)}{more}."


def counts_along(graph: Graph, seqs: Sequence[int]) -> list[Counter[str]]:
    """How many nodes of each kind of coverage there are after each of some ascending events."""
    with index_of(graph) as con:
        rows = con.execute(read_sql(__package__, "coverage_along.sql"), {"seqs": list(seqs)}).fetchall()
    moved = {seq: Counter[str]() for seq in seqs}
    for seq, kind, n in rows:
        moved[seq][kind] = n
    return list(itertools.accumulate(moved.values(), lambda counts, more: counts + more))


def coverage_over_time(graph: Graph, *, points: int = 24) -> Picture:
    """Draw how many nodes that count in a verdict had a known reference list, along the log.

    Parameters
    ----------
    graph : Graph
        Up to its own event.
    points : int
        At how many events, evenly spread, the graph is looked at; each is exact, between them nothing is said.

    Returns
    -------
    Picture
        A matplotlib Figure: a stacked bar for each of these events, a part for each kind of coverage (novelty
        reference, section 3) over the nodes that are read or claim-bearing.

    Raises
    ------
    InputError
        `points` is no whole number from 2 to 400.
    """
    if isinstance(points, bool) or not isinstance(points, int) or not 2 <= points <= _MOST_POINTS:
        raise InputError(f"points={points!r:.40} is no number of points", remedy=f"Give 2 to {_MOST_POINTS}")
    last = graph.as_of_seq
    seqs = sorted({round(last * no / points) for no in range(1, points + 1)})
    counted = counts_along(graph, seqs)
    title = f"Whose reference lists were known, along the log up to event {last}"
    with styled():
        picture = Picture(figsize=(_WIDTH, 3.5))
        ax = picture.add_axes((0.065, 0.15, 0.92, 0.56))
        width = 0.82 * max(1, last) / max(1, len(seqs))
        below = [0] * len(seqs)
        for kind, _, colour, hatch in KINDS:
            here = [counts.get(kind, 0) for counts in counted]
            ax.bar(
                seqs, here, bottom=below, width=width, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6
            )
            below = [low + n for low, n in zip(below, here, strict=True)]
        looks = [
            Patch(facecolor=colour, edgecolor=INK, hatch=hatch, label=f"{words} ({counted[-1].get(kind, 0)})")
            for kind, words, colour, hatch in KINDS
        ]
        ax.legend(
            handles=looks, loc="lower left", bbox_to_anchor=(-0.05, 1), ncols=3, frameon=False, fontsize=8.5
        )
        ax.set_xlabel(f"event of the log; looked at {len(seqs)} times", color=GREY)
        ax.set_ylabel("read or claim-bearing nodes", color=GREY)
        ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))
        picture.suptitle(title, x=0.01, y=0.975, ha="left", fontsize=11, fontweight="bold")
    picture.alt = f"{title}. Of the read or claim-bearing nodes, covered: " + ", ".join(
        f"{counts.get('out', 0) + counts.get('in', 0)} of {sum(counts.values())} at event {seq}"
        for seq, counts in zip(seqs, counted, strict=True)
    )
    return picture
