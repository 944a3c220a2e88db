"""Runs the command group as the entry point does: errors become lines on stderr and exit codes."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import click
import pytest

from novelty_kit import cli
from novelty_kit.cli.passport import passport


@dataclass
class Answer:
    code: int
    out: str
    err: str


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, answers: str = "") -> Answer:
    """Run `novelty passport …` in this process, with `answers` as standard input."""

    class Only(click.Group):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            return passport if cmd_name == "passport" else None

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(cli, "cli", Only())
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(answers.encode("utf-8", "surrogateescape")))
    )
    with pytest.raises(SystemExit) as stop:
        cli.main(["passport", *arguments])
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    monkeypatch.undo()
    code = stop.value.code
    return Answer(code if isinstance(code, int) else 0, *texts)
