"""`novelty priorart`: extract claims, search for what collides, adjudicate, record.

A thin mirror of :mod:`novelty_kit.priorart`. One folder holds a case: ``claims.json``, ``search_log.jsonl``,
``store/`` and ``verdicts.json``; each command finds the others' files there unless it is told otherwise.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from novelty_kit.cli.options import graph_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novelty_kit.priorart.claims import ClaimList
    from novelty_kit.priorart.desk import Desk
    from novelty_kit.priorart.index import TextIndex
    from novelty_kit.priorart.layout import Format
    from novelty_kit.priorart.search import Source

__all__ = ["priorart"]


@click.group("priorart", help="Which claims of newness collide with what can be found, by a proven quote.")
def priorart() -> None:
    """Which claims of newness collide with what can be found."""


def _beside(path: str, name: str) -> str:
    return str((Path() if path == "-" else Path(path).parent) / name)


def _written(document: str, out: str | None, as_json: bool, text: str) -> None:
    """A document to a file, to standard output, or, without either, its text."""
    from novelty_kit.output import write_whole

    if out:
        write_whole(out, document)
    if as_json:
        click.echo(document, nl=False)
    elif not out:
        click.echo(text)


@priorart.command("extract")
@click.argument("artifact_file", metavar="ARTIFACT")
@click.option("--artifact", help="What to call it. [default: as given]")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["markdown", "latex", "text"]),
    help="How to read it. [default: by the file's name]",
)
@click.option("--artifact-date", help="Its ISO date: a source must be older.")
@click.option("--json", "as_json", is_flag=True, help="The claim list as one JSON document.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the claim list to a file.")
def extract(
    artifact_file: str,
    artifact: str | None,
    layout: str | None,
    artifact_date: str | None,
    as_json: bool,
    out: str | None,
) -> int:
    """List the claims of newness of ARTIFACT (Markdown, LaTeX or plain text; - is standard input)."""
    from novelty_kit.output import canonical_json
    from novelty_kit.priorart.extract import extract_claims
    from novelty_kit.priorart.jsonfile import read_text
    from novelty_kit.priorart.layout import guess_format
    from novelty_kit.priorart.render import claims_text

    name = artifact or ("<standard input>" if artifact_file == "-" else Path(artifact_file).name)
    found = extract_claims(
        read_text(artifact_file),
        name,
        format=cast("Format", layout) if layout else guess_format(artifact_file),
        artifact_date=artifact_date,
    )
    _written(canonical_json(found.to_dict(), indent=2) + "\n", out, as_json, claims_text(found))
    return 0


def _graph_index(graph_files: Sequence[str], index_file: str | None) -> TextIndex:
    """The index over the graph's papers, kept in a file where one is named."""
    from novelty_kit.cli.options import open_named_graph
    from novelty_kit.errors import DamageError
    from novelty_kit.priorart.index import TextIndex

    graph = open_named_graph(graph_files)
    fingerprint = f"{graph.sha256} {graph.as_of_seq}"
    if index_file and Path(index_file).exists():
        try:
            return TextIndex.open(index_file, fingerprint)
        except DamageError:
            click.echo("novelty: the index was made from another log; it is built again", err=True)
    columns = ["lom_id", "title", "abstract", "publication_date"]
    table = graph.arrow("paper").select(columns).sort_by("lom_id")
    rows = (
        [None if row[name] is None else str(row[name]) for name in columns]
        for batch in table.to_batches(10_000)
        for row in batch.to_pylist()
    )
    return TextIndex.build(rows, index_file, fingerprint)


@priorart.command("search")
@click.argument("claims_file", metavar="CLAIMS")
@graph_option
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Choice(["graph", "arxiv", "openalex", "crossref"]),
    default=("graph",),
    show_default=True,
    help="Where to search, in this order (repeatable); the services are asked over the network.",
)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Works a source.")
@click.option("--own", multiple=True, metavar="ID", help="An id of the artifact itself, which is left out.")
@click.option("--index", "index_file", type=click.Path(dir_okay=False), help="Keep the graph's index here.")
@click.option("--store", "store_path", help="The text store. [default: store beside CLAIMS]")
@click.option("--out", type=click.Path(dir_okay=False), help="[default: search_log.jsonl beside CLAIMS]")
@click.option("--jsonl", "as_jsonl", is_flag=True, help="The search log to standard output as well.")
def search(
    claims_file: str,
    graph: tuple[str, ...],
    sources: tuple[str, ...],
    limit: int,
    own: tuple[str, ...],
    index_file: str | None,
    store_path: str | None,
    out: str | None,
    as_jsonl: bool,
) -> int:
    """Search the ingested graph, and services if they are named, for what the claims of CLAIMS may meet.

    Every search is logged with its state, every text that is found goes into the store. Exits 3 when a claim
    has no completed search.
    """
    from novelty_kit.keys import normalise
    from novelty_kit.output import write_whole
    from novelty_kit.priorart.claims import read_claims
    from novelty_kit.priorart.render import searches_text
    from novelty_kit.priorart.search import GraphSource, search_claims
    from novelty_kit.priorart.store import TextStore

    claims = read_claims(claims_file)
    store = TextStore(store_path or _beside(claims_file, "store"))
    asked: list[Source] = []
    with ExitStack() as opened:
        for name in dict.fromkeys(sources):
            if name == "graph":
                index = opened.enter_context(_graph_index(graph, index_file))
                asked.append(GraphSource(index, own_ids=[normalise(key) for key in own]))
            else:
                from novelty_kit.cli.priorart_services import service_source
                from novelty_kit.ingest.ask import Services

                asked.append(service_source(opened.enter_context(Services()), name))
        log = search_claims(claims, asked, store, limit=limit)
    lines = log.to_lines()
    write_whole(out or _beside(claims_file, "search_log.jsonl"), lines)
    click.echo(lines if as_jsonl else searches_text(claims, log), nl=not as_jsonl)
    return 0 if all(any(s.completed for s in log.of_claim(c.claim_id)) for c in claims.admissible) else 3


@priorart.command("adjudicate")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--by", "name", required=True, help="Who judges.")
@click.option("--artifact-text", help="The artifact itself: a quote from it proves nothing.")
@click.option("--out", type=click.Path(dir_okay=False), help="[default: verdicts.json in FOLDER]")
def adjudicate(folder: str, name: str, artifact_text: str | None, out: str | None) -> int:
    """Judge the claims of the case in FOLDER, a key a line; the page in 60-prior-art does the same.

    A line that begins with > is a quote from the work shown, one that begins with # a note. Everything is
    saved in draft.json at once, and goes on from there the next time.
    """
    from novelty_kit.priorart.desk import Desk
    from novelty_kit.priorart.folder import open_case
    from novelty_kit.priorart.jsonfile import read_text
    from novelty_kit.priorart.render import desk_text

    case = open_case(folder, read_text(artifact_text) if artifact_text else None)
    desk = Desk(case, Path(folder) / "draft.json", out or Path(folder) / "verdicts.json", name)
    click.echo(desk_text(desk))
    for line in sys.stdin:
        if line.strip().casefold() == "x":
            break
        _act(desk, line.rstrip("\r\n"))
        click.echo(desk_text(desk))
    return 0 if not desk.draft.missing(case) else 1


def _act(desk: Desk, line: str) -> None:
    if line.startswith(">"):
        desk.say_quote(line[1:])
    elif line.startswith("#"):
        desk.note(line[1:])
    else:
        desk.run(line)


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
@click.option("--references", "references_path", help="What it cites: a key, address or title a line.")
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
    from novelty_kit.output import canonical_json
    from novelty_kit.priorart.jsonfile import read_text
    from novelty_kit.priorart.record import Evidence, build_record
    from novelty_kit.priorart.references import read_references
    from novelty_kit.priorart.render import render_text
    from novelty_kit.priorart.searchlog import read_search_log
    from novelty_kit.priorart.store import TextStore
    from novelty_kit.priorart.verdicts import Judge, name_judge, read_verdicts

    if by_model and by_person:
        raise click.UsageError("--by and --by-model exclude each other")
    given = read_verdicts(verdicts)
    if by_model or by_person:
        given = name_judge(given, Judge("model" if by_model else "person", by_model or by_person or ""))
    if evidence == "store":
        claims_path = claims_path or _beside(verdicts, "claims.json")
        log_path = log_path or _beside(verdicts, "search_log.jsonl")
        store_path = store_path or _beside(verdicts, "store")
    found = build_record(
        given,
        artifact=artifact,
        evidence=Evidence(evidence),
        lenient=lenient,
        claims=_claims(claims_path, lenient),
        log=read_search_log(log_path) if log_path else None,
        store=TextStore(store_path) if store_path else None,
        artifact_text=read_text(artifact_text) if artifact_text else None,
        references=read_references(references_path) if references_path else (),
        artifact_date=artifact_date,
        path=verdicts,
    )
    document = canonical_json(found.to_dict(), indent=2) + "\n"
    _written(document, out, as_json, render_text(found))
    return 0 if exit_zero or found.is_clean else 1


def _claims(path: str | None, lenient: bool) -> ClaimList | None:
    from novelty_kit.priorart.claims import read_claims

    return read_claims(path, lenient=lenient) if path else None
