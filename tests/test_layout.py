"""The shape of the repository: what stands where, how rules are written, what may not stand anywhere."""

from __future__ import annotations

import inspect
import pickle
import re
import socket
import subprocess
from pathlib import Path

import pytest
import sqlglot
from sqlglot.errors import ErrorLevel

import novelty_kit
from novelty_kit import errors

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "novelty_kit"
SQL = sorted(PACKAGE.rglob("*.sql"))
RULES = sorted((PACKAGE / "verdict").glob("r[0-9]_*.sql"))

FOLDERS = {"notebooks", "novelty_kit", "data", "reports", "tests"}
FILES = {
    "environment.yml", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "DECISIONS.md",
}  # fmt: skip

# Parts of rules that are longer than a screen, and why they are one part.
LONG_PARTS = {
    (
        "coverage_count.sql",
        "special",
    ): "what a candidate sees otherwise than the tally is corrected in one place",
}
MAX_LINES = 60

# These test that no path of a machine gets out, and so hold some that nobody has.
NAMES_PATHS = {"tests/test_layout.py", "tests/notebooks/test_committed_notebooks.py"}


def tracked() -> list[Path]:
    """The files of the repository: those that git knows, or all where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        found = [ROOT / name for name in listed.stdout.decode("utf-8").split("\0") if name]
        return [path for path in found if path.is_file()]
    return [
        path for path in ROOT.rglob("*") if path.is_file() and not any(p.startswith(".") for p in path.parts)
    ]


def parts_of(path: Path) -> list[tuple[str, str]]:
    """The tables that a file makes, each with its SELECT; a file of statements is one part."""
    text = path.read_text("utf-8")
    pieces = text.split("-- table: ")[1:]
    return [(p.partition("\n")[0].strip(), p.partition("\n")[2].strip()) for p in pieces] or [
        (path.stem, text)
    ]


def code_of(text: str) -> str:
    """SQL without its comments and its literals."""
    return re.sub(r"--[^\n]*|'(?:[^']|'')*'", " ", text)


# ---- Folders and files


def test_the_top_level_is_fixed() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in found if not name.startswith(".")} <= FOLDERS | FILES


def test_no_module_is_a_drawer() -> None:
    drawers = {"util", "utils", "helper", "helpers", "common", "core", "manager", "managers", "misc"}
    stems = {path.stem for path in PACKAGE.rglob("*") if path.suffix in (".py", ".sql") or path.is_dir()}
    assert {stem for stem in stems if drawers & set(stem.split("_"))} == set()


def test_every_module_says_what_it_is_for_and_is_of_one_screenful_or_three() -> None:
    silent, long = [], []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if not text.lstrip().startswith('"""'):
            silent.append(path.name)
        if text.count("\n") > 450:
            long.append((path.name, text.count("\n")))
    assert silent == []
    assert long == []


def test_tests_mirror_the_rooms() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    others = {"cases", "recorded", "benchmarks", "demo", "notebooks", "browser", "docs"}
    tested = {
        path.name
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and not path.name.startswith(("_", "."))
    }
    assert tested <= rooms | others


def test_no_tracked_file_holds_a_path_of_a_machine_or_its_name() -> None:
    host = socket.gethostname()
    own = re.escape(host) if len(host) > 5 else r"(?!)"
    pattern = re.compile(
        rf"(?<![\w./:~$)}}-])/(?:home|root|Users|work|mnt|srv)/[\w.-]|[A-Z]:\\Users\\|\b{own}\b|pythonhosted\.org|//pypi\.org"
    )  # fmt: skip
    found = []
    for path in tracked():
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if path.relative_to(ROOT).as_posix() in NAMES_PATHS:
            continue
        found += [(path.relative_to(ROOT).as_posix(), match.group()) for match in pattern.finditer(text)]
    assert found == []


def test_no_database_and_no_cache_is_tracked() -> None:
    assert [path for path in tracked() if path.suffix in (".duckdb", ".wal", ".db", ".sqlite", ".pyc")] == []


# ---- SQL


@pytest.mark.parametrize("path", SQL, ids=lambda path: path.name)
def test_a_file_of_sql_says_what_it_is_where_it_is_from_and_what_it_reads(path: Path) -> None:
    header = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("--") or line.startswith("-- table:"):
            break
        header.append(line.removeprefix("--").strip())
    text = " ".join(header)
    assert re.match(r"[A-Z][^.]*\.", text), "no sentence"
    assert re.search(r"\b(novelty|passport|review|prior-art) reference, sections? [1-9]", text), "no source"
    if "SELECT" in path.read_text("utf-8"):
        assert "Source: " in text
        assert "Reads:" in text or "Reads " in text, "no tables"


@pytest.mark.parametrize("path", SQL, ids=lambda path: path.name)
def test_sql_keeps_to_what_another_engine_can_run(path: Path) -> None:
    """Each part can be said in Spark's words; nothing of the bans occurs."""
    for name, text in parts_of(path):
        said = sqlglot.transpile(
            text,
            read="duckdb",
            write="spark",
            unsupported_level=ErrorLevel.RAISE,
            error_level=ErrorLevel.RAISE,
        )
        assert said, name
        code = code_of(text)
        assert not re.search(r"NOT\s+IN\s*\(\s*SELECT", code, re.I), name
        assert not re.search(
            r"\b(now|current_date|current_timestamp|today|random|uuid)\b\s*(\(|\b)", code, re.I
        ), name
        assert not re.search(r"\[\s*\d*\s*:\s*\d*\s*\]", code), f"a slice in {name}"
        assert "{" not in code, f"a template in {name}"
        assert not re.search(r"(?<!count\()\*\s+FROM(?!\s*\()", code, re.I) or path.name == "state.sql", (
            f"SELECT * in {name}"
        )


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_a_part_of_a_rule_fits_on_a_screen_or_says_why_not(path: Path) -> None:
    for name, text in parts_of(path):
        n_lines = len(text.splitlines()) + 1
        if (path.name, name) in LONG_PARTS:
            assert n_lines > MAX_LINES, f"{name} is short now: take it from the list"
        else:
            assert n_lines <= MAX_LINES, name


def test_there_is_one_file_for_each_rule_and_each_has_its_cases() -> None:
    assert [path.stem for path in RULES] == [
        "r0_keys", "r1_exact_match", "r2_citation_overlap", "r3_coverage_gate", "r4_novel",
    ]  # fmt: skip
    for path in RULES:
        assert (ROOT / "tests" / "cases" / "verdict" / f"{path.stem}.yaml").is_file()


# ---- Errors


def drawn_tree() -> dict[str, str]:
    """Each class of the docstring's tree with the one above it."""
    found, above = {}, {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^ {4}([│├└─ ]*)([A-Z]\w+) {2,}\S", line)
        if match:
            depth = len(match[1]) // 4
            above[depth] = match[2]
            found[match[2]] = above[depth - 1] if depth else ""
    return found


def test_the_tree_of_errors_is_as_drawn() -> None:
    classes = {
        name: value for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)
    }  # fmt: skip
    assert drawn_tree() == {
        name: "" if cls is errors.NoveltyKitError else cls.__base__.__name__
        for name, cls in classes.items()
        if cls.__base__
    }
    assert set(errors.__all__) == {*classes, "Problem"}


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "Problem"])
def test_an_error_survives_pickling_and_says_where(name: str) -> None:
    cls = getattr(errors, name)
    problems = [errors.Problem("one", "f", 1), errors.Problem("two", "f", 2)]
    error = cls(
        "it is wrong",
        path="f.jsonl",
        line=3,
        column=4,
        pointer="/a",
        remedy="Mend it",
        problems=problems,
        n_problems=9,
    )
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls
    assert str(again) == str(error) == "f.jsonl:3:4 /a: it is wrong. Mend it"
    assert (again.problem, again.problems, again.n_problems) == (error.problem, tuple(problems), 9)
    assert cls.__doc__
    assert cls.exit_code in (2, 3)


# ---- The root of the library


def test_no_room_is_named_as_a_function_of_the_root() -> None:
    """Importing the room would hide the function."""
    rooms = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert rooms & set(novelty_kit.__all__) == set()


def test_the_root_has_few_names_all_documented_and_typed() -> None:
    assert len(novelty_kit.__all__) <= 20
    assert sorted(novelty_kit.__all__) == sorted(set(novelty_kit.__all__))
    assert (PACKAGE / "py.typed").is_file()
    for name in novelty_kit.__all__:
        value = getattr(novelty_kit, name)
        assert name in dir(novelty_kit)
        if inspect.ismodule(value):
            assert value.__doc__, name
            continue
        text = inspect.getdoc(value) or ""
        assert text.partition("\n")[0].endswith("."), f"{name} has no sentence"
        if inspect.isfunction(value):
            signature = inspect.signature(value)
            untyped = [p for p in signature.parameters.values() if p.annotation is inspect.Parameter.empty]
            assert untyped == [], name
            assert signature.return_annotation is not inspect.Signature.empty, name
            for section in ("Parameters\n----------", "Returns\n-------"):
                assert section in text, f"{name} lacks {section.splitlines()[0]}"
            for parameter in signature.parameters:
                assert (
                    re.search(rf"^\*?{parameter}\b", text, re.M)
                    or f"*{parameter}" in text
                    or parameter in text
                ), name


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'chekc'"):
        novelty_kit.chekc  # noqa: B018
