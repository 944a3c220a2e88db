"""A view as a page without widgets, for notebooks that are rendered. Reads a graph; writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novelty_kit.changes import history
from novelty_kit.explorer import words
from novelty_kit.explorer.details import Details, details_of
from novelty_kit.explorer.view import View, call_of

if TYPE_CHECKING:
    from novelty_kit.graph import Graph

__all__ = ["Page", "page_of", "picture_of"]


class Page:
    """Safe HTML; nothing is fetched."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return "<Page of an explorer>"


def page_of(graph: Graph, view: View, details: Details | None = None) -> Page:
    """The page of a view; ``details`` are the view's own, where they are known already."""
    told = history(graph, view.candidate, policy=view.policy)
    known = details or details_of(graph, view)
    call = call_of(view, graph.files, graph.n_events)
    return Page(words.page_html(view, told, known, picture_of(known), call))


def picture_of(details: Details) -> str:
    """What a candidate touches, as SVG."""
    from novelty_kit.plot.around import draw_neighbourhood

    return draw_neighbourhood(details.verdict, details.around, details.papers).svg()
