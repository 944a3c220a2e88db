"""A kill at any moment of a search, a judgement or an edit loses nothing, and the same act again finishes it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases_of import PAPERS, CaseFolder, claim_list

sys.path.insert(0, str(Path(__file__).parents[1] / "review"))
from kills import every_kill

from novelty_kit.errors import InputError
from novelty_kit.output import write_whole
from novelty_kit.priorart.claims import read_claims
from novelty_kit.priorart.desk import Desk
from novelty_kit.priorart.editing import ClaimEditor
from novelty_kit.priorart.folder import open_case
from novelty_kit.priorart.index import TextIndex
from novelty_kit.priorart.search import GraphSource, search_claims
from novelty_kit.priorart.store import TextStore
from novelty_kit.priorart.verdicts import Verdict, read_verdicts

CLAIMS = claim_list("We merge spectral sketches of data.", "Lazy replay forgets nothing.")


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Path]:
    made = 0

    def make() -> Path:
        nonlocal made
        made += 1
        folder = tmp_path / f"case{made}"
        folder.mkdir()
        CaseFolder(folder, CLAIMS).write()
        return folder

    return make


def contents(folder: Path) -> dict[str, bytes]:
    """What a reader sees; the temporary file of a writer that was killed is none of it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_a_killed_search_is_made_again_to_the_same_bytes(tmp_path: Path) -> None:
    index = TextIndex.build(PAPERS)
    folder = tmp_path / "0"

    def search() -> None:
        log = search_claims(CLAIMS, [GraphSource(index)], TextStore(folder / "store"))
        write_whole(folder / "search_log.jsonl", log.to_lines())

    search()
    whole = contents(folder)
    number = 0

    def prepare() -> None:
        nonlocal folder, number
        number += 1
        folder = tmp_path / str(number)

    def after(operation: int) -> None:
        # Nothing that is there is torn: every file is one of the whole search's.
        assert contents(folder).items() <= whole.items()
        search()
        assert contents(folder) == whole

    assert every_kill(search, prepare, after) >= 20


def test_a_killed_judgement_leaves_the_draft_as_it_was_or_as_it_is_meant(fresh: Callable[[], Path]) -> None:
    folder = fresh()

    def desk() -> Desk:
        return Desk(open_case(folder), folder / "draft.json", folder / "verdicts.json", "Ada")

    def judge() -> None:
        at = desk()
        at.show_claim(0)
        at.decide(Verdict.INCONCLUSIVE)
        at.note("a note")
        at.run("e")

    def prepare() -> None:
        nonlocal folder
        folder = fresh()

    def after(operation: int) -> None:
        at = desk()
        at.show_claim(0)
        assert at.decision is not None
        assert at.decision.verdict in (None, Verdict.INCONCLUSIVE)
        assert at.decision.note in ("", "a note")
        judge()
        assert [row.note for row in read_verdicts(str(folder / "verdicts.json"))] == ["a note"]

    assert every_kill(judge, prepare, after) >= 6


def test_a_killed_edit_leaves_the_old_list_or_the_new(fresh: Callable[[], Path]) -> None:
    folder = fresh()

    def edit() -> None:
        editor = ClaimEditor(folder / "claims.json", "Ada")
        editor.drop([editor.labels()[0][1]], "not new")

    def prepare() -> None:
        nonlocal folder
        folder = fresh()

    def after(operation: int) -> None:
        kept = read_claims(str(folder / "claims.json"))
        assert (len(kept.admissible), len(kept.edits)) in ((2, 0), (1, 1))

    assert every_kill(edit, prepare, after) >= 2


@pytest.mark.parametrize("put", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)])
@pytest.mark.parametrize("kind", ["text", "raw", "row"])
def test_a_pipe_or_device_in_the_store_is_never_waited_for(
    kind: str, put: Callable[[Any], None], fresh: Callable[[], Path]
) -> None:
    store = TextStore(fresh() / "store")
    [first, *_] = sorted((store.folder / "text").iterdir())
    places = {
        "text": [first],
        "raw": sorted((store.folder / "raw").iterdir()),
        "row": sorted((store.folder / "row" / first.name).iterdir()),
    }
    for place in places[kind]:
        place.unlink()
        put(place)
    with pytest.raises(InputError, match="no file"):
        store.text(first.name)
