"""`novelty review`: add, check, quarantine, next-id, standings.

A thin mirror of :mod:`novelty_kit.review`. A run is named by its directory, or as the other tools do by
``--run ID --run-dir BASE``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.output import canonical_json, for_terminal

if TYPE_CHECKING:
    from novelty_kit.review.judgement import Judgement
    from novelty_kit.review.run import Run
    from novelty_kit.review.standings import Standing
    from novelty_kit.review.store import IdKind

__all__ = ["review"]

_RUN = click.option("--run", "run_id", metavar="ID", help="The run's id, with --run-dir.")
_BASE = click.option("--run-dir", "base", metavar="DIR", help="The directory that holds the runs.")
_CORE = click.option(
    "--core", multiple=True, metavar="LIT_ID", help="A citation that the core rests on (repeatable)."
)
_POLICY = click.option(
    "--policy", multiple=True, metavar="K=V", help="third_trigger=decided_only or latest_axes=literal."
)
_STRICT = click.option("--strict", is_flag=True, help="Refuse for broken conventions too.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
_DEBUG = click.option("--debug", is_flag=True, hidden=True, expose_value=False)
_FOR = click.option("--for", "hypothesis_id", metavar="H-XXXX", help="The hypothesis.")


@click.group()
def review() -> None:
    """Add, check and count the reviews of a run."""


def _open(run_id: str | None, base: str | None, named: str | None, policy: tuple[str, ...]) -> Run:
    from novelty_kit.review import ReviewPolicy, open_run

    chosen = ReviewPolicy.from_pairs(policy)
    if run_id is not None:
        return open_run(run_id, base=base or ".", policy=chosen)
    if base is not None:
        raise click.UsageError("--run-dir needs --run ID")
    if named is None:
        raise click.UsageError("name the run: its directory, or --run ID --run-dir BASE")
    return open_run(named, policy=chosen)


def _split(arguments: tuple[str, ...], run_id: str | None, most: int) -> tuple[str | None, str | None]:
    """The run's directory and the file among the positional arguments."""
    if run_id is not None:
        arguments = ("", *arguments)
    if len(arguments) > most:
        raise click.UsageError(f"unexpected argument {arguments[most]!r:.80}")
    named = arguments[0] if arguments and run_id is None else None
    return named, arguments[1] if len(arguments) > 1 else None


def _positional_id(arguments: tuple[str, ...], at: int) -> tuple[str | None, tuple[str, ...]]:
    """Take a hypothesis id that stands where the other tools write it: after the run, without --for."""
    given = arguments[at] if len(arguments) > at else ""
    if re.fullmatch("H-[0-9]{4}", given):
        return given, (*arguments[:at], *arguments[at + 1 :])
    return None, arguments


def _read(file: str) -> dict[str, Any]:
    from novelty_kit.errors import DocumentError
    from novelty_kit.review.record import MAX_BYTES, parse_record

    try:
        if file == "-":
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DocumentError(
            f"cannot be read: {error.strerror or error}", path=file, remedy="Name a review's JSON file"
        ) from error
    if len(raw) > MAX_BYTES:
        raise DocumentError(f"is larger than {MAX_BYTES // 1024 // 1024} MB", path=file)
    return parse_record(raw, file)


def _require_for(hypothesis_id: str | None) -> str:
    from novelty_kit.errors import InputError

    if hypothesis_id is None:
        raise InputError("--for <hypothesis-id> is required", remedy="Name it, as in --for H-0001")
    return hypothesis_id


@review.command()
@click.argument("arguments", nargs=-1, metavar="[RUN] [FILE|-]")
@_RUN
@_BASE
@_DEBUG
@_FOR
@_CORE
@_STRICT
@_POLICY
@_JSON
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
    named, file = _split(arguments, run_id, 2)
    run = _open(run_id, base, named, policy)
    target = _require_for(hypothesis_id)
    source = file or "-"
    added = run.add(_read(source), target, core=core, strict=strict, source=source)
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
@_RUN
@_BASE
@_DEBUG
@_CORE
@_POLICY
@_JSON
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
    named, _ = _split(arguments, run_id, 1)
    run = _open(run_id, base, named, policy)
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
@_RUN
@_BASE
@_DEBUG
@_FOR
@click.option("--review", "review_id", metavar="H-XXXX.R-NN", help="A stored review that calls for it.")
@click.option("--reason", metavar="TEXT", help="Quarantine although no trigger holds, for this reason.")
@_CORE
@_STRICT
@_POLICY
@_JSON
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
        hypothesis_id, arguments = _positional_id(arguments, 0 if run_id is not None else 1)
    named, file = _split(arguments, run_id, 2)
    run = _open(run_id, base, named, policy)
    target = _require_for(hypothesis_id)
    if file is not None and review_id is not None:
        raise click.UsageError("give FILE or --review, not both")
    record = _read(file) if file is not None else None
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
@_RUN
@_BASE
@_DEBUG
@_FOR
@_JSON
def next_id(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    hypothesis_id: str | None,
    as_json: bool,
) -> None:
    """Take an id off its counter and print it; nothing else will get it."""
    named, kind = _split(arguments, run_id, 2)
    run = _open(run_id, base, named, ())
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


@review.command()
@click.argument("arguments", nargs=-1, metavar="[RUN]")
@_RUN
@_BASE
@_DEBUG
@click.option("--composite", is_flag=True, help="By Elo moved by the latest review axes.")
@click.option("--preset", metavar="NAME", help="A preset of weights.")
@click.option("--weights", metavar="AXIS=N,…", help="Single weights: goal, constraint, novelty.")
@click.option("--explain", is_flag=True, help="Show what each axis adds, and from which review.")
@click.option("--pairs", type=click.IntRange(0), metavar="N", help="Propose up to N next matches.")
@_POLICY
@_JSON
def standings(
    arguments: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    composite: bool,
    preset: str | None,
    weights: str | None,
    explain: bool,
    pairs: int | None,
    policy: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show who stands where; a quarantined hypothesis stands nowhere."""
    from novelty_kit.errors import PolicyError
    from novelty_kit.review.composite import read_weights

    for given, option in ((preset, "--preset"), (weights, "--weights"), (explain, "--explain")):
        if given and not composite:
            raise PolicyError(f"{option} requires --composite", remedy="Add --composite")
    overrides = read_weights(weights) if weights else None
    named, _ = _split(arguments, run_id, 1)
    run = _open(run_id, base, named, policy)
    in_force = run.weights(preset, overrides) if composite else None
    rows = run.standing_rows(in_force)
    ratings = run.ratings()
    document: dict[str, Any] = {
        "epoch": ratings.epoch,
        "ratings": ratings.source,
        "weights": in_force.to_dict() if in_force else None,
        "standings": [row.to_dict(explain=explain) for row in rows],
        "quarantined": sorted(run.quarantined()),
    }
    if pairs is not None:
        pairing = run.pairing(budget=pairs)
        document["pairs"] = [{"a": a, "b": b} for a, b in pairing.pairs]
        document["byes"] = list(pairing.byes)
    if as_json:
        click.echo(canonical_json(document, indent=2))
        return
    _say_standings(document, rows, explain)


def _say_standings(document: dict[str, Any], rows: tuple[Standing, ...], explain: bool) -> None:
    weights = document["weights"]
    head = f"Standings (epoch {'-' if document['epoch'] is None else document['epoch']}"
    if weights:
        preset = f"{weights['preset']}{', changed' if weights['changed'] else ''}"
        shown = " ".join(f"{name}={weights[name]:g}" for name in ("goal", "constraint", "novelty"))
        head += f"; composite: {preset}; {shown}"
    click.echo(f"{head})")
    for row in rows:
        line = f"{row.hypothesis_id}  {row.elo:8.1f}"
        if row.elo_composite is not None:
            line = (
                f"{row.hypothesis_id}  {row.elo_composite:8.1f}  {row.elo:8.1f} {row.composite_delta:+6.1f}"
            )
        click.echo(f"{line}  {row.matches:4d} matches {row.wins:4d} wins {row.draws:4d} draws")
        for name, part in row.components.items() if explain else ():
            score = "-" if part.score is None else f"{part.score}/5"
            source = part.source or "not scored"
            click.echo(
                for_terminal(
                    f"    {name:<10} {score:>3}  S={part.s:.2f}  W={part.weight:g}"
                    f"  {part.contribution:+.1f}  {source}"
                )
            )
    if not rows:
        click.echo("no hypothesis stands here")
    if document["quarantined"]:
        click.echo(f"In quarantine, in no standing: {', '.join(document['quarantined'])}")
    for pair in document.get("pairs", ()):
        click.echo(f"next: {pair['a']} - {pair['b']}")
    if document.get("pairs") == []:
        click.echo("next: no two of them may meet now")
