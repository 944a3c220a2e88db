"""`novelty lab`: the notebooks in JupyterLab, set to a log."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from novelty_kit.cli.options import graph_option, graph_paths
from novelty_kit.errors import InputError
from novelty_kit.output import for_terminal, write_whole

__all__ = ["lab"]

_GRAPH_FILES = re.compile(r"^graph_files = \[[^\]\n]*\]", re.M)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("folder", metavar="DIR", default="novelty-lab")
@click.argument("further", nargs=-1, type=click.UNPROCESSED, metavar="[-- JUPYTERLAB'S OWN OPTIONS]")
@graph_option
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the server.")
@click.option("--no-browser", is_flag=True, help="Start the server only.")
@click.option("--debug", is_flag=True, hidden=True)
@click.pass_context
def lab(
    ctx: click.Context, folder: str, further: tuple[str, ...], graph: tuple[str, ...], port: int | None,
    no_browser: bool, debug: bool,
) -> None:  # fmt: skip
    """Open the notebooks in JupyterLab, set to the given log.

    The notebooks are copied into DIR; one that stands there already is kept as it is.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise InputError("JupyterLab is not installed", remedy="Run: pip install 'novelty_kit[lab]'")
    written = _copy_notebooks(Path(folder), [Path(path) for path in graph_paths(graph)])
    click.echo(
        for_terminal(f"{written} notebooks written to {folder}; 90-explore is the one to live in"), err=True
    )
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={Path(folder).resolve()}"]
    command += [f"--port={port}"] if port is not None else []
    command += ["--no-browser"] if no_browser else []
    ctx.exit(subprocess.call([*command, *further]))


def _copy_notebooks(folder: Path, logs: list[Path]) -> int:
    """Write the notebooks that are not there yet, each set to the log."""
    from novelty_kit.demo import notebook_folder

    missing = [str(log) for log in logs if not log.is_file()]
    if missing:
        raise InputError("there is no such log", path=missing[0], remedy="Name one with --graph")
    if folder.exists() and not folder.is_dir():
        raise InputError("is no folder", path=str(folder), remedy="Name a folder for the notebooks")
    files = [str(log.resolve()) for log in logs]
    n = 0
    for source in sorted(notebook_folder().glob("*.ipynb")):
        place = folder / source.name
        if not place.exists():
            write_whole(place, _set_to(json.loads(source.read_text("utf-8")), files))
            n += 1
    return n


def _set_to(notebook: dict[str, Any], files: list[str]) -> str:
    """A notebook whose parameters name the log; what it showed of another log is taken out."""
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell["outputs"], cell["execution_count"] = [], None
        if "parameters" in cell["metadata"].get("tags", []):
            text = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
            cell["source"] = _GRAPH_FILES.sub(lambda _: f"graph_files = {files!r}", text)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
