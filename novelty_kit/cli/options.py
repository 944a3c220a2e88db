"""Options that several commands share: which log, which candidates, which policy.

Nothing heavy is imported here.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.errors import CandidateError, InputError, KeyFormatError
from novelty_kit.output import for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.graph import Graph
    from novelty_kit.verdict.candidate import Candidate
    from novelty_kit.verdict.policy import Policy

__all__ = [
    "asked", "candidate_options", "candidates_from", "graph_option", "graph_paths", "log_of", "open_named_graph",
    "policy_from", "policy_option",
]  # fmt: skip

_DEFAULT_LOG = "graph/events.jsonl"
_FILE_ENDS = (".json", ".jsonl", ".ndjson", ".parquet", ".csv")


def graph_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--graph FILE…``, repeatable."""
    return click.option(
        "--graph", "graph", multiple=True, metavar="FILE",
        help="Event log (repeat for several files). Default: $NOVELTY_GRAPH, graph/events.jsonl, the demo.",
    )(command)  # fmt: skip


def policy_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--policy name=value``, repeatable."""
    help_text = "A reading other than the default."
    return click.option("--policy", multiple=True, metavar="NAME=VALUE", help=help_text)(command)


def policy_from(settings: Sequence[str]) -> Policy:
    """The policy of ``--policy`` options."""
    from novelty_kit.verdict.policy import Policy

    return Policy.parse(settings)


def graph_paths(given: Sequence[str]) -> tuple[str, ...]:
    """Those named, else ``$NOVELTY_GRAPH``, else the usual place, else the demo (and say so)."""
    if given:
        return tuple(given)
    named = os.environ.get("NOVELTY_GRAPH")
    if named:
        return tuple(part for part in named.split(os.pathsep) if part)
    if Path(_DEFAULT_LOG).is_file():
        return (_DEFAULT_LOG,)
    from novelty_kit.demo import demo_file

    demo = demo_file("events.jsonl")
    click.echo("novelty: no log was named; this is the demo's", err=True)
    return (str(demo),)


def open_named_graph(
    given: Sequence[str], as_of: str | None = None, *, verify: bool = False, skip_bad_lines: bool = False
) -> Graph:
    """Open the log of ``--graph`` at ``--as-of``."""
    from novelty_kit.graph import open_graph

    graph = open_graph(*graph_paths(given), verify=verify, skip_bad_lines=skip_bad_lines)
    return graph if as_of is None else graph.as_of(as_of)


def candidate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The candidate arguments and, for a candidate given by its id, its fields."""
    for decorate in reversed(
        (
            click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE…"),
            click.option(
                "--kind",
                type=click.Choice(["paper", "claim"]),
                default="paper",
                help="Of a candidate given by id.",
            ),
            click.option("--statement", help="Of a claim."),
            click.option("--about", metavar="ID", help="The paper that a claim is about."),
            click.option("--holdout", multiple=True, metavar="ID", help="A work that the authors used."),
            click.option("--reference", multiple=True, metavar="ID", help="A work that the candidate cites."),
            click.option("--leave-out", is_flag=True, help="Judge an ingested one as if it were new."),
            click.option(
                "--skip-bad-candidates", is_flag=True, help="Judge the others; report the bad ones."
            ),
        )
    ):
        command = decorate(command)
    return command


def candidates_from(
    arguments: Sequence[str],
    *,
    kind: str = "paper",
    statement: str | None = None,
    about: str | None = None,
    holdout: Sequence[str] = (),
    reference: Sequence[str] = (),
    leave_out: bool = False,
    skip_bad_candidates: bool = False,
) -> list[Candidate]:
    """Candidates of files and ids, in the order given.

    Raises
    ------
    CandidateError
        Malformed candidates (all of them), two with one id, or fields for a file.
    """
    from novelty_kit.verdict.candidate import read_candidate
    from novelty_kit.verdict.candidate_files import load_candidates

    fields = (statement is not None, about is not None, holdout, reference, leave_out, kind != "paper")
    found: list[Candidate] = []
    for argument in arguments:
        if _is_file(argument):
            if any(fields):
                what = "--kind, --statement, --about, --holdout, --reference, --leave-out are of a candidate by id"
                raise CandidateError(what, path=argument, remedy="Write them into the file")
            loaded, problems = load_candidates(argument, skip_bad=skip_bad_candidates)
            for problem in problems:
                click.echo(f"novelty: skipped: {_safe(str(problem))}", err=True)
            found += [_with_its_log(candidate, argument) for candidate in loaded]
            continue
        record: dict[str, Any] = {"kind": kind, "keys": _keys_of(argument), "leave_out": leave_out}
        if holdout:
            record["holdout_lom_ids"] = list(holdout)
        if reference:
            record["references"] = list(reference)
        record |= {"statement": statement} if statement is not None else {}
        record |= {"about_lom_id": about} if about is not None else {}
        found.append(read_candidate(record))
    _refuse_twins(found)
    return found


def asked(
    candidates: Sequence[str],
    graph: Sequence[str],
    policy: Sequence[str],
    as_of: str | None,
    fields: dict[str, Any],
    *,
    verify: bool = False,
    skip_bad_lines: bool = False,
) -> tuple[Graph, list[Candidate], Policy]:
    """The log, candidates and policy that a command is asked about; the log is opened last."""
    chosen = policy_from(policy)
    found = candidates_from(candidates, **fields)
    opened = open_named_graph(log_of(graph, found), as_of, verify=verify, skip_bad_lines=skip_bad_lines)
    return opened, found, chosen


def _is_file(argument: str) -> bool:
    """Whether an argument names a file: one that is there, or one by its ending that is no id."""
    if argument == "-":
        return True
    with contextlib.suppress(OSError, ValueError):
        if Path(argument).exists():
            return True
    return Path(argument).suffix.lower() in _FILE_ENDS and not _is_id(argument)


def _is_id(argument: str) -> bool:
    from novelty_kit.keys import parse_key

    try:
        parse_key(argument)
    except KeyFormatError:
        return False
    return True


def _with_its_log(candidate: Candidate, argument: str) -> Candidate:
    """The log that a candidate names lies relative to its file, not to us."""
    if candidate.graph is None or argument == "-":
        return candidate
    return replace(candidate, graph=os.path.normpath(Path(argument).parent / candidate.graph))


def log_of(given: Sequence[str], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """``--graph`` beats the log that the candidates name.

    Raises
    ------
    InputError
        The candidates name several logs, or some of them name one and others do not.
    """
    named = {candidate.graph for candidate in candidates}
    if given or named <= {None}:
        return tuple(given)
    if len(named) > 1:
        several = len(named - {None}) > 1
        what = (
            "the candidates name several logs" if several else "some candidates name a log and others do not"
        )
        raise InputError(what, remedy="Give one with --graph")
    return tuple(str(name) for name in named)


def _refuse_twins(candidates: Sequence[Candidate]) -> None:
    seen: set[str] = set()
    for candidate in candidates:
        if candidate.label is not None and candidate.label in seen:
            what = f"two candidates have the id '{shorten(candidate.label, 60)}'"
            raise CandidateError(what, remedy="Give each an id of its own")
        if candidate.label is not None:
            seen.add(candidate.label)


def _keys_of(argument: str) -> dict[str, str]:
    from novelty_kit.keys import parse_key

    try:
        key = parse_key(argument)
    except KeyFormatError as error:
        raise InputError(
            f"'{shorten(argument, 60)}' is neither a file nor an id: {error.problem.what}",
            remedy="Give a .json, .jsonl, .parquet or .csv file, or an id such as arxiv:2408.06292",
        ) from None
    return {"s2_paperId" if key.scheme == "s2" else key.scheme: key.id}


def _safe(text: str) -> str:
    return for_terminal(shorten(text, 500))
