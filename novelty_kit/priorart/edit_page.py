"""Claim edits as buttons: add, reword, split, merge, drop. A thin layer of ipywidgets over ClaimEditor."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from novelty_kit.output import for_terminal
from novelty_kit.priorart.editing import ClaimEditor

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["edit_page"]


def edit_page(editor: ClaimEditor, changed: Callable[[], None] | None = None) -> ipywidgets.VBox:
    """The controls for one claim list.

    Parameters
    ----------
    editor : ClaimEditor
        The list, and who edits it.
    changed : callable, optional
        Called after every edit that was done.

    Returns
    -------
    ipywidgets.VBox
        Display it in a notebook; everything can be reached by Tab, arrow keys and Enter.
    """
    import ipywidgets as widgets

    wide = widgets.Layout(width="100%")
    claims = widgets.SelectMultiple(description="Claims", rows=6, layout=wide)
    text = widgets.Textarea(
        description="Text", rows=3, layout=wide, placeholder="the new words; for a split a part a line"
    )
    place = widgets.Text(description="Where", layout=wide, placeholder="of an added claim: heading and line")
    why = widgets.Text(description="Why", layout=wide, placeholder="kept with the edit")
    said = widgets.HTML()

    def show() -> None:
        claims.options = editor.labels()
        claims.value = ()
        said.value = f"<p role='status'>{escape(for_terminal(editor.message))}</p>"

    def button(label: str, act: Callable[[], bool]) -> widgets.Button:
        def clicked(_: widgets.Button) -> None:
            done = act()
            if done:
                text.value = place.value = why.value = ""
            show()
            if done and changed is not None:
                changed()

        made = widgets.Button(description=label, layout=widgets.Layout(width="auto"))
        made.on_click(clicked)
        return made

    buttons = widgets.HBox(
        [
            button("add", lambda: editor.add(text.value, place.value, why.value)),
            button("reword", lambda: editor.reword(claims.value, text.value, why.value)),
            button("split", lambda: editor.split(claims.value, text.value, why.value)),
            button("merge", lambda: editor.merge(claims.value, text.value, why.value)),
            button("drop", lambda: editor.drop(claims.value, why.value)),
        ]
    )
    buttons.layout.flex_flow = "row wrap"
    show()
    return widgets.VBox([claims, text, place, why, buttons, said])
