"""The widgets: each shows what a pure function of a view says, or asks one for the next view. No rule is in here.

A verdict along the log comes from the candidate's history and is shown at once; what needs the whole graph of that
event (the trace, the picture, what is supposed) follows, beside the user where the log is large, with a bar that
says how far it is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import ipywidgets as widgets

from novelty_kit.changes import History, history
from novelty_kit.errors import InputError, NoveltyKitError
from novelty_kit.explorer import words
from novelty_kit.explorer.details import Details, details_of, node_of, nodes_to_hold
from novelty_kit.explorer.moment import moment_of
from novelty_kit.explorer.page import Page, page_of, picture_of
from novelty_kit.explorer.view import (
    Supposed,
    View,
    at,
    call_of,
    held,
    read_pasted,
    step,
    supposing,
    switched,
    view_of,
)
from novelty_kit.output import for_terminal, shorten
from novelty_kit.verdict.policy import Policy

if TYPE_CHECKING:
    from novelty_kit.graph import Graph

__all__ = ["Explorer"]

AT_ONCE = 20_000
"""Up to so many events the details are worked out before the answer to a click; beyond it beside the user."""
_STEPS = 4
_CHOICES: dict[str, tuple[Any, ...]] = {
    "in_sample_only": ("neighborhood", "novel"),
    "checked_zero_subject": ("in_edges_decide", "covered"),
    "in_edge_coverage": ("accept", "reject"),
    "gate_scope": ("graph", "neighbourhood"),
    "date_margin_years": (0, 1, 2, 3, 5, 10, 20, "off"),
}
_WIDE = {"width": "100%", "max_width": "1000px"}
_NAMED = {"description_width": "initial"}
_COPY = "navigator.clipboard.writeText(this.dataset.call);this.textContent='copied'"


class Explorer(widgets.VBox):  # type: ignore[misc]
    """One view of a graph, to be moved about in.

    Attributes
    ----------
    view : View
        What is looked at.
    details : Details or None
        The verdict with its trace, and what it touches; None while it is worked out.
    """

    def __init__(self, graph: Graph, offered: tuple[View, ...]) -> None:
        if not offered:
            raise InputError(
                "there is nothing to look at", remedy="Give a candidate, or a log that holds papers"
            )
        self._graph = graph
        self.view = offered[0]
        self.details: Details | None = None
        self._histories: dict[tuple[Any, Policy], History] = {}
        self._moment: tuple[int, Graph] | None = None
        self._turn = 0
        self._making = threading.Lock()
        self._buttons: dict[str, Any] = {}
        self._build(offered)
        super().__init__(children=self._rows())
        self._show()

    # ---- What stands on the page

    def _build(self, offered: tuple[View, ...]) -> None:
        last = self._graph.as_of_seq
        named = [(f"{no}. {words.view_words(view)}", view) for no, view in enumerate(offered, start=1)]
        self.pick = widgets.Dropdown(options=named, description="candidate", layout=_WIDE, style=_NAMED)
        self.paste = widgets.Text(
            placeholder="paste an id or a candidate's JSON, then Enter", continuous_update=False, layout=_WIDE
        )
        self.slider = widgets.IntSlider(
            value=self.view.seq, min=0, max=last, description="event", layout=_WIDE, style=_NAMED
        )
        self.previous = widgets.Button(description="previous change", icon="step-backward")
        self.next = widgets.Button(description="next change", icon="step-forward")
        self.headline, self.band, self.said = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.bar = widgets.IntProgress(min=0, max=_STEPS, layout={"width": "300px", "visibility": "hidden"})
        self.doing = widgets.HTML()
        self.holds = widgets.HBox(layout={"flex_flow": "row wrap"})
        self.policies = {
            name: widgets.Dropdown(
                options=list(dict.fromkeys([*values, getattr(self.view.policy, name)])),
                value=getattr(self.view.policy, name),
                description=name,
                style=_NAMED,
            )
            for name, values in _CHOICES.items()
        }
        self.facts = widgets.Textarea(
            placeholder="suppose, one a line: hold ID · read ID · checked ID = N · remove SEQ · an event",
            continuous_update=False, layout={**_WIDE, "height": "5em"},
        )  # fmt: skip
        self.suppose = widgets.Button(description="suppose", icon="flask")
        self.trace, self.supposed, self.picture = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.nodes = widgets.Select(options=(), rows=10, layout=_WIDE)
        self.node, self.copy = widgets.HTML(), widgets.HTML()
        self.pick.observe(self._picked, "value")
        self.paste.observe(self._pasted, "value")
        self.slider.observe(self._slid, "value")
        self.previous.on_click(lambda _: self._step("previous"))
        self.next.on_click(lambda _: self._step("next"))
        self.suppose.on_click(lambda _: self._go(lambda view: supposing(view, self.facts.value)))
        self.nodes.observe(self._clicked, "value")
        for name, chooser in self.policies.items():
            chooser.observe(self._switch(name), "value")

    def _rows(self) -> list[Any]:
        def titled(title: str) -> Any:
            return widgets.HTML(f"<h4>{title}</h4>")

        return [
            self.pick, self.paste, self.slider, widgets.HBox([self.previous, self.next]), self.said, self.headline,
            self.band, widgets.HBox([self.bar, self.doing]), titled("Held out: what the authors used"), self.holds,
            titled("Policies"), widgets.HBox(list(self.policies.values()), layout={"flex_flow": "row wrap"}),
            titled("What if"), self.facts, self.suppose, self.supposed, titled("Why"), self.trace,
            titled("What it touches; click one for its rows and log lines"), self.nodes, self.node, self.picture,
            titled("The call that gives this view"), self.copy,
        ]  # fmt: skip

    # ---- From a click to the next view

    def _picked(self, change: Any) -> None:
        chosen: View = change["new"]
        self._go(lambda view: view_of(self._graph, chosen.candidate, view.policy))

    def _pasted(self, change: Any) -> None:
        if change["new"].strip():
            self._go(lambda view: view_of(self._graph, read_pasted(change["new"]), view.policy))

    def _slid(self, change: Any) -> None:
        self._go(lambda view: at(view, int(change["new"]), self._graph.as_of_seq))

    def _clicked(self, change: Any) -> None:
        if change["new"] is not None:
            try:
                self.node.value = words.node_html(node_of(self._moment_now(), change["new"]))
            except NoveltyKitError as error:
                self.said.value = words.error_html(str(error))

    def _switch(self, name: str) -> Callable[[Any], None]:
        return lambda change: self._go(lambda view: switched(view, name, change["new"]))

    def _toggle(self, lom_id: str) -> Callable[[Any], None]:
        return lambda change: self._go(lambda view: held(view, lom_id, bool(change["new"])))

    def _go(self, towards: Callable[[View], View]) -> None:
        """Look at another view; what is wrong with what was asked for is said, and the view stays."""
        try:
            view = towards(self.view)
            self.said.value = ""
        except NoveltyKitError as error:
            self.said.value = words.error_html(str(error))
            return
        if view != self.view:
            self.view = view
            self._show()

    # ---- From a view to the page

    def _show(self) -> None:
        self._turn += 1
        turn = self._turn
        self.details = None
        if (self.view.candidate, self.view.policy) in self._histories:
            self._show_at_once()
        else:
            self.headline.value = "<p>…</p>"
        if self._graph.n_events <= AT_ONCE:
            self._work(turn, self.view)
            return
        self._tell(0, "the history of the candidate")
        threading.Thread(target=self._work, args=(turn, self.view), daemon=True).start()

    def _work(self, turn: int, view: View) -> None:
        """Work out what the whole graph is needed for; left where the user has gone on meanwhile."""
        try:
            with self._making:
                if turn != self._turn:
                    return
                if self._learn_history(view) and turn == self._turn:
                    self._show_at_once()
                self._tell(1, f"the graph as of event {view.seq}")
                moment = self._moment_of(view.seq)
                if turn != self._turn:
                    return
                details = details_of(self._graph, view, moment, self._tell)
        except NoveltyKitError as error:
            if turn == self._turn:
                self.said.value = words.error_html(str(error))
                self._tell(_STEPS + 1, "")
                if view.supposed:  # what cannot be supposed is not: the rest of the view stands
                    self.view = replace(view, supposed=Supposed())
                    self._show()
            return
        if turn == self._turn:
            self._show_details(details)

    def _learn_history(self, view: View) -> bool:
        """Whether the view's history was not known before."""
        key = (view.candidate, view.policy)
        if key in self._histories:
            return False
        self._histories[key] = history(self._graph, view.candidate, policy=view.policy)
        return True

    def _history(self) -> History:
        return self._histories[self.view.candidate, self.view.policy]

    def _step(self, towards: Literal["previous", "next"]) -> None:
        def go(view: View) -> View:
            with self._making:  # a large log's history may still be under way
                self._learn_history(view)
            return step(view, self._history(), towards)

        self._go(go)

    def _moment_of(self, seq: int) -> Graph:
        if self._moment is None or self._moment[0] != seq:
            self._moment = (seq, moment_of(self._graph, seq))
        return self._moment[1]

    def _moment_now(self) -> Graph:
        with self._making:
            return self._moment_of(self.view.seq)

    def _tell(self, n: int, what: str) -> None:
        self.bar.value = min(n, _STEPS)
        self.bar.layout.visibility = "hidden" if n > _STEPS else "visible"
        self.doing.value = f"<span role='status'>{escape(what)}</span>"

    def _show_at_once(self) -> None:
        """What the history alone says: the verdict at the event, and the band."""
        told = self._history()
        self.headline.value = words.headline_html(self.view, told)
        self.band.value = words.band_svg(self.view, told)
        call = self.call()
        self.copy.value = (
            f"{words.code_html(escape(words.for_lines(call)))}"
            f'<button data-call="{escape(call)}" onclick="{_COPY}">copy</button>'
        )
        # What is set to what the view says already asks for the same view, and so for nothing.
        self.slider.value = self.view.seq
        for name, chooser in self.policies.items():
            chooser.value = getattr(self.view.policy, name)

    def _show_details(self, details: Details) -> None:
        self.details = details
        self.trace.value = words.details_html(details)
        self.supposed.value = words.supposed_html(details)
        self.picture.value = f'<div style="max-width:100%;overflow-x:auto">{picture_of(details)}</div>'
        self.nodes.options = words.neighbour_choices(details)
        self.nodes.value = None
        self.node.value = ""
        buttons = [self._hold(*pair) for pair in nodes_to_hold(self.view, details)]
        if buttons != list(self.holds.children):  # a button that is clicked just now must stay where it is
            self.holds.children = buttons or [widgets.HTML("nothing is shared that could be held out")]
        self._tell(_STEPS + 1, "")

    def _hold(self, lom_id: str, is_held: bool) -> Any:
        if lom_id not in self._buttons:
            self._buttons[lom_id] = widgets.ToggleButton(value=is_held, layout={"width": "auto"})
            self._buttons[lom_id].observe(self._toggle(lom_id), "value")
        button = self._buttons[lom_id]
        button.description = ("held out: " if is_held else "") + for_terminal(shorten(lom_id, 60))
        button.icon = "check" if is_held else ""
        button.value = is_held
        return button

    # ---- Without widgets

    def call(self) -> str:
        """The lines of Python that give what is looked at."""
        return call_of(self.view, self._graph.names, self._graph.n_events)

    def page(self) -> Page:
        """What is looked at as a page without widgets, for notebooks that are rendered."""
        return page_of(self._graph, self.view, self.details)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        shown: dict[str, Any] = dict(super()._repr_mimebundle_(**options) or {})
        shown["text/html"] = self.page().html
        shown["text/plain"] = f"<Explorer of {words.view_words(self.view)}, as of event {self.view.seq}>"
        return shown
