"""`novelty review`: add, check, quarantine, next-id, standings.

A thin mirror of :mod:`novelty_kit.review`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from novelty_kit.cli.review_options import (
    BASE,
    CORE,
    DEBUG,
    FOR,
    JSON,
    POLICY,
    RUN,
    STRICT,
    open_named,
    positional_id,
    read_file,
    require_for,
    run_and_file,
)
from novelty_kit.cli.review_standings import standings
from novelty_kit.output import canonical_json, for_terminal

if TYPE_CHECKING:
    from novelty_kit.review.judgement import Judgement
    from novelty_kit.review.store import IdKind

__all__ = ["review"]


@click.group()
def review() -> None:
    """Add, check and count the reviews of a run."""


review.add_command(standings)


@review.command()
@click.argument("arguments", nargs=-1, metavar="[RUN] [FILE|-]")
@RUN
@BASE
@DEBUG
@FOR
@CORE
@STRICT
@POLICY
@JSON
def add(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    hypothesis_id: str | None,
    core: tuple[str, ...],
    strict: bool,
    policy: tuple[str, ...],
    as_json: bool,
) -> None:
    """Judge a review and store it under the next number.

    A review that breaks the rubric is refused with every breach at once, and uses no number. Exit code 0
    means stored, 2 refused.
    """
    named, file = run_and_file(arguments, run_id, 2)
    run = open_named(run_id, base, named, policy)
    target = require_for(hypothesis_id)
    source = file or "-"
    added = run.add(read_file(source), target, core=core, strict=strict, source=source)
    path = str(run.path / added.file)
    if as_json:
        document = {
            "added": added.review_id,
            "path": path,
            "quarantine_due": added.quarantine_due,
            "judgement": {
                **added.judgement.to_dict(),
                "review_id": added.review_id,
            },
        }
        click.echo(canonical_json(document, indent=2))
        return
    click.echo(f"Added review: {added.review_id} → {for_terminal(path)}")
    _say_warnings(added.judgement)
    if added.quarantine_due:
        click.echo(
            f"{', '.join(added.judgement.triggers)}: quarantine is due; "
            f"`novelty review quarantine --for {target} --review {added.review_id}` carries it out",
            err=True,
        )


def _say_warnings(judgement: Judgement) -> None:
    from novelty_kit.review.rubric import rubric

    for code in judgement.warnings:
        click.echo(f"{code}: {rubric().says(code)}", err=True)
    if judgement.needs_human:
        listed = for_terminal(", ".join(judgement.needs_human))
        click.echo(f"A person has to look at: {listed}", err=True)
    for advice in judgement.advice:
        click.echo(advice, err=True)


@review.command()
@click.argument("arguments", nargs=-1, metavar="[RUN]")
@RUN
@BASE
@DEBUG
@CORE
@POLICY
@JSON
@click.pass_context
def check(
    ctx: click.Context,
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    core: tuple[str, ...],
    policy: tuple[str, ...],
    as_json: bool,
) -> None:
    """Judge every review of a run; change nothing.

    Exit code 1: a breach, a warning, a quarantine that is due, or a run in disorder.
    """
    named, _ = run_and_file(arguments, run_id, 1)
    run = open_named(run_id, base, named, policy)
    judgements, problems, moved = run.check(core), run.problems(core), run.in_quarantine()
    if as_json:
        document = {
            "reviews": [judgement.to_dict() for judgement in judgements],
            "problems": [
                {"file": one.path, "pointer": one.pointer, "what": one.what, "remedy": one.remedy}
                for one in problems
            ],
        }
        click.echo(canonical_json(document, indent=2))
    else:
        for judgement in judgements:
            _say(judgement, judgement.hypothesis_id in moved)
        for problem in problems:
            click.echo(for_terminal(f"run: {problem}"))
    due = any(judgement.triggers and judgement.hypothesis_id not in moved for judgement in judgements)
    clean = not problems and not due and all(judgement.is_clean for judgement in judgements)
    ctx.exit(0 if clean else 1)


def _say(judgement: Judgement, moved: bool) -> None:
    from novelty_kit.review.rubric import rubric

    ruling = judgement.ruling
    mean = judgement.mean_review_score
    facts = [
        "no mean" if mean is None else f"mean {mean:.2f}",
        f"correctness at most {ruling.max_correctness} ({ruling.cap_rule})"
        if judgement.cap_known
        else "cap unknown",
    ]
    if ruling.core == "unstated":
        facts.append("whether the phantom is core is unstated")
    click.echo(for_terminal(f"{judgement.review_id} [{judgement.review_type}] {', '.join(facts)}"))
    for breach in judgement.breaches:
        click.echo(for_terminal(f"  {breach.as_problem()}"))
    for code in judgement.warnings:
        click.echo(f"  {code} {rubric().says(code)}")
    for code in judgement.triggers:
        click.echo(f"  {code} {rubric().says(code)}: {'in quarantine' if moved else 'quarantine is due'}")
    if judgement.needs_human:
        click.echo(for_terminal(f"  a person has to look at {', '.join(judgement.needs_human)}"))
    for advice in judgement.advice:
        click.echo(f"  {advice}")


@review.command()
@click.argument("arguments", nargs=-1, metavar="[RUN] [H-XXXX] [FILE|-]")
@RUN
@BASE
@DEBUG
@FOR
@click.option("--review", "review_id", metavar="H-XXXX.R-NN", help="A stored review that calls for it.")
@click.option("--reason", metavar="TEXT", help="Quarantine although no trigger holds, for this reason.")
@CORE
@STRICT
@POLICY
@JSON
def quarantine(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    hypothesis_id: str | None,
    review_id: str | None,
    reason: str | None,
    core: tuple[str, ...],
    strict: bool,
    policy: tuple[str, ...],
    as_json: bool,
) -> None:
    """Store a review, set the status and move the hypothesis, as one step.

    With FILE that review is added and acted on; without, a stored one (--review, else the latest that
    calls for it). The step survives being killed: the same command again finishes it.
    """
    if hypothesis_id is None:
        hypothesis_id, arguments = positional_id(arguments, 0 if run_id is not None else 1)
    named, file = run_and_file(arguments, run_id, 2)
    run = open_named(run_id, base, named, policy)
    target = require_for(hypothesis_id)
    if file is not None and review_id is not None:
        raise click.UsageError("give FILE or --review, not both")
    record = read_file(file) if file is not None else None
    done = run.quarantine(
        target,
        record,
        review_id=review_id,
        reason=reason,
        core=core,
        strict=strict,
        source=file or "-",
    )
    if as_json:
        document = {
            "hypothesis_id": done.hypothesis_id,
            "review_id": done.review_id,
            "moved": done.moved,
            "log_lines": list(done.log_lines),
        }
        click.echo(canonical_json(document, indent=2))
        return
    for line in done.log_lines:
        click.echo(for_terminal(line))
    what = "moved to quarantine/" if done.moved else "was in quarantine/ already"
    click.echo(f"{done.hypothesis_id} {what} by {done.review_id}")


@review.command("next-id")
@click.argument("arguments", nargs=-1, metavar="[RUN] [review|hypothesis|match]")
@RUN
@BASE
@DEBUG
@FOR
@JSON
def next_id(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    hypothesis_id: str | None,
    as_json: bool,
) -> None:
    """Take an id off its counter and print it; nothing else will get it."""
    named, kind = run_and_file(arguments, run_id, 2)
    run = open_named(run_id, base, named, ())
    taken = run.next_id(_kind(kind or "review"), hypothesis_id)
    click.echo(canonical_json({"id": taken}, indent=2) if as_json else taken)


def _kind(text: str) -> IdKind:
    from novelty_kit.errors import InputError

    kinds: dict[str, IdKind] = {
        "review": "review",
        "r": "review",
        "hypothesis": "hypothesis",
        "h": "hypothesis",
        "match": "match",
        "m": "match",
    }
    if text.lower() not in kinds:
        raise InputError(f"unknown artifact type {text!r:.40}", remedy="It is review, hypothesis or match")
    return kinds[text.lower()]
