"""What the commands about runs share: how a run is named, opened, and handed a file.

A run is named by its directory, or as the other tools do by ``--run ID --run-dir BASE``. Nothing heavy is
imported here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from novelty_kit.review.run import Run

__all__ = [
    "BASE", "CORE", "DEBUG", "FOR", "JSON", "POLICY", "RUN", "STRICT",
    "open_named", "positional_id", "read_file", "require_for", "run_and_file",
]  # fmt: skip

RUN = click.option("--run", "run_id", metavar="ID", help="The run's id, with --run-dir.")
BASE = click.option("--run-dir", "base", metavar="DIR", help="The directory that holds the runs.")
CORE = click.option(
    "--core", multiple=True, metavar="LIT_ID", help="A citation that the core rests on (repeatable)."
)
POLICY = click.option(
    "--policy", multiple=True, metavar="K=V", help="third_trigger=decided_only or latest_axes=literal."
)
STRICT = click.option("--strict", is_flag=True, help="Refuse for broken conventions too.")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
DEBUG = click.option("--debug", is_flag=True, hidden=True, expose_value=False)
FOR = click.option("--for", "hypothesis_id", metavar="H-XXXX", help="The hypothesis.")


def open_named(run_id: str | None, base: str | None, named: str | None, policy: tuple[str, ...]) -> Run:
    from novelty_kit.review import ReviewPolicy, open_run

    chosen = ReviewPolicy.from_pairs(policy)
    if run_id is not None:
        return open_run(run_id, base=base or ".", policy=chosen)
    if base is not None:
        raise click.UsageError("--run-dir needs --run ID")
    if named is None:
        raise click.UsageError("name the run: its directory, or --run ID --run-dir BASE")
    return open_run(named, policy=chosen)


def run_and_file(arguments: tuple[str, ...], run_id: str | None, most: int) -> tuple[str | None, str | None]:
    """The run's directory and the file among the positional arguments."""
    if run_id is not None:
        arguments = ("", *arguments)
    if len(arguments) > most:
        raise click.UsageError(f"unexpected argument {arguments[most]!r:.80}")
    named = arguments[0] if arguments and run_id is None else None
    return named, arguments[1] if len(arguments) > 1 else None


def positional_id(arguments: tuple[str, ...], at: int) -> tuple[str | None, tuple[str, ...]]:
    """Take a hypothesis id that stands where the other tools write it: after the run, without --for."""
    given = arguments[at] if len(arguments) > at else ""
    if re.fullmatch("H-[0-9]{4}", given):
        return given, (*arguments[:at], *arguments[at + 1 :])
    return None, arguments


def read_file(file: str) -> dict[str, Any]:
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


def require_for(hypothesis_id: str | None) -> str:
    from novelty_kit.errors import InputError

    if hypothesis_id is None:
        raise InputError("--for <hypothesis-id> is required", remedy="Name it, as in --for H-0001")
    return hypothesis_id
