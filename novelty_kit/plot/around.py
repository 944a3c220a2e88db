"""What a candidate touches, as a picture: what counts, what does not, and who cites whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from novelty_kit.plot.picture import BLUE, GREY, INK, ORANGE, Picture, label, styled
from novelty_kit.plot.surroundings import (
    Group,
    Neighbour,
    Paper,
    Surroundings,
    gather_papers,
    gather_surroundings,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novelty_kit.graph import Graph
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy
    from novelty_kit.verdict.record import Verdict

__all__ = ["draw_neighbourhood", "neighbourhood"]

# group, words, fill
_LOOKS = {
    "holdout": ("holdout: the authors did not use it", BLUE),
    "in_sample": ("in-sample: the authors used it", ORANGE),
    "other": ("read, but leads to no claim: counts for nothing", "white"),
    "stub": ("stub: counts for nothing", "white"),
}
# What a node is, by shape and word; a ring around it says that it is held out.
ROLES = {
    "claim": ("^", "bears a claim"),
    "read": ("o", "read"),
    "stub": ("X", "stub"),
    "held": ("s", "held out"),
}
_UNSTATED = "in-sample: no holdout was stated"
_ROW, _AT = 0.34, 2.3  # inches of a row; where the nodes stand
_WIDTH = 9.0
_TITLES_AT = 4.9
_TITLE, _ID = 62, 46


def neighbourhood(
    graph: Graph,
    candidate: Candidate | Mapping[str, Any],
    *,
    policy: Policy | Mapping[str, Any] | None = None,
) -> Picture:
    """Draw the nodes that a candidate touches, and what each counts for.

    Parameters
    ----------
    graph : Graph
    candidate : mapping or Candidate
    policy : mapping or Policy, optional

    Returns
    -------
    Picture
        A matplotlib Figure; an arrow points from the citing to the cited work, dashed where only the
        candidate's own list says so. At most 42 nodes are drawn; counts are of all.
    """
    from novelty_kit.verdict.api import check
    from novelty_kit.verdict.candidate import read_candidate

    judged = read_candidate(candidate)
    verdict = check(graph, judged, policy=policy)
    with graph.connection as con:
        around = gather_surroundings(con, judged, verdict)
        papers = gather_papers(con, around.ids)
    return draw_neighbourhood(verdict, around, papers)


def draw_neighbourhood(verdict: Verdict, around: Surroundings, papers: Mapping[str, Paper]) -> Picture:
    """Draw surroundings that are already known.

    Parameters
    ----------
    verdict : Verdict
    around : Surroundings
    papers : mapping of id to Paper
        What the graph knows of the ids in `around`.
    """
    name = verdict.candidate_id or verdict.lom_id or "candidate without an id"
    groups = [group for group in around.groups if group.n]
    n_rows = sum(_n_rows(group) for group in groups) or 1
    height = 0.9 + _ROW * n_rows
    with styled():
        picture = Picture(figsize=(_WIDTH, height))
        ax = picture.add_axes((0, 0, 1, 1))
        ax.set_xlim(0, _WIDTH)
        ax.set_ylim(-height + 0.5, 0.5)
        ax.axis("off")
        ax.text(0.12, 0.22, f"What {label(name, 48)} touches in the graph", fontsize=11, fontweight="bold")
        middle = -(height - 0.9) / 2
        place = -0.1
        for group in groups:
            place = _draw_group(ax, group, papers, place, middle, verdict)
        ax.plot(
            0.75, middle, marker="h", markersize=24, color="white", markeredgecolor=INK, markeredgewidth=1.6
        )
        ax.text(0.75, middle - 0.34, "candidate", ha="center", fontsize=9.5, fontweight="bold")
        if not groups:
            ax.text(
                _AT, middle - 0.05, "nothing: no edge of the log and no reference of its own leads to a node"
            )
        else:
            _draw_roles(ax, 0.68 - height)
    picture.alt = _in_words(name, groups, papers, verdict)
    return picture


def _role(node: Neighbour, papers: Mapping[str, Paper]) -> str:
    paper = papers.get(node.lom_id)
    return (
        "stub"
        if paper is None or not (paper.read or paper.n_claims)
        else "claim"
        if paper.n_claims
        else "read"
    )


def _draw_roles(ax: Axes, place: float) -> None:
    """What the shapes mean."""
    for at, name in zip((0.75, 2.35, 3.35, 4.35), ROLES, strict=True):
        marker, words = ROLES[name]
        fill = "none" if name == "held" else "white"
        size = 12 if name == "held" else 7
        ax.plot(at, place, marker=marker, markersize=size, color=INK, markerfacecolor=fill, linestyle="none")
        ax.text(at + 0.16, place, words, va="center", fontsize=8.5, color=GREY)


def _n_rows(group: Group) -> float:
    cut = group.n > len(group.nodes)
    return 1.35 + sum(1.8 if node.ends else 1.0 for node in group.nodes) + (0.8 if cut else 0)


def _draw_group(
    ax: Axes, group: Group, papers: Mapping[str, Paper], place: float, middle: float, verdict: Verdict
) -> float:
    words, fill = _LOOKS[group.name]
    if group.name == "in_sample" and not verdict.holdout_applied:
        words = _UNSTATED
    place -= 0.25 * _ROW
    ax.text(_AT - 0.12, place - 0.04, f"{words} ({group.n})", fontsize=9, color=GREY, fontweight="bold")
    place -= _ROW
    for node in group.nodes:
        ax.add_patch(_arrow(node, middle, place))
        marker = ROLES[_role(node, papers)][0]
        if node.lom_id in verdict.holdout_lom_ids:
            ring = Line2D([_AT], [place], marker="s", markersize=14, linestyle="none")
            ring.set(markerfacecolor="none", markeredgecolor=INK)
            ax.add_line(ring)
        ax.add_line(
            Line2D(
                [_AT],
                [place],
                marker=marker,
                markersize=8,
                linestyle="none",
                markerfacecolor=fill,
                markeredgecolor=INK,
            )
        )
        paper = papers.get(node.lom_id)
        ax.text(_AT + 0.18, place, label(node.lom_id, _ID), va="center", fontsize=9.5)
        if paper is not None and paper.title:
            start = max(_TITLES_AT, _AT + 0.35 + 0.08 * min(len(node.lom_id), _ID))
            ax.text(start, place, label(paper.title, _room(start)), va="center", fontsize=9, color=GREY)
        place -= _ROW
        if node.ends:
            more = f" and {node.n_ends - len(node.ends)} more" if node.n_ends > len(node.ends) else ""
            ax.text(
                _AT + 0.18, place + 0.2 * _ROW, f"leads to claims about {label(', '.join(node.ends), 90)}{more}",
                va="center", fontsize=8.5, color=GREY,
            )  # fmt: skip
            place -= 0.8 * _ROW
    if group.n > len(group.nodes):
        ax.text(
            _AT + 0.18,
            place + 0.1 * _ROW,
            f"… and {group.n - len(group.nodes)} more",
            va="center",
            fontsize=9,
            color=GREY,
        )
        place -= 0.8 * _ROW
    return place - 0.1 * _ROW


def _room(start: float) -> int:
    """How many characters of a title fit beside an id that ends at `start`."""
    return max(8, min(_TITLE, int((_WIDTH - start - 0.1) / 0.075)))


def _arrow(node: Neighbour, middle: float, place: float) -> FancyArrowPatch:
    both = "cites" in node.how or "listed" in node.how, "is_cited" in node.how
    style = {(True, True): "<|-|>", (True, False): "-|>", (False, True): "<|-"}.get(both, "-")
    return FancyArrowPatch(
        (0.98, middle), (_AT - 0.12, place), arrowstyle=style, mutation_scale=9, color=GREY, linewidth=0.9,
        linestyle="--" if node.how == ("listed",) else "-",
        connectionstyle=f"arc3,rad={0.12 if place > middle else -0.12}",
    )  # fmt: skip


def _in_words(name: str, groups: list[Group], papers: Mapping[str, Paper], verdict: Verdict) -> str:
    if not groups:
        return f"What {label(name, 120)} touches in the graph: nothing."
    parts = []
    for group in groups:
        unstated = group.name == "in_sample" and not verdict.holdout_applied
        words = _UNSTATED if unstated else _LOOKS[group.name][0]
        listed = ", ".join(
            f"{label(node.lom_id, 60)} ({', '.join(_roles_in_words(node, papers, verdict))})"
            for node in group.nodes[:5]
        )
        more = f" and {group.n - 5} more" if group.n > 5 else ""
        parts.append(f"{words} ({group.n}): {listed}{more}")
    return f"What {label(name, 120)} touches in the graph. {'; '.join(parts)}."


def _roles_in_words(node: Neighbour, papers: Mapping[str, Paper], verdict: Verdict) -> list[str]:
    paper = papers.get(node.lom_id)
    role = _role(node, papers)
    words = ["read"] if paper is not None and paper.read and role == "claim" else []
    held = ["held out"] if node.lom_id in verdict.holdout_lom_ids else []
    return [*words, ROLES[role][1], *held]
