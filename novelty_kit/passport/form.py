"""The intake form for notebooks: widgets over the pure functions of `intake`.

Holds no rule: what is asked, what is wrong with an answer and what is written is decided in `intake`.
Writes the declaration when the person presses the button, into the file that the form names. No network.
No clock.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from novelty_kit.errors import NoveltyKitError
from novelty_kit.passport.intake import CHOICES, declaration_problems, declare

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["explore_intake", "preview_html", "write_declaration"]


def preview_html(path: str, status: str, declared_at: str) -> str:
    """What would be written, or what stands against it, escaped."""
    problems = list(declaration_problems(status, declared_at))
    if not path.strip():
        problems.append("no file is named")
    if problems:
        return "<ul>" + "".join(f"<li>{escape(problem)}</li>" for problem in problems) + "</ul>"
    return (
        f"<p>Writes into <code>{escape(path)}</code>: status <code>{escape(status)}</code>, "
        f"declared_at <code>{escape(declared_at)}</code>, declared_by <code>scholar</code>.</p>"
    )


def write_declaration(path: str, status: str, declared_at: str) -> str:
    """Write the declaration and say so, or say why not, as HTML; never raises over the answers."""
    try:
        declare(path.strip(), status, declared_at)
    except NoveltyKitError as error:
        return f"<p><strong>Not written:</strong> {escape(str(error))}</p>"
    return f"<p><strong>Written</strong> into <code>{escape(path.strip())}</code>.</p>"


def explore_intake(path: str = "", declared_at: str = "") -> ipywidgets.VBox:
    """A form that asks for the declaration and writes it.

    Parameters
    ----------
    path : str
        The passport file; can be changed in the form.
    declared_at : str
        The moment of the declaration, RFC 3339; the form never reads a clock.

    Returns
    -------
    ipywidgets.VBox
        A choice, two texts, a preview and a button.
    """
    import ipywidgets

    wide = ipywidgets.Layout(width="40em")
    status = ipywidgets.RadioButtons(
        options=[(f"{name}: {meaning}", name) for name, meaning in CHOICES],
        value=None,
        description="",
        layout=ipywidgets.Layout(width="auto"),
    )
    file = ipywidgets.Text(value=path, description="File", layout=wide)
    moment = ipywidgets.Text(value=declared_at, description="Declared at", layout=wide)
    preview, answer = ipywidgets.HTML(), ipywidgets.HTML()
    button = ipywidgets.Button(
        description="Write the declaration", disabled=True, layout=ipywidgets.Layout(width="auto")
    )

    def answers() -> tuple[str, str, str]:
        return file.value, status.value or "", moment.value

    def refresh(change: Any = None) -> None:
        name, chosen, when = answers()
        preview.value = preview_html(name, chosen, when)
        button.disabled = bool(declaration_problems(chosen, when)) or not name.strip()

    def press(sender: Any) -> None:
        answer.value = write_declaration(*answers())

    for widget in (status, file, moment):
        widget.observe(refresh, names="value")
    button.on_click(press)
    refresh()
    return ipywidgets.VBox([status, file, moment, preview, button, answer])
