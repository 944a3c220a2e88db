"""Nothing that is emitted is named as if it ordered candidates or vouched for the world.

Walks the records, the keys of results, the columns of SQL, the schemas, the options and the headings.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "novelty_kit"

FORBIDDEN = re.compile(
    r"novel[\W_]*confirmed|(?<![a-z])rank(?:er|ers|ing|ings|ed|s)?(?![a-z])|novelty[\W_]*scor|confidence", re.IGNORECASE
)  # fmt: skip
ALLOWED = {"not_a_ranker"}


def forbidden(name: str) -> bool:
    """Whether a name claims what no output may; ``not_a_ranker`` says the opposite."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("_", " ").replace("-", " ")
    return name not in ALLOWED and FORBIDDEN.search(spaced) is not None


@pytest.mark.parametrize(
    "name",
    [
        "novel_confirmed", "NOVEL_CONFIRMED", "novelConfirmed", "Novel confirmed", "rank", "Rank", "ranker", "n_rank",
        "rank_of", "rankOf", "ranking", "ranked", "is_a_ranker", "novelty_score", "noveltyScore", "Novelty Score",
        "novelty scores", "confidence", "Confidence interval", "min_confidence",
    ],
)  # fmt: skip
def test_the_walk_would_find(name: str) -> None:
    assert forbidden(name)


@pytest.mark.parametrize(
    "name", ["not_a_ranker", "n_shared", "frank", "cranky", "novel", "mean_review_score", "confident"]
)
def test_the_walk_lets_pass(name: str) -> None:
    assert not forbidden(name)


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def emitted_by(tree: ast.Module) -> Iterator[str]:
    """Fields of classes, keys of dictionaries, columns and options: what a module may print as a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield item.target.id
                elif isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield item.name
        elif isinstance(node, ast.Dict):
            yield from (
                key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            )
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Call):
            yield from (keyword.arg for keyword in node.keywords if keyword.arg)
            yield from (
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant)
                and isinstance(argument.value, str)
                and argument.value[:2] == "--"
            )
        elif (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            yield node.slice.value


def test_no_record_column_or_option_has_such_a_name() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path, tree in modules()
        for name in emitted_by(tree)
        if forbidden(name)
    }
    assert found == set()


def test_no_column_of_sql_has_such_a_name() -> None:
    names = re.compile(r"\bAS\s+\"?(\w+)|-- table: (\w+)", re.IGNORECASE)
    found = {
        (path.name, name)
        for path in sorted(PACKAGE.rglob("*.sql"))
        for pair in names.findall(path.read_text("utf-8"))
        for name in pair
        if forbidden(name)
    }
    assert found == set()


def keys_of(value: Any) -> Iterator[str]:
    """Every key of every object, and every closed set of words."""
    if isinstance(value, dict):
        yield from value
        yield from (word for word in value.get("enum", []) if isinstance(word, str))
        for inner in value.values():
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def test_no_schema_and_no_result_has_such_a_key() -> None:
    from novelty_kit.graph import open_graph
    from novelty_kit.rulebook import rulebook
    from novelty_kit.schemas import NAMES, schema_of
    from novelty_kit.verdict.candidate_files import load_candidates
    from novelty_kit.verdict.judge import judge
    from novelty_kit.verdict.policy import Policy

    demo = ROOT / "data" / "demo"
    verdicts = judge(
        open_graph(demo / "events.jsonl", cached=False),
        load_candidates(str(demo / "candidates.jsonl"))[0],
        Policy(),
    )
    told: list[Any] = [schema_of(name) for name in NAMES]
    told += [verdict.to_dict() for verdict in verdicts]
    told += [rule.to_dict() for rule in rulebook()]
    told += [json.loads(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.json"))]
    assert {key for value in told for key in keys_of(value) if forbidden(key)} == set()


def headings(path: Path) -> Iterator[str]:
    """The headings and labels of a notebook, a page template or a Markdown file."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    yield from re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    yield from re.findall(
        r"<(?:h[1-6]|th|dt|label|caption|summary|title|figcaption)\b[^>]*>(.*?)</", text, re.DOTALL
    )


def test_no_heading_of_a_notebook_or_a_page_has_such_words() -> None:
    suffixes = (".ipynb", ".md", ".html", ".j2", ".jinja")
    folders = [ROOT / "notebooks", ROOT / "data", PACKAGE, ROOT / "reports" / "sample"]
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in suffixes]
    paths += sorted(ROOT.glob("*.md"))
    found = {
        (path.relative_to(ROOT).as_posix(), heading)
        for path in paths
        for heading in headings(path)
        if forbidden(heading)
    }
    assert paths
    assert found == set()


def test_what_is_said_of_a_verdict_vouches_for_no_more_than_the_graph() -> None:
    """Words about novelty come with the graph and the event."""
    from novelty_kit.verdict import show

    texts = [
        node.value
        for node in ast.walk(ast.parse(Path(show.__file__).read_text("utf-8")))
        if isinstance(node, ast.Constant)
    ]
    said = [text for text in texts if isinstance(text, str)]
    assert not [
        text
        for text in said
        if re.search(r"\b(first ever|globally|worldwide|never been|truly|verified)\b", text, re.I)
    ]
