"""A log's health as pictures: how long lists are, how old the works, what keeps verdicts from being novel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from novelty_kit.graph.sql import sql_parts
from novelty_kit.plot.picture import BLUE, GREY, INK, ORANGE, PALE, Picture, styled
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novelty_kit.graph import Graph

__all__ = ["blocking", "dates", "degrees"]

# side, what is counted, of which nodes, colour, hatch
_SIDES = (
    ("lists", "how many works each cites", "compared nodes", BLUE, ""),
    ("cited", "how many works cite each", "compared nodes", BLUE, "///"),
    ("stub", "how many works cite each", "stubs", PALE, ""),
)
_MOST_BARS = 60
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200)


def degrees(graph: Graph) -> Picture:
    """Draw how many citations touch a node.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Picture
        A matplotlib Figure of three panels: known references of the compared (read or claim-bearing) nodes,
        known citations of the compared nodes, known citations of stubs. Bars double in width; the count of
        nodes stands above each.
    """
    counted: dict[str, Counter[int]] = {side: Counter() for side, *_ in _SIDES}
    for side, degree, n in _ask(graph, "degrees"):
        counted[side][degree.bit_length()] += n
    with styled():
        picture = Picture(figsize=(9.6, 3.1))
        for place, (side, words, unit, colour, hatch) in enumerate(_SIDES):
            ax = picture.add_axes((0.02 + 0.33 * place, 0.22, 0.3, 0.5))
            _draw_degrees(ax, counted[side], colour, hatch)
            told = f"{sum(counted[side].values())} {unit}:\n{words}"
            ax.set_title(told, fontsize=9, fontweight="normal", color=GREY)
        _head(picture, f"Known citations of each node, as of event {graph.as_of_seq}", 3.1)
    picture.alt = f"Known citations of each node, as of event {graph.as_of_seq}. " + " ".join(
        f"{sum(counted[side].values())} {unit}, {words}: {_spans(counted[side])}."
        for side, words, unit, *_ in _SIDES
    )
    return picture


def dates(graph: Graph) -> Picture:
    """Draw from which years the compared nodes are, and whose lists are known.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Picture
        A matplotlib Figure: a bar for each year, or for equal spans where there are too many, covered nodes
        below and uncovered ones above; undated nodes are counted in the words beside.
    """
    covered, uncovered, n_undated = _years(graph)
    years = sorted({*covered, *uncovered})
    title = f"Years of the compared nodes, as of event {graph.as_of_seq}"
    with styled():
        picture = Picture(figsize=(9.6, 3.3))
        ax = picture.add_axes((0.055, 0.15, 0.93, 0.62))
        width = _width(years)
        below, above = _binned(covered, width), _binned(uncovered, width)
        for low in sorted({*below, *above}):
            middle = low + (width - 1) / 2
            wide = 0.86 * width
            ax.bar(middle, below[low], width=wide, color=BLUE, edgecolor=INK, linewidth=0.6)
            ax.bar(
                middle, above[low], bottom=below[low], width=wide, color=ORANGE, hatch="xxx", edgecolor=INK,
                linewidth=0.6,
            )  # fmt: skip
        n_in, n_out = sum(covered.values()), sum(uncovered.values())
        looks = [
            Patch(facecolor=BLUE, edgecolor=INK, label=f"list known, or cited by a known one ({n_in})"),
            Patch(facecolor=ORANGE, edgecolor=INK, hatch="xxx", label=f"not covered ({n_out})"),
        ]
        ax.legend(
            handles=looks, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.1
        )
        span = "one bar a year" if width == 1 else f"one bar for {width} years"
        ax.set_xlabel(f"{span}; {n_undated} undated", color=GREY)
        _whole_axes(ax, years, width)
        _head(picture, title, 3.3)
    first_last = f"{years[0]} to {years[-1]}" if years else "none is dated"
    picture.alt = (
        f"{title}: {first_last}; covered: {n_in}; not covered: {n_out}; undated: {n_undated}. "
        f"By {'year' if width == 1 else f'{width} years'} (not covered of all): "
        + "; ".join(f"{low}: {above[low]} of {below[low] + above[low]}" for low in sorted({*below, *above}))
    )
    return picture


def blocking(graph: Graph, *, date_margin_years: int | Literal["off"] = 3) -> Picture:
    """Draw how many unknown lists keep a work of each year from being novel.

    Parameters
    ----------
    graph : Graph
    date_margin_years : int or "off"
        The policy of that name.

    Returns
    -------
    Picture
        A matplotlib Figure: for an unconnected candidate of each year, how many uncovered nodes could cite
        it; nothing can be novel by default where that is not 0.

    Raises
    ------
    PolicyError
        The margin is none that the policy knows.
    """
    margin = Policy.of({"date_margin_years": date_margin_years}).date_margin_years
    covered, uncovered, n_undated = _years(graph, uncovered_only=True)
    known = sorted({*covered, *uncovered})
    first, last = (known[0], known[-1]) if known else (0, 0)
    first = max(first, last - 5 * _MOST_BARS)
    could = {
        year: n_undated
        + sum(n for other, n in uncovered.items() if margin == "off" or other + margin >= year)
        for year in range(first, last + 1)
    }
    title = (
        f"Unknown lists that could hide a link, by the year of the candidate, as of event {graph.as_of_seq}"
    )
    with styled():
        picture = Picture(figsize=(9.6, 2.9))
        ax = picture.add_axes((0.055, 0.17, 0.93, 0.66))
        bounds = [year - 0.5 for year in (*could, last + 1)]
        ax.stairs(list(could.values()), bounds, fill=True, facecolor=ORANGE, edgecolor=INK, linewidth=0.8)
        most = max([1, *could.values()])
        for year, side in ((first, "left"), (last, "right")):
            told = f"{year}: {could[year]}" if known else "no work is dated" if side == "right" else ""
            ax.text(year, 1.04 * most, told, ha=side, va="bottom")
        ax.set_ylim(0, 1.15 * most)
        reach = f"works dated up to {margin} years before it" if margin != "off" else "works of any date"
        ax.set_xlabel(f"year of the candidate; {reach} could cite it", color=GREY)
        _whole_axes(ax, [first, last], 1)
        _head(picture, title, 2.9)
    at = sorted({first, last, *range(first, last, max(1, (last - first) // 8))})
    told = "; ".join(f"{year}: {could[year]}" for year in at) if known else "no work is dated"
    picture.alt = f"{title}. {told}. Undated and not covered: {n_undated}."
    return picture


def _ask(graph: Graph, part: str) -> list[tuple[Any, ...]]:
    with graph.connection as con:
        return con.execute(dict(sql_parts(__package__, "health.sql"))[part]).fetchall()


def _years(graph: Graph, *, uncovered_only: bool = False) -> tuple[Counter[int], Counter[int], int]:
    """Covered and uncovered nodes by year, and the undated ones."""
    by_cover: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    n_undated = 0
    for year, is_covered, n in _ask(graph, "years"):
        if year is not None:
            by_cover[is_covered][year] += n
        elif not (uncovered_only and is_covered):
            n_undated += n
    return by_cover[True], by_cover[False], n_undated


def _draw_degrees(ax: Axes, counted: Counter[int], colour: str, hatch: str) -> None:
    most = max([1, *counted.values()])
    places = range(max(counted, default=0) + 1)
    for place in places:
        n = counted[place]
        ax.bar(place, n, width=0.86, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6)
        if n:
            ax.text(place, n + 0.02 * most, str(n), ha="center", va="bottom", fontsize=7.5)
    ax.set_xticks(places, [_span(place) for place in places], rotation=35, ha="right", fontsize=7.5)
    ax.set_ylim(0, 1.12 * most)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)


def _span(bits: int) -> str:
    """The numbers of so many binary digits, as text."""
    low, high = (1 << bits) >> 1, (1 << bits) - 1
    return str(low) if low >= high else f"{low}–{high}"


def _spans(counted: Mapping[int, int]) -> str:
    return ", ".join(f"{_span(bits)}: {n}" for bits, n in sorted(counted.items())) or "none"


def _width(years: list[int]) -> int:
    """How many years a bar spans."""
    span = years[-1] - years[0] + 1 if years else 1
    return next(width for width in _WIDTHS if span <= width * _MOST_BARS)


def _binned(by_year: Counter[int], width: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for year, n in by_year.items():
        found[year - year % width] += n
    return found


def _whole_axes(ax: Axes, years: list[int], width: int) -> None:
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12, min_n_ticks=1))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    if years:
        ax.set_xlim(years[0] - width - 0.5, years[-1] + width + 0.5)


def _head(picture: Picture, title: str, height: float) -> None:
    picture.suptitle(title, x=0.01, y=1 - 0.1 / height, ha="left", fontsize=11, fontweight="bold")
