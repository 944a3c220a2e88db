"""`novelty passport`: check, gate, intake, init, diff. A thin mirror of the passport room.

Reads the files that are named; writes only what `init` and `intake` are asked to. Texts from files pass
through `for_terminal` before a person sees them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from novelty_kit.errors import NoveltyKitError
    from novelty_kit.passport.finding import Finding
    from novelty_kit.passport.record import Passport

__all__ = ["passport"]


# Where an error comes from is shown by the entry point; the option may stand after the command.
_debug = click.option("--debug", is_flag=True, hidden=True, expose_value=False)


@click.group()
def passport() -> None:
    """Experiments and claims: what a passport declares, and whether the claims keep to it."""


def _say(text: str, *, err: bool = False) -> None:
    from novelty_kit.output import for_terminal

    click.echo(for_terminal(text), err=err)


def _json(value: Any) -> None:
    from novelty_kit.output import canonical_json

    click.echo(canonical_json(value))


@passport.command()
@_debug
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--results", metavar="DIR", help="Hold declared results against the real files in DIR.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a passport, one a line.")
@click.pass_context
def check(
    ctx: click.Context, files: tuple[str, ...], results: str | None, as_json: bool, as_jsonl: bool
) -> None:
    """Every fault of shape and every broken invariant, with its line.

    FILE is .json, .yaml or .yml, or - for standard input; a FOLDER stands for such files in it.
    Exit code 0: none; 1: findings; 2: a file cannot be read.
    """
    from novelty_kit.errors import NoveltyKitError
    from novelty_kit.passport.read import passport_files, read_passport

    names = passport_files(files)
    records: list[dict[str, Any]] = []
    worst = 0
    for name in names:
        try:
            read = read_passport(name)
            findings = read.check(results=results)
        except NoveltyKitError as error:
            if len(names) == 1:
                raise
            worst = 2
            _say(f"novelty: {error}", err=True)
            records.append({"file": name, "findings": None, "error": _error(error)})
            continue
        worst = max(worst, 1 if findings else 0)
        records.append({"file": name, "findings": [finding.to_dict() for finding in findings]})
        if not as_json and not as_jsonl:
            for line in _lines(name, read, findings):
                _say(line)
    if as_json:
        _json(records[0] if len(names) == 1 else records)
    elif as_jsonl:
        for record in records:
            _json(record)
    ctx.exit(worst)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


def _lines(name: str, read: Passport, findings: tuple[Finding, ...]) -> Iterator[str]:
    if not findings:
        n_experiments, n_claims = len(read.index.rows("experiment_provenance")), len(read.index.claims)
        found = "nothing found" if n_experiments or n_claims else "nothing to check"
        yield f"{name}: {found}, {_count(n_experiments, 'experiment')} and {_count(n_claims, 'claim')} declared"
    for finding in findings:
        place = name if finding.line is None else f"{name}:{finding.line}"
        where = f"{place} {finding.pointer or '/'}"
        yield f"{finding.tag}: {where}: {finding.message}; expected {finding.expected}"


def _error(error: NoveltyKitError) -> dict[str, Any]:
    problem = error.problem
    return {"what": problem.what, "line": problem.line, "column": problem.column, "remedy": problem.remedy}


@passport.command()
@_debug
@click.argument("file")
@click.option(
    "--stage", default="4.5", show_default=True, metavar="2.5|4.5", help="A sample of the claims, or all."
)
@click.option("--manuscript", metavar="DRAFT.md", help="Look at the prose as well, by heuristics.")
@click.option("--no-prose", is_flag=True, help="Switch the heuristics over prose off.")
@click.option(
    "--judge", type=click.Choice(["numbers"]), help="Ask the built-in judge of numbers about every row."
)
@click.option("--results", metavar="DIR", help="Hold declared results against the real files in DIR.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def gate(
    ctx: click.Context,
    file: str,
    stage: str,
    manuscript: str | None,
    no_prose: bool,
    judge: str | None,
    results: str | None,
    as_json: bool,
) -> None:
    """FAIL, PASS-WITH-NOTES or PASS, with every reason.

    Exit code 0: passed, with notes or without; 1: FAIL; 2: something cannot be read.
    """
    from novelty_kit.passport.number_judge import NumberJudge
    from novelty_kit.passport.read import read_passport

    answer = read_passport(file).gate(
        stage=stage,
        manuscript=manuscript,
        judge=NumberJudge() if judge else None,
        prose=not no_prose,
        results=results,
    )
    if as_json:
        _json({"file": file, **answer.to_dict()})
    else:
        _say(f"{answer.outcome}: {file} at stage {answer.stage}")
        for reason in answer.reasons:
            where = manuscript if reason.in_manuscript else file
            place = where if reason.line is None else f"{where}:{reason.line}"
            _say(f"{reason.severity}: {reason.code} {place} {reason.pointer or '/'}: {reason.message}")
        _say(answer.boundary)
    ctx.exit(1 if answer.outcome == "FAIL" else 0)


@passport.command()
@_debug
@click.argument("file", default="passport.yaml")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
def init(file: str, force: bool) -> None:
    """Write a commented skeleton to FILE (passport.yaml), or to standard output with -."""
    from pathlib import Path

    from novelty_kit.errors import InputError
    from novelty_kit.output import write_whole
    from novelty_kit.passport.skeleton import skeleton

    if file == "-":
        click.echo(skeleton(), nl=False)
        return
    if Path(file).suffix.lower() not in (".yaml", ".yml"):
        raise InputError("a skeleton has comments, so it is YAML", path=file, remedy="Name it .yaml")
    if Path(file).exists() and not force:
        raise InputError("the file exists", path=file, remedy="Choose another name, or --force")
    write_whole(file, skeleton())
    _say(f"wrote {file}; next: novelty passport intake {file}")


@passport.command()
@_debug
@click.argument("file", default="passport.yaml")
@click.option("--status", help="The answer, instead of being asked.")
@click.option("--declared-at", metavar="TIME", help="The moment, instead of being asked: RFC 3339.")
def intake(file: str, status: str | None, declared_at: str | None) -> None:
    """Ask the scholar for the intake declaration and write it into FILE, once."""
    from novelty_kit.errors import InputError
    from novelty_kit.passport.intake import CHOICES, declare

    if status is None:
        _say("What does the paper rest on? This is declared once, by its author.")
        for number, (_, meaning) in enumerate(CHOICES, 1):
            _say(f"  {number}. {meaning}")
        answer = _ask("1, 2 or 3")
        if answer not in ("1", "2", "3"):
            raise InputError(f"the answer was {answer!r}", remedy="Answer 1, 2 or 3")
        status = CHOICES[int(answer) - 1][0]
    if declared_at is None:
        declared_at = _ask("When is it declared (such as 2026-06-08T09:30:00Z; empty for now)")
        if not declared_at:
            declared_at = _now()
    declare(file, status, declared_at)
    _say(f"wrote the declaration into {file}: {status}, {declared_at}")


def _ask(question: str) -> str:
    from novelty_kit.errors import InputError

    click.echo(f"{question}: ", nl=False)
    sys.stdout.flush()
    line = sys.stdin.buffer.readline().decode("utf-8", "replace")
    if not line:
        raise InputError(
            "no answer was given", remedy="Answer at a terminal, or name --status and --declared-at"
        )
    return line.strip()


def _now() -> str:
    """This second, UTC: the moment is a fact that the person states by leaving the answer empty."""
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@passport.command()
@_debug
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, as_json: bool) -> None:
    """Experiments added, removed, renamed or changed, and plans that now dangle.

    Exit code 0: no plan of NEW dangles; 1: one does; 2: a file cannot be read.
    """
    from novelty_kit.passport.diff import diff_passports
    from novelty_kit.passport.finding import shown
    from novelty_kit.passport.read import read_passport

    difference = diff_passports(read_passport(old), read_passport(new))
    if as_json:
        _json({"old": old, "new": new, **difference.to_dict()})
    else:
        for word, names in (
            ("added", difference.added),
            ("removed", difference.removed),
            ("changed", difference.changed),
        ):
            for name in names:
                _say(f"{word}: {shown(name)}")
        for before, after in difference.renamed:
            _say(f"renamed: {shown(before)} is now {shown(after)}")
        for plan in difference.dangling:
            place = new if plan.line is None else f"{new}:{plan.line}"
            state = "no longer exists" if plan.resolved_before else "exists in neither"
            _say(f"dangling: {place} {plan.pointer}: {shown(plan.experiment_id)} {state}")
        if not any(difference.to_dict().values()):
            _say("no experiment differs, no plan dangles")
    ctx.exit(1 if difference.dangling else 0)
