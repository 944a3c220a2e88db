"""Where the demo data and the notebooks are: in the checkout first, inside the wheel otherwise."""

from __future__ import annotations

from pathlib import Path

from novelty_kit.errors import InputError

__all__ = ["demo_file", "demo_folder", "notebook_folder"]

_PACKAGE = Path(__file__).parent


def _first(checkout: Path, wheel: Path, what: str) -> Path:
    for folder in (checkout, wheel):
        if folder.is_dir():
            return folder
    raise InputError(f"{what} are not here: neither a checkout nor a whole installation")


def demo_folder() -> Path:
    """The folder of the demo data."""
    return _first(_PACKAGE.parent / "data" / "demo", _PACKAGE / "_demo", "the demo data")


def notebook_folder() -> Path:
    """The folder of the notebooks."""
    return _first(_PACKAGE.parent / "notebooks", _PACKAGE / "_notebooks", "the notebooks")


def demo_file(name: str) -> Path:
    """A file of the demo data, relative to the working folder where it lies below it."""
    path = demo_folder() / name
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
