"""`novelty cite verify`: are the citations real, and are they what they are said to be?

Asks Crossref, DataCite, doi.org, arXiv, Europe PMC, OpenAlex and ClinicalTrials.gov. Writes the manifests of a
run, or one manifest to ``--out``. An outage never accuses: what nobody could be asked about is ``unverified``.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novelty_kit.cli.cite_sources import FORMS, Cited, cited_in_file, cited_in_run
from novelty_kit.cli.review_options import BASE, DEBUG, JSON, RUN, open_named
from novelty_kit.output import canonical_json, for_terminal, shorten

if TYPE_CHECKING:
    from novelty_kit.cli.cite_sources import Form
    from novelty_kit.review.verify import CheckedCitation, Verification

__all__ = ["cite"]

_DEADLINE_S = 120.0
_PATIENCE_S = 10.0
_LONGEST_S = 86_400.0


class _Seconds(click.FloatRange):
    """A time that a person may wait; click's own range lets NaN through."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, _LONGEST_S, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if seconds != seconds:
            self.fail(f"{value!r:.40} is no number of seconds", param, ctx)
        return seconds


@click.group()
def cite() -> None:
    """Citations: whether they exist and are what they are said to be."""


@cite.command()
@click.argument("sources", nargs=-1, metavar="[RUN|FILE|-]…")
@RUN
@BASE
@DEBUG
@click.option("--for", "only", multiple=True, metavar="H-XXXX", help="Of a run only this one (repeatable).")
@click.option("--as", "form", type=click.Choice(FORMS), help="What the files are; else their names tell.")
@click.option(
    "--deadline", type=_Seconds(), default=_DEADLINE_S, show_default=True,
    metavar="SECONDS", help="What is not looked up by then is unverified.",
)  # fmt: skip
@click.option(
    "--timeout", type=_Seconds(), default=_PATIENCE_S, show_default=True,
    metavar="SECONDS", help="For one question.",
)  # fmt: skip
@click.option("--out", metavar="FILE", help="Write the manifest of a file here.")
@click.option("--dry-run", is_flag=True, help="Write nothing into the run.")
@JSON
@click.pass_context
def verify(
    ctx: click.Context,
    sources: tuple[str, ...],
    run_id: str | None,
    base: str | None,
    only: tuple[str, ...],
    form: Form | None,
    deadline: float,
    timeout: float,
    out: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Look citations up and compare their titles and authors.

    Hypotheses of a run directory, a hypothesis or review as JSON, BibTeX, RIS, CSL-JSON, or a list with an id
    or a title a line. Manifests of a run go into its citations/. Exit code 0: all are verified; 1: a phantom,
    a suspect, or nothing to verify; 3: something could not be looked up; nothing is held against that.
    """
    from novelty_kit.cli.cite_services import CitationServices, patient_services
    from novelty_kit.review.verify import verify_citations

    cited = _cited(sources, run_id, base, only, form)
    if out is not None and (len(cited) != 1 or cited[0].run is not None):
        raise click.UsageError("--out takes the manifest of one file; those of a run go into the run")
    items = [item for one in cited for item in one.extraction.items]
    resolver = CitationServices(patient_services(timeout), (item.key for item in items))
    found = verify_citations(items, resolver, deadline, lookup_s=timeout)
    by_item = {checked.item: checked for checked in found.checked}
    reports = []
    for one in cited:
        checked = tuple(by_item[item] for item in one.extraction.items)
        reports.append(_report(one, checked, out=out, dry_run=dry_run))
    if as_json:
        document = {"verdict": found.verdict, "codes": _codes(found, cited), "targets": reports}
        click.echo(canonical_json(document, indent=2))
    else:
        for report in reports:
            _say(report)
        _say_undecided(found)
    skipped = any(one.skipped for one in cited)
    ctx.exit(found.exit_code or (1 if skipped else 0))


def _cited(
    sources: tuple[str, ...], run_id: str | None, base: str | None, only: tuple[str, ...], form: Form | None
) -> list[Cited]:
    if run_id is not None:
        if sources:
            raise click.UsageError(f"unexpected argument {sources[0]!r:.80}")
        return cited_in_run(open_named(run_id, base, None, ()), only)
    if base is not None:
        raise click.UsageError("--run-dir needs --run ID")
    if not sources:
        raise click.UsageError("name what to verify: a run's directory, files, or --run ID --run-dir BASE")
    cited = []
    for source in sources:
        if source != "-" and Path(source).is_dir():
            cited += cited_in_run(open_named(None, None, source, ()), only)
        elif only:
            raise click.UsageError("--for names hypotheses of a run, not of a file")
        else:
            cited.append(cited_in_file(source, form))
    return cited


def _codes(found: Verification, cited: list[Cited]) -> list[str]:
    incomplete = ["cite.extraction_incomplete"] if any(one.skipped for one in cited) else []
    return [*found.codes, *incomplete]


def _report(
    one: Cited, checked: tuple[CheckedCitation, ...], *, out: str | None, dry_run: bool
) -> dict[str, Any]:
    """Write the manifest, and say what is in it."""
    from novelty_kit import __version__
    from novelty_kit.output import write_whole
    from novelty_kit.review.manifest import manifest_bytes, read_manifest
    from novelty_kit.review.verify import Verification

    found = Verification(checked)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    verifier = f"novelty_kit/{__version__}"
    raw = manifest_bytes(one.target_id, one.target_file, found.citations, verified_at=now, verifier=verifier)
    manifest, written = read_manifest(raw, one.target_file), None
    if one.run is not None and not dry_run:
        manifest = one.run.write_manifest(one.target_id, found.citations, verified_at=now, verifier=verifier)
        written = str(one.run.path / "citations" / one.target_file)
    elif out is not None:
        write_whole(out, raw)
        written = out
    return {
        "target_id": one.target_id,
        "target_file": one.target_file,
        "extraction_basis": one.extraction.basis,
        "verdict": found.verdict,
        "manifest": written,
        "summary": manifest.counts.to_dict(),
        "citations": [_entry(each) for each in checked],
        "skipped": [{"where": skip.where, "code": skip.code, "why": skip.why} for skip in one.skipped],
    }


def _entry(checked: CheckedCitation) -> dict[str, Any]:
    entry = checked.citation
    return {
        "id": entry.id,
        "raw_id": entry.raw_id,
        "status": entry.status,
        "reason": entry.reason,
        "detail": checked.detail,
        "asked": list(checked.asked),
        "verified_via": entry.verified_via,
        "claimed_title": entry.claimed_title,
        "resolved_title": entry.resolved_title,
        "title_match": entry.title_match,
        "title_similarity": entry.title_similarity,
        "url": entry.url,
    }


def _say(report: dict[str, Any]) -> None:
    counted = ", ".join(f"{n} {name}" for name, n in report["summary"].items() if name != "total" and n)
    click.echo(for_terminal(f"{report['target_id']}: {report['verdict']} ({counted or 'nothing cited'})"))
    for entry in report["citations"]:
        asked = f" [{', '.join(entry['asked'])}]" if entry["asked"] else ""
        line = f"  {entry['status']:<19} {shorten(entry['id'], 80)}{asked} {entry['detail']}"
        click.echo(for_terminal(line))
        if entry["status"] in ("phantom", "suspect-title-match") and entry["resolved_title"]:
            click.echo(for_terminal(f"    claimed: {shorten(str(entry['claimed_title']), 160)}"))
            click.echo(for_terminal(f"    found:   {shorten(entry['resolved_title'], 160)}"))
    for skip in report["skipped"]:
        click.echo(for_terminal(f"  not checked         {skip['where']}: {shorten(skip['why'], 160)}"))
    if report["manifest"] is not None:
        click.echo(for_terminal(f"  written to {report['manifest']}"))


def _say_undecided(found: Verification) -> None:
    undecided = sum(entry.status == "unverified" for entry in found.citations)
    if undecided:
        what = "1 citation" if undecided == 1 else f"{undecided} citations"
        click.echo(
            f"{what} of {len(found.citations)} could not be looked up; nothing is held against that. "
            "The same command again asks again",
            err=True,
        )
