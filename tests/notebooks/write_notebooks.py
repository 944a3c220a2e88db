"""Run the committed notebooks anew and keep their outputs: ``python tests/notebooks/write_notebooks.py [NAME…]``.

Look at the difference before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from novelty_kit.report.run import _settled, check_executed, notebook_json

FOLDER = Path(__file__).parents[2] / "notebooks"


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook run as it stands, in its own folder."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
    return _settled(notebook)


def main() -> None:
    names = sys.argv[1:] or sorted(path.name for path in FOLDER.glob("*.ipynb"))
    for name in names:
        path = FOLDER / name
        notebook = executed(path)
        wrong = check_executed(notebook)
        if wrong:
            raise SystemExit(f"{name}: {wrong}")
        path.write_text(notebook_json(notebook), "utf-8")
        print(f"{name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} code cells")


if __name__ == "__main__":
    main()
