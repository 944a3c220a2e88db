"""The command line in this process: arguments in; exit code, standard output and standard error out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from novelty_kit.cli import main

ROOT = Path(__file__).resolve().parents[2]
Novelty = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    """No test reads or writes the user's cache, or the log that the user's environment names."""
    patch = pytest.MonkeyPatch()
    patch.setenv("NOVELTY_CACHE", str(tmp_path_factory.mktemp("cache")))
    patch.delenv("NOVELTY_GRAPH", raising=False)
    yield
    patch.undo()


@pytest.fixture
def novelty(capsys: pytest.CaptureFixture[str]) -> Novelty:
    """Run `novelty` with these arguments."""

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Done(int(stop.value.code or 0), out, err)

    return run
