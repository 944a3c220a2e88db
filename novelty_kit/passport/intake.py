"""The intake declaration: built from a person's answers and written once into a passport.

The declaration is inserted into the file's own text, so comments and layout stay; the result is read back
and must be the old document plus the declaration, or nothing is written. The moment is an argument. Writes
only the file that the user names. No network. No clock.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Final

from novelty_kit.errors import DocumentError, InputError
from novelty_kit.output import canonical_json, write_whole
from novelty_kit.passport.finding import shown
from novelty_kit.passport.invariants.experiment import STATUSES
from novelty_kit.passport.moment import is_date_time
from novelty_kit.passport.read import parse_passport, read_passport

__all__ = ["CHOICES", "declaration", "declaration_problems", "declare", "with_declaration"]

_KEY: Final = "experiment_intake_declaration"

# What a person can choose, with what it means.
CHOICES: Final = (
    (
        "experiments_declared",
        "The paper rests on experiments of mine; I enter them in experiment_provenance.",
    ),
    ("no_experiments_declared", "The paper rests on no experiment of mine."),
    ("legacy_unknown", "The passport is older than declarations, and nobody can say any more."),
)

_NULL_LINE = re.compile(rf"^{_KEY}[ \t]*:[ \t]*(?:null|~)?[ \t]*(?:#[^\n]*)?\n?", re.MULTILINE)
_NULL_MEMBER = re.compile(rf'("{_KEY}"\s*:\s*)null\b')


def declaration_problems(status: str, declared_at: str) -> tuple[str, ...]:
    """What stands against a declaration, in words for whoever fills the form; empty where nothing does."""
    problems = []
    if status not in STATUSES:
        problems.append(f"status is {shown(status)}; choose one of {', '.join(STATUSES)}")
    if not is_date_time(declared_at):
        problems.append(f"declared_at is {shown(declared_at)}; write a moment such as 2026-06-08T09:30:00Z")
    return tuple(problems)


def declaration(status: str, declared_at: str) -> dict[str, str]:
    """The declaration as a passport holds it; its author is always the scholar.

    Raises
    ------
    InputError
        The status is unknown, or the moment is no RFC 3339 date-time.
    """
    if problems := declaration_problems(status, declared_at):
        raise InputError(problems[0])
    return {"status": status, "declared_at": declared_at, "declared_by": "scholar"}


def declare(path: str | os.PathLike[str], status: str, declared_at: str) -> None:
    """Write a declaration into a passport file; the file is made where it does not exist.

    Raises
    ------
    InputError
        The passport holds a declaration already (it is written once), or cannot take one without being
        rewritten.
    DocumentError
        The file cannot be read as a passport.
    OutputError
        The file cannot be written; it is then as it was.
    """
    name = os.fspath(path)
    answers = declaration(status, declared_at)
    kind = "json" if Path(name).suffix.lower() == ".json" else "yaml"
    if Path(name).suffix.lower() not in (".json", ".yaml", ".yml"):
        raise InputError(
            "the suffix does not say what the file is", path=name, remedy="Name it .json, .yaml or .yml"
        )
    if not os.path.lexists(name):
        write_whole(name, _fresh(kind, answers))
        return
    passport = read_passport(name)
    if not isinstance(passport.body, dict):
        raise InputError(f"the file holds {shown(passport.body)}, not a passport", path=name)
    if passport.body.get(_KEY) is not None:
        raise InputError(
            "the passport holds a declaration already",
            path=name,
            remedy="It is written once; edit it by hand",
        )
    text = Path(name).read_bytes().decode("utf-8")
    written = with_declaration(text, kind, answers)
    expected = {**{key: value for key, value in passport.body.items() if key != _KEY}, _KEY: answers}
    if not _reads_as(written, name, kind, expected):
        raise InputError(
            "the declaration cannot be put into this file without rewriting it",
            path=name,
            remedy=f"Write {_KEY}: {canonical_json(answers)} into it by hand",
        )
    # A link stays a link: what it points to is written.
    write_whole(os.path.realpath(name), written)


def _reads_as(text: str, name: str, kind: str, expected: object) -> bool:
    try:
        return bool(parse_passport(text.encode("utf-8"), name, kind).body == expected)
    except DocumentError:
        return False


def _fresh(kind: str, answers: dict[str, str]) -> str:
    return canonical_json({_KEY: answers}, indent=1) + "\n" if kind == "json" else _yaml_block(answers)


def _yaml_block(answers: dict[str, str]) -> str:
    members = "".join(f"  {key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in answers.items())
    return f"{_KEY}:\n{members}"


def with_declaration(text: str, kind: str, answers: dict[str, str]) -> str:
    """A passport's text with the declaration in it: after the first brace of JSON, at the end of YAML."""
    if kind == "json":
        member = canonical_json(answers)
        if _NULL_MEMBER.search(text):
            return _NULL_MEMBER.sub(lambda match: match[1] + member, text, count=1)
        brace = text.index("{") + 1
        separator = "" if text[brace:].lstrip().startswith("}") else ","
        return f'{text[:brace]}\n "{_KEY}": {member}{separator}{text[brace:]}'
    newline = "\r\n" if "\r\n" in text else "\n"
    block = _yaml_block(answers).replace("\n", newline)
    kept = _NULL_LINE.sub("", text.replace("\r\n", "\n"), count=1).replace("\n", newline)
    if kept.rstrip().endswith("..."):
        kept = kept.rstrip()[:-3]
    end = "" if not kept or kept.endswith("\n") else newline
    return f"{kept}{end}{block}"
