"""The adjudication page: claim beside candidate text, four verdict buttons, a quote that is proven at once.

A thin layer of ipywidgets over :class:`novelty_kit.priorart.desk.Desk`, which holds all logic. Everything can
be done from the keyboard: Tab and arrow keys reach every control, and the key line takes one key and Enter.
Decisions are saved at every act and are there again after a restart. No Output widget, nothing from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from novelty_kit.priorart.decisions import Case, Draft
from novelty_kit.priorart.desk import COMMANDS, Desk, shown
from novelty_kit.priorart.verdicts import Verdict

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["adjudication_page", "case_html", "render_case"]


def render_case(desk: Desk) -> str:
    """The case as a plain table, for where no widget is shown: each claim, its searches, its verdict."""
    return case_html(desk.case, desk.draft)


def case_html(case: Case, draft: Draft) -> str:
    """A case and what is decided in it as a plain table."""
    rows = []
    for claim in case.claims.admissible:
        decision = draft.of_claim(claim)
        states = ", ".join(f"{search.source} {search.state}" for search in case.searches(claim))
        works = "; ".join(work.title or work.id for work in case.candidates(claim))
        quotes = "; ".join(quote.text for quote in decision.quotes)
        verdict = str(decision.verdict or "open")
        cells = (claim.claim_id, claim.text, states or "nothing", works or "none", verdict, quotes)
        rows.append("<tr>" + "".join(f"<td>{shown(cell)}</td>" for cell in cells) + "</tr>")
    names = ("id", "claim", "searched", "works found", "verdict", "quotes")
    head = "".join(f"<th scope='col'>{name}</th>" for name in names)
    missing = "".join(f"<li>{shown(line)}</li>" for line in draft.missing(case))
    rest = f"<p>Still missing:</p><ul>{missing}</ul>" if missing else "<p>Every claim is judged.</p>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{rest}"


def adjudication_page(desk: Desk) -> ipywidgets.VBox:
    """The page for one desk.

    Parameters
    ----------
    desk : Desk
        The case and the draft.

    Returns
    -------
    ipywidgets.VBox
        Display it in a notebook.
    """
    return _Page(desk).root


class _Page:
    """The widgets, and which act of the desk each stands for."""

    def __init__(self, desk: Desk) -> None:
        import ipywidgets as widgets

        wide = widgets.Layout(width="100%")
        self.desk = desk
        self._showing = False
        self.claims = widgets.Select(description="Claims", rows=min(max(len(desk.claims), 2), 8), layout=wide)
        self.claim, self.work, self.proof, self.progress = (widgets.HTML() for _ in range(4))
        self.works = widgets.Dropdown(description="Works", layout=wide)
        self.sentences = widgets.SelectMultiple(description="Sentences", rows=8, layout=wide)
        self.quote = widgets.Textarea(
            description="Quote", rows=3, layout=wide, placeholder="type or paste; proven while you type"
        )
        self.note = widgets.Text(description="Note", layout=wide, continuous_update=False)
        self.key = widgets.Text(description="Key", layout=wide, continuous_update=False)
        self.key.placeholder = ", ".join(f"{key} {does}" for key, does in COMMANDS.items())
        acts: list[tuple[str, Callable[[], None]]] = [
            (f"{number} {verdict}", partial(desk.decide, verdict))
            for number, verdict in enumerate(Verdict, start=1)
        ]
        acts += [
            ("q keep quote", desk.keep_quote),
            ("u take quote back", desk.drop_quote),
            ("e export", desk.export),
        ]
        self.buttons = []
        for label, act in acts:
            button = widgets.Button(description=label, layout=widgets.Layout(width="auto"))
            button.on_click(lambda _button, act=act: self._do(act))
            self.buttons.append(button)
        half = widgets.Layout(width="50%", padding="0 1em")
        left = widgets.VBox([self.claims, self.claim, self.note, widgets.HBox(self.buttons[:4])], layout=half)
        right = widgets.VBox(
            [self.works, self.sentences, self.quote, self.proof, widgets.HBox(self.buttons[4:]), self.work],
            layout=half,
        )
        self.root = widgets.VBox([self.progress, self.key, widgets.HBox([left, right])])
        for box in (self.root.children[2], left.children[3], right.children[4]):
            box.layout.flex_flow = "row wrap"
        self._observe()
        self._show()

    def _observe(self) -> None:
        desk = self.desk
        for control, act in (
            (self.claims, desk.show_claim),
            (self.works, desk.show_candidate),
            (self.sentences, lambda spans: desk.select(list(spans))),
            (self.quote, desk.say_quote),
            (self.note, desk.note),
            (self.key, desk.run),
        ):
            control.observe(
                lambda change, act=act, control=control: self._changed(control, act, change["new"]),
                names="value",
            )

    def _changed(self, control: Any, act: Any, value: Any) -> None:
        if not self._showing and value is not None:
            self._do(lambda: act(value), source=control)

    def _do(self, act: Any, source: Any = None) -> None:
        """One act, then what is shown; the control that a person is in keeps what they typed."""
        act()
        self._show(source)

    def _show(self, source: Any = None) -> None:
        desk = self.desk
        self._showing = True
        try:
            self.claims.options = [(label, number) for number, label in enumerate(desk.claim_labels())]
            self.claims.value = desk.claim_no if desk.claims else None
            self.works.options = [
                (f"{number + 1}. {work.title or work.id}", number)
                for number, work in enumerate(desk.candidates)
            ]
            self.works.value = desk.candidate_no if desk.candidate else None
            if source not in (self.sentences, self.quote):
                self.sentences.options = desk.sentences()
                self.sentences.value = ()
            if source is not self.quote:
                self.quote.value = desk.quote.text if desk.quote else ""
            self.note.value = desk.decision.note if desk.decision else ""
            self.key.value = ""
            self.claim.value, self.work.value = desk.claim_html(), desk.candidate_html()
            self.proof.value = desk.proof_html()
            self.progress.value = f"<p role='status'>{escape(desk.progress())}</p>"
        finally:
            self._showing = False
