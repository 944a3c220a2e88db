"""Where the demo data and the notebooks are: in the checkout first, inside the wheel otherwise."""

from __future__ import annotations

from pathlib import Path

from novelty_kit.errors import InputError
from novelty_kit.output import write_whole

__all__ = ["demo_file", "demo_folder", "notebook_folder", "write_demo"]

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


def write_demo(folder: str | Path) -> tuple[Path, ...]:
    """Write the demo data, and the notebooks below it, into a new or empty folder.

    Parameters
    ----------
    folder : path

    Returns
    -------
    tuple of Path
        The files written, sorted.

    Raises
    ------
    InputError
        The folder holds something already; nothing was written.
    OutputError
        It cannot be written to.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("holds something already", path=str(folder), remedy="Name a new or empty folder")
    notebooks = sorted(notebook_folder().glob("*.ipynb"))
    places = {path: target / path.relative_to(demo_folder()) for path in _files(demo_folder())}
    places |= {path: target / "notebooks" / path.name for path in notebooks}
    for source, place in places.items():
        write_whole(place, source.read_bytes())
    return tuple(sorted(places.values()))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
