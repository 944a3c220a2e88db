"""`novelty priorart`: extract claims, search for what collides, adjudicate, record.

A thin mirror of :mod:`novelty_kit.priorart`. One folder holds a case: ``claims.json``, ``search_log.jsonl``,
``store/`` and ``verdicts.json``; each command finds the others' files there unless it is told otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from novelty_kit.priorart.record import Record

__all__ = ["priorart"]


@click.group("priorart", help="Which claims of newness collide with what can be found, by a proven quote.")
def priorart() -> None:
    pass


def _beside(path: str, name: str) -> str:
    return str((Path() if path == "-" else Path(path).parent) / name)


@priorart.command("record")
@click.argument("verdicts")
@click.option("--artifact", help="What was judged. [default: what the claim list names]")
@click.option(
    "--evidence",
    type=click.Choice(["store", "marker"]),
    default="store",
    show_default=True,
    help="What stands behind a collision: a quote proven in the store, or a marker in a bare verdict list.",
)
@click.option("--lenient", is_flag=True, help="Count what does not fit as inconclusive, with an escalation.")
@click.option("--claims", "claims_path", help="The claim list. [default: claims.json beside VERDICTS]")
@click.option("--search-log", "log_path", help="The search log. [default: search_log.jsonl beside VERDICTS]")
@click.option("--store", "store_path", help="The text store. [default: store beside VERDICTS]")
@click.option("--artifact-text", help="The artifact itself: a quote from it proves nothing.")
@click.option(
    "--references", "references_path", help="What the artifact cites: a key, address or title a line."
)
@click.option("--artifact-date", help="ISO date of the artifact: a source must be older.")
@click.option("--by-model", help="Name of the language model that gave the verdicts.")
@click.option("--by", "by_person", help="Name of the person who gave the verdicts.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the JSON document to a file.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 also when there are findings or escalations.")
def record(
    verdicts: str,
    artifact: str | None,
    evidence: str,
    lenient: bool,
    claims_path: str | None,
    log_path: str | None,
    store_path: str | None,
    artifact_text: str | None,
    references_path: str | None,
    artifact_date: str | None,
    by_model: str | None,
    by_person: str | None,
    as_json: bool,
    out: str | None,
    exit_zero: bool,
) -> int:
    """Count VERDICTS (a JSON list, or - for standard input) and check what they stand on.

    Exits 1 when there is a finding or an escalation.
    """
    from novelty_kit.output import canonical_json, write_whole
    from novelty_kit.priorart import claims as claim_lists
    from novelty_kit.priorart import record as records
    from novelty_kit.priorart import searchlog
    from novelty_kit.priorart import verdicts as verdict_lists
    from novelty_kit.priorart.jsonfile import read_text
    from novelty_kit.priorart.references import read_references
    from novelty_kit.priorart.render import render_text
    from novelty_kit.priorart.store import TextStore

    if by_model and by_person:
        raise click.UsageError("--by and --by-model exclude each other")
    given = verdict_lists.read_verdicts(verdicts)
    if by_model or by_person:
        kind = "model" if by_model else "person"
        given = verdict_lists.name_judge(given, verdict_lists.Judge(kind, by_model or by_person or ""))
    if evidence == "store":
        claims_path = claims_path or _beside(verdicts, "claims.json")
        log_path = log_path or _beside(verdicts, "search_log.jsonl")
        store_path = store_path or _beside(verdicts, "store")
    found: Record = records.build_record(
        given,
        artifact=artifact,
        evidence=records.Evidence(evidence),
        lenient=lenient,
        claims=claim_lists.read_claims(claims_path, lenient=lenient) if claims_path else None,
        log=searchlog.read_search_log(log_path) if log_path else None,
        store=TextStore(store_path) if store_path else None,
        artifact_text=read_text(artifact_text) if artifact_text else None,
        references=read_references(references_path) if references_path else (),
        artifact_date=artifact_date,
        path=verdicts,
    )
    document = canonical_json(found.to_dict(), indent=2) + "\n"
    if out:
        write_whole(out, document)
    if as_json:
        click.echo(document, nl=False)
    elif not out:
        click.echo(render_text(found))
    return 0 if exit_zero or found.is_clean else 1
